"""Refereeing the games of a tournament. A player who crashes, cheats or is late loses, and the record says why."""

import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from zermelo.core import class_of
from zermelo.errors import MoveError
from zermelo.games import find_heuristic
from zermelo.language import speaking
from zermelo.match import TOO_LONG, Course, Host, Lost, Record, play_out
from zermelo.players.player import Choice, Fault, Player, Resigned
from zermelo.position import Position
from zermelo.searches.budget import Budget
from zermelo.searches.deepening import Engine, compiled_engine
from zermelo.solving.registry import quick_solution

MOVE_LIMIT, LOAD_LIMIT = 30.0, 60.0
"""Limits in seconds, unless the tournament sets others. Code that takes longer is assumed to hang."""


@dataclass(frozen=True)
class Limits:
    """The limits that a referee enforces."""

    seconds: float | None = None  # seconds for each move
    grace: float = 1.0  # seconds beyond that before the game is lost, because machines sometimes pause
    most_plies: int | None = None  # a game that reaches this length is a draw
    prove_nodes: int | None = None  # the game ends when a solver or a search proves its result in so many nodes
    move_limit: float = MOVE_LIMIT  # seconds for a move of a user's file, where `seconds` sets no other limit
    load_limit: float = LOAD_LIMIT  # seconds for loading and compiling a user's file


class Played(NamedTuple):
    """A finished game, in the form in which it is stored."""

    score: float  # the score of the player who moved first
    reason: str
    plies: int
    json: str

    @classmethod
    def of(cls, record: Record) -> "Played":
        return cls(record.score, record.reason, len(record.moves), record.to_json())


class Abandoned(Exception):
    """The tournament is being stopped: this game does not count, and will be played again."""


def play_game(
    players: tuple[Player, Player],
    names: tuple[str, str],
    start: Position,
    limits: Limits | None = None,
    is_stopped: Callable[[], bool] = lambda: False,
    on_position: Callable[[Position], None] | None = None,
) -> Record:
    """Play from a position to a result. on_position is called with every position, including the first and the last."""
    with speaking("en"):  # so that a record does not depend on the user's language
        return play_out(players, names, start, Referee(limits or Limits(), is_stopped, on_position))


class Referee(Host):
    """Conducts a game so that it always ends: a player who crashes, cheats or is late has lost."""

    def __init__(
        self,
        limits: Limits,
        is_stopped: Callable[[], bool] = lambda: False,
        on_position: Callable[[Position], None] | None = None,
    ) -> None:
        super().__init__()
        self.limits, self.is_stopped, self.on_position = limits, is_stopped, on_position

    def check(self, course: Course) -> None:
        most = self.limits.most_plies
        if most is not None and len(course.record.moves) >= most:
            course.end(TOO_LONG.format(plies=most))
        if self.limits.prove_nodes is not None and not course.is_ended:
            outcome = proven_outcome(course.position, self.limits.prove_nodes)
            if outcome is not None:
                course.end_proven(outcome)

    def show(self, position: Position) -> None:
        if self.on_position is not None:
            self.on_position(position)

    def choose(self, player: Player, position: Position) -> tuple[Choice, Position]:
        began = time.perf_counter()
        try:
            choice = asked(player, position)
        except Lost:
            if self.is_stopped():
                raise Abandoned from None
            raise
        elapsed = time.perf_counter() - began
        if self.is_stopped():  # the search may have been cut short
            raise Abandoned
        check_time(elapsed, self.limits)
        return choice, position_after(position, choice)


def asked(player: Player, position: Position) -> Choice:
    """The player's choice. Raises Lost if the player resigns or fails."""
    try:
        choice = player.think(position)
    except Resigned:
        raise Lost("resigned") from None
    except Exception as error:
        if isinstance(error, Fault):
            raise Lost.by(error) from None
        if isinstance(error, TimeoutError):
            raise Lost(f"timeout: {error}") from None
        raise Lost(f"crash: {type(error).__name__}: {error}", traceback.format_exc()) from None
    if not isinstance(choice, Choice) or not isinstance(choice.move, str):
        raise Lost(f"wrong answer: {choice!r} is not the text of a move")
    return choice


def check_time(elapsed: float, limits: Limits) -> None:
    """Raise Lost if the player took longer than the tournament allows."""
    if limits.seconds is not None and elapsed > limits.seconds + limits.grace:
        raise Lost(f"timeout: {elapsed:.2f} s for a move, {limits.seconds:g} s allowed")


def position_after(position: Position, choice: Choice) -> Position:
    """The position after this choice. Raises Lost if the move is illegal."""
    try:
        return position.play(choice.move)
    except MoveError as error:
        raise Lost(f"illegal move: {error}") from None


def proven_outcome(position: Position, nodes: int) -> int | None:
    """1 if the player to move wins, 0 for a draw, -1 for a loss, if the game's own solver or a search proves it.

    The solver and the search may each use so many nodes. Opening books do not count, because they would prove the
    result before the first move.
    """
    proven = quick_solution(position, Budget(nodes=nodes), book=False)
    return _searched_outcome(position, nodes) if proven is None else proven.outcome


def _searched_outcome(position: Position, nodes: int) -> int | None:
    """1 if the player to move wins, 0 for a draw, -1 for a loss, if a search of so many nodes proves it."""
    compiled_engine(class_of(position.state))
    heuristic = find_heuristic(position.game.default_heuristic, position.game)
    prover = Engine(heuristic, memory=max(0.25, min(16, nodes * 32 / (1 << 20))))
    *_, found = prover.deepen(position.state, Budget(nodes=nodes), position.past_keys)
    if not (found.exact and found.complete):
        return None
    return (found.score > 0) - (found.score < 0)
