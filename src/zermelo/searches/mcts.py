"""Compiled Monte Carlo tree search: the tree and the four steps of a simulation, together in one long module.

The search is UCT, optionally with RAVE, and it proves wins, draws and losses (MCTS-Solver).

The tree is one array of nodes. The children of a node are stored next to each other and always after the node itself.
Node 0 is the root. States are not stored: every simulation replays the moves from the root. All values in the tree are
those of the first player, so the code does not assume that the players take turns: when a child is selected, the sign
of its value depends on who moves at the node.

A simulation (`simulate`) has the four steps known from the literature: selection, expansion, evaluation and back-up.
The evaluation of a leaf is in rollouts.py.
"""

import math

import numba
import numpy as np
from numba import int64

from zermelo.core import njit
from zermelo.core.functions import exp, log
from zermelo.rules import (
    MOST_PLIES,
    PLY,
    PROVEN,
    WIN,
    can_repeat,
    end_score,
    is_over,
    key,
    known_moves,
    legal_moves,
    move_guesses,
    move_hint,
    play,
    to_move,
)
from zermelo.searches.rollouts import ended, leaf_value, one_ply_away, random_below, sign_of, worth
from zermelo.searches.workspace import WIDEST

LONGEST = MOST_PLIES
"""The maximum number of plies of a simulation inside the tree, and of the rollout that follows it."""

PAST = 512
"""How many positions before the root are remembered in games where positions can repeat."""

LEFT_OUT = 2
"""A move that need not be tried counts as a solved loss, but nothing is claimed about it."""

NAT = 5.0
"""A move whose guess is lower by 1 / NAT is expected to get e times fewer visits."""
WHOLE = 255  # the root of a share of 1

UNCERTAIN = -2.0  # below every value

SLOTS = 8 * LONGEST  # size of the hash table of one simulation's moves; it is never more than a quarter full

NODE = np.dtype(
    [
        ("total", np.float64),  # sum of the values of all simulations through this node, for the first player
        ("visits", np.int32),
        ("move", np.int32),  # the move that leads here
        ("first", np.int32),  # the number of its first child, or 0 if the node is not expanded
        ("parent", np.int32),
        ("score", np.int32),  # if solved: what end_score gives with this node as the root, for the first player
        ("children", np.int16),
        ("solved", np.int8),  # 1, or LEFT_OUT
        ("share", np.uint8),  # the root of the share of visits that the game's guess expects here, times WHOLE
    ],
    align=True,
)
AMAF = np.dtype([("total", np.float64), ("visits", np.int64)], align=True)
"""What RAVE knows about a node: the simulations in which the same player played its move, at that point or later."""

TREE_TYPE = numba.from_dtype(NODE)[::1]
AMAF_TYPE = numba.from_dtype(AMAF)[::1]

MCTS_WORK = np.dtype(
    [
        ("stop", np.int64),  # set from outside: the search ends after the current simulation
        ("limit", np.int64),  # maximum number of simulations
        ("simulations", np.int64),  # simulations made so far in this run
        ("random", np.uint64),
        ("used", np.int64),  # number of nodes in the tree
        ("capacity", np.int64),  # maximum number of nodes
        ("full", np.int64),  # was there a node whose children did not fit?
        ("weights", np.uint64),  # the address of the heuristic's weights
        ("exploration", np.float64),
        ("rave", np.float64),  # number of visits at which RAVE's value and the node's own count equally; 0: no RAVE
        ("prior", np.float64),  # number of simulations that a move's guessed value counts as in RAVE's statistics
        ("knowledge", np.int64),  # number of visits after which the game is asked what it can prove there; 0: never
        ("trust", np.float64),  # how much the expected shares of visits count in the choice of a child; 0: nothing
        ("width", np.int64),  # number of children that are considered at first; 0: all of them
        ("widening", np.float64),  # how many more are considered after each visit
        ("rollouts", np.int64),  # number of rollouts from each leaf
        ("rollout_plies", np.int64),  # maximum number of plies of each rollout
        ("decisive", np.int64),  # do rollouts look for moves that win at once?
        ("mix", np.float64),  # the heuristic's share of a leaf's value, from 0 to 1
        ("has_heuristic", np.int64),
        ("scale", np.float64),  # a heuristic's value v counts as tanh(v / scale)
        ("points", np.float64),  # the same for the final score of a game that is decided by points
        ("depth", np.int64),  # plies from the root in this simulation
        ("played", np.int64),  # the same, plus the plies of the last rollout
        ("path", np.int32, LONGEST + 1),
        ("certain", np.float64, LONGEST + 1),  # the value the mover is sure of, if it is better than the move tried
        ("past", np.int64),  # number of positions before the root in `keys`
        ("keys", np.uint64, PAST + LONGEST + 1),
        ("moves_played", np.int32, 2 * LONGEST),
        ("movers", np.int8, 2 * LONGEST + 1),
        ("slot_code", np.int64, SLOTS),
        ("slot_stamp", np.int64, SLOTS),
        ("stamp", np.int64),
        ("moves", np.int32, WIDEST),
        ("hints", np.int64, WIDEST),
        ("guesses", np.float64, WIDEST),
        ("losing", np.int32, WIDEST),
    ],
    align=True,
)
MCTS_WORK_TYPE = numba.from_dtype(MCTS_WORK)


