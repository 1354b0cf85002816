"""Nodes per second of searches as students write them (under @z.search), compared with our own alpha-beta.

Both search the same position to the same depth with the same heuristic and visit the same nodes. They are measured in
turn, in processor time.
"""

from _common import Figure, compare, main
from zermelo.core import Heuristic
from zermelo.games import find_game
from zermelo.searches.own.running import run_own
from zermelo.searches.own.search import OwnSearch, search
from zermelo.searches.textbook import run_alphabeta

FLOOR = 0.6
PLACES = [("connect4", "324443", "lines2", 9), ("reversi", "", "report", 9)]


@search
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


def max_value(node, depth, alpha, beta):
    if node.is_over or depth == 0:
        return node.value_for(1)
    best = float("-inf")
    for child in node.children():
        best = max(best, min_value(child, depth - 1, alpha, beta))
        if best >= beta:
            return best
        alpha = max(alpha, best)
    return best


def min_value(node, depth, alpha, beta):
    if node.is_over or depth == 0:
        return node.value_for(1)
    best = float("inf")
    for child in node.children():
        best = min(best, max_value(child, depth - 1, alpha, beta))
        if best <= alpha:
            return best
        beta = min(beta, best)
    return best


@search(perspective="max")
def textbook_pair(node, depth):
    return max_value(node, depth, float("-inf"), float("inf"))


def measured(own: OwnSearch, game: str, text: str, name: str, depth: int, rounds: int) -> Figure:
    chosen = find_game(game)
    state = (chosen.position(text) if text else chosen.start()).state
    heuristic: Heuristic = chosen.heuristics[name]
    ours, peer = run_own(own, state, heuristic, depth), run_alphabeta(state, heuristic, depth)
    assert (ours.score, ours.nodes) == (peer.score, peer.nodes), "they must visit the same nodes"
    what = f"{game}: {own.name}, depth {depth}, {name}"
    return compare(
        what,
        "M nodes/s",
        lambda: run_own(own, state, heuristic, depth).nodes,
        "our alpha-beta",
        lambda: run_alphabeta(state, heuristic, depth).nodes,
        rounds=rounds,
        floor=FLOOR,
    )


def measure(rounds: int) -> list[Figure]:
    return [measured(own, *place, rounds) for own in (negamax, textbook_pair) for place in PLACES]


if __name__ == "__main__":
    main("own_search", "Searches as students write them: nodes a second", measure)
