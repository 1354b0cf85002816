"""Monte Carlo tree search in a module: some simulations with each call of `step`.

The tree grows in the compiled code of searches/mcts.py. How it begins and what is read from it is that of
searches/mcts_run.py in compiled code; tests/publish compares the two. The tree is not kept from move to move.
"""

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numba
from numba import float64, int32, int64, uint64

from zermelo.core import mix, njit
from zermelo.core.numbers import POINT
from zermelo.publish.entries import AGAIN, DONE, Entry, control_at
from zermelo.publish.memory import LONGEST_LINE, Memory, array_reader, record_reader, state_reader, state_writer
from zermelo.rules import MOST_MOVES, play, to_move
from zermelo.searches.mcts import (
    AMAF,
    LONGEST,
    MCTS_WORK,
    MCTS_WORK_TYPE,
    NODE,
    PAST,
    new_node,
    search_tree,
    typical_sizes,
)
from zermelo.searches.mcts_run import MOST_SIMULATIONS, PER_MILLE, PLAYOUTS_TO_SCALE, Mcts, capacity
from zermelo.searches.rollouts import one_ply_away, sign_of, worth

MOST_MEMORY = 64
"""Megabytes of a tree in a module. A phone has little memory, and 2 million nodes are a minute of thinking."""

GOLDEN = 0x9E3779B97F4A7C15


@njit
def seeded(seed):
    """The first state of the random generator. It is never 0, because the generator would stay there."""
    begin = mix(uint64(seed) + uint64(GOLDEN))
    return begin if begin != uint64(0) else uint64(1)


@njit
def value_of(tree, child, sign):
    """The mean of a child's simulations for the player to move; 0 if there were none."""
    visits = tree[child].visits
    return sign * tree[child].total / visits if visits > 0 else 0.0


@njit
def best_child(tree, node, sign, points):
    """The child to play: the most visited unsolved one, or the best solved one if it is at least as good."""
    known = tried = int64(-1)
    first = int64(tree[node].first)
    for child in range(first, first + tree[node].children):
        if tree[child].solved != 0:
            if known < 0 or sign * int64(tree[child].score) > sign * int64(tree[known].score):
                known = child
        elif tried < 0 or tree[child].visits > tree[tried].visits:
            tried = child
    if known >= 0 and (tree[node].solved != 0 or tried < 0):
        return known
    if known < 0:
        return tried
    sure = worth(sign * int64(tree[known].score), points)
    return known if sure > -1.0 and sure >= value_of(tree, tried, sign) else tried


@njit
def answer(state, tree, work, control):
    """Write what is known now."""
    sign, root = sign_of(to_move(state)), tree[0]
    if root.solved != 0:
        control.score = sign * int64(root.score)
    else:
        control.score = sign * int64(round(PER_MILLE * root.total / max(root.visits, 1))) * POINT
    control.exact = int64(root.solved != 0)
    control.complete = 1
    control.nodes = work.simulations
    node, length = int64(0), int64(0)
    while tree[node].first != 0 and (node == 0 or tree[node].visits > 1) and length < LONGEST_LINE:
        node = best_child(tree, node, sign_of(to_move(state)), work.points)
        control.line[length] = tree[node].move
        length += 1
        state = play(state, int64(tree[node].move))
    control.length = control.depth = length
    control.move = control.line[0]


@njit
def plant(state, tree, amaf, evaluate, work, control, scale):
    """Begin with a tree that consists of the root and its children."""
    work.stop = work.played = work.depth = work.past = work.stamp = work.full = 0
    work.slot_stamp[:] = 0
    work.slot_code[:] = 0
    typical_sizes(state, evaluate, int64(PLAYOUTS_TO_SCALE), work)
    if scale > 0:
        work.scale = scale
    new_node(tree, amaf, int64(0), int64(0), int64(0), work)
    work.used = 1
    work.simulations = work.limit = 0
    search_tree(state, tree, amaf, evaluate, work)
    left_out = max(control.past - PAST, 0)
    work.past = control.past - left_out
    for i in range(work.past):
        work.keys[i] = control.keys[left_out + i]


@dataclass(frozen=True)
class Leaf:
    """What values a leaf beside random games: a heuristic and the address of its weights."""

    evaluate: Any
    weights: int
    is_judged: bool
    """Has the heuristic a part in the value? Otherwise it gives 0."""


