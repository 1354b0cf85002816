"""Lost connections, restarts, many tabs; searches end when nobody waits for them."""

import contextlib

import pytest

import waiting
from web.conftest import Lab, until, wait_for_saved
from zermelo.core import JIT
from zermelo.games import find_game
from zermelo.players import find_player
from zermelo.searches.deepening import compiled_engine
from zermelo.web.settings import Settings

pytestmark = pytest.mark.skipif(not JIT, reason="plain Python is too slow for these times")


@pytest.fixture
def lab(tmp_path):
    started = Lab(Settings(data=tmp_path, searches=2))
    yield started
    started.stop()


def wait_for_searches(lab):
    waiting.until(lambda: not lab.app.state.searches.unfinished)


@pytest.mark.parametrize(
    "player",
    [
        "engine(seconds=25)",
        "alphabeta(depth=40)",
        "minimax(depth=40)",
        "mcts(seconds=25)",
        "mcts(simulations=100000000)",
    ],
)
def test_a_search_ends_when_its_listener_leaves(lab, player):
    game = find_game("connect4")
    find_player(player, game).prepare(game)  # compiling is not stopped
    query = {"line": "connect4/-/-", "player": player}
    with lab.client() as http, http.stream("GET", "/api/think", params=query) as response:
        assert response.status_code == 200
        next(response.iter_raw())  # it has begun, or says that it is still there
    wait_for_searches(lab)


def test_an_analysis_ends_when_its_listener_leaves(lab):
    compiled_engine(type(find_game("connect4").start_state()))
    with lab.client() as http, http.stream("GET", "/api/analyse?line=connect4/-/-&seconds=25") as response:
        next(response.iter_raw())
    wait_for_searches(lab)


def test_the_page_is_answered_while_searches_run(lab):
    """Six searches that would take half a minute each, two at a time."""
    query = {"line": "connect4/-/-", "player": "alphabeta(depth=40, seconds=25)"}
    with contextlib.ExitStack() as held:
        for _ in range(6):
            client = held.enter_context(lab.client())
            held.enter_context(client.stream("GET", "/api/think", params=query))
        with lab.client() as http:
            assert http.get("/api/position?line=connect4/-/44").status_code == 200
        assert lab.app.state.searches.unfinished > 2, "nobody waited for all of them"
    wait_for_searches(lab)


def test_a_game_goes_on_after_a_restart_of_the_server(browser, lab):
    context = lab.context(browser)
    page = context.new_page()
    page.goto("/tictactoe/-/-?second=random")
    page.click('[data-move="b2"]')
    until(page, "document.querySelectorAll('#moves li').length === 2")
    lab.stop()
    page.locator("#board [data-move]").first.click()
    page.wait_for_selector("text=The server cannot be reached")
    lab.start()
    until(page, "document.querySelectorAll('#moves li').length === 4")
    until(page, "document.getElementById('notice').hidden")
    wait_for_saved(lab, 4)  # with the new server's token
    context.close()


def test_thinking_begins_again_after_a_restart(browser, lab):
    context = lab.context(browser)
    page = context.new_page()
    page.goto("/connect4/-/-?second=mcts(seconds%3D8)")  # tic-tac-toe it would have solved before
    page.click('[data-move="4"]')
    page.wait_for_selector("#seat-2 .busy:not([hidden])")
    lab.stop()
    page.wait_for_selector("text=The server cannot be reached")
    lab.start()
    until(page, "document.querySelectorAll('#moves li').length === 2")
    context.close()


def test_many_tabs_play_at_once(browser, lab):
    context = lab.context(browser)
    pages = [context.new_page() for _ in range(8)]
    for page in pages:
        page.goto("/tictactoe/-/-?second=alphabeta(depth%3D4)")
    for page in pages:
        page.click('[data-move="b2"]')
    for page in pages:
        until(page, "document.querySelectorAll('#moves li').length === 2")
    context.close()
