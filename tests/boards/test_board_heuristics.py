"""Heuristics that are given boards: as students write them, and as they were written for version 0.1, with bits."""

import copy
import pickle
from typing import ClassVar

import pytest

import zermelo as z
from conftest import dose
from zermelo.boards import Board, attribute
from zermelo.core import JIT, Heuristic
from zermelo.core.state import annotated_boards, annotated_classes
from zermelo.errors import HeuristicError
from zermelo.evaluation.features import features
from zermelo.games import find_game, load_file
from zermelo.games.connect4 import Connect4 as Connect4State
from zermelo.games.reversi import Reversi as ReversiState
from zermelo.games.reversi import ReversiBoard
from zermelo.position import random_playout
from zermelo.rules import is_over, play, to_move

MIDDLE = """
import zermelo as z

@z.heuristic
def loop(board: z.Connect4):
    score = 0.0
    for row in range(board.rows):
        for column in range(board.columns):
            if board[row, column] == z.MINE:
                score += 3 - abs(column - 3)
            elif board[row][column] == z.THEIRS:
                score -= 3 - abs(column - 3)
    return score

TWO_COLUMNS = z.cells("c1-c6") | z.cells("e1-e6")

@z.heuristic(weights={"middle": 3})
def sets(board: z.Connect4, w):
    value = w[0] * (len(board.mine & z.cells("d1-d6")) - len(board.theirs & z.cells("d1-d6")))
    value += 2 * (len(board.mine & TWO_COLUMNS) - len(TWO_COLUMNS & board.theirs))
    return value + len(board.mine & z.cells("b1-b6 f1-f6")) - len(board.theirs & z.cells("b1-b6 f1-f6"))
"""


def found(tmp_path, text):
    file = tmp_path / "mine.py"
    file.write_text(text, encoding="utf-8")
    return load_file(file)


def positions(game, number):
    return [random_playout(find_game(game).start(), seed, seed % 40) for seed in range(number)]


def test_a_loop_and_sets_say_the_same(tmp_path):
    known = found(tmp_path, MIDDLE)
    for position in positions("connect4", dose(100, 20)):
        assert known["loop"](position) == known["sets"](position)
        assert known["sets"](position) == known["sets"](position.as_board())


def test_a_search_gives_boards_to_the_heuristic(tmp_path):
    loop = found(tmp_path, MIDDLE)["loop"]
    position = find_game("connect4").position("4453")
    assert z.alphabeta(loop, depth=dose(5, 2)).choose(position) in position.moves


def test_annotations_name_the_states_of_all_sizes():
    assert annotated_classes(z.Reversi) == (ReversiState, ReversiBoard)
    assert annotated_boards(z.Reversi) == {ReversiState: z.Reversi, ReversiBoard: z.Reversi}
    assert annotated_boards(ReversiState | ReversiBoard) == {}
    assert annotated_classes(z.Reversi | z.Connect4) == (ReversiState, ReversiBoard, Connect4State)
    assert annotated_classes(z.Reversi | int) == ()


def test_one_heuristic_for_boards_of_two_games():
    def more(board: z.Reversi | z.Connect4):
        return len(board.mine) - len(board.theirs)

    heuristic = z.heuristic(more)
    for game in ("reversi", "reversi(columns=6, rows=6)", "connect4"):
        position = random_playout(find_game(game).start(), 5, 9)
        assert heuristic(position) == len(position.as_board().mine) - len(position.as_board().theirs)


def test_an_index_outside_the_board_names_the_line_and_the_position(tmp_path):
    text = "import zermelo as z\n@z.heuristic\ndef wrong(board: z.Connect4):\n    return board[board.rows, 0]\n"
    wrong = found(tmp_path, text)["wrong"]
    with pytest.raises(
        HeuristicError, match=r"mine.py:4: return board.board.rows, 0.\n.*position 44: .*outside the board"
    ):
        wrong(find_game("connect4").position("44"))


def test_a_wrong_name_is_answered_by_the_names_that_are_for_users(tmp_path):
    text = "import zermelo as z\n@z.heuristic\ndef wrong(board: z.Connect4):\n    return board.middle\n"
    with pytest.raises(
        HeuristicError, match=r"has no 'middle'.*\(it has cells, columns, empty, grid, is_over, landing, mine, "
    ):
        found(tmp_path, text)["wrong"](find_game("connect4").position("44"))


# ------------------------------------------------------------------------------------------ as in version 0.1

