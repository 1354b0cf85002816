"""Monte Carlo tree search: its proofs are right, its counts add up, and it respects its options."""

import dataclasses
import math
import random
import threading
import time

import numpy as np
import pytest

import graphs
import slow
import twice
import waiting
from conftest import dose
from zermelo.core import JIT, heuristic
from zermelo.games import find_game, game_names
from zermelo.games.tree.rules import Tree
from zermelo.position import random_playout
from zermelo.rules import POINT, is_over, key, moves_of, outcome, play, to_move
from zermelo.scores import Score
from zermelo.searches.mcts import NAT, WHOLE
from zermelo.searches.mcts_run import Mcts, run_mcts

TICTACTOE = find_game("tictactoe")
CONNECT4 = find_game("connect4")
START = CONNECT4.start().state
LINES = CONNECT4.heuristics["lines2_diagonals"]

WAYS = {  # to value leaves
    "rollouts": {},
    "rave": {"rave": 50},
    "decisive": {"decisive": True},
    "heuristic": {"rollouts": 0},
    "both": {"rollouts": 2, "mix": 0.3},
    "cut off": {"rollout_plies": 1},
}
all_ways = pytest.mark.parametrize("way", WAYS)


def options(way, evaluation):
    return WAYS[way] | ({"heuristic": evaluation} if way in ("heuristic", "both") else {})


def sign(state):
    return 1 if to_move(state) == 0 else -1


# ------------------------------------------------------------------------------------------ proofs


def random_tree(seed, depth, widest=3):
    """An explicit tree whose leaves are worth -9 to 9."""
    chance = random.Random(seed)
    rows, at = [(0, depth)], 0
    nodes = []
    while at < len(rows):
        left = rows[at][1]
        children = chance.randint(1, widest) if left and chance.random() < 0.9 else 0
        nodes.append((len(rows), children, 0 if children else chance.randint(-9, 9)))
        rows += [(0, left - 1)] * children
        at += 1
    return Tree(np.array(nodes))


@all_ways
def test_explicit_trees_are_solved_to_their_minimax_value(way):
    trees = [random_tree(seed, 4) for seed in range(dose(12, 3, 40))]
    trees += [find_game(name).start().state for name in game_names() if name.startswith("tree/")]
    nothing = find_game("tree/course").heuristics["nothing"]
    for tree in trees:
        if is_over(tree):
            continue
        found = run_mcts(tree, simulations=20_000, seed=1, memory=1, **options(way, nothing))
        assert found.solved
        assert found.score == slow.minimax(tree, 99, nothing)
        child = play(tree, found.move)
        assert -slow.minimax(child, 99, nothing) == found.score


@all_ways
def test_a_player_who_moves_twice_running(way):
    for heap in range(1, dose(14, 6)):
        state = twice.Twice(heap)
        found = run_mcts(state, simulations=50_000, seed=1, memory=8, **options(way, twice.hands))
        assert found.solved
        exact = slow.minimax(state, 99, twice.hands)
        assert (found.score > 0) == (exact > 0) and found.score.is_proven
        assert abs(found.score) <= abs(exact) or exact < 0, "a win takes at least as long as the quickest"


def test_random_graphs():
    """Any player moving at each node; with cycles too, in which nothing false is proven."""
    proven = 0
    for seed in range(dose(60, 8, 200)):
        for cyclic in (False, True):
            graph = graphs.random_graph(seed, 12, cyclic)
            expected = sign(graph) * graphs.values(graph)[0]
            found = run_mcts(graph, simulations=dose(3000, 150), seed=seed, memory=1)
            if found.solved:
                assert ((found.score > 0) - (found.score < 0)) == expected
                proven += 1
            if JIT and not cyclic:
                assert found.solved
    assert proven > dose(60, 8, 200)


def test_what_comes_back_counts_as_drawn():
    """From node 0 one can only go to 1, and from there back or on to 2, where player 0 has won."""
    arrows = [[1, -1], [0, 2], [-1, -1]]
    graph = graphs.Graph(np.array(arrows), [0, 1, 0], [0, 0, 1], 1)
    found = run_mcts(graph, simulations=200, seed=1)
    assert not found.solved and found.line[:1] == (1,)
    assert abs(found.score) < 300, "player 1 goes back, for ever"
    before = graph._replace(node=1)
    found = Mcts(before, seed=1).run(200, past=(int(key(graph)),))
    assert {move.move: move.value for move in found.moves}[0] == 0.0, "it has been there already"


