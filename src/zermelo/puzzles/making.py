"""Making puzzles: weak players play, and their positions are searched for those in which exactly one move wins."""

import dataclasses
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from zermelo.players import AlphaBetaPlayer, FalliblePlayer, LevelPlayer
from zermelo.position import Game, Position
from zermelo.puzzles.collection import Puzzle
from zermelo.rules import can_repeat
from zermelo.searches.budget import NO_LIMIT, Budget
from zermelo.solving.exact import solve_by_proof, solve_by_search
from zermelo.solving.registry import own_solution

MOST_DEPTH = 8
"""Greatest depth at which alpha-beta is asked, in plies."""
TRIES = 6
"""How often each weak player tries a puzzle."""
WEAK = (2, 4, 6)
"""The levels that try a puzzle."""
AUTHORS = (
    FalliblePlayer(depth=2, breadth=4, taste=0.8, overlook=0.5),
    FalliblePlayer(depth=3, overlook=0.2, breadth=6),
)
EASIEST, OF_FAILURES, OF_DEPTH = 600, 900, 50
"""A rating is that of the easiest puzzle, and so many points for failures and for each ply of depth."""
EASY = 900
"""Puzzles with a lower rating are easy."""


@dataclass(frozen=True)
class Order:
    """What kind of puzzles to make."""

    count: int = 50  #: how many
    seed: int = 0  #: starts the random generator; the same seed gives the same puzzles
    nodes: int = 20_000  #: maximum number of positions to visit for the proof of one move
    at_once: float = 0.2  #: greatest share of puzzles that are won by the move itself
    easy: float = 0.3  #: greatest share of easy puzzles
    least_moves: int = 3  #: least number of legal moves
    games: int = 5000  #: maximum number of games to play


def outcome_of(position: Position, nodes: int) -> int | None:
    """1 if the player to move wins, 0 for a draw, -1 for a loss; None if that needs more nodes."""
    if position.is_over:
        return 0 if position.winner is None else 1 if position.winner == position.to_move else -1
    budget = Budget(nodes=nodes)
    found = own_solution(position, budget, weak=True)
    if found is None and can_repeat(position.state):
        found = solve_by_search(position, budget)
    elif found is None:
        found = solve_by_proof(position, budget)
    return found.outcome if found.complete else None


class Unproved(Exception):
    """A proof would need more nodes."""


def only_win(position: Position, nodes: int) -> str | None:
    """The only winning move of a position; None if there is none, or if there are several. Unproved if that is not
    known.
    """
    won, mover = None, position.to_move
    for move in position.moves:
        after = position.play(move)
        outcome = outcome_of(after, nodes)
        if outcome is None:
            raise Unproved
        if (outcome if after.to_move == mover else -outcome) > 0:
            if won is not None:
                return None
            won = move
    return won


def depth_of(position: Position, move: str) -> int | None:
    """The least depth from which on alpha-beta chooses this move; None if it is greater than MOST_DEPTH."""
    player, found = AlphaBetaPlayer(), None
    for depth in range(MOST_DEPTH, 0, -1):
        choice = player.search_to(position, depth, NO_LIMIT)
        if choice.move is None or position.game.move_text(position.state, choice.move) != move:
            break
        found = depth
    return found


def failures_of(position: Position, move: str, seed: int) -> float:
    """How often weak levels fail to play this move."""
    tries = [
        LevelPlayer(level, seed + number).think(position).move != move for level in WEAK for number in range(TRIES)
    ]
    return round(sum(tries) / len(tries), 3)


def rated(puzzle: Puzzle, seed: int) -> Puzzle:
    """The puzzle with a rating from its depth and from what weak levels make of it."""
    fails = failures_of(puzzle.start, puzzle.move, seed)
    return dataclasses.replace(
        puzzle, fails=fails, rating=round(EASIEST + OF_FAILURES * fails + OF_DEPTH * puzzle.depth)
    )


def make_puzzles(
    game: Game, order: Order, tell: Callable[[int, int], None] = lambda made, wanted: None
) -> list[Puzzle]:
    """Puzzles of a game, the easiest first. The same order gives the same puzzles."""
    chance = random.Random(f"{order.seed} {game}")
    found: list[Puzzle] = []
    seen: set[int] = set()
    at_once = easy = 0
    for _number in range(order.games):
        for position in reversed(list(_positions(game, chance))):
            if len(found) == order.count:
                break
            key = game.canonical_key(position.state)
            if key in seen or len(position.moves) < order.least_moves:
                continue
            try:
                move = only_win(position, order.nodes)
            except Unproved:
                break  # earlier positions are harder to prove
            if move is None:
                continue
            seen.add(key)
            is_at_once = position.play(move).is_over
            if is_at_once and at_once >= order.at_once * order.count:
                continue
            depth = depth_of(position, move)
            if depth is None:
                continue
            puzzle = Puzzle(f"{game.name}-{len(found) + 1}", str(position.game), str(position), move, depth, 0.0, 0)
            puzzle = rated(puzzle, order.seed)
            if puzzle.rating < EASY and easy >= order.easy * order.count:
                continue
            at_once += is_at_once
            easy += puzzle.rating < EASY
            found.append(puzzle)
            tell(len(found), order.count)
            break  # one puzzle of a game, so that they differ
        if len(found) == order.count:
            break
    return sorted(found, key=lambda puzzle: puzzle.rating)


def _positions(game: Game, chance: random.Random) -> Iterator[Position]:
    """The positions of a game between two weak players that is not over, or an endgame that the solver knows."""
    endgame = game.endgame(chance.randrange(1 << 32))
    if endgame is not None:
        yield endgame
        return
    position = game.varied_start(chance.randrange(1 << 32))
    players = [dataclasses.replace(player, seed=chance.randrange(1 << 32)) for player in AUTHORS]
    chance.shuffle(players)
    for _ply in range(400):
        if position.is_over:
            return
        yield position
        position = position.play(players[position.to_move - 1].think(position).move)