# ------------------------------------------------------------------------------------------ the four steps


@njit
def select(tree, amaf, node, sign, work):
    """Return the child to visit next, chosen by UCT, or by UCT mixed with RAVE. `sign` is that of the player to move.

    With RAVE, the share of visits that is expected of a child adds to its value until it has them (PUCT: Rosin, 2011).

    A visit to a solved child teaches nothing, and there is always an unsolved child, because otherwise the node itself
    would be solved. So the best unsolved child is visited, even where the mover would prefer a solved one (a draw, for
    example). In that case the value of the solved child, in work.certain, is passed to the earlier nodes instead.
    """
    first = tree[node].first
    explore = work.exploration * math.sqrt(log(max(tree[node].visits, 1)))
    trust = work.trust * math.sqrt(float(tree[node].visits)) / (WHOLE * WHOLE)
    best = certain = -math.inf
    chosen = first
    work.certain[work.depth] = UNCERTAIN
    end = first + considered(tree, node, work)
    for child in range(first, first + tree[node].children):
        if child >= end and best > -math.inf:
            break
        visits = tree[child].visits
        if tree[child].solved != 0:
            certain = max(certain, worth(sign * int64(tree[child].score), work.points))
            continue
        if work.rave > 0:
            known = amaf[child].visits
            if known == 0 and visits == 0:
                return child
            value = amaf[child].total / known if known > 0 else 0.0
            if visits > 0:
                weight = math.sqrt(work.rave / (3 * visits + work.rave)) if known > 0 else 0.0
                value = (1 - weight) * (tree[child].total / visits) + weight * value
            share = float(tree[child].share)
            value = sign * value + explore / math.sqrt(max(visits, 1)) + trust * share * share / (1 + visits)
        elif visits == 0:
            return child
        else:
            value = sign * tree[child].total / visits + explore / math.sqrt(visits)
        if value > best:
            best = value
            chosen = child
    if certain > best:
        work.certain[work.depth] = sign * certain
    return chosen


@njit
def expand(state, tree, amaf, node, work):
    """Give a node its children in random order, or sorted by move_hint where nothing is guessed; False without room."""
    number = int64(legal_moves(state, work.moves, 0))
    first = work.used
    if first + number > work.capacity:
        work.full = 1
        return False
    for i in range(number - 1, 0, -1):
        other = random_below(work, i + 1)
        work.moves[i], work.moves[other] = work.moves[other], work.moves[i]
    if work.rave == 0 or work.prior == 0:  # otherwise guesses tell which move comes first
        sort_by_hints(state, number, work)
    if work.rave > 0 and work.prior > 0:
        move_guesses(state, work.moves, number, work.guesses)
        sort_by_guesses(number, work)
    for i in range(number):
        new_node(tree, amaf, first + i, node, work.moves[i], work)
    if work.rave > 0 and work.prior > 0:
        for i in range(number):
            amaf[first + i].visits = int64(work.prior)
            amaf[first + i].total = sign_of(to_move(state)) * work.prior * work.guesses[i]
        write_shares(tree, first, number, work)
    tree[node].first = first
    tree[node].children = number
    work.used = first + number
    return True


@njit
def sort_by_hints(state, number, work):
    """Sort the moves by move_hint; equal ones stay in their order."""
    for i in range(number):
        move = work.moves[i]
        hint = int64(move_hint(state, move))
        at = i
        while at > 0 and work.hints[at - 1] < hint:
            work.moves[at] = work.moves[at - 1]
            work.hints[at] = work.hints[at - 1]
            at -= 1
        work.moves[at] = move
        work.hints[at] = hint


@njit
def sort_by_guesses(number, work):
    """Sort the moves and their guesses, the best first (Shellsort)."""
    for gap in (57, 23, 10, 4, 1):
        for i in range(gap, number):
            move, guess, at = work.moves[i], work.guesses[i], i
            while at >= gap and work.guesses[at - gap] < guess:
                work.moves[at] = work.moves[at - gap]
                work.guesses[at] = work.guesses[at - gap]
                at -= gap
            work.moves[at] = move
            work.guesses[at] = guess


