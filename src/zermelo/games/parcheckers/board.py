"""Parcheckers as a board without rows and columns: pieces, dice, and who can capture whom."""

from typing import Any, ClassVar, NamedTuple

import numpy as np
from numba import types
from numba.extending import (
    intrinsic,
    make_attribute_wrapper,
    models,
    overload_attribute,
    register_model,
)

from zermelo.boards import MINE, BoardWithoutCells, Layout, attribute, method
from zermelo.core import njit
from zermelo.core.numba_private import chosen_by_types, parts_of, whole
from zermelo.games.parcheckers import notation, rules
from zermelo.games.parcheckers.rules import (
    BONUS_AT,
    BOUNCES_AT,
    FIVE,
    GOAL,
    HOME,
    IS_SAFE,
    LAST_DISTANCE,
    SIX,
    SPECIAL,
    SQUARE_AT,
    TURN_AT,
    available_dice,
    can_move,
    destination,
    distance_of,
    field,
    in_wall,
    ring_walls,
    victim,
)
from zermelo.rules import to_move


class Piece:
    """A piece: how far it has to go, and where it stands."""

    __slots__ = ("number", "word")

    def __init__(self, word: np.uint64, number: int):
        self.word = word  #: all pieces of the position, as in the state
        self.number = number  #: 0 to 7: yellow's two pieces, green's, blue's and red's

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Piece) and (self.word, self.number) == (other.word, other.number)

    def __hash__(self) -> int:
        return hash((int(self.word), self.number))

    def __repr__(self) -> str:
        return f"<piece {self.number}, {self.distance} squares to the goal>"  # type: ignore[attr-defined]


class PieceType(types.Type):
    """A piece in compiled code. What is asked of it is calculated then, since a heuristic asks for little."""

    def __init__(self) -> None:
        super().__init__("parcheckers.Piece")


@register_model(PieceType)
class _PieceModel(models.StructModel):
    def __init__(self, manager: Any, kind: Any):
        super().__init__(manager, kind, [("word", types.uint64), ("number", types.int64)])


make_attribute_wrapper(PieceType, "word", "word")
make_attribute_wrapper(PieceType, "number", "number")


def of_piece(function):
    """Lets a function of the word of all pieces and of a piece's number be an attribute of pieces."""
    compiled = njit(function)
    name = function.__name__
    setattr(Piece, name, property(lambda piece: function(piece.word, piece.number), doc=function.__doc__))
    overload_attribute(PieceType, name)(lambda piece: lambda piece: compiled(piece.word, piece.number))
    return compiled


@of_piece
def colour(word, number):
    """0 yellow, 1 green, 2 blue, 3 red."""
    return np.int64(number >> 1)


@of_piece
def distance(word, number):
    """Squares to the goal: 0 in the goal, 76 at home."""
    return distance_of(word, number)


@of_piece
def square(word, number):
    """1 to 68 on the ring; 0 at home, in the corridor and in the goal."""
    steps = distance_of(word, number)
    return SQUARE_AT[number >> 1, steps] + 1 if LAST_DISTANCE <= steps < HOME else 0


@of_piece
def is_home(word, number):
    """Has it yet to leave home?"""
    return distance_of(word, number) == HOME


@of_piece
def is_safe(word, number):
    """Does it stand on a safe square of the ring?"""
    return bool(IS_SAFE[distance_of(word, number)])


@of_piece
def is_in_corridor(word, number):
    """Is it in the corridor, before its goal?"""
    return GOAL < distance_of(word, number) < LAST_DISTANCE


@of_piece
def is_finished(word, number):
    """Has it reached the goal?"""
    return distance_of(word, number) == GOAL


@of_piece
def is_in_wall(word, number):
    """Does the other piece of its colour stand on the same square of ring or corridor?"""
    return bool(in_wall(word, number))


@of_piece
def is_exposed(word, number):
    """Could it be captured there? Not at home, in corridor or goal, on a safe square or in a wall."""
    steps = distance_of(word, number)
    return LAST_DISTANCE <= steps < HOME and not IS_SAFE[steps] and not in_wall(word, number)


def piece_at(word, number):
    """The piece of this number; word: all pieces of a state."""
    return Piece(word, number)


@intrinsic
def _make_piece(typing_context, word, number):
    kind = PieceType()

    def generate(context, builder, signature, arguments):
        filled = parts_of(context, builder, kind)
        filled.word, filled.number = arguments
        return whole(filled)

    return kind(types.uint64, types.int64), generate


