"""Proof-number search, against slow solvers that share nothing with it."""

import time

import pytest

import graphs
import twice
import waiting
from conftest import dose
from zermelo.core import JIT
from zermelo.games import find_game, game_names
from zermelo.position import random_playout
from zermelo.rules import can_repeat, is_over, moves_of, outcome, play, to_move
from zermelo.searches.budget import Budget
from zermelo.searches.proof_run import ProofSearch, run_proof
from zermelo.searches.textbook import run_alphabeta
from zermelo.solving.exact import solve, solve_by_proof

TINY = 0.0001  # megabytes: a single bucket


def brute_force(state, known):
    """The outcome for the player to move: every line to its end, each position once."""
    name = tuple(part.tobytes() for part in state)
    if name not in known:
        if is_over(state):
            known[name] = int(outcome(state))
        else:
            values = []
            for move in moves_of(state):
                child = play(state, move)
                value = brute_force(child, known)
                values.append(value if to_move(child) == to_move(state) else -value)
            known[name] = max(values)
    return known[name]


def after(state, move):
    """The state after a move, and what turns its value into one for the mover before."""
    child = play(state, move)
    return child, 1 if to_move(child) == to_move(state) else -1


def check(found, state, known):
    """The outcome is right, and the move keeps it."""
    assert found.outcome == brute_force(state, known)
    if found.move is None:
        assert is_over(state)
    else:
        child, sign = after(state, found.move)
        assert sign * brute_force(child, known) == found.outcome


def reachable(state, found):
    """All positions that can be reached from here."""
    if state not in found:
        found.add(state)
        for move in moves_of(state):
            reachable(play(state, move), found)
    return found


def test_every_position_of_tictactoe():
    start = find_game("tictactoe").start().state
    positions = sorted(reachable(start, set()), key=lambda state: [int(part) for part in state])
    assert len(positions) == 5478  # as is well known
    known = {}
    search = ProofSearch(memory=1)
    for state in positions[:: dose(1, 97)]:
        check(search.run(state), state, known)


@pytest.mark.parametrize("stones", [36, 32, 28])
def test_late_positions_of_connect4(stones):
    game = find_game("connect4")
    found = 0
    for seed in range(dose(400, 60)):
        position = random_playout(game.start(), seed, stones)
        if position.is_over or (not JIT and stones < 36):
            continue
        check(run_proof(position.state, Budget(memory=1)), position.state, {})
        found += 1
        if found == dose(5, 2, 12):
            break


@pytest.mark.skipif(not JIT, reason="too many positions for plain Python")
def test_a_small_board_from_the_start():
    """Alpha-beta to the end of the game agrees."""
    game = find_game("connect4", columns=4, rows=4)
    assert run_proof(game.start().state).outcome == 0
    assert run_alphabeta(game.start().state, game.heuristics["centre"], 16).score == 0


def test_a_player_who_moves_twice_running():
    known = {}
    for heap in range(1, dose(20, 8)):
        state = twice.Twice(heap)
        check(run_proof(state, Budget(memory=1)), state, known)


@pytest.mark.parametrize("name", [name for name in game_names() if name.startswith("tree/")])
def test_explicit_trees(name):
    state = find_game(name).start().state
    check(run_proof(state, Budget(memory=1)), state, {})


@pytest.mark.parametrize("memory", [1, TINY])
def test_random_graphs(memory):
    """Graphs in which nodes are reached on many ways and any player may move; also with a table that forgets."""
    for seed in range(dose(100, 10, 300)):
        graph = graphs.random_graph(seed, 25, cyclic=False)
        sign = 1 if graph.owners[0] == 0 else -1
        found = run_proof(graph, Budget(memory=memory))
        expected = graphs.values(graph)
        assert found.outcome == sign * expected[0]
        assert expected[found.move] == expected[0]


def test_random_graphs_with_cycles():
    """Wins are found and hold; a draw is not claimed unless every line of it ends."""
    solved = 0
    for seed in range(dose(300, 10)):
        graph = graphs.random_graph(seed, 12, cyclic=True)
        assert can_repeat(graph)
        sign = 1 if graph.owners[0] == 0 else -1
        found = run_proof(graph, Budget(memory=1), plies=16)
        expected = graphs.values(graph)
        assert found.least <= sign * expected[0] <= found.most
        if expected[0] != 0:
            assert found.outcome == sign * expected[0]
            assert expected[found.move] == expected[0]
        assert found.horizon or found.outcome is not None
        solved += found.outcome is not None
    assert solved


def test_beyond_its_plies_nothing_is_refuted():
    state = find_game("connect4", columns=4, rows=4).start().state
    found = run_proof(state, Budget(memory=1), plies=5)
    assert (found.outcome, found.least, found.most, found.horizon) == (None, -1, 1, True)
    assert found.move in moves_of(state)


def test_a_finished_game():
    state = find_game("tictactoe").position("a1 b1 a2 b2 a3").state
    assert is_over(state)
    found = run_proof(state, Budget(memory=1))
    assert (found.outcome, found.move, found.nodes) == (-1, None, 0)


START = find_game("connect4").start().state


@pytest.mark.parametrize("nodes", [1, 100, 5000])
def test_a_node_limit_is_kept(nodes):
    found = run_proof(START, Budget(nodes=nodes, memory=1))
    assert found.outcome is None
    assert found.nodes < nodes + 7 + 1  # it looks at all children of a position at once
    assert found.move in range(7)


def test_a_search_goes_on_where_it_stopped():
    state = find_game("connect4", columns=4, rows=4).start().state if JIT else find_game("tictactoe").start().state
    whole = run_proof(state, Budget(memory=4))
    pieces = ProofSearch(memory=4)
    runs = 0
    outcome_found = None
    while outcome_found is None and runs < 100:
        outcome_found = pieces.run(state, Budget(nodes=max(whole.nodes // 10, 10))).outcome
        runs += 1
    assert outcome_found == whole.outcome
    assert runs > 1


def test_time_is_up_and_somebody_says_stop():
    run_proof(START, Budget(nodes=1, memory=1))
    began = time.perf_counter()
    found = run_proof(START, Budget(seconds=0.1, memory=1))
    assert found.outcome is None
    assert time.perf_counter() - began < 60  # how exactly, bench measures
    search = ProofSearch(memory=1)
    with waiting.again_and_again(search.stop):
        assert search.run(START, Budget(seconds=300)).seconds < 200


def test_signature():
    """Positions made for a fixed question: any change of the search changes them, and must say so; alike unjitted."""
    assert run_proof(find_game("tictactoe").start().state, Budget(memory=1)).nodes == 6749


def test_who_wins_is_asked_of_it():
    game = find_game("tictactoe")
    for seed in range(dose(20, 2)):
        position = random_playout(game.start(), seed, 4)
        if not position.is_over:
            found = solve(position, weak=True)
            assert found.outcome == brute_force(position.state, {}) and found.complete
            assert not found.in_points
    assert not solve_by_proof(find_game("connect4").start(), Budget(seconds=0.05)).complete
