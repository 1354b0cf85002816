"""What has changed in a tournament's file since the tournament began, which continues with its old settings."""

import dataclasses
from collections.abc import Iterator
from pathlib import Path

from zermelo.errors import ZermeloError
from zermelo.language import _
from zermelo.tournaments.plan import Plan, read_plan


def changes_since(plan: Plan, path: Path) -> list[str]:
    """Return a sentence for each difference between the plan and what its file now says."""
    try:
        now = read_plan(path, plan.sandbox or False)
    except ZermeloError as error:
        return [_("{path} can no longer be read ({error})").format(path=path, error=error)]
    return list(_changes(plan, now))


def _changes(then: Plan, now: Plan) -> Iterator[str]:
    before = {contestant.name: contestant.player for contestant in then.contestants}
    after = {contestant.name: contestant.player for contestant in now.contestants}
    for name in after:
        if name not in before:
            yield _("the new contestant {name} does not take part; start another tournament to include it").format(
                name=name
            )
    for name, player in before.items():
        if name not in after:
            yield _("the contestant {name} is no longer in the file, but still takes part").format(name=name)
        elif after[name] != player:
            yield _("{name} is now {now} in the file; it continues as {then}").format(
                name=name, now=after[name], then=player
            )
    for file in then.sources:
        if file in now.sources and now.sources[file] != then.sources[file]:
            yield _("{file} has changed; the tournament continues with its old contents").format(file=file)
    for field in dataclasses.fields(Plan):
        if field.name in ("name", "contestants", "sources", "notes"):
            continue
        old, new = getattr(then, field.name), getattr(now, field.name)
        if old == new:
            continue
        if dataclasses.is_dataclass(old) and dataclasses.is_dataclass(new):
            for inner in dataclasses.fields(old):
                one, other = getattr(old, inner.name), getattr(new, inner.name)
                if one != other:
                    yield _setting(f"{field.name}.{inner.name}", one, other)
        else:
            yield _setting(field.name, old, new)


def _setting(name: str, old: object, new: object) -> str:
    return _("{name} is now {new} in the file; the tournament continues with {old}").format(name=name, new=new, old=old)
