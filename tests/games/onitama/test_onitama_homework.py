"""A node with `eval(self)`, in the style of the Onitama report, plays as it was handed in."""

import warnings
from pathlib import Path

import pytest

from conftest import dose
from zermelo.check.positions import sample
from zermelo.core.searching import searching
from zermelo.errors import HeuristicError, PlainPythonWarning
from zermelo.games import find_game, find_heuristic, load_file
from zermelo.games.onitama.homework import rows_of
from zermelo.players import find_player
from zermelo.rules import moves_of, play, to_move

HANDED_IN = Path(__file__).parent / "handed_in" / "nodo.py"


@pytest.fixture(autouse=True)
def quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PlainPythonWarning)
        yield


def test_the_same_values_as_ours():
    game = find_game("onitama")
    found, usual = load_file(HANDED_IN), find_heuristic("material", game)
    assert list(found) == ["Nodo", "NodoAvance"]
    positions = sample(game, dose(300, 12), seed=3)
    assert {to_move(position.state) for position in positions} == {0, 1}
    for position in positions:
        assert found["Nodo"](position) == usual(position), position
        child = play(position.state, moves_of(position.state)[0])
        with searching(position.state):
            assert found["Nodo"](child) == usual(child)
    assert find_player(f"alphabeta(depth=2, heuristic={HANDED_IN}:NodoAvance)", game).choose(game.start())


def test_the_board_stands_as_players_see_it():
    rows = rows_of(find_game("onitama").start_state())
    assert ["".join(row) for row in rows] == ["bbBbb", ".....", ".....", ".....", "wwWww"]


def test_a_node_is_made_of_what_the_class_makes(tmp_path):
    file = tmp_path / "mio.py"
    file.write_text(
        "class Mio:\n    def __init__(self, estado, jugador=0):\n        self.estado, self.jugador = estado, jugador\n"
        "        self.peso = 4\n    def eval(self):\n        return self.peso\n"
        "class Otro:\n    def eval(self):\n        return self.estado[0][0] + self.jugador\n"
        "class Ajeno:\n    def eval(self, x):\n        return x\n"
    )
    found = load_file(file)
    assert list(found) == ["Mio", "Otro"]
    start = find_game("onitama").start()
    assert found["Mio"](start) == 4
    with pytest.raises(HeuristicError, match=r"mio.py:9: return self.estado.*\n.*TypeError"):
        found["Otro"](start)
