"""A lab on a network: play in a browser at an address of this machine that is not loopback, where pages are not secure
contexts; and connections that stay half open.
"""

import contextlib
import socket
import time
from http.client import HTTPResponse

import pytest
from playwright.sync_api import expect

import waiting
from web.conftest import DESKTOP, Lab, until
from zermelo.core import JIT
from zermelo.web.addresses import own_addresses
from zermelo.web.frame import server_options
from zermelo.web.settings import Settings

HALF = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "
HALF_BODY = (
    b"PUT /api/saved/01234567 HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 99\r\n"
)


@pytest.fixture
def open_lab(tmp_path):
    started = Lab(Settings(data=tmp_path, host="0.0.0.0"))
    yield started
    started.stop()


@pytest.fixture
def elsewhere(open_lab):
    """The lab's address as other machines see it."""
    found = own_addresses(socket.AF_INET)
    if not found:
        pytest.skip("this machine has no address but loopback")
    return f"http://{found[0]}:{open_lab.port}"


def test_a_game_is_played_and_saved_over_the_network(browser, elsewhere):
    context = browser.new_context(base_url=elsewhere, viewport=DESKTOP)
    context.set_default_timeout(60_000)
    page = context.new_page()
    complaints = []
    page.on("console", lambda m: m.type in ("error", "warning") and complaints.append(m.text))
    page.on("response", lambda r: r.status >= 400 and complaints.append(f"{r.url}: {r.status} {r.text()}"))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto("/connect4")
    assert page.evaluate("window.isSecureContext") is False
    page.goto("/connect4/-/-?second=random")
    for number in (2, 4):
        page.locator('#board [data-move="4"]').click()
        until(page, f"document.querySelectorAll('#moves li').length === {number}")
    page.click("#share")
    page.click("#share-link")
    expect(page.locator("#notice")).to_have_text("The link to this position was copied.")
    page.goto("/saved")
    expect(page.locator("tbody tr")).to_have_count(1)
    for path in ("/", "/analyse/tictactoe/-/a1", "/why", "/exercise", "/tournaments"):
        page.goto(path)
        page.wait_for_load_state("networkidle")
        expect(page.locator("#notice")).to_be_hidden()
    assert complaints == []
    context.close()


def test_a_page_that_fails_says_so(page):
    page.expected_errors += ["Uncaught", "exception:"]
    page.add_init_script("Crypto.prototype.getRandomValues = undefined")
    page.goto("/tictactoe/-/-?second=random")
    expect(page.locator("#notice")).to_contain_text("Something in this page failed")


# ------------------------------------------------------------------------------------------ half-open requests


@pytest.fixture
def hasty(tmp_path):
    started = Lab(Settings(data=tmp_path, request_seconds=1, most_incomplete=30))
    yield started
    started.stop()


def closed_after(sent, lab, trickle=b""):
    """Seconds until the server closes a connection on which this is sent, and what it answered."""
    began = time.monotonic()
    with socket.create_connection(("127.0.0.1", lab.port)) as client:
        client.settimeout(0.2)
        client.sendall(sent)
        answer = b""
        while time.monotonic() - began < 240:
            try:
                piece = client.recv(65536)
                if not piece:
                    return time.monotonic() - began, answer
                answer += piece
            except TimeoutError:
                with contextlib.suppress(OSError):
                    client.sendall(trickle)
            except OSError:
                return time.monotonic() - began, answer
    raise AssertionError("the connection is still open")


WHOLE = b"GET /static/x HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


@pytest.mark.parametrize(
    ("sent", "trickle"),
    [
        (b"", b""),
        (HALF, b""),
        (HALF, b"x"),
        (HALF_BODY + b"\r\n{", b""),
        (HALF_BODY + b"\r\n{", b" "),
        (WHOLE + HALF, b"x"),
    ],
    ids=["nothing", "half a head", "a slow head", "half a body", "a slow body", "a second request"],
)
def test_half_a_request_is_not_waited_for(hasty, sent, trickle):
    owner = "; ".join(f"{name}={value}" for name, value in hasty.cookies.items()).encode()
    token = hasty.app.state.token.encode()
    sent = sent.replace(
        b"Content-Length", b"Cookie: " + owner + b"\r\nX-Zermelo-Token: " + token + b"\r\nContent-Length"
    )
    seconds, answer = closed_after(sent, hasty, trickle)
    assert seconds > 0.5
    last = answer.rpartition(b"HTTP/1.1 ")[2]
    assert last.startswith(b"408") or sent.startswith(WHOLE)


