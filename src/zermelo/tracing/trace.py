"""A search step by step: every position in the order of the visits, its window, its value, and what was cut and why.

Windows and values are those of player 1 (MAX), as in the textbooks: MAX raises alpha, and MIN lowers beta.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from zermelo.drawing.trees import Drawn, draw_tree
from zermelo.errors import PlayerError, PositionError, ZermeloError
from zermelo.games import PositionLike, find_position
from zermelo.language import _
from zermelo.players import MinimaxPlayer, OwnSearchPlayer, PlayerLike, SearchPlayer, find_player
from zermelo.position import Position
from zermelo.scores import Score
from zermelo.searches.recording import CUT, DROPPED, MOST_NODES, TOLERATED, Node
from zermelo.searches.textbook import Found
from zermelo.searches.workspace import INFINITY

MOST_DRAWN = 1500


def bound_text(bound: int) -> str:
    """Return `-inf`, `inf` or the score as text. The bounds and values of a trace are in the units of the search."""
    if abs(bound) >= INFINITY:
        return "inf" if bound > 0 else "-inf"
    return Score.of_units(bound).text.lstrip("+")


def bound_number(bound: int | None) -> float | None:
    """Return the bound as a number for programs to read, or None if it is infinite or unknown."""
    return None if bound is None or abs(bound) >= INFINITY else Score.of_units(bound).number


@dataclass
class Step:
    """One position of the tree, from MAX's point of view."""

    name: str
    node: Node
    position: Position | None  # None for a move that was not tried
    children: list["Step"]

    @property
    def sign(self) -> int:
        return 1 if self.node.mover == 0 else -1

    @property
    def value(self) -> int | None:
        return None if self.node.value is None else self.sign * self.node.value

    @property
    def window(self) -> tuple[int, int]:
        alpha, beta = self.node.window
        return (alpha, beta) if self.sign > 0 else (-beta, -alpha)

    @property
    def window_text(self) -> str:
        alpha, beta = self.window
        return f"[{bound_text(alpha)}, {bound_text(beta)}]"


