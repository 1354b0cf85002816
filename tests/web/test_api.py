"""The API without a browser: what it answers, and what it refuses."""

import json
from contextlib import contextmanager

import pytest
from fastapi.routing import APIRoute

from web.conftest import Lab
from zermelo.core import JIT
from zermelo.web.security import SECURITY_HEADERS, require_token
from zermelo.web.settings import Settings


@contextmanager
def client_of(settings):
    """A client of a separate lab."""
    lab = Lab(settings)
    with lab.client(headers={"X-Zermelo-Token": lab.app.state.token}) as client:
        client.app = lab.app
        yield client
    lab.stop()


@pytest.fixture
def client(tmp_path):
    with client_of(Settings(data=tmp_path)) as found:
        yield found


def events(response):
    """(name, data) of a stream of events."""
    blocks = [block.splitlines() for block in response.text.split("\n\n") if block.startswith("event:")]
    return [(name.removeprefix("event: "), json.loads(data.removeprefix("data: "))) for name, data in blocks]


# ------------------------------------------------------------------------------------------ positions


def test_a_position_in_an_address(client):
    found = client.get("/api/position", params={"line": "hex/5x5,swap=yes/c3a1"}).json()
    assert found["moves"] == ["c3", "a1"]
    assert found["movers"] == [1, 2]
    assert found["path"] == "hex/5x5,swap=yes/c3a1"
    assert found["spoken"] == "White played a1. Black to move."
    picture = found["picture"]
    assert picture["root"]["role"] == "group"
    assert [one["place"] for one in picture["glyphs"] if one["kind"] == "cell"][:2] == ["a1", "b1"]
    assert [part["kind"] for one in picture["glyphs"] if one["place"] == "c3" for part in one["parts"]] == [
        "Black-stone"
    ]


def test_moves_are_played_where_the_game_stands(client):
    query = {"line": "connect4/-/4455", "at": 2, "play": ["3", "3"]}
    found = client.get("/api/position", params=query).json()
    assert found["path"] == "connect4/-/4433"
    assert found["at"] == 4


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("chess/-/-", "there is no game 'chess'"),
        ("connect4/-/9", "9 is illegal: the columns are 1 to 7"),
        ("connect4/99x99/-", "columns=99 is not a number"),
        ("hex/size=500/-", "size=500 is not a number"),
        ("hex/5x4/-", "hex has no set-up '5x4'"),
        ("hex/colour=red/-", "hex has no option 'colour'"),
        ("a/b/c/d", "not of the form game/set-up/moves"),
        ("tree/file=secret.toml/-", "a page cannot read files"),
        ("onitama/-/" + "boar:c1-c2," * 2000, "at most 20000 characters"),
    ],
)
def test_a_wrong_line_is_named(client, line, words):
    answer = client.get("/api/position", params={"line": line})
    assert answer.status_code in (400, 422)
    assert words in answer.json()["error"]


def test_why_not(client):
    query = {"line": "hex/4x4/b2", "move": "b2"}
    assert client.get("/api/why-not", params=query).json()["reason"] == "b2 is illegal: the cell is taken"
    assert client.get("/api/why-not", params=query | {"move": "a1"}).json()["reason"] is None


# ------------------------------------------------------------------------------------------ players


@pytest.mark.parametrize(
    ("player", "words"),
    [
        ("process(command=ls)", "cannot start programs"),
        ("gtp(command=ls)", "cannot start programs"),
        ("alphabeta(heuristic=/tmp/mine.py:corners)", "cannot name files"),
        ("alphabeta(heuristic=../mine.py:corners(two=3))", "cannot name files"),
        ("alphabeta(heuristic=tuned.json)", "cannot name files"),  # which may name a file of code
        ("alphabeta(heuristic=/tmp/net.npz, order=lines)", "cannot name files"),
        ('alphabeta(heuristic="tuned.json(two=3)")', "cannot name files"),
        ("alphabeta(heuristic=mine.py:corners(two=3))", "the workshop has no file mine.py"),
        ("engine(seconds=1000)", "more than this lab allows, which is 30"),
        ("engine(memory=10000)", "more than this lab allows, which is 64"),
        ("wizard", "there is no player 'wizard'"),
        ("alphabeta(depth=", "cannot read"),
        ("human", "the lab cannot choose moves for a person"),
    ],
)
def test_a_player_that_a_page_cannot_have(client, player, words):
    answer = client.get("/api/think", params={"line": "tictactoe/-/-", "player": player})
    assert answer.status_code == 400
    assert words in answer.json()["error"]


