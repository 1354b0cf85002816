"""Tournaments that tell luck from progress.

    z.tournament(["alphabeta(depth=4, heuristic=lines2)", "random"], game="connect4", pairs=50)

The package is called like a function; its parts are schedule (who meets whom), openings, referee (one game), run,
store, rating and sprt (statistics), report, and distribute (many machines).
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zermelo.language import _

if TYPE_CHECKING:
    from zermelo.players import Player
    from zermelo.position import Game
    from zermelo.tournaments.report import Report

__all__ = ["tournament"]


def tournament(
    contestants: "Sequence[str | Player | Mapping[str, str]]",
    game: "str | Game | None" = None,
    *,
    store: str | Path | None = None,
    threads: int | None = None,
    **settings: Any,
) -> "Report":
    """Play a tournament and return its report: print it, or look at its lines and meetings.

    contestants: players or their texts, heuristics by name, files of heuristics, folders of files. game: may be left
    out if a contestant names it, as in connect4/lines2. settings: as in a tournament file: pairs, format, depth, seed,
    openings={"plies": 4}, ... store: a file or database to keep it in; what is there is not played again.
    """
    from zermelo.errors import FileError
    from zermelo.tournaments.plan import make_plan
    from zermelo.tournaments.report import make_report
    from zermelo.tournaments.run import begin, run
    from zermelo.tournaments.store import open_store

    plan, objects = make_plan(contestants, game if game is not None else _game_of(contestants), **settings)
    ledger = open_store(store)
    if plan.name not in ledger.names():
        begin(ledger, plan)
    elif ledger.plan(plan.name)[0] != plan:
        raise FileError(
            _("{where} holds another tournament {name!r}: give this one another name").format(
                where=ledger.where, name=plan.name
            )
        )
    run(ledger, plan.name, threads=threads, objects=objects, trust=True)  # the caller has given all of its code
    return make_report(ledger, plan.name)


def _game_of(contestants: "Sequence[Any]") -> str:
    """The game that some contestant's heuristic names."""
    import re

    from zermelo.errors import GameError
    from zermelo.games import game_names

    names = {name.partition("/")[0] for name in game_names()}
    for contestant in contestants:
        for word in re.findall(r"(\w+)/", str(contestant)):
            if word in names:
                return str(word)
    raise GameError(_("a tournament of which game? Say game='connect4', or name a heuristic as connect4/lines2"))
