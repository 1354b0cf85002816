"""Classes of players, tried in a few quick games against random moves: faults, time for a move, budget kept."""

import re
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from zermelo.calls import Call
from zermelo.check.reports import ERROR, NOTE, OURS, Examination, Report, Settings, Step, likewise
from zermelo.core.explanations import place_text
from zermelo.errors import PlayerError, ZermeloError
from zermelo.games import find_game, game_names, load_module, read_game
from zermelo.language import _, gettext, ngettext
from zermelo.players.chance import RandomPlayer
from zermelo.players.classes import LATE
from zermelo.players.player import Fault, Resigned
from zermelo.players.programs import HostedPlayer, programs_in
from zermelo.position import Game, Position

GAMES = 2
"""Games against random moves in each game: the player moves first in one of them, and second in the other."""
LONGEST = 200
"""Plies after which a game is broken off."""
ENOUGH = 10.0
"""Seconds after which no other game is begun, and a game under way is broken off."""
BUDGET = 0.5
"""Seconds for a move that a class is given if it wants to know them."""
MOST_FAULTS = 3


@dataclass(frozen=True)
class _Seen:
    """A fault in one position. Those of one kind are told once: a player often fails at the same line in every game."""

    text: str
    position: str
    kind: str


@dataclass
class _Trial:
    """What was seen of a player."""

    name: str
    seconds: list[float] = field(default_factory=list)  # for each move
    played: dict[str, list[float]] = field(default_factory=dict)  # the points in each game that came to its end
    faults: list["_Seen"] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)  # games in which it failed at the first move, and why
    is_broken_off: bool = False


def names(path: Path) -> list[str]:
    """The classes of players in a file."""
    return list(programs_in(path))


def examine(path: Path, name: str, settings: Settings) -> Examination:
    """Make an object of a class, and let it play."""
    report = Report("player", name)
    yield Step(0, 1, "compile")
    try:
        declared = programs_in(path)[name].games(load_module(path), name)
        player = HostedPlayer(path, Call(f"{path.name}:{name}"), BUDGET)
        games = _games(declared, settings)
        player.prepare(games[0])
    except ZermeloError as error:
        report.found(ERROR, "fails", error)
        return report
    trial = _Trial(name)
    is_sure = declared is not None or settings.game is not None
    yield from _tried(player, games[:1] if settings.is_quick else games, settings.seed, is_sure, trial)
    _tell(trial, report)
    return report


def _games(declared: list[str] | None, settings: Settings) -> list[Game]:
    """The games to try: the one that was asked for, those that the class names, or all of the catalogue."""
    if settings.game is not None:
        return [read_game(settings.game)]
    if declared is not None:
        return [find_game(name) for name in declared]
    return [game for game in map(find_game, game_names()) if not game.is_explicit_tree]


def _tried(player: HostedPlayer, games: list[Game], seed: int, is_sure: bool, trial: _Trial) -> Iterator[Step]:
    """Play some games of each. is_sure: the player is meant for these games, so that a failure is its fault."""
    began = time.perf_counter()
    for number, game in enumerate(games):
        yield Step(number, len(games), OURS, game=str(game))
        position = game.start()
        _compile(position)
        yield Step(number, len(games), "position", str(position), str(game))
        try:
            player.think(position)
        except PlayerError as fault:
            if is_sure:
                trial.faults.append(_seen(fault, position))
            else:
                trial.refused[game.title] = _told(fault)
            continue
        for side in range(1, GAMES + 1):
            if time.perf_counter() - began < ENOUGH and len(trial.faults) < MOST_FAULTS:
                step = Step(number, len(games), "position", game=str(game))
                yield from _game(player, game, side, seed, step, trial, began + ENOUGH)
    if not is_sure and not trial.played and not trial.faults and not trial.is_broken_off:
        why = next(iter(trial.refused.values()))
        trial.faults.append(_Seen(why, str(games[0].start()), why))


def _compile(position: Position) -> None:
    """Compile what positions of this game need: that takes long, and must not count as time of the player's."""
    for move in position.moves[:1]:
        str(position.play(move))


