"""zermelo exercise: trees to search by hand, on paper or at the terminal, and their solutions."""

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from zermelo.cli.common import compiling, print_json, tell_written, write_file
from zermelo.cli.options import FILE, json_option, option, takes
from zermelo.language import _

if TYPE_CHECKING:
    from zermelo.exercises import Exercise

WRONG = 1
"""The exit status if answers are wrong or missing."""

MOST_SHEETS = 1000


@dataclass(eq=False, repr=False)
class Size:
    """Which exercise it is."""

    number: int = option(
        "--number", type=int, default=1, show_default=True, help="Number of the exercise; every number is another one."
    )
    difficulty: str | None = option("--difficulty", help="Difficulty: easy, medium or hard. The default is medium.")
    depth: int | None = option(
        "--depth", type=int, help="Depth of the tree in plies, instead of a difficulty. The default is 3."
    )
    children: int | None = option(
        "--children",
        type=int,
        help="Number of children of every inner node, instead of a difficulty. The default is 2.",
    )


@dataclass(eq=False, repr=False)
class Paper:
    """What is written to files."""

    solution: bool = option("--solution", is_flag=True, help="Show or write the solution instead of the exercise.")
    sheets: int = option(
        "--sheets",
        type=click.IntRange(1, MOST_SHEETS),
        default=1,
        show_default=True,
        help="Number of different exercises; their numbers begin with --number.",
    )
    output: Path | None = option(
        "--output",
        type=click.Path(path_type=Path),
        metavar="PATH",
        help="Write sheets to print: a file FILE.html, a picture FILE.svg, or a folder with a file for each sheet "
        "and one with all solutions.",
    )


@dataclass(eq=False, repr=False)
class Answers:
    """What a student answers."""

    ask: bool = option("--answer", is_flag=True, help="Ask for the answers here, and mark them.")
    file: Path | None = option(
        "--answers", type=FILE, metavar="FILE", help='Mark the answers in this JSON file, such as {"value:B": 3}.'
    )


@click.command()
@click.argument("kind", metavar="KIND")
@takes("size", Size)
@takes("paper", Paper)
@takes("answers", Answers)
@json_option
def exercise(kind: str, size: Size, paper: Paper, answers: Answers, as_json: bool) -> int:
    """Make exercises: small trees to search by hand.

    KIND is minimax, alphabeta, tolerance (alpha-beta that also leaves narrow windows) or ordering. The same kind,
    number and difficulty always give the same exercise, on every machine and in every version.

    Sheets are HTML files for A4 paper: print them from a browser. Answers are marked with a hint at the first mistake,
    in the order in which the search works. The exit status is 0 if all answers are right, 1 if some are not, and 2 for
    a mistake on the command line.

    \b
    zermelo exercise alphabeta --number 7
    zermelo exercise alphabeta --number 7 --solution
    zermelo exercise alphabeta --number 7 --answer
    zermelo exercise minimax --difficulty easy --output sheet.html
    zermelo exercise alphabeta --sheets 30 --output sheets.html
    zermelo exercise alphabeta --sheets 30 --output sheets.html --solution
    """
    from zermelo.exercises import exercise as make

    if (answers.ask or answers.file) and (paper.sheets > 1 or paper.output or paper.solution):
        raise click.UsageError(
            _("--answer and --answers mark one exercise; leave out --sheets, --output and --solution")
        )
    if answers.ask and (answers.file or as_json):
        raise click.UsageError(_("--answer asks here; leave out --answers and --json"))
    options = {"difficulty": size.difficulty, "depth": size.depth, "children": size.children}
    with compiling(_("the searches of the exercises")):
        made = [make(kind, size.number + i, **options) for i in range(paper.sheets)]  # type: ignore[arg-type]
        for one in made:
            _solved = one.solution  # all searches run here
    if paper.output:
        _write(made, paper.output, paper.solution)
    if answers.ask or answers.file:
        return _mark(made[0], answers.file, as_json)
    if as_json:
        told = [one.as_json() | ({"solution": one.solution_json()} if paper.solution else {}) for one in made]
        print_json(told if paper.sheets > 1 else told[0])
    elif not paper.output:
        click.echo("\n\n".join(_text(one, paper.solution) for one in made))
    return 0


def _text(exercise: "Exercise", solved: bool) -> str:
    """The exercise, or its solution, for a terminal."""
    if solved:
        return "\n".join([_("Solution: {title}").format(title=exercise.title), "", *_solution(exercise)])
    command = f"zermelo exercise {exercise.kind} --number {exercise.number}{_shape(exercise)}"
    how = _("To answer here, add --answer; to see the solution, add --solution:")
    return f"{exercise}\n\n{how}\n  {command} --answer\n  {command} --solution"


