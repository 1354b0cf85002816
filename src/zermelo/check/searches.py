"""Searches of users: are their values those of minimax, on thousands of small trees and on positions of every game?

A search that is wrong is shown on the smallest tree that can be found, beside the right values. The mistake is named if
it is one that we know.
"""

import math
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from zermelo.check.drawn import Seen, drawn, in_its_order
from zermelo.check.positions import sample
from zermelo.check.reports import ERROR, NOTE, OURS, WARNING, Examination, Report, Settings, Step
from zermelo.check.search_mistakes import MISTAKES, named_mistake
from zermelo.check.search_trees import (
    Case,
    keeps_promise,
    least_nodes,
    minimax,
    nodes_of_alphabeta,
    nodes_of_minimax,
    random_cases,
    shrunk,
    value_heuristic,
)
from zermelo.core import class_of
from zermelo.core.explanations import place_text
from zermelo.core.failures import failure_reason, last_line
from zermelo.errors import SearchError, ZermeloError
from zermelo.games import find_game, game_names, read_game
from zermelo.language import _, gettext
from zermelo.players.own import searches_in
from zermelo.position import Position
from zermelo.searches.budget import Budget
from zermelo.searches.own.running import ready, run_own
from zermelo.searches.own.search import OwnSearch
from zermelo.searches.textbook import run_minimax

TREES, PLAIN_TREES = 2000, 300
"""Trees that are tried; fewer, if the search runs as plain Python."""
NAMED_BY = 150
"""Trees on which a mistake must give the same values to be named."""
EACH_STEP = 100
MOST_NODES = 100_000
"""A search of one small tree that visits more nodes than this is endless."""
WHOLE = 60
"""The depth for a search that takes none."""


def names(path: Path) -> list[str]:
    """The searches of a file."""
    return list(searches_in(path))


def examine(path: Path, name: str, settings: Settings) -> Examination:
    """Compile one search of a file, and compare it with minimax."""
    search = searches_in(path)[name]
    report = Report("search", name, facts={"weights": search.weights, "doc": search.function.__doc__ or ""})
    yield Step(0, TREES, "compile")
    try:
        number = _compile(search, report)
    except ZermeloError as error:
        report.found(ERROR, "compile", error)
        return report
    if settings.is_quick:
        return report
    try:
        yield from _on_trees(search, number, settings.seed, report)
        if report.is_right:
            yield from _on_games(search, settings, report)
    except _Failed as failed:
        report.found(ERROR, "fails", str(failed))
    report.about = _("{number} trees").format(number=number)
    return report


def _compile(search: OwnSearch, report: Report) -> int:
    """Make the search ready for trees, and return how many of them to try."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = ready(search, class_of(next(random_cases(1, 1)).tree.game.start_state()))
    report.facts["compiled"] = made.is_compiled
    if made.is_compiled:
        report.lines.append(_("compiled"))
    elif made.reason:
        report.found(NOTE, "plain", _("it runs as plain Python: {reason}").format(reason=made.reason))
    return TREES if made.is_compiled else PLAIN_TREES


# ------------------------------------------------------------------------------------------ one case


class _Failed(Exception):
    """The search raised an error."""


def _value(search: OwnSearch, case: Case) -> float:
    return float(_found(search, case).score.number)


def _found(search: OwnSearch, case: Case, trace: bool = False) -> Any:
    depth = case.depth if search.takes_depth else WHOLE
    try:
        found = run_own(
            search,
            case.tree.game.start_state(),
            value_heuristic(),
            depth,
            budget=Budget(nodes=MOST_NODES),
            window=case.window,
            trace=trace,
        )
    except SearchError as error:
        raise _Failed(str(error)) from None
    except Exception as error:
        raise _Failed(_told(search, error)) from None
    if not found.complete:
        raise _Failed(_("it does not come to an end on a tree of {number} nodes").format(number=case.tree.size))
    return found


def _told(search: OwnSearch, error: Exception) -> str:
    """What went wrong, with the line of the user's file if it ran as plain Python."""
    place, reason = last_line(error, search.function.__code__), failure_reason(error)
    return f"{place_text(*place, search.name)}\n    {reason}" if place else str(reason)


