"""`zermelo engine --protocol gtp`: the commands of GTP, in Hex and in Reversi."""

import io
import json
import queue
import sys
import threading

import pytest

import waiting
import zermelo as z
from zermelo import __version__
from zermelo.core import JIT
from zermelo.players import find_player
from zermelo.position import random_playout
from zermelo.protocols.clocks import Clocks
from zermelo.protocols.gtp import GtpServer
from zermelo.protocols.serving import LONGEST_LINE, serve
from zermelo.protocols.thinking import within

REVERSI = z.game("reversi")
MUST_PASS = "e6 f6 d3 e7 f7 f8 g8 h8 g7 h7 e8 d8"  # black cannot move then; found by random play
PROGRAM = f"{sys.executable} -m zermelo engine {{}} --protocol gtp --player {{}}"


def talk(*lines, game="reversi", player="random(seed=1)"):
    """The answers to these lines, one for each command."""
    written = []
    chosen = z.game(game) if isinstance(game, str) else game
    serve(GtpServer(chosen, find_player(player, chosen), written.append), io.StringIO("\n".join(lines) + "\n"))
    assert all(text.endswith("\n") and "\n\n" not in text for text in written), "one empty line ends an answer"
    return [text.rstrip("\n") for text in written]


def game_lines(line):
    """The moves of a Reversi game, as commands; passes are told."""
    position, lines = REVERSI.start(), []
    for move in line:
        lines.append(f"play {REVERSI.players[position.to_move - 1]} {move}")
        position = position.play(move)
    return lines


def test_the_form_of_answers():
    told = talk(
        "1 name", "name", "# a comment", "", "  23\tprotocol_version # why not", "4 nonsense", "nonsense", "quit"
    )
    assert told == ["=1 zermelo", "= zermelo", "=23 2", "?4 unknown command", "? unknown command", "="]
    assert talk("quit", "name") == ["="], "nothing is answered after quit"
    assert talk("\x00na\x07me\r", "x" * (2 * LONGEST_LINE) + " name", "version") == [
        "= zermelo",
        "? unknown command",
        f"= {__version__}",
    ]


def test_the_required_commands_are_there():
    """The list is that of the specification, section 5; the rest of it is for Go only."""
    required = ["protocol_version", "name", "version", "known_command", "list_commands", "quit", "boardsize"]
    required += ["clear_board", "komi", "play", "genmove", "undo", "time_settings", "time_left", "final_score"]
    required += ["showboard", "reg_genmove"]
    listed = talk("list_commands")[0].removeprefix("= ").splitlines()
    assert set(required) <= set(listed)
    assert talk(*(f"known_command {name}" for name in listed)) == ["= true"] * len(listed)
    assert talk("known_command loadsgf", "known_command", "komi 6.5", "komi x") == [
        "= false",
        "? syntax error",
        "=",
        "? syntax error",
    ]


def test_a_game_of_reversi():
    end = random_playout(REVERSI.start(), 7)
    told = talk(*game_lines(end.line), "final_score", "genmove black", "undo", "final_score")
    margin = end.margin
    assert margin
    assert told[: len(end.line)] == ["="] * len(end.line)
    assert told[len(end.line) :] == [f"= {'B' if margin > 0 else 'W'}+{abs(margin)}", "= pass", "=", "? cannot score"]


def test_moves_that_cannot_be_played():
    assert talk(
        "play black a1", "play black z9", "play black f5 now", "play red f5", "play white f5", "play black"
    ) == [
        "? illegal move",
        "? illegal move",
        "? syntax error",
        "? invalid color or coordinate",
        "? illegal move: it is the other player's turn",
        "? syntax error",
    ]
    assert talk("play black ?!", "undo", "play B F5", "undo", "undo", "genmove") == [
        "? invalid color or coordinate",
        "? cannot undo",
        "=",
        "=",
        "? cannot undo",
        "? syntax error",
    ]


def test_a_pass_may_be_told_or_left_out():
    before = game_lines(MUST_PASS.split())
    assert talk(*before, "reg_genmove black", "genmove black", "play white g5")[-3:] == ["= pass", "= pass", "="]
    assert talk(*before, "play black pass", "play white g5")[-2:] == ["=", "="]
    assert talk(*before, "play white g5")[-1] == "=", "gtp-rhino passes by itself, and so may a controller"
    assert talk(*before, "all_legal_moves")[-1] == "= pass"


def test_the_board_is_shown():
    (shown,) = talk("8 showboard")
    assert shown.splitlines()[0] == "=8"
    assert shown.splitlines()[1:] == REVERSI.start().board().splitlines()


def test_genmove_plays_and_reg_genmove_does_not():
    told = talk("reg_genmove black", "reg_genmove black", "genmove black", "genmove white", "undo", "undo", "undo")
    assert told[0] == told[1] == told[2]
    assert told[0].removeprefix("= ") in REVERSI.start().moves
    assert told[4:] == ["=", "=", "? cannot undo"]


def test_board_sizes():
    assert talk("boardsize 6", "play black e4", "all_legal_moves")[:2] == ["=", "="]
    assert talk("boardsize 99", "boardsize x", "boardsize -6", "boardsize 7.5", "boardsize") == [
        "? unacceptable size",
        *["? syntax error"] * 4,
    ]
    assert talk("boardsize 3", "play black c3", "genmove white", "clear_board", "undo", game="hex")[::4] == [
        "=",
        "? cannot undo",
    ]


