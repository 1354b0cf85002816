"""Which parts of a tournament are code: the heuristics stored with it, files that it names, and engine commands."""

from collections.abc import Iterator
from typing import Any

from zermelo.calls import Call, call_of, parse_call
from zermelo.errors import ZermeloError
from zermelo.files.trust import check_trust, digest_of, remember
from zermelo.game_files import is_game_file
from zermelo.language import _
from zermelo.players import KINDS
from zermelo.tournaments.plan import Plan


def code_of(plan: Plan) -> list[str]:
    """Return a line for each piece of code that playing the tournament would run; empty if there is none."""
    lines = [_("the file {file} on this machine").format(file=file) for file in _game_file(plan)]
    for file, texts in plan.sources.items():
        size = sum(text.count("\n") + 1 for text in texts.values())
        names = ", ".join(texts)
        lines.append(
            _("the source code stored for {file} ({names}: {size} lines)").format(file=file, names=names, size=size)
        )
    for contestant in plan.contestants:
        for call in _calls(contestant.player):
            cls = KINDS.get(call.name)
            if cls is not None and "command" in cls.options():
                lines.append(
                    _("the command {command}").format(command=call.options.get("command", call.options.get(0)))
                )
            file = call.name.rpartition(":")[0]
            if file.endswith(".py") and file not in plan.sources:
                lines.append(_("the file {file} on this machine").format(file=file))
    return list(dict.fromkeys(lines))


def _game_file(plan: Plan) -> list[str]:
    """Return the file that holds the rules of the game, if they are in one."""
    name = call_of(plan.game).name
    return [name] if is_game_file(name) else []


def _calls(value: Any) -> Iterator[Call]:
    """Yield the calls in a player's text, at any depth."""
    if isinstance(value, str):
        try:
            value = parse_call(value)
        except ZermeloError:  # such a player is refused when it is made
            return
    if isinstance(value, Call):
        yield value
        for inner in value.options.values():
            if isinstance(inner, Call) or (isinstance(inner, str) and ".py:" in inner):
                yield from _calls(inner)


def _digest(plan: Plan) -> str:
    sources = {file: dict(texts) for file, texts in plan.sources.items()}
    players = sorted(contestant.player for contestant in plan.contestants)
    return digest_of("tournament", sources, players, *_game_file(plan))


def remember_plan(plan: Plan) -> None:
    """Remember that this tournament began on this machine, so that continuing it needs no question."""
    if code_of(plan):
        remember(_digest(plan))


def check_plan(plan: Plan, where: str, trust: bool = False) -> None:
    """Raise UntrustedError unless the code of the tournament is the user's own or trusted."""
    name = where if plan.name in where else _("{where}, tournament {name!r},").format(where=where, name=plan.name)
    check_trust(name, code_of(plan), _digest(plan), trust)