def _shape(exercise: "Exercise") -> str:
    """The options that give this size; none for the usual difficulty."""
    if exercise.difficulty:
        return "" if exercise.difficulty == "medium" else f" --difficulty {exercise.difficulty}"
    return f" --depth {exercise.shape.depth} --children {exercise.shape.children[0]}"


def _solution(exercise: "Exercise") -> Sequence[str]:
    """What the search did, in its own words, and the answers about the whole search."""
    last = [question for question in exercise.questions if question.node is None]
    firsts = [question for question in exercise.questions if question.kind == "first"]
    answers = [f"{question.text}: {exercise.solution[question.id]}" for question in [*firsts, *last]]
    return [*exercise.trace.lines(), "", *answers]


def _write(exercises: "Sequence[Exercise]", path: Path, solved: bool) -> None:
    """Write sheets or solutions to one file, or both to a folder."""
    from zermelo.exercises.sheets import page
    from zermelo.files.whole import write_whole

    ending = path.suffix.lower()
    if ending in (".html", ".htm"):
        write_file(path, page(exercises, solved))
    elif ending == ".svg":
        if len(exercises) > 1:
            raise click.UsageError(_("an SVG file holds one exercise; write --output FILE.html for several"))
        write_file(path, exercises[0].svg(solved))
    elif ending and not path.is_dir():
        raise click.UsageError(
            _("{path}: sheets are written as .html or .svg, or to a folder; to make a PDF, print the HTML file").format(
                path=path
            )
        )
    else:
        _make_folder(path)
        digits = max(2, len(str(exercises[-1].number)))
        pages = {f"sheet-{one.number:0{digits}}.html": page([one]) for one in exercises}
        for name, text in (pages | {"solutions.html": page(exercises, True)}).items():
            write_whole(path / name, functools.partial(_put, text))
        tell_written(path)


def _put(text: str, out: BinaryIO) -> None:
    out.write(text.encode())


def _make_folder(path: Path) -> None:
    from zermelo.files.whole import cannot_write

    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise cannot_write(path, error) from None


# ------------------------------------------------------------------------------------------ answers


def _mark(exercise: "Exercise", file: Path | None, as_json: bool) -> int:
    marking = exercise.mark(_read_answers(file) if file else _ask(exercise))
    if as_json:
        print_json(marking.as_json())
    else:
        click.echo(str(marking))
    return 0 if marking.is_right else WRONG


def _read_answers(file: Path) -> dict[str, Any]:
    """Answers by the ids of their questions."""
    import json

    from zermelo.errors import FileError
    from zermelo.files.reading import read_text
    from zermelo.files.whole import BAD_JSON

    try:
        answers = json.loads(read_text(file))
    except BAD_JSON as error:
        raise FileError(f"{file}: {error}") from None
    if not isinstance(answers, dict):
        raise FileError('{file}: answers are written as {{"value:B": 3, "cut:F": true}}', file=file)
    return answers


def _ask(exercise: "Exercise") -> dict[str, Any]:
    """Ask for everything at the terminal, in the order of the search. Nodes below a cut are not asked about."""
    click.echo(f"{exercise}\n")
    click.echo(_("Press Enter to leave an answer out, and Ctrl-D to end.") + "\n")
    answers: dict[str, Any] = {}
    try:
        if exercise.about.has_cuts:
            answers |= _ask_for_cuts(exercise)
        for question in exercise.questions:
            if question.kind != "cut" and not _is_below_cut(exercise, question.node, answers):
                answers[question.id] = click.prompt(question.text, default="", show_default=False)
    except click.Abort as ended:
        if isinstance(ended.__context__, KeyboardInterrupt):
            raise
        click.echo("\n")
    return answers


def _ask_for_cuts(exercise: "Exercise") -> dict[str, Any]:
    names = list(exercise.parents)[1:]
    while True:
        text = click.prompt(_("branches that are cut, such as F, G"), default="", show_default=False)
        chosen = [name.upper() for name in re.findall(r"\w+", text)]
        unknown = [name for name in chosen if name not in names]
        if not unknown:
            return {f"cut:{name}": True for name in chosen}
        click.echo(_("there is no branch to {names}").format(names=", ".join(unknown)))


def _is_below_cut(exercise: "Exercise", node: str | None, answers: dict[str, Any]) -> bool:
    while node is not None:
        if answers.get(f"cut:{node}"):
            return True
        node = exercise.parents[node]
    return False