chosen_by_types(piece_at)(lambda word, number: _make_piece)


class Dice(NamedTuple):
    """The dice that a player has left: 1 for each that is there, and 0 for each that has been spent."""

    one: Any
    two: Any
    four: Any
    five: Any
    six: Any
    special: Any
    left: Any  #: how many of these six there are
    bonus: Any  #: 10 or 20 if the player must spend a bonus die now; else 0


@njit
def player_of(board, whose):
    """The number of the player to move, or of the other one."""
    mover = np.int64(to_move(board.state))
    return mover if whose == MINE else 1 - mover


@njit
def can_capture(state, player, number):
    """Can the player capture this piece with one of the dice left?"""
    pieces, dice, walls = state.pieces, available_dice(state, player), ring_walls(state.pieces)
    must_break = in_wall(pieces, 4 * player) or in_wall(pieces, 4 * player + 2)
    for place in range(4 * player, 4 * player + 4):
        for die in range(8):
            if dice >> die & 1 == 0 or (die == SIX and must_break and not in_wall(pieces, place)):
                continue
            if can_move(pieces, walls, place, die) and victim(pieces, place, destination(pieces, place, die)) == number:
                return True
    return False


class Parcheckers(BoardWithoutCells):
    """A Parcheckers position, seen by the player to move, who owns two colours. There are no rows and columns.

        board.pieces(z.MINE)            the player's four pieces; z.THEIRS: the other player's
        piece.distance, piece.square    squares to the goal; the number of the ring square, 0 elsewhere
        piece.is_home, piece.is_safe, piece.is_in_corridor, piece.is_finished, piece.is_in_wall, piece.is_exposed
        board.dice(z.MINE)              the dice left: .one, .two, .four, .five, .six and .special are 1 or 0
        board.dice(z.MINE).left         the number of these dice; .bonus is 10 or 20 if a bonus die must be spent now
        board.can_be_captured(piece)    can the other player capture it with one of the dice left?
        board.captures(z.MINE)          how many pieces of the other player this player can capture with one die
        board.bounces(z.MINE)           how often the player's colours have bounced, the larger number of the two
        board.has_second_turn           does the mover's next turn follow this one?

    Besides: `board.moves()`, `board.play(move)`, `board.is_over` and `board.state`, as on all boards.
    """

    layouts: ClassVar = {rules.Parcheckers: Layout.without_cells()}

    def move_text(self, code: int) -> str:
        return notation.move_text(code)

    @method
    def pieces(board, whose):
        """The four pieces of a player."""
        word, at = board.state.pieces, 4 * player_of(board, whose)
        return piece_at(word, at), piece_at(word, at + 1), piece_at(word, at + 2), piece_at(word, at + 3)

    @method
    def dice(board, whose):
        """The dice that a player has left."""
        player = player_of(board, whose)
        dice = field(board.state.rest, 6 * player, 6)
        left = 0
        for die in range(6):
            left += dice >> die & 1
        bonus = 10 * field(board.state.rest, BONUS_AT, 2) if whose == MINE else 0
        return Dice(
            dice & 1, dice >> 1 & 1, dice >> 2 & 1, dice >> FIVE & 1, dice >> SIX & 1, dice >> SPECIAL & 1, left, bonus
        )

    @method
    def can_be_captured(board, piece):
        """Can the other player capture this piece with one of the dice left? (If it is not their turn: next turn.)"""
        return can_capture(board.state, 1 - (piece.number >> 2), piece.number)

    @method
    def captures(board, whose):
        """How many pieces of the other player this player can capture with one of the dice left."""
        player, number = player_of(board, whose), 0
        for place in range(4 * (1 - player), 8 - 4 * player):
            number += can_capture(board.state, player, place)
        return number

    @method
    def bounces(board, whose):
        """How often the pieces of a player's colour have bounced, the larger number of the two. The 31st loses."""
        first = BOUNCES_AT + 12 * player_of(board, whose)
        return max(field(board.state.rest, first, 6), field(board.state.rest, first + 6, 6))

    @attribute
    def has_second_turn(board):
        """Does the mover's next turn follow this one? Red's comes after blue's, and yellow's after green's."""
        return bool(field(board.state.rest, TURN_AT, 2) & 1)
