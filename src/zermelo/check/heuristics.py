"""Heuristics, tried on positions of their game: failures, signs, speed, and values that differ in plain Python."""

import time
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from zermelo.check.positions import sample
from zermelo.check.reports import ERROR, NOTE, OURS, WARNING, Examination, Report, Settings, Step
from zermelo.check.sides import BLIND, CONSTANT, FIXED, MOSTLY, ONE_SIDED, OPPOSITE, pairs_of, turned, verdict
from zermelo.core import JIT, Heuristic, class_of
from zermelo.core.explanations import place_text
from zermelo.core.failures import failure_text, plain_result
from zermelo.core.fallback import seconds_each
from zermelo.core.numbers import points_of
from zermelo.core.shells import bounded
from zermelo.errors import HeuristicError, ZermeloError
from zermelo.game_files import game_of_class
from zermelo.games import find_game, find_heuristic, game_names, load_file, pick_heuristic, read_game
from zermelo.language import Message, _, gettext
from zermelo.position import Game, Position

ALREADY = 0.05
"""Compiling that takes fewer seconds than this was reading compiled code from the cache."""
MEASURED = 2.0
"""Seconds that measuring the speed of a slow heuristic may take."""
SHOWN_FAILURES = 3
"""The number of different failures of one heuristic that are shown."""


def names(path: Path) -> list[str]:
    """The heuristics of a file."""
    return list(load_file(path))


def game_of(heuristic: Heuristic) -> Game:
    """The game whose positions the heuristic takes: the first one of the catalogue, or one in a file."""
    for cls in heuristic.classes:
        own = game_of_class(cls)
        if own is not None:
            return own
    for name in game_names():
        game = find_game(name)
        if class_of(game.start_state()) in heuristic.classes:
            return game
    raise HeuristicError(
        "{name}: no game of the catalogue has positions of the type {names}",
        name=heuristic.name,
        names=_(" or ").join(cls.__name__ for cls in heuristic.classes),
    )


def examine(path: Path, name: str, settings: Settings) -> Examination:
    """Compile one heuristic of a file, and try it."""
    heuristic = pick_heuristic(load_file(path), name, str(path))
    report = Report(
        "heuristic", name, facts={"weights": heuristic.weights, "doc": heuristic.__doc__ or heuristic.evaluator.title}
    )
    try:
        game = game_of(heuristic) if settings.game is None else read_game(settings.game)
        if class_of(game.start_state()) not in heuristic.classes:
            report.found(NOTE, "other", _("it is not for {title}, and was left out").format(title=gettext(game.title)))
            return report
        yield Step(0, settings.positions, "compile")
        _compile(heuristic, game, report)
    except ZermeloError as error:
        report.found(ERROR, "compile", error)
        return report
    positions = sample(game, 1 if settings.is_quick else settings.positions, settings.seed)
    report.facts |= {"game": str(game), "positions": len(positions)}
    report.about = _("{title}, {number} positions").format(title=gettext(game.title), number=len(positions))
    good: list[Position] = []
    values: list[float] = []
    faults: list[tuple[str, str]] = []
    began, spent = time.process_time(), 0.0
    for number, position in enumerate(positions):
        yield Step(number, len(positions), "position", str(position))
        try:
            values.append(heuristic(position))
            good.append(position)
        except HeuristicError as error:
            faults.append((str(error), str(position)))
        spent = time.process_time() - began
        if spent > settings.seconds:
            report.found(
                WARNING,
                "slow",
                _("after {number} positions and {seconds:.0f} seconds of computing, no more were tried").format(
                    number=number + 1, seconds=spent
                ),
            )
            break
    _tell_failures(report, faults, len(positions))
    if good and not settings.is_quick:
        yield Step(len(positions), len(positions), OURS)
        report.facts["values"] = {"least": min(values), "greatest": max(values)}
        if _is_steady(report, heuristic, good, values):
            _compare_with_plain(report, heuristic, good, values)
        _judge_signs(report, heuristic, good)
        _measure_speed(report, heuristic, game, good, spent / len(values))
    return report


def _compile(heuristic: Heuristic, game: Game, report: Report) -> None:
    state = game.start_state()
    began = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the note is asked for
        note = heuristic.note(class_of(state)) if JIT else None
    heuristic.check(state)
    seconds = time.process_time() - began
    report.facts |= {"compiled": JIT and note is None, "compile_seconds": round(seconds, 3)}
    if note is not None:
        report.found(NOTE, "plain", note)
    if report.facts["compiled"]:
        report.lines.append(
            _("compiled in {seconds:.1f} s").format(seconds=seconds) if seconds > ALREADY else _("compiled before")
        )
    else:
        report.lines.append(_("runs as plain Python"))


# ------------------------------------------------------------------------------------------ failures


