"""Boards and trees in a notebook: what the kernel does, and both in a real JupyterLab."""

import contextlib
import json
import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

import waiting
import zermelo as z
from zermelo.errors import PlayerError, ZermeloError
from zermelo.language import speaking

pytest.importorskip("anywidget", reason="widgets need the extra `notebook`")

from zermelo.notebook.scripts import script, style

ARTEFACTS = Path(__file__).parents[2] / "artefacts"
TICTACTOE = z.game("tictactoe")


def received(widget, **order):
    """What the widget sends back to the page for an order."""
    sent = []
    widget.send = lambda content, *_: sent.append(content)
    widget._handle_custom_msg(order, [])
    return sent


def moved(widget, move):
    return received(widget, do="move", move=move, position=str(widget.position))


def test_the_opponent_answers_and_moves_are_taken_back():
    board = z.widget(TICTACTOE.start(), opponent="minimax")
    assert moved(board, "b2") == [] and len(board.position.line) == 2
    assert board.view["enabled"] and board.view["position"] == str(board.position)
    assert "b2" in moved(board, "b2")[0]["refused"]
    assert received(board, do="move", move="a1", position="an older position") == []
    assert received(board, do="why", move="b2")[0]["refused"]
    received(board, do="undo")
    assert board.position == TICTACTOE.start()
    moved(board, "a1")
    received(board, do="again")
    assert board.position == TICTACTOE.start() and not board.view["undo"]


def test_a_board_for_both_sides_and_one_on_which_the_opponent_begins():
    both = z.widget("tictactoe")
    for move in ("a1", "b2", "c3"):
        moved(both, move)
    assert both.position.line == ("a1", "b2", "c3")
    received(both, do="undo")
    assert both.position.line == ("a1", "b2")
    second = z.widget(TICTACTOE.start(), opponent="minimax", side=2)
    assert len(second.position.line) == 1 and second.position.to_move == 2
    received(second, do="undo")
    assert len(second.position.line) == 1  # the opponent begins again
    with pytest.raises(PlayerError, match="a side is 1 or 2"):
        z.widget("tictactoe", side=3)


def test_a_tree_shows_the_positions_of_its_nodes():
    tree = z.explore("alphabeta(depth=2)", TICTACTOE.position("b2"))
    assert tree.tree["visited"] == z.trace(TICTACTOE.position("b2"), "alphabeta(depth=2)").found.nodes
    (answer,) = received(tree, do="show", line=["a1"])
    assert answer["picture"]["glyphs"] and answer["said"].endswith("to move.")
    assert "refused" in received(tree, do="show", line=["b2"])[0]
    with pytest.raises(PlayerError, match="can be traced"):
        z.explore("random", "tictactoe")
    with pytest.raises(ZermeloError, match="too many"):
        z.explore("minimax(depth=9)", "connect4")


def test_where_there_are_no_widgets_there_is_a_picture():
    for widget in (z.widget("tictactoe"), z.explore("minimax(depth=1)", "tictactoe")):
        data = widget._repr_mimebundle_()
        data = data[0] if isinstance(data, tuple) else data
        assert "data:image/svg+xml" in data["text/html"]
        assert "application/vnd.jupyter.widget-view+json" in data


def test_without_anywidget_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "anywidget", None)
    with pytest.raises(ZermeloError, match=r"zermelo\[notebook\]"):
        z.widget("tictactoe")


def test_the_script_is_the_labs_own_in_the_readers_language():
    assert "class Board" in script("en") and "class TreeView" in script("en") and "fetch(" not in script("en")
    with speaking("es"):
        spanish = z.widget("tictactoe")
    assert "Nueva partida" in spanish._esm
    assert "--accent:" in style() and ".board .ahead" in style() and ":root" not in style()


# ------------------------------------------------------------------------------------------ in JupyterLab

CELLS = [
    "import zermelo as z\nboard = z.widget(z.game('connect4').position('44'), opponent='alphabeta(depth=2)')\nboard",
    "z.explore('alphabeta(depth=2)', z.game('tictactoe').position('b2a1'))",
    "print('moves', board.position.line)",
]


@contextlib.contextmanager
def jupyterlab(folder):
    """A JupyterLab that has this folder; its address with its token."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", f"--ServerApp.port={port}", "--allow-root"]
    options = ["--IdentityProvider.token=secret", f"--ServerApp.root_dir={folder}", "--LabApp.news_url=None"]
    own = {f"JUPYTER_{name}_DIR": str(folder / name.lower()) for name in ("CONFIG", "RUNTIME", "DATA")}
    env = (
        os.environ
        | own
        | {"JUPYTERLAB_SETTINGS_DIR": str(folder / "set"), "JUPYTERLAB_WORKSPACES_DIR": str(folder / "ws")}
    )
    with (folder / "log").open("w") as log:
        process = subprocess.Popen([*command, *options], stdout=log, stderr=log, env=env, cwd=folder)
    try:
        waiting.until(lambda: f":{port}/lab" in (folder / "log").read_text() or process.poll() is not None)
        yield f"http://127.0.0.1:{port}/lab"
    finally:
        process.terminate()
        process.wait()


@pytest.mark.slow  # JupyterLab takes half a minute to begin
def test_a_game_and_a_tree_in_jupyterlab(browser, tmp_path):
    pytest.importorskip("jupyterlab")
    from playwright.sync_api import expect

    cells = [
        {
            "cell_type": "code",
            "id": f"c{number}",
            "metadata": {},
            "source": text,
            "outputs": [],
            "execution_count": None,
        }
        for number, text in enumerate(CELLS)
    ]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    notebook = {"cells": cells, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}
    (tmp_path / "play.ipynb").write_text(json.dumps(notebook))
    with jupyterlab(tmp_path) as address:
        page = browser.new_page(viewport={"width": 1280, "height": 1500})
        page.set_default_timeout(240_000)
        page.goto(f"{address}/tree/play.ipynb?token=secret")
        page.locator(".jp-Notebook .jp-Cell .cm-content").first.click()
        for _cell in CELLS[:2]:
            page.keyboard.press("Shift+Enter")
        board = page.locator(".zermelo-widget .board")
        column = board.locator('[data-move="4"]').first
        expect(column).to_be_visible(timeout=240_000)
        column.click()
        expect(page.locator(".zermelo-widget .line")).to_have_text(re.compile(r"4 4 4 \d"), timeout=240_000)
        expect(page.locator(".zermelo-widget .tree-box .node").first).to_be_visible(timeout=240_000)
        expect(page.locator(".zermelo-widget .node-board svg")).to_be_visible(timeout=240_000)
        page.get_by_label("Previous step").click()
        page.locator(".jp-Notebook .jp-Cell .cm-content").last.click()
        page.keyboard.press("Shift+Enter")
        expect(page.locator(".jp-OutputArea-output pre").last).to_contain_text(
            "moves ('4', '4', '4', '", timeout=240_000
        )
        ARTEFACTS.mkdir(exist_ok=True)
        page.screenshot(path=ARTEFACTS / "notebook.png")
        page.close()