def _right(search: OwnSearch, case: Case) -> int:
    return minimax(case.tree, case.depth if search.takes_depth else WHOLE)


def _is_wrong(search: OwnSearch, case: Case) -> bool:
    """Does it break its promise? In a window only values between alpha and beta need be exact."""
    try:
        return not keeps_promise(_value(search, case), _right(search, case), case.window)
    except _Failed:
        return True


def _plays_wrong(search: OwnSearch, case: Case) -> bool:
    """Is its move not one of the best?"""
    found = _found(search, case)
    if found.move is None or (search.takes_depth and case.depth == 0):
        return False
    child = case.tree.children[found.move]
    return minimax(child, (case.depth if search.takes_depth else WHOLE) - 1) != _right(search, case)


# ------------------------------------------------------------------------------------------ trees


def _on_trees(search: OwnSearch, number: int, seed: int, report: Report) -> Iterator[Step]:
    tries: list[tuple[str, Callable[[OwnSearch, Case], bool], Iterator[Case]]] = [
        ("value", _is_wrong, random_cases(seed, number)),
        ("move", _plays_wrong, random_cases(seed + 1, number // 4)),
        ("unsteady", _is_unsteady, random_cases(seed + 2, number // 20)),
    ]
    if search.takes_window:
        tries.insert(1, ("window", _is_wrong, random_cases(seed + 3, number // 2, windows=True)))
    for what, is_wrong, cases in tries:
        for i, case in enumerate(cases):
            if i % EACH_STEP == 0:
                yield Step(i, number, "position")
            if is_wrong(search, case):
                _tell_wrong(search, what, is_wrong, case, seed, report)
                return
    yield Step(number, number, "position")
    _count_nodes(search, seed, report)
    if any(_is_wrong(search, case) for case in random_cases(seed + 4, number // 4, alternates=False)):
        report.facts["alternates"] = True
        report.found(
            NOTE,
            "alternates",
            _(
                "it is right only where the sides alternate: where one may move twice running, as in Parcheckers, "
                "compare child.is_max with node.is_max"
            ),
        )


def _is_unsteady(search: OwnSearch, case: Case) -> bool:
    """Does it give another answer the second time?"""
    return _value(search, case) != _value(search, case)


def _tell_wrong(
    search: OwnSearch, what: str, is_wrong: Callable[[OwnSearch, Case], bool], case: Case, seed: int, report: Report
) -> None:
    """Report a mistake: the smallest case, the right values beside the search's, and the mistake's name."""
    small = shrunk(case, lambda other: _is_wrong_safely(search, is_wrong, other))
    found = _found(search, small, trace=True)
    got, right = found.score.number, _right(search, small)
    report.facts |= {"tree": small.tree.toml(), "size": small.tree.size, "depth": small.depth}
    if small.window != (-math.inf, math.inf):
        report.facts["window"] = list(small.window)
    values = {"depth": small.depth, "nodes": small.tree.size, "got": f"{got:g}", "right": right}
    if what == "move":
        text = _("depth {depth}, a tree of {nodes} nodes: it does not play the best move, which is worth {right}")
    elif what == "unsteady":
        text = _("depth {depth}, a tree of {nodes} nodes: it gives another value the second time")
    elif small.window != (-math.inf, math.inf):
        values |= {"alpha": f"{small.window[0]:g}", "beta": f"{small.window[1]:g}"}
        text = _(
            "depth {depth}, alpha {alpha}, beta {beta}, a tree of {nodes} nodes: it returns {got}, "
            "and the value is {right}"
        )
    else:
        text = _("depth {depth}, a tree of {nodes} nodes: it returns {got}, and minimax returns {right}")
    lines = [text.format(**values), *drawn(small, Seen.of(found.tree))]
    mistake = _mistake(search, seed) if what in ("value", "window") else None
    if mistake is not None:
        report.facts["mistake"] = mistake
        lines.append(_("probably: {mistake}").format(mistake=gettext(MISTAKES[mistake])))
    report.found(ERROR, what, "\n".join(lines))


def _is_wrong_safely(search: OwnSearch, is_wrong: Callable[[OwnSearch, Case], bool], case: Case) -> bool:
    try:
        return is_wrong(search, case) and bool(_found(search, case))
    except _Failed:
        return False


def _mistake(search: OwnSearch, seed: int) -> str | None:
    """The name of the mistake that a search makes, if it is one that we know."""
    if not search.takes_depth:
        return None
    cases = list(random_cases(seed + 5, NAMED_BY))
    if search.takes_window:
        cases += random_cases(seed + 7, NAMED_BY, windows=True)
    try:
        values = [_value(search, case) for case in cases]
    except _Failed:
        return None
    return named_mistake(cases, values, search.takes_window)


def _count_nodes(search: OwnSearch, seed: int, report: Report) -> None:
    """Does it prune at all? As much as it could with this order of the moves?"""
    cases = [case for case in random_cases(seed + 6, 200) if case.depth > 1]
    depths = [case.depth if search.takes_depth else WHOLE for case in cases]
    own = least = 0
    for case, depth in zip(cases, depths, strict=True):
        found = _found(search, case, trace=True)
        seen = Seen.of(found.tree)
        visited = seen.visits if seen is not None else 0
        # A search may look at the last nodes without being called for them.
        own += visited if visited >= least_nodes(case.tree, depth) else found.nodes
        least += nodes_of_alphabeta(in_its_order(case.tree, seen), depth)
    most = sum(nodes_of_minimax(case.tree, depth) for case, depth in zip(cases, depths, strict=True))
    report.facts["nodes"] = {"yours": own, "minimax": most, "alphabeta": least}
    report.lines.append(
        _("{own} nodes on {number} trees, where minimax visits {most} and alpha-beta in the same order {least}").format(
            own=own, number=len(cases), most=most, least=least
        )
    )
    if search.takes_window and own >= most:
        report.found(WARNING, "prunes", _("it never prunes: does it leave the loop when alpha >= beta?"))
    elif search.takes_window and own > least:
        report.found(
            WARNING, "prunes", _("it prunes less than alpha-beta: are alpha and beta both updated and passed on?")
        )


# ------------------------------------------------------------------------------------------ games


def _on_games(search: OwnSearch, settings: Settings, report: Report) -> Iterator[Step]:
    """Compare it with minimax on positions of every game, or of the one that was asked for, ended ones too.

    In all games but the first it runs as plain Python: to compile it would take longer than all these positions do.
    """
    tried: dict[str, str] = {}  # game -> its title
    for name in game_names() if settings.game is None else [settings.game]:
        game = find_game(name) if settings.game is None else read_game(name)
        if game.is_explicit_tree:
            continue
        yield Step(0, 1, OURS)
        depth = 2
        heuristic = game.heuristics[game.default_heuristic]
        positions = sample(game, 6, settings.seed)
        if report.facts.get("alternates") and _moves_twice(positions):
            continue
        for position in positions:
            yield Step(0, 1, OURS, str(position))
            right = run_minimax(position.state, heuristic, depth)
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    own = run_own(search, position.state, heuristic, depth, plain=bool(tried))
            except Exception as error:
                raise _Failed(f"{gettext(game.title)}, {position}: {type(error).__name__}: {error}") from None
            if search.takes_depth and own.score != right.score:
                text = _("{title}, position {position}, depth {depth}: it returns {got}, and minimax returns {right}")
                values = {"position": position, "depth": depth, "got": own.score.text, "right": right.score.text}
                report.found(ERROR, "game", text.format(title=gettext(game.title), **values), str(position))
                return
        tried[str(game)] = game.title
    report.facts["games"] = list(tried)
    report.lines.append(_("the values of minimax in {games}").format(games=", ".join(map(gettext, tried.values()))))


def _moves_twice(positions: list[Position]) -> bool:
    """May a side move twice running in this game?"""
    return any(
        position.play(move).to_move == position.to_move for position in positions for move in position.moves[:40]
    )
