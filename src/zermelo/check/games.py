"""The contract of a game: what everything else in zermelo relies on, tried on random games.

The games of the catalogue are held to the same contract by tests/games/test_contract.py.
"""

import pickle
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from zermelo.check.reports import ERROR, NOTE, OURS, Examination, Report, Settings, Step
from zermelo.errors import IllegalMoveError, MoveError, PlainPythonWarning, ZermeloError
from zermelo.game_files import games_in, holds_game
from zermelo.games import find_game
from zermelo.language import _, gettext
from zermelo.position import Game, Position, random_playout
from zermelo.rules import outcome

GAMES = 20
"""The number of random games."""
LONGEST = 2000
"""A random game that has more plies than this is taken to be endless."""
BAD_MOVES = ("", "?", "a0", "z99", "-1", "é", "()")

Fault = tuple[str, str]
"""What is wrong, and the text of the position."""


def names(path: Path) -> list[str]:
    """The games of a file."""
    return games_in(path) if holds_game(path) else []


def examine(path: Path, name: str, settings: Settings) -> Examination:
    """Load a game of a file, compile its rules, and hold it to the contract."""
    report = Report("game", name)
    yield Step(0, GAMES + 1, OURS)
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            game = find_game(f"{path}:{name}")
        except ZermeloError as error:
            report.found(ERROR, "rules", error)
            return report
    for one in warned:
        if isinstance(one.message, PlainPythonWarning):
            report.found(NOTE, "plain", one.message)
    report.facts |= {"game": str(game), "compiled": not report.findings}
    report.about = _("{number} random games").format(number=GAMES)
    seen: dict[int, Position] = {}
    faults: dict[str, str] = {}
    plies = 0
    for seed in range(1 if settings.is_quick else GAMES):
        yield Step(seed + 1, GAMES + 1, "position", None)
        end = random_playout(game.start(), settings.seed * 1_000_003 + seed, LONGEST)
        plies += len(end.path) - 1
        for text, position in broken(game, end, seen):
            faults.setdefault(text, position)
        if faults:
            break
    for text, position in faults.items():
        report.found(ERROR, "contract", f"{path}\n    " + gettext("{text} (in the position {position})").format(
            text=text, position=position
        ), position)  # fmt: skip
    report.lines.append(_("{plies} plies in {number} random games").format(plies=plies, number=GAMES))
    return report


def broken(game: Game, end: Position, seen: dict[int, Position]) -> Iterator[Fault]:
    """What a random game shows to be wrong; seen: the positions that were met before, by their keys."""
    for check in (_ends, _moves, _texts, _results, _refusals, _pictures):
        try:
            yield from check(game, end)
        except ZermeloError as error:
            yield str(error), str(end)
    yield from _keys(end, seen)


def _ends(game: Game, end: Position) -> Iterator[Fault]:
    if not end.is_over:
        told = gettext("the game is not over after {plies} plies; if positions can come back, write can_repeat = True")
        yield told.format(plies=LONGEST), str(end)
    elif end.moves:
        yield gettext("the game is over, but there are legal moves"), str(end)


def _moves(game: Game, end: Position) -> Iterator[Fault]:
    for position in end.path[:-1]:
        codes, moves = position.codes, position.moves
        if not moves:
            yield gettext("there are no legal moves, although the game is not over"), str(position)
        elif len(set(moves)) < len(moves):
            yield gettext("two different moves are written alike"), str(position)
        elif [game.parse_move(position.state, move) for move in moves] != codes:
            yield gettext("the text of a move is read as another move"), str(position)
        if position.to_move not in (1, 2):
            yield gettext("the player to move is neither 1 nor 2"), str(position)


def _texts(game: Game, end: Position) -> Iterator[Fault]:
    for position in (*end.path[:: max(1, len(end.path) // 8)], end):
        again = game.position(str(position))
        if again != position or str(again) != str(position):
            yield gettext("the text of the position is read as another position"), str(position)
    if game.position(" ".join(f"{move}" for move in end.line) or "-") != end and not _has_spaces(end):
        yield gettext("the moves from the start lead to another position"), str(end)
    state: Any = pickle.loads(pickle.dumps(end.state))
    if Position(game, state) != Position(game, end.state):
        yield gettext("a copy of the state is another state"), str(end)


def _has_spaces(end: Position) -> bool:
    return any(" " in move or "," in move for move in end.line)


def _results(game: Game, end: Position) -> Iterator[Fault]:
    if not end.is_over or game.is_drawn_by_history(end):
        return
    margin, result = end.margin or 0, int(outcome(end.state))
    sign = (margin > 0) - (margin < 0)
    if result not in (-1, 0, 1):
        yield gettext("the outcome is {result}, not 1, 0 or -1").format(result=result), str(end)
    elif sign != {1: 1, 2: -1, None: 0}[end.winner]:
        yield gettext("the winner and the points do not agree"), str(end)


def _refusals(game: Game, end: Position) -> Iterator[Fault]:
    for text in BAD_MOVES:
        try:
            game.start().play(text)
        except MoveError:
            continue
        yield gettext("the text {text!r} is taken for a move").format(text=text), str(game.start())
    if end.is_over and end.line:
        try:
            end.play(end.line[0])
        except IllegalMoveError:
            return
        yield gettext("a move can be played after the end"), str(end)


def _pictures(game: Game, end: Position) -> Iterator[Fault]:
    for position in (end.path[0], end.path[len(end.path) // 2], end):
        if not position.board().strip():
            yield gettext("the board is not drawn as text"), str(position)
        try:
            root = ElementTree.fromstring(position.svg())
        except ElementTree.ParseError as error:
            yield gettext("the picture is not valid: {error}").format(error=error), str(position)
            continue
        clickable = {part.get("data-move") for part in root.iter() if part.get("data-move")}
        if not clickable <= set(position.moves):
            yield gettext("a move can be clicked that is not legal"), str(position)


def _keys(end: Position, seen: dict[int, Position]) -> Iterator[Fault]:
    for position in end.path:
        other = seen.setdefault(position.key, position)
        if other != position:
            told = gettext("this position has the same key as {other}")
            yield told.format(other=other), str(position)
