"""Running a user's search: compiled where that is possible, as plain Python elsewhere, watched in either case."""

import math
import time
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numba
import numpy as np
from numba import float64, int64

from zermelo.core import JIT, Heuristic, class_of
from zermelo.core.cache import CodeCache
from zermelo.core.clock import run_stoppable
from zermelo.core.explanations import explain
from zermelo.core.numba_private import freeze, options_of, use_cache
from zermelo.core.preparing import prepared
from zermelo.core.searching import searching
from zermelo.core.weights import named
from zermelo.core.worlds import lasting_name
from zermelo.errors import PlainPythonWarning, SearchError
from zermelo.language import Message, _
from zermelo.rules import moves_of, to_move
from zermelo.scores import Score
from zermelo.searches.budget import NO_LIMIT, Budget
from zermelo.searches.own.instrument import ENTER, LEAVE, plain_copy, watching
from zermelo.searches.own.nodes import Node, enter, leave
from zermelo.searches.own.record import NO_MOVE, OWN_TYPE, own_record
from zermelo.searches.own.search import OwnSearch
from zermelo.searches.own.watching import OutOfBudget, TooDeep, units
from zermelo.searches.recording import read_tree
from zermelo.searches.textbook import Found
from zermelo.searches.workspace import UNLIMITED, heuristic_type

WEIGHTS = float64[::1]


class Ready(NamedTuple):
    """A search made ready for a class of states."""

    run: Callable[..., None]  # state, heuristic, record, depth, alpha, beta, weights
    is_compiled: bool
    reason: str = ""  # why it is not compiled, in words


def ready(search: OwnSearch, cls: Any) -> Ready:
    """The search for a class of states, compiled if that is possible."""
    made: Ready | None = search.made.get(cls)
    if made is None:
        if not JIT:
            made = Ready(_plain(search), False)
        else:
            try:
                made = Ready(_compiled(search, cls), True)
            except Exception as error:  # Numba raises not only its own errors
                found = explain(search.function, error)
                if search.compiled or found.is_mistake:
                    raise SearchError("{place}\n    {reason}", place=found.place, reason=found.reason) from None
                made = Ready(_plain(search), False, str(found.reason))
                told = _(  # nothing is measured, since there is no compiled twin; see bench/own_search.py
                    "{place}\n    {reason}\n    {name} cannot be compiled and runs as plain Python, "
                    "which takes hundreds of times as long"
                )
                text = told.format(place=found.place, reason=found.reason, name=search.label)
                warnings.warn_explicit(PlainPythonWarning(text), None, found.file, found.line)
        search.made[cls] = made
    return made


def _compiled(search: OwnSearch, cls: Any) -> Any:
    """The compiled entry of a search for a class of states."""
    dispatcher, signature = entry_of(search, cls)
    made = dispatcher.compile(signature)
    freeze(dispatcher)
    return made


def entry_of(search: OwnSearch, cls: Any) -> tuple[Any, tuple[Any, ...]]:
    """The entry of a search as a function that Numba can compile, and the types of its arguments."""
    # Here, since plain Python does not need them.
    from zermelo.searches.own.compiled_nodes import address_of, keep_evaluate, make_node
    from zermelo.searches.own.compiled_watching import keep_answer

    inner = prepared(search.function, watching(search.function), **{ENTER: enter, LEAVE: leave})
    given = ["make_node(state, address, 0, -1, 0)", *("True" if a == "flag" else a for a in search.arguments[1:])]
    text = (
        "def entry(state, evaluate, work, depth, alpha, beta, w):\n"
        f"    {'w = named(w, form)' if search.form else 'pass'}\n"
        "    address = address_of(work)\n"
        "    keep_evaluate(address, evaluate)\n"
        f"    keep_answer(work, inner({', '.join(given)}))\n"
    )
    scope = {
        "address_of": address_of,
        "form": search.form,
        "inner": inner,
        "keep_answer": keep_answer,
        "keep_evaluate": keep_evaluate,
        "make_node": make_node,
        "named": named,
    }
    exec(compile(text, search.function.__code__.co_filename, "exec"), scope)
    entry: Any = scope["entry"]
    entry.__module__ = search.function.__module__
    entry.__qualname__ = entry.__name__ = f"entry_{lasting_name(search.function.__module__)}_{search.name}"
    dispatcher = numba.njit(entry, nogil=True)
    options = options_of(dispatcher) | {"of": search.function.__code__.co_filename, "weights": search.form}
    use_cache(dispatcher, CodeCache(entry, options))
    return dispatcher, (cls.numba, heuristic_type(cls), OWN_TYPE, int64, float64, float64, WEIGHTS)


