"""Games on two devices: the server by its WebSocket, with a clock that the test moves; and in several browsers."""

import contextlib
import json
import socket

import pytest
from playwright.sync_api import expect
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

import waiting
from web.conftest import PHONE, Lab, until, watched
from zermelo.web.addresses import own_addresses
from zermelo.web.settings import Settings
from zermelo.web.together import connection, rooms, store
from zermelo.web.together.clocks import TimeControl


class FakeClock:
    now = 1000.0

    def __call__(self):
        return self.now


class Device:
    """A page without a browser."""

    def __init__(self, lab, code, owner=True, origin=None, **hello):
        cookie = "; ".join(f"{name}={value}" for name, value in lab.cookies.items()) if owner else ""
        self.stack = contextlib.ExitStack()
        self.socket = self.stack.enter_context(
            connect(
                f"ws://127.0.0.1:{lab.port}/ws/together/{code}",
                additional_headers={"Cookie": cookie},
                origin=origin or lab.address,
                open_timeout=240,
                ping_interval=None,  # a busy machine may not answer in time
            )
        )
        self.view = self.room = self.seat = None
        self.notes, self.lab = [], lab
        with contextlib.suppress(ConnectionClosed):  # the server did not wait for it
            self.send(**hello)

    def send(self, **message):
        self.socket.send(json.dumps(message))
        return self

    def read(self):
        for kind, content in json.loads(self.socket.recv(240)).items():
            if kind in ("view", "room", "seat"):
                setattr(self, kind, content)
            else:
                self.notes.append((kind, content))
        return self

    def until(self, condition):
        """Read until something is so."""
        while not condition(self):
            self.read()
        return self

    def plays(self, *moves):
        """Play moves, each as soon as it is this device's turn."""
        for move in moves:
            self.until(lambda me: me.room and me.view["to_move"] == me.room["you"] and all(me.room["taken"]))
            plies = len(self.view["moves"])
            self.send(do="move", move=move, ply=plies).until(lambda me, n=plies: len(me.view["moves"]) > n)

    def refusal(self, **message):
        self.notes.clear()
        return dict(self.send(**message).until(lambda me: me.notes).notes)["refused"]

    def ending(self):
        """Read until the server closes the connection; the code that it gives."""
        try:
            while True:
                self.read()
        except ConnectionClosed as closed:
            return closed.rcvd.code

    def close(self):
        self.stack.close()


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    started = Lab(Settings(data=tmp_path_factory.mktemp("data"), host="0.0.0.0"))
    yield started
    started.stop()


@pytest.fixture
def clock(lab):
    lab.app.state.rooms.clock = FakeClock()
    lab.app.state.rooms._new = rooms.Counter(rooms.NEW_ROOMS)
    return lab.app.state.rooms.clock


@pytest.fixture
def devices():
    opened = []

    def make(*arguments, **options):
        opened.append(Device(*arguments, **options))
        return opened[-1]

    yield make
    for device in opened:
        device.close()


def opened(lab, line="tictactoe/-/-", **more):
    with lab.client(headers={"X-Zermelo-Token": lab.app.state.token}) as http:
        answer = http.post("/api/together", json={"line": line, "side": "1"} | more)
    assert answer.status_code == 201, answer.text
    return answer.json()["code"], answer.json()["seat"]


def two(lab, devices, line="tictactoe/-/-", **more):
    """Two devices at a new game."""
    code, seat = opened(lab, line, **more)
    first = devices(lab, code, seat=seat).until(lambda me: me.room)
    second = devices(lab, code, owner=False, invite=first.room["invite"]).until(lambda me: me.seat and me.room)
    return code, first, second


def test_a_game_with_a_spectator_and_a_restart(lab, clock, devices):
    code, first, second = two(lab, devices)
    watcher = devices(lab, code, owner=False).until(lambda me: me.room)
    assert (first.room["you"], watcher.room["you"], watcher.room["invite"]) == (1, 0, "")
    first.plays("b2")
    second.plays("a1")
    watcher.until(lambda me: me.view["moves"] == ["b2", "a1"])
    assert "only the two players" in watcher.refusal(do="move", move="c3", ply=2)
    assert "not your turn" in second.refusal(do="move", move="c3", ply=2)
    assert "taken" in first.refusal(do="move", move="a1", ply=2).lower()
    first.send(do="move", move="b2", ply=0)  # sent again after a lost connection: nothing happens
    assert "the board has changed" in first.refusal(do="move", move="c3", ply=1)
    lab.stop()  # the server is started again: everybody goes on
    lab.start()
    lab.app.state.rooms.clock = FakeClock()
    assert first.ending() in (1001, 1012)
    again = devices(lab, code, owner=False, seat=second.seat).until(lambda me: me.room)
    assert (again.room["you"], again.view["moves"]) == (2, ["b2", "a1"])


