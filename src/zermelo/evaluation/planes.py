"""Positions and moves as arrays, for learning frameworks: the numbers that describe a position, and numbered actions.

A game says in its module `planes` how its positions are laid out (`layout`), and its compiled functions write the
numbers (`write_planes`) and number the moves (`action_of`). For a game that has no such module, a position is the bits
of the fields of its state, and the actions are the legal moves in their order.
"""

import functools
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt
from numba import float32, int8, int32, int64

from zermelo.core import class_of, compiled, generic, njit
from zermelo.core.parts import part_of
from zermelo.errors import IllegalMoveError, PositionError
from zermelo.rules import legal_moves, moves_of, play, to_move

MOST_MOVES = 1024
"""The number of actions of a game that does not number its moves."""


Floats = npt.NDArray[np.float32]


class Layout(NamedTuple):
    """How positions and moves of a game become arrays."""

    shape: tuple[int, ...]  #: channels, rows and columns; a game that is no grid has one number for each channel
    channels: tuple[str, ...]  #: what each channel says
    actions: int  #: the number of actions: every move of the game is one of 0, 1... actions - 1
    is_own: bool = True  #: does the game say so itself? Otherwise actions are the legal moves in their order

    @property
    def size(self) -> int:
        """The number of numbers that describe a position."""
        return int(np.prod(self.shape))

    @property
    def board(self) -> tuple[int, int]:
        """Rows and columns; (1, 1) for a game that is no grid."""
        return (self.shape[1], self.shape[2]) if len(self.shape) == 3 else (1, 1)


@generic
def write_planes(state, viewer: int64, rows: int64, columns: int64, out: float32[::1]):
    """Write the numbers that describe a position to out, as player `viewer` (0 or 1) sees it; out is full of zeros."""


@generic
def action_of(state, move: int64, rows: int64, columns: int64):
    """The action that a legal move is."""


@njit
def put_set(cells, row_step, column_step, first, rows, columns, channel, out):
    """Write a set of cells to a channel: cell (0, 0) at the top is bit `first`, and the steps lead down and right."""
    at = channel * rows * columns
    for row in range(rows):
        for column in range(columns):
            bit_number = np.uint64(first + row * row_step + column * column_step)
            if np.uint64(cells) >> bit_number & np.uint64(1):
                out[at + row * columns + column] = 1.0


@njit
def fill(value, rows, columns, channel, out):
    """Write the same number to a whole channel."""
    at = channel * rows * columns
    for i in range(rows * columns):
        out[at + i] = value


@njit
def describe(state, rows, columns, out, mask, moves):
    """Write a position as the player to move sees it, and a 1 to mask for each legal action."""
    write_planes(state, int64(to_move(state)), rows, columns, out)
    for i in range(legal_moves(state, moves, 0)):
        mask[action_of(state, moves[i], rows, columns)] = 1


@njit
def replay(state, codes, rows, columns, planes, masks, actions, players, moves):
    """Play the moves of a game again, and write a row for each position in which one of them was chosen."""
    for ply in range(len(codes)):
        describe(state, rows, columns, planes[ply], masks[ply], moves)
        actions[ply] = action_of(state, int64(codes[ply]), rows, columns)
        players[ply] = to_move(state) + 1
        state = play(state, int64(codes[ply]))


@functools.lru_cache(maxsize=256)
def layout_of(game: Any) -> Layout:
    """How the positions and moves of this game become arrays."""
    module = part_of(type(game).__module__, "planes")
    if module is not None:
        found: Layout = module.layout(game)
        return found
    names = tuple(name for name, _number in _fields(game.start_state()))
    return Layout((len(names),), names, MOST_MOVES, is_own=False)


