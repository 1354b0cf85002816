"""Searches with one mistake each, and how the check must name it. No test: the tests load it as a user's file."""

import math
import random

import zermelo as z

INF = math.inf

# What the check must find: the kind of finding, and the mistake's name if it has one.
EXPECTED = {
    "no_negation": ("value", "no negation"),
    "window_not_swapped": ("window", "window not swapped"),
    "window_not_negated": ("value", "window not negated"),
    "beta_before_negating": ("value", "beta before negating"),
    "wrong_horizon": ("value", "wrong horizon"),
    "wrong_view": ("value", "wrong view"),
    "wrong_end": ("value", "wrong end"),
    "ends_are_zero": ("value", "no end"),
    "one_deeper": ("value", "one deeper"),
    "one_less_deep": ("value", "one less deep"),
    "starts_at_zero": ("value", "starts at 0"),
    "last_move_missing": ("value", "last child missing"),
    "returns_in_the_loop": ("value", "first child only"),
    "smallest": ("value", "minimum"),
    "always_maximum": ("value", "always maximum"),
    "cuts_the_wrong_way": ("value", "reversed cut"),
    "last_value": ("value", "last value"),
    "adds_up": ("value", "sum"),
    "mixes_in": ("value", "inner value"),
    "flag_not_flipped": ("value", "always maximum"),
    "worst_move": ("move", None),
    "last_of_equals_by_accident": ("move", None),
    "dice": ("value", None),
    "stands_still": ("fails", None),
    "too_wide_a_window": ("window", None),
    "one_off": ("value", None),
    "divides_at_the_end": ("fails", None),
}


@z.search
def no_negation(node, depth, alpha, beta):
    if node.is_over or depth == 0:
        return node.value
    for child in node.children():
        alpha = max(alpha, no_negation(child, depth - 1, alpha, beta))
        if alpha >= beta:
            break
    return alpha


@z.search
def window_not_swapped(node, depth, alpha, beta):
    if node.is_over or depth == 0:
        return node.value
    best = -INF
    for child in node.children():
        best = max(best, -window_not_swapped(child, depth - 1, alpha, beta))
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best


@z.search
def window_not_negated(node, depth, alpha, beta):
    if node.is_over or depth == 0:
        return node.value
    best = -INF
    for child in node.children():
        best = max(best, -window_not_negated(child, depth - 1, beta, alpha))
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best


@z.search
def beta_before_negating(node, depth, alpha, beta):
    if node.is_over or depth == 0:
        return node.value
    best = -INF
    for child in node.children():
        score = beta_before_negating(child, depth - 1, -beta, -alpha)
        if score >= beta:
            best = max(best, -score)
            break
        best = max(best, -score)
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best


@z.search
def wrong_horizon(node, depth, alpha, beta):
    if node.is_over:
        return node.value
    if depth == 0:
        return -node.value
    best = -INF
    for child in node.children():
        best = max(best, -wrong_horizon(child, depth - 1, -beta, -alpha))
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best


@z.search(perspective="max")
def wrong_view(node, depth):
    if node.is_over or depth == 0:
        return node.value
    if node.is_max:
        return max(wrong_view(child, depth - 1) for child in node.children())
    return min(wrong_view(child, depth - 1) for child in node.children())


@z.search
def wrong_end(node, depth):
    if node.is_over:
        return -node.value
    if depth == 0:
        return node.value
    return max(-wrong_end(child, depth - 1) for child in node.children())


@z.search
def ends_are_zero(node, depth):
    if node.is_over:
        return 0.0
    if depth == 0:
        return node.value
    return max(-ends_are_zero(child, depth - 1) for child in node.children())


@z.search
def one_deeper(node, depth, alpha, beta):
    if node.is_over or depth < 0:
        return node.value
    best = -INF
    for child in node.children():
        best = max(best, -one_deeper(child, depth - 1, -beta, -alpha))
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best


@z.search
def one_less_deep(node, depth):
    if node.is_over or depth <= 1:
        return node.value
    return max(-one_less_deep(child, depth - 1) for child in node.children())


