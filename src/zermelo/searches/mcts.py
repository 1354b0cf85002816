"""Monte Carlo tree search, compiled: UCT, with RAVE if wanted, and with proofs (MCTS-Solver).

The tree is one array of nodes; a node's children stand side by side, always behind it. Node 0 is the root. States
are not stored: every simulation plays the moves again from the root. All values in the tree are the first player's,
so nothing here presumes that the players take turns: who moves at a node turns the sign when a child is selected.

A simulation (`simulate`) has the four steps of the literature: selection, expansion, evaluation, back-up.
"""

import math

import numba
import numpy as np
from numba import int64

from zermelo.core import njit
from zermelo.rules import (
    MOST_PLIES,
    PLY,
    PROVEN,
    WIN,
    can_repeat,
    end_score,
    is_over,
    key,
    legal_moves,
    move_hint,
    play,
    to_move,
    wins_at_once,
)
from zermelo.searches.workspace import WIDEST

LONGEST = MOST_PLIES
"""No simulation has more plies in the tree, nor a rollout more behind it."""

PAST = 512
"""So many positions before the root are known, in games that can repeat themselves."""

UNCERTAIN = -2.0  # below every value

SLOTS = 8 * LONGEST  # the moves of one simulation in a hash table: never more than a quarter full

NODE = np.dtype(
    [
        ("total", np.float64),  # sum of the values of all simulations that came through, for the first player
        ("visits", np.int32),
        ("move", np.int32),  # that leads here
        ("first", np.int32),  # its first child; 0: not expanded
        ("parent", np.int32),
        ("score", np.int32),  # if solved: as end_score with the node for a root, for the first player
        ("children", np.int16),
        ("solved", np.int8),
        ("spare", np.int8),  # 32 bytes: two nodes in a cache line
    ],
    align=True,
)
AMAF = np.dtype([("total", np.float64), ("visits", np.int64)], align=True)
"""What RAVE knows of a node: the simulations in which its move was played by the same player, then or later."""

TREE_TYPE = numba.from_dtype(NODE)[::1]
AMAF_TYPE = numba.from_dtype(AMAF)[::1]

MCTS_WORK = np.dtype(
    [
        ("stop", np.int64),  # set from outside: go home after this simulation
        ("limit", np.int64),  # of simulations
        ("simulations", np.int64),  # made so far in this run
        ("random", np.uint64),
        ("used", np.int64),  # nodes
        ("capacity", np.int64),
        ("full", np.int64),  # was there a node that found no room for its children?
        ("weights", np.uint64),  # where the heuristic's weights stand
        ("exploration", np.float64),
        ("rave", np.float64),  # visits at which what RAVE knows and what the node knows count alike; 0: no RAVE
        ("rollouts", np.int64),  # from each leaf
        ("rollout_plies", np.int64),  # of each at most
        ("decisive", np.int64),  # do rollouts look for moves that win at once?
        ("mix", np.float64),  # the part of the heuristic in a leaf's value, 0 to 1
        ("has_heuristic", np.int64),
        ("scale", np.float64),  # a heuristic's value v counts as tanh(v / scale)
        ("points", np.float64),  # likewise for the score of an ended game that is about points
        ("depth", np.int64),  # plies from the root in this simulation
        ("played", np.int64),  # and with the last rollout's
        ("path", np.int32, LONGEST + 1),
        ("certain", np.float64, LONGEST + 1),  # what the mover can be sure of, if it is better than what is tried
        ("past", np.int64),  # positions before the root in `keys`
        ("keys", np.uint64, PAST + LONGEST + 1),
        ("moves_played", np.int32, 2 * LONGEST),
        ("movers", np.int8, 2 * LONGEST + 1),
        ("slot_code", np.int64, SLOTS),
        ("slot_stamp", np.int64, SLOTS),
        ("stamp", np.int64),
        ("moves", np.int32, WIDEST),
        ("hints", np.int64, WIDEST),
    ],
    align=True,
)
MCTS_WORK_TYPE = numba.from_dtype(MCTS_WORK)


# ------------------------------------------------------------------------------------------ chance


