"""Tournaments behind the pages: the processes that play them, the spectators, and what survives a restart."""

import asyncio
import contextlib
import json
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.conftest import dose
from websockets.sync.client import connect

from zermelo.errors import FileError, ZermeloError
from zermelo.games import find_game
from zermelo.tournaments.store import open_store
from zermelo.web import hub
from zermelo.web.settings import Settings

from .conftest import Lab

LONG = {
    "name": "Long cup",
    "game": "connect4",
    "contestants": ["lines2", "centre", "parity12"],
    "pairs": 80,
    "depth": dose(8, 3),
}
SHORT = {
    "name": "Short cup",
    "game": "tictactoe",
    "contestants": ["lines", "random", "random(seed=4)"],
    "pairs": 2,
    "depth": 1,
}


class Client:
    """The API of a lab, with its token."""

    def __init__(self, lab):
        self.lab = lab
        self.http = lab.client()
        self.renew()

    def renew(self):
        self.http.headers["X-Zermelo-Token"] = self.http.get("/api/session").json()["token"]

    def begin(self, body):
        answer = self.http.post("/api/tournaments", json=body)
        assert answer.status_code == 201, answer.text
        return answer.json()["id"]

    def get(self, identity):
        return self.http.get(f"/api/tournaments/{identity}").json()

    def wait(self, identity, is_so, seconds=240):
        end = time.monotonic() + seconds
        while not is_so(found := self.get(identity)):
            assert time.monotonic() < end, found
            time.sleep(0.1)
        return found

    def act(self, identity, what):
        answer = self.http.post(f"/api/tournaments/{identity}/{what}")
        assert answer.status_code == 200, answer.text


def owner(lab):
    return {"Cookie": "; ".join(f"{name}={value}" for name, value in lab.cookies.items())}


@pytest.fixture
def client(server):
    made = Client(server)
    yield made
    made.http.close()


@pytest.fixture
def own_lab(tmp_path):
    lab = Lab(Settings(data=tmp_path))
    yield lab
    lab.stop()


def test_it_is_played_to_its_end_and_can_be_looked_at(client):
    identity = client.begin(SHORT)
    assert identity.startswith("short-cup")
    found = client.wait(identity, lambda now: now["state"] == "finished")
    assert (found["done"], found["total"]) == (12, 12)  # three pairings, two pairs of two games
    standings = found["report"]["standings"]
    assert {line["name"] for line in standings} == {"lines", "random", "random(seed=4)"}
    assert all(low < line["elo"] < high for line in standings for low, high in [line["elo_interval"]])
    assert found["report"]["charts"]["narrow"].startswith("<svg")
    games = client.http.get(f"/api/tournaments/{identity}/games", params={"player": ["lines", "random"]}).json()
    assert len(games["games"]) == 4 and not games["more"]
    which = {"pair": games["games"][0]["pair"], "swapped": games["games"][0]["swapped"]}
    game = client.http.get(f"/api/tournaments/{identity}/game", params=which).json()
    assert len(game["moves"]) == games["games"][0]["plies"]
    board = client.http.get(f"/api/tournaments/{identity}/board", params=which | {"ply": len(game["moves"])}).json()
    assert board["picture"]["glyphs"] and "data-move" not in json.dumps(board["picture"])
    lines = client.http.get(f"/api/tournaments/{identity}/records").text.splitlines()
    assert len(lines) == 12 and all(json.loads(line)["game"] == "tictactoe" for line in lines)
    assert identity in [one["id"] for one in client.http.get("/api/tournaments").json()]


def test_openings_of_ones_own_and_games_that_end_sooner(client):
    cup = SHORT | {"contestants": ["lines", "random(seed=4)"], "positions": ["b2 a1", "a1 c3"]}
    proven = client.begin(cup | {"prove_nodes": 100_000})
    client.wait(proven, lambda now: now["state"] == "finished")
    games = client.http.get(f"/api/tournaments/{proven}/games").json()["games"]
    assert [game["reason"] for game in games] == ["proven"] * 4  # two openings, both colours
    records = [json.loads(line) for line in client.http.get(f"/api/tournaments/{proven}/records").text.splitlines()]
    starts = {str(find_game("tictactoe").position(text)) for text in ("b2 a1", "a1 c3")}
    assert {record["start"] for record in records} == starts
    short = client.begin(cup | {"most_plies": 1})
    client.wait(short, lambda now: now["state"] == "finished")
    games = client.http.get(f"/api/tournaments/{short}/games").json()["games"]
    assert {(game["reason"], game["plies"], game["score"]) for game in games} == {("a draw after 1 plies", 1, 0.5)}


def test_it_is_stopped_resumed_and_deleted(client):
    identity = client.begin(LONG)
    client.wait(identity, lambda now: now["done"] > 0)
    client.act(identity, "stop")
    stopped = client.get(identity)
    assert stopped["state"] == "kept" and 0 < stopped["done"] < stopped["total"]
    time.sleep(0.5)
    assert client.get(identity)["done"] == stopped["done"], "nobody plays any more"
    client.act(identity, "resume")
    client.wait(identity, lambda now: now["done"] > stopped["done"] and now["state"] == "playing")
    assert client.http.delete(f"/api/tournaments/{identity}").status_code == 200
    assert client.http.get(f"/api/tournaments/{identity}").status_code == 404


