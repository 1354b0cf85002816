"""Games that are lost by a fault: a crash, an illegal move, too much time, or a wrong answer."""

import re
from collections.abc import Iterable

from zermelo.language import ngettext
from zermelo.match import reason_text

FAULTS = ("crash", "illegal move", "timeout", "wrong answer")
"""The beginnings of the reasons for which a game is lost by a fault."""

PLACE = re.compile(r"(?P<file>[^\n:]{1,200}\.py):(?P<line>\d{1,7}):? ?")
"""A place in a contestant's file, with which the rest of a reason may begin."""

MOST_TOLD = 3
"""How many different faults of a contestant are told. The first few are enough to begin with."""


def alike(reason: str) -> tuple[str, str]:
    """What faults must have in common to be told as one: their kind, and the place in the file if it is known."""
    kind, _colon, rest = reason.partition(": ")
    place = PLACE.match(rest)
    return kind, place[0] if place is not None else ""


def told_faults(name: str, reasons: Iterable[str]) -> list[str]:
    """A sentence for each of the commonest faults of a contestant, with file, line and reason if they are known."""
    groups: dict[tuple[str, str], list[str]] = {}
    for reason in reasons:
        groups.setdefault(alike(reason), []).append(reason)
    commonest = sorted(groups.values(), key=len, reverse=True)[:MOST_TOLD]
    return [
        ngettext(
            "{name} lost {number} game by a fault: {reason}",
            "{name} lost {number} games by a fault: {reason}",
            len(one),
        ).format(name=name, number=len(one), reason=reason_text(min(one, key=len)))
        for one in commonest
    ]
