"""What virtual connections prove during Monte Carlo tree search, against a search that tries everything."""

import functools
import random
from typing import Any

import numpy as np
import pytest

from conftest import dose
from zermelo.core import JIT
from zermelo.games import find_game
from zermelo.games.hex.solver import solve
from zermelo.position import Position, random_playout
from zermelo.rules import is_over, known_moves, moves_of, play
from zermelo.searches.mcts_run import Mcts

MOST_EMPTY = 8


@functools.cache
def wins(state: Any) -> bool:
    return not is_over(state) and any(not wins(play(state, move)) for move in moves_of(state))


def nearly_full(size: int, seed: int) -> Position:
    """A position that is not over, with few empty cells, in which nobody has joined the edges."""
    chance, position = random.Random(seed), find_game("hex", size=size).start()
    while len(position.moves) > MOST_EMPTY:
        after = [position.play(move) for move in chance.sample(position.moves, min(9, len(position.moves)))]
        going_on = [one for one in after if not one.is_over]
        if not going_on:
            return nearly_full(size, seed + 1000)
        position = going_on[0]
    return position


def known(position: Position) -> tuple[int, dict[int, int]]:
    moves = np.array(moves_of(position.state), np.int32)
    losing = np.zeros(len(moves), np.int32)
    plies = int(known_moves(position.state, moves, len(moves), losing))
    return plies, dict(zip(moves.tolist(), losing.tolist(), strict=True)) if plies == 0 else {}


@pytest.mark.parametrize("size", [4, 9, 13])
def test_what_is_known_is_true(size: int) -> None:
    """The boards have one, two and three words."""
    decided = ruled_out = 0
    for seed in range(dose(40, 40 if size == 4 else 3, 400)):
        position = nearly_full(size, seed)
        plies, losing = known(position)
        if plies != 0:
            assert (plies > 0) == wins(position.state), str(position)
            assert abs(plies) <= len(position.moves)
            assert plies % 2 == (plies > 0), "whoever moves last has won"
            decided += 1
        for move, most in losing.items():
            if most > 0:
                assert wins(play(position.state, move)), (str(position), move)
                ruled_out += 1
        if losing:
            kept = [move for move, most in losing.items() if most == 0]
            assert wins(position.state) == any(not wins(play(position.state, move)) for move in kept), str(position)
    assert decided > dose(20, 1, 200)
    assert ruled_out > dose(5, 0, 30) or size > 4, "with so few empty cells, larger boards are always decided"


@pytest.mark.skipif(not JIT, reason="too slow")
@pytest.mark.parametrize("size", [5, 6])
def test_moves_that_are_left_out_are_not_needed(size: int) -> None:
    """By the solver: a won position has a winning move among those that stay open, and none among those that lose."""
    left_out = won = 0
    for seed in range(dose(120, 120, 600)):
        position = random_playout(find_game("hex", size=size).start(), seed, plies=1 + seed % (2 * size - 3))
        if position.is_over:
            continue
        plies, losing = known(position)
        solution = solve(position.state, all_moves=True)
        assert plies == 0 or (plies > 0) == (solution.score > 0)
        kinds = {move: int(np.sign(most)) for move, most in losing.items()}
        assert not any(kinds.get(move) == 1 for move in solution.moves)
        if plies == 0 and solution.score > 0:
            assert any(kinds[move] == 0 for move in solution.moves), str(position)
            won += 1
        left_out += sum(kind == -1 for kind in kinds.values())
    assert won > 10
    assert left_out > 50


@pytest.mark.skipif(not JIT, reason="too slow")
def test_nothing_is_said_about_a_move_that_is_left_out() -> None:
    position = find_game("hex", size=9).position("e5 e4")  # where a cell may be vulnerable, but nothing is proven
    _, losing = known(position)
    left_out = [move for move, most in losing.items() if most < 0]
    tree = Mcts(position.state, rave=1000, prior=20, knowledge=5, seed=1)
    found = tree.run(200)
    statistics = {known_move.move: known_move for known_move in found.moves}
    assert left_out
    assert all(statistics[move].score is None and statistics[move].visits == 0 for move in left_out)


@pytest.mark.skipif(not JIT, reason="too slow")
@pytest.mark.parametrize("size", [9, 13])
def test_after_a_move_that_is_ruled_out_the_opponent_is_known_to_win(size: int) -> None:
    ruled_out = 0
    for seed in range(40):
        position = random_playout(find_game("hex", size=size).start(), seed, plies=size * size // 3)
        _, losing = known(position)
        for move in [move for move, most in losing.items() if most > 0][::7]:
            assert known(Position(position.game, play(position.state, move)))[0] > 0, (str(position), move)
            ruled_out += 1
    assert ruled_out > 50


def test_boards_beyond_13x13_know_nothing_but_are_searched() -> None:
    position = find_game("hex", size=14).position("g7")
    assert known(position) == (0, dict.fromkeys(moves_of(position.state), 0))


def test_a_search_with_knowledge_solves_positions_sooner() -> None:
    """Black's stone in the middle of 5x5 is connected to both edges, with or without the move."""
    position = find_game("hex", size=5).position(".W.../...../..B../...../.W... b")
    options = {"rave": 1000, "prior": 20, "seed": 1}
    assert not Mcts(position.state, **options).run(300).solved
    found = Mcts(position.state, **options, knowledge=5).run(300)
    assert found.solved
    assert found.score.outcome == 1
    assert found.move is not None
    assert known(Position(position.game, play(position.state, found.move)))[0] < 0


def test_a_tree_that_follows_the_game_finds_a_move_in_a_position_that_was_proven_without_one() -> None:
    position = find_game("hex", size=5).position(".W.../...../..B../...../.W... w")
    won = 0
    for move in moves_of(position.state)[:6]:
        tree = Mcts(position.state, rave=1000, prior=20, knowledge=5, seed=1)
        tree.run(500)
        tree.advance(move)
        found = tree.run(3000)
        assert found.move is not None
        if found.solved and found.score.outcome == 1:
            assert known(Position(position.game, play(tree.state, found.move)))[0] < 0
            won += 1
    assert won > 0