def test_tictactoe_is_a_draw():
    found = run_mcts(TICTACTOE.start().state, simulations=dose(100_000, 300), seed=1)
    assert found.solved == JIT
    if JIT:
        assert found.score == 0


def test_many_positions_of_tictactoe():
    for seed in range(dose(40, 5, 100)):
        position = random_playout(TICTACTOE.start(), seed, 3 + seed % 4)
        if position.is_over:
            continue
        exact = slow.minimax(position.state, 9, TICTACTOE.heuristics["lines"])
        found = run_mcts(position.state, simulations=20_000, seed=seed, memory=4)
        assert found.solved
        assert ((found.score > 0) - (found.score < 0)) == ((exact > 0) - (exact < 0))


@pytest.mark.parametrize(
    ("moves", "best", "score"),
    [
        ("112233", "4", Score.win(1)),  # three along the bottom: the fourth
        ("121314", "1", Score.win(1)),  # three upright
    ],
)
@all_ways
def test_tactics_of_connect4(moves, best, score, way):
    position = CONNECT4.position(moves)
    found = run_mcts(position.state, simulations=dose(20_000, 400), seed=1, **options(way, LINES))
    assert CONNECT4.move_text(position.state, found.move) == best
    assert found.solved and found.score == score


def test_late_positions_of_connect4():
    checked = 0
    for seed in range(dose(200, 20)):
        position = random_playout(CONNECT4.start(), seed, dose(28, 36))
        if position.is_over:
            continue
        found = run_mcts(position.state, simulations=dose(200_000, 2000), seed=seed)
        exact = slow_outcome(position.state, {})
        assert found.solved
        assert ((found.score > 0) - (found.score < 0)) == exact
        assert sign_after(position.state, found.move, {}) == exact
        checked += 1
        if checked == dose(6, 2, 15):
            break


def slow_outcome(state, known):
    if state not in known:
        if is_over(state):
            known[state] = int(outcome(state))
        else:
            known[state] = max(sign_after(state, move, known) for move in moves_of(state))
    return known[state]


def sign_after(state, move, known):
    """What a move of Connect 4 leads to, for who makes it."""
    return -slow_outcome(play(state, move), known)


def test_a_finished_game():
    state = TICTACTOE.position("a1 b1 a2 b2 a3").state
    found = run_mcts(state, simulations=100)
    assert (found.move, found.line, found.simulations) == (None, (), 0)
    assert found.solved and found.score == Score.loss(0)


# ------------------------------------------------------------------------------------------ values of leaves


def random_value(state):
    """What random play is worth to the first player, exactly."""
    if is_over(state):
        return sign(state) * int(outcome(state))
    values = [random_value(play(state, move)) for move in moves_of(state)]
    return sum(values) / len(values)


def test_rollouts_are_random_games():
    """With one simulation a move, each is worth the mean of its rollouts, which is that of all random games."""
    state = random_playout(TICTACTOE.start(), 4, 3).state
    moves = moves_of(state)
    number = dose(40_000, 100)
    found = run_mcts(state, simulations=len(moves), rollouts=number, seed=1)
    for move in found.moves:
        child = play(state, move.move)
        assert move.visits == 1
        if not is_over(child):
            assert sign(state) * move.value == pytest.approx(random_value(child), abs=4 / math.sqrt(number))


def test_decisive_rollouts_take_what_wins_at_once():
    """Red holds three along the bottom and yellow is to move: all but column 4 loses at once."""
    state = CONNECT4.position("1122331").state
    lost = {True: {1, 2, 3, 5, 6, 7}, False: set()}
    for decisive, expected in lost.items():
        found = run_mcts(state, simulations=7, rollouts=30, decisive=decisive, seed=1)
        assert {move.move + 1 for move in found.moves if move.value == -1} == expected


def test_a_heuristic_is_squashed():
    found = run_mcts(START, simulations=7, heuristic=LINES, rollouts=0, scale=50.0)
    for move in found.moves:
        assert move.value == pytest.approx(-math.tanh(LINES(play(START, move.move)) / 50))


def test_the_scale_is_the_typical_size_of_the_heuristic():
    tree = Mcts(START, heuristic=LINES, rollouts=0, seed=1)
    sizes = []
    for seed in range(dose(300, 30)):
        sizes += [abs(LINES(position)) for position in random_playout(CONNECT4.start(), seed).path[:-1]]
    assert tree.work.scale / POINT == pytest.approx(sum(sizes) / len(sizes), rel=0.35)


