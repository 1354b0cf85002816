"""The questions of rules.py, answered by the methods of a class.

The functions here are made for each class of rules. They are compiled with the class's methods, as methods.py rewrote
them; or they run as plain Python with the methods as they are. Both do the same.
"""

from typing import Any

import numpy as np
from numba import int64, types
from numba.extending import overload

from zermelo.core import mix, njit
from zermelo.core.grids import grid_of, state_of
from zermelo.errors import marked
from zermelo.rules import MOST_MOVES

PASS = 1 << 30
"""The code of a move that only passes the turn."""
GOES_ON = 2
"""What `result_of` says of a game that has not ended."""
STEP = np.uint64(0x9E3779B97F4A7C15)
TOO_MANY = f"a position has more than {MOST_MOVES:,} legal moves, which is the most that zermelo can hold"
OUTSIDE = marked("a move leads to or from a cell that is not on the board")
BAD_WINNER = marked("winner() gives z.MINE, z.THEIRS, z.DRAW or None")


def result_of(value: Any) -> Any:
    """What winner() said: 1, -1 or 0, or GOES_ON."""
    if value is None:
        return GOES_ON
    if not -1 <= value <= 1:
        raise ValueError(BAD_WINNER)
    return int(value)


@overload(result_of)
def _(value):
    if isinstance(value, (types.NoneType, types.Omitted)):
        return lambda value: GOES_ON
    if isinstance(value, types.Optional):

        def of_optional(value):
            if value is None:
                return GOES_ON
            return result_of(value + 0)  # (a number and no longer perhaps None)

        return of_optional

    def of_number(value):
        if value < -1 or value > 1:
            raise ValueError(BAD_WINNER)
        return int64(value)

    return of_number


def next_player(value: Any, player: Any) -> Any:
    """Who moves next: the player that play() gave, or the other one if it gave nothing."""
    return 3 - player if value is None else value


@overload(next_player)
def _(value, player):
    if isinstance(value, types.NoneType):
        return lambda value, player: 3 - player
    if isinstance(value, types.Optional):

        def of_optional(value, player):
            if value is None:
                return 3 - player
            return value + 0

        return of_optional
    return lambda value, player: int64(value)


# ------------------------------------------------------------------------------------------ moves and their codes


def _place(row, column, rows, columns):
    if row < 0 or row >= rows or column < 0 or column >= columns:
        raise ValueError(OUTSIDE)
    return row * columns + column


_place_in_code = njit(_place)


def codes_of(form: str, rows: int, columns: int, compiled: bool) -> tuple[Any, Any]:
    """Two functions for moves of a form: from a move to its code, and back."""
    place, cells = _place_in_code if compiled else _place, rows * columns

    def number_code(move):
        return move

    def cell_code(move):
        return place(move[0], move[1], rows, columns)

    def cells_code(move):
        return place(move[0][0], move[0][1], rows, columns) * cells + place(move[1][0], move[1][1], rows, columns)

    def four_code(move):
        return place(move[0], move[1], rows, columns) * cells + place(move[2], move[3], rows, columns)

    def number_move(code):
        return code

    def cell_move(code):
        return code // columns, code % columns

    def cells_move(code):
        origin, target = code // cells, code % cells
        return (origin // columns, origin % columns), (target // columns, target % columns)

    def four_move(code):
        origin, target = code // cells, code % cells
        return origin // columns, origin % columns, target // columns, target % columns

    known = {
        "number": (number_code, number_move),
        "cell": (cell_code, cell_move),
        "cells": (cells_code, cells_move),
        "four": (four_code, four_move),
    }
    code, move = known[form]
    return (njit(code), njit(move)) if compiled else (code, move)


# ------------------------------------------------------------------------------------------ the questions


def answers(ask: dict[str, Any], codes: tuple[Any, Any], stuck: str, compiled: bool) -> dict[str, Any]:
    """The answers of a class to the questions of rules.py; ask: its methods as functions of a board."""
    moves, change, winner, points = ask["moves"], ask["play"], ask["winner"], ask["points"]
    code_of, move_of = codes
    has_points = ask.get("has points", False)
    passes, stuck_result = stuck == "passes", {"draws": 0, "loses": -1, "wins": 1, "passes": 0}[stuck]

    def can_move(state):
        board = grid_of(state)
        for _move in moves(board):
            return True
        return False

    def other_can_move(state):
        board = grid_of(state)
        return can_move_code(state_of(state, board, 3 - board.player))

    can_move_code = njit(can_move) if compiled else can_move
    other_code = njit(other_can_move) if compiled else other_can_move

    def legal_moves(state, out, start):
        board = grid_of(state)
        if result_of(winner(board)) != GOES_ON:
            return start
        end = start
        for move in moves(grid_of(state)):
            if end - start >= MOST_MOVES:
                raise ValueError(TOO_MANY)
            out[end] = code_of(move)
            end += 1
        if passes and end == start and other_code(state):
            out[end] = PASS
            end += 1
        return end

    def play(state, move):
        board = grid_of(state)
        if move == PASS:
            return state_of(state, board, 3 - board.player)
        following = change(board, move_of(move))
        return state_of(state, board, next_player(following, board.player))

    def is_over(state):
        if result_of(winner(grid_of(state))) != GOES_ON:
            return True
        if can_move_code(state):
            return False
        return not passes or not other_code(state)

    def outcome(state):
        result = result_of(winner(grid_of(state)))
        if result != GOES_ON:
            return result
        if has_points:
            lead = points(grid_of(state))
            return 1 if lead > 0 else -1 if lead < 0 else 0
        return stuck_result

    def margin(state):
        return int64(points(grid_of(state)))

    found = {"legal_moves": legal_moves, "play": play, "is_over": is_over, "outcome": outcome}
    return found | {"margin": margin} if has_points else found


def plain_answers(words: int, fields: int, repeats: bool, compiled: bool) -> dict[str, Any]:
    """The answers that follow from the state alone."""
    after = words + 1  # where the fields begin

    def to_move(state):
        return int64(state.player)

    def key_of_cells(state):
        found = mix(np.uint64(state.player) + STEP)
        for word in state[:words]:
            found = mix(found ^ word) + STEP
        return found

    code = njit(key_of_cells) if compiled else key_of_cells

    def key_of_fields(state):
        found = code(state)
        for number in state[after:]:
            found = mix(found ^ np.uint64(np.uint32(number))) + STEP
        return found

    def can_repeat(state):
        return repeats

    return {"to_move": to_move, "key": key_of_fields if fields else key_of_cells, "can_repeat": can_repeat}


# ------------------------------------------------------------------------------------------ heuristics by default


def men(state):
    """My men, less those of the other player."""
    board, lead = grid_of(state), 0
    for row, column in board.cells():
        number = board[row, column]
        lead += (number > 0) - (number < 0)
    return lead


def nothing(state):
    """0 in every position: a search then sees only how games end."""
    return 0


def no_answer(board):
    """What a method says that the class does not have."""
    return
