"""Sets of cells as Python code sees them: `board.mine & z.cells("d1-d6")`."""

from collections.abc import Callable, Iterator
from typing import Any, SupportsInt

import numpy as np

from zermelo.boards.layout import Frame, combined, complement, parts_of
from zermelo.language import marked, ngettext

Cell = tuple[int, int]
"""A row and a column, both counted from 0, from the top left of the printed board."""

NO_ARITHMETIC = marked(
    "sets of cells cannot be added or multiplied: write .bits for their bits, or len() for their number"
)
NO_BOARD_YET = marked("z.cells(...) names cells of no board yet: write board.mine & z.cells(...), for example")


class NamedCells:
    """The cells that a text names, in the notation of whichever game's board they meet."""

    def __init__(self, text: str):
        self.text = text

    def _combined(self, sign: str, other: Any) -> Any:
        return NamedCells(combined(self.text, sign, other.text)) if isinstance(other, NamedCells) else NotImplemented

    def __or__(self, other: Any) -> Any:
        return self._combined("|", other)

    def __and__(self, other: Any) -> Any:
        return self._combined("&", other)

    def __sub__(self, other: Any) -> Any:
        return self._combined("-", other)

    def __xor__(self, other: Any) -> Any:
        return self._combined("^", other)

    def __invert__(self) -> "NamedCells":
        return NamedCells(complement(self.text))

    def __eq__(self, other: object) -> bool:
        return self.text == other.text if isinstance(other, NamedCells) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.text)

    def __len__(self) -> int:
        raise TypeError(NO_BOARD_YET)

    def __iter__(self) -> Iterator[Cell]:
        raise TypeError(NO_BOARD_YET)

    def __contains__(self, cell: Cell) -> bool:
        raise TypeError(NO_BOARD_YET)

    def shift(self, rows: int, columns: int) -> Any:
        raise TypeError(NO_BOARD_YET)

    def neighbours(self) -> Any:
        raise TypeError(NO_BOARD_YET)

    def __repr__(self) -> str:
        first, sign, second = parts_of(self.text)
        if sign == "~":
            return f"~{NamedCells(first)!r}"
        return f"({NamedCells(first)!r} {sign} {NamedCells(second)!r})" if sign else f"cells({self.text!r})"

    def digested(self) -> str:
        """What compiled code takes from it (see core/digest.py)."""
        return self.text


def cells(text: str) -> NamedCells:
    """The cells that a text names, as in `board.mine & z.cells("a1 h1 a8 h8")` or `z.cells("d1-d6")`.

    Cells are named as the game names them; a range runs along a row, a column or a diagonal. They become a set as soon
    as they meet a board or a set of cells. Names that are beyond a smaller board of the game are left out.
    """
    return NamedCells(text)


