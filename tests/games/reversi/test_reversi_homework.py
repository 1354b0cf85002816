"""Homework of the Reversi course plays as it was handed in: its values are those of the heuristics that we wrote."""

import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

from conftest import dose
from zermelo.check.positions import sample
from zermelo.core import Heuristic
from zermelo.core.searching import searching
from zermelo.errors import HeuristicError, PlainPythonWarning
from zermelo.games import find_game, find_heuristic, load_file
from zermelo.games.reversi.homework import TwoPlayerGameState, course_state
from zermelo.players import find_player
from zermelo.position import Position
from zermelo.rules import is_over, margin, moves_of, play, to_move

HANDED_IN = Path(__file__).parent / "handed_in" / "2301_p2_07_apellido_apellido.py"


@pytest.fixture(autouse=True)
def quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PlainPythonWarning)
        yield


@pytest.fixture(scope="module")
def handed_in() -> dict[str, Heuristic]:
    return load_file(HANDED_IN)


@pytest.fixture(scope="module")
def positions() -> list[Position]:
    found = sample(find_game("reversi"), dose(300, 12), seed=5)
    assert {to_move(position.state) for position in found} == {0, 1}
    return found


def ours(text: str, position: Position) -> float:
    return find_heuristic(text, find_game("reversi"))(position)


def written(tmp_path: Path, text: str, name: str = "solution.py") -> Path:
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    return file


# ------------------------------------------------------------------------------------------ values


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Fichas", "pieces"),
        ("Movilidad", "mobility"),
        ("Juntas", "pieces_mobility"),
        ("Final", "report"),
    ],
)
def test_the_same_values_as_ours(handed_in, positions, name, text):
    for position in positions:
        assert handed_in[name](position) == ours(text, position), position


def test_corners_corrected_and_as_printed(handed_in, positions):
    """Ours is in whole hundredths, and does not double corners and mobility as the report's last line does."""
    for position in positions:
        assert round(100 * handed_in["Esquinas"](position)) == pytest.approx(ours("corners", position), abs=1)
        doubled = ours("corners(corners=140, mobility=30, pieces=15)", position)
        assert 100 * handed_in["EsquinasImpresas"](position) == pytest.approx(doubled, abs=1)


def test_a_value_is_for_the_player_who_searches(handed_in, positions):
    """`64 - scores` is no zero-sum value: in a search it is that of the player at the root, also at odd depths."""
    for position in positions:
        mine = bin(position.state.mine).count("1")
        assert handed_in["Inversa"](position) == 64 - mine
        for move in moves_of(position.state)[:2]:
            child = play(position.state, move)
            with searching(position.state):
                assert handed_in["Inversa"](child) == -(64 - bin(child.theirs).count("1"))


@pytest.mark.parametrize("depth", [1, 2])
def test_searches_find_what_the_course_finds(handed_in, positions, depth):
    """Minimax as in the report's listing, whose values are always for MAX, but for ended games, which we know."""

    def listed(state, root, left):
        if is_over(state):
            return (2e6 + left) * np.sign(margin(state)) * (1 if to_move(state) == to_move(root) else -1)
        if left == 0:
            scores = course_state(state, int(to_move(root))).scores
            return 64 - scores[int(to_move(root))]
        values = [listed(play(state, move), root, left - 1) for move in moves_of(state)]
        return max(values) if to_move(state) == to_move(root) else min(values)

    for position in positions[: dose(40, 4)]:
        root = position.state
        values = {move: listed(play(root, move), root, depth - 1) for move in moves_of(root)}
        for kind in ("minimax", "alphabeta"):
            player = find_player(f"{kind}(depth={depth}, heuristic={HANDED_IN}:Inversa)", position.game)
            chosen = position.game.parse_move(position.state, player.choose(position))
            assert values[chosen] == max(values.values()), (position, kind)


@pytest.mark.parametrize("size", [(8, 8), (6, 6), (7, 5)])
def test_the_framework_knows_the_rules(size):
    game = find_game("reversi", columns=size[0], rows=size[1])
    for position in sample(game, dose(60, 5), seed=2):
        seen = course_state(position.state, 0)
        texts = {
            f"{'abcdefgh'[column - 1]}{row}"
            for column, row in seen.game._get_valid_moves(seen.board, seen.next_player.label)
        }
        assert (texts or {"pass"}) == set(position.moves)
        after = {frozenset(one.board.items()) for one in seen.game.generate_successors(seen)}
        assert after == {
            frozenset(course_state(play(position.state, move), 0).board.items()) for move in moves_of(position.state)
        }
        successor = seen.game.generate_successors(seen)[0]
        assert successor.parent is seen and successor.previous_player is seen.next_player
        assert successor.next_player is seen.game.opponent(seen.next_player)
        assert (seen.game.width, seen.game.height) == size
        assert not seen.end_of_game
        assert seen.clone().board == seen.board and seen.clone().is_player_max(seen.player1)
    end = position
    while not end.is_over:
        end = end.play(end.moves[0])
    assert course_state(end.state, 1).end_of_game
    assert isinstance(seen, TwoPlayerGameState)


# ------------------------------------------------------------------------------------------ files


def test_the_modules_of_the_course_exist_for_this_file_alone(handed_in, tmp_path):
    assert not {"game", "heuristic", "tournament", "reversi", "strategy"} & set(sys.modules)
    other = written(tmp_path, "import game\n", "other.py")
    with pytest.raises(HeuristicError, match="No module named 'game'"):
        load_file(other)


