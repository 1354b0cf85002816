"""Scores in words."""

from zermelo.rules import MOST_PLIES, WIN


def score_text(score: int) -> str:
    """`win in 3` (plies), `loss in 4`, or the heuristic's number with its sign."""
    if score > WIN - MOST_PLIES:
        return f"win in {WIN - score}" if score < WIN else "win"
    if score < MOST_PLIES - WIN:
        return f"loss in {WIN + score}" if score > -WIN else "loss"
    return f"{score:+d}" if score else "0"


def is_proven(score: int) -> bool:
    """Is this a forced win or loss, rather than an estimate?"""
    return abs(score) > WIN - MOST_PLIES
