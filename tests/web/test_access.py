"""Who may do what: the owner with the secret, other users of this machine, and visitors over a network."""

import contextlib
import os
import re
import stat

import httpx
import pytest
from websockets.sync.client import connect

from web.conftest import Lab
from zermelo.web.access import KEY_FILE, without_secret
from zermelo.web.settings import Settings

GAME = {"line": "tictactoe/-/a1b1b2", "players": ["human", "random"], "moves": [{"move": "a1", "seconds": 1.5}]}
CUP = {"game": "tictactoe", "contestants": ["lines", "random"], "pairs": 1, "depth": 1}


@pytest.fixture
def lab(tmp_path):
    started = Lab(Settings(data=tmp_path))
    yield started
    started.stop()


@pytest.fixture
def open_lab(tmp_path):
    """A lab that listens to other machines."""
    started = Lab(Settings(data=tmp_path, host="0.0.0.0"))
    yield started
    started.stop()


def opening(lab):
    return f"{lab.address}/?secret={lab.app.state.access.secret}"


def with_token(http):
    http.headers["X-Zermelo-Token"] = http.get("/api/session").json()["token"]
    return http


# ------------------------------------------------------------------------------------------ on this machine


def test_without_the_secret_nothing_is_answered(lab):
    """Any user of this machine can reach the port."""
    with httpx.Client(base_url=lab.address) as stranger:
        for path in ("/", "/connect4/-/-", "/saved", "/workshop", "/tournaments", "/nothing/at/all/here"):
            answer = stranger.get(path)
            assert answer.status_code == 403, path
            assert "zermelo serve" in answer.text and "<h1>" in answer.text
            assert lab.app.state.token not in answer.text
        paths = [path for path in lab.app.openapi()["paths"] if "{" not in path]
        assert "/api/session" in paths and len(paths) >= 8
        for path in [*paths, "/api/openapi.json", "/api/workshop/files/mine.py"]:
            for method in ("GET", "POST", "PUT", "DELETE"):
                answer = stranger.request(method, path, headers={"X-Zermelo-Token": lab.app.state.token})
                assert answer.status_code == 403 and "belongs to" in answer.json()["error"], path
        assert lab.app.state.token not in stranger.get("/static/nothing.js").text
    with (
        pytest.raises(Exception, match="403"),
        connect(f"{lab.address.replace('http', 'ws')}/ws/tournaments/x"),
    ):
        pass


def test_the_secret_gives_a_cookie_and_a_page_without_it(lab):
    with httpx.Client(base_url=lab.address) as http:
        answer = http.get(f"/connect4/-/44?second=random&secret={lab.app.state.access.secret}")
        assert answer.status_code == 200 and lab.app.state.access.secret not in answer.text
        assert 'content="0; url=/connect4/-/44?second=random"' in answer.text
        cookie = answer.headers["set-cookie"]
        assert "HttpOnly" in cookie and "SameSite=Strict" in cookie and str(lab.port) in cookie
        assert lab.app.state.access.secret not in cookie
        assert http.get("/api/session").json()["token"] == lab.app.state.token
        assert http.get("/workshop").status_code == 200


@pytest.mark.parametrize("secret", ["", "wrong", "%ff", "ü"])
def test_a_wrong_secret_gives_nothing(lab, secret):
    with httpx.Client(base_url=lab.address) as http:
        answer = http.get(f"/?secret={secret}")
        assert answer.status_code == 403 and "set-cookie" not in answer.headers
        for header in (f"Bearer {secret}x", f"zermelo-owner-{lab.port}={secret}"):
            headers = {"Authorization": header.encode(), "Cookie": header.encode()}
            assert http.get("/api/session", headers=headers).status_code == 403


def test_programs_send_the_secret_in_a_header(lab):
    owners = {"Authorization": f"Bearer {lab.app.state.access.secret}"}
    assert httpx.get(f"{lab.address}/api/session", headers=owners).status_code == 200


def test_the_page_after_the_secret_is_of_this_server():
    scope = {"path": "//evil.example/x", "query_string": b"secret=1&a=2"}
    assert without_secret(scope) == "/evil.example/x?a=2"
    assert without_secret({"path": "/\\evil.example", "query_string": b""}) == "/evil.example"


def test_the_key_is_a_file_of_the_owners_and_outlives_the_server(lab, tmp_path):
    cookies = lab.cookies
    file = tmp_path / KEY_FILE
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    secret = lab.app.state.access.secret
    lab.stop()
    lab.start()
    assert httpx.get(f"{lab.address}/api/session", cookies=cookies).status_code == 200
    assert lab.app.state.access.secret != secret, "the one in the address is of one run"
    lab.stop()
    file.chmod(0o644)
    lab.start()
    assert httpx.get(f"{lab.address}/api/session", cookies=cookies).status_code == 403, "others could have read it"


def test_a_lab_without_a_place_for_its_key_still_opens(tmp_path):
    (tmp_path / "file").write_text("")
    lab = Lab(Settings(data=tmp_path / "file" / "data"))
    try:
        with lab.client() as http:
            assert http.get("/").status_code == 200
    finally:
        lab.stop()


