"""The games' own solvers. A game may bring a module `solver` with

solve(state, *, weak, all_moves, seconds, nodes, threads, book, kept) -> Solution | None     None if it does not deal
                with it. kept: a dictionary in which it may keep tables for the next positions of a game
is_quick(state, *, hurry, book) -> bool     can the position be solved while somebody waits for a move?
worth_solving(state, *, seconds, nodes) -> "exact" | "weak" | None     what is worth an attempt within so much: to find
                the score, only who wins, or nothing? A player asks it before a move; by default, is_quick decides
is_practical(state) -> bool     can thousands of such positions be solved, to learn from? By default, as is_quick
exact_score(state, at_any_cost) -> float | None     the score, if it costs no more than a shallow search, or if it is
                wanted at any cost: to learn from millions
search_tables(state, *, hurry) -> tables | None     exact scores that a search from this position looks up. `address` of
                the tables is what `known_score` is given; without hurry, they depend on nothing but the position
make_tables(state, pieces, progress) -> None     make tables of positions with so many pieces, and keep them
shared_tables(state) -> Hashable     equal for positions that need the same tables, which are then made only once
QUICK_NODES     the number of nodes that take a few seconds: the limit while somebody waits. By default, USUAL_NODES

Each function may leave out options that mean nothing to it. A solver without the option `nodes` is not asked where
nodes are limited. With a limit of nodes, a solver must give the same result every time, and may exceed the limit by a
few hundred nodes at most; so `kept` is given only where time is limited. What is kept belongs to one player.
"""

import inspect
import threading
from collections.abc import Callable, Hashable
from dataclasses import replace
from types import ModuleType
from typing import Any

from zermelo.core.parts import part_of
from zermelo.errors import GameError
from zermelo.language import _
from zermelo.position import Game, Position
from zermelo.searches.budget import NO_LIMIT, Budget
from zermelo.solving.solution import Solution

USUAL_NODES = 1_000_000


def quick_nodes(game: Game) -> int:
    """The number of nodes that the game's own solver may search while somebody waits; the same on every machine."""
    return int(getattr(solver_of(game), "QUICK_NODES", USUAL_NODES))


def solver_of(game: Game) -> ModuleType | None:
    """The game's own solver module, if it has one."""
    return part_of(type(game).__module__, "solver")


def own_solution(position: Position, budget: Budget = NO_LIMIT, **options: Any) -> Solution | None:
    """What the game's own solver says within these nodes and seconds.

    None if the game has no solver, or if its solver does not deal with this position.
    """
    module = solver_of(position.game)
    if module is None:
        return None
    found: Solution | None = _ask(module.solve, position, options | {"nodes": budget.nodes, "seconds": budget.seconds})
    return found


def quick_solution(
    position: Position, budget: Budget = NO_LIMIT, *, all_moves: bool = False, hurry: bool = False, book: bool = True
) -> Solution | None:
    """The exact solution, if the game's solver finds it quickly and within the budget; None otherwise.

    book: may opening books answer, too?
    """
    found = tried_solution(position, budget, all_moves=all_moves, hurry=hurry, book=book)
    return found if found is not None and found.complete else None


def tried_solution(
    position: Position,
    budget: Budget = NO_LIMIT,
    *,
    all_moves: bool = False,
    hurry: bool = False,
    book: bool = True,
    kept: dict[str, Any] | None = None,
) -> Solution | None:
    """As quick_solution, but an incomplete solution is returned as well, so that its cost is known."""
    module = solver_of(position.game)
    if module is None or not hasattr(module, "is_quick"):
        return None
    if budget.nodes is not None and "nodes" not in inspect.signature(module.solve).parameters:
        return None
    if not _ask(module.is_quick, position, {"hurry": hurry, "book": book}):
        return None
    return own_solution(position, budget, all_moves=all_moves, book=book, kept=kept)


def solution_for_move(position: Position, budget: Budget, threads: int = 1, owner: Hashable = None) -> Solution | None:
    """What the game's solver finds for a player who must move: the score or, if time is short, only who wins.

    None if nothing was tried. An incomplete solution tells what the attempt cost. Where time is limited, the solver
    goes on from what it found at earlier moves of the same player, the owner.
    """
    module = solver_of(position.game)
    kept = _kept_for(owner, position.game) if budget.seconds is not None and budget.nodes is None else None
    if module is None or not hasattr(module, "worth_solving"):
        return tried_solution(position, budget, hurry=budget.seconds is not None, kept=kept)
    found = _ask(module.worth_solving, position, {"seconds": budget.seconds, "nodes": budget.nodes})
    if found is None:
        return None
    solved = own_solution(position, budget, weak=found == "weak", threads=threads, kept=kept)
    if solved is not None and found == "weak" and solved.outcome < 0:  # all moves lose, and none is known to be best
        return replace(solved, moves=())
    return solved


def search_tables(position: Position, *, hurry: bool) -> Any:
    """The game's own tables for a search from this position, or None. In a hurry, only those that are ready."""
    find = getattr(solver_of(position.game), "search_tables", None)
    return None if find is None else find(position.state, hurry=hurry)


def make_tables(position: Position, pieces: int, progress: Callable[[int, int], None]) -> None:
    """Make the game's own tables for positions like this one with up to so many pieces. A GameError if it has none."""
    make = getattr(solver_of(position.game), "make_tables", None)
    if make is None:
        raise GameError("{game} has no tables of endgames", game=_(position.game.title))
    make(position.state, pieces, progress)


def shared_tables(position: Position) -> Hashable | None:
    """Equal for positions that need the same tables, so that one process solves them; None if there are no tables."""
    find = getattr(solver_of(position.game), "shared_tables", None)
    found: Hashable | None = None if find is None else find(position.state)
    return found


_own = threading.local()
MOST_OWNERS = 4  # only what the last few players found is kept


def _kept_for(owner: Hashable, game: Game) -> dict[str, Any]:
    """What the game's solver keeps for a player in this thread."""
    mine: dict[Any, dict[str, Any]] = _own.__dict__.setdefault("mine", {})
    place = owner, type(game)
    kept = mine.pop(place, {})
    while len(mine) >= MOST_OWNERS:
        mine.pop(next(iter(mine)))
    mine[place] = kept
    return kept


def _ask(function: Any, position: Position, options: dict[str, Any]) -> Any:
    """The answer of a game's function, which is given those options that it knows."""
    known = inspect.signature(function).parameters
    return function(position.state, **{k: v for k, v in options.items() if k in known and v is not None})
