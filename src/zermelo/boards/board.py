"""Boards as Python code sees them. In compiled code a board is the same words around a state, and costs nothing."""

import functools
from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar

import numpy as np

from zermelo.boards.cell_sets import AllCells, CellSet, drawn
from zermelo.boards.layout import Frame, Layout, frame_of, plain
from zermelo.core import JIT, njit
from zermelo.core.parts import part_of
from zermelo.core.state import BoardMeta, class_of
from zermelo.language import _, marked
from zermelo.rules import is_over, moves_of, play

MINE, THEIRS, EMPTY = 1, -1, 0

OUTSIDE = marked(
    "this cell is outside the board: rows count from 0 to board.rows - 1, and columns from 0 to board.columns - 1"
)
NO_SUCH_MOVE = marked("there are not so many legal moves: len(board.moves()) says how many there are")
NO_CELLS = marked("boards of this game have no rows, columns and cells")
NOT_A_MOVE = marked("board.play() takes one of board.moves()")


class Move:
    """A legal move of a board. It prints as the game writes it; `board.play(move)` plays it."""

    __slots__ = ("board_class", "code", "state_class", "text")

    def __init__(self, code: int, text: str, board_class: Any, state_class: Any):
        self.code, self.text, self.board_class, self.state_class = code, text, board_class, state_class

    def __eq__(self, other: object) -> bool:
        return self.code == other.code if isinstance(other, Move) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.code)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<move {self.text}>"


class Moves:
    """The legal moves of a board: they have a length, can be counted off with [0], [1], ... and looped over."""

    __slots__ = ("_moves",)

    def __init__(self, moves: list[Move]):
        self._moves = moves

    def __len__(self) -> int:
        return len(self._moves)

    def __getitem__(self, number: int) -> Move:
        if not -len(self) <= number < len(self):
            raise IndexError(NO_SUCH_MOVE)
        return self._moves[number]

    def __iter__(self) -> Iterator[Move]:
        return iter(self._moves)

    def __repr__(self) -> str:
        return f"<moves {' '.join(map(str, self._moves))}>"


class Row:
    """One row of a board: row[column] is MINE, THEIRS or EMPTY."""

    __slots__ = ("values",)

    def __init__(self, values: list[int]):
        self.values = values

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, column: int) -> int:
        if column < 0 or column >= len(self.values):
            raise IndexError(OUTSIDE)
        return self.values[column]

    def __iter__(self) -> Iterator[int]:
        return iter(self.values)

    def __repr__(self) -> str:
        return repr(self.values)


class attribute(property):  # noqa: N801 - a decorator
    """Makes an attribute of a game's board of a function of the board. Compiled code has it too."""

    @functools.cached_property
    def compiled(self) -> Any:
        return njit(self.fget)


class method:  # noqa: N801 - a decorator
    """Makes a method of a game's board of a function of the board and other arguments. Compiled code has it too."""

    def __init__(self, function: Any):
        self.function = function
        self.__doc__ = function.__doc__

    @functools.cached_property
    def compiled(self) -> Any:
        return njit(self.function)

    def digested(self) -> Any:
        """What compiled code is made from (see core/digest.py)."""
        return self.function

    def __get__(self, board: Any, owner: Any = None) -> Any:
        return self if board is None else self.function.__get__(board, owner)