def test_the_owners_browser(browser, lab):
    """From the address to the lab. A link from elsewhere leads in as well, though no strict cookie is sent then."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(opening(lab))
    page.wait_for_url(f"{lab.address}/")
    page.wait_for_selector(".cards")
    elsewhere = context.new_page()
    elsewhere.goto(f"data:text/html,<a href='{lab.address}/tictactoe/-/-'>play</a>")
    elsewhere.click("a")
    elsewhere.wait_for_selector("#board [data-move]")
    context.close()


def test_the_file_that_opens_a_browser_leads_in(browser, lab, tmp_path):
    file = tmp_path / "open.html"
    file.write_text(f'<!doctype html><meta http-equiv="refresh" content="0; url={opening(lab)}">')
    context = browser.new_context()
    page = context.new_page()
    page.goto(file.as_uri())
    page.wait_for_selector(".cards")
    assert page.url == f"{lab.address}/"
    context.close()


# ------------------------------------------------------------------------------------------ on a network


def test_visitors_play_and_keep_games_of_their_own(open_lab):
    with httpx.Client(base_url=open_lab.address) as ann, httpx.Client(base_url=open_lab.address) as bob:
        for visitor in (ann, bob):
            cookie = visitor.get("/").headers["set-cookie"]
            assert "HttpOnly" in cookie and "SameSite=Strict" in cookie
            assert "set-cookie" not in visitor.get("/tictactoe/-/-").headers
            with_token(visitor)
        assert ann.get("/api/position?line=tictactoe/-/a1").status_code == 200
        assert "event: move" in ann.get("/api/think?line=tictactoe/-/a1&player=random").text
        assert ann.put("/api/saved/0123-abcd", json=GAME).status_code == 204
        assert bob.put("/api/saved/4567-abcd", json=GAME).status_code == 204
        for answer in (
            bob.put("/api/saved/0123-abcd", json=GAME | {"line": "tictactoe/-/-"}),
            bob.delete("/api/saved/0123-abcd"),
            bob.post("/api/saved/0123-abcd/restore"),
        ):
            assert answer.status_code == 403 and "belongs to somebody else" in answer.json()["error"]
        assert bob.get("/api/saved/0123-abcd.txt").status_code == 404
        assert [game["id"] for game in bob.get("/api/saved").json()] == ["4567-abcd"]
        assert len(bob.get("/api/saved.jsonl").text.splitlines()) == 1
        assert bob.delete("/api/saved/4567-abcd").status_code == 204
    with open_lab.client() as owner:
        assert [game["id"] for game in owner.get("/api/saved").json()] == ["0123-abcd"], "the owner sees all"
        assert with_token(owner).delete("/api/saved/0123-abcd").status_code == 204


def test_visitors_only_look_at_tournaments(open_lab):
    with open_lab.client() as owner, httpx.Client(base_url=open_lab.address) as visitor:
        with_token(visitor)
        cup = with_token(owner).post("/api/tournaments", json=CUP).json()["id"]
        assert visitor.get(f"/tournaments/{cup}").status_code == 200
        assert visitor.get(f"/api/tournaments/{cup}/games").status_code == 200
        for answer in (
            visitor.post("/api/tournaments", json=CUP),
            visitor.post(f"/api/tournaments/{cup}/stop"),
            visitor.post(f"/api/tournaments/{cup}/resume"),
            visitor.delete(f"/api/tournaments/{cup}"),
        ):
            assert answer.status_code == 403 and "Only the owner" in answer.json()["error"]
        page = visitor.get("/tournaments/new")
        assert page.status_code == 403 and "Only the owner" in page.text
        assert "/tournaments/new" not in visitor.get("/tournaments").text
        assert "/tournaments/new" in owner.get("/tournaments").text
        assert visitor.get("/workshop").status_code == 403
        assert owner.get("/workshop").status_code == 403, "over a network nobody runs code"
        assert owner.delete(f"/api/tournaments/{cup}").status_code == 200


def test_visitors_cannot_push_games_out(open_lab, monkeypatch):
    monkeypatch.setattr("zermelo.web.game_store.MOST_OF_VISITOR", 2)
    monkeypatch.setattr("zermelo.web.game_store.MOST_OF_VISITORS", 4)
    with open_lab.client() as owner, contextlib.ExitStack() as held:
        visitors = [with_token(held.enter_context(httpx.Client(base_url=open_lab.address))) for _ in range(4)]
        first, *others, late = visitors
        with_token(owner).put("/api/saved/00000000", json=GAME)
        for number in range(3):
            assert first.put(f"/api/saved/1111111{number}", json=GAME).status_code == 204
        assert len(first.get("/api/saved").json()) == 2, "their own oldest has gone"
        for other in others:
            other.put(f"/api/saved/{os.urandom(4).hex()}", json=GAME)
        answer = late.put("/api/saved/33333333", json=GAME)
        assert answer.status_code == 403 and "cannot store any more games" in answer.json()["error"]
        known = {game["id"] for game in owner.get("/api/saved").json()}
        assert {"00000000", "11111111", "11111112"} <= known and len(known) == 5


# ------------------------------------------------------------------------------------------ names


def test_names_that_were_allowed(tmp_path):
    lab = Lab(Settings(data=tmp_path, host="0.0.0.0", allowed_hosts=frozenset({"teacher.local"})))
    try:
        with httpx.Client(base_url=lab.address) as http:
            for host in ("teacher.local:8000", "Teacher.Local.", "192.168.1.5:8000", "[fe80::1]:8000"):
                assert http.get("/", headers={"Host": host}).status_code == 200, host
            answer = http.get("/", headers={"Host": "evil.example:8000"})
            assert answer.status_code == 400 and answer.headers["content-type"].startswith("text/html")
            assert "zermelo serve --host 0.0.0.0 --allow-host evil.example" in re.sub(r"\s+", " ", answer.text)
            assert "--allow-host" in http.get("/api/session", headers={"Host": "evil.example"}).json()["error"]
            assert lab.app.state.token not in http.get("/static/x", headers={"Host": "evil.example"}).text
    finally:
        lab.stop()
