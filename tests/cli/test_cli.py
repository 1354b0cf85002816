"""The command line as users see it: what it prints, where, and with which exit status."""

import json
import os
import signal
import subprocess
import sys
from typing import ClassVar
from xml.etree import ElementTree

import pytest

import started
from conftest import dose
from zermelo.core import JIT

ZERMELO = [sys.executable, "-m", "zermelo"]


def run(*arguments, status=0, stdin="", **more):
    done = started.run(arguments, input=stdin, **more)
    assert done.returncode == status, done.stderr
    assert "Traceback" not in done.stderr
    return done


def test_help_teaches():
    text = run("--help").stdout
    for word in ("play", "analyse", "perft", "trace", "match", "study", "bench", "GAME", "PLAYER", "HEURISTIC"):
        assert word in text
    for command in ("games", "heuristics", "players", "play", "analyse", "perft", "trace", "match", "study", "bench"):
        assert run(command, "--help").stdout.startswith(f"Usage: zermelo {command}")
    assert run("study", "pruning", "--help").stdout


def test_games_heuristics_players():
    assert "connect4" in run("games").stdout
    assert {game["name"] for game in json.loads(run("games", "--json").stdout)} >= {
        "connect4",
        "tictactoe",
        "tree/course",
    }
    assert "parity12" in run("heuristics", "connect4").stdout
    weights = {h["name"]: h["weights"] for h in json.loads(run("heuristics", "connect4", "--json").stdout)}
    assert weights["lines10"] == {"one": 10, "two": 100, "three": 1000}
    assert "alphabeta" in run("players").stdout
    assert {p["name"] for p in json.loads(run("players", "connect4", "--json").stdout)} >= {"alphabeta", "random"}


@pytest.mark.skipif(not JIT, reason="a table takes half a second compiled, hours in plain Python")
def test_solve_makes_tables():
    position = "..B../b..../...../...../r.R.. boar,ox elephant,horse crab r"
    assert run("solve", "onitama", position, "--tables", "4").stdout.startswith(f"{position} loss ")
    assert "4 to 6 pieces" in run("solve", "onitama", position, "--tables", "7", status=2).stderr
    assert "no tables of endgames" in run("solve", "tictactoe", "-", "--tables", "4", status=2).stderr


def test_solve_by_workers_answers_the_same_in_the_same_order(tmp_path):
    """Lines that are not positions, or that cannot be solved, keep their places too."""
    lines = "a3\n\nnonsense\n# a remark\na3 b2\na1\n"
    alone = run("solve", "hex(size=3)", stdin=lines, status=2)
    state = tmp_path / "openings.state"
    for more in (["--workers", "2"], ["--workers", "1", "--state", str(state)], ["--state", str(state)]):
        done = run("solve", "hex(size=3)", *more, stdin=lines, status=2)
        assert (done.stdout, done.stderr.count("line 3: ")) == (alone.stdout, 1)
    assert alone.stdout.count("\n") == 6 and alone.stdout.split("\n")[1:4] == ["", "", ""]
    assert not state.exists()
    assert "choose only one" in run("solve", "hex", "-", "--workers", "2", "--threads", "2", status=2).stderr


@pytest.mark.skipif(not JIT, reason="a table takes half a second compiled, hours in plain Python")
def test_positions_that_need_the_same_table_are_one_piece():
    """Else two workers would make the same table."""
    from zermelo.cli.solutions import Asked, answers_of
    from zermelo.pieces.crews import Threads

    class Counted(Threads):
        pieces: ClassVar = []

        def submit(self, job, piece):
            self.pieces.append(piece)
            return super().submit(job, piece)

    cards, others = "boar,ox elephant,horse crab r", "boar,ox elephant,horse crane r"
    board, another = "..B../b..../...../...../r.R..", "..B../.b.../...../...../r.R.."
    texts = [f"{board} {cards}", f"{board} {others}", "nonsense", f"{another} {cards}"]
    with Counted(1) as crew:
        answers = list(answers_of(texts, Asked("onitama", tables=4), crew))
    assert crew.pieces == [[texts[0], texts[3]], [texts[1]], ["nonsense"]]
    assert [answer.get("position") for answer in answers] == [texts[0], texts[1], None, texts[3]]
    assert answers[0]["word"] == "loss"