@njit
def write_shares(tree, first, number, work):
    """Write the shares of visits that the guesses, the best of which comes first, let expect of these children."""
    total = 0.0
    for i in range(number):
        total += exp(NAT * (work.guesses[i] - work.guesses[0]))
    for i in range(number):
        share = exp(NAT * (work.guesses[i] - work.guesses[0])) / total
        tree[first + i].share = np.uint8(WHOLE * math.sqrt(share))


@njit
def considered(tree, node, work):
    """Return how many of a node's children are considered: the first ones, more of them with every visit."""
    number = int64(tree[node].children)
    if work.width == 0 or work.rave == 0 or work.prior == 0:
        return number
    return min(number, work.width + int64(work.widening * tree[node].visits))


@njit
def new_node(tree, amaf, node, parent, move, work):
    """Write a node that has not been visited."""
    tree[node].total = 0.0
    tree[node].visits = 0
    tree[node].move = move
    tree[node].first = 0
    tree[node].parent = parent
    tree[node].score = 0
    tree[node].children = 0
    tree[node].solved = 0
    tree[node].share = 0
    if work.rave > 0:
        amaf[node].total = 0.0
        amaf[node].visits = 0


@njit
def settle(tree, node, sign):
    """Mark a node as solved if one of its children wins or all are solved. Return whether it is solved now."""
    first = tree[node].first
    best = int64(-WIN)
    all_solved = True
    for child in range(first, first + tree[node].children):
        if tree[child].solved != 0:
            best = max(best, sign * int64(tree[child].score))
        else:
            all_solved = False
    if not all_solved and best <= PROVEN:
        return False
    tree[node].solved = 1
    tree[node].score = sign * one_ply_away(best)
    return True


@njit
def consult(state, tree, node, work):
    """Ask the game what it can prove about an expanded node, and write that down. Return whether the node is solved.

    The root itself is only searched: its move is wanted, even where the proof names none or the game is lost.
    """
    first, number = tree[node].first, int64(tree[node].children)
    for i in range(number):
        work.moves[i] = tree[first + i].move
    sign = sign_of(to_move(state))
    plies = int64(known_moves(state, work.moves, number, work.losing))
    if plies != 0:
        if node != 0:
            tree[node].solved = 1
            tree[node].score = sign * (WIN - plies * PLY if plies > 0 else -WIN - plies * PLY)
        return node != 0
    for i in range(number):
        if work.losing[i] != 0 and tree[first + i].solved == 0:
            tree[first + i].solved = 1 if work.losing[i] > 0 else LEFT_OUT
            tree[first + i].score = -sign * (WIN - (abs(work.losing[i]) - 1) * PLY)
    return settle(tree, node, sign)


@njit
def repeats(state, work):
    """Has this position already occurred, on the path from the root or before the root? Then it counts as a draw."""
    if not can_repeat(state):
        return False
    place = work.past + work.depth
    work.keys[place] = key(state)
    if work.depth == 0:
        return False
    for earlier in range(place):
        if work.keys[earlier] == work.keys[place]:
            return True
    return False


@njit
def simulate(state, tree, amaf, evaluate, work):
    """Run one simulation from the root, which must be expanded and not solved."""
    node = 0
    work.depth = 0
    work.played = 0
    newly_solved = False
    while True:
        work.path[work.depth] = node
        # 1. The path ends at a solved node, at a repetition, or at the maximum depth.
        if tree[node].solved != 0:
            value = worth(int64(tree[node].score), work.points)
            break
        if repeats(state, work) or work.depth == LONGEST:
            value = 0.0
            break
        # 2. A leaf is evaluated on its first visit and expanded on its second, if there is room.
        if tree[node].first == 0:
            if tree[node].visits == 0:
                if is_over(state):
                    tree[node].solved = 1
                    tree[node].score = ended(state)
                    newly_solved = True
                    value = worth(int64(tree[node].score), work.points)
                    break
                value = leaf_value(state, evaluate, work)
                break
            if not expand(state, tree, amaf, node, work):
                value = leaf_value(state, evaluate, work)
                break
        if tree[node].visits == work.knowledge and node != 0 and consult(state, tree, node, work):
            newly_solved = True
            value = worth(int64(tree[node].score), work.points)
            break
        # 3. Otherwise the simulation goes on to the most promising child.
        mover = to_move(state)
        node = select(tree, amaf, node, sign_of(mover), work)
        work.movers[work.depth] = mover
        work.moves_played[work.depth] = tree[node].move
        state = play(state, int64(tree[node].move))
        work.depth += 1
    back_up(tree, amaf, value, newly_solved, work)