def mcts_entries(
    cls: Any, given: Mapping[str, Any], megabytes: float, leaf: Leaf, memory: Memory, cost: int = 1
) -> list[Entry]:
    """`begin` and `step` of this search, and `ranked`, which writes what the tree knows about each move.

    given: the options of searches.mcts_run.Mcts. cost: the number of nodes as which a simulation counts, for the limit
    and in the answer.
    """
    usual = {name: one.default for name, one in inspect.signature(Mcts).parameters.items()}
    option = SimpleNamespace(**usual | dict(given))
    nodes = capacity(min(megabytes, MOST_MEMORY), option.rave > 0)
    amaf_nodes = nodes if option.rave > 0 else 1
    root_at = memory.take("root", 1 << 12)
    work_at = memory.take("work", MCTS_WORK.itemsize)
    tree_at = memory.take("tree", NODE.itemsize * nodes)
    amaf_at = memory.take("amaf", AMAF.itemsize * amaf_nodes)
    read, write, work_of = state_reader(cls), state_writer(cls), record_reader(MCTS_WORK_TYPE)
    tree_of, amaf_of = array_reader(numba.from_dtype(NODE)), array_reader(numba.from_dtype(AMAF))
    control_of, control_place = control_at(memory)
    lists_at, numbers_of = memory.take("ranked", 12 * MOST_MOVES), array_reader(int32)
    evaluate, weights, has = leaf.evaluate, leaf.weights, int(leaf.is_judged)
    share = 0.0 if not leaf.is_judged else 1.0 if option.rollouts == 0 else float(option.mix)
    rollouts, plies, decisive = option.rollouts, min(option.rollout_plies or LONGEST, LONGEST), int(option.decisive)
    exploration, rave, prior = float(option.exploration), float(option.rave), float(option.prior)
    knowledge, width, widening = int(option.knowledge), int(option.width), float(option.widening)
    trust = float(option.trust)
    seed = -1 if option.seed is None else option.seed
    scale = 0.0 if option.scale is None else float(option.scale * POINT)

    def begin(state_at):
        state, work, control = read(state_at), work_of(work_at), control_of(control_place)
        work.has_heuristic, work.weights = has, weights
        work.rollouts, work.rollout_plies, work.decisive, work.mix = rollouts, plies, decisive, share
        work.exploration, work.rave, work.prior, work.capacity = exploration, rave, prior, nodes
        work.knowledge, work.width, work.widening, work.trust = knowledge, width, widening, trust
        work.random = seeded(control.seed if control.seed >= 0 else int64(max(seed, 0)))
        tree, amaf = tree_of(tree_at, int64(nodes)), amaf_of(amaf_at, int64(amaf_nodes))
        plant(state, tree, amaf, evaluate, work, control, float64(scale))
        write(root_at, state)
        control.evaluated = -1
        answer(state, tree, work, control)
        control.nodes *= cost
        return int64(0)

    def step(most):
        state, work, control = read(root_at), work_of(work_at), control_of(control_place)
        tree, amaf = tree_of(tree_at, int64(nodes)), amaf_of(amaf_at, int64(amaf_nodes))
        last = max(min(control.limit // cost, int64(MOST_SIMULATIONS)), int64(1))
        work.stop = 0
        work.limit = min(last, work.simulations + max(most // cost, int64(1))) if most >= 0 else last
        search_tree(state, tree, amaf, evaluate, work)
        answer(state, tree, work, control)
        control.nodes *= cost
        return int64(DONE if tree[0].solved != 0 or work.simulations >= last else AGAIN)

    def ranked():
        work, tree = work_of(work_at), tree_of(tree_at, int64(nodes))
        lists, room = numbers_of(int64(lists_at), int64(3 * MOST_MOVES)), int64(MOST_MOVES)
        first, number = int64(tree[0].first), int64(tree[0].children)
        sign = sign_of(to_move(read(root_at)))
        for i in range(number):
            child = first + i
            lists[i] = tree[child].move
            if tree[child].solved != 0:
                lists[room + i] = sign * one_ply_away(int64(tree[child].score))
            else:
                lists[room + i] = int64(round(PER_MILLE * value_of(tree, child, sign))) * POINT
            lists[2 * room + i] = tree[child].visits
        return number if work.simulations > 0 else int64(0)

    return [Entry("begin", begin, 1), Entry("step", step, 1), Entry("ranked", ranked, 0)]