class Trace:
    """The tree of one search, to print, draw or walk through."""

    def __init__(self, position: Position, player: SearchPlayer, found: Found):
        assert found.tree is not None
        self.position, self.player, self.found = position, player, found
        self.root = self._step(found.tree, position)

    def _step(self, node: Node, position: Position) -> Step:
        children = []
        for child in node.children:
            assert child.move is not None
            if child.is_visited:
                children.append(self._step(child, position.play_code(child.move)))
            else:
                # A move that was not tried is named as it would have been.
                name = position.game.node_name(position.play_code(child.move))
                children.append(Step(name, child, None, []))
        return Step(position.game.node_name(position), node, position, children)

    @cached_property
    def has_windows(self) -> bool:
        """Does the search have windows? Minimax has none, nor has a user's search without alpha and beta."""
        if not isinstance(self.player, OwnSearchPlayer):
            return not isinstance(self.player, MinimaxPlayer)
        return self.player.own_search.takes_window or any(
            step.position is not None and step.window != (-INFINITY, INFINITY) for step in _steps(self.root)
        )

    # -------------------------------------------------------------------------------- as text

    def lines(self) -> Iterator[str]:
        """Yield what the search did, line by line and in order."""
        yield from self._tell(self.root, 0)
        found = self.found
        best = (
            _("best {move}, ").format(move=self.position.game.move_text(self.position.state, found.move))
            if found.move is not None
            else ""
        )
        yield (
            _("{best}value {value}; {nodes} nodes, {evaluated} evaluated, {cutoffs} cut-offs").format(
                best=best,
                value=bound_text(self.root.value) if self.root.value is not None else "?",
                nodes=found.nodes,
                evaluated=found.evaluated,
                cutoffs=found.cutoffs,
            )
        )

    def _tell(self, step: Step, depth: int) -> Iterator[str]:
        space = "  " * depth
        visited = [child for child in step.children if child.position is not None]
        if not visited:
            yield f"{space}{step.name} = {bound_text(step.value) if step.value is not None else '?'}"
            return
        shown = ""
        for child in visited:
            if child.window_text != shown:  # a child is searched with the window that its parent has by then
                shown = child.window_text
                yield f"{space}{step.name}: {shown}"
            yield from self._tell(child, depth + 1)
        for reason in self.left_out(step):
            yield f"{space}{reason}"
        yield f"{space}{step.name} = {bound_text(step.value) if step.value is not None else '?'}"

    # -------------------------------------------------------------------------------- why

    def left_out(self, step: Step) -> Iterator[str]:
        """Yield which children of a node were not tried, and why."""
        for fate in (CUT, TOLERATED, DROPPED):
            names = [child.name for child in step.children if child.node.fate == fate]
            if names:
                yield f"{step.name}: {', '.join(names)} {self.reason(step, fate)}"

    def reason(self, step: Step, fate: int) -> str:
        """Return why moves were not tried."""
        if fate == DROPPED:
            return _("left out: not among the best {number}").format(number=getattr(self.player, "top_moves", "?"))
        alpha, beta = step.window
        value = step.value or 0
        here = bound_text(value)
        if fate == TOLERATED:
            width = bound_text(beta - value if step.sign > 0 else value - alpha)
            return _("cut: the window is {width} wide, less than the tolerance {tolerance}").format(
                width=width, tolerance=getattr(self.player, "tolerance", "?")
            )
        if isinstance(self.player, OwnSearchPlayer) and not (value >= beta if step.sign > 0 else value <= alpha):
            if max(-alpha, beta) >= INFINITY and not self.has_windows:
                return _("left out: the search did not look at this")
            return _("left out, although the window {window} is still open: the value here is {here}").format(
                window=step.window_text, here=here
            )
        if step.sign > 0:
            return _("cut: MAX gets {here} here, and MIN has {bound} elsewhere ({here} >= {bound})").format(
                here=here, bound=bound_text(beta)
            )
        return _("cut: MIN gets {here} here, and MAX has {bound} elsewhere ({here} <= {bound})").format(
            here=here, bound=bound_text(alpha)
        )

    def why_searched(self, step: Step) -> str:
        """Return why a node was visited and not cut."""
        alpha, beta = step.window
        tolerance = getattr(self.player, "tolerance", 0)
        if tolerance and max(-alpha, beta) < INFINITY:
            return _("{name} is searched: the window {window} is {width} wide, not less than {tolerance}").format(
                name=step.name, window=step.window_text, width=bound_text(beta - alpha), tolerance=tolerance
            )
        return _("{name} is searched: the window is still open, since {alpha} < {beta}").format(
            name=step.name, alpha=bound_text(alpha), beta=bound_text(beta)
        )

    def why_value(self, step: Step) -> str:
        """Return how a node got its value."""
        searched = [child for child in step.children if child.value is not None]
        if not searched:
            return _("{name} is a leaf and is worth {value}").format(name=step.name, value=bound_text(step.value or 0))
        values = ", ".join(f"{child.name} = {bound_text(child.value or 0)}" for child in searched)
        text = (
            _("{name} = {value}: MAX takes the largest of {values}")
            if step.sign > 0
            else _("{name} = {value}: MIN takes the smallest of {values}")
        )
        return text.format(name=step.name, value=bound_text(step.value or 0), values=values)

    def why_window(self, step: Step, parent: Step | None) -> str:
        """Return why a node was searched with its window."""
        if parent is None:
            return _("the search begins at {name} with the window {window}").format(
                name=step.name, window=step.window_text
            )
        before = [child.value for child in parent.children if child.node.number < step.node.number]
        values = [value for value in before if value is not None]
        if not values:
            text = _("{name} is the first child of {parent} and gets its window, {window}")
        elif step.window != parent.window:
            text = (
                _("MAX has {best} at {parent} so far, and that is alpha: {name} is searched with {window}")
                if parent.sign > 0
                else _("MIN has {best} at {parent} so far, and that is beta: {name} is searched with {window}")
            )
        else:
            text = (
                _("MAX has {best} at {parent} so far, not more than alpha: {name} is searched with {window}")
                if parent.sign > 0
                else _("MIN has {best} at {parent} so far, not less than beta: {name} is searched with {window}")
            )
        best = (max if parent.sign > 0 else min)(values, default=0)
        return text.format(name=step.name, parent=parent.name, window=step.window_text, best=bound_text(best))

    def __str__(self) -> str:
        return "\n".join(self.lines())

    # -------------------------------------------------------------------------------- as a picture

    def svg(self) -> str:
        """Return a drawing of the tree with its windows and values. What was cut is grey."""
        if self.found.tree is None or _size(self.root) > MOST_DRAWN:
            raise PositionError(
                "the tree has more than {most} nodes, too many to draw; choose a smaller depth", most=MOST_DRAWN
            )
        best = {id(step) for step in self.best_line()}
        label = _("{player} in {position}").format(player=self.player, position=self.position)
        return draw_tree(self._drawn(self.root, best), label).svg()

    def best_line(self) -> Iterator[Step]:
        """Yield the steps of the line that the search expects, beginning with the root."""
        step = self.root
        yield step
        for move in self.found.line:
            visited = (child for child in step.children if child.node.move == move and child.position is not None)
            following = next(visited, None)
            if following is None:
                return  # a user's search may play a move that it did not search
            step = following
            yield step

    def _drawn(self, step: Step, best: set[int]) -> Drawn:
        if step.position is None:
            return Drawn(step.name, is_leaf=True, faded=True)
        value = bound_text(step.value) if step.value is not None else "?"
        notes = [value] if not step.children else [step.window_text, f"= {value}"]
        return Drawn(
            step.name,
            notes,
            is_max=step.sign > 0,
            is_leaf=not step.children,
            chosen=id(step) in best,
            children=[self._drawn(child, best) for child in step.children],
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the trace as data for programs to read."""

        def told(step: Step) -> dict[str, Any]:
            fates = {CUT: "cut", TOLERATED: "tolerance", DROPPED: "top_moves"}
            if step.position is None:
                return {"name": step.name, "cut": fates[step.node.fate]}
            return {
                "name": step.name,
                "player": step.node.mover + 1,
                "window": [bound_number(bound) for bound in step.window],
                "value": bound_number(step.value),
                "children": [told(child) for child in step.children],
            }

        found = self.found
        return {
            "position": str(self.position),
            "player": str(self.player),
            "nodes": found.nodes,
            "evaluated": found.evaluated,
            "cutoffs": found.cutoffs,
            "tree": told(self.root),
        }


def _steps(step: Step) -> Iterator[Step]:
    """A step and all those below it."""
    yield step
    for child in step.children:
        yield from _steps(child)


def _size(step: Step) -> int:
    return sum(1 for _step in _steps(step))


def _recorded(node: Node) -> int:
    return 1 + sum(map(_recorded, node.children))


def trace_search(position: PositionLike, player: PlayerLike, most_nodes: int = MOST_NODES) -> Trace:
    """Search a position with a textbook player and keep the whole tree. More than `most_nodes` nodes are an error."""
    position = find_position(position)
    player = find_player(player, position.game)
    if not isinstance(player, SearchPlayer):
        raise PlayerError("only minimax and alphabeta can be traced, not {player}", player=player)
    if position.is_over:
        raise PositionError("the game is over in {position}", position=position)
    position = Position(position.game, position.state)  # the root of the tree, without the moves before it
    return traced(position, player, player.search(position, trace=True), most_nodes)


def traced(position: Position, player: SearchPlayer, found: Found, most_nodes: int = MOST_NODES) -> Trace:
    """The trace of a search that has recorded its tree. More than `most_nodes` nodes are an error."""
    if found.tree is None:
        raise PositionError("the search has visited no position, so there is nothing to show")
    if not found.tree_complete or _recorded(found.tree) > most_nodes:
        raise ZermeloError(
            "the tree has more than {most_nodes} nodes, too many to record; choose a smaller depth",
            most_nodes=most_nodes,
        )
    return Trace(position, player, found)