def test_a_mixture_is_a_mixture():
    """On a tree without choices a rollout is worth the only leaf."""
    chain = Tree(np.array([(1, 1, 0), (2, 1, 0), (3, 1, 0), (4, 0, 5)]))

    @heuristic
    def seven(state: Tree):
        return 7 if state.player == 0 else -7

    found = run_mcts(chain, simulations=1, heuristic=seven, mix=0.25, scale=10.0)
    assert found.moves[0].value == pytest.approx(0.25 * math.tanh(0.7) + 0.75 * math.tanh(1.0))


def test_a_rollout_that_is_cut_off():
    draw = run_mcts(START, simulations=7, rollout_plies=3)
    assert {move.value for move in draw.moves} == {0.0}
    judged = run_mcts(START, simulations=7, heuristic=LINES, rollout_plies=2, mix=0.0, seed=1)
    assert len({move.value for move in judged.moves}) > 3, "what the heuristic says of where each ends"


# ------------------------------------------------------------------------------------------ the tree


def dump(tree, node=0):
    """Everything that a tree knows below a node."""
    one = tree.tree[node]
    known = [int(one.visits), float(one.total), int(one.solved), int(one.score) if one.solved else 0]
    if tree.work.rave > 0 and node != 0:
        known += [int(tree.amaf[node].visits), float(tree.amaf[node].total)]
    return known, {int(tree.tree[c].move): dump(tree, c) for c in tree._children(node)}


def check_sums(tree, node=0):
    """Every simulation through an expanded node went on to a child, but for the one that evaluated it."""
    one = tree.tree[node]
    assert abs(one.total) <= one.visits
    children = tree._children(node)
    if len(children) and not one.solved:
        below = sum(int(tree.tree[child].visits) for child in children)
        assert one.visits in (below, below + 1)
        for child in children:
            assert tree.tree[child].parent == node
    for child in children:
        check_sums(tree, child)


@all_ways
def test_the_sums_are_right(way):
    tree = Mcts(START, seed=1, **options(way, LINES))
    found = tree.run(dose(3000, 100))
    assert found.visits == found.simulations == dose(3000, 100)
    assert sum(move.visits for move in found.moves) == found.visits
    check_sums(tree)


@all_ways
def test_a_tree_that_follows_the_game_forgets_nothing(way):
    tree = Mcts(CONNECT4.position("44").state, seed=1, **options(way, LINES))
    found = tree.run(dose(5000, 200))
    before = dump(tree)
    tree.advance(*found.line[:2])
    expected = before[1][found.line[0]][1][found.line[1]]
    after = dump(tree)
    assert after[1] == expected[1]
    assert after[0] == expected[0][:4]
    check_sums(tree)
    assert tree.work.used == 1 + count(after)
    again = tree.run(dose(1000, 50))
    assert again.visits == expected[0][0] + again.simulations
    check_sums(tree)


def count(dumped):
    return sum(1 + count(child) for child in dumped[1].values())


def test_a_move_that_the_tree_does_not_know():
    tree = Mcts(START, seed=1)
    tree.run(1)
    unknown = next(move.move for move in tree.found().moves if move.visits == 0)
    tree.advance(unknown, 3)
    assert tree.state == play(play(START, unknown), 3)
    assert tree.found().visits == 0
    assert tree.run(50).visits == 50


def test_a_tree_can_be_followed_to_the_end():
    tree = Mcts(START, seed=2)
    while not is_over(tree.state):
        tree.advance(tree.run(dose(300, 20)).move)
    assert tree.found().move is None


def test_the_memory_is_kept():
    tree = Mcts(START, seed=1, memory=0.001)
    found = tree.run(dose(20_000, 600))
    assert found.full
    assert found.nodes <= tree.work.capacity < 1100
    assert found.visits == found.simulations == dose(20_000, 600)
    check_sums(tree)
    tree.advance(found.move)
    assert not tree.found().full and tree.found().nodes < found.nodes
    assert tree.run(100).move in range(7)


def test_rave_counts_the_moves_a_player_makes_later():
    """After each simulation, the root's moves that its player made then or later have one more."""
    tree = Mcts(TICTACTOE.start().state, seed=3, rave=100)
    for _ in range(30):
        before = {child: int(tree.amaf[child].visits) for child in tree._children(0)}
        tree.run(1)
        work = tree.work
        made = zip(work.moves_played[: work.played], work.movers[: work.played], strict=True)
        mine = {int(move) for move, mover in made if mover == 0}
        assert mine
        credited = {int(tree.tree[child].move) for child in before if tree.amaf[child].visits > before[child]}
        assert credited == mine