OLD = {
    "connect4": [
        """
@z.heuristic(weights={"middle": 3, "together": 1})
def mine(state: STATE, w):
    theirs, value = state.mine ^ state.stones, 0.0
    for step in (1, 7, 8, 9):
        along = np.uint64(step)
        value += w[1] * (z.count(state.mine & state.mine >> along) - z.count(theirs & theirs >> along))
    middle = np.uint64(0x3F) << np.uint64(24)
    return value + w[0] * (z.count(state.mine & middle) - z.count(theirs & middle))
""",
        """
MIDDLE = np.uint64(sum(1 << 8 * 3 + row for row in range(6)))
INNER = np.uint64(sum(1 << 8 * column + row for column in (2, 3, 4) for row in range(6)))

@z.heuristic(weights={"middle": 3, "inner": 1})
def mine(state: STATE, w):
    theirs = state.mine ^ state.stones
    middle = z.count(state.mine & MIDDLE) - z.count(theirs & MIDDLE)
    inner = z.count(state.mine & INNER) - z.count(theirs & INNER)
    return w[0] * middle + w[1] * inner
""",
        """
BOTTOM_ROW = np.uint64(sum(1 << 8 * column for column in range(8)))

@z.njit
def stones_in(board, row):
    return z.count(board & (BOTTOM_ROW << np.uint64(row)))

@z.heuristic(weights={"bottom": 5, "second": 2})
def mine(state: STATE, w):
    theirs = state.mine ^ state.stones
    return w[0] * (stones_in(state.mine, 0) - stones_in(theirs, 0)) + w[1] * (
        stones_in(state.mine, 1) - stones_in(theirs, 1)
    )
""",
        """
@z.heuristic
def mine(state: STATE):
    free, value = state.board & ~state.stones, 0
    left = free & state.stones << z.bit(0)
    while left:
        value += z.lowest(left) % 8
        left = z.without_lowest(left)
    return value + z.highest(free)
""",
    ],
    "reversi": [
        """
CORNERS = z.bit(0) | z.bit(7) | z.bit(56) | z.bit(63)

@z.heuristic(weights={"corner": 20, "disc": -1})
def mine(state: STATE, w):
    corners = z.count(state.mine & CORNERS) - z.count(state.theirs & CORNERS)
    discs = z.count(state.mine) - z.count(state.theirs)
    return w[0] * corners + w[1] * discs + state.player
""",
        """
from zermelo.core.scratch import scratch
from zermelo.games.reversi import Reversi
from zermelo.rules import legal_moves

@z.njit
def moves_of(mine, theirs, room):
    return legal_moves(Reversi(mine, theirs, 0), room, 0)

@z.heuristic
def mine(state: STATE):
    room = scratch(64, np.int32)
    return moves_of(state.mine, state.theirs, room) - moves_of(state.theirs, state.mine, room)
""",
    ],
    "tictactoe": [
        """
MIDDLE = z.bit(4)

@z.heuristic
def mine(state: STATE):
    return z.count(state.mine & MIDDLE) - z.count(state.theirs & MIDDLE)
""",
        """
LINES = (0b000_000_111, 0b111_000_000, 0b100_010_001)

@z.heuristic
def mine(state: STATE):
    value = 0
    for line in LINES:
        if state.theirs & np.uint64(line) == np.uint64(0):
            value += 1
        if not state.mine & line:
            value -= 1
    return value
""",
    ],
}
CASES = [(game, text) for game, texts in OLD.items() for text in texts]


@pytest.mark.parametrize(("game", "text"), CASES, ids=[f"{game}{number}" for number, (game, _) in enumerate(CASES)])
def test_bits_as_in_version_0_1_work_on_boards(tmp_path, game, text):
    state = {"connect4": "Connect4", "reversi": "Reversi", "tictactoe": "TicTacToe"}[game]
    head = f"import numpy as np\nimport zermelo as z\nfrom zermelo.games.{game}.rules import {state} as State\n"
    old: Heuristic = found(tmp_path, head + text.replace("STATE", "State"))["mine"]
    values = [old(position) for position in positions(game, dose(60, 15))]
    new = found(tmp_path, head + text.replace("STATE", f"z.{state}"))["mine"]
    assert [new(position) for position in positions(game, dose(60, 15))] == values
    assert len(set(values)) > 1


def test_features_are_given_boards_too():
    @features("middle", "moves")
    def seen(board: z.Connect4, out):
        out[0] = len(board.mine & z.cells("d1-d6"))
        out[1] = len(board.moves())

    assert seen(find_game("connect4").position("44")) == {"middle": 1, "moves": 7}