def test_a_new_server_goes_on_with_what_was_being_played(own_lab):
    client = Client(own_lab)
    identity = client.begin(LONG)
    client.wait(identity, lambda now: now["done"] > 0)
    own_lab.stop()
    store = open_store(own_lab.settings.data / "tournaments" / f"{identity}.db")
    before = store.scores("Long cup")
    time.sleep(0.5)
    assert store.scores("Long cup") == before, "its process ended with the server"
    store.close()
    own_lab.start()
    client.renew()
    found = client.wait(identity, lambda now: now["done"] > len(before))
    assert found["state"] == "playing"
    client.act(identity, "stop")
    client.http.close()


def test_many_watch_and_all_see_the_same(client):
    identity = client.begin(LONG)
    address = f"{client.lab.address.replace('http', 'ws')}/ws/tournaments/{identity}"
    with contextlib.ExitStack() as held:
        sockets = [
            held.enter_context(connect(address, additional_headers=owner(client.lab))) for _ in range(dose(20, 3))
        ]
        for socket in sockets:
            seen = {}
            while not {"state", "progress", "report", "board"} <= seen.keys():
                seen |= json.loads(socket.recv(timeout=240))
            assert seen["state"] == {"state": "playing", "error": None}
            assert seen["board"]["picture"]["glyphs"] and len(seen["board"]["players"]) == 2
            assert seen["progress"]["done"] <= seen["progress"]["total"] == 2 * 3 * 80
            assert seen["report"]["standings"][0]["elo_interval"]
        client.act(identity, "stop")
        for socket in sockets:
            while "state" not in (news := json.loads(socket.recv(timeout=120))):
                pass
            assert news["state"]["state"] == "kept"
    assert client.http.delete(f"/api/tournaments/{identity}").status_code == 200


@pytest.mark.parametrize(
    ("change", "status", "text"),
    [
        (
            {"contestants": ["lines", "process(command=ls)"]},
            400,
            "process cannot take part in a tournament that is begun from a page",
        ),
        ({"contestants": ["lines", "/etc"]}, 400, "a page cannot name files"),
        ({"contestants": ["lines", "alphabeta(heuristic=../mine.py:x)"]}, 400, "a page cannot name files"),
        ({"contestants": ["lines", "human"]}, 400, "human"),
        ({"contestants": ["lines"]}, 422, "contestants"),
        ({"contestants": ["lines", "nobody"]}, 400, "there is no player or heuristic 'nobody'"),
        ({"game": "chess"}, 400, "there is no game 'chess'"),
        ({"game": "tree", "setup": "file=/etc/passwd"}, 400, "a page cannot read files"),
        ({"format": "sprt", "elo0": 5, "elo1": 1, "contestants": ["lines", "random"]}, 400, "elo0=5 must be less"),
        ({"pairs": 0}, 422, "pairs"),
        ({"positions": ["b2", "b2 b2"]}, 400, "openings.positions: Tic-tac-toe position 'b2 b2'"),
        (
            {"positions": ["b2"], "plies": 2},
            400,
            "openings.plies: cannot be set when positions are given",
        ),
        ({"prove_nodes": 0}, 422, "prove_nodes"),
    ],
)
def test_what_cannot_be_played_is_said(client, change, status, text):
    answer = client.http.post("/api/tournaments", json=SHORT | change)
    assert answer.status_code == status
    assert text in answer.json()["error"]


def test_a_process_that_cannot_be_started_is_said_and_leaves_nothing_behind(tmp_path, monkeypatch):
    def refused(folder):
        raise FileError("no more processes")

    monkeypatch.setattr(hub, "_started", refused)
    lab = hub.Hub(tmp_path / "tournaments", tmp_path / "workshop", 1)
    with ThreadPoolExecutor(1) as pool:  # in this thread runs the event loop of the browser's tests, if there were any
        for _ in range(hub.MOST_RUNNING + 1):
            with pytest.raises(ZermeloError, match="no more processes"):
                pool.submit(lambda: asyncio.run(lab.create({"name": "Cup"}))).result()
    assert lab.live == {} and list((tmp_path / "tournaments").iterdir()) == []


def test_wrong_addresses(client):
    for path in ("nothing", "..%2F..%2Fetc", "a b"):
        assert client.http.get(f"/api/tournaments/{path}").status_code == 404
    assert client.http.get("/tournaments/nothing").status_code == 404
    address = f"{client.lab.address.replace('http', 'ws')}/ws/tournaments/nothing"
    with connect(address, additional_headers=owner(client.lab)) as socket, pytest.raises(Exception, match="4404"):
        socket.recv(timeout=120)


def test_only_our_own_pages_may_begin_one(client):
    elsewhere = "http://elsewhere.example"
    for headers in ({"X-Zermelo-Token": "wrong"}, {"Origin": elsewhere}, {"Host": "elsewhere.example"}):
        answer = client.http.post("/api/tournaments", json=SHORT, headers=headers)
        assert answer.status_code in (400, 403), headers
    address = f"{client.lab.address.replace('http', 'ws')}/ws/tournaments/x"
    with (
        pytest.raises(Exception, match="403"),
        connect(address, origin=elsewhere, additional_headers=owner(client.lab)),
    ):
        pass
