"""Games between alpha-beta players, played from start to end in compiled code: the same as the referee's, but faster.

This lets two threads really play two games at a time, because Python is needed once per game and not at every move.
(With a Position and a Move for every ply, Python took as long as the search at depth 4, and a second thread gained
only 35%.)
"""

import functools
import json
from collections.abc import Callable
from itertools import chain
from typing import Any

import numpy as np

from zermelo.core import JIT, Heuristic, class_of
from zermelo.match import FORMAT, TOO_LONG
from zermelo.players import AlphaBetaPlayer, Player
from zermelo.position import Game, Position
from zermelo.rules import POINT, play
from zermelo.scores import numbers_of_units
from zermelo.searches.playing import LONGEST, Seat, Seating, Stopped, play_whole_game
from zermelo.searches.textbook import ALL_PLIES, REPORT_ORDER_PLIES
from zermelo.searches.whole_games import GENERATED, SCORE
from zermelo.tournaments.referee import Abandoned, Limits, Played

Two = tuple[AlphaBetaPlayer, AlphaBetaPlayer]


def is_quick(players: tuple[Player, Player], game: Game, limits: Limits) -> bool:
    """Can compiled code play the whole game?

    It can if both are plain alpha-beta players with compiled heuristics, without time limits or proofs of results.
    """
    return all(type(player) is AlphaBetaPlayer for player in players) and _is_plain(players, game, limits)


@functools.lru_cache(maxsize=1024)
def _is_plain(players: Two, game: Game, limits: Limits) -> bool:
    """The same for alpha-beta players. It is asked before every game, and to look at all options takes a while."""
    return (
        JIT
        and limits.seconds is None
        and limits.prove_nodes is None
        and type(game).is_drawn_by_history is Game.is_drawn_by_history
        and all(player.nodes is None and player.seconds is None for player in players)
        and not any(follows_root(one) for player in players for one in player.heuristics.values())
    )


def follows_root(heuristic: Any) -> bool:
    """Does a heuristic have to know where each search begins?"""
    return isinstance(heuristic, Heuristic) and heuristic.evaluator.follows_root


@functools.lru_cache(maxsize=1024)
def _seating(players: Two, game: Game) -> Seating:
    first, second = (seat_of(player, game) for player in players)
    return Seating(first, second, class_of(game.start_state()))


def depths_of(players: Two) -> tuple[int, int]:
    """The search depths of both players. A player without nodes or seconds always has a depth."""
    return players[0].depth or 0, players[1].depth or 0


def seat_of(player: AlphaBetaPlayer, game: Game) -> Seat:
    """A player in the form that compiled code takes."""
    assert player.depth is not None  # a player without nodes or seconds has a depth
    start = game.start()
    return Seat(
        player.evaluation(start),
        player.depth,
        player.ordering(start),
        round(player.tolerance * POINT),
        _order_plies(player),
        player.top_moves or 0,
    )


def _order_plies(player: AlphaBetaPlayer) -> int:
    """The same rule as in run_alphabeta."""
    if player.order_plies is not None:
        return player.order_plies
    return ALL_PLIES if player.top_moves else REPORT_ORDER_PLIES if player.order is not None else 0


def play_quickly(
    players: Two,
    names: tuple[str, str],
    start: Position,
    limits: Limits,
    is_stopped: Callable[[], bool] = lambda: False,
) -> Played | None:
    """Play a game. None if the referee must play it, because a heuristic failed or the game did not end."""
    most_plies = LONGEST if limits.most_plies is None else min(limits.most_plies, LONGEST)
    seating = _seating(players, start.game)
    try:
        game = play_whole_game(seating, start.state, most_plies)
    except Stopped:
        raise Abandoned from None
    except Exception:  # the referee will find out whose fault it was
        return None
    if is_stopped():
        raise Abandoned
    if game.is_over:
        end = ending_of(game.outcome, game.margin)
    elif most_plies == limits.most_plies:
        end = ending_of(0, None, TOO_LONG.format(plies=most_plies))
    else:
        return None
    return written(start, names, game.log, depths_of(players), game.seconds, end)


def ending_of(outcome: int, margin: int | None, reason: str = "played out") -> dict[str, Any]:
    """The end of a record. The outcome and the margin are from the point of view of player 1."""
    return {"winner": {1: 1, 0: None, -1: 2}[outcome], "margin": margin, "reason": reason}


def written(
    start: Position, names: tuple[str, str], log: Any, depths: tuple[int, int], elapsed: float, end: dict[str, Any]
) -> Played:
    """The game with this log, in the form in which it is stored."""
    moves = _moves_json(start, log, depths, elapsed)
    head = RECORD_JSON % (FORMAT, *map(_quoted, (str(start.game), *names, str(start))), moves)
    score = {1: 1.0, None: 0.5, 2: 0.0}[end["winner"]]
    return Played(score, end["reason"], len(log), head + json.dumps(end, ensure_ascii=False)[1:])


# Exactly what Record.to_json writes, except for the end.
RECORD_JSON = '{"format": %d, "game": %s, "players": [%s, %s], "start": %s, "moves": [%s], '
MOVE_JSON = '{"move": %s, "seconds": %s, "score": %r, "depth": %d, "nodes": %d, "evaluated": %d}'


def _moves_json(start: Position, log: Any, depths: tuple[int, int], elapsed: float) -> str:
    """The moves as a record holds them. Each gets a share of the game's time in proportion to the positions visited.

    All moves are formatted at once, because formatting them one by one takes twice as long.
    """
    nodes = log[:, GENERATED] + 1
    microseconds = np.rint(nodes * (1e6 * elapsed / max(1, nodes.sum()))).astype(np.int64).tolist()
    seats, moves, _, _, evaluated = log.T.tolist()
    columns = zip(
        _texts(start, moves),
        map(_seconds_text, microseconds),
        numbers_of_units(log[:, SCORE]),
        [depths[seat] for seat in seats],
        nodes.tolist(),
        evaluated,
        strict=True,
    )
    return ", ".join([MOVE_JSON] * len(moves)) % tuple(chain.from_iterable(columns))


def _texts(start: Position, moves: list[int]) -> list[str]:
    """The moves of a game as JSON texts."""
    game, state = start.game, start.state
    if game.moves_stand_alone:
        known = _known_texts(game)
        for move in moves:
            if move not in known:
                known[move] = json.dumps(game.move_text(state, move), ensure_ascii=False)
        return [known[move] for move in moves]
    texts = []
    for move in moves:
        texts.append(json.dumps(game.move_text(state, move), ensure_ascii=False))
        state = play(state, move)
    return texts


@functools.lru_cache(maxsize=1 << 16)
def _seconds_text(microseconds: int) -> str:
    """The seconds of a move in a record."""
    return repr(microseconds / 1e6)


@functools.lru_cache(maxsize=4096)
def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


@functools.lru_cache(maxsize=16)
def _known_texts(game: Game) -> dict[int, str]:
    """The texts of the moves that have been asked for so far."""
    return {}
