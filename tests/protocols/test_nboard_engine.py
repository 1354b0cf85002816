"""`zermelo engine --protocol nboard`: the commands of the NBoard protocol, version 2."""

import io
import json
import re
import signal
import subprocess
import sys
import threading

import pytest
from test_gtp_engine import MUST_PASS, Pipe

import waiting
import zermelo as z
from zermelo.core import JIT
from zermelo.errors import PositionError
from zermelo.games.reversi import nboard
from zermelo.players import find_player
from zermelo.position import random_playout
from zermelo.protocols.nboard import NBoardServer
from zermelo.protocols.serving import serve
from zermelo.scores import Score

REVERSI = z.game("reversi")
PROGRAM = [sys.executable, "-m", "zermelo", "engine", "--protocol", "nboard"]

SESSION = """\
nboard 2
set game (;GM[Othello]PC[NBoard]DT[2014-02-21 20:52:27 GMT]PB[./mEdax]PW[chris]RE[?]TI[15:00]TY[8]\
BO[8 ---------------------------O*------*O--------------------------- *]\
B[F5]W[F6]B[D3]W[C5]B[E6]W[F7]B[E7]W[F4];)
set depth 6
ping 1
go
"""
"""The example of the protocol's own description: Protocol.htm in github.com/weltyc/ntest, folder instructions."""
AFTER = "f5f6d3c5e6f7e7f4"


@pytest.fixture(autouse=True)
def _patient(monkeypatch):
    """However slow the machine is, what was asked before the input ended is answered."""
    monkeypatch.setattr("zermelo.protocols.nboard.LAST_SECONDS", waiting.PATIENCE)


def talk(*lines, player="alphabeta(depth=1)"):
    """All that is written in answer to these lines."""
    written, chosen = [], find_player(player, REVERSI)
    chosen.prepare(REVERSI)
    serve(NBoardServer(REVERSI, chosen, written.append), io.StringIO("\n".join(lines) + "\n"))
    return written


def test_the_session_of_the_description():
    told = talk(SESSION.rstrip(), player="alphabeta(depth=2)")
    assert told[:4] == ["set myname zermelo", "set myname zermelo6", "pong 1", "status zermelo is thinking"]
    assert told[-1] == "status"
    found = re.fullmatch(r"=== ([A-H][1-8])/(-?\d+\.\d\d)/(\d+\.\d\d)", told[-2])
    assert found and found[1].lower() in REVERSI.position(AFTER).moves
    searched = [line for line in told if line.startswith("search ")]
    assert re.fullmatch(rf"search {found[1]}(-[A-H][1-8])* {found[2]} 0 2", searched[-1]), "its own depth is lower"
    assert any(re.fullmatch(r"nodestats \d+ \d+\.\d\d", line) for line in told)


def test_the_front_end_sets_the_depth():
    told = talk("nboard 2", "set depth 3", "set game (;GM[Othello]B[F5];)", "go", player="alphabeta")
    assert "set myname zermelo3" in told
    assert [line.split()[-1] for line in told if line.startswith("search")] == ["3"]
    assert talk("set depth 0", "set depth x", "set depth 999") == ["set myname zermelo1", "set myname zermelo60"]


def test_hints_are_for_the_best_moves():
    told = talk("nboard 2", "set depth 2", "set game (;GM[Othello]B[F5];)", "hint 2", player="alphabeta")
    searched = [line.split() for line in told if line.startswith("search")]
    assert [words[-1] for words in searched] == ["1", "1", "2", "2"]
    assert len({words[1][:2] for words in searched[-2:]}) == 2
    assert float(searched[-2][2]) >= float(searched[-1][2])
    assert told[-1] == "status"
    (only,) = [line for line in talk("hint", player="alphabeta(depth=1)") if line.startswith("search")]
    assert only.endswith(" 0 1")
    assert talk("hint 3", player="random") == ["status zermelo is analysing", "status"], "it knows no score"


def test_moves_change_the_position():
    told = talk("move F5/1.20/3.5", "move d6", "go", player="random")
    assert told[-2].partition("/")[0][4:].lower() in REVERSI.position("f5d6").moves
    assert talk("move A1")[0].startswith("status a1 is illegal")
    before = "".join(f"move {move}\n" for move in MUST_PASS.split())
    assert talk(before + "go", player="random")[-2].startswith("=== PA/")
    assert talk(before + "move PA\nmove G5\nlearn") == ["learned"]
    assert talk(before + "move G5\nlearn") == ["learned"], "not every front end tells passes"


def test_lines_that_are_not_understood_are_ignored():
    assert talk("", "hello", "set", "set contempt 10", "set colour blue", "\x00", "go away") != []
    assert talk("hello world", "set contempt 10", "pong 3", "nboard") == ["set myname zermelo"]
    assert talk("quit", "ping 1") == []


def test_a_game_that_cannot_be_read():
    told = talk("set game nonsense", "go", "hint 1", "analyze", "move F5", "ping 2")
    assert told[0] == "status 'nonsense' is not a game of Othello in GGF"
    assert told[1:] == ["status there is no game"] * 3 + ["pong 2"]


def test_an_analysis_of_the_game():
    """From the point of view of the player to move, as NBoard reads it (its class AnalysisResponse)."""
    end = random_playout(REVERSI.start(), 7)
    told = talk("set depth 1", f"set game {nboard.game_text(end)}", "analyze", player="alphabeta")
    values = {int(words[1]): float(words[2]) for words in map(str.split, told) if words[0] == "analysis"}
    assert sorted(values) == list(range(len(end.line) + 1))
    assert values[len(end.line)] == end.margin * (1 if end.to_move == 1 else -1)
    first = find_player("alphabeta(depth=1)").think(REVERSI.start())
    assert values[0] == round(nboard.discs(first.score), 2)


