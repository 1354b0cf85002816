"""Every search is held to the promise in its docstring, on random positions of every game."""

import functools
import random

import pytest

import slow
import twice
from conftest import dose
from zermelo.core import JIT
from zermelo.core.numbers import POINT
from zermelo.games import find_game, game_names
from zermelo.position import random_playout
from zermelo.rules import is_over, play, to_move
from zermelo.scores import RECORDED_WIN, Score
from zermelo.searches.textbook import run_alphabeta, run_minimax

DEPTH = dose(3, 2)
STEP = {"reversi": 1 / POINT}  # the least difference of two scores, where it is less than a point


@functools.cache
def positions_of(name):
    """The heuristic and some states of a game; no test needs another game's."""
    if name == "twice":
        return twice.hands, [twice.Twice(heap) for heap in range(1, dose(12, 5))]
    game = find_game(name)
    states = []
    for seed in range(dose(12, 2)):
        length = len(random_playout(game.start(), seed).path)
        position = random_playout(game.start(), seed, random.Random(seed).randrange(length))
        if not position.is_over and len(position.moves) <= 24:
            states.append(position.state)
    assert states or not JIT
    return game.heuristics[game.default_heuristic], states


@pytest.fixture
def heuristic(name):
    return positions_of(name)[0]


@pytest.fixture
def states(name):
    return positions_of(name)[1]


# every game, and one in which a player may move twice running
all_games = pytest.mark.parametrize("name", [*game_names(), "twice"])


@all_games
def test_minimax_is_minimax(name, heuristic, states):
    for state in states:
        found = run_minimax(state, heuristic, DEPTH)
        assert found.score == slow.minimax(state, DEPTH, heuristic)
        assert found.cutoffs == 0


@all_games
def test_alphabeta_keeps_its_promise_in_narrow_windows(name, heuristic, states):
    chance = random.Random(name)
    for state in states:
        value = slow.minimax(state, DEPTH, heuristic)
        middle = value + chance.choice([-40, -3, -1, 0, 1, 3, 40])
        widest = (-RECORDED_WIN, RECORDED_WIN)
        for window in [(middle - 1, middle), (middle - 5, middle + 5), (middle, middle + 1), widest]:
            alpha, beta = map(Score.of_number, window)
            result = run_alphabeta(state, heuristic, DEPTH, window=(alpha, beta)).score
            if result <= alpha:
                assert value <= result
            elif result >= beta:
                assert result <= value
            else:
                assert result == value


@all_games
def test_alphabeta_plays_what_minimax_plays_with_fewer_nodes(name, heuristic, states):
    for state in states:
        plain, pruned = run_minimax(state, heuristic, DEPTH), run_alphabeta(state, heuristic, DEPTH)
        assert (plain.score, plain.move) == (pruned.score, pruned.move)
        assert pruned.generated <= plain.generated
        assert (pruned.cutoffs > 0) == (pruned.generated < plain.generated)


@all_games
def test_the_best_line_leads_to_the_score(name, heuristic, states):
    for state in states:
        found = run_alphabeta(state, heuristic, DEPTH)
        here, sign = state, 1
        for move in found.line:
            after = play(here, move)
            sign = sign if to_move(after) == to_move(here) else -sign
            here = after
        end = slow.minimax(here, 0, heuristic, ply=len(found.line))
        assert found.score == sign * end
        assert len(found.line) == DEPTH or is_over(here)


@all_games
@pytest.mark.parametrize("tolerance", [0, 1, 2, 5, 50])
def test_tolerance_prunes_as_the_report_tells_it(name, heuristic, states, tolerance):
    for state in states:
        counter = [0]
        value = slow.min_max_search(state, DEPTH, heuristic, tolerance, counter=counter)
        found = run_alphabeta(state, heuristic, DEPTH, tolerance=tolerance)
        assert found.score == (value if to_move(state) == 0 else -value)
        assert found.nodes == counter[0]
        if tolerance <= STEP.get(name, 1):
            assert found.score == run_alphabeta(state, heuristic, DEPTH).score


@all_games
def test_ordering_changes_no_value(name, heuristic, states):
    for state in states:
        value = run_alphabeta(state, heuristic, DEPTH).score
        for plies in (None, 1, 10):
            assert run_alphabeta(state, heuristic, DEPTH, order=heuristic, order_plies=plies).score == value


@all_games
@pytest.mark.parametrize("top_moves", [1, 2, 3])
def test_top_moves_is_the_game_with_only_those_moves(name, heuristic, states, top_moves):
    def keep(state, ply):
        return slow.sorted_moves(state, ply, heuristic)[:top_moves]

    def keep_first_ply(state, ply):
        return keep(state, ply) if ply == 0 else slow.moves_of(state)

    for state in states:
        found = run_alphabeta(state, heuristic, DEPTH, top_moves=top_moves)
        assert found.score == slow.minimax(state, DEPTH, heuristic, keep=keep)
        found = run_alphabeta(state, heuristic, DEPTH, top_moves=top_moves, order_plies=1)
        assert found.score == slow.minimax(state, DEPTH, heuristic, keep=keep_first_ply)


@all_games
def test_everything_combines(name, heuristic, states):
    """Sorting, a beam and a tolerance at once: the beam's moves, searched with the tolerance."""
    for state in states:
        step = STEP.get(name, 1)
        both = run_alphabeta(state, heuristic, DEPTH, order=heuristic, order_plies=2, top_moves=3, tolerance=step)
        beam = run_alphabeta(state, heuristic, DEPTH, order=heuristic, order_plies=2, top_moves=3)
        assert (both.score, both.nodes) == (beam.score, beam.nodes)
        loose = run_alphabeta(state, heuristic, DEPTH, order=heuristic, order_plies=2, top_moves=3, tolerance=10**9)
        assert loose.nodes <= beam.nodes


@pytest.mark.parametrize(("depth", "nodes"), [(4, 2842), (8, 530375)])
def test_signature(depth, nodes):
    """Node counts over fixed positions at a fixed depth: any change of the search changes them, and must say so."""
    if nodes > dose(10**9, 10**4):
        pytest.skip("too many for plain Python")
    game = find_game("connect4")
    states = [game.position(text).state for text in ("-", "324443", "4444", "121212", "44455555")]
    counts = [run_alphabeta(state, game.heuristics["lines2"], depth).generated for state in states]
    assert sum(counts) == nodes, counts
