"""Trying the rules of a class as plain Python, before they are compiled: a few random games, on which all is checked.

Python knows the line at which something fails, and why. So a typo is told in the author's words, and Numba is only
asked to compile rules that work.
"""

import difflib
import random
import time
import traceback
from collections.abc import Callable, Iterable
from typing import Any

from zermelo.core.grids import Grid, grid_of, state_of
from zermelo.errors import GameError
from zermelo.game_files.class_rules import ClassRules, fail, start_state
from zermelo.game_files.methods import place
from zermelo.game_files.shells import BAD_WINNER, PASS, codes_of
from zermelo.language import gettext
from zermelo.rules import MOST_MOVES

GAMES, PLIES, SECONDS = 6, 300, 0.5
"""How many random games are played, how long each of them may be, and how long all of them may take."""
ON_BOARD = ("rows", "columns", "player", "cells", "count", "is_inside", "grid")


class Asking:
    """The methods of a class as functions of a board. What they raise becomes a GameError that names the line."""

    def __init__(self, rules: ClassRules):
        self.rules = rules

    def __call__(self, name: str, *arguments: Any) -> Any:
        """What a method gives; the moves as a list."""
        try:
            method = getattr(self.rules.instance, name)
            result = method(*arguments)
            return list(result) if name == "moves" and isinstance(result, Iterable) else result
        except GameError:
            raise
        except RecursionError:
            raise self._fail(name, gettext("{name}() calls itself without end").format(name=name)) from None
        except Exception as error:
            raise GameError(failure_text(self.rules.cls, name, error)) from None

    def once(self, name: str, state: Any, *move: Any) -> object:
        """Run a method once on the board of a state."""
        return self(name, grid_of(state), *move)

    def _fail(self, name: str, reason: str) -> GameError:
        return fail(self.rules.cls, reason, name)

    def moves(self, board: Grid) -> list[Any]:
        """The moves, each checked."""
        found = self("moves", board)
        if not isinstance(found, list):
            told = gettext("moves() gave {found!r}: it gives moves one after another, with yield, or a list of them")
            raise self._fail("moves", told.format(found=found))
        if len(found) > MOST_MOVES:
            told = gettext("moves() gave {number:,} moves; zermelo can hold at most {most:,}")
            raise self._fail("moves", told.format(number=len(found), most=MOST_MOVES))
        for move in found:
            self._check_move(move)
        return found

    def _check_move(self, move: Any) -> None:
        rules, form = self.rules, form_of(move)
        if not form:
            told = gettext(
                "moves() gave {move!r}: a move is a whole number, a cell (row, column) or two cells, "
                "((row, column), (row, column))"
            )
            raise self._fail("moves", told.format(move=move))
        if form == "number" and not 0 <= move < PASS:
            told = gettext("moves() gave {move!r}: a number that stands for a move is from 0 to {most:,}")
            raise self._fail("moves", told.format(move=move, most=PASS - 1))
        rules.form = rules.form or form
        if form != rules.form:
            told = gettext("moves() gave {move!r} after moves of another form: all moves of a game have one form")
            raise self._fail("moves", told.format(move=move))
        cells = (
            {"number": (), "cell": (move,), "cells": move, "four": (move[:2], move[2:])}[form]
            if form != "number"
            else ()
        )
        for row, column in cells:
            if not (0 <= row < rules.layout.rows and 0 <= column < rules.layout.columns):
                told = gettext("moves() gave {move!r}, but {outside}")
                raise self._fail("moves", told.format(move=move, outside=rules.layout.outside))

    def winner(self, board: Grid) -> int | None:
        """What winner() says, checked."""
        if not hasattr(self.rules.instance, "winner"):
            return None
        found = self("winner", board)
        if found is not None and found not in (-1, 0, 1):
            raise self._fail("winner", f"{gettext(BAD_WINNER)}: {found!r}")
        return None if found is None else int(found)

    def play(self, state: Any, move: Any) -> Any:
        """The state after a move, checked."""
        board = grid_of(state)
        following = self("play", board, move)
        if following is not None and (following not in (1, 2) or isinstance(following, bool)):
            told = gettext(
                "play() gave {following!r}: it changes the board and returns nothing, or the player (1 or 2) who "
                "moves next"
            )
            raise self._fail("play", told.format(following=following))
        return state_of(state, board, 3 - board.player if following is None else following)