@pytest.mark.skipif(not JIT, reason="plain Python searches too slowly to find anything")
@pytest.mark.parametrize("command", ["go", "hint 64", "analyze"])
def test_a_ping_ends_a_search(command):
    pipe, written = Pipe(), []
    server = NBoardServer(REVERSI, find_player("engine(solver=no)"), written.append)
    running = threading.Thread(target=serve, args=(server, pipe))
    running.start()
    pipe.say("nboard 2", "set depth 60", "set game (;GM[Othello]B[F5];)", command)
    waiting.until(lambda: any(line.startswith("status zermelo") for line in written))
    pipe.say("ping 1", "move D6", "ping 2")
    waiting.until(lambda: written[-1:] == ["pong 2"])
    assert written[-2] == "pong 1", "nothing is told of the search that was ended"
    assert not any(line.startswith("===") for line in written)
    pipe.say("set depth 1", "go", "")
    running.join(waiting.PATIENCE)
    assert not running.is_alive()
    assert written[-2].partition("/")[0][4:].lower() in REVERSI.position("f5d6").moves, "the input may end first"


# ------------------------------------------------------------------------------------------------------------ GGF


def test_games_in_ggf_are_written_and_read():
    for seed in range(5):
        position = random_playout(REVERSI.start(), seed, 12 * seed)
        read, clocks = nboard.read_game(REVERSI, nboard.game_text(position, 90))
        assert read == position
        assert read.line == position.line
        assert clocks == (90, 90)
    drawn = REVERSI.position(str(random_playout(REVERSI.start(), 3, 20)))
    assert nboard.read_game(REVERSI, nboard.game_text(drawn))[0] == drawn


def test_clocks_in_ggf():
    text = "(;GM[Othello]TI[{}]B[f5//10.5]W[d6/-3.2/4]B[c3];)"
    assert nboard.read_game(REVERSI, text.format("05:00"))[1] == (289.5, 296)
    assert nboard.read_game(REVERSI, text.format("1:00:00/00:30/02:00"))[1] == (3589.5, 3596)
    assert nboard.read_game(REVERSI, text.format("20"))[1] == (9.5, 16)
    assert nboard.read_game(REVERSI, text.format(""))[1] is None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "is not a game of Othello"),
        ("(;GM[Go]B[aa];)", "is not a game of Othello"),
        ("(;GM[Othello]BO[10 ---- *];)", "boards of type '10'"),
        ("(;GM[Othello]BO[8 ---- *];)", "it has 4 squares"),
        ("(;GM[Othello]W[F5];)", "it is not the turn of this player"),
        ("(;GM[Othello]B[A1];)", "a1 is illegal"),
        ("(;GM[Othello]B[];)", "is not a move"),
        ("(;" + "B[F5]" * 20_000, "longer than"),
    ],
)
def test_ggf_that_cannot_be_read(text, reason):
    with pytest.raises(z.ZermeloError, match=reason):
        nboard.read_game(REVERSI, text)


def test_scores_are_told_in_discs():
    assert nboard.discs(Score.exact(-12)) == -12
    assert nboard.discs(Score(3.25)) == 3.25
    assert nboard.discs(Score.win(7)) == 1


def test_a_board_of_another_size_is_refused():
    with pytest.raises(PositionError):
        nboard.read_game(REVERSI, "(;GM[Othello]BO[6 ------------------------------------ *];)")
    told = subprocess.run([*PROGRAM, "reversi(columns=6, rows=6)"], capture_output=True, text=True, input="")
    assert told.returncode == 2
    assert "NBoard cannot tell a program about reversi(columns=6, rows=6); it is for Reversi" in told.stderr


# ------------------------------------------------------------------------------------------------------------ for real


def test_our_engine_plays_through_our_nboard_player():
    command = " ".join([*PROGRAM, "--player", "alphabeta(depth=1)"])
    player = z.player(f"nboard(command={json.dumps(command)}, depth=1, patience={waiting.PATIENCE})")
    choice = player.think(REVERSI.position("f5"))
    expected = find_player("alphabeta(depth=1)").think(REVERSI.position("f5")).score
    assert choice.depth == 1
    assert choice.score.number == pytest.approx(expected.number, abs=0.0051)  # NBoard's lines have two decimal places
    for seed in (1, 2):
        players = (player, z.random(seed=seed)) if seed == 1 else (z.random(seed=seed), player)
        assert z.play(*players, REVERSI.start()).reason == "played out"
    assert player.choose(REVERSI.position(MUST_PASS)) == "pass"


def test_ctrl_c_and_the_end_of_input_end_the_program():
    process = subprocess.Popen([*PROGRAM, "--player", "random"], stdin=-1, stdout=-1, stderr=-1, text=True)
    process.stdin.write("ping 1\n")
    process.stdin.flush()
    assert process.stdout.readline() == "pong 1\n"
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=waiting.PATIENCE)[1].strip() == "interrupted"
    assert process.returncode == 130
    ended = subprocess.run([*PROGRAM, "--player", "random"], capture_output=True, text=True, input="ping 1\ngo")
    assert ended.returncode == 0
    assert ended.stdout.splitlines()[0] == "pong 1"
    assert ended.stdout.splitlines()[-2].startswith("=== ")


def test_what_cannot_be_served():
    def error(*arguments):
        done = subprocess.run([*PROGRAM[:4], *arguments], capture_output=True, text=True, input="")
        assert done.returncode == 2
        return done.stderr

    assert "GTP cannot tell a program about connect4; it is for Hex, Reversi" in error("connect4", "--protocol", "gtp")
    assert "a person cannot answer here" in error("--protocol", "nboard", "--player", "human")
    assert "--protocol" in error()