def test_take_back_draw_and_rematch_by_agreement(lab, clock, devices):
    _code, first, second = two(lab, devices)
    assert "not moved yet" in first.refusal(do="offer", what="takeback")
    first.plays("b2")
    second.plays("a1")
    first.send(do="offer", what="takeback")
    second.until(lambda me: me.room["offer"]).send(do="answer", yes=False)
    first.until(lambda me: me.room["offer"] is None and len(me.view["moves"]) == 2)
    first.send(do="offer", what="takeback")
    assert "nothing to agree" in first.refusal(do="answer", yes=True)
    second.until(lambda me: me.room["offer"]).send(do="answer", yes=True)
    first.until(lambda me: me.view["moves"] == [])  # the answer to it is taken back, too
    first.plays("a1")
    second.until(lambda me: me.view["moves"] == ["a1"]).send(do="offer", what="draw")
    first.until(lambda me: me.room["offer"]).send(do="offer", what="draw")  # both offer: both agree
    second.until(lambda me: me.view["ending"])
    assert second.view["ending"]["reason"] == "agreed" and second.view["ending"]["winner"] is None
    assert "over" in first.refusal(do="resign")
    second.send(do="offer", what="again")
    first.until(lambda me: me.room["offer"]).send(do="answer", yes=True)
    first.until(lambda me: me.view["ending"] is None)
    assert first.room["you"] == 2 and first.view["moves"] == []
    second.until(lambda me: me.room["you"] == 1).send(do="resign")
    first.until(lambda me: me.view["ending"])
    assert first.view["ending"]["winner"] == 2
    with lab.client() as http:
        waiting.until(lambda: len(http.get("/api/saved").json()) >= 2)
        assert {game["result"] for game in http.get("/api/saved").json()} >= {"a draw (agreed)"}


def test_the_clocks_are_those_of_the_server(lab, clock, devices):
    code, first, second = two(lab, devices, clock="1+5")
    clock.now += 30  # nobody's clock runs before the first move
    first.plays("a1")
    clock.now += 20
    second.plays("b1")
    first.until(lambda me: len(me.view["moves"]) == 2)
    assert first.room["clock"] == {"left": [65.0, 45.0], "runs": 1}
    first.send(do="offer", what="takeback")
    clock.now += 5
    second.until(lambda me: me.room["offer"]).send(do="answer", yes=True)
    first.until(lambda me: me.view["moves"] == [])
    assert first.room["clock"] == {"left": [60.0, 45.0], "runs": 1}
    first.plays("c1")
    lab.stop()  # the hours in which no server runs do not count
    lab.start()
    fresh = FakeClock()
    lab.app.state.rooms.clock = fresh
    second = devices(lab, code, owner=False, seat=second.seat).until(lambda me: me.room)
    assert second.room["clock"] == {"left": [65.0, 45.0], "runs": 2}
    fresh.now += 46
    second.until(lambda me: me.view["ending"])
    assert second.view["ending"]["reason"] == "time" and second.view["ending"]["winner"] == 1
    assert second.room["clock"]["left"][1] == 0


def test_games_without_draws_have_no_draw_offers(lab, clock, devices):
    _code, first, second = two(lab, devices, "hex/3x3/-")
    assert "cannot end in a draw" in first.refusal(do="offer", what="draw")
    first.plays("b2")
    assert "not your turn" in first.refusal(do="move", move="a1", ply=1)
    second.until(lambda me: me.view["moves"] == ["b2"])


def test_a_seat_is_given_once_and_again_when_its_player_is_gone(lab, clock, devices):
    code, seat = opened(lab)
    first = devices(lab, code, seat=seat).until(lambda me: me.room)
    invite = first.room["invite"]
    with lab.client(headers={"X-Zermelo-Token": lab.app.state.token}) as http:
        typed = f" {invite[:4].upper()} {invite[4:]}"
        assert http.post("/api/together/find", json={"code": typed}).json() == {"code": code, "invite": invite}
        assert http.post("/api/together/find", json={"code": code}).json() == {"code": code, "invite": ""}
        assert http.post("/api/together/find", json={"code": "nothing"}).status_code == 404
    assert "not here yet" in first.refusal(do="move", move="a1", ply=0)
    second = devices(lab, code, owner=False, invite=invite).until(lambda me: me.seat and me.room)
    late = devices(lab, code, owner=False, invite=invite).until(lambda me: me.room)
    assert late.room["you"] == 0 and ("note", "taken") in late.notes
    assert "the other player is here" in first.refusal(do="invite")
    second.close()
    first.until(lambda me: me.room["here"] == [True, False]).send(do="invite").until(lambda me: me.room["invite"])
    third = devices(lab, code, owner=False, invite=first.room["invite"]).until(lambda me: me.seat and me.room)
    assert third.room["you"] == 2
    back = devices(lab, code, owner=False, seat=second.seat).until(lambda me: me.room)
    assert back.room["you"] == 0  # the seat belongs to somebody else now