def _game(
    player: HostedPlayer, game: Game, side: int, seed: int, step: Step, trial: _Trial, until: float
) -> Iterator[Step]:
    """One game, in which the player has this side."""
    chance, position = RandomPlayer(seed), game.start()
    while not position.is_over:
        if len(position.path) > LONGEST or time.perf_counter() > until:
            trial.is_broken_off = True
            return
        if position.to_move != side:
            position = position.play(chance.think(position).move)
            continue
        yield Step(step.done, step.of, step.what, str(position), step.game)
        began = time.perf_counter()
        try:
            position = position.play(player.think(position).move)
        except Resigned:
            trial.played.setdefault(game.title, []).append(0.0)
            return
        except PlayerError as fault:
            trial.faults.append(_seen(fault, position))
            return
        trial.seconds.append(time.perf_counter() - began)
        if player.wants_seconds and trial.seconds[-1] > BUDGET + LATE:
            told = gettext(
                "{name} took {seconds:.2f} s for a move in the position {position}, with seconds_left={limit:g}"
            )
            text = told.format(name=trial.name, seconds=trial.seconds[-1], position=position.parent, limit=BUDGET)
            trial.faults.append(_Seen(f"{player.path}: {text}", str(position.parent), "late"))
            return
    trial.played.setdefault(game.title, []).append(_points(position, side))


def _seen(fault: PlayerError, position: Position) -> _Seen:
    told = _told(fault)
    return _Seen(told, str(position), _kind(told))


def _kind(told: str) -> str:
    """What faults of one kind have in common: the line and the kind of error. Values may differ from game to game."""
    line, below, reason = told.partition("\n")
    return f"{line} {reason.partition(':')[0]}" if below else told


def _told(fault: PlayerError) -> str:
    """What is wrong: the line of the file with its source, and below it the reason."""
    text = fault.fault if isinstance(fault, Fault) else str(fault)
    place = re.match(r"(.+\.py):(\d+): (.*)", text, re.DOTALL)
    return f"{place_text(place[1], int(place[2]), '')}\n    {place[3]}" if place else text


def _points(end: Position, side: int) -> float:
    return 0.5 if end.winner is None else float(end.winner == side)


def _tell(trial: _Trial, report: Report) -> None:
    kinds = Counter(fault.kind for fault in trial.faults)
    for kind, number in list(kinds.items())[:MOST_FAULTS]:
        first = next(fault for fault in trial.faults if fault.kind == kind)
        report.found(ERROR, "fails", first.text + likewise(number - 1), first.position or None)
    number = sum(map(len, trial.played.values()))
    titles = [gettext(title) for title in trial.played]
    told = ngettext("{number} game against random", "{number} games against random", number)
    report.about = told.format(number=number)
    facts: dict[str, Any] = {"games": {title: sum(points) for title, points in trial.played.items()}}
    if trial.seconds:
        mean, longest = sum(trial.seconds) / len(trial.seconds), max(trial.seconds)
        facts |= {"moves": len(trial.seconds), "seconds": round(mean, 6), "longest": round(longest, 6)}
        report.lines.append(
            _("{moves} moves: {mean} each on average, {longest} for the longest").format(
                moves=len(trial.seconds), mean=_time(mean), longest=_time(longest)
            )
        )
    report.facts |= facts
    if titles:
        points = sum(map(sum, trial.played.values()))
        report.lines.append(
            _("it won {points:g} of {number} points against random: {titles}").format(
                points=points, number=number, titles=", ".join(titles)
            )
        )
    if trial.refused and not trial.faults:
        reasons: dict[str, list[str]] = {}  # a reason that is the same in several games is told once
        for title, why in trial.refused.items():
            reasons.setdefault(_kind(why), []).append(title)
        told = _("it does not play {title}: {why}")
        for refused in list(reasons.values())[:MOST_FAULTS]:
            named = ", ".join(gettext(title) for title in refused)
            report.found(NOTE, "refused", told.format(title=named, why=trial.refused[refused[0]]))
        if len(reasons) > MOST_FAULTS:
            rest = ", ".join(gettext(title) for refused in list(reasons.values())[MOST_FAULTS:] for title in refused)
            report.found(NOTE, "refused", _("nor does it play {titles}").format(titles=rest))
    if trial.is_broken_off:
        report.lines.append(_("some games were broken off, because they took too long"))


def _time(seconds: float) -> str:
    return f"{seconds * 1000:.3g} ms" if seconds < 1 else f"{seconds:.3g} s"
