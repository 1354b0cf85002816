"""A new arena: its folder, a file of settings that explains itself, and its database."""

import json
import os
import shutil
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any
from zoneinfo import available_timezones

from zermelo import __version__
from zermelo.arena.records import Records
from zermelo.arena.roster import freeze_rungs
from zermelo.arena.settings import DATABASE, FILE, ArenaSettings, check_settings, read_settings
from zermelo.errors import FileError
from zermelo.files.folders import make_folder
from zermelo.files.whole import cannot_write
from zermelo.language import _, language
from zermelo.players import named_players
from zermelo.position import Game
from zermelo.tournaments.store import open_store

RUNG_DEPTHS = (1, 2, 3)
"""The depths at which heuristics of a game are rungs."""


MADE_BY = "made by"
"""The flag with the version of zermelo that made the arena: the rungs may play otherwise in another version."""


def new_arena(folder: Path, text: str) -> ArenaSettings:
    """Make an arena in a new folder with this text as arena.toml. If that fails, nothing is left behind."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise FileError("{folder} exists already; an arena needs a folder of its own", folder=folder)
    check_settings(text, folder)
    make_folder(folder.absolute().parent)
    part = folder.absolute().with_name(f".{folder.absolute().name}.{os.getpid()}.part")
    try:
        part.mkdir(mode=0o700)  # students' code and names are nobody else's business
        (part / FILE).write_text(text, encoding="utf-8")
        settings = read_settings(part)
        with closing(open_store(settings.database)) as ledger:
            records = Records(ledger)
            if records.contestants():
                raise FileError("{where} already contains an arena; use another database", where=ledger.where)
            freeze_rungs(records, settings)
            records.set_flag(MADE_BY, __version__, "arena")
        part.replace(folder)
    except OSError as error:
        raise cannot_write(folder, error) from None
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return read_settings(folder)


def usual_rungs(game: Game) -> list[str]:
    """Rungs for a game, from weak to strong: random moves, its heuristics at small depths, and its ninjas."""
    known = list(game.heuristics)
    spread = [known[round(i * (len(known) - 1) / 2)] for i in range(3)] if known else []
    if spread:
        rungs = [f"alphabeta(depth={depth}, heuristic={name})" for depth, name in zip(RUNG_DEPTHS, spread, strict=True)]
    else:
        rungs = [f"alphabeta(depth={depth})" for depth in RUNG_DEPTHS]
    named = [name for name in named_players(game) if name.startswith("ninja")]
    return ["random", *dict.fromkeys(rungs), *named]


def own_time_zone() -> str:
    """The time zone of this machine by name, or UTC if it does not say."""
    link = os.path.realpath("/etc/localtime").partition("zoneinfo/")[2]
    given = (os.environ.get("TZ", "").lstrip(":"), link)
    return next((name for name in given if name and name in available_timezones()), "UTC")


def settings_text(values: Mapping[str, Any], rungs: Sequence[str]) -> str:
    """The text of arena.toml, with comments in the user's language. values: settings by name, as `class.quota`."""
    lines: list[str] = []

    def say(comment: str, *settings: str) -> None:
        lines.extend(f"# {line}" for line in _wrapped(comment))
        lines.extend(settings)

    def setting(name: str, usual: Any) -> str:
        value = values.get(name)
        return f"{name.rpartition('.')[2]} = {_toml(usual if value is None else value)}"

    def begin(section: str) -> None:
        lines.extend(["", f"[{section}]"])

    say(_("The settings of this arena. Start the arena again after a change."))
    lines.append("")
    lines.append(setting("title", ""))
    say(_("The game, with its options."), setting("game", ""))
    say(
        _("Where everything is kept: a file in this folder, or postgresql://user@host/database for several machines."),
        setting("store", DATABASE),
    )
    begin("allowed")
    say(_("What students may hand in."), setting("allowed.kinds", ["heuristic", "search", "player"]))
    begin("budget")
    say(_("How much a player may think about a move: nodes (positions), seconds, or depth (plies). Only one is set."))
    budget = next((name for name in ("nodes", "seconds", "depth") if values.get(f"budget.{name}") is not None), "nodes")
    lines.append(setting(f"budget.{budget}", 10_000))
    say(_("The search that plays the heuristics."), setting("budget.search", "alphabeta"))
    say(_("A player that takes longer for a move loses the game."), setting("budget.seconds_per_move", 10))
    say(_("Memory for each player, in MiB."), setting("budget.memory", 1024))
    begin("class")
    say(_("What students see of each other: pseudonyms or names."), setting("class.names", "pseudonyms"))
    lines.append(setting("class.time_zone", "UTC"))
    say(_("When handing in ends, in this time zone. You can also change it on the teacher's desk."))
    lines.append(("" if values.get("class.deadline") else "# ") + setting("class.deadline", "2027-01-15 23:59"))
    say(_("How many different versions a student may hand in on one day."), setting("class.quota", 10))
    say(_("The size of all files of a submission together, in bytes."), setting("class.most_bytes", 200_000))
    languages = sorted(("en", "es"), key=lambda code: code != language())
    say(_("The languages of the pages; the first is used where nobody has chosen."))
    lines.append(setting("class.languages", languages))
    say(_("Who sees the ladder: members (of the class) or everyone."), setting("class.visible", "members"))
    say(_("Personal data is deleted this many days after the deadline."), setting("class.keep_days", 365))
    begin("ladder")
    say(_("Players that never change, as a scale. They are frozen when the arena is made."))
    lines.extend(["rungs = [", *(f"    {_toml(rung)}," for rung in rungs), "]"])
    say(_("How many pairs of games are played at the same time."), setting("ladder.pairs_at_once", 2))
    begin("rounds")
    say(
        _("Tournaments of everybody against everybody, every day, week or two weeks. Delete this part to have none."),
        setting("rounds.every", "week"),
        setting("rounds.on", "friday 18:00"),
    )
    say(_("Pairs of games between every two players."), setting("rounds.pairs", 5))
    begin("final")
    say(_("Pairs of games between every two players."), setting("final.pairs", 20))
    return "\n".join(lines) + "\n"


def _toml(value: Any) -> str:
    """A value as TOML writes it. Its texts are those of JSON, except that DEL must be escaped."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _wrapped(text: str, width: int = 110) -> Iterable[str]:
    import textwrap

    return textwrap.wrap(text, width)