def test_games_can_be_chosen():
    told = talk("list_games", "set_game Othello", "play black f5", "set_game chess", game="hex(size=3)")
    assert told == ["= Hex\nOthello", "=", "=", "? unknown game"]


def test_hex_stones_may_be_set_up_and_swapped():
    told = talk("play white a1", "play white b1", "play black c3", "all_legal_moves", game="hex(size=3)")
    assert told == ["=", "=", "=", "= c1 a2 b2 c2 a3 b3"]
    told = talk("play black b3", "play white swap-pieces", "all_legal_moves", game="hex(size=3, swap=yes)")
    assert told == ["=", "=", "= a1 b1 c1 a2 b2 a3 b3 c3"], "the white stone is on c2"
    won = ["play black a1", "play black a2", "play black a3"]
    told = talk(*won, "final_score", "genmove white", "play white c1", game="hex(size=3)")
    assert told[3:] == ["= B+", "= resign", "? illegal move"]


# ------------------------------------------------------------------------------------------------------------ time


def test_clocks():
    assert Clocks().for_move(1, 10) is None
    assert Clocks(0, 5, 0, is_set=True).for_move(1, 10) is None, "a period without stones: no limit"
    assert Clocks(0, 5, 1, is_set=True).for_move(1, 10) == 5
    assert Clocks(0, 30, 10, is_set=True).for_move(2, 10) == 3
    assert Clocks(100, 0, 0, is_set=True).for_move(1, 10) == 10
    clocks = Clocks(100, 30, 10, is_set=True)
    assert clocks.for_move(1, 10) == 13
    clocks.spend(1, 60)
    assert (clocks.for_move(1, 10), clocks.for_move(2, 10)) == (7, 13)
    clocks.spend(1, 50)
    assert clocks.for_move(1, 10) == 3, "its main time is over"
    clocks.left[2] = (12.0, 4)  # time_left
    assert clocks.for_move(2, 10) == 3
    for _ in range(4):
        clocks.spend(2, 1)
    assert clocks.left[2] == (30, 10), "a new period"
    clocks.begin()
    assert clocks.for_move(1, 10) == 13
    late = Clocks(10, 0, 0, is_set=True)
    late.spend(1, 11)
    assert late.for_move(1, 10) == 0


def test_a_player_is_given_the_time_of_the_clock():
    assert within(find_player("engine"), 4).seconds == pytest.approx(3.78)
    assert within(find_player("engine(seconds=1)"), 4).seconds == 1, "its own limit is shorter"
    assert within(find_player("engine(seconds=10)"), 4).seconds == pytest.approx(3.78)
    assert within(find_player("engine"), 0).seconds > 0
    assert within(find_player("random(seed=1)"), 4) == find_player("random(seed=1)")
    told = talk("time_settings 0 2 1", "time_left b 5 1", "time_left x 5 1", "time_settings 1", "time_left black a 1")
    assert told == ["=", "=", "? invalid color or coordinate", "? syntax error", "? syntax error"]


class Pipe(io.TextIOBase):
    """Lines that come one after another, as from a front end that waits."""

    def __init__(self):
        self.lines = queue.SimpleQueue()

    def readline(self, size=-1):
        return self.lines.get()

    def say(self, *lines):
        for line in lines:
            self.lines.put(f"{line}\n" if line else "")


@pytest.mark.skipif(not JIT, reason="plain Python searches too slowly to find anything")
def test_gogui_can_interrupt_a_search():
    pipe, written = Pipe(), []
    player = find_player("engine(seconds=1000, solver=no)")
    running = threading.Thread(target=serve, args=(GtpServer(REVERSI, player, written.append), pipe))
    running.start()
    pipe.say("known_command gogui-interrupt", "genmove black")
    waiting.until(lambda: written)

    def is_answered():
        pipe.say("# interrupt")
        return len(written) == 2

    waiting.until(is_answered)
    assert written[1].removeprefix("= ").strip() in REVERSI.start().moves
    pipe.say("")
    running.join(waiting.PATIENCE)
    assert not running.is_alive()


# ------------------------------------------------------------------------------------------------------------ for real


@pytest.mark.parametrize("game", ["reversi", "hex(size=3)"])
def test_our_engine_plays_through_our_gtp_player(game):
    """Two real processes and the protocol between them: `zermelo engine` on one side, `gtp(...)` on the other."""
    name = game.partition("(")[0]
    command = PROGRAM.format(name, "random(seed=5)")
    player = z.player(f"gtp(command={json.dumps(command)}, patience={waiting.PATIENCE})")
    start = z.game(game).start()
    for seed in (1, 2):
        players = (player, z.random(seed=seed)) if seed == 1 else (z.random(seed=seed), player)
        assert z.play(*players, start).reason == "played out"


def test_a_pass_is_played_through_the_protocol():
    command = PROGRAM.format("reversi", "random")
    player = z.player(f"gtp(command={json.dumps(command)}, patience={waiting.PATIENCE})")
    position = REVERSI.position(MUST_PASS)
    assert player.choose(position) == "pass"
    assert player.choose(position.play("pass")) in position.play("pass").moves