@njit
def back_up(tree, amaf, value, newly_solved, work):
    """Add the value to all nodes on the path. A node that has just been solved may solve its parent."""
    if work.rave > 0:
        work.stamp += 1
        for i in range(work.depth, work.played):
            remember(work, work.movers[i], work.moves_played[i])
    for ply in range(work.depth, -1, -1):
        node = work.path[ply]
        if ply < work.depth:
            if newly_solved:
                newly_solved = settle(tree, node, sign_of(work.movers[ply]))
            if work.certain[ply] != UNCERTAIN:
                value = work.certain[ply]
            if newly_solved:
                value = worth(int64(tree[node].score), work.points)
            if work.rave > 0:
                remember(work, work.movers[ply], work.moves_played[ply])
                credit(tree, amaf, node, work.movers[ply], value, work)
        tree[node].visits += 1
        tree[node].total += value


# ------------------------------------------------------------------------------------------ RAVE


@njit
def slot_of(work, mover, move):
    """Return where this move is, or would be, in the hash table of this simulation's moves."""
    code = int64(move) * 2 + int64(mover)
    slot = (code ^ (code >> 13)) & (SLOTS - 1)
    while work.slot_stamp[slot] == work.stamp and work.slot_code[slot] != code:
        slot = (slot + 1) & (SLOTS - 1)
    return slot


@njit
def remember(work, mover, move):
    """Record that this player has played this move in this simulation."""
    slot = slot_of(work, mover, move)
    work.slot_stamp[slot] = work.stamp
    work.slot_code[slot] = int64(move) * 2 + int64(mover)


@njit
def credit(tree, amaf, node, mover, value, work):
    """Add the value to RAVE's statistics of all children whose move the mover played here or later."""
    first = tree[node].first
    for child in range(first, first + considered(tree, node, work)):
        if work.slot_stamp[slot_of(work, mover, tree[child].move)] == work.stamp:
            amaf[child].visits += 1
            amaf[child].total += value


# ------------------------------------------------------------------------------------------ what the driver calls


@njit
def search_tree(state, tree, amaf, evaluate, work):
    """Simulate until the root is solved, the limit is reached or work.stop is set. The root is always expanded."""
    if is_over(state):
        tree[0].solved = 1
        tree[0].score = ended(state)
    else:
        if tree[0].first == 0:
            expand(state, tree, amaf, 0, work)
        if work.knowledge > 0:
            tree[0].solved = 0  # what was proven without a move, before this node became the root, is not enough
            if not settle(tree, 0, sign_of(to_move(state))):
                consult(state, tree, 0, work)
    while work.stop == 0 and work.simulations < work.limit and tree[0].solved == 0:
        simulate(state, tree, amaf, evaluate, work)
        work.simulations += 1
    return work.simulations


@njit
def typical_sizes(start, evaluate, playouts, work):
    """Measure the mean size of the heuristic's values, and of final scores in points, in random games from here.

    With these as scales, a value of typical size counts as tanh(1) = 0.76. Where nothing was measured, the size is 1.
    """
    judged_sum = ended_sum = 0.0
    judged_number = ended_number = 0
    for _ in range(playouts):
        state = start
        for _ in range(LONGEST):
            number = legal_moves(state, work.moves, 0)
            if number == 0:
                score = abs(int64(end_score(state, 0)))
                if 0 < score <= PROVEN:
                    ended_sum += score
                    ended_number += 1
                break
            judged_sum += abs(int64(evaluate(state, work.weights)))
            judged_number += 1
            state = play(state, int64(work.moves[random_below(work, number)]))
    work.scale = judged_sum / judged_number if judged_sum > 0 else 1.0
    work.points = ended_sum / ended_number if ended_sum > 0 else 1.0


@njit
def keep_subtree(tree, amaf, root, work):
    """Make a node the root, move everything below it to the front, and discard the rest.

    The children of a node are stored after it, so one pass in place is enough. If a node's parent is kept, the node
    stores the parent's new place as -2 - place until the node itself is moved.
    """
    tree[0] = tree[root]
    if work.rave > 0:
        amaf[0] = amaf[root]
    tree[0].parent = -1
    announce(tree, 0)
    free = int64(1)
    for node in range(1, work.used):
        if tree[node].parent > -2:
            continue
        parent = -2 - tree[node].parent
        if tree[parent].first == node:
            tree[parent].first = free
        tree[free] = tree[node]
        tree[free].parent = parent
        if work.rave > 0:
            amaf[free] = amaf[node]
        announce(tree, free)
        free += 1
    work.used = free
    return free


@njit
def announce(tree, node):
    """Write a node's new place into its children."""
    first = tree[node].first
    for child in range(first, first + tree[node].children):
        tree[child].parent = -2 - node
