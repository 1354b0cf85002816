"""Tournaments, with statistics that show which differences are real and which may be luck.

    z.tournament(["alphabeta(depth=4, heuristic=lines2)", "random"], game="connect4", pairs=50)

The main modules: `plan` holds the settings, `schedule` decides who plays whom, `referee` conducts one game, `run` plays
them all, `store` keeps them, `rating` and `sprt` do the statistics, `report` shows the results, and `distribute` uses
other machines.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from zermelo.games import GameLike
    from zermelo.players import PlayerLike
    from zermelo.tournaments.report import Report

__all__ = ["tournament"]


def tournament(
    contestants: "Sequence[PlayerLike | Mapping[str, Any]]",
    game: "GameLike | None" = None,
    *,
    store: str | Path | None = None,
    threads: int | None = None,
    **settings: Any,
) -> "Report":
    """Play a tournament and return its report, which can be printed or read through its lines and meetings.

    `contestants` are players or their texts, heuristics (also functions) or their names, files of heuristics, or
    folders of such files; {"name": "Ada", "player": mine} gives one a name. `game` may be left out if a contestant
    names the game, as in connect4/lines2. `settings` are those of a tournament
    file: pairs, format, depth, seed, openings={"plies": 4} and so on. `store` is a file or database that keeps the
    tournament; games that are already there are not played again.
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
            "{where} already contains a different tournament named {name!r}; choose another name",
            where=ledger.where,
            name=plan.name,
        )
    run(ledger, plan.name, threads=threads, objects=objects, trust=True)  # the caller named all of its code
    return make_report(ledger, plan.name)


def _game_of(contestants: "Sequence[Any]") -> str:
    """Return the game that the heuristic of some contestant names, or for which it is written."""
    import re
    from types import FunctionType

    from zermelo.core import Heuristic
    from zermelo.errors import GameError
    from zermelo.games import find_heuristic, game_names, game_of_states

    names = {name.partition("/")[0] for name in game_names()}
    for contestant in contestants:
        if isinstance(contestant, (Heuristic, FunctionType)):
            known = game_of_states(find_heuristic(contestant).classes[0])
            if known is not None:
                return known
        for word in re.findall(r"(\w+)/", str(contestant)):
            if word in names:
                return str(word)
    raise GameError(
        "the game is missing; write game='connect4', for example, or name a heuristic with its game: connect4/lines2"
    )