def _plain(search: OwnSearch) -> Any:
    """The search as plain Python, called as the compiled one is."""
    function = plain_copy(search.function, **{ENTER: enter, LEAVE: leave})

    def run(state: Any, evaluate: Any, work: Any, depth: int, alpha: float, beta: float, w: Any) -> None:
        given = named(w, search.form) if search.form else w
        known = {"depth": depth, "alpha": alpha, "beta": beta, "w": given, "flag": True}
        answer = function(Node(state, work, evaluate), *(known[name] for name in search.arguments[1:]))
        value, move = answer if isinstance(answer, tuple) and len(answer) == 2 else (answer, None)
        if isinstance(value, bool) or not isinstance(value, (int, float, np.number)) or math.isnan(value):
            raise SearchError(
                "{name} returned {answer!r}: it must return a value, or a value and a move",
                name=search.label,
                answer=answer,
            )
        work.value = value
        if move is not None:
            code = getattr(move, "code", None)
            if code is None:
                raise SearchError(
                    "{name} returned the move {move!r}: it must be one of node.moves(), or the move of a child",
                    name=search.label,
                    move=move,
                )
            work.move = code

    return run


def run_own(
    search: OwnSearch,
    state: Any,
    heuristic: Heuristic,
    depth: int,
    *,
    budget: Budget = NO_LIMIT,
    trace: bool = False,
    window: tuple[float, float] = (-math.inf, math.inf),
    plain: bool = False,
) -> Found:
    """Run a user's search, as far as the budget's nodes and seconds allow; plain: as plain Python in any case.

    The move is the one that it returned. Otherwise it is the best of the root's moves by the values that the search
    gave to them. If the search is stopped, it is that of the last search of the root that came to its end, then the
    best so far, then any legal move.
    """
    cls = class_of(state)
    evaluate = heuristic.native(cls)
    run = _plain(search) if plain else ready(search, cls).run
    work = own_record()
    work.weights, work.traced = heuristic.address, trace
    work.root, work.max_view = to_move(state), search.perspective == "max"
    work.limit = UNLIMITED if budget.nodes is None else budget.nodes
    vector = search.vector

    def stop() -> None:
        work.stop = 1

    def timed() -> float:
        began = time.perf_counter()
        try:
            run(state, evaluate, work, depth, *window, vector)
            work.finished = max(work.finished, 1)
        except OutOfBudget:
            work.stop = 1
        except TooDeep as error:
            raise SearchError("{name}: {reason}", name=search.label, reason=Message(str(error))) from None
        return time.perf_counter() - began

    with searching(state):
        seconds = run_stoppable(timed, stop, budget.seconds)
    complete = not work.stop
    moves = moves_of(state)
    move, value = _answer(work, moves, complete)
    if complete and move is not None and move not in moves:
        raise SearchError("{name} returned a move that is not legal", name=search.label)
    tree, tree_complete = read_tree(work) if trace and work.nodes else (None, True)
    return Found(
        move=move,
        score=Score.of_units(int(units(value)), int(to_move(state)) + 1),
        line=() if move is None else (move,),
        depth=depth,
        complete=complete,
        generated=int(work.generated),
        evaluated=int(work.evaluated),
        # A search that sorts its children first takes all of them, so the record of its tree knows better.
        cutoffs=tree.cutoffs if tree is not None and tree_complete else max(0, int(work.begun)),
        seconds=seconds,
        horizon=int(work.evaluated),
        tree=tree,
        tree_complete=tree_complete,
    )


def _answer(work: Any, moves: list[int], complete: bool) -> tuple[int | None, float]:
    """The move to play and its value."""
    if not moves:
        return None, float(work.value) if complete else 0.0
    if complete and work.move != NO_MOVE:
        return int(work.move), float(work.value)
    if work.finished and work.best_move != NO_MOVE:
        return int(work.best_move), float(work.value if complete else work.best_value)
    tried = int(work.tried)
    if tried:
        best = int(np.argmax(work.root_values[:tried]))
        return int(work.root_moves[best]), float(work.root_values[best])
    return moves[0], float(work.value) if complete else 0.0
