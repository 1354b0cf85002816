"""Perfect Connect 4: known scores, brute force on small boards, mirror images, every move."""

import functools

import pytest

import zermelo as z
from conftest import dose, golden_lines
from zermelo.core import JIT
from zermelo.games.connect4.solver import is_quick, score_of, solve
from zermelo.position import Position, random_playout

GAME = z.game("connect4")
KNOWN = [(position, int(score)) for position, score in golden_lines("connect4-positions.txt")]


def in_points(position: Position, outcome_of_mover: int) -> int:
    """The score of a finished game for the player to move, in the rules' convention, by counting cells."""
    empty = int(position.state.board).bit_count() - int(position.state.stones).bit_count()
    return outcome_of_mover * ((empty + 2) // 2)


@functools.cache
def brute_force(position: Position) -> int:
    """The exact score, by plain minimax over positions; a second program that shares nothing but the rules."""
    if position.is_over:
        return in_points(position, -1 if position.winner else 0)
    return max(-brute_force(position.play(move)) for move in position.moves)


@pytest.mark.parametrize(("text", "score"), KNOWN[:: dose(1, 40)])
def test_known_scores(text, score):
    if not JIT and len(text) < 24:
        pytest.skip("too long in plain Python")
    state = GAME.position(text).state
    assert score_of(state)[0] == score
    assert score_of(state, weak=True)[0] == (score > 0) - (score < 0)


@pytest.mark.parametrize("size", ["columns=4, rows=4", "columns=5, rows=4", "columns=4, rows=5", "columns=8, rows=4"])
def test_small_boards_against_brute_force(size):
    game = z.game(f"connect4({size})")
    cells = int(game.start().state.board).bit_count()
    for seed in range(dose(12, 2)):
        position = random_playout(game.start(), seed, cells - dose(9, 6) + seed % 3)
        if not position.is_over:
            found = solve(position.state, all_moves=True)
            assert found.complete
            assert found.score == brute_force(position), str(position)
            for move, score in found.scores.items():
                assert score == -brute_force(position.play(str(move + 1))), str(position)
            assert all(found.scores[move] == found.score for move in found.moves)


def test_mirror_images_are_worth_the_same():
    for text, _ in KNOWN[:: dose(15, 120)]:
        if len(text) >= dose(20, 26):
            mirrored = "".join(str(8 - int(column)) for column in text)
            assert score_of(GAME.position(text).state)[0] == score_of(GAME.position(mirrored).state)[0]


def test_every_move_of_a_position():
    # 324443 as on the page that seed 003 took its data from; the best move is column 5 or what its score says there
    if not JIT:
        pytest.skip("deep")
    position = GAME.position("44444132")
    found = solve(position.state, all_moves=True)
    best = max(found.scores.values())
    assert found.score == best == score_of(position.state)[0]
    for move, score in found.scores.items():
        child = position.play(str(move + 1))
        assert score == -score_of(child.state)[0]


def test_analysis_is_perfect_where_it_is_quick():
    position = GAME.position(KNOWN[0][0])
    assert is_quick(position.state)
    best = z.analyse(position).best
    assert (best.score, best.exact) == (KNOWN[0][1], True)
    assert z.engine(nodes=100).think(position).score == KNOWN[0][1]
    assert not is_quick(GAME.start().state)


def test_a_budget_may_end_it():
    if JIT:
        found = solve(GAME.start().state, seconds=0.2)
        assert not found.complete
        assert found.value == "?"


@pytest.mark.slow
@pytest.mark.skipif(not JIT, reason="hours")
def test_the_empty_board_is_won_by_one():
    """+1, first moves -2 -1 0 1 0 -1 -2: published, and in the founders' rules file."""
    assert score_of(GAME.start().state)[0] == 1
