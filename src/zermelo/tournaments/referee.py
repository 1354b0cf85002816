"""One game of a tournament, which always ends: who crashes, cheats or sleeps loses it, with the reason on record."""

import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from zermelo.core import class_of
from zermelo.errors import MoveError
from zermelo.games import find_heuristic
from zermelo.language import speaking
from zermelo.match import TOO_LONG, Move, Record
from zermelo.players.player import Choice, Fault, Player, Resigned
from zermelo.position import Position
from zermelo.searches.budget import Budget
from zermelo.searches.deepening import Engine, compiled_engine
from zermelo.solving.registry import quick_solution

MOVE_LIMIT, LOAD_LIMIT = 30.0, 60.0
"""Seconds, if the tournament sets no others. What takes longer hangs, as far as anyone can tell."""


@dataclass(frozen=True)
class Limits:
    """What a referee enforces."""

    seconds: float | None = None  # for each move
    grace: float = 1.0  # so many seconds more before the game is lost: machines hiccup
    most_plies: int | None = None  # then it is a draw
    prove_nodes: int | None = None  # a position whose result a solver or a search proves in so many nodes ends the game
    move_limit: float = MOVE_LIMIT  # seconds for a move of a user's file, where `seconds` sets no other limit
    load_limit: float = LOAD_LIMIT  # seconds for loading and compiling a user's file


class Played(NamedTuple):
    """A game that is over, as it goes into the store."""

    score: float  # of the player who moved first
    reason: str
    plies: int
    json: str

    @classmethod
    def of(cls, record: Record) -> "Played":
        return cls(record.score, record.reason, len(record.moves), record.to_json())


class Lost(Exception):
    """The player to move loses the game for this reason."""

    def __init__(self, reason: str, error: str | None = None):
        super().__init__(reason)
        self.error = error  # a traceback


class Abandoned(Exception):
    """Somebody wants to stop: this game does not count, and will be played again."""


def play_game(
    players: tuple[Player, Player],
    names: tuple[str, str],
    start: Position,
    limits: Limits | None = None,
    is_stopped: Callable[[], bool] = lambda: False,
    on_position: Callable[[Position], None] | None = None,
) -> Record:
    """Play from a position to a result. on_position is told every position, the first and the last too."""
    with speaking("en"):  # so that a record is the same whoever plays
        return _game(players, names, start, limits or Limits(), is_stopped, on_position or (lambda position: None))


def _game(
    players: tuple[Player, Player],
    names: tuple[str, str],
    start: Position,
    limits: Limits,
    is_stopped: Callable[[], bool],
    tell: Callable[[Position], None],
) -> Record:
    record = Record(str(start.game), names, str(start))
    position = start
    while not position.is_over:
        if limits.most_plies is not None and len(record.moves) >= limits.most_plies:
            record.reason = TOO_LONG.format(plies=limits.most_plies)
            return record
        if limits.prove_nodes is not None and _adjudicate(record, position, limits.prove_nodes):
            return record
        tell(position)
        try:
            position = _one_move(record, players[position.to_move - 1], position, limits, is_stopped)
        except Lost as lost:
            record.winner, record.reason, record.error = 3 - position.to_move, str(lost), lost.error
            return record
    tell(position)
    record.winner, record.margin, record.reason = position.winner, position.margin, "played out"
    return record


def _one_move(
    record: Record, player: Player, position: Position, limits: Limits, is_stopped: Callable[[], bool]
) -> Position:
    """The position after the player's move, which is written down."""
    began = time.perf_counter()
    try:
        choice = asked(player, position)
    except Lost:
        if is_stopped():
            raise Abandoned from None
        raise
    elapsed = time.perf_counter() - began
    if is_stopped():  # its search may have been cut short
        raise Abandoned
    check_time(elapsed, limits)
    return accepted(record, position, choice)


def asked(player: Player, position: Position) -> Choice:
    """What the player chooses; Lost says why it has lost instead."""
    try:
        choice = player.think(position)
    except Resigned:
        raise Lost("resigned") from None
    except Exception as error:
        if isinstance(error, Fault):
            raise Lost(error.reason, error.said) from None
        if isinstance(error, TimeoutError):
            raise Lost(f"timeout: {error}") from None
        raise Lost(f"crash: {type(error).__name__}: {error}", traceback.format_exc()) from None
    if not isinstance(choice, Choice) or not isinstance(choice.move, str):
        raise Lost(f"wrong answer: {choice!r} is not the text of a move")
    return choice


def check_time(elapsed: float, limits: Limits) -> None:
    """A player who took longer than the tournament allows has lost."""
    if limits.seconds is not None and elapsed > limits.seconds + limits.grace:
        raise Lost(f"timeout: {elapsed:.2f} s for a move, {limits.seconds:g} s allowed")


def accepted(record: Record, position: Position, choice: Choice) -> Position:
    """The position after this choice, which is written down if it is legal."""
    try:
        following = position.play(choice.move)
    except MoveError as error:
        raise Lost(f"illegal move: {error}") from None
    record.moves.append(Move.of(choice))
    return following


def _adjudicate(record: Record, position: Position, nodes: int) -> bool:
    """End the game if its result is proven."""
    outcome = proven_outcome(position, nodes)
    if outcome is None:
        return False
    end_proven(record, position, outcome)
    return True


def proven_outcome(position: Position, nodes: int) -> int | None:
    """1 won, 0 drawn, -1 lost for the player to move, if the game's own solver or a search of so many nodes proves it.

    An opening book does not count: everything would be proven before the first move.
    """
    proven = quick_solution(position, Budget(nodes=nodes), book=False)
    return _searched_outcome(position, nodes) if proven is None else proven.outcome


def end_proven(record: Record, position: Position, outcome: int) -> None:
    """Write down that the game ends here, with this outcome for the player to move."""
    mover = position.to_move
    record.winner = mover if outcome > 0 else 3 - mover if outcome < 0 else None
    record.reason = "proven"


def _searched_outcome(position: Position, nodes: int) -> int | None:
    """1 won, 0 drawn, -1 lost for the player to move, if a search of so many nodes settles it."""
    compiled_engine(class_of(position.state))
    heuristic = find_heuristic(position.game.default_heuristic, position.game)
    prover = Engine(heuristic, memory=max(0.25, min(16, nodes * 32 / (1 << 20))))
    *_, found = prover.deepen(position.state, Budget(nodes=nodes), position.past_keys)
    if not (found.exact and found.complete):
        return None
    return (found.score > 0) - (found.score < 0)