def _fields(state: Any) -> list[tuple[str, float]]:
    """The numbers of a state of any game: each bit of a field that is unsigned, and each other number itself."""
    found: list[tuple[str, float]] = []
    for name, value in zip(state._fields, state, strict=True):
        if isinstance(value, np.ndarray):
            continue  # the game's own data
        if isinstance(value, np.unsignedinteger):
            bits = 8 * value.dtype.itemsize
            found += [(f"{name}, bit {bit}", float(int(value) >> bit & 1)) for bit in range(bits)]
        else:
            found.append((name, float(value)))
    return found


def planes_of(game: Any, state: Any, viewer: int) -> Floats:
    """The array that describes a position, as player 0 or 1 sees it."""
    layout = layout_of(game)
    if not layout.is_own:
        return np.array([number for _name, number in _fields(state)], np.float32)
    out = np.zeros(layout.size, np.float32)
    write_planes(state, viewer, *layout.board, out)
    return out.reshape(layout.shape)


def action_codes(game: Any, state: Any) -> dict[int, int]:
    """The legal actions of a position, each with the code of its move, in the order of the moves."""
    moves, layout = moves_of(state), layout_of(game)
    if not layout.is_own:
        return dict(enumerate(moves))
    return {int(action_of(state, move, *layout.board)): move for move in moves}


class Rows(NamedTuple):
    """A row for each position of a game in which a move was chosen."""

    planes: Floats
    masks: npt.NDArray[np.int8]  # a 1 for each legal action
    actions: npt.NDArray[np.int32]  # the one that was chosen
    players: npt.NDArray[np.int8]  # who chose it: 1 or 2


def rows_of_game(game: Any, state: Any, codes: npt.NDArray[np.int32]) -> Rows:
    """The rows of a game that begins in a state and goes on with these moves."""
    layout, number = layout_of(game), len(codes)
    rows = Rows(
        np.zeros((number, layout.size), np.float32),
        np.zeros((number, layout.actions), np.int8),
        np.zeros(number, np.int32),
        np.zeros(number, np.int8),
    )
    if layout.is_own:
        arrays = (float32[:, ::1], int8[:, ::1], int32[::1], int8[::1], int32[::1])
        run = compiled(replay, class_of(state).numba, int32[::1], int64, int64, *arrays)
        run(state, codes, *layout.board, *rows, np.empty(MOST_MOVES, np.int32))
    else:
        for ply, code in enumerate(codes):
            legal = {move: action for action, move in action_codes(game, state).items()}
            rows.planes[ply] = planes_of(game, state, int(to_move(state)))
            rows.masks[ply, list(legal.values())] = 1
            rows.actions[ply] = legal[int(code)]
            rows.players[ply] = to_move(state) + 1
            state = play(state, int(code))
    return rows._replace(planes=rows.planes.reshape(number, *layout.shape))


class AsArrays:
    """What a position says of itself in arrays."""

    game: Any
    state: Any
    is_over: Any
    to_move: Any
    play_code: Any

    def planes(self, player: int | None = None) -> Floats:
        """The position as an array, as the player to move sees it, or player 1 or 2; game.layout says what is where."""
        viewer = self.to_move if player is None else player
        if viewer not in (1, 2):
            raise PositionError("{player!r} is not a player; write 1 or 2", player=player)
        return planes_of(self.game, self.state, viewer - 1)

    def actions(self) -> dict[int, str]:
        """The legal moves by their actions, the numbers with which learning frameworks name them."""
        if self.is_over:
            return {}
        codes = action_codes(self.game, self.state)
        return {action: self.game.move_text(self.state, move) for action, move in codes.items()}

    def action_mask(self) -> npt.NDArray[np.int8]:
        """A 1 for each legal action, and 0 for all others."""
        mask = np.zeros(self.game.layout.actions, np.int8)
        mask[list(self.actions())] = 1
        return mask

    def play_action(self, action: int) -> Self:
        """The position after an action; IllegalMoveError if it is not legal."""
        codes = {} if self.is_over else action_codes(self.game, self.state)
        if int(action) not in codes:
            raise IllegalMoveError("action {action} is not legal in {position}", action=action, position=self)
        return self.play_code(codes[int(action)])
