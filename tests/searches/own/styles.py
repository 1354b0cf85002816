"""The styles in which students write minimax and alpha-beta. Not a test itself: the tests load it as a user's file."""

import numpy as np

import zermelo as z


@z.search
def negamax(node, depth, alpha, beta):
    if node.is_over or depth == 0:
        return node.value
    best = float("-inf")
    for child in node.children():
        best = max(best, -negamax(child, depth - 1, -beta, -alpha))
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best


@z.search
def any_order(node, depth, alpha, beta):
    """Also right where a side moves twice running."""
    if node.is_over or depth == 0:
        return node.value
    best = float("-inf")
    for child in node.children():
        if child.is_max == node.is_max:
            score = any_order(child, depth - 1, alpha, beta)
        else:
            score = -any_order(child, depth - 1, -beta, -alpha)
        best = max(best, score)
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best


def max_value(node, depth, alpha, beta):
    if node.is_over or depth == 0:
        return node.value_for(z.MAX)
    best = float("-inf")
    for child in node.children():
        best = max(best, min_value(child, depth - 1, alpha, beta))
        if best >= beta:
            return best
        alpha = max(alpha, best)
    return best


def min_value(node, depth, alpha, beta):
    if node.is_over or depth == 0:
        return node.value_for(z.MAX)
    best = float("inf")
    for child in node.children():
        best = min(best, max_value(child, depth - 1, alpha, beta))
        if best <= alpha:
            return best
        beta = min(beta, best)
    return best


@z.search(perspective="max")
def textbook(node, depth):
    return max_value(node, depth, float("-inf"), float("inf"))


@z.search(perspective="max")
def flagged(node, depth, alpha, beta, maximising):
    if node.is_over or depth == 0:
        return node.value_for(z.MAX)
    if maximising:
        best = -1e9
        for child in node.children():
            best = max(best, flagged(child, depth - 1, alpha, beta, False))
            alpha = max(alpha, best)
            if alpha >= beta:
                break
        return best
    best = 1e9
    for child in node.children():
        best = min(best, flagged(child, depth - 1, alpha, beta, True))
        beta = min(beta, best)
        if alpha >= beta:
            break
    return best


@z.search
def with_move(node, depth):
    """Plain minimax that returns the value and the move."""
    if node.is_over or depth == 0:
        return node.value, None
    best, best_move = float("-inf"), None
    for move in node.moves():
        score, _ = with_move(node.play(move), depth - 1)
        if -score > best:
            best, best_move = -score, move
    return best, best_move


@z.search
def deepening(node, depth):
    value = 0.0
    for limit in range(1, depth + 1):
        value = negamax(node, limit, float("-inf"), float("inf"))
    return value


@z.search
def ordered(node, depth, alpha, beta):
    if node.is_over or depth == 0:
        return node.value
    best = float("-inf")
    for child in sorted(node.children(), key=lambda child: child.value):
        best = max(best, -ordered(child, depth - 1, -beta, -alpha))
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best


SIZE = 4096


def look_up(node, depth, keys, values):
    if node.is_over or depth == 0:
        return node.value
    place = (node.key + depth) % SIZE
    if keys[place] == node.key + depth:
        return values[place]
    best = float("-inf")
    for child in node.children():
        best = max(best, -look_up(child, depth - 1, keys, values))
    keys[place] = node.key + depth
    values[place] = best
    return best


@z.search
def with_array(node, depth):
    """Minimax with a table in arrays."""
    return look_up(node, depth, np.zeros(SIZE, np.int64), np.zeros(SIZE))


TABLE = {}


@z.search
def with_dictionary(node, depth):
    """Minimax with a table in a dictionary of the file, which cannot be compiled."""
    if node.is_over or depth == 0:
        return node.value
    if (node.key, depth) in TABLE:
        return TABLE[node.key, depth]
    best = float("-inf")
    for child in node.children():
        best = max(best, -with_dictionary(child, depth - 1))
    TABLE[node.key, depth] = best
    return best


@z.search(weights={"bonus": 2.5})
def weighted(node, depth, w):
    if node.is_over or depth == 0:
        return node.value + w[0]
    best = float("-inf")
    for child in node.children():
        best = max(best, -weighted(child, depth - 1, w))
    return best


@z.search
def endless(node, depth):
    for child in node.children():
        return -endless(child, depth)
    return node.value


@z.search
def slow(node, depth):
    """Never ends by itself."""
    value = 0.0
    while depth > 0:
        value = max(value, negamax(node, 3, float("-inf"), float("inf")))
    return value


@z.search
def divides(node, depth):
    best = 0.0
    for _child in node.children():
        best = 1 / (depth - depth)
    return best