def form_of(move: Any) -> str:
    """The form of a move; empty if it has none."""
    if _is_number(move):
        return "number"
    if not isinstance(move, (tuple, list)):
        return ""
    if len(move) in (2, 4) and all(map(_is_number, move)):
        return "cell" if len(move) == 2 else "four"
    is_pair = len(move) == 2 and all(form_of(part) == "cell" for part in move)
    return "cells" if is_pair else ""


def _is_number(value: Any) -> bool:
    return hasattr(value, "__index__") and not isinstance(value, bool)


def failure_text(cls: type, name: str, error: BaseException) -> str:
    """Two lines: the line of the author's file at which a method failed, and why."""
    reason = f"{type(error).__name__}: {error}"
    if isinstance(error, AttributeError) and isinstance(error.obj, Grid) and error.name:
        known = [*ON_BOARD, *vars(error.obj)["values"]]
        close = difflib.get_close_matches(error.name, known, 1)
        told = (
            gettext("the board has no {name!r}; did you mean {close!r}?")
            if close
            else gettext("the board has no {name!r}; it has {known}")
        )
        reason = told.format(name=error.name, close=close[0] if close else "", known=", ".join(known))
    elif isinstance(error, AttributeError) and isinstance(error.obj, cls) and error.name:
        reason = gettext("{cls} has no {name!r}").format(cls=cls.__name__, name=error.name)
    for frame, line in reversed(list(traceback.walk_tb(error.__traceback__))):
        if "__zermelo_world__" in frame.f_globals:
            return f"{place(frame.f_code, line)}\n    " + gettext("{name}() failed: {reason}").format(
                name=name, reason=reason
            )
    return str(fail(cls, gettext("{name}() failed: {reason}").format(name=name, reason=reason), name))


def try_out(rules: ClassRules) -> None:
    """Play a few random games; GameError if something is wrong. Afterwards the form of moves is known."""
    ask, chance, began = Asking(rules), random.Random(1), time.process_time()
    try:
        first = start_state(rules)
    except GameError:
        raise
    except Exception as error:
        raise GameError(failure_text(rules.cls, "start", error)) from None
    for number in range(GAMES):
        _try_game(ask, first, chance.choice)
        if number and time.process_time() - began > SECONDS:
            break
    rules.form = rules.form or "number"


def ask_all(ask: Asking, state: Any) -> None:
    """Ask the rules everything about one state; GameError if something is wrong."""
    is_over = ask.winner(grid_of(state)) is not None
    moves = ask.moves(grid_of(state))
    for move in () if is_over else moves:
        ask.play(state, move)
    if not moves and ask.rules.stuck == "passes":
        board = grid_of(state)
        ask.moves(grid_of(state_of(state, board, 3 - board.player)))
    if is_over or not moves:
        _check_points(ask, state)


def _check_points(ask: Asking, state: Any) -> None:
    if hasattr(ask.rules.instance, "points"):
        found = ask("points", grid_of(state))
        if not isinstance(found, int):
            told = gettext("points() gave {found!r}, not a whole number")
            raise fail(ask.rules.cls, told.format(found=found), "points")


def _try_game(ask: Asking, state: Any, choose: Callable[[list[Any]], Any]) -> None:
    """One random game."""
    rules, stuck_before = ask.rules, False
    for _ply in range(PLIES):
        if ask.winner(grid_of(state)) is not None:
            break
        moves = ask.moves(grid_of(state))
        if not moves and _ply == 0:
            raise fail(rules.cls, gettext("moves() gives no moves on the first board"), "moves")
        if moves:
            code_of, _move_of = codes_of(rules.form, rules.layout.rows, rules.layout.columns, compiled=False)
            codes = [code_of(move) for move in moves]
            if len(set(codes)) < len(codes):
                twice = next(move for move, code in zip(moves, codes, strict=True) if codes.count(code) > 1)
                raise fail(rules.cls, gettext("moves() gave {move!r} twice").format(move=twice), "moves")
            state, stuck_before = ask.play(state, choose(moves)), False
        elif rules.stuck == "passes" and not stuck_before:
            board, stuck_before = grid_of(state), True
            state = state_of(state, board, 3 - board.player)
        else:
            break
    _check_points(ask, state)
