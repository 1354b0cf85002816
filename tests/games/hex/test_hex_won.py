"""A position that the Hex solver proves won is then won: players give the solver a share of their budget."""

import random

import pytest

from zermelo.core import JIT
from zermelo.games import find_game
from zermelo.games.hex.solver import ATTEMPTED_EMPTY, solve, worth_solving
from zermelo.match import play_match
from zermelo.players import find_player
from zermelo.position import Position
from zermelo.rules import moves_of

pytestmark = pytest.mark.skipif(not JIT, reason="too slow")


def random_position(size: int, stones: int, seed: int) -> Position:
    chance, position = random.Random(seed), find_game("hex", size=size).start()
    for _ in range(stones):
        position = position.play(chance.choice(position.moves))
    return position


def won_positions(size: int, stones: range, number: int, nodes: int) -> list[Position]:
    """Positions of random stones that the solver proves won, and in which most moves lose."""
    found: list[Position] = []
    seed = 0
    while len(found) < number:
        seed += 1
        position = random_position(size, stones[seed % len(stones)], seed)
        if position.is_over or solve(position.state, nodes=nodes).score != 1:
            continue
        solution = solve(position.state, nodes=5 * nodes, all_moves=True)
        if solution.complete and 2 * len(solution.moves) < len(position.moves):
            found.append(position)
    return found


def test_the_solver_is_asked_wherever_the_budget_may_be_enough() -> None:
    """This position was left to the search, because more than 40 cells are empty."""
    position = random_position(7, 4, 2)
    assert len(moves_of(position.state)) > 40
    choice = find_player("engine(nodes=20000)").think(position)
    assert choice.solved
    assert choice.score is not None
    assert choice.score.outcome == 1
    assert solve(position.play(choice.move).state).score == -1


def test_only_hopeless_attempts_are_left_out() -> None:
    few = next(n for n in range(64) if len(moves_of(random_position(8, n, 1).state)) == ATTEMPTED_EMPTY)
    for size, stones, worth in ((7, 0, "exact"), (8, few, "exact"), (8, few - 1, None), (9, 40, None)):
        assert worth_solving(random_position(size, stones, 1).state, seconds=1.0) == worth


def test_what_one_attempt_proves_is_kept_for_the_next() -> None:
    state, kept = random_position(7, 4, 2).state, {}
    needed = solve(state).nodes
    assert not solve(state, nodes=needed // 2).complete
    attempts = 1
    while not solve(state, nodes=needed // 2, kept=kept).complete:
        attempts += 1
        assert attempts < 10
    assert attempts > 1
    assert solve(state, kept=kept).nodes < needed // 4
    assert solve(state).nodes == needed, "without kept tables, every attempt is the same"
    assert solve(find_game("hex", size=6).start().state, kept=kept).score == 1, "boards of another size share nothing"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "stones", "number", "least"), [(7, range(2, 13), 200, 200), (8, range(8, 21), 50, 45)]
)
def test_won_positions_are_won(size: int, stones: range, number: int, least: int) -> None:
    """One second a move is enough, whoever defends."""
    engine, defender = find_player("engine(seconds=1)"), find_player("engine(seconds=0.2)")
    won = 0
    for position in won_positions(size, stones, number, 20_000):
        sides = (engine, defender) if position.to_move == 1 else (defender, engine)
        won += play_match(*sides, position).winner == position.to_move
    assert won >= least
