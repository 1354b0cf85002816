"""The items of a rubric for heuristics. The student's process only evaluates positions; it plays no games itself."""

from collections.abc import Sequence
from typing import Any

from zermelo.check.positions import sample
from zermelo.check.sides import MOSTLY, OPPOSITE, UNKNOWN, pairs_of, turned, verdict
from zermelo.core import JIT
from zermelo.core.packed import words_of
from zermelo.games import read_game
from zermelo.language import _
from zermelo.marking.results import Look, Result, credit
from zermelo.marking.rubric import Item
from zermelo.marking.submission import Submission, Tell, number

AT_ONCE = 50
"""Positions that the process is sent at a time."""


def evaluated(work: Submission, game: str, states: Sequence[Any], tell: Tell) -> tuple[list[float | None], list[str]]:
    """The values of states, and what was said about the first failure."""
    parts = [states[i : i + AT_ONCE] for i in range(0, len(states), AT_ONCE)]
    rows = [[words_of(state) for state in part] for part in parts]
    found: list[float | None] = []
    faults: list[str] = []
    for part, answer in zip(parts, work.answers("evaluate", rows, tell, game=game), strict=True):
        values = answer.get("values")
        if isinstance(values, list) and len(values) == len(part):
            found += [number(value) for value in values]
        else:
            found += [None] * len(part)
        if answer.get("fault") is not None:
            faults.append(str(answer["fault"]))
    return found, faults[:1]


def compiles(work: Submission, item: Item, tell: Tell) -> Result:
    """Can it be compiled? Half of the points if it runs only as plain Python."""
    answer = work.job("compile", game=item["game"])
    if "fault" in answer:
        return Result(0.0, (str(answer["fault"]),), {"compiled": False})
    if answer.get("compiled") is True or not JIT:
        return Result(1.0, (_("compiled") if JIT else _("nothing is compiled here"),), {"compiled": JIT})
    reason = str(answer.get("reason", ""))[:1000]
    return Result(0.5, (_("it runs as plain Python: {reason}").format(reason=reason),), {"compiled": False})


def works(work: Submission, item: Item, tell: Tell) -> Result:
    """In how many positions does it give a number, and the same one again?"""
    places = sample(read_game(item["game"]), item["positions"], item.seed)
    states = [place.state for place in places]
    first, faults = evaluated(work, item["game"], states, tell)
    again, _more = evaluated(work, item["game"], states[::-1], tell)
    steady = sum(one is not None and one == other for one, other in zip(first, again[::-1], strict=True))
    good = sum(value is not None for value in first)
    facts = {"good": good, "steady": steady, "tried": len(places)}
    lines = [_("a number in {good} of {tried} positions").format(**facts)]
    for place in places:
        faults = [fault.replace(repr(place.state), str(place)) for fault in faults]
    if steady < good:
        lines.append(_("in {number} positions it gave another value the second time").format(number=good - steady))
    return Result(credit(min(good, steady), len(places)), (*lines, *faults), facts)


def signs(work: Submission, item: Item, tell: Tell) -> Result:
    """Do its values change sign when the sides change places?"""
    places = sample(read_game(item["game"]), item["positions"], item.seed)
    wanted: dict[Any, None] = {}
    pairs_of(places, lambda state: wanted.setdefault(state, None))  # which states must be evaluated
    values, faults = evaluated(work, item["game"], list(wanted), tell)
    known = dict(zip(wanted, values, strict=True))
    found = verdict(pairs_of(places, known.get), turned(places[0].state) is not None)
    text = {
        OPPOSITE: _("its values change sign when the sides change places"),
        MOSTLY: _("its values change when the sides change places, but not exactly to the opposite"),
        UNKNOWN: _("too few positions can be compared"),
    }.get(
        found,
        _("its values do not follow the player to move: a heuristic says how good the position is for that player"),
    )
    is_fine = found in (OPPOSITE, MOSTLY) and not faults
    return Result(1.0 if is_fine else 0.0, (text, *faults), {"signs": found})


LOOKS: dict[str, Look] = {"compiles": compiles, "works": works, "signs": signs}
