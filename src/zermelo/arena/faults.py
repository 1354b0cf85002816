"""The games that were lost by a fault: a crash, an illegal move, too much time, or a wrong answer."""

from dataclasses import dataclass

from zermelo.tournaments.faults import FAULTS
from zermelo.tournaments.store import Store


@dataclass(frozen=True)
class Fault:
    """A game that somebody lost by a fault."""

    tournament: str
    pair: str
    swapped: bool
    contestant: str  #: who lost it
    opponent: str
    reason: str
    time: float


def latest_faults(store: Store, limit: int) -> list[Fault]:
    """The latest of these games, the newest first."""
    which = " OR ".join(["g.reason LIKE ?"] * len(FAULTS))
    rows = store.execute(
        "SELECT g.tournament, g.pair, g.swapped, g.score, g.reason, g.ended, p.first, p.second "
        "FROM games g JOIN pairs p ON p.tournament = g.tournament AND p.id = g.pair "
        f"WHERE ({which}) AND g.score <> 0.5 ORDER BY g.ended DESC LIMIT ?",
        [*(f"{fault}%" for fault in FAULTS), limit],
    )
    found = []
    for tournament, pair, swapped, score, reason, ended, first, second in rows:
        loser, winner = (second, first) if score == 1 else (first, second)
        found.append(Fault(tournament, pair, bool(swapped), loser, winner, reason, ended))
    return found