def test_perft():
    depth, count = dose(8, 3), dose(5673234, 343)
    assert run("perft", "connect4", "--depth", str(depth)).stdout == f"{count}\n"
    data = json.loads(run("perft", "connect4", "324443", "--depth", "2", "--divide", "--json").stdout)
    assert (data["depth"], data["count"], data["position"]) == (2, 49, "324443")
    assert sum(data["divide"].values()) == 49
    assert run("perft", "tictactoe", "--depth", "0").stdout == "1\n"


def test_analyse():
    out = run("analyse", "connect4", "112233", "--depth", "3")
    assert "win in 1" in out.stdout
    assert "nodes" in out.stderr
    data = json.loads(run("analyse", "connect4", "112233", "--depth", "3", "--json").stdout)
    assert data["moves"][0]["move"] == "4"
    assert data["moves"][0]["text"] == "win in 1"
    assert data["moves"][0]["exact"]
    assert run("analyse", "tictactoe", "--nodes", "200", "--heuristic", "lines").stdout


def test_analyse_says_what_scores_count():
    assert "by learned, in discs:" in run("analyse", "reversi", "--depth", "1", "--heuristic", "learned").stdout
    assert "by mobility:" in run("analyse", "reversi", "--depth", "1", "--heuristic", "mobility").stdout
    for heuristic, unit in (("learned", "discs"), ("mobility", "points")):
        data = json.loads(run("analyse", "reversi", "--depth", "1", "--heuristic", heuristic, "--json").stdout)
        assert data["unit"] == unit


def test_trace(tmp_path):
    out = run("trace", "tree/course").stdout
    assert out.startswith("A: [-inf, inf]\n  B: [-inf, inf]\n")
    assert "C: H cut" in out
    picture = tmp_path / "tree.svg"
    done = run("trace", "tree/theory", "--svg", str(picture))
    assert f"wrote {picture}" in done.stderr
    ElementTree.parse(picture)
    assert json.loads(run("trace", "tree/course", "--json").stdout)["tree"]["value"] == 5
    mine = tmp_path / "mine.toml"
    mine.write_text("[children]\nroot = ['x', 'y']\n[scores]\nx = 1\ny = 2\n")
    assert "best y, value 2; 3 nodes" in run("trace", str(mine)).stdout
    assert "16 nodes" in run("trace", "tree/course", "--minimax").stdout
    assert "left out" in run("trace", "tictactoe", "b2 a1", "--depth", "2", "--top-moves", "2").stdout


def test_match(tmp_path):
    games = tmp_path / "games.jsonl"
    done = run(
        "match", "tictactoe", "--first", "minimax(depth=3)", "--second", "random", "--games", "4", "--save", str(games)
    )
    assert "of 4" in done.stdout
    assert len(games.read_text().splitlines()) == 4
    data = json.loads(
        run("match", "tictactoe", "--first", "minimax(depth=3)", "--second", "alphabeta(depth=3)", "--json").stdout
    )
    assert data["games"] == 2
    assert data["wins"] + data["draws"] + data["losses"] == 2


def test_a_match_of_few_different_games_warns():
    done = run("match", "tictactoe", "--first", "alphabeta", "--second", "alphabeta(depth=3)", "--games", "6")
    assert "warning: only 2 of the 6 games are different" in done.stderr
    done = run(
        *("match", "tictactoe", "--first", "alphabeta", "--second", "alphabeta(depth=3)", "--games", "2"),
        *("--random-plies", "1"),
    )
    assert "warning" not in done.stderr


