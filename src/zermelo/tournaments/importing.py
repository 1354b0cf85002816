"""Games that were played elsewhere, added to the ledger of a tournament."""

from collections.abc import Sequence

from zermelo.match import Record
from zermelo.tournaments.openings import digest
from zermelo.tournaments.referee import Played
from zermelo.tournaments.schedule import Pair
from zermelo.tournaments.store import Store


def import_games(store: Store, tournament: str, records: Sequence[Record]) -> int:
    """Add games played elsewhere. Games from the same start with colours swapped become pairs.

    Returns the number of new games; games that were imported before are not added again.
    """
    waiting: dict[tuple[str, str, str, str], list[str]] = {}
    pairs: list[Pair] = []
    games: list[tuple[str, bool, Played]] = []
    seen: dict[str, int] = {}
    for record in records:
        one, other = record.players
        partners = waiting.get((record.game, record.start, other, one))
        if partners:
            games.append((partners.pop(0), True, Played.of(record)))
            continue
        line = record.to_json()
        again = seen[line] = seen.get(line, -1) + 1  # the same game may have been played twice
        name = f"import/{digest(f'{line} {again}'):016x}"
        waiting.setdefault((record.game, record.start, one, other), []).append(name)
        pairs.append(Pair(name, 0, one, other, len(pairs), record.start, 0, 0))
        games.append((name, False, Played.of(record)))
    before = len(store.scores(tournament))
    store.add_pairs(tournament, pairs)
    store.add_games(tournament, games)
    return len(store.scores(tournament)) - before
