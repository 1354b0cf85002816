"""Mistakes that students make in a search, so that one can be named: the search that makes it is run beside theirs.

Each mistake is a small change of negamax with alpha-beta. If a search returns the same wrong values as one of these on
many trees, it very probably makes the same mistake.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from zermelo.check.search_trees import MAX, Branch, Case
from zermelo.language import marked

MISTAKES = {
    "no negation": marked("the value of a child is not negated, although the other player moves there"),
    "window not swapped": marked("the window is not swapped for the other player: pass -beta and -alpha on"),
    "window not negated": marked("the window is swapped, but not negated: pass -beta and -alpha on"),
    "beta before negating": marked("the value is compared with beta before it is negated"),
    "wrong horizon": marked("positions at the horizon are evaluated for the wrong player"),
    "wrong view": marked("positions where MIN moves are evaluated for MIN: use node.value_for(z.MAX)"),
    "wrong end": marked("ended games are evaluated for the wrong player"),
    "no end": marked("ended games are worth 0: use the value of the node there too"),
    "one deeper": marked("depth counts one too many: stop when depth is 0"),
    "one less deep": marked("depth counts one too few: stop when depth is 0, not when it is 1"),
    "starts at 0": marked("the best value starts at 0, so that it is never below 0: start at -infinity"),
    "last child missing": marked("the last move is never tried"),
    "reversed cut": marked("it cuts when alpha is below beta: cut when alpha >= beta"),
    "first child only": marked("only the first move is tried: does the function return inside the loop?"),
    "minimum": marked("the player to move takes the smallest value instead of the greatest"),
    "always maximum": marked("both players take the greatest value for the player at the root"),
    "last value": marked("the value of the last move is returned, and not the best one"),
    "sum": marked("the values of the moves are added up"),
    "inner value": marked("the heuristic's value of inner positions is mixed in: it counts only at the horizon"),
    "alternates": marked("the sides are taken to alternate"),
}
"""A name for programs, and what to say."""


@dataclass(frozen=True)
class Variant:
    """A search with one mistake, in one of the usual forms."""

    mistake: str
    prunes: bool = True
    is_hard: bool = False  # returns alpha, not the best value

    def value(self, case: Case) -> float:
        """The value that it gives to the root, for the player to move."""
        return self._search(case.tree, case.depth, *case.window)

    def _search(self, branch: Branch, depth: int, alpha: float, beta: float) -> float:
        mistake = self.mistake
        if mistake == "always maximum":
            return self._greatest(branch, depth)
        own = branch.score if branch.mover == MAX or mistake == "wrong view" else -branch.score
        if not branch.children:
            return 0 if mistake == "no end" else -own if mistake == "wrong end" else own
        if depth <= {"one deeper": -1, "one less deep": 1}.get(mistake, 0):
            return -own if mistake == "wrong horizon" else own
        best: float = 0 if mistake in ("starts at 0", "sum") else own if mistake == "inner value" else -math.inf
        if mistake == "minimum":
            best = math.inf
        children = branch.children[:1] if mistake == "first child only" else branch.children
        if mistake == "last child missing" and len(children) > 1:
            children = children[:-1]
        for child in children:
            value = self._child(branch, child, depth - 1, alpha, beta)
            if mistake == "beta before negating" and self.prunes and -value >= beta:
                best = max(best, value)
                break
            if mistake == "minimum":
                best = min(best, value)
            elif mistake == "sum":
                best += value
            elif mistake == "last value":
                best = value
            else:
                best = max(best, value)
            alpha = max(alpha, best)
            cuts = alpha <= beta if mistake == "reversed cut" else alpha >= beta
            if self.prunes and cuts:
                break
        return alpha if self.is_hard else best

    def _greatest(self, branch: Branch, depth: int) -> float:
        """The greatest value for MAX that can be reached."""
        if not branch.children or depth == 0:
            return branch.score
        return max(self._greatest(child, depth - 1) for child in branch.children)

    def _child(self, branch: Branch, child: Branch, depth: int, alpha: float, beta: float) -> float:
        """The value of a child for the player who moves above it."""
        if child.mover == branch.mover and self.mistake != "alternates":
            return self._search(child, depth, alpha, beta)
        if self.mistake == "no negation":
            return self._search(child, depth, alpha, beta)
        if self.mistake == "window not swapped":
            return -self._search(child, depth, alpha, beta)
        if self.mistake == "window not negated":
            return -self._search(child, depth, beta, alpha)
        return -self._search(child, depth, -beta, -alpha)


def named_mistake(cases: Sequence[Case], values: Sequence[float], takes_window: bool) -> str | None:
    """The mistake of a search that gave these values in these cases; None if it is none of those we know."""
    forms = [(True, False), (True, True), (False, False)] if takes_window else [(False, False)]
    for mistake in MISTAKES:
        for prunes, is_hard in forms:
            variant = Variant(mistake, prunes, is_hard)
            if all(_same(variant.value(case), value) for case, value in zip(cases, values, strict=True)):
                return mistake
    return None


def _same(one: float, other: float) -> bool:
    return one == other or abs(one - other) < 1e-3 or (abs(one) > 1e6 and abs(other) > 1e6 and one * other > 0)
