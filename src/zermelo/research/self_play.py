"""Games of players against each other as arrays: a batch of training data for a learning framework."""

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo.core import class_of
from zermelo.core.threads import in_order
from zermelo.errors import PlayerError
from zermelo.evaluation.planes import Rows, rows_of_game
from zermelo.games import PositionLike, find_position
from zermelo.match import play_match
from zermelo.players import Player, PlayerLike, RandomPlayer, find_player
from zermelo.position import Game, Position
from zermelo.research.random_games import compiled_random_game
from zermelo.rules import is_over, outcome, play, to_move
from zermelo.searches.playing import LONGEST, Seating, play_whole_game
from zermelo.searches.whole_games import MOVE
from zermelo.tournaments.openings import digest
from zermelo.tournaments.quick import is_quick, seat_of
from zermelo.tournaments.referee import Limits

OPENING_PLIES = 4
"""Random moves at the beginning of each game, if the players would otherwise always play the same one."""


@dataclass(frozen=True)
class Batch:
    """The positions of some games, one in each row, as the player to move sees them."""

    game: str
    planes: npt.NDArray[np.float32]  #: the positions; `z.game(...).layout.channels` names the channels
    masks: npt.NDArray[np.int8]  #: a 1 for each legal action
    actions: npt.NDArray[np.int32]  #: the action that was chosen
    results: npt.NDArray[np.float32]  #: how the game ended for the player to move: 1, 0 or -1
    players: npt.NDArray[np.int8]  #: who is to move: 1 or 2
    games: npt.NDArray[np.int32]  #: the number of the game, counted from 0

    def __len__(self) -> int:
        return len(self.actions)

    @property
    def policy(self) -> npt.NDArray[np.float32]:
        """The chosen actions as probabilities: a 1 in each row."""
        found = np.zeros(self.masks.shape, np.float32)
        found[np.arange(len(self)), self.actions] = 1
        return found

    def __repr__(self) -> str:
        games = len(set(self.games.tolist()))
        return f"<{len(self)} positions of {games} games of {self.game}>"


def self_play(
    game: PositionLike,
    player: PlayerLike = "random",
    opponent: PlayerLike | None = None,
    *,
    games: int = 100,
    seed: int = 1,
    opening_plies: int | None = None,
    most_plies: int = LONGEST,
    threads: int | None = None,
) -> Batch:
    """Play games and return their positions, moves and results as arrays.

    The player plays both sides, or plays an opponent and changes sides after every game. Games begin in the position
    that is given, after `opening_plies` random moves, which are not part of the batch: by default 4 for players that
    would always play the same game, and none for others. After most_plies a game counts as drawn. The same seed gives
    the same games, unless a player thinks for a limited time. Compiled players use all processors.
    """
    start = find_position(game)
    if start.is_over or games < 1 or most_plies < 1 or (opening_plies or 0) < 0:
        raise PlayerError("self-play needs a position that is not over, and at least one game of at least one ply")
    pair = (find_player(player, start.game), find_player(player if opponent is None else opponent, start.game))
    if opening_plies is None:
        opening_plies = OPENING_PLIES if all(one.is_deterministic for one in pair) else 0
    for one in pair:
        one.prepare(start.game)
    task = _Task(start, pair, seed, opening_plies, most_plies)
    played = list(in_order(task.rows, range(games), threads))
    rows = [one for one, _results in played]
    return Batch(
        str(start.game),
        np.concatenate([one.planes for one in rows]),
        np.concatenate([one.masks for one in rows]),
        np.concatenate([one.actions for one in rows]),
        np.concatenate([results for _rows, results in played]),
        np.concatenate([one.players for one in rows]),
        np.repeat(np.arange(games, dtype=np.int32), [len(one.actions) for one in rows]),
    )


@dataclass(frozen=True)
class _Task:
    """What all games of a batch have in common."""

    start: Position
    pair: tuple[Player, Player]
    seed: int
    opening_plies: int
    most_plies: int

    def rows(self, number: int) -> tuple[Rows, npt.NDArray[np.float32]]:
        """Play one game. The players change sides from game to game."""
        state = self._opening(number)
        first, second = self.pair if number % 2 == 0 else self.pair[::-1]
        players = (first.seeded(self._seed(number, "first")), second.seeded(self._seed(number, "second")))
        codes, winner = self._play(state, (first, second), players, number)
        rows = rows_of_game(self.start.game, state, codes)
        results = np.where(rows.players == winner, 1, -1) if winner else np.zeros(len(codes))
        return rows, results.astype(np.float32)

    def _seed(self, number: int, what: str) -> int:
        return digest(f"{self.seed} {number} {what}") >> 1

    def _opening(self, number: int) -> Any:
        """The state after the random moves; a move that would end the game is not played."""
        state = self.start.state
        for move in _random_moves(state, self._seed(number, "opening"), self.opening_plies):
            after = play(state, int(move))
            if is_over(after):
                break
            state = after
        return state

    def _play(
        self, state: Any, given: tuple[Player, Player], players: tuple[Player, Player], number: int
    ) -> tuple[npt.NDArray[np.int32], int | None]:
        """The moves of a game, and who wins it, if somebody does."""
        game = self.start.game
        has_no_history = type(game).is_drawn_by_history is Game.is_drawn_by_history
        if has_no_history and all(one == RandomPlayer() for one in given):
            codes = _random_moves(state, self._seed(number, "moves"), self.most_plies)
            return codes, _winner_after(state, codes)
        if is_quick(players, game, Limits()) and self.most_plies <= LONGEST:
            log = play_whole_game(_seating(players, game), state, self.most_plies).log
            codes = log[:, MOVE].astype(np.int32)
            return codes, _winner_after(state, codes)
        moves: list[int] = []
        record = play_match(
            *players,
            Position(game, state),
            on_move=lambda position, choice: moves.append(position.last_move or 0),
            most_plies=self.most_plies,
        )
        return np.array(moves, np.int32), record.winner


@functools.lru_cache(maxsize=64)
def _seating(players: Any, game: Game) -> Seating:
    """Two alpha-beta players in the form that compiled code takes."""
    first, second = (seat_of(player, game) for player in players)
    return Seating(first, second, class_of(game.start_state()))


def _random_moves(state: Any, seed: int, plies: int) -> npt.NDArray[np.int32]:
    """The codes of random moves, until the game is over or so many plies are played."""
    out = np.empty(plies, np.int32)
    played = compiled_random_game(class_of(state))(state, np.uint64(seed), out, np.empty(1024, np.int32))
    return out[:played]


def _winner_after(state: Any, codes: npt.NDArray[np.int32]) -> int | None:
    """Who has won after these moves: 1 or 2, or None if nobody has."""
    for code in codes:
        state = play(state, int(code))
    if not is_over(state):
        return None
    result, mover = int(outcome(state)), int(to_move(state)) + 1
    return mover if result > 0 else 3 - mover if result < 0 else None