def test_studies(tmp_path):
    picture = tmp_path / "bars.svg"
    done = run("study", "pruning", "tree/theory", "--svg", str(picture))
    assert "alpha-beta" in done.stdout
    assert "1.29" in done.stdout  # 22 nodes of the whole tree against 17, counted by hand
    ElementTree.parse(picture)
    data = json.loads(run("study", "pruning", "tictactoe", "--depth", "3", "--runs", "1", "--json").stdout)
    assert len(data) == 2
    for row in data:
        assert row["same_moves"]
        assert row["ratio"] > 1
    data = json.loads(run("study", "random", "tictactoe", "--games", "10", "--depth", "2", "--json").stdout)
    assert data[0]["wins"] + data[0]["draws"] + data[0]["losses"] == 10
    assert data[0]["interval"][0] < data[0]["score"] <= data[0]["interval"][1]
    assert "95%" in run("study", "random", "tictactoe", "--games", "4", "--depth", "1").stdout


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["nonsense"], 2, "No such command"),
        (["games", "--jsn"], 2, "No such option"),
        (["play", "chess"], 2, "there is no game 'chess'; the games are connect4"),
        (["perft", "connect4(columns=99)"], 2, "columns=99 is not a number from 4 to 8"),
        (["perft", "connect4", "--depth", "-1"], 2, "--depth"),
        (["analyse", "connect4", "1239"], 2, "move 4, 9 is illegal: the columns are 1 to 7"),
        (["analyse", "connect4", "1212121"], 2, "the game is over"),
        (["analyse", "connect4", "--heuristic", "genius"], 2, "Connect 4 has no heuristic 'genius'"),
        (["analyse", "connect4", "--heuristic", "none.py:h"], 2, "there is no file"),
        (["heuristics", "none.py"], 2, "there is no file"),
        (["trace", "none.toml"], 2, "none.toml: cannot be read"),
        pytest.param(
            ["trace", "connect4", "--depth", "9"],
            2,
            "too many to record",
            marks=pytest.mark.skipif(not JIT, reason="minutes"),
        ),
        (["trace", "tree/course", "--minimax", "--tolerance", "3"], 2, "need the built-in alpha-beta"),
        (["trace", "tree/course", "--svg", "no/folder/x.svg"], 2, "cannot be written"),
        (["match", "connect4", "--first", "alphabeta(", "--second", "random"], 2, "expected at the end"),
        (
            ["match", "connect4", "--first", "alphabeta(depth=99)", "--second", "random"],
            2,
            "depth=99 is not a whole number",
        ),
        (
            ["match", "tictactoe", "--first", "random", "--second", "random", "--random-plies", "9"],
            2,
            "nearly always over",
        ),
        (["match", "connect4", "--first", "random"], 2, "Missing option '--second'"),
        (["bench", "nothing"], 2, "there is no benchmark 'nothing'"),
        (["bench", "--lst"], 2, "No such option"),
    ],
)
def test_misuse_is_one_clear_message(arguments, status, message, tmp_path):
    done = run(*arguments, status=status, cwd=tmp_path)
    assert message in done.stderr
    assert done.stdout == ""


def test_a_heuristic_of_ones_own_with_a_fault(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(
        "from zermelo import heuristic\nfrom zermelo.games.connect4 import Connect4\n"
        "@heuristic\ndef h(state: Connect4):\n    return state.my_stones\n"
    )
    done = run("analyse", "connect4", "--heuristic", f"{file}:h", "--depth", "1", status=2)
    if dose(1, 0):
        assert done.stderr.splitlines()[-2].endswith("mine.py:5: return state.my_stones")
        assert "Connect4 has no 'my_stones'" in done.stderr


def test_the_first_compilation_is_announced(tmp_path):
    if not dose(1, 0):
        pytest.skip("nothing is compiled")
    environment = os.environ | {"ZERMELO_CACHE_DIR": str(tmp_path)}
    command = ("analyse", "tictactoe", "--depth", "2")
    assert "compiling the Tic-tac-toe search; this happens only once" in run(*command, env=environment).stderr
    assert "compiling" not in run(*command, env=environment).stderr


def test_a_game_read_from_standard_input():
    done = run("play", "tictactoe", "--second", "random(seed=1)", stdin="zz\nb2\n")
    assert "'zz'" in done.stdout
    assert "X resigns." in done.stdout


def test_programs_that_say_little_or_give_up(tmp_path):
    file = tmp_path / "engine.py"
    file.write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    q = json.loads(line)\n"
        "    answer = {'resign': True} if q['line'] else {'move': q['legal'][0], 'score': 7}\n"
        "    print(json.dumps({'id': q['id']} | answer), flush=True)\n"
    )
    player = f'process(command="{sys.executable} {file}")'
    played = run("play", "tictactoe", "--first", player, "--second", player).stdout
    assert "X plays a1   (+7, " in played and "O resigns." in played
    match = run("match", "tictactoe", "--first", player, "--second", "random", "--json").stdout
    assert json.loads(match)["losses"] == 2


