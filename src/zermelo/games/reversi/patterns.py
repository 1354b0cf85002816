"""What a learned table looks at: edges, corners, rows and diagonals, in four phases of the game; and the moves at hand.

The patterns are those of M. Buro's Logistello (Experiments with multi-ProbCut and a new high-quality evaluation
function for Othello, 1997). The images of a pattern under the board's eight symmetries share their entries.
"""

from zermelo.core import count, njit
from zermelo.evaluation.tables import CellTuples, add_board, table_entries, table_size
from zermelo.games.reversi.heuristics import move_counts
from zermelo.games.reversi.rules import MOST, ROW, Reversi


def squares(text: str) -> tuple[int, ...]:
    return tuple("abcdefgh".index(word[0]) + ROW * (int(word[1]) - 1) for word in text.split())


PATTERNS = (
    squares("b2 a1 b1 c1 d1 e1 f1 g1 h1 g2"),  # the edge, with both X squares
    squares("a1 b1 c1 a2 b2 c2 a3 b3 c3"),  # the corner, 3x3
    squares("a1 b1 c1 d1 e1 a2 b2 c2 d2 e2"),  # the corner, 2x5
    squares("a2 b2 c2 d2 e2 f2 g2 h2"),
    squares("a3 b3 c3 d3 e3 f3 g3 h3"),
    squares("a4 b4 c4 d4 e4 f4 g4 h4"),
    squares("a1 b2 c3 d4 e5 f6 g7 h8"),
    squares("a2 b3 c4 d5 e6 f7 g8"),
    squares("a3 b4 c5 d6 e7 f8"),
    squares("a4 b5 c6 d7 e8"),
    squares("a5 b6 c7 d8"),
)
PHASE_ENDS = (20, 34, 48)  # discs on the board
MOST_MOVES = 15


def images(cells: tuple[int, ...]) -> list[tuple[int, ...]]:
    """A pattern's images under the symmetries of the board, each once."""
    last = MOST - 1
    turns = [
        lambda x, y: (x, y),
        lambda x, y: (last - x, y),
        lambda x, y: (x, last - y),
        lambda x, y: (last - x, last - y),
    ]
    made: dict[frozenset[int], tuple[int, ...]] = {}
    for turn in turns:
        image = tuple(column + ROW * row for column, row in (turn(cell % ROW, cell // ROW) for cell in cells))
        made.setdefault(frozenset(image), image)
    for turn in turns:  # the same, mirrored on the diagonal
        image = tuple(column + ROW * row for column, row in (turn(cell // ROW, cell % ROW) for cell in cells))
        made.setdefault(frozenset(image), image)
    return list(made.values())


TUPLES = CellTuples([images(cells) for cells in PATTERNS], values=3)
FIRSTS, STEPS = TUPLES.firsts, TUPLES.steps
MOVE_ENTRIES = (MOST_MOVES + 1) ** 2
SIZE = TUPLES.size + MOVE_ENTRIES  # the entries of one phase


@njit
def phase_of(discs):
    phase = 0
    for end in PHASE_ENDS:
        phase += discs >= end
    return phase


@table_entries.of(Reversi)
def _(state, out):
    first = phase_of(count(state.mine | state.theirs)) * SIZE
    number = len(FIRSTS)
    for i in range(number):
        out[i] = FIRSTS[i] + first
    add_board(STEPS, state.mine, 1, out)
    add_board(STEPS, state.theirs, 2, out)
    mine, theirs = move_counts(state)
    moves = min(mine, MOST_MOVES) * (MOST_MOVES + 1) + min(theirs, MOST_MOVES)
    out[number] = first + (SIZE - MOVE_ENTRIES) + moves
    return number + 1


@table_size.of(Reversi)
def _(state):
    return SIZE * (len(PHASE_ENDS) + 1)