@z.search
def starts_at_zero(node, depth):
    if node.is_over or depth == 0:
        return node.value
    best = 0
    for child in node.children():
        best = max(best, -starts_at_zero(child, depth - 1))
    return best


@z.search
def last_move_missing(node, depth):
    if node.is_over or depth == 0:
        return node.value
    best = -INF
    moves = node.moves()
    for i in range(max(1, len(moves) - 1)):
        best = max(best, -last_move_missing(node.play(moves[i]), depth - 1))
    return best


@z.search
def returns_in_the_loop(node, depth):
    if node.is_over or depth == 0:
        return node.value
    best = -INF
    for child in node.children():
        best = max(best, -returns_in_the_loop(child, depth - 1))
        return best  # noqa: RET504 - as a student writes it
    return best


@z.search
def smallest(node, depth):
    if node.is_over or depth == 0:
        return node.value
    return min(-smallest(child, depth - 1) for child in node.children())


@z.search(perspective="max")
def always_maximum(node, depth):
    if node.is_over or depth == 0:
        return node.value_for(z.MAX)
    return max(always_maximum(child, depth - 1) for child in node.children())


@z.search
def cuts_the_wrong_way(node, depth, alpha, beta):
    if node.is_over or depth == 0:
        return node.value
    best = -INF
    for child in node.children():
        best = max(best, -cuts_the_wrong_way(child, depth - 1, -beta, -alpha))
        alpha = max(alpha, best)
        if alpha <= beta:
            break
    return best


@z.search
def last_value(node, depth):
    if node.is_over or depth == 0:
        return node.value
    best = -INF
    for child in node.children():
        best = -last_value(child, depth - 1)
    return best


@z.search
def adds_up(node, depth):
    if node.is_over or depth == 0:
        return node.value
    total = 0.0
    for child in node.children():
        total += -adds_up(child, depth - 1)
    return total


@z.search
def mixes_in(node, depth):
    if node.is_over or depth == 0:
        return node.value
    best = node.value
    for child in node.children():
        best = max(best, -mixes_in(child, depth - 1))
    return best


@z.search(perspective="max")
def flag_not_flipped(node, depth, maximising=True):
    if node.is_over or depth == 0:
        return node.value_for(z.MAX)
    if maximising:
        return max(flag_not_flipped(child, depth - 1, maximising) for child in node.children())
    return min(flag_not_flipped(child, depth - 1, maximising) for child in node.children())


def plain(node, depth):
    if node.is_over or depth == 0:
        return node.value
    best = -INF
    for child in node.children():
        best = max(best, -plain(child, depth - 1))
    return best


@z.search
def worst_move(node, depth):
    """The right value, and the move that is worst."""
    worst, chosen = INF, None
    for move in node.moves():
        score = -plain(node.play(move), max(depth - 1, 0))
        if score < worst:
            worst, chosen = score, move
    return plain(node, depth), chosen


@z.search
def last_of_equals_by_accident(node, depth):
    """The right value, and the last move that was not worse than the one before it."""
    before, chosen = -INF, None
    for move in node.moves():
        score = -plain(node.play(move), max(depth - 1, 0))
        if score >= before:
            chosen = move
        before = score
    return plain(node, depth), chosen


@z.search
def dice(node, depth):
    return plain(node, depth) + random.randint(0, 1)


@z.search
def stands_still(node, depth):
    if node.is_over or depth == 0:
        return node.value
    return -stands_still(node, depth)


@z.search
def too_wide_a_window(node, depth, alpha, beta):
    """Right from the root, but it answers with alpha + 1 where it fails low."""
    if node.is_over or depth == 0:
        return node.value
    best = -INF
    for child in node.children():
        best = max(best, -plain(child, depth - 1))
    if best <= alpha:
        return alpha + 1
    return best


@z.search
def one_off(node, depth):
    value = plain(node, depth)
    return value + 1 if value == 3 else value


@z.search
def divides_at_the_end(node, depth):
    if node.is_over:
        return 12 / len(node.moves())
    if depth == 0:
        return node.value
    return max(-divides_at_the_end(child, depth - 1) for child in node.children())
