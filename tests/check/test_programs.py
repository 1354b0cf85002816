"""Programs as beginners write them: each is compiled, runs as plain Python with a note, or gets a short error."""

import re
import sys
from pathlib import Path

import pytest

from zermelo.core import JIT

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

import beginners

pytestmark = pytest.mark.skipif(not JIT, reason="the programs show what the compiler takes, and what it says")

PROGRAMS = beginners.programs()

FORBIDDEN = re.compile(  # words of Numba and LLVM, which mean nothing to the author of a heuristic
    r"reflected|UniTuple|Literal|\b(u?int|float)(8|16|32|64)\b|array\(|dispatcher|getitem|setitem|njit|nopython|[Nn]umba|"
    r"Cannot determine|Cannot unify|\btyping\b|Untyped|LLVM|lowering|opcode|unituple|Optional\(|NoneType|DictType|"
    r"unsupported|<iv=|\bomitted\b|CPUDispatcher|<function|<class|<built-in| object at 0x|Traceback"
)


@pytest.fixture(scope="module")
def results():
    """What becomes of each program, told in English and in Spanish."""
    return dict(beginners.results(PROGRAMS, ["en", "es"]))


def test_there_are_at_least_sixty_for_all_games():
    assert len(PROGRAMS) >= 60
    games = {program.path.name.partition("_")[0] for program in PROGRAMS}
    assert games == {"connect4", "hex", "onitama", "parcheckers", "reversi", "tictactoe"}


@pytest.mark.parametrize(
    ("program", "language"),
    [
        pytest.param(program, language, id=f"{program.path.stem}-{language}")
        for program in PROGRAMS
        for language in (["en"] if program.seconds else ["en", "es"])
    ],
)
def test_what_happens_to_a_program(results, program, language):
    result = results[program][language]
    assert result.outcome == program.outcome, result.text
    source = program.path.read_text(encoding="utf-8").splitlines()
    ours = "\n".join(line for line in result.text.splitlines() if line.partition(": ")[2] not in map(str.strip, source))
    assert not FORBIDDEN.search(ours), result.text
    assert len(result.text.splitlines()) <= 3, result.text
    if language == "en":
        assert program.says in result.text
    if result.outcome != "compiles":
        assert str(program.path) in result.text
        numbers = [number for number, line in enumerate(source, 1) if line.strip() == program.at]
        places = [f"{program.path}:{number}: {program.at}" for number in numbers]
        assert not program.at or any(place in result.text for place in places), result.text


def rows_of(text):
    """The table without its messages: some are Python's own words, which differ from version to version."""
    return [line.split(" | ")[:3] for line in text.splitlines() if line.startswith("| `")]


def test_the_table_is_up_to_date(results):
    text = beginners.PAGE.read_text(encoding="utf-8")
    found = [(program, told["en"]) for program, told in results.items()]
    assert rows_of(text) == rows_of(beginners.page(text, found)), "run python tools/beginners.py"
