"""The games' own solvers: a game may bring a module `solver` with

solve(state, *, weak, all_moves, seconds, threads) -> Solution | None     any of these options; None: not mine
is_quick(state) -> bool     can it be solved while somebody waits for a move?
is_practical(state) -> bool     can thousands like it be solved, to learn from? If it says nothing of that: as is_quick
"""

import importlib
import inspect
from types import ModuleType
from typing import Any

from zermelo.position import Game, Position
from zermelo.solution import Solution


def solver_of(game: Game) -> ModuleType | None:
    """The game's own solver module, if it has one."""
    package = type(game).__module__
    try:
        return importlib.import_module(f"{package}.solver")
    except ModuleNotFoundError as error:
        if error.name != f"{package}.solver":
            raise
        return None


def own_solution(position: Position, **options: Any) -> Solution | None:
    """What the game's own solver says; None if it has none, or the position is not its business."""
    module = solver_of(position.game)
    if module is None:
        return None
    known = inspect.signature(module.solve).parameters
    given = {name: value for name, value in options.items() if name in known and value is not None}
    found: Solution | None = module.solve(position.state, **given)
    return found


def quick_solution(
    position: Position, *, all_moves: bool = False, seconds: float | None = None, hurry: bool = False
) -> Solution | None:
    """The exact solution where the game's solver has it at hand; None otherwise."""
    module = solver_of(position.game)
    if module is None or not hasattr(module, "is_quick") or not module.is_quick(position.state, hurry):
        return None
    found = own_solution(position, all_moves=all_moves, seconds=seconds)
    return found if found is not None and found.complete else None