def test_expected_visits_are_the_guesses_shares_and_draw_visits():
    state = find_game("hex", size=5).position("c3").state
    options = {"rave": 1000, "prior": 20, "exploration": 0.0, "seed": 1}
    tree = Mcts(state, trust=1.0, **options)
    root = tree.tree[0]
    children = tree.tree[root.first : root.first + root.children]
    shares = (children.share / WHOLE) ** 2
    guesses = tree.work.guesses[: root.children]
    expected = np.exp(NAT * guesses) / np.exp(NAT * guesses).sum()
    assert np.abs(shares - expected).max() < 0.01
    assert shares[0] == shares.max() > 2 * shares[-1]
    tried = [sum(move.visits > 0 for move in Mcts(state, trust=trust, **options).run(300).moves) for trust in (0, 5.0)]
    assert tried[0] < tried[1], "a move that has fewer visits than its share gains by it"


def test_promising_moves_come_first():
    """The first visits go by the game's hints, which these graphs have; else the order is random."""
    for seed in range(dose(50, 5)):
        graph = graphs.random_graph(seed, 12, cyclic=True)
        order = [move.move for move in run_mcts(graph, simulations=1, seed=seed, memory=1).moves]
        assert order == sorted(moves_of(graph), reverse=True)
    orders = {tuple(move.move for move in run_mcts(START, simulations=1, seed=seed).moves) for seed in range(20)}
    assert len(orders) > 10


# ------------------------------------------------------------------------------------------ chance and budgets


def facts(found):
    return dataclasses.replace(found, seconds=0.0)


@all_ways
def test_the_same_seed_the_same_search(way):
    number = dose(3000, 100)
    first, second, other = (run_mcts(START, simulations=number, seed=seed, **options(way, LINES)) for seed in (5, 5, 6))
    assert facts(first) == facts(second)
    assert facts(first) != facts(other)


def test_in_pieces_or_at_once():
    pieces = Mcts(START, seed=5)
    for _ in range(10):
        pieces.run(dose(300, 20))
    whole = Mcts(START, seed=5)
    whole.run(dose(3000, 200))
    assert dump(pieces) == dump(whole)


def test_without_a_seed_every_search_is_another():
    one, other = (run_mcts(START, simulations=200) for _ in range(2))
    assert facts(one) != facts(other)


def test_signature():
    """Visits for a fixed seed: any change of the search changes them, and must say so. Plain Python has the same."""
    found = run_mcts(START, simulations=300, seed=1)
    both = run_mcts(START, simulations=300, seed=1, rave=100, heuristic=LINES)
    visits = [[{m.move: m.visits for m in f.moves}[column] for column in range(7)] for f in (found, both)]
    assert visits == [[21, 27, 57, 110, 23, 47, 15], [32, 37, 51, 75, 40, 31, 34]]


def test_time_is_up():
    tree = Mcts(START)
    began = time.perf_counter()
    found = tree.run(seconds=0.15)
    taken = time.perf_counter() - began
    assert found.simulations > 0
    assert 0.1 < taken < 60  # how exactly, bench measures; here, that it stops at all


def test_somebody_says_stop():
    tree = Mcts(START, memory=1)
    with waiting.again_and_again(tree.stop):
        assert tree.run(seconds=300).seconds < 200
    assert tree.run(10).simulations == 10, "and the next run is not stopped"


def test_no_time_at_all_still_gives_a_move():
    assert Mcts(START).found().move in range(7)
    assert run_mcts(START, seconds=0).move in range(7)


def test_two_threads_do_not_disturb_each_other():
    expected = facts(run_mcts(START, simulations=dose(20_000, 100), seed=1))
    results = []
    threads = [
        threading.Thread(target=lambda: results.append(facts(run_mcts(START, simulations=dose(20_000, 100), seed=1))))
        for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [expected] * 2


def test_a_search_without_anything_to_go_by():
    with pytest.raises(ValueError, match="needs a heuristic"):
        Mcts(START, rollouts=0)


def test_the_line_is_legal_and_its_end_is_known():
    found = run_mcts(START, simulations=dose(20_000, 300), seed=1)
    assert found.line[0] == found.move
    state = START
    for move in found.line:
        assert move in moves_of(state)
        state = play(state, move)


@pytest.mark.parametrize("name", game_names())
def test_every_game_can_be_searched(name):
    state = find_game(name).start().state
    found = run_mcts(state, simulations=dose(200, 5), seed=1, rave=10)
    assert found.move in moves_of(state)
