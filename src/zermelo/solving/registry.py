"""The games' own solvers: a game may bring a module `solver` with

solve(state, *, weak, all_moves, seconds, nodes, threads, book) -> Solution | None     None: not mine
is_quick(state, *, hurry, book) -> bool     can it be solved while somebody waits for a move?
is_practical(state) -> bool     can thousands like it be solved, to learn from? If it says nothing of that: as is_quick
QUICK_NODES     how many nodes take a few seconds, the limit where somebody waits; USUAL_NODES if it says nothing

Each may leave out options that mean nothing to it; a solver without `nodes` is not asked where nodes are limited. With
them it must give the same result every time, after no more than so many nodes, or a few hundred more.
"""

import inspect
from types import ModuleType
from typing import Any

from zermelo.core.parts import part_of
from zermelo.position import Game, Position
from zermelo.solving.solution import Solution

USUAL_NODES = 1_000_000


def quick_nodes(game: Game) -> int:
    """How many nodes the game's own solver may search while somebody waits, on any machine alike."""
    return int(getattr(solver_of(game), "QUICK_NODES", USUAL_NODES))


def solver_of(game: Game) -> ModuleType | None:
    """The game's own solver module, if it has one."""
    return part_of(type(game).__module__, "solver")


def own_solution(position: Position, **options: Any) -> Solution | None:
    """What the game's own solver says; None if it has none, or the position is not its business."""
    module = solver_of(position.game)
    if module is None:
        return None
    found: Solution | None = _ask(module.solve, position, options)
    return found


def quick_solution(
    position: Position,
    *,
    all_moves: bool = False,
    seconds: float | None = None,
    nodes: int | None = None,
    hurry: bool = False,
    book: bool = True,
) -> Solution | None:
    """The exact solution where the game's solver has it at hand; None otherwise. book: opening books count too."""
    found = tried_solution(position, all_moves=all_moves, seconds=seconds, nodes=nodes, hurry=hurry, book=book)
    return found if found is not None and found.complete else None


def tried_solution(
    position: Position,
    *,
    all_moves: bool = False,
    seconds: float | None = None,
    nodes: int | None = None,
    hurry: bool = False,
    book: bool = True,
) -> Solution | None:
    """What the game's solver says where it is quick, complete or not, so that one knows what it cost; else None."""
    module = solver_of(position.game)
    if module is None or not hasattr(module, "is_quick"):
        return None
    if nodes is not None and "nodes" not in inspect.signature(module.solve).parameters:
        return None
    if not _ask(module.is_quick, position, {"hurry": hurry, "book": book}):
        return None
    return own_solution(position, all_moves=all_moves, seconds=seconds, nodes=nodes, book=book)


def _ask(function: Any, position: Position, options: dict[str, Any]) -> Any:
    """Its answer, given those of the options that it knows."""
    known = inspect.signature(function).parameters
    return function(position.state, **{k: v for k, v in options.items() if k in known and v is not None})
