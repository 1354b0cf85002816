"""Exact endgames: known scores, brute force on small boards, every move."""

import functools
import random

import numpy as np
import pytest

import zermelo as z
from conftest import GOLDEN, dose
from zermelo.core import JIT, count
from zermelo.games.reversi import sharing, solver
from zermelo.games.reversi.last_squares import last_flips
from zermelo.games.reversi.rules import flips
from zermelo.games.reversi.solver import is_quick, solve, worth_solving
from zermelo.position import Position, random_playout
from zermelo.rules import moves_of

GAME = z.game("reversi")
FULL, MASK = (1 << 64) - 1, 0x8421C60300180081  # MASK leaves few discs, so that long lines are flipped, too
KNOWN = [line.split() for line in (GOLDEN / "reversi-endgames.txt").read_text().splitlines() if line and line[0] != "#"]


@functools.cache
def brute_force(position: Position) -> int:
    """The final margin for the player to move, by plain minimax over positions."""
    if position.is_over:
        margin = position.margin or 0
        return margin if position.to_move == 1 else -margin
    return max(-brute_force(position.play(move)) for move in position.moves)


@pytest.mark.parametrize(
    "entry", [e for e in KNOWN if JIT or e[0].count("-") <= 10][:: dose(1, 8)], ids=lambda e: e[0][:16]
)
def test_known_endgames(entry):
    board, side, score = entry[0], entry[1], int(entry[2])
    position = GAME.position(f"{board} {side}")
    found = solve(position.state)
    assert found.complete
    assert found.score == score
    assert solve(position.state, weak=True).score == (score > 0) - (score < 0)
    assert solve(position.state, threads=2).score == score


def test_threads_that_search_together_find_the_same_scores(monkeypatch):
    """Also where a move decides and the others are stopped, and in positions in which a player must pass."""
    monkeypatch.setattr(sharing, "LEAST_EMPTY", 4)
    shared_out, order = [], sharing.Sharing._order
    monkeypatch.setattr(sharing.Sharing, "_order", lambda self, state: shared_out.append(state) or order(self, state))
    for seed in range(dose(30, 4)):
        path = random_playout(GAME.start(), seed).path
        state = path[max(0, len(path) - dose(11, 6))].state
        for weak in (False, True):
            assert solve(state, weak=weak, threads=3).score == solve(state, weak=weak).score
        assert solve(state, all_moves=True, threads=2).scores == solve(state, all_moves=True).scores
    assert shared_out


@pytest.mark.parametrize("size", ["columns=4, rows=4", "columns=6, rows=6", "columns=7, rows=5", "columns=8, rows=8"])
def test_against_brute_force(size):
    game = z.game(f"reversi({size})")
    for seed in range(dose(10, 2)):
        end = random_playout(game.start(), seed)
        position = end.path[max(0, len(end.path) - dose(8, 5))]
        if position.is_over:
            continue
        found = solve(position.state, all_moves=True)
        assert found.score == brute_force(position), str(position)
        for move, score in found.scores.items():
            child = position.play_code(move)
            assert score == -brute_force(child), (str(position), move)
        assert set(found.moves) == {m for m, s in found.scores.items() if s == found.score}


def test_the_last_square_flips_what_any_square_flips():
    chance = random.Random(22)
    for _ in range(dose(2000, 200)):
        square, own = chance.randrange(64), chance.choice([chance.getrandbits(64), chance.getrandbits(64) & MASK])
        mine, theirs = np.uint64(own & ~(1 << square)), np.uint64(~own & ~(1 << square) & FULL)
        assert last_flips(mine, square) == count(flips(mine, theirs, square)), (own, square)


def test_estimates_before_the_solution_are_near_the_scores():
    """The solver tries the move with the best estimate first. The mean error is 4.4 discs."""
    errors = []
    for board, side, score, *_ in [e for e in KNOWN if e[0].count("-") >= 8][: dose(20, 5)]:
        state = GAME.position(f"{board} {side}").state
        work = solver._workspace(state, solver.UNLIMITED)
        estimates = [solver._estimate(state, move, work) for move in moves_of(state)]
        assert all(estimate % 2 == 0 and abs(estimate) <= 64 for estimate in estimates)
        errors.append(abs(max(estimates) - int(score)))
    assert sum(errors) / len(errors) < 12


def test_the_engine_and_the_analysis_use_it():
    board, side, score = KNOWN[0][:3]
    position = GAME.position(f"{board} {side}")
    assert is_quick(position.state)
    assert z.analyse(position, seconds=60).best.score == int(score)
    assert z.engine(nodes=100).think(position).score == int(score)
    assert not is_quick(GAME.start().state)


@pytest.mark.skipif(not JIT, reason="made for compiled speed")
def test_a_budget_may_end_it():
    for threads in (1, 2):
        found = solve(GAME.start().state, seconds=0.2, threads=threads)
        assert not found.complete
        assert found.moves


def with_empty(number):
    """A position of a random game with this many empty squares."""
    return next(one.state for one in random_playout(GAME.start(), 3).path if str(one).count("-") == number)


def test_what_is_worth_solving_depends_on_what_there_is(monkeypatch):
    """More empty squares need more; who wins needs less than the score; time counts by the speed that was measured."""
    assert worth_solving(with_empty(16)) == "exact"
    assert worth_solving(with_empty(17)) is None
    found = [worth_solving(with_empty(number), nodes=1_000_000) for number in range(10, 26)]
    assert found == sorted(found, key=["exact", "weak", None].index)
    assert set(found) == {"exact", "weak", None}
    assert worth_solving(with_empty(20), nodes=10**9) == "exact"
    assert worth_solving(with_empty(14), nodes=100) is None
    assert worth_solving(with_empty(21), nodes=2_000_000) == "weak"  # half of 0.1 s
    monkeypatch.setattr(solver, "_speed", [1e6])
    slow = [worth_solving(with_empty(number), seconds=1) for number in range(10, 26)]
    assert slow == found
    monkeypatch.setattr(solver, "_speed", [100e6])
    assert worth_solving(with_empty(20), seconds=1) == "exact"


def test_a_player_in_a_hurry_learns_only_who_wins(monkeypatch):
    """A won position is played by the solver; in a lost one, the search chooses the move."""
    monkeypatch.setattr(solver, "worth_solving", lambda state, **limits: "weak")
    seen = set()
    for seed in range(12):
        position = random_playout(GAME.start(), seed, 50)
        if position.is_over:
            continue
        found = solve(position.state, weak=True)
        choice = z.engine("reversi/mobility", nodes=200_000).think(position)
        assert choice.solved == (found.score >= 0)
        if choice.solved:
            assert choice.score.outcome == found.score
        seen.add(choice.solved)
    assert seen == {True, False}


@pytest.mark.skipif(not JIT, reason="takes minutes as plain Python")
def test_judging_moves_is_cheap():
    """FFO 44 took 10.5 million nodes when every move was judged exactly, though most are far from the best."""
    found = solve(GAME.position("--O-X-O---O-XO-O-OOXXXOOOOOOXXXOOOOOXX--XXOOXO----XXXX-----XXX-- O").state)
    assert (found.score, found.nodes < 9_000_000) == (-14, True)