def test_thinking_is_a_stream_that_ends_with_a_move(client):
    query = {"line": "tictactoe/-/a1b1a2b2", "player": "engine(depth=3)"}
    found = events(client.get("/api/think", params=query))
    names = [name for name, _ in found if name != "compiling"]
    assert names[-2:] == ["move", "done"]
    assert dict(found)["move"]["move"] == "a3"
    assert "thinking" in names


def test_analysis_is_a_stream_of_boards(client):
    found = events(client.get("/api/analyse", params={"line": "tictactoe/-/a1b2b1", "depth": 3}))
    last = [data for name, data in found if name == "analysis"][-1]
    assert last["qualities"]["c1"] == "best"
    [cell] = [one for one in last["picture"]["glyphs"] if one["attributes"].get("data-move") == "c1"]
    [[name, attributes, _]] = last["picture"]["shapes"][cell["parts"][0]["kind"]]
    assert (name, attributes["class"]) == ("text", "mark")


@pytest.mark.skipif(not JIT, reason="too little is found in this time in plain Python")
def test_the_graph_has_a_point_for_every_position(client):
    found = events(client.get("/api/graph", params={"line": "tictactoe/-/b2a3a1c3b1b3"}))
    points = [data for name, data in found if name == "point"]
    assert [point["ply"] for point in points] == list(range(7))
    assert points[4]["word"] == "blunder" and points[4]["as_good"] == ["b3"]
    assert points[6] == {"ply": 6, "chance": 0.0, "text": "", "over": True, "exact": True}
    assert all(point["exact"] for point in points) and points[4]["sure"]


# ------------------------------------------------------------------------------------------ saved games

GAME = {"line": "tictactoe/-/a1b1b2", "players": ["human", "random"], "moves": [{"move": "a1", "seconds": 1.5}]}


def test_a_game_is_saved_listed_and_deleted(client):
    assert client.put("/api/saved/0123-abcd", json=GAME).status_code == 204
    assert client.put("/api/saved/0123-abcd", json=GAME | {"end": "1-resigned"}).status_code == 204
    (listed,) = client.get("/api/saved").json()
    assert (listed["plies"], listed["result"]) == (3, "O won (resigned)")
    text = client.get("/api/saved/0123-abcd.txt").text
    assert "first: human" in text and "1. a1 2. b1 3. b2" in text
    assert client.post("/api/saved", content=text).json() == {"games": 1}
    assert [game["result"] for game in client.get("/api/saved").json()] == ["O won (resigned)"] * 2
    assert client.delete("/api/saved/0123-abcd").status_code == 204
    assert client.delete("/api/saved/0123-abcd").status_code == 404


def test_what_is_exported_can_be_imported(client):
    client.put("/api/saved/0123-abcd", json=GAME)
    lines = client.get("/api/saved.jsonl").text
    assert client.post("/api/saved", content=lines * 2).json() == {"games": 2}
    assert len(client.get("/api/saved").json()) == 3


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("rubbish", "not of the form"),
        ("game: chess\n\n", "there is no game 'chess'"),
        ("game: tictactoe\n\n1. a1 2. a1", "the cell is taken"),
        ('{"format": 1, "game": "tictactoe"}', "line 1: this is not a game record"),
        ('{"format": 1, "game": "tree(file=x.toml)", "players": ["a", "b"], "start": "-", "moves": []}', "read files"),
    ],
)
def test_a_wrong_import_is_named(client, text, words):
    answer = client.post("/api/saved", content=text)
    assert answer.status_code == 400
    assert words in answer.json()["error"]
    assert client.get("/api/saved").json() == []


# ------------------------------------------------------------------------------------------ what is refused


def test_every_answer_has_the_security_headers(client):
    for path in ("/", "/nonsense/at/all/here", "/api/position?line=x", "/static/nothing.js"):
        answer = client.get(path)
        for name, value in SECURITY_HEADERS.items():
            assert answer.headers[name] == value, path
    assert "unsafe" not in SECURITY_HEADERS["Content-Security-Policy"]


