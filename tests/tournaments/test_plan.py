"""The tournament file: what it may contain, and the errors for everything else."""

import json

import pytest

import zermelo as z
from zermelo.core import JIT
from zermelo.errors import FileError, ZermeloError
from zermelo.tournaments.contestants import make_player
from zermelo.tournaments.plan import Plan, make_plan, read_plan
from zermelo.tournaments.sprt import Sprt

CUP = """
game = "connect4"
contestants = [
    "lines2",
    {name = "Ann", player = "alphabeta(depth=2, heuristic=centre)"},
    "random",
]
pairs = 3
depth = 3

[openings]
plies = 2
"""

MINE = """
import zermelo as z
from zermelo.games.connect4 import Connect4
from counting import middle

@z.heuristic(weights={"middle": 3})
def corners(state: Connect4, w):
    "Not quite corners."
    return w[0] * middle(state)

@z.heuristic
def even(state: Connect4):
    "Nothing matters."
    return 0
"""
COUNTING = """
import zermelo as z
COLUMN = z.bit(24) | z.bit(25)

@z.njit
def middle(state):
    return z.count(state.mine & COLUMN) - z.count((state.mine ^ state.stones) & COLUMN)
"""


def write(folder, text, name="cup.toml"):
    (folder / name).write_text(text)
    return folder / name


def test_a_file(tmp_path):
    plan = read_plan(write(tmp_path, CUP))
    assert plan.name == "cup"
    assert plan.names == ["lines2", "Ann", "random"]
    assert [c.player for c in plan.contestants] == [
        "alphabeta(heuristic=lines2, depth=3)",
        "alphabeta(heuristic=centre, depth=2)",
        "random",
    ]
    assert (plan.format, plan.pairs, plan.openings.plies) == ("round robin", 3, 2)
    assert Plan.from_json(plan.to_json()) == plan
    assert json.loads(plan.to_json())["game"] == "connect4"


def test_the_options_of_the_course(tmp_path):
    plan = read_plan(
        write(
            tmp_path,
            'game = "connect4"\ncontestants = ["centre", "lines2"]\nn_pairs = 4\nincreasing_depth = true\n'
            "allow_selfmatch = true\nseconds = 0.5\n",
        )
    )
    assert (plan.pairs, plan.increasing_depth, plan.allow_selfmatch) == (4, True, True)
    assert plan.limits.seconds == 0.5
    assert plan.contestants[0].player == "alphabeta(heuristic=centre, seconds=0.5)"


def test_game_options_as_a_table(tmp_path):
    text = 'contestants = ["centre", "random"]\n[game]\nname = "connect4"\ncolumns = 5\nrows = 4\n'
    assert read_plan(write(tmp_path, text)).game == "connect4(columns=5, rows=4)"


