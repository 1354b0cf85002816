"""zermelo check --marks: what students handed in gets its points."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from zermelo.cli.common import print_json, step_bar, tell_written
from zermelo.cli.options import FILE, option
from zermelo.language import _

if TYPE_CHECKING:
    from zermelo.marking.marks import Marks
    from zermelo.marking.submission import Place

BELOW = 1
"""The exit status if a mark is below --pass."""


@dataclass(eq=False, repr=False)
class Marking:
    """How work is marked, and where the marks go."""

    rubric: Path | None = option(
        "--marks",
        type=FILE,
        metavar="RUBRIC",
        help="Give marks by this rubric, a TOML file, to searches or heuristics.",
    )
    secret: str | None = option(
        "--secret",
        envvar="ZERMELO_SECRET",
        metavar="NUMBER",
        help="Number from which hidden cases are made. The environment variable ZERMELO_SECRET is safer.",
    )
    gradescope: Path | None = option(
        "--gradescope", type=FILE, metavar="FILE", help="Write the marks to this file for Gradescope (results.json)."
    )
    junit: Path | None = option(
        "--junit", type=FILE, metavar="FILE", help="Write the marks to this JUnit file, for GitHub, GitLab and others."
    )
    table: Path | None = option(
        "--csv", type=FILE, metavar="FILE", help="Write the marks of all students to this CSV file."
    )
    least: float | None = option(
        "--pass",
        type=click.FloatRange(0, 100),
        metavar="PERCENT",
        help="End with status 1 if somebody gets less than this share of the points, in percent.",
    )
    is_bare: bool = option(
        "--no-sandbox", is_flag=True, help="Run students' files without a sandbox. They can then read your files."
    )

    def check_alone(self) -> None:
        """Without a rubric, the other options make no sense."""
        if self.rubric is None and (
            self.gradescope or self.junit or self.table or self.least is not None or self.is_bare
        ):
            raise click.UsageError(
                _("--gradescope, --junit, --csv, --pass and --no-sandbox are for marks: add --marks RUBRIC")
            )


def give_marks(files: Sequence[tuple[Path, str | None]], marking: Marking, as_json: bool) -> int:
    """Mark files or whole folders, print the marks, and write the files that were asked for."""
    from zermelo.marking.grade_files import as_csv, gradescope, junit
    from zermelo.marking.marks import check_rubric, mark_work, work_of
    from zermelo.marking.rubric import read_rubric

    assert marking.rubric is not None
    rubric = read_rubric(marking.rubric, marking.secret)
    check_rubric(rubric)
    work = [(one, name) for path, name in files for one in work_of(path, rubric)]
    if marking.gradescope is not None and len(work) != 1:
        raise click.UsageError(_("--gradescope is for the work of one student"))
    if not rubric.has_secret:
        _warn(_("the rubric has no secret number, so students can find out the cases: set secret, or use --secret"))
    place = _place(marking)
    found: list[Marks] = []
    with step_bar() as tell:
        for path, name in work:
            marks = mark_work(path, rubric, place, name, tell)
            found.append(marks)
            if not as_json:
                _show(marks, is_alone=len(work) == 1)
    if as_json:
        print_json([marks.as_json() for marks in found])
    for file, made in {
        marking.gradescope: lambda: gradescope(found[0]),
        marking.junit: lambda: junit(found),
        marking.table: lambda: as_csv(found),
    }.items():
        if file is not None:
            _write(file, made)
    if marking.least is None:
        return 0
    return BELOW if any(100 * marks.points < marking.least * marks.of for marks in found) else 0


def _place(marking: Marking) -> "Place":
    """Where students' files run: in a sandbox if there is one."""
    from zermelo.marking.submission import PLAIN, SANDBOX, USER, Place
    from zermelo.processes.sandbox import can_be_another_user, missing

    assert marking.rubric is not None
    kind = SANDBOX
    reason = _("you asked for none") if marking.is_bare else missing()
    if reason is not None and not marking.is_bare and can_be_another_user():
        kind = USER
        text = _(
            "there is no sandbox ({reason}): students' files run as another user, who can read what everybody may "
            "read; make sure that this is not true of the rubric and of other students' work"
        )
        _warn(text.format(reason=reason))
    elif reason is not None:
        kind = PLAIN
        text = _(
            "there is no sandbox ({reason}): a student's file can read and change everything that you can, "
            "the rubric included"
        )
        _warn(text.format(reason=reason))
    return Place(kind, (marking.rubric.resolve(),))


def _warn(text: str) -> None:
    click.echo(_("zermelo: warning: {text}").format(text=text), err=True)


def _write(path: Path, made: Callable[[], str]) -> None:
    from zermelo.files.whole import write_whole

    write_whole(path, lambda out: out.write(made().encode()))
    if sys.stderr.isatty():
        tell_written(path)


def _show(marks: "Marks", is_alone: bool) -> None:
    """Print the marks: one line for each student of many, and everything for one alone."""
    total = _("{points:g} of {of:g} points").format(points=marks.points, of=marks.of)
    if not is_alone:
        reason = f"  {' '.join(marks.reason.split())}" if marks.reason else ""
        shares = " + ".join(f"{marks.in_group(group):g}" for group in marks.rubric.groups)
        click.echo(f"{marks.student}: {total} ({shares}){reason}")
        return
    click.echo(f"{marks.rubric.title}, {marks.student}: {total}")
    if marks.reason is not None:
        for line in marks.reason.splitlines():
            click.echo(f"  {line}")
        return
    for group in marks.rubric.groups:
        of = sum(item.points for item in group.items)
        click.echo(f"{group.title}: {marks.in_group(group):g}/{of:g}")
        for mark in marks.marks:
            if mark.item in group.items:
                click.echo(f"  {mark.points:g}/{mark.item.points:g}  {mark.item.title}")
                for line in mark.feedback:
                    click.echo(f"      {line}")
