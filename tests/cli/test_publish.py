"""zermelo publish: what it takes, what it refuses, and what it writes. The pages themselves are in tests/publish."""

import io
import json
import sys

import pytest
from click.testing import CliRunner

from zermelo.cli.common import working
from zermelo.cli.main import cli
from zermelo.errors import FileError, PublishError, ZermeloError
from zermelo.publish import sites


def run(*arguments):
    done = CliRunner().invoke(cli, ["publish", *map(str, arguments)], standalone_mode=False)
    if isinstance(done.exception, ZermeloError):
        raise done.exception
    if done.exception is not None:
        return str(done.exception.format_message())
    return done.stdout


def test_a_folder_of_somebody_else_is_refused_before_anything_is_compiled(tmp_path):
    (tmp_path / "thesis.tex").write_text("...")
    with pytest.raises(PublishError, match="is not empty"):
        run("tictactoe", "--out", tmp_path)


def test_a_file_that_cannot_be_written_is_refused_before_anything_is_compiled(tmp_path, monkeypatch):
    monkeypatch.setattr(sites, "published", lambda *_: pytest.fail("it was compiled"))
    with pytest.raises(PublishError, match="name the HTML file"):
        run("tictactoe", "--single-file", "--out", tmp_path)
    with pytest.raises(PublishError, match=r"there is no folder .*missing"):
        run("tictactoe", "--single-file", "--out", tmp_path / "missing" / "one.html")


def test_a_gallery_is_not_a_single_file(tmp_path):
    plan = tmp_path / "site.toml"
    plan.write_text('[[page]]\ngame = "tictactoe"\n[[page]]\ngame = "tictactoe"\nname = "again"\n')
    assert "a gallery needs a folder" in run(plan, "--single-file", "--out", tmp_path / "one.html")
    assert "write them into the file" in run(plan, "--scores", "--out", tmp_path / "site")


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("title = 'x'", "it has no"),
        ("pages = 1", "'pages' is not known"),
        ("[[page]]\nplayers = []", "needs a game"),
        ("[[page]]\ngame = 'tictactoe'\nplayer = 'random'", "'player' is not known"),
        ("[[page]]\ngame = 5", "game in"),
        ("[[page]]\ngame = 'tictactoe'\nplayers = 'minimax'", r"'minimax'; write players = \[\"...\", \"...\"\]"),
        ("[[tournament]]\nname = 'cup'", "needs a store"),
        ("[page]\ngame = 'tictactoe'", r"write \[\[page\]\]"),
        ("not toml", "not a TOML file"),
    ],
)
def test_mistakes_in_a_file_are_named(tmp_path, text, wrong):
    plan = tmp_path / "site.toml"
    plan.write_text(text)
    with pytest.raises(FileError, match=wrong):
        run(plan, "--out", tmp_path / "site")
    assert not (tmp_path / "site").exists()


def test_players_of_one_title_are_refused(tmp_path):
    with pytest.raises(PublishError, match="is there twice"):
        run("tictactoe", "--player", "minimax", "--player", "minimax", "--out", tmp_path / "site")


def test_players_have_titles():
    assert sites.titled("engine(heuristic=mine.py:mine)") == ("engine(heuristic=mine.py:mine)",) * 2
    assert sites.titled("Our best = alphabeta(depth=4)") == ("Our best", "alphabeta(depth=4)")


def test_what_cannot_be_compiled_leaves_no_folder(tmp_path):
    with pytest.raises(ZermeloError, match="random"):
        run("tictactoe", "--player", "random", "--out", tmp_path / "site")
    assert list(tmp_path.iterdir()) == []


def test_a_site_is_written_and_told_as_json(tmp_path, monkeypatch):
    """A gallery of two pages; the module is read from where it was compiled before, so that this is quick."""
    compiled = sites.published("tictactoe", "alphabeta(nodes=2000)")
    monkeypatch.setattr(sites.site_files, "__defaults__", (lambda game, player: compiled,))
    plan = tmp_path / "site.toml"
    plan.write_text('title = "Ours"\n' + '[[page]]\ngame = "tictactoe"\nplayers = ["A <b> = alphabeta(depth=2)"]\n' * 2)
    told = json.loads(run(plan, "--out", tmp_path / "site", "--json"))
    assert [page["address"] for page in told["pages"]] == ["tic-tac-toe/index.html", "tic-tac-toe-2/index.html"]
    files = json.loads((tmp_path / "site" / "site.json").read_text())["files"]
    assert all((tmp_path / "site" / name).is_file() for name in files)
    assert told["bytes"] > sum((tmp_path / "site" / name).stat().st_size for name in files) - 10_000
    gallery = (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    assert "A &lt;b&gt;" in gallery
    assert "<b>" not in gallery


def test_at_a_terminal_a_bar_moves_while_it_compiles(monkeypatch):
    """What was said stays, and the bar goes away."""
    terminal = io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    with working() as tell:
        tell("compiling alphabeta(depth=2) for Tic-tac-toe…")
    shown = terminal.getvalue()
    assert "compiling alphabeta(depth=2) for Tic-tac-toe…" in shown
    assert "0:00:0" in shown and shown.rstrip().endswith("\x1b[2K"), "the time that has passed, and then nothing"
