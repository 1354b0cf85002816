"""Who gets in: links, cookies, joining, and what each may see."""

import re

import httpx
import pytest
from websockets.sync.client import connect

from web.arena.conftest import GOOD, Arena

PRIVATE = ["/", "/projector", "/rounds", "/me", "/api/ladder", "/api/session", "/api/submissions", "/api/openapi.json"]


def test_without_a_key_nothing_is_answered(arena):
    with arena.client() as stranger:
        for path in [*PRIVATE, "/desk", "/nothing/at/all"]:
            answer = stranger.get(path)
            assert answer.status_code == 403, path
            assert arena.token not in answer.text and arena.arena.title not in answer.text
        assert stranger.post("/api/submissions", json={"filename": "a.py", "text": GOOD}).status_code == 403
        for path in ("/enter", "/enter?key=wrong", "/join", f"/join?key={arena.keys['watch']}", "/enter?key=%ff%00"):
            assert stranger.get(path).status_code == 403
    with pytest.raises(Exception, match="403"), connect(f"{arena.address.replace('http', 'ws')}/api/live"):
        pass


@pytest.mark.parametrize(("kind", "home"), [("teacher", "/desk"), ("watch", "/projector")])
def test_a_link_gives_a_cookie_and_leads_on_without_the_key(arena, kind, home):
    with arena.client() as http:
        key = arena.keys[kind]
        answer = http.get(f"/enter?key={key}")
        assert f'content="0; url={home}"' in answer.text and key not in answer.text
        assert answer.headers["referrer-policy"] == "no-referrer"
        cookie = answer.headers["set-cookie"]
        assert "HttpOnly" in cookie and "SameSite=Strict" in cookie and str(arena.port) in cookie
        assert "Secure" not in cookie, "this connection is not encrypted"
        assert http.get("/").status_code == 200
        assert http.get("/me").status_code == 403


def test_a_student_sees_the_ladder_and_nothing_of_others(arena, anna, ben):
    taken = anna.http.post("/api/submissions", json={"filename": "mine.py", "text": GOOD}).json()
    assert anna.http.get(f"/api/submissions/{taken['id']}").json()["state"] == "waiting"
    arena.publish("Anna", "Ben")
    page = ben.http.get("/").text
    for secret in (anna.key, anna.student.id, ben.student.id, arena.keys["teacher"], arena.keys["join"], "Anna"):
        assert secret not in page
    assert anna.student.pseudonym in page
    assert ben.http.get(f"/api/submissions/{taken['id']}").status_code == 404
    assert ben.http.get("/api/submissions").json() == []
    assert "mine.py" not in ben.http.get("/me").text
    with arena.client(arena.keys["teacher"]) as teacher:
        assert teacher.get(f"/api/submissions/{taken['id']}").status_code == 200
    with arena.client(arena.keys["watch"]) as watcher:
        assert watcher.get(f"/api/submissions/{taken['id']}").status_code == 404


def test_sessions_outlive_the_server_and_end_with_their_key(arena, anna):
    arena.stop()
    arena.start()
    assert anna.http.get("/me").status_code == 200
    key = arena.records.new_key(anna.student.id)
    assert anna.http.get("/me").status_code == 403
    with arena.client(key) as again:
        assert "Anna" in again.get("/me").text
        arena.records.remove_student(anna.student.id)
        assert again.get("/me").status_code == 403


def test_a_key_of_one_kind_opens_nothing_else(arena, anna):
    names = {kind: f"zermelo-{kind}-{arena.port}" for kind in ("teacher", "student", "watch")}
    for kind, key in [("teacher", anna.key), ("teacher", arena.keys["join"]), ("student", arena.keys["teacher"])]:
        with httpx.Client(base_url=arena.address, cookies={names[kind]: key}) as http:
            assert http.get("/").status_code == 403, (kind, key)


def test_programs_send_the_key_in_a_header(arena, anna):
    bearer = {"Authorization": f"Bearer {anna.key}"}
    with arena.client(headers=bearer) as program:
        answer = program.post("/api/submissions", json={"filename": "mine.py", "text": GOOD})
        assert answer.status_code == 201 and answer.json()["place"] == 1 and answer.json()["wait"] > 0
    with arena.client(headers={"Authorization": f"Bearer {arena.keys['watch']}"}) as program:
        assert program.post("/api/submissions", json={"filename": "mine.py", "text": GOOD}).status_code == 403
    with arena.client(headers={"Authorization": "Bearer x", "Cookie": str(anna.http.headers.get("cookie"))}) as program:
        refused = program.get("/api/submissions")
        assert refused.status_code == 403
        assert refused.json()["error"] == "This personal link does not work any more. Ask your teacher for a new one."


# ------------------------------------------------------------------------------------------ joining


def join(http, arena, name):
    page = http.get("/join", params={"key": arena.keys["join"]})
    token = re.search('name="token" value="([^"]+)"', page.text)[1]
    return http.post("/join", data={"token": token, "key": arena.keys["join"], "name": name})


def test_joining_gives_a_personal_link_once(arena):
    with arena.client() as http, arena.client() as phone:
        answer = join(http, arena, "  Zoë <script>alert(1)</script> ‮x ")
        assert answer.status_code == 200 and answer.headers["cache-control"] == "no-store"
        (student,) = arena.records.students()
        assert "<script>alert" not in answer.text and "‮" not in answer.text
        link = re.search('value="(http[^"]+/enter[?]key=[^"]+)"', answer.text)[1]
        assert link.startswith(arena.address) and "<svg" in answer.text and "style=" not in answer.text
        assert http.get("/me").status_code == 200, "the browser that joined is already in"
        assert http.get("/join", params={"key": arena.keys["join"]}).headers["location"] == "/me"
        again = http.post("/join", data={"token": arena.token, "key": arena.keys["join"], "name": "Zoë"})
        assert again.headers["location"] == "/me", "the page was sent twice"
        assert arena.records.students() == [student]
        assert phone.get(link).status_code == 200
        assert phone.get("/me").status_code == 200
    key = link.partition("key=")[2]
    raw = [row for table in ("arena_keys", "arena_students") for row in arena.store.execute(f"SELECT * FROM {table}")]
    assert key not in str(raw), "only hashes are kept"


def test_joining_needs_the_key_the_token_and_a_name(arena):
    with arena.client() as http:
        assert join(http, arena, "   ").status_code == 400
        assert join(http, arena, "x" * 500).status_code == 400
        for data in (
            {"token": arena.token, "key": "wrong", "name": "Eve"},
            {"token": "wrong", "key": arena.keys["join"], "name": "Eve"},
            {"key": arena.keys["join"], "name": "Eve"},
        ):
            assert http.post("/join", data=data).status_code == 403
        assert http.post("/join", json={"key": arena.keys["join"]}).status_code == 400
        elsewhere = {"Origin": "http://evil.example"}
        good = {"token": arena.token, "key": arena.keys["join"], "name": "Eve"}
        assert http.post("/join", data=good, headers=elsewhere).status_code == 403
    assert arena.records.students() == []


def test_a_ladder_for_everyone_shows_nothing_else(tmp_path):
    arena = Arena(tmp_path, visible="everyone")
    try:
        with arena.client() as stranger:
            for path in ("/", "/projector", "/rounds", "/api/ladder"):
                assert stranger.get(path).status_code == 200, path
            for path in ("/me", "/desk", "/api/submissions", "/api/session"):
                assert stranger.get(path).status_code == 403, path
        with connect(f"{arena.address.replace('http', 'ws')}/api/live") as socket:
            assert socket.recv(timeout=60)
    finally:
        arena.close()