class CellSet:
    """A set of cells of a board.

    >>> import zermelo as z
    >>> board = z.game("connect4").position("4453").as_board()
    >>> len(board.mine), (5, 3) in board.mine, list(board.mine & z.cells("d1-d6"))
    (2, True, [(5, 3)])

    Operators: `& | ^ - ~ in == != <= >=`, `len()`, `bool()`, and a loop over it gives (row, column).
    `.shift(rows, columns)` moves all cells down and to the right, and `.neighbours()` are the cells next to them.
    `.bits` is the set as a 64-bit number, for when every nanosecond counts. A number in place of a set means the set
    of its bits.
    """

    __slots__ = ("frame", "mask")

    __array_ufunc__ = None  # an operator between a number of NumPy and a set is the set's

    def __init__(self, frame: Frame, mask: int):
        self.frame = frame
        self.mask = mask & frame.all

    def _other(self, other: Any) -> int | None:
        """The cells of another set, of names or of a number, as a whole number; None for anything else."""
        if isinstance(other, CellSet):
            return other.mask
        if isinstance(other, NamedCells):
            return self.frame.named(other.text)
        if isinstance(other, (int, np.integer)):
            return int(other)
        return None

    def _with(self, mask: int) -> "CellSet":
        return CellSet(self.frame, mask)

    def __and__(self, other: Any) -> Any:
        mask = self._other(other)
        return NotImplemented if mask is None else self._with(self.mask & mask)

    def __or__(self, other: Any) -> Any:
        mask = self._other(other)
        return NotImplemented if mask is None else self._with(self.mask | mask)

    def __xor__(self, other: Any) -> Any:
        mask = self._other(other)
        return NotImplemented if mask is None else self._with(self.mask ^ mask)

    __rand__, __ror__, __rxor__ = __and__, __or__, __xor__

    def __sub__(self, other: Any) -> Any:
        if isinstance(other, (int, np.integer)):
            raise TypeError(NO_ARITHMETIC)
        mask = self._other(other)
        return NotImplemented if mask is None else self._with(self.mask & ~mask)

    def __rsub__(self, other: Any) -> Any:
        if isinstance(other, NamedCells):
            return self._with(self.frame.named(other.text) & ~self.mask)
        raise TypeError(NO_ARITHMETIC)

    def __invert__(self) -> "CellSet":
        return self._with(~self.mask)

    def __lshift__(self, step: SupportsInt) -> "CellSet":
        return self._with(self.mask << int(step) & (1 << 64 * self.frame.layout.words) - 1)

    def __rshift__(self, step: SupportsInt) -> "CellSet":
        return self._with(self.mask >> int(step))

    def _no_arithmetic(self, other: Any = None) -> Any:
        raise TypeError(NO_ARITHMETIC)

    __add__ = __radd__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __floordiv__ = __mod__ = _no_arithmetic
    __neg__ = __pos__ = __abs__ = _no_arithmetic

    def __eq__(self, other: object) -> bool:
        mask = self._other(other)
        return NotImplemented if mask is None else self.mask == mask & self.frame.all

    def __le__(self, other: Any) -> bool:
        mask = self._other(other)
        return NotImplemented if mask is None else self.mask & ~mask == 0

    def __ge__(self, other: Any) -> bool:
        mask = self._other(other)
        return NotImplemented if mask is None else mask & self.frame.all & ~self.mask == 0

    def __hash__(self) -> int:
        return hash(self.mask)

    def __len__(self) -> int:
        return self.mask.bit_count()

    def __bool__(self) -> bool:
        return self.mask != 0

    def __int__(self) -> int:
        return self.mask

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        """The bits, so that `np.uint64(cells)` and a state made of sets work."""
        return np.array(self.bits, dtype)

    def __contains__(self, cell: Any) -> bool:
        row, column = cell
        place = self.frame.places.get((row, column))
        return place is not None and bool(self.mask >> place & 1)

    def __iter__(self) -> Iterator[Cell]:
        rest = self.mask
        while rest:
            yield self.frame.cell_at[(rest & -rest).bit_length() - 1]
            rest &= rest - 1

    def shift(self, rows: int, columns: int) -> "CellSet":
        """The set moved down by so many rows and to the right by so many columns; what leaves the board is lost."""
        places = self.frame.places
        moved = (places.get((row + rows, column + columns)) for row, column in self)
        return self._with(sum(1 << place for place in moved if place is not None))

    def neighbours(self) -> "CellSet":
        """The cells next to a cell of the set, in the sense of the game.

        A cell of the set is among them if another cell of the set is next to it.
        """
        reached = self._with(0)
        for rows, columns in self.frame.layout.steps:
            reached |= self.shift(rows, columns)
        return reached

    @property
    def bits(self) -> Any:
        """The set as a 64-bit number, np.uint64; on boards that need several of them, a tuple."""
        return self.words[0] if self.frame.layout.words == 1 else self.words

    @property
    def words(self) -> tuple[np.uint64, ...]:
        """The set as a tuple of 64-bit numbers."""
        return self.frame.words_of(self.mask)

    @property
    def grid(self) -> tuple[Any, ...]:
        """What the size of its board depends on."""
        return self.frame.grid

    def __repr__(self) -> str:
        told = ngettext("a set of {number} cell", "a set of {number} cells", len(self)).format(number=len(self))
        return f"{told}\n{drawn(self.frame, lambda row, column: 'x' if (row, column) in self else '.')}"


def drawn(frame: Frame, mark: Callable[[int, int], str]) -> str:
    """A mark for each cell, with the numbers of the rows and the columns."""
    width = len(str(max(frame.rows, frame.columns) - 1))
    lines = [" " * width + "  " + " ".join(f"{column:>{width}}" for column in range(frame.columns))]
    for row in range(frame.rows):
        marks = " ".join(f"{mark(row, column):>{width}}" for column in range(frame.columns))
        lines.append(f"{row:>{width}}  {marks}")
    return "\n".join(lines)


class AllCells(CellSet):
    """All cells of a board, as `board.cells()` gives them. A loop goes through them as one reads, row by row."""

    __slots__ = ()

    def __init__(self, frame: Frame):
        super().__init__(frame, frame.all)

    def __iter__(self) -> Iterator[Cell]:
        return iter(self.frame.cells)