def test_heuristics_of_boards_and_of_states_call_each_other(tmp_path):
    text = """
import zermelo as z
from zermelo.games.connect4.heuristics import lines2
from zermelo.games.connect4.rules import Connect4
from zermelo.rules import is_over, play, to_move

@z.heuristic(weights=lines2.weights)
def with_lines(board: z.Connect4, w):
    return lines2(board, w) + 100 * len(board.mine)

@z.heuristic
def half(board: z.Connect4):
    return len(board.mine) / 2 + 10 * to_move(board) + is_over(board) + z.count(play(board, 3).mine)

@z.heuristic
def of_state(state: Connect4):
    return half(state) + z.count(state.mine)
"""
    known = found(tmp_path, text)
    for position in positions("connect4", dose(20, 5)):
        board, state = position.as_board(), position.state
        lines2 = find_game("connect4").heuristics["lines2"]
        assert known["with_lines"](position) == lines2(position) + 100 * len(board.mine)
        moved = z.count(play(state, 3).mine)
        half = len(board.mine) / 2 + 10 * int(to_move(state)) + bool(is_over(state)) + moved
        assert known["half"](position) == half
        assert known["of_state"](position) == half + len(board.mine)


def test_code_in_the_cache_knows_the_names_of_the_cells(tmp_path):
    text = """
import zermelo as z
CHOSEN = z.cells("CELLS")

@z.heuristic
def chosen(board: z.Connect4):
    return len(board.empty & CHOSEN)
"""
    start = find_game("connect4").start()
    for cells, number in (("a1-a6", 6), ("b2", 1), ("a1-a6", 6)):
        assert found(tmp_path, text.replace("CELLS", cells))["chosen"](start) == number


class Placing(Board):
    """A board of tic-tac-toe on which `targets` is an attribute; on those of Reversi it is a method."""

    layouts: ClassVar = {cls: copy.copy(layout) for cls, layout in z.TicTacToe.layouts.items()}

    @attribute
    def targets(board):  # noqa: N805
        return len(board.empty)


def test_a_name_is_an_attribute_in_one_game_and_a_method_in_another():
    @z.heuristic(of=Placing)
    def places(board):
        return board.targets

    @z.heuristic
    def mobility(board: z.Reversi):
        return len(board.targets(z.MINE))

    assert places(z.game("tictactoe").position("a1")) == 8
    assert mobility(z.game("reversi").start()) == 4
    kind = z.Reversi.numba(type(z.game("reversi").start().state)) if JIT else None
    assert pickle.loads(pickle.dumps(kind)) is kind


NAMES = """
import zermelo as z

EDGE = z.cells("a1-a4 d1-d4")
CORNERS = z.cells("a1 a4 d1 d4")
SIDES = (EDGE - CORNERS) | (z.cells("b1") ^ z.cells("b1 c1")) & ~z.cells("d3")

@z.heuristic(compiled=True)
def of_sets(board: z.GAME):
    inside = ~EDGE
    some = board.empty & SIDES | board.mine & inside & ~CORNERS
    return len(some) + 100 * len(board.cells() & (~CORNERS - ~EDGE)) + 10000 * len(inside & board.cells())
"""


@pytest.mark.parametrize("game", ["connect4", "reversi(4, 4)", "hex(size=4)", "onitama"])
def test_names_of_cells_combine_before_they_meet_a_board(game, tmp_path):
    (tmp_path / "names.py").write_text(NAMES.replace("GAME", find_game(game).start().as_board().__class__.__name__))
    found = load_file(tmp_path / "names.py")["of_sets"]
    start = find_game(game).start()
    every = start.as_board().cells()
    edge, corners = every & z.cells("a1-a4 d1-d4"), every & z.cells("a1 a4 d1 d4")
    sides = (edge - corners) | (every & z.cells("c1")) - z.cells("d3")
    board = start.as_board()
    some = board.empty & sides | board.mine & (every - edge) - corners
    wanted = len(some) + 100 * len(edge - corners) + 10000 * len(every - edge)
    assert found(start) == found.as_python(start.state) == wanted


def test_names_of_cells_print_as_they_are_written():
    names = ~(z.cells("a1") - z.cells("b1-b3"))
    assert repr(names) == "~(cells('a1') - cells('b1-b3'))"
    for use in (len, list, lambda one: one.neighbours(), lambda one: one.shift(1, 0)):
        with pytest.raises(TypeError, match="names cells of no board yet"):
            use(names)
