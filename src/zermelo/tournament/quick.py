"""Games between alpha-beta players, played in one go in compiled code: the same games as the referee's, but sooner.

Two threads then really play two games: Python is needed once a game, not at every move.
"""

import threading
import time
from collections.abc import Callable

import numpy as np

from zermelo.clock import run_stoppable
from zermelo.core import JIT
from zermelo.match import Move, Record
from zermelo.players import AlphaBetaPlayer, Player
from zermelo.position import Game, Position
from zermelo.rules import play
from zermelo.search.textbook import ALL_PLIES, SEED_ORDER_PLIES
from zermelo.search.whole_games import GENERATED, STOPPED, compiled_play_out, new_log
from zermelo.search.workspace import workspace
from zermelo.tournament.referee import Abandoned, Limits

LONGEST = 1024
"""A game of more plies is left to the referee."""


def is_quick(players: tuple[Player, Player], game: Game, limits: Limits) -> bool:
    """Can these two be left alone? Only plain alpha-beta can, without clocks or judges; compiled heuristics only."""
    return (
        JIT
        and limits.seconds is None
        and limits.prove_nodes is None
        and type(game).is_drawn_by_history is Game.is_drawn_by_history
        and all(type(player) is AlphaBetaPlayer for player in players)
        and all(player.nodes is None and player.seconds is None for player in players)  # type: ignore[attr-defined]
    )


_own = threading.local()


def play_quickly(
    players: tuple[AlphaBetaPlayer, AlphaBetaPlayer],
    names: tuple[str, str],
    start: Position,
    limits: Limits,
    is_stopped: Callable[[], bool] = lambda: False,
) -> Record | None:
    """The record of the game; None if the referee must play it, since a heuristic failed or it does not end."""
    if "work" not in _own.__dict__:
        _own.work, _own.log = workspace(), new_log(LONGEST)
    work, log = _own.work, _own.log
    if limits.most_plies is not None:
        log = log[: limits.most_plies]
    state = start.state
    run = compiled_play_out(type(state))
    evaluations = [player.evaluation(start) for player in players]
    orders = [player.ordering(start) or own for player, own in zip(players, evaluations, strict=True)]
    seats = np.array(
        [
            [own.address, order.address, player.tolerance, _order_plies(player), player.top_moves or 0, player.depth]
            for player, own, order in zip(players, evaluations, orders, strict=True)
        ],
        np.uint64,
    )
    functions = [h.native(type(state)) for pair in zip(evaluations, orders, strict=True) for h in pair]

    def stop() -> None:
        work.stop = 1

    began = time.perf_counter()
    try:
        plies = run_stoppable(lambda: run(state, seats, *functions, log, work), stop)
    except Exception:  # the referee finds out whose fault it was
        return None
    elapsed = time.perf_counter() - began
    if plies == STOPPED or is_stopped():
        raise Abandoned
    return _record(players, names, start, log[:plies].tolist(), elapsed, limits)


def _order_plies(player: AlphaBetaPlayer) -> int:
    """As run_alphabeta has it."""
    if player.order_plies is not None:
        return player.order_plies
    return ALL_PLIES if player.top_moves else SEED_ORDER_PLIES if player.order is not None else 0


def _record(
    players: tuple[AlphaBetaPlayer, AlphaBetaPlayer],
    names: tuple[str, str],
    start: Position,
    log: list[list[int]],
    elapsed: float,
    limits: Limits,
) -> Record | None:
    """The game as the referee would have written it down; its time is shared out by the positions visited."""
    record = Record(str(start.game), names, str(start))
    move_text, state = start.game.move_text, start.state
    depths = players[0].depth, players[1].depth
    each = elapsed / max(1, sum(row[GENERATED] + 1 for row in log))
    for seat, move, score, generated, evaluated in log:
        seconds = round(each * (generated + 1), 6)
        record.moves.append(Move(move_text(state, move), seconds, score, depths[seat], generated + 1, evaluated))
        state = play(state, move)
    end = Position(start.game, state)
    if end.is_over:
        record.winner, record.margin, record.reason = end.winner, end.margin, "played out"
    elif limits.most_plies is not None and len(log) == limits.most_plies:
        record.reason = f"a draw after {limits.most_plies} plies"
    else:
        return None
    return record
