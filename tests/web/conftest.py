"""The lab running on a port of its own, and a real browser that looks at it.

server      the lab, one for all tests of a process
page        a fresh page of Chromium at desktop size: fails the test if anything is written to its console as an error,
            an exception is not caught, or a request leaves the machine; no page is touched before its scripts have run
phone       the same, 390 px wide with touch
in_firefox  opens such pages in Firefox, with the options of a browser context
check_axe   axe-core finds nothing to complain about
shot        saves a screenshot to artefacts/ (not in git)
"""

import contextlib
import socket
import threading
import time
from pathlib import Path
from urllib.parse import urlsplit

import pytest

import waiting

pytest.importorskip("fastapi", reason="the lab needs the extra `web`")
pytest.importorskip("playwright", reason="these tests need a browser")

import httpx
import uvicorn
from axe_playwright_python.base import AxeResults
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from zermelo.web.app import create_app
from zermelo.web.frame import server_options
from zermelo.web.settings import Settings

ARTEFACTS = Path(__file__).parent.parent.parent / "artefacts"
BUSY = 240_000
"""Milliseconds to wait for what a page shows: the machine may be busy."""
expect.set_options(timeout=BUSY)
DESKTOP, PHONE = {"width": 1280, "height": 860}, {"width": 390, "height": 844}


class Served:
    """A server in a thread of this process; it can be stopped and started again on the same port."""

    def __init__(self, settings: Settings):
        self.settings = settings
        self.port = 0
        self.start()

    def make_app(self):
        raise NotImplementedError

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        self.app = self.make_app()
        # FastAPI would build the routes at the first request, silencing a warning: filters of warnings are the whole
        # process's, and pytest's make it an error on a slow machine.
        self.app.openapi()
        config = uvicorn.Config(
            self.app,
            log_level="error",
            timeout_graceful_shutdown=1,
            **server_options(self.settings),
        )
        self.server = uvicorn.Server(config)
        listener = socket.create_server((self.settings.host, self.port))  # nobody else can take its port
        self.port = listener.getsockname()[1]
        self.thread = threading.Thread(target=self.server.run, args=([listener],), daemon=True)
        self.thread.start()
        waiting.until(lambda: self.server.started)

    def stop(self) -> None:
        self.server.should_exit = True
        self.thread.join()


class Lab(Served):
    """The lab."""

    def make_app(self):
        return create_app(self.settings)

    @property
    def cookies(self) -> dict[str, str]:
        """What makes a client the owner's."""
        return {f"zermelo-owner-{self.port}": self.app.state.access.key}

    def client(self, **options) -> httpx.Client:
        """A client of the owner."""
        return httpx.Client(**{"base_url": self.address, "cookies": self.cookies, "timeout": 240} | options)

    def context(self, browser, **options):
        """A browser of the owner."""
        context = browser.new_context(**{"base_url": self.address} | options)
        context.set_default_timeout(BUSY)
        context.add_cookies([{"name": n, "value": v, "url": self.address} for n, v in self.cookies.items()])
        return context


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    lab = Lab(Settings(data=tmp_path_factory.mktemp("data")))
    yield lab
    lab.stop()


HIDDEN_UNTIL_READY = """
const hide = () => { if (document.documentElement) document.documentElement.style.visibility = "hidden"; };
hide();
new MutationObserver((_, observer) => { hide(); observer.disconnect(); }).observe(document, { childList: true });
document.addEventListener("DOMContentLoaded", () => {
  document.documentElement.style.visibility = "";
  document.querySelector("[autofocus]")?.focus();
});
"""
"""Hides a page until its module scripts have run. Playwright touches only what is visible, so that no test clicks a
button of the next page, or chooses from its lists, before there is a script that answers."""


@contextlib.contextmanager
def watched(new_context, host: str = "127.0.0.1"):
    """A function that opens pages with the options of a browser context. Each is watched, and judged at the end."""
    contexts, complaints = [], []

    def make(**options):
        context = new_context(**{"viewport": DESKTOP, "reduced_motion": "reduce"} | options)
        context.set_default_timeout(BUSY)
        context.add_init_script(HIDDEN_UNTIL_READY)
        contexts.append(context)
        page = context.new_page()
        page.expected_errors = []  # what a test provokes on purpose: parts of console messages
        page.on("console", lambda m: m.type == "error" and complaints.append((page, f"console: {m.text}")))
        page.on("pageerror", lambda error: complaints.append((page, f"exception: {error}")))
        page.on("request", lambda r: complaints.append((page, f"left: {r.url}")) if leaves(r.url, host) else None)
        return page

    yield make
    for context in contexts:
        context.close()
    left = [text for page, text in complaints if not any(expected in text for expected in page.expected_errors)]
    assert not left


@pytest.fixture
def open_page(browser, server):
    """Opens pages of the lab with the options of a browser context."""
    with watched(lambda **options: server.context(browser, **options)) as make:
        yield make


def leaves(url: str, host: str = "127.0.0.1") -> bool:
    parts = urlsplit(url)
    return parts.scheme not in ("data", "blob", "about") and parts.hostname != host


def until(page, expression: str, seconds: float = BUSY / 1000) -> None:
    """Wait until a JavaScript expression is true. (Playwright's own wait evaluates text, which our policy forbids.)"""
    end = time.monotonic() + seconds
    while not page.evaluate(expression):
        if time.monotonic() > end:
            raise TimeoutError(f"{expression} is still false at {page.url}: {page.inner_text('main')[:500]}")
        page.wait_for_timeout(20)


@pytest.fixture
def saved(server):
    """Puts games into the lab, and takes them out at the end."""
    ids = []

    def save(id_, line, players=("human", "random"), moves=()):
        body = {"line": line, "players": players, "moves": list(moves)}
        assert http.put(f"/api/saved/{id_}", json=body).status_code == 204
        ids.append(id_)

    with server.client(headers={"X-Zermelo-Token": server.app.state.token}) as http:
        for game in http.get("/api/saved?limit=5000").json():
            http.delete(f"/api/saved/{game['id']}")
        yield save
        for id_ in ids:
            http.delete(f"/api/saved/{id_}")


def wait_for_saved(server, plies: int) -> None:
    """Wait until the latest saved game has so many plies: a page saves after each move, and waits for nothing."""
    with server.client() as http:
        waiting.until(lambda: [game["plies"] for game in http.get("/api/saved?limit=1").json()] == [plies])


@pytest.fixture
def page(open_page):
    return open_page()


@pytest.fixture
def phone(open_page):
    return open_page(viewport=PHONE, has_touch=True, is_mobile=True, device_scale_factor=2)


@pytest.fixture
def in_firefox(firefox, server):
    with watched(lambda **options: server.context(firefox, **options)) as make:
        yield make


@pytest.fixture
def check_axe():
    def check(page):
        """Playwright waits for ever for the answer of a script, so the script leaves it in the page."""
        page.wait_for_load_state()
        page.evaluate(Axe().axe_script)
        page.evaluate("() => { axe.run({resultTypes: ['violations']}).then(found => { window.axeFound = found; }); }")
        waiting.until(lambda: page.evaluate("() => Boolean(window.axeFound)"))
        found = AxeResults(page.evaluate("() => window.axeFound"))
        page.evaluate("() => { delete window.axeFound; }")
        assert found.violations_count == 0, found.generate_report()

    return check


@pytest.fixture
def shot():
    def save(page, name):
        ARTEFACTS.mkdir(exist_ok=True)
        page.screenshot(path=ARTEFACTS / f"{name}.png", full_page=True)

    return save