def test_many_half_open_connections_keep_nobody_out(tmp_path):
    lab = Lab(Settings(data=tmp_path, request_seconds=60, most_incomplete=30))
    held = []
    try:
        for _ in range(300):
            client = socket.create_connection(("127.0.0.1", lab.port))
            client.sendall(HALF)
            held.append(client)
        with lab.client() as http:
            assert http.get("/tictactoe/-/-").status_code == 200
            waiting.until(lambda: len(lab.server.server_state.connections) <= 32)
    finally:
        for client in held:
            client.close()
        lab.stop()


def test_an_answer_that_nobody_reads_is_given_up(hasty):
    owner = "; ".join(f"{name}={value}" for name, value in hasty.cookies.items()).encode()
    began = time.monotonic()
    with socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.connect(("127.0.0.1", hasty.port))
        vendor = f"{hasty.app.state.static}/vendor/codemirror/codemirror.js".encode()
        for _ in range(40):
            client.sendall(b"GET " + vendor + b" HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: " + owner + b"\r\n\r\n")
        waiting.until(lambda: hasty.server.server_state.total_requests)
        waiting.until(lambda: not hasty.server.server_state.connections)
    assert time.monotonic() - began > 0.5, "it waits a moment for the reader"


@pytest.mark.skipif(not JIT, reason="plain Python is too slow for these times")
def test_slow_answers_and_quiet_connections_are_no_fault(hasty):
    """The limit is for requests: a search may take longer, and so may the pause between two requests."""
    with hasty.client() as http:
        query = {"line": "connect4/-/-", "player": "alphabeta(depth=40, seconds=3)"}
        assert "event: move" in http.get("/api/think", params=query).text
        time.sleep(1.5)
        assert http.get("/api/position?line=connect4/-/4").status_code == 200


def test_the_client_is_the_one_who_closes_an_idle_connection(tmp_path):
    """A server that closes first may do so while the next request is on its way, which then gets no answer."""
    options = server_options(Settings(data=tmp_path))
    assert options["timeout_keep_alive"] > 120, "programs and proxies use a connection again for up to two minutes"


def status_on(client):
    """The status of the next answer on a connection."""
    answer = HTTPResponse(client)
    answer.begin()
    answer.read()
    return answer.status


def test_a_request_that_comes_when_an_idle_connection_is_about_to_be_closed_is_answered(hasty):
    with socket.create_connection(("127.0.0.1", hasty.port)) as client:
        client.settimeout(waiting.PATIENCE)
        client.sendall(WHOLE)
        assert status_on(client) == 404
        (connection,) = waiting.until(lambda: list(hasty.server.config.http_protocol_class.idle))

        def is_late():  # the server does other things; meanwhile the request arrives, and then the time is up
            client.sendall(WHOLE)
            connection.timeout_keep_alive_handler()

        connection.loop.call_soon_threadsafe(is_late)
        assert status_on(client) == 404
        waiting.until(lambda: connection in connection.idle)
        connection.loop.call_soon_threadsafe(connection.timeout_keep_alive_handler)
        assert client.recv(1) == b"", "nothing has come, so it is closed"
    assert not connection.idle


def test_idle_connections_are_limited(tmp_path):
    lab = Lab(Settings(data=tmp_path, most_idle=5))
    held = []
    try:
        for _ in range(12):
            client = socket.create_connection(("127.0.0.1", lab.port))
            client.settimeout(waiting.PATIENCE)
            client.sendall(WHOLE)
            assert status_on(client) == 404
            held.append(client)
        assert [client.recv(1) for client in held[:7]] == [b""] * 7, "those that were idle longest"
        for client in held[7:]:
            client.sendall(WHOLE)
            assert status_on(client) == 404
    finally:
        for client in held:
            client.close()
        lab.stop()


def test_an_answer_is_not_held_back_until_its_beginning_was_confirmed(hasty):
    """Headers and body are sent one after the other; a kernel that waits in between costs 40 ms a click."""
    with socket.create_connection(("127.0.0.1", hasty.port)) as client:
        client.settimeout(waiting.PATIENCE)
        client.sendall(WHOLE)
        assert status_on(client) == 404
        (connection,) = waiting.until(lambda: list(hasty.server.config.http_protocol_class.idle))
        accepted = connection.transport.get_extra_info("socket")
        assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
