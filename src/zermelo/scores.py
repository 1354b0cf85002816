"""Scores in words."""

from zermelo.language import _
from zermelo.rules import MOST_PLIES, WIN


def score_text(score: int) -> str:
    """`win in 3` (plies), `loss in 4`, or the heuristic's number with its sign."""
    if score > WIN - MOST_PLIES:
        return _("win in {plies}").format(plies=WIN - score) if score < WIN else _("win")
    if score < MOST_PLIES - WIN:
        return _("loss in {plies}").format(plies=WIN + score) if score > -WIN else _("loss")
    return f"{score:+d}" if score else "0"


def is_proven(score: int) -> bool:
    """Is this a forced win or loss, rather than an estimate?"""
    return abs(score) > WIN - MOST_PLIES