@njit
def random_below(work, number):
    """A whole number from 0 to number - 1: xorshift64 (Marsaglia 2003), the upper half scaled down."""
    chance = work.random
    chance ^= chance << np.uint64(13)
    chance ^= chance >> np.uint64(7)
    chance ^= chance << np.uint64(17)
    work.random = chance
    return int64((chance >> np.uint64(32)) * np.uint64(number) >> np.uint64(32))


# ------------------------------------------------------------------------------------------ values


@njit
def sign_of(mover):
    """What turns a value for the mover into one for the first player."""
    return 1 - 2 * int64(mover)


@njit
def worth(score, scale):
    """A score as a value from -1 to 1: a win is 1, points are squashed."""
    if score > PROVEN:
        return 1.0
    if score < -PROVEN:
        return -1.0
    if score == 0:
        return 0.0
    return math.tanh(score / scale)


@njit
def one_ply_away(score):
    """What a score is worth to the position a ply before: the same, but a win is a ply further off."""
    if score > PROVEN:
        return max(score - PLY, PROVEN + PLY)
    if score < -PROVEN:
        return min(score + PLY, -PROVEN - PLY)
    return score


@njit
def judged(state, evaluate, work):
    """What the heuristic says, squashed, for the first player."""
    value = math.tanh(evaluate(state, work.weights) / work.scale)
    return sign_of(to_move(state)) * value


@njit
def ended(state):
    """The score of an ended game for the first player."""
    return sign_of(to_move(state)) * int64(end_score(state, 0))


@njit
def winning_or(place, state, number, work):
    """Where among the moves in work.moves the first stands that wins at once; if none does, place."""
    sign = sign_of(to_move(state))
    for i in range(number):
        child = play(state, int64(work.moves[i]))
        if is_over(child) and sign * ended(child) > PROVEN:
            return int64(i)
    return place


@njit
def rollout(state, evaluate, work):
    """The value of random moves from here to the end, or to rollout_plies: then the heuristic's, or a draw."""
    work.played = work.depth
    for _ in range(work.rollout_plies):
        number = legal_moves(state, work.moves, 0)
        if number == 0:
            return worth(ended(state), work.points)
        place = random_below(work, number)
        if work.decisive != 0 and wins_at_once(state):
            place = winning_or(place, state, number, work)
        move = work.moves[place]
        if work.rave > 0:
            work.moves_played[work.played] = move
            work.movers[work.played] = to_move(state)
            work.played += 1
        state = play(state, int64(move))
    if is_over(state):
        return worth(ended(state), work.points)
    return judged(state, evaluate, work) if work.has_heuristic != 0 else 0.0


@njit
def leaf_value(state, evaluate, work):
    """The value of a game not yet over: by rollouts, by the heuristic, or a mixture of both."""
    value = 0.0
    if work.mix < 1:
        for _ in range(work.rollouts):
            value += rollout(state, evaluate, work)
        value /= work.rollouts
    if work.mix > 0:
        value = work.mix * judged(state, evaluate, work) + (1 - work.mix) * value
    return value


# ------------------------------------------------------------------------------------------ the four steps


@njit
def select(tree, amaf, node, sign, work):
    """The child to visit next: UCT, blended with RAVE if wanted. sign: of the player to move at the node.

    Nothing is learned from a visit to a child that is solved, and there is always another, or the node were solved. So
    the best of the others is visited, even where the mover would rather choose a solved one (a draw, say); but then
    what is told to the nodes before is the value of that, in work.certain.
    """
    first = tree[node].first
    explore = work.exploration * math.sqrt(math.log(max(tree[node].visits, 1)))
    best = certain = -math.inf
    chosen = first
    work.certain[work.depth] = UNCERTAIN
    for child in range(first, first + tree[node].children):
        visits = tree[child].visits
        if tree[child].solved != 0:
            certain = max(certain, worth(sign * int64(tree[child].score), work.points))
            continue
        if work.rave > 0:
            known = amaf[child].visits
            if known == 0 and visits == 0:
                return child
            weight = math.sqrt(work.rave / (3 * visits + work.rave)) if known > 0 else 0.0
            mean = tree[child].total / visits if visits > 0 else 0.0
            guess = amaf[child].total / known if known > 0 else 0.0
            value = sign * ((1 - weight) * mean + weight * guess) + explore / math.sqrt(max(visits, 1))
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
    """Give a node its children, in random order, those with a better move_hint first; False if there is no room."""
    number = int64(legal_moves(state, work.moves, 0))
    first = work.used
    if first + number > work.capacity:
        work.full = 1
        return False
    for i in range(number - 1, 0, -1):
        other = random_below(work, i + 1)
        work.moves[i], work.moves[other] = work.moves[other], work.moves[i]
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
    for i in range(number):
        new_node(tree, amaf, first + i, node, work.moves[i], work)
    tree[node].first = first
    tree[node].children = number
    work.used = first + number
    return True


