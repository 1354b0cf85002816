"""Random answers of other programs, and random command lines."""

import contextlib
import shutil

import click
import pytest
from click.testing import CliRunner
from fuzzing import ODD, Parser, edited, json_texts, texts, try_long, try_some
from hypothesis import strategies as st

from zermelo.cli.main import cli
from zermelo.core import JIT
from zermelo.errors import ZermeloError
from zermelo.games import find_game
from zermelo.players.external import ProcessPlayer
from zermelo.players.gtp import GtpPlayer
from zermelo.players.nboard import NBoardPlayer
from zermelo.players.player import Resigned

# ------------------------------------------------------------------------------------------ other programs

ANSWERING = 'sh -c "while read -r question; do cat {answer}; done"'
ANSWERS = (
    '{"id": 1, "move": "b2", "score": 3, "depth": 2, "nodes": 100}',
    '{"id": 1, "resign": true}',
    '{"id": 1, "error": "out of memory"}',
)


def answering(player, answer, position):
    """A parser of what a process answers: a real one, which says what stands in a file."""
    refusals = (ZermeloError, Resigned, TimeoutError)  # the referee knows what to make of them

    def read(text):
        answer.write_text(f"{text}\n", encoding="utf-8", errors="surrogateescape")
        choice = player.think(position)
        assert isinstance(choice.move, str)

    return read, refusals


def json_answers(folder):
    player = ProcessPlayer(ANSWERING.format(answer=folder / "answer"), patience=0.5)
    read, refusals = answering(player, folder / "answer", find_game("tictactoe").start())
    return Parser("answers in lines of JSON", read, json_texts(*ANSWERS), refusals=refusals)


def gtp_answers(folder):
    player = GtpPlayer(ANSWERING.format(answer=folder / "answer"), patience=0.05)
    read, refusals = answering(player, folder / "answer", find_game("hex(size=3)").start())
    answers = texts("= b2\n", "=\n", "=7 resign\n", "= swap-pieces\n", "? unknown command\n\n", "\n\n= a1\n\n")
    return Parser("answers in GTP", read, answers, refusals=refusals)


def nboard_answers(folder):
    player = NBoardPlayer(ANSWERING.format(answer=folder / "answer"), patience=0.05)
    read, refusals = answering(player, folder / "answer", find_game("reversi").start())
    told = "pong 1\npong 2\n{}\n"
    lines = ("=== D3/-1.20/0.5", "=== d3", "===", "search D3-C3 1.5 0 100%\n=== D3/2", "nodestats 9 0.1\n=== PA//1")
    return Parser("answers in the NBoard protocol", read, texts(*map(told.format, lines)), refusals=refusals)


# ------------------------------------------------------------------------------------------ the command line

QUICK = "alphabeta(depth=1)"
COMMANDS = (
    ("games",),
    ("games", "--json"),
    ("heuristics", "connect4"),
    ("players", "parcheckers"),
    ("perft", "tictactoe", "X../.O./... x", "--depth", "2", "--divide", "--json"),
    ("analyse", "tictactoe", "b2", "--depth", "2", "--heuristic", "lines", "--json"),
    ("analyse", "tictactoe", "--nodes", "100"),
    ("solve", "tictactoe", "b2", "a1b2", "--all", "--weak"),
    ("solve", "connect4(columns=4, rows=4)", "1122", "--seconds", "0.1"),
    ("trace", "tree/course", "--depth", "2", "--tolerance", "1", "--svg", "tree.svg"),
    ("trace", "tictactoe", "b2", "--depth", "2", "--order", "lines", "--order-plies", "1", "--top-moves", "2"),
    ("match", "tictactoe", "--first", QUICK, "--second", "random(seed=1)", "--random-plies", "2", "--seed", "1"),
    ("match", "tictactoe", "--first", QUICK, "--second", "random", "--games", "1", "--save", "games.jsonl"),
    ("play", "tictactoe", "--first", "human", "--second", QUICK),
    ("tournament", "run", "tictactoe", QUICK, "random(seed=1)", "--pairs", "1", "--threads", "1", "--seed", "2"),
    ("tournament", "report", "cup.db", "--games", "1", "--html", "cup.html"),
    ("tournament", "resume", "none.toml"),
    ("tournament", "import", "cup.db", "games.jsonl"),
    ("tournament", "export", "cup.db", "games.jsonl"),
    ("learn", "features", "connect4"),
    ("learn", "export", "none.npz"),
    ("learn", "fit", "none.parquet"),
    ("--version",),
    ("--help",),
    ("study", "pruning", "--help"),
)
WORDS = sorted({word for command in COMMANDS for word in command})
# Nothing that would rightly take long, or open a browser.
ODD_WORDS = tuple(word for word in ODD if "\0" not in word and len(word) < 100)


@st.composite
def arguments(draw):
    """A command with words missing, doubled, of other commands, or changed a little."""
    words = list(draw(st.sampled_from(COMMANDS)))
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(words)))
        new = draw(st.one_of(st.sampled_from([*WORDS, *ODD_WORDS]), edited(WORDS, ODD_WORDS)))
        words[at : at + draw(st.integers(0, 1))] = [new] * draw(st.integers(0, 2))
    return words


def command_line(folder):
    def run(words):
        where = folder / "here"
        where.mkdir()
        with contextlib.chdir(where):
            done = CliRunner().invoke(cli, words, input="b2\n\nq\n", standalone_mode=False)
        shutil.rmtree(where)
        if done.exception is not None:
            raise done.exception

    refusals = (ZermeloError, click.ClickException, click.Abort, click.exceptions.Exit, SystemExit)
    return Parser("words on the command line", run, arguments(), refusals=refusals)


# ------------------------------------------------------------------------------------------ tried

PROGRAMS = [json_answers, gtp_answers, nboard_answers, command_line]


@pytest.mark.parametrize("make", PROGRAMS, ids=lambda make: make.__name__)
def test_programs(make, tmp_path):
    try_some(make(tmp_path))


@pytest.mark.slow
@pytest.mark.skipif(not JIT, reason="the same as compiled, only slower")
@pytest.mark.parametrize("make", PROGRAMS, ids=lambda make: make.__name__)
def test_programs_for_long(make, tmp_path, record_property):
    try_long(make(tmp_path), record_property)