def test_limits_and_protections(lab, clock, devices, monkeypatch):
    code, seat = opened(lab)
    with lab.client() as http:
        body = {"line": "tictactoe/-/-"}
        assert http.post("/api/together", json=body).status_code == 403  # without the page's token
        http.headers["X-Zermelo-Token"] = lab.app.state.token
        assert http.post("/api/together", json=body, headers={"Origin": "http://evil.example"}).status_code == 403
        assert http.post("/api/together", json=body | {"clock": "x"}).status_code == 400
        assert http.post("/api/together", json=body | {"line": "tictactoe/-/zz"}).status_code == 400
        assert http.get("/together/zzzzzzzz").status_code == 404
        for _number in range(rooms.NEW_ROOMS.at_once):
            last = http.post("/api/together", json=body)
        assert last.status_code == 429
        monkeypatch.setattr(lab.app.state.rooms, "_wrong", rooms.Counter(rooms.Rate(1, 0.001)))
        assert [http.post("/api/together/find", json={"code": "x"}).status_code for _ in range(2)] == [404, 429]
    with pytest.raises(Exception, match="403"):
        devices(lab, code, origin="http://evil.example")
    for name, sent, status in [
        ("too long", "x" * (connection.MOST_CHARACTERS + 1), 1009),
        ("far too long", "x" * (1 << 17), 1009),
    ]:
        device = devices(lab, code).until(lambda me: me.room)
        device.socket.send(sent)
        assert device.ending() == status, name
    chatty = devices(lab, code).until(lambda me: me.room)
    with contextlib.suppress(ConnectionClosed):
        for _number in range(2 * connection.MESSAGES.at_once):
            chatty.send(do="resign")
    assert chatty.ending() == 1008
    assert "cannot be read" in devices(lab, code, seat=seat).until(lambda me: me.room).refusal(do="dance")
    monkeypatch.setattr(rooms, "MOST_PAGES", 0)
    assert devices(lab, code).ending() == 1013
    monkeypatch.undo()
    assert devices(lab, "zzzzzzzz").ending() == 4404


def test_old_rooms_are_forgotten(tmp_path):
    wall = FakeClock()
    kept = store.RoomStore(tmp_path, most=2, wall=wall)
    room = {"code": "a", "seats": [["", None, ""], ["", None, "invited"]]}
    kept.save(room, 1)
    kept.save(room | {"code": "b"}, 30)
    assert kept.invited("invited")["code"] in "ab" and kept.invited("") is None
    with pytest.raises(store.TooManyRooms):
        kept.save(room | {"code": "c"}, 1)
    wall.now += 1.5 * store.DAY
    assert kept.room("a") is None and kept.room("b") is not None
    kept.save(room | {"code": "c"}, 1)  # there is space again
    wall.now += 60 * store.DAY
    kept.forget()
    assert kept.room("b") is None


def test_a_clock_is_minutes_and_seconds():
    assert (
        TimeControl.parse("") is None
        and str(TimeControl.parse("3+2")) == "3+2"
        and str(TimeControl.parse("10")) == "10"
    )
    for wrong in ("0", "-1", "1e9", "3+", "9999", "3+999"):
        with pytest.raises(ValueError, match="is not a clock"):
            TimeControl.parse(wrong)


# ------------------------------------------------------------------------------------------ in browsers


@contextlib.contextmanager
def browsers(lab, browser):
    """The owner's browser, and a function that opens those of visitors at this machine's address in its network."""
    found = own_addresses(socket.AF_INET)
    if not found:
        pytest.skip("this machine has no address but loopback")
    elsewhere = f"http://{found[0]}:{lab.port}"
    with (
        watched(lambda **options: lab.context(browser, **options)) as own,
        watched(lambda **options: browser.new_context(**{"base_url": elsewhere} | options), found[0]) as others,
    ):
        yield own, others


def moved(page, move, plies):
    seen(page, plies - 1)  # a click before the last move has arrived is only told that it is not this player's turn
    page.locator(f'#board [data-move="{move}"]').first.click()
    seen(page, plies)