def test_a_bug_is_no_traceback(client, monkeypatch):
    def broken(*args, **options):
        raise RuntimeError("a secret detail")

    for name in ("play.facts_of", "position_answers.view_of"):  # for the page, and for the API
        monkeypatch.setattr(f"zermelo.web.{name}", broken)
    for path in ("/tictactoe/-/-", "/api/position?line=tictactoe/-/-"):
        answer = client.get(path)
        assert answer.status_code == 500
        assert "secret" not in answer.text and "Traceback" not in answer.text
        assert answer.headers["Content-Security-Policy"] == SECURITY_HEADERS["Content-Security-Policy"]


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "127.0.0.1.evil.example"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
    ],
)
def test_pages_of_other_sites_are_refused(client, headers):
    assert client.get("/api/position?line=tictactoe/-/-", headers=headers).status_code in (400, 403)
    assert client.put("/api/saved/0123-abcd", json=GAME, headers=headers).status_code in (400, 403)


def test_nothing_changes_without_the_token(client):
    for token in ("", "wrong", "ü"):
        headers = {"X-Zermelo-Token": token.encode()}
        assert client.put("/api/saved/0123-abcd", json=GAME, headers=headers).status_code == 403
    assert client.get("/api/saved").json() == []


ONLY_LOOK = {  # they change nothing, but trees and answers are too long for an address, and a solution is asked for
    *("/api/tree", "/api/tree/node"),
    *("/api/exercise/mark", "/api/exercise/solution"),
}


def test_whatever_is_no_get_needs_the_token(client):
    routes = [route for route in all_routes(client.app) if route.methods - {"GET", "HEAD"}]
    routes = [route for route in routes if route.path not in ONLY_LOOK]
    assert len(routes) >= 3
    for route in routes:
        assert require_token in [dependency.call for dependency in route.dependant.dependencies], route.path


def all_routes(app):
    """The routes of every part, also where they are kept under a router of their own."""
    waiting = list(app.routes)
    while waiting:
        route = waiting.pop()
        if isinstance(route, APIRoute):
            yield route
        else:
            inner = getattr(route, "original_router", None)
            waiting += inner.routes if inner is not None else []


def test_long_bodies_are_refused(client):
    long = "x" * (client.app.state.settings.most_body + 1)
    assert client.post("/api/saved", content=long).status_code == 413
    pieces = (long[start : start + 65536].encode() for start in range(0, len(long), 65536))
    assert client.post("/api/saved", content=pieces).status_code == 413


def test_get_changes_nothing(client):
    assert client.get("/api/saved/0123-abcd").status_code == 405
    assert client.post("/api/position?line=tictactoe/-/-").status_code == 405


@pytest.mark.parametrize(
    "path",
    [
        "/chess",
        "/hex/900x900/-",
        "/connect4/-/xyz",
        "/connect4/-/-?second=process(command%3Dls)",
        "/connect4/-/-?at=x",
        "/tictactoe/-/-?end=3-bored",
        "/analyse/connect4/-/-?heuristic=nothing",
        "/analyse/connect4/-/-?heuristic=/tmp/tuned.json",
        "/picture/chess.svg",
        "/%00/%ff/-",
    ],
)
def test_a_wrong_page_is_a_clear_page(client, path):
    answer = client.get(path)
    assert 400 <= answer.status_code < 500
    assert answer.headers["content-type"].startswith("text/html")
    assert "<h1>" in answer.text and "Traceback" not in answer.text


@pytest.mark.skipif(not JIT, reason="takes long in plain Python")
def test_too_many_searches_wait_no_longer(tmp_path):
    with client_of(Settings(data=tmp_path, searches=1, waiting=0)) as client:
        client.app.state.searches.unfinished = 1
        answer = client.get("/api/think", params={"line": "tictactoe/-/-", "player": "random"})
        assert answer.status_code == 503
        assert "too many searches" in answer.json()["error"]


def test_elsewhere_than_on_loopback_there_is_no_workshop(tmp_path):
    assert not Settings(host="0.0.0.0", data=tmp_path).has_workshop
    assert not Settings(workshop=False, data=tmp_path).has_workshop
    with client_of(Settings(host="0.0.0.0", data=tmp_path)) as client:
        page = client.get("/", headers={"Host": "192.168.1.5:8000"})
        assert page.status_code == 200 and "Workshop" not in page.text