def test_a_file_beside_it_is_not_replaced(tmp_path):
    (tmp_path / "tournament.py").write_text("class StudentHeuristic:\n    mark = 7\n")
    (tmp_path / "ayuda.py").write_text("from game import TwoPlayerGameState\nvalor = 3\n")
    text = """
import tournament
from ayuda import valor
class Mia(tournament.StudentHeuristic):
    def evaluation_function(self, state):
        return self.mark * valor
"""
    assert load_file(written(tmp_path, text))["Mia"](find_game("reversi").start()) == 21


def test_what_students_write(tmp_path, capsys):
    """State of its own, prints, infinity, a name that is no text, classes that are only a base, a Windows file."""
    text = """\ufeffimport numpy as np
from tournament import StudentHeuristic
from heuristic import Heuristic, complex_evaluation_function
PESO = 3
class Base(StudentHeuristic):
    def ayuda(self, state):
        self.veces = getattr(self, "veces", 0) + 1
        print("evaluando")
        return PESO
class Gana(Base):
    def get_name(self):
        return 5
    def evaluation_function(self, state):
        return self.ayuda(state) * (np.inf if state.is_player_max(state.next_player) else -np.inf)
class Otra(Base):
    @staticmethod
    def evaluation_function(state):
        return np.float32(2.5)
class Ajena(StudentHeuristic):
    evaluation_function = lambda self, state: complex_evaluation_function(state)
class Hueco:
    pass
""".replace("\n", "\r\n")
    found = load_file(written(tmp_path, text))
    assert list(found) == ["Gana", "Otra", "Ajena"]
    start = find_game("reversi").start()
    assert (found["Gana"](start), found["Otra"](start), found["Ajena"](start)) == (10**9, 2.5, -4)
    assert "evaluando" in capsys.readouterr().out


WRONG = {
    "    def evaluation_fucntion(self, state):\n        return 1\n": (
        2,
        "Mala has no method evaluation_function; did you mean evaluation_fucntion?; "
        "write def evaluation_function(self, state):",
    ),
    "    pass\n": (2, "Mala has no method evaluation_function; write def evaluation_function(self, state):"),
    "    def evaluation_function(self):\n        return 1\n": (
        2,
        "evaluation_function must take one state; write def evaluation_function(self, state):",
    ),
    "    def evaluation_function(self, state):\n        x = 1\n        return state.bord\n": (
        5,
        "Mala failed: TwoPlayerGameState has no 'bord'; did you mean board?",
    ),
    "    def evaluation_function(self, state):\n        x = 1\n        return 'bien'\n": (
        5,
        "Mala failed: it returned 'bien'; a value must be a number",
    ),
    "    def evaluation_function(self, state):\n        if state.end_of_game:\n            return 1\n": (
        4,
        "Mala failed: it returned None; a value must be a number (does the function end without a return?)",
    ),
    "    def evaluation_function(self, state):\n        return state.parent.board\n": (
        4,
        "Mala failed: AttributeError: the lab does not know the moves before a position, so state.parent has no value",
    ),
    "    def __init__(self, peso):\n        pass\n    def evaluation_function(self, state):\n        return 1\n": (
        2,
        "Mala.__init__() missing 1 required positional argument: 'peso'",
    ),
    "    def __init__(self):\n        self.x = 1 / 0\n    def evaluation_function(self, state):\n        return 1\n": (
        4,
        "ZeroDivisionError: division by zero",
    ),
}


@pytest.mark.parametrize("body", WRONG)
def test_what_is_wrong_is_told_with_its_line(tmp_path, body):
    line, told = WRONG[body]
    file = written(tmp_path, f"from tournament import StudentHeuristic\nclass Mala(StudentHeuristic):\n{body}")
    with pytest.raises(HeuristicError) as error:
        load_file(file)["Mala"](find_game("reversi").start())
    text = str(error.value).replace(" in the position " + str(find_game("reversi").start()), "")
    assert text.startswith(f"{file}:{line}: "), text
    assert told in text
    assert len(text.splitlines()) <= 3


def test_a_failure_that_depends_on_who_searches_is_told_with_its_line(tmp_path):
    text = """
from tournament import StudentHeuristic
class Mala(StudentHeuristic):
    def evaluation_function(self, state):
        if not state.is_player_max(state.next_player):
            return state.bord
        return 1
"""
    file = written(tmp_path, text)
    game = find_game("reversi")
    with pytest.raises(HeuristicError) as error:
        find_player(f"alphabeta(depth=1, heuristic={file}:Mala)", game).choose(game.start())
    assert str(error.value).startswith(f"{file}:6: return state.bord\n")


def test_programs_of_the_course_are_not_here(tmp_path):
    text = """
from tournament import StudentHeuristic, Tournament
class Mala(StudentHeuristic):
    def evaluation_function(self, state):
        return Tournament(max_depth=3)
"""
    with pytest.raises(HeuristicError, match="Tournament belongs to the course's own programs"):
        load_file(written(tmp_path, text))["Mala"](find_game("reversi").start())
    missing = text.replace("Tournament\n", "Torneo\n")
    with pytest.raises(HeuristicError, match="cannot import name 'Torneo'"):
        load_file(written(tmp_path, missing))