@njit
def new_node(tree, amaf, node, parent, move, work):
    """A node that nobody has visited."""
    tree[node].total = 0.0
    tree[node].visits = 0
    tree[node].move = move
    tree[node].first = 0
    tree[node].parent = parent
    tree[node].score = 0
    tree[node].children = 0
    tree[node].solved = 0
    if work.rave > 0:
        amaf[node].total = 0.0
        amaf[node].visits = 0


@njit
def settle(tree, node, sign):
    """Solve a node if its children allow it: one of them wins, or all are solved. True if it is solved now."""
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
def repeats(state, work):
    """Did this position stand on the way from the root, or before it, already? Then it counts as drawn."""
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
    """One simulation from the root, which is expanded and not solved."""
    node = 0
    work.depth = 0
    work.played = 0
    newly_solved = False
    while True:
        work.path[work.depth] = node
        # 1. Where the way ends: what is known for certain, a repetition, too far away.
        if tree[node].solved != 0:
            value = worth(int64(tree[node].score), work.points)
            break
        if repeats(state, work) or work.depth == LONGEST:
            value = 0.0
            break
        # 2. A leaf is evaluated when it is first visited, and expanded the second time, if there is room.
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
        # 3. Otherwise on to the most promising child.
        mover = to_move(state)
        node = select(tree, amaf, node, sign_of(mover), work)
        work.movers[work.depth] = mover
        work.moves_played[work.depth] = tree[node].move
        state = play(state, int64(tree[node].move))
        work.depth += 1
    back_up(tree, amaf, value, newly_solved, work)


@njit
def back_up(tree, amaf, value, newly_solved, work):
    """Tell all nodes on the way the value; what is newly solved may solve the node before it."""
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
    """Where in the table of this simulation's moves this one stands, or would stand."""
    code = int64(move) * 2 + int64(mover)
    slot = (code ^ (code >> 13)) & (SLOTS - 1)
    while work.slot_stamp[slot] == work.stamp and work.slot_code[slot] != code:
        slot = (slot + 1) & (SLOTS - 1)
    return slot


@njit
def remember(work, mover, move):
    """This player has played this move in this simulation."""
    slot = slot_of(work, mover, move)
    work.slot_stamp[slot] = work.stamp
    work.slot_code[slot] = int64(move) * 2 + int64(mover)


@njit
def credit(tree, amaf, node, mover, value, work):
    """The value counts for all children whose move the mover played here or later."""
    first = tree[node].first
    for child in range(first, first + tree[node].children):
        if work.slot_stamp[slot_of(work, mover, tree[child].move)] == work.stamp:
            amaf[child].visits += 1
            amaf[child].total += value


# ------------------------------------------------------------------------------------------ what the driver calls


@njit
def search_tree(state, tree, amaf, evaluate, work):
    """Simulate until the root is solved, the limit is reached or somebody says stop. The root is always expanded."""
    if is_over(state):
        tree[0].solved = 1
        tree[0].score = ended(state)
    elif tree[0].first == 0:
        expand(state, tree, amaf, 0, work)
    while work.stop == 0 and work.simulations < work.limit and tree[0].solved == 0:
        simulate(state, tree, amaf, evaluate, work)
        work.simulations += 1
    return work.simulations


@njit
def typical_sizes(start, evaluate, playouts, work):
    """The mean size of the heuristic's values, and of final scores in points, in random games from here.

    Squashed by these, a typical value v counts as tanh(1) = 0.76. Where nothing was measured the size is 1.
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
    """Make a node the root, move all below it to the front, and forget the rest.

    A node's children stand behind it, so one pass in place is enough. Until it is moved itself, a node whose parent
    is kept carries the parent's new place as -2 - place.
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
    """Tell a node's children its new place."""
    first = tree[node].first
    for child in range(first, first + tree[node].children):
        tree[child].parent = -2 - node
