"""What becomes of programs as beginners write them: the table in docs/reference/beginners.md.

The programs are in tests/check/programs. The comments at the top of each say what it does and what must happen to it:
`compiles`, `plain` (it runs as plain Python, with a note), or `error` with the source line that the message must show
and a part of what it must say. A program that never ends says how many `seconds` it gets. `python tools/beginners.py`
tries them all and writes the table again; tests/check/test_programs.py fails if the table is out of date, or if
something else happens to a program.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from zermelo.check.asking import Checker
from zermelo.check.reports import ERROR, WARNING, Report, Settings
from zermelo.language import speaking

ROOT = Path(__file__).parent.parent
PROGRAMS = ROOT / "tests" / "check" / "programs"
PAGE = ROOT / "docs" / "reference" / "beginners.md"
BEGIN, END = "<!-- programs: written by tools/beginners.py -->\n", "<!-- end of programs -->\n"
SETTINGS = Settings(positions=20, seconds=40.0)
RESULTS = {
    "compiles": "It is compiled.",
    "plain": "It runs as plain Python, with a note.",
    "error": "An error says what is wrong.",
}


@dataclass(frozen=True)
class Program:
    """A file, and what its first comments say about it."""

    path: Path
    about: str
    outcome: str
    at: str = ""  #: the source line that the message must show
    says: str = ""  #: a part of what it must say
    seconds: str = ""  #: its time limit, if it is another than that of SETTINGS

    @classmethod
    def of(cls, path: Path) -> "Program":
        """The program in a file."""
        first, *comments = re.findall(r"^# (.*)$", path.read_text(encoding="utf-8").partition("\nimport")[0], re.M)
        named = dict(re.findall(r"^(outcome|at|says|seconds): (.*)$", "\n".join(comments), re.M))
        return cls(path, first, **named)


@dataclass(frozen=True)
class Result:
    """What became of a program: one of RESULTS, and what its author was told."""

    outcome: str
    text: str


def programs() -> list[Program]:
    """All programs, in alphabetical order."""
    return [Program.of(path) for path in sorted(PROGRAMS.glob("*.py"))]


def result_of(reports: list[Report]) -> Result:
    """What the reports about a file say."""
    errors = [finding.text for report in reports for finding in report.findings if finding.level == ERROR]
    if errors:
        return Result("error", errors[0])
    notes = [finding.text for report in reports for finding in report.findings if finding.what == "plain"]
    warned = [finding.text for report in reports for finding in report.findings if finding.level == WARNING]
    return Result("plain", notes[0]) if notes else Result("compiles", " ".join(warned))


def results(wanted: list[Program], languages: Sequence[str] = ("en",)) -> Iterator[tuple[Program, dict[str, Result]]]:
    """Try programs, one after the other, and tell in each language what became of them."""
    with Checker(PROGRAMS, SETTINGS) as checker:  # one process serves them all, until one of them hangs it
        for program in wanted:
            checker.path, told = program.path, {}
            checker.settings = replace(SETTINGS, seconds=float(program.seconds or SETTINGS.seconds))
            for language in languages[:1] if program.seconds else languages:  # to wait for its limit once is enough
                with speaking(language):
                    told[language] = result_of(list(checker.reports()))
            yield program, told


def shown(text: str) -> str:
    """A message as the table shows it: the name of the file without its folder, and no measured numbers."""
    text = text.replace(f"{PROGRAMS}/", "")
    text = re.sub(r"measured: .* for each evaluation, [\d,]+ times", "measured: … for each evaluation, … times", text)
    return re.sub(r"[\x00-\x1f]+ *", "<br>", text.replace("|", "\\|").replace("<", "&lt;"))


def table(found: list[tuple[Program, Result]]) -> str:
    """The table of all programs."""
    rows = [
        f"| `{program.path.name}` | {program.about} | {RESULTS[result.outcome]} | {shown(result.text)} |"
        for program, result in found
    ]
    return "\n".join(["| program | what it does | what happens | the message |", "|---|---|---|---|", *rows, ""])


def page(text: str, found: list[tuple[Program, Result]]) -> str:
    """The page with the table that the results make."""
    before, rest = text.split(BEGIN)
    return f"{before}{BEGIN}\n{table(found)}\n{END}{rest.split(END)[1]}"


def main() -> None:
    found = [(program, told["en"]) for program, told in results(programs())]
    for program, result in found:
        if result.outcome != program.outcome or program.says not in result.text or program.at not in result.text:
            print(f"{program.path.name}: {result.outcome}, not {program.outcome}\n{result.text}\n")
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8"), found), encoding="utf-8")
    print({outcome: sum(result.outcome == outcome for _, result in found) for outcome in RESULTS})


if __name__ == "__main__":
    main()