def test_an_engine_that_dies_loses_and_it_is_said():
    dead = """process(command="sh -c 'read line; echo oops >&2; exit 3'")"""
    done = run("match", "tictactoe", "--first", dead, "--second", "random(seed=1)")
    assert "won 0, drawn 0, lost 2 of 2" in done.stdout
    assert "lost 2 of the 2 games by a fault: crash: the process ended with status 3" in done.stderr
    data = json.loads(run("match", "tictactoe", "--first", dead, "--second", "random(seed=1)", "--json").stdout)
    assert data["endings"] == {"crash: the process ended with status 3": 2}
    done = run("play", "tictactoe", "--first", dead, "--second", "random")
    assert "X loses: crash: the process ended with status 3" in done.stdout
    assert "oops" in done.stderr


def test_a_game_without_people():
    done = run(
        "play", "tictactoe", "--first", "minimax(depth=9)" if dose(1, 0) else "minimax", "--second", "random(seed=1)"
    )
    assert "X wins" in done.stdout or "a draw" in done.stdout


def test_control_c_ends_a_long_search_without_a_mess():
    if not dose(1, 0):
        pytest.skip("the compiled search is the hard case")
    run("analyse", "connect4", "--depth", "4", "--heuristic", "lines2")  # compiled, with what reads longer lines
    command = [*ZERMELO, "analyse", "connect4", "--depth", "40", "--heuristic", "lines2"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stderr.readline().startswith("depth ")  # it searches
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=300)
    assert process.returncode == 130, errors
    assert errors.rstrip().endswith("interrupted")
    assert "Traceback" not in errors


def test_a_closed_pipe_is_no_error():
    shell = f"{sys.executable} -m zermelo heuristics connect4 | head -1"
    done = subprocess.run(shell, shell=True, capture_output=True, text=True, timeout=300)
    assert "Traceback" not in done.stderr
    assert "BrokenPipe" not in done.stderr


def test_an_opening_book_may_be_stopped_and_continued(tmp_path):
    where = {"env": os.environ | {"ZERMELO_DATA_DIR": str(tmp_path)}}
    small = "connect4(columns=4, rows=4)"
    begun = json.loads(run("learn", "book", small, "--stones", "3", "--seconds", "0", "--json", **where).stdout)
    assert begun["waiting"] == sum(begun["positions"]) > 0
    assert "still to be done" in run("learn", "book", small, "--stones", "3", "--seconds", "0", **where).stdout
    out = run("learn", "book", small, "--stones", "3", **where).stdout
    assert "still" not in out and (tmp_path / "books" / "connect4-4x4.bin").exists()
    assert run("solve", small, "-", **where).stdout.startswith("- 0 ")
    assert "Hex has no opening books" in run("learn", "book", "hex", status=2).stderr
    assert "up to 3 stones" in run("learn", "book", small, "--stones", "2", status=2, **where).stderr


def test_a_name_of_version_01_answers_and_the_new_one_is_told():
    done = run(
        "match", "reversi", "--first", "alphabeta(heuristic=seed, depth=1)", "--second", "random", "--games", "2"
    )
    assert "zermelo: 'seed' is now 'report'; the old name goes in version 0.3\n" in done.stderr