@pytest.mark.skipif(not JIT, reason="files are compiled when they are enlisted")
def test_files_and_folders(tmp_path):
    (tmp_path / "class").mkdir()
    write(tmp_path, MINE, "class/ann.py")
    write(tmp_path, COUNTING, "class/counting.py")
    write(tmp_path, "def broken(:", "class/bob.py")
    write(tmp_path, "raise OSError", "class/_private.py")
    text = 'game = "connect4"\ncontestants = ["class", "class/ann.py:corners(middle=5)"]\nsearch="minimax(depth=2)"\n'
    plan = read_plan(write(tmp_path, text))
    assert plan.names == ["class/ann.py:corners", "class/ann.py:even", "class/ann.py:corners(middle=5)"]
    assert plan.contestants[0].player == "minimax(heuristic=class/ann.py:corners, depth=2)"
    assert any("bob.py:1" in note for note in plan.notes)
    assert set(plan.sources["class/ann.py"]) == {"ann.py", "counting.py"}
    # What is played is what the file said then: it may change or vanish meanwhile.
    (tmp_path / "class" / "ann.py").unlink()
    game = z.game("connect4")
    start = game.position("4")
    players = [make_player(c.player, game, plan.sources) for c in plan.contestants]
    assert str(players[2]) == "minimax(heuristic=class/ann.py:corners(middle=5), depth=2)"
    assert [p.evaluation(start)(start) for p in players] == [-3, 0, -5]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("game = \n", "cup.toml, line 1, column 8: Invalid value"),
        ('contestants = ["random", "random(seed=1)"]', "cup.toml: game: is missing; it should be the name of a game"),
        ('game = "chess"', "cup.toml, line 1: game: there is no game 'chess'"),
        ('[game]\nname = "connect4"\ncolumns = 99', "line 1: game: connect4: columns=99 is not a number"),
        ('game = "connect4"', "contestants: is missing; it should be a list of players or heuristics"),
        ('game = "connect4"\ncontestants = "random"', "line 2: contestants: 'random' should be a list of"),
        (
            'game = "connect4"\ncontestants = ["random"]',
            "line 2: contestants: a tournament needs at least two contestants, but the number given is 1",
        ),
        ('game = "connect4"\ncontestants = [\n"random",\n3]', "contestants: 3 is not a player or a heuristic"),
        (
            'game = "connect4"\ncontestants = [\n"random",\n"genius"]',
            "line 4: contestants: Connect 4 has no heuristic 'genius'; it has",
        ),
        (
            'game = "connect4"\ncontestants = ["random", "alphabeta(depth=99)"]',
            "depth=99 is not a whole number from 1 to 64",
        ),
        ('game = "connect4"\ncontestants = ["random", "tictactoe/lines"]', "this is a tournament of Connect 4"),
        ('game = "connect4"\ncontestants = ["random", "none.py:h"]', "there is no file"),
        ('game = "connect4"\ncontestants = ["random", "random"]', "'random' appears twice"),
        ('game = "connect4"\ncontestants = [{nam = "x"}]', "player: is missing"),
        (CUP.replace("pairs", "paris"), "cup.toml, line 8: paris: there is no such field; did you mean 'pairs'?"),
        (CUP.replace("pairs = 3", 'pairs = "three"'), "line 8: pairs: 'three' should be a whole number from 1 to"),
        (CUP.replace("pairs = 3", "pairs = true"), "line 8: pairs: true should be a whole number"),
        (CUP.replace("pairs = 3", "pairs = 0"), "line 8: pairs: 0 should be a whole number from 1 to 1,000,000"),
        (CUP + "n_pairs = 3", "line 13: openings.n_pairs: there is no such field"),
        ("n_pairs = 3\n" + CUP, "line 1: n_pairs: is another name for pairs"),
        ('format = "swis"\n' + CUP, "line 1: format: 'swis' should be one of: round robin, gauntlet, swiss, "),
        ('search = "random"\n' + CUP, "line 1: search: 'random' does not take a heuristic"),
        (CUP.replace("plies = 2", "plies = -2"), "line 12: openings.plies: -2 should be a whole number from 0 to"),
        (CUP.replace("plies = 2", "plys = 2"), "line 12: openings.plys: there is no such field; did you mean 'plies'?"),
        (CUP.replace("plies = 2", 'positions = ["12", "19"]'), "line 12: openings.positions: Connect 4 position '19'"),
        (CUP.replace("plies = 2", 'positions = ["1212121"]'), "the game is over in 1212121"),
        (CUP.replace("plies = 2", 'file = "none.txt"'), "line 12: openings.file: "),
        (CUP.replace("plies = 2", 'kind = "all"'), "openings.kind: also needs plies"),
        ('format = "swiss"\n' + CUP + "[sprt]\nelo0 = 1", "line 15: sprt.elo0: can be used only with format"),
        ('format = "sprt"\n' + CUP, "contestants: an sprt compares two contestants"),
    ],
)
def test_what_is_wrong_is_named_with_its_line_and_field(tmp_path, text, message):
    with pytest.raises(FileError) as caught:
        read_plan(write(tmp_path, text))
    assert str(caught.value).startswith(f"{tmp_path / 'cup.toml'}")
    assert message in str(caught.value)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(FileError, match="cannot be read"):
        read_plan(tmp_path / "none.toml")


def test_an_sprt(tmp_path):
    text = 'game = "connect4"\ncontestants = ["lines2", "centre"]\n[sprt]\nelo1 = 20\nmodel = "logistic"\n'
    plan = read_plan(write(tmp_path, text))
    assert (plan.format, plan.sprt) == ("sprt", Sprt(0, 20, normalised=False))
    assert Plan.from_json(plan.to_json()) == plan
    with pytest.raises(FileError, match=r"line 4: sprt.elo1: sprt: elo0=0 must be less than elo1=-1"):
        read_plan(write(tmp_path, text.replace("20", "-1")))


def test_in_python():
    mine = z.alphabeta(z.game("connect4").heuristics["centre"], depth=2)
    plan, objects = make_plan([mine, "lines2", {"name": "chance", "player": "random"}], "connect4", pairs=2, depth=1)
    assert plan.names == ["alphabeta(heuristic=centre, depth=2)", "lines2", "chance"]
    assert objects == {"alphabeta(heuristic=centre, depth=2)": mine}
    with pytest.raises(ZermeloError, match=r"^pears: there is no such field; did you mean 'pairs'\?"):
        make_plan(["random", "centre"], "connect4", pears=3)


def test_openings_from_a_file(tmp_path):
    write(tmp_path, "# two\n44\n\n45  # the other\n", "book.txt")
    plan = read_plan(write(tmp_path, CUP.replace("plies = 2", 'file = "book.txt"')))
    assert plan.openings.positions == ("44", "45")
    assert not plan.openings.balanced


@pytest.mark.parametrize("seconds", [0.05, 0.4])
def test_seconds_alone_are_the_whole_budget(tmp_path, seconds):
    """As the browser sends it: no depth. A heuristic then searches as deep as the time allows, not four plies."""
    path = tmp_path / "timed.toml"
    path.write_text(CUP.replace("depth = 3", f"seconds = {seconds}"))
    plan = read_plan(path)
    player = make_player(plan.contestants[0].player, z.game("connect4"), {})
    assert (player.depth, player.seconds) == (None, seconds)
    start = z.game("connect4").start()
    player.think(start)  # compiled now
    assert player.think(start).depth > (4 if JIT else 0)