class Board(metaclass=BoardMeta):
    """A position as a person sees it: cells, sets of cells and moves.

    Cells are numbers: MINE is 1, THEIRS is -1 and EMPTY is 0, as the player to move sees them. Rows and columns count
    from 0, from the top left of the board as it is printed.

        board[row, column], board[row][column]      what is on a cell
        board.rows, board.columns                   the size
        board.cells()                               all cells (row, column), row by row
        board.grid()                                the board as a small array of NumPy
        board.mine, board.theirs, board.empty       sets of cells
        board.moves(), board.play(move)             the legal moves; the board after one, seen by whoever moves next
        board.is_over                               has the game ended?
        board.state                                 the state, for those who want its bits
    """

    layouts: ClassVar[Mapping[type, Layout]] = {}
    """The layout of each class of states that the game has."""

    _for_programs: ClassVar[tuple[str, ...]] = ("frame", "layouts", "members", "numba")
    """Names that explanations of mistakes do not offer to users."""

    __slots__ = ("_text_of", "_values", "frame", "state")

    @classmethod
    def numba(cls, state_class: Any) -> Any:
        """The Numba type of boards around states of a class."""
        from zermelo.boards.compiled_types import BoardType  # here, since only compiled code needs it

        return BoardType(cls, state_class)

    def __init_subclass__(cls) -> None:
        for state_class, layout in cls.layouts.items():
            layout.belong(cls, state_class)
        if JIT and cls.layouts:
            from zermelo.boards.compiled_boards import expose  # here, since it imports this module

            expose(cls)

    @classmethod
    def members(cls) -> dict[str, Any]:
        """The attributes and methods that the class adds to what all boards have."""
        return {name: member for name, member in vars(cls).items() if isinstance(member, (attribute, method))}

    def __init__(self, state: Any, text_of: Callable[[Any, int], str] | None = None):
        """text_of: how the game writes a move of a state, if that is known; the board's own `move_text` otherwise."""
        self.state, self._text_of = state, text_of
        layout = self.layouts[class_of(state)]
        self.frame: Frame = frame_of(layout, tuple(map(np.uint64, plain(layout.grid)(state))))
        self._values: list[list[int]] | None = None

    # -------------------------------------------------------------------------------- cells

    @property
    def rows(self) -> int:
        """The number of rows."""
        return self.frame.rows

    @property
    def columns(self) -> int:
        """The number of columns."""
        return self.frame.columns

    def _grid(self) -> list[list[int]]:
        """The values of all cells, found once."""
        if self._values is None:
            frame, value = self.frame, plain(self.frame.layout.value)
            if value is None:
                mine, theirs, places = self.mine.mask, self.theirs.mask, frame.places
                found = {cell: (mine >> places[cell] & 1) - (theirs >> places[cell] & 1) for cell in frame.cells}
            else:
                found = {cell: int(value(self.state, *cell)) for cell in frame.cells}
            self._values = [[found[row, column] for column in range(frame.columns)] for row in range(frame.rows)]
        return self._values

    def __getitem__(self, where: Any) -> Any:
        row, column = where if isinstance(where, tuple) else (where, None)
        if row < 0 or row >= self.frame.rows:
            raise IndexError(OUTSIDE)
        values = self._grid()[row]
        if column is None:
            return Row(values)
        if column < 0 or column >= self.frame.columns:
            raise IndexError(OUTSIDE)
        return values[column]

    def __len__(self) -> int:
        return self.frame.rows

    def __iter__(self) -> Iterator[Row]:
        return map(Row, self._grid())

    def cells(self) -> AllCells:
        """All cells, as (row, column); a loop goes through them row by row."""
        return AllCells(self.frame)

    def grid(self) -> np.ndarray[Any, np.dtype[np.int8]]:
        """The whole board as an array of NumPy: grid[row, column] is what is on a cell."""
        return np.array(self._grid(), np.int8)

    # -------------------------------------------------------------------------------- sets

    def _set(self, words: Any) -> CellSet:
        return CellSet(self.frame, self.frame.mask_of(words))

    @property
    def mine(self) -> CellSet:
        """The cells with men of the player to move."""
        return self._set(plain(self.frame.layout.mine)(self.state))

    @property
    def theirs(self) -> CellSet:
        """The cells with men of the other player."""
        return self._set(plain(self.frame.layout.theirs)(self.state))

    @property
    def empty(self) -> CellSet:
        """The cells with no men."""
        return CellSet(self.frame, ~(self.mine.mask | self.theirs.mask))

    def __getattr__(self, name: str) -> Any:
        """A field of the state; as a set of cells, if it is one."""
        if name.startswith("_") or name in ("state", "frame"):
            raise AttributeError(name)
        function = self.frame.layout.sets.get(name)
        if function is not None:
            return self._set(plain(function)(self.state))
        if name not in self.state._fields:
            raise AttributeError(f"a {type(self).__name__} board has no {name!r}")
        return getattr(self.state, name)

    # -------------------------------------------------------------------------------- moves

    def move_text(self, code: int) -> str:
        """The text of a legal move that is given by its code."""
        return str(code)

    def moves(self) -> Moves:
        """The legal moves; none once the game is over."""
        written = self.move_text if self._text_of is None else functools.partial(self._text_of, self.state)
        return Moves([Move(code, written(code), type(self), class_of(self.state)) for code in moves_of(self.state)])

    def play(self, move: Move) -> Any:
        """The board after one of its moves, seen by the player who moves next."""
        if not isinstance(move, Move) or move.state_class is not class_of(self.state):
            raise TypeError(NOT_A_MOVE)
        return type(self)(play(self.state, move.code), self._text_of)

    @property
    def is_over(self) -> bool:
        """Has the game ended?"""
        return bool(is_over(self.state))

    # -------------------------------------------------------------------------------- to look at

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.state == other.state

    def __hash__(self) -> int:
        return hash(self.state)

    def __repr__(self) -> str:
        marks = {0: ".", 1: "x", -1: "o", 2: "X", -2: "O"}
        values = self._grid()
        told = _("{name} board, x: mine, o: theirs").format(name=type(self).__name__)
        return f"{told}\n{drawn(self.frame, lambda row, column: marks[values[row][column]])}"


def _without_cells(board: Any, *_: Any) -> Any:
    raise AttributeError


class BoardWithoutCells(Board):
    """A position of a game that has no rows and columns: moves, and what the game adds."""

    __slots__ = ()

    rows = columns = mine = theirs = empty = cells = grid = property(_without_cells)

    def __getitem__(self, where: Any = None) -> Any:
        raise TypeError(NO_CELLS)

    __len__ = __iter__ = __getitem__

    def __repr__(self) -> str:
        return f"<{type(self).__name__} board {self.state}>"


def set_of(board_class: Any, state_class: Any, grid: Any, words: Any) -> CellSet:
    """The set of cells that compiled code gives back."""
    frame = frame_of(board_class.layouts[state_class], tuple(map(np.uint64, grid)))
    return CellSet(frame, frame.mask_of(words))


def board_classes(package: str) -> list[Any]:
    """The classes of boards in the module `board` of a game's package."""
    module = part_of(package, "board")
    if module is None:
        return []
    found = [value for value in vars(module).values() if isinstance(value, BoardMeta)]
    return [cls for cls in found if cls.__module__ == module.__name__]


def board_class_of(state_class: type) -> Any:
    """The class of boards around states of a class; None if their game has none."""
    package = state_class.__module__.rpartition(".")[0]
    return next((cls for cls in board_classes(package) if state_class in cls.layouts), None)
