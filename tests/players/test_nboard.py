"""Players that speak the NBoard protocol: what they are told, what they may answer, and what loses the game."""

import json
import os
import shlex
import sys

import pytest

import waiting
import zermelo as z
from zermelo.errors import PlayerError
from zermelo.players import find_player
from zermelo.players.player import Crashed, WrongAnswer

REVERSI = z.game("reversi")


def program(tmp_path, body, **options):
    """A program that writes down what it is told, and answers a ping; body may answer other lines, with `line`."""
    file = tmp_path / f"nboard{len(list(tmp_path.iterdir()))}.py"
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    file.write_text(
        "import sys, time, os\n"
        "def say(text):\n    print(text, flush=True)\n"
        "say('a program may say what it likes when it starts')\n"
        "for line in sys.stdin:\n"
        f"    with open({str(tmp_path / 'told')!r}, 'a') as told: told.write(line)\n"
        "    if line.startswith('ping'):\n        say(line.strip().replace('ping', 'pong'))\n"
        f"{lines}\n"
    )
    given = {"command": f"{sys.executable} {file}"} | options
    return z.player(f"nboard({', '.join(f'{name}={json.dumps(value)}' for name, value in given.items())})")


def answering(tmp_path, *answers, **options):
    """A program that says these lines when it is asked for a move."""
    return program(tmp_path, f"if line == 'go\\n':\n    for text in {answers!r}: say(text)", **options)


def told(tmp_path):
    return (tmp_path / "told").read_text().splitlines()


def test_what_the_program_is_told(tmp_path):
    player = answering(tmp_path, "=== F6", depth=7)
    assert player.choose(REVERSI.position("f5")) == "f6"
    board = "---------------------------O*------*O---------------------------"
    assert told(tmp_path) == [
        "nboard 2", "set depth 7", "ping 1",
        "set game (;GM[Othello]PC[zermelo]PB[black]PW[white]RE[?]TI[60:00]TY[8]BO[8 " + board + " *]B[F5];)",
        "ping 2", "go",
    ]  # fmt: skip
    assert find_player(str(player)) == player


def test_limits(tmp_path):
    assert answering(tmp_path, "=== D3").choose(REVERSI.start()) == "d3"
    assert told(tmp_path)[1] == "set depth 10", "as a rule"
    player = answering(tmp_path, "=== D3", seconds=2)
    assert player.choose(REVERSI.start()) == "d3"
    assert told(tmp_path)[-5] == "set depth 60", "the time is the limit"
    assert "TI[1:00]" in told(tmp_path)[-3], "two seconds for each of the thirty moves"
    for wrong in ("depth=0", "depth=61", "depth=2.5", "seconds=-1"):
        with pytest.raises(PlayerError):
            z.player(f"nboard(command=x, {wrong})")


@pytest.mark.parametrize(
    ("lines", "move", "score", "depth", "nodes", "solved"),
    [
        (["=== F5"], "f5", None, None, None, False),
        (["=== f5//1.5"], "f5", None, None, None, False),
        (["=== F5/-1.25/0.01"], "f5", -1.25, None, None, False),
        (["status Edax is thinking", "nodestats 35805 0.00", "=== d6 -1.00 0.0"], "d6", -1, None, 35805, False),
        (["search F5 0 0 9", "search F5-D6 +3.50 0  10 text", "", "=== F5/3.50"], "f5", 3.5, 10, None, False),
        (["search F5 -12 0 100%", "=== F5/-12"], "f5", -12, None, None, True),
        (["search F5 2.00 0 100%W", "=== F5/2.00,-2.00"], "f5", 2, None, None, False),
        (["book F5 0.5 12 24", "=== F5/nan/x"], "f5", None, 24, None, False),
        (["search F5", "nodestats many", "search F5 x 0 y", "=== PA"], "pass", None, None, None, False),
    ],
)
def test_what_the_program_says(tmp_path, lines, move, score, depth, nodes, solved):
    choice = answering(tmp_path, *lines).think(REVERSI.start())
    assert (choice.move, choice.score, choice.depth, choice.nodes, choice.solved) == (move, score, depth, nodes, solved)


def test_a_forced_pass_is_not_asked_for(tmp_path):
    must_pass = REVERSI.position("e6 f6 d3 e7 f7 f8 g8 h8 g7 h7 e8 d8")
    assert answering(tmp_path, "=== A1").choose(must_pass) == "pass"
    assert "go" not in told(tmp_path)


@pytest.mark.parametrize(
    ("body", "error", "message"),
    [
        ("if line == 'go\\n': say('===')", WrongAnswer, "'===' does not name a move"),
        ("if line == 'go\\n': os._exit(3)", Crashed, "the process ended with status 3"),
        ("if line == 'go\\n': time.sleep(1000)", TimeoutError, "no answer in 0.5 s"),
        ("while line == 'go\\n': say('status busy')", TimeoutError, "no answer in 0.5 s"),
        ("if line == 'go\\n': say('x' * 100000)", WrongAnswer, "wrote a line of more than 65536 bytes"),
    ],
)
def test_a_program_that_misbehaves(tmp_path, body, error, message):
    player = program(tmp_path, body)
    player.prepare(REVERSI)  # it takes its time to start
    if error is TimeoutError:
        object.__setattr__(player, "patience", 0.5)
    with pytest.raises(error, match=message):
        player.choose(REVERSI.start())


def test_an_illegal_move_loses(tmp_path):
    record = z.play(answering(tmp_path, "=== A1"), z.random(seed=1), REVERSI.start())
    assert (record.winner, record.reason.partition(":")[0]) == (2, "illegal move")


def test_games_that_the_protocol_does_not_know():
    for game in ("tictactoe", "hex(size=3)", "reversi(columns=6, rows=6)"):
        with pytest.raises(PlayerError, match=r"NBoard cannot tell a program about .*; it is for Reversi"):
            z.player("nboard(command=x)").choose(z.game(game).start())


@pytest.mark.skipif("ZERMELO_NTEST" not in os.environ, reason="needs NTest: ZERMELO_NTEST is the command that runs it")
def test_ntest_plays():
    """With the real program: github.com/weltyc/ntest, built, and started in its folder with the argument x."""
    command = json.dumps(os.environ["ZERMELO_NTEST"])
    assert shlex.split(json.loads(command))
    player = z.player(f"nboard(command={command}, depth=4, patience={waiting.PATIENCE})")
    choice = player.think(REVERSI.position("f5"))
    assert choice.depth == 4
    assert abs(choice.score.points) < 10, "in discs"
    for players in ((player, z.random(seed=1)), (z.random(seed=2), player)):
        record = z.play(*players, REVERSI.start())
        assert record.reason == "played out"
        assert record.winner == 1 + (players[1] is player)


@pytest.mark.skipif("ZERMELO_RHINO" not in os.environ, reason="needs gtp-rhino of Debian's package grhino")
def test_rhino_plays_by_gtp():
    """With the real program, which refuses to be told that somebody passes."""
    player = z.player(f"gtp(command={json.dumps(os.environ['ZERMELO_RHINO'])}, patience={waiting.PATIENCE})")
    after_pass = REVERSI.position("e6 f6 d3 e7 f7 f8 g8 h8 g7 h7 e8 d8").play("pass")
    assert player.choose(after_pass) in after_pass.moves
    for players in ((player, z.random(seed=1)), (z.random(seed=2), player)):
        record = z.play(*players, REVERSI.start())
        assert record.reason == "played out"
        assert record.winner == 1 + (players[1] is player)
