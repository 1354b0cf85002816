"""The kinds of exercises: which search is run by hand, what is asked, and which trees are worth asking about.

All that is known about a tree comes from the recorded traces of our own searches.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from zermelo.check.search_trees import Branch
from zermelo.exercises.questions import ALPHA, BEST_NODES, BETA, EXACT, FIRST, MOVE, NODES, VALUE
from zermelo.exercises.trees import Shape
from zermelo.language import marked
from zermelo.players import AlphaBetaPlayer, MinimaxPlayer
from zermelo.position import Game
from zermelo.searches.recording import CUT, TOLERATED
from zermelo.tracing import Step, Trace, bound_number, trace_search

DEEP = 64  # plies: more than any exercise has


class Work:
    """What the searches do on a tree. Each of them runs when it is first needed."""

    def __init__(self, tree: Branch, tolerance: int):
        self.tree, self.tolerance = tree, tolerance

    @cached_property
    def game(self) -> Game:
        return self.tree.game

    @cached_property
    def minimax(self) -> Trace:
        return trace_search(self.game.start(), MinimaxPlayer(depth=DEEP))

    @cached_property
    def alphabeta(self) -> Trace:
        return trace_search(self.game.start(), AlphaBetaPlayer(depth=DEEP))

    @cached_property
    def tolerant(self) -> Trace:
        return trace_search(self.game.start(), AlphaBetaPlayer(depth=DEEP, tolerance=self.tolerance))

    @cached_property
    def ordered(self) -> Trace:
        """Alpha-beta that sorts the moves by what they are really worth: the tree gives it the values of minimax."""
        told = _with_values(self.tree, self.minimax.root)
        player = AlphaBetaPlayer(depth=DEEP, order=told.game.default_heuristic, order_plies=DEEP)
        return trace_search(told.game.start(), player)


def _with_values(tree: Branch, step: Step) -> Branch:
    below = tuple(_with_values(child, under) for child, under in zip(tree.children, step.children, strict=True))
    return replace(tree, score=int(bound_number(step.value) or 0), children=below)


def all_steps(step: Step) -> Iterator[Step]:
    """A node of a trace and all that is below it, in the order of the search."""
    yield step
    for child in step.children:
        yield from all_steps(child)


def best_children(step: Step) -> list[Step]:
    """The children whose value is that of the node."""
    return [child for child in step.children if child.value == step.value]


def _has_one_best_move(work: Work) -> bool:
    return len(best_children(work.minimax.root)) == 1


def _cuts_well(trace: Trace, shape: Shape) -> bool:
    """Is enough cut, and nothing where alpha = beta unless that is wanted?"""
    steps = list(all_steps(trace.root))
    if trace.found.cutoffs < shape.cut_offs or sum(step.position is None for step in steps) < shape.cuts:
        return False
    cut = [step for step in steps if any(child.node.fate == CUT for child in step.children)]
    return shape.equal_cuts or all(step.value != step.window[1 if step.sign > 0 else 0] for step in cut)


def best_move_is(work: Work, share: float) -> bool:
    """Is the best move the one at this share of the root's children, from 0 (the first) to 1 (the last)?

    Trees in which much is cut mostly have their best move first. So the move is chosen beforehand.
    """
    root = work.minimax.root
    return root.children[int(share * len(root.children))].value == root.value


def _good_minimax(work: Work, shape: Shape) -> bool:
    values = {child.value for child in work.minimax.root.children}
    return _has_one_best_move(work) and len(values) == len(work.minimax.root.children)


def _good_alphabeta(work: Work, shape: Shape) -> bool:
    return _cuts_well(work.alphabeta, shape) and _has_one_best_move(work)


def _good_tolerance(work: Work, shape: Shape) -> bool:
    if not (_cuts_well(work.tolerant, shape) and _has_one_best_move(work)):
        return False
    fates = {step.node.fate for step in all_steps(work.tolerant.root)}
    return TOLERATED in fates and (CUT in fates or shape.cuts < 2)


def _good_ordering(work: Work, shape: Shape) -> bool:
    inner = [step for step in all_steps(work.minimax.root) if step.children]
    saved = work.alphabeta.found.nodes - work.ordered.found.nodes
    return all(len(best_children(step)) == 1 for step in inner) and saved >= shape.cuts


@dataclass(frozen=True)
class Kind:
    """A kind of exercise. Its texts are translated when they are shown."""

    title: str
    task: str
    trace: Callable[[Work], Trace]  #: the search that is run by hand
    is_good: Callable[[Work, Shape], bool]
    at_inner: tuple[str, ...]  #: what is asked about every inner node
    at_end: tuple[str, ...]  #: what is asked about the whole search
    has_cuts: bool = False  #: is it asked which branches are cut?
    any_move: bool = False  #: may any move be the best? A tolerance hardly ever matters if it is the first.


KINDS = {
    "minimax": Kind(
        marked("Minimax"),
        marked("Find the value of every inner node by minimax. Which move does MAX choose at the root?"),
        lambda work: work.minimax,
        _good_minimax,
        (VALUE,),
        (MOVE,),
    ),
    "alphabeta": Kind(
        marked("Alpha-beta"),
        marked(
            "Search the tree with alpha-beta, from left to right. For every inner node that the search visits, write "
            "alpha and beta on arrival and the value that the node returns. Cross out the branches that are cut, and "
            "leave everything below them empty. Which move does MAX choose at the root?"
        ),
        lambda work: work.alphabeta,
        _good_alphabeta,
        (ALPHA, BETA, VALUE),
        (MOVE,),
        has_cuts=True,
    ),
    "tolerance": Kind(
        marked("Alpha-beta with a tolerance"),
        marked(
            "Search the tree with alpha-beta, from left to right, with a tolerance of {tolerance}: a node is also left "
            "as soon as beta - alpha is less than {tolerance}. For every inner node that the search visits, write "
            "alpha and beta on arrival and the value that the node returns. Cross out the branches that are cut, and "
            "leave everything below them empty. Which move does MAX choose at the root, and what is the root worth "
            "without a tolerance?"
        ),
        lambda work: work.tolerant,
        _good_tolerance,
        (ALPHA, BETA, VALUE),
        (MOVE, EXACT),
        has_cuts=True,
        any_move=True,
    ),
    "ordering": Kind(
        marked("Move ordering"),
        marked(
            "Find the value of every inner node by minimax, and the child that alpha-beta should search first there. "
            "How many nodes does alpha-beta visit, the root included, if it searches the children from left to right? "
            "And how many, if it searches the best child of every node first?"
        ),
        lambda work: work.minimax,
        _good_ordering,
        (VALUE, FIRST),
        (NODES, BEST_NODES),
    ),
}