def seen(page, plies):
    expect(page.locator("#moves li")).to_have_count(plies)


def test_two_devices_and_a_spectator_play_a_game_to_its_end(lab, browser, check_axe, shot):
    lab.app.state.rooms._new = rooms.Counter(rooms.NEW_ROOMS)
    with browsers(lab, browser) as (own, others):
        host = own()
        host.goto("/connect4/-/-?second=random")
        host.click("#together")
        expect(host.locator("h1")).to_have_text("Two devices")
        check_axe(host)
        shot(host, "together-begin")
        host.select_option("#together-side", "1")
        host.select_option("#together-clock", "10")
        host.click("#open button.primary")
        expect(host.locator("#invitation")).to_be_visible()
        expect(host.locator("#seat-2 .what")).to_have_text("nobody yet")
        until(host, "document.getElementById('invitation-code').complete")
        check_axe(host)
        shot(host, "together-invitation")
        invite = host.inner_text("#invitation-text").replace(" ", "")
        code = host.url.rpartition("/")[2]

        guest = others(viewport=PHONE, has_touch=True, is_mobile=True, color_scheme="dark", locale="es-ES")
        guest.goto("/together")  # the code that was typed leads to the seat
        guest.fill("#together-code", invite)
        guest.click("#join button")
        expect(guest.locator("#seat-2 .what")).to_have_text("tú")
        assert "#" not in guest.url  # whoever copies this address gives away no seat
        expect(host.locator("#invitation")).to_be_hidden()
        watcher = others(viewport={"width": 1920, "height": 1080})
        watcher.goto(f"/together/{code}?projector=true")
        expect(host.locator("#watching")).to_have_text("watching: 1")

        for ply, (page, move) in enumerate([(host, "4"), (guest, "3"), (host, "4"), (guest, "3")], 1):
            moved(page, move, ply)
        guest.reload()  # the seat and the game are still there
        seen(guest, 4)
        expect(guest.locator("#seat-2 .what")).to_have_text("tú")
        host.click("#takeback")
        guest.click("#offer-yes")
        seen(host, 2)
        seen(watcher, 2)
        check_axe(guest)
        shot(guest, "together-phone")
        guest.close()
        expect(host.locator("#seat-2 .what")).to_have_text("away")
        guest = guest.context.new_page()  # the telephone was restarted
        guest.goto(f"/together/{code}")
        moves = [(host, "4"), (guest, "3"), (host, "4"), (guest, "2"), (host, "4")]
        for ply, (page, move) in enumerate(moves, 3):
            moved(page, move, ply)
        for page in (host, watcher):
            expect(page.locator("#status")).to_contain_text("Red wins")
        expect(watcher.locator("#seat-1")).to_have_class("seat won")
        shot(watcher, "together-projector")
        check_axe(watcher)
        shot(host, "together-over")
        guest.click("#again")
        host.click("#offer-yes")
        expect(host.locator("#seat-2 .what")).to_have_text("you")
        host.goto("/saved")
        expect(host.locator("tbody tr").first).to_contain_text("Connect 4")


def test_a_lost_connection_is_made_again_and_no_move_is_lost(lab, browser, devices):
    lab.app.state.rooms._new = rooms.Counter(rooms.NEW_ROOMS)
    lab.app.state.rooms.clock = FakeClock()
    code, seat = opened(lab)
    with watched(lambda **options: lab.context(browser, **options)) as own:
        page = own()
        page.expected_errors += ["WebSocket connection", "ERR_"]
        page.goto(f"/together/{code}#seat-{seat}")
        expect(page.locator("#invitation")).to_be_visible()
        other = devices(lab, code, owner=False, invite=page.inner_text("#invitation-text").replace(" ", ""))
        other.until(lambda me: me.seat and me.room)
        expect(page.locator("#status")).to_contain_text("It is your turn.")
        # The keyboard alone: the board is one stop of the tab key, and the arrow keys lead on.
        page.locator('#board [data-move][tabindex="0"]').focus()
        # The line is dead, but the page does not know it yet.
        page.evaluate("() => { window.whole = WebSocket.prototype.send; WebSocket.prototype.send = () => {}; }")
        chosen = page.evaluate("document.activeElement.dataset.move")
        page.keyboard.press("Enter")
        lab.stop()
        expect(page.locator("#lost")).to_be_visible()
        page.evaluate("() => { WebSocket.prototype.send = window.whole; }")
        lab.start()
        expect(page.locator("#lost")).to_be_hidden()
        again = devices(lab, code, owner=False, seat=other.seat).until(lambda me: me.room)
        again.until(lambda me: me.view["moves"] == [chosen])
        seen(page, 1)
