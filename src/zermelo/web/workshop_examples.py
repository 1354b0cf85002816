"""The text of a new file in the workshop: a first heuristic, search or player, for users to change."""

from zermelo.core.parts import part_of
from zermelo.language import marked
from zermelo.position import Game

ANY_GAME = '''\
import zermelo as z
from {package} import {cls}

# A state holds: {fields}


@z.heuristic
def mine(state: {cls}):
    """What a position is worth for the player to move."""
    return 0
'''

NEGAMAX = '''\
import zermelo as z


@z.search
def mine(node, depth, alpha, beta):
    """Negamax with alpha-beta: the value is for the player to move."""
    if node.is_over or depth == 0:
        return node.value
    best = float("-inf")
    for child in node.children():
        if child.is_max == node.is_max:  # in some games a player may move twice running
            value = mine(child, depth - 1, alpha, beta)
        else:
            value = -mine(child, depth - 1, -beta, -alpha)
        best = max(best, value)
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best
'''

TEXTBOOK = '''\
import zermelo as z

INFINITY = float("inf")


def max_value(node, depth, alpha, beta):
    if node.is_over or depth == 0:
        return node.value_for(z.MAX)
    best = -INFINITY
    for child in node.children():
        best = max(best, min_value(child, depth - 1, alpha, beta))
        if best >= beta:
            return best
        alpha = max(alpha, best)
    return best


def min_value(node, depth, alpha, beta):
    if node.is_over or depth == 0:
        return node.value_for(z.MAX)
    best = INFINITY
    for child in node.children():
        best = min(best, max_value(child, depth - 1, alpha, beta))
        if best <= alpha:
            return best
        beta = min(beta, best)
    return best


@z.search(perspective="max")
def mine(node, depth):
    """Alpha-beta as in textbooks: all values are those of MAX, who moves first."""
    return max_value(node, depth, -INFINITY, INFINITY)
'''

PLAYER = '''\
import random

import zermelo as z


class Mine:
    """Wins at once if it can, begins with any move, and otherwise plays what a short search finds."""

    def prepare(self, game):
        self.search = z.player("alphabeta(depth=2)")
        self.number = 0  # an object plays one side of one game, so it may remember what it likes

    def choose(self, position):
        self.number += 1
        for move in position.moves:
            if position.play(move).winner == position.to_move:
                return move
        return random.choice(position.moves) if self.number == 1 else self.search.choose(position)
'''

KINDS = {
    "heuristic": marked("A heuristic"),
    "negamax": marked("A search: negamax with alpha-beta"),
    "textbook": marked("A search: max_value and min_value, as in textbooks"),
    "player": marked("A player: a class with a method choose"),
}
"""What a new file may begin with: its name in the page, and what the page calls it."""


def beginning(kind: str, game: Game) -> str:
    """The text of a new file of a kind."""
    return {"negamax": NEGAMAX, "textbook": TEXTBOOK, "player": PLAYER}.get(kind) or starter(game)


def starter(game: Game) -> str:
    """A first heuristic for a game."""
    cls = type(game.start_state())
    package = type(game).__module__
    general = ANY_GAME.format(package=package, cls=cls.__name__, fields=", ".join(cls._fields))
    examples = part_of(package, "examples")
    return str(getattr(examples, "HEURISTIC", general))