def _tell_failures(report: Report, faults: list[tuple[str, str]], tried: int) -> None:
    """One finding for each line that fails, with the first position and the number of positions."""
    report.facts["failures"] = len(faults)
    firsts: dict[str, tuple[str, str]] = {}
    numbers: Counter[str] = Counter()
    for text, position in faults:
        line = text.partition("\n")[0]
        firsts.setdefault(line, (text, position))
        numbers[line] += 1
    for line, number in numbers.most_common(SHOWN_FAILURES):
        text, position = firsts[line]
        if number > 1:
            text += " " + _("(it fails in {number} of {tried} positions)").format(number=number, tried=tried)
        report.found(ERROR, "fails", text, position)


# ------------------------------------------------------------------------------------------ values


def _is_steady(report: Report, heuristic: Heuristic, good: list[Position], values: list[float]) -> bool:
    """Does it give the same value again? One that depends on chance or on earlier calls does not."""
    for position, value in zip(good, values, strict=True):
        again = _quiet(heuristic)(position.state)
        if again != value:
            text = _("it gave {first:g} and then {second} in the same position, {position}")
            told = text.format(first=value, second="-" if again is None else f"{again:g}", position=position)
            report.found(WARNING, "unsteady", told, str(position))
            return False
    return True


def _compare_with_plain(report: Report, heuristic: Heuristic, good: list[Position], values: list[float]) -> None:
    """Compiled code and plain Python must agree. They do not if a whole number outgrows 64 bits."""
    if not report.facts["compiled"]:
        return
    differing = []
    for position, value in zip(good, values, strict=True):
        try:
            plain, line = plain_result(heuristic, position.state)
            is_alike = abs(points_of(bounded(plain)) - value) <= 0.002 + 1e-4 * abs(value)
        except OverflowError:  # a number of more than 300 digits
            is_alike = False
        except Exception as error:
            report.found(ERROR, "fails", failure_text(heuristic, position.state, str(position), error), str(position))
            return
        if not is_alike:
            differing.append((position, value, plain, line))
    report.facts["differences"] = len(differing)
    if differing:
        position, value, plain, line = differing[0]
        text = Message(
            "{place}\n    in the position {position}, compiled code gives {compiled} and plain Python {plain}: a whole "
            "number may have become too large for 64 bits; use smaller numbers, or fractions (1.0 instead of 1)",
            place=place_text(heuristic.written.co_filename, line, heuristic.name),
            position=position,
            compiled=f"{value:g}",
            plain=_short(plain),
        )
        report.found(ERROR, "differs", text, str(position))


def _short(number: Any) -> str:
    """A number that may have thousands of digits."""
    digits = len(str(abs(number))) if isinstance(number, int) and abs(number) < 10**1000 else 1001
    return f"{number:g}" if digits < 300 else _("a number with hundreds of digits")


def _quiet(heuristic: Heuristic) -> Callable[[Any], float | None]:
    """The heuristic's value, or None where it fails."""

    def value(state: Any) -> float | None:
        try:
            return heuristic(state)
        except HeuristicError:
            return None

    return value


def _judge_signs(report: Report, heuristic: Heuristic, good: list[Position]) -> None:
    can_turn = turned(good[0].state) is not None
    signs = verdict(pairs_of(good, _quiet(heuristic)), can_turn)
    report.facts["signs"] = signs
    low, high = report.facts["values"]["least"], report.facts["values"]["greatest"]
    line = _("values from {low:g} to {high:g}").format(low=low, high=high)
    if signs == OPPOSITE:
        line += _("; they change sign when the sides change places")
    elif signs == MOSTLY:
        line += _("; they change when the sides change places, but not exactly to the opposite")
    report.lines.append(line)
    warning = {
        CONSTANT: _("it gives {low:g} in every position, so it cannot tell good positions from bad ones"),
        BLIND: _("it gives the same value when the sides change places, so it cannot tell who is ahead"),
        FIXED: _(
            "its value hardly changes when the other player is to move: a heuristic says how good the position is "
            "for the player to move"
        ),
        ONE_SIDED: _("its values are never below zero; does it count only one side?")
        if high > 0
        else _("its values are never above zero; does it count only one side?"),
    }.get(signs)
    if warning is not None:
        report.found(WARNING, "signs", warning.format(low=low))


# ------------------------------------------------------------------------------------------ speed


def _measure_speed(report: Report, heuristic: Heuristic, game: Game, good: list[Position], each: float) -> None:
    """Measure it on as many positions as two seconds allow, and the game's usual heuristic on the same ones."""
    states = [position.state for position in good[: max(1, int(MEASURED / max(each, 1e-6)))]]
    cls, usual = class_of(states[0]), find_heuristic(game.default_heuristic, game)
    rate = 1 / seconds_each(heuristic, cls, states)
    times = rate * seconds_each(usual, cls, states)
    report.facts["evaluations_per_second"] = round(rate)
    report.facts["compared_with"] = {"heuristic": str(usual), "times": float(f"{times:.3g}")}
    text = _("{rate} evaluations per second of processor time, {times:.2g} times as many as {usual}")
    report.lines.append(text.format(rate=_rounded(rate), times=times, usual=usual))


def _rounded(rate: float) -> str:
    """A number with two digits that count: 25 million, 830,000."""
    short = float(f"{rate:.2g}")
    return _("{number:g} million").format(number=short / 1e6) if short >= 1e6 else f"{short:,.0f}"
