"""Explicit trees, built in and from files; errors name what is wrong."""

import json

import pytest

from zermelo.errors import FileError, GameError, IllegalMoveError, PositionError
from zermelo.games import find_game
from zermelo.players import AlphaBetaPlayer, MinimaxPlayer

GOOD = """
[children]
A = ["B", "C"]
B = ["D", "E"]
[scores]
C = 4
D = 7
E = [2, 5]
"""


def write(tmp_path, text, name="my.toml"):
    file = tmp_path / name
    file.write_text(text)
    return find_game("tree", file=str(file))


@pytest.mark.parametrize(("name", "value", "move"), [("course", 5, "D"), ("theory", 5, "B")])
def test_the_trees_of_the_report_have_the_values_worked_out_by_hand(name, value, move):
    position = find_game(f"tree/{name}").start()
    for player in (MinimaxPlayer(depth=9), AlphaBetaPlayer(depth=9)):
        choice = player.think(position)
        assert (choice.score, choice.move) == (value, move)


def test_a_tree_from_a_file(tmp_path):
    game = write(tmp_path, GOOD)
    assert game.start().moves == ("B", "C")
    assert game.position("B").moves == ("D", "E")
    assert game.position("B E").margin == -3
    assert MinimaxPlayer(depth=5).think(game.start()).score == 4
    assert find_game(str(game)) == game


def test_json_will_do_too(tmp_path):
    data = {"children": {"root": ["left", "right"]}, "scores": {"left": 1, "right": -1}}
    game = write(tmp_path, json.dumps(data), "my.json")
    assert game.start().moves == ("left", "right")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[children]\nA = ['B', 'X']\n[scores]\nB = 1", "'X', a child of 'A', has neither children nor a score"),
        ("[children]\nA = ['B']\nB = ['C']\nC = ['B']", "'B' is a child of both 'A' and 'C'"),
        ("[children]\nA = ['B']\nB = ['A']", "the children form a circle: A > B > A"),
        (
            "[children]\nA = ['Z']\nB = ['C']\nC = ['B']\n[scores]\nZ = 1",
            "the children form a circle: B > C > B",
        ),
        ("[children]\nA = ['B']\nX = ['Y']\n[scores]\nB = 1\nY = 2", "several roots, A, X"),
        ("[children]\nA = ['B']\n[scores]\nB = 1\nQ = 2", "'Q' has a score but is not the child of any node"),
        ("[children]\nA = ['B']\n[scores]\nB = 1\nA = 2", "'A' has children, so it cannot have a score too"),
        ("[children]\nA = ['B']\n[scores]\nB = 1.5", "the score of 'B' must be a whole number"),
        ("[children]\nA = ['B']\n[scores]\nB = 'much'", "the score of 'B' must be a whole number"),
        ("[children]\nA = 3", "the children of 'A' must be a list of names, not 3"),
        ("[children]\nA = []", "the children of 'A' must be a list of names"),
        ("[scores]\nA = 3", "the table 'children' is missing"),
        ("scores = 3\n[children]\nA = ['B']", "'scores' must be a table"),
        ("not toml", "my.toml: "),
    ],
)
def test_a_fault_in_a_file_is_named(tmp_path, text, message):
    with pytest.raises(FileError) as caught:
        write(tmp_path, text)
    assert message in str(caught.value)
    assert "my.toml" in str(caught.value)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(FileError, match="cannot be read: No such file"):
        find_game("tree", file=str(tmp_path / "none.toml"))
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(FileError, match="it is not text"):
        find_game("tree", file=str(tmp_path / "bytes.toml"))


def test_names_that_do_not_fit():
    with pytest.raises(GameError, match="there is no game 'tree/oak'"):
        find_game("tree/oak")
    with pytest.raises(GameError, match=r"tree has no option 'variant' \(its options: file, toml\)"):
        find_game("tree(variant=oak)")
    with pytest.raises(GameError, match="name a file"):
        find_game("tree")
    game = find_game("tree/course")
    with pytest.raises(IllegalMoveError, match="it is not a child of A"):
        game.start().play("E")
    with pytest.raises(PositionError, match="has no node 'Z'"):
        game.position("Z")


def test_the_text_board_marks_the_place():
    assert "> " in find_game("tree/course").position("G").board()
    assert "= 2" in find_game("tree/course").start().board()


def test_trees_have_different_hashes():
    """Caches hold thousands of trees, which are games of one name."""
    trees = [find_game("tree", toml=f"[children]\nA = ['B']\n[scores]\nB = {score}") for score in range(5)]
    assert len({hash(tree) for tree in trees}) == 5
    again = find_game("tree", toml="[children]\nA = ['B']\n[scores]\nB = 3")
    assert (again, hash(again)) == (trees[3], hash(trees[3]))
