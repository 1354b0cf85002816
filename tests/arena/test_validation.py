"""What students hand in: what cannot play is refused with a reason, and what is merely wrong is told."""

import contextlib
import dataclasses
import threading

import pytest

from zermelo.arena.examiner import Examiner
from zermelo.arena.keys import hash_of
from zermelo.arena.records import Records
from zermelo.arena.validation import Terms, Validation, Verdict
from zermelo.processes.sandbox import SandboxLimits, missing
from zermelo.tournaments.referee import Abandoned, Limits
from zermelo.tournaments.store import open_store

pytestmark = pytest.mark.skipif(missing() is not None, reason=f"there is no sandbox here: {missing()}")

TERMS = Terms("tictactoe", budget={"depth": 2}, limits=Limits(move_limit=5, load_limit=60), sandbox=SandboxLimits())

HEAD = "import zermelo as z\n\n"
PLAYER = """
class Mine:
    def choose(self, position):
        return position.moves[0]
"""
HEURISTIC = HEAD + "@z.heuristic\ndef f(board: z.TicTacToe):\n    return 1\n"
SEARCH = (
    HEAD
    + """
@z.search
def mine(node, depth):
    if node.is_over or depth == 0:
        return node.value
    return max(-mine(child, depth - 1) for child in node.children())
"""
)


def tried(text, terms=TERMS, file="mine.py"):
    return Validation("v1", file, {file: text}, terms).run()


def told(verdict, level="error"):
    return "\n".join(f"{one.file}:{one.line}: {one.text}" for one in verdict.findings if one.level == level)


def test_a_good_player_is_valid_and_its_games_are_counted():
    verdict = tried(PLAYER)
    assert (verdict.state, verdict.kind, verdict.player) == ("valid", "player", "player(code=v1/mine.py:Mine)")
    assert verdict.facts["moves"] > 24 and 0 <= verdict.facts["trial"] <= 2
    assert not told(verdict)
    assert type(verdict).of_report(verdict.as_report()) == verdict


@pytest.mark.parametrize(("load", "times"), [(0.0, 1), (2.0, 1), (5.0, 3), (500.0, 10)])
def test_a_busy_machine_is_given_more_time(monkeypatch, load, times):
    """The limit for all is by the clock. A right search was refused where thirty programs shared two cores."""
    monkeypatch.setattr("os.getloadavg", lambda: (load, 0.0, 0.0))
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    seen = []

    class Tried:
        def __init__(self, name, file, texts, terms):
            self.sources, self.terms = {}, terms

        def run(self):
            seen.append(self.terms)
            return Verdict("refused", 1.0)

    monkeypatch.setattr("zermelo.arena.examiner.Validation", Tried)
    with contextlib.closing(open_store(None)) as store:
        records = Records(store)
        student, _key = records.add_student("Ada")
        records.add_submission(student.id, "mine.py", {"mine.py": PLAYER}, hash_of(PLAYER))
        assert Examiner(records, TERMS).take_next()
    [terms] = seen
    assert terms == dataclasses.replace(TERMS, seconds=300 * times)


def test_a_file_that_cannot_be_loaded_is_refused_with_the_line():
    verdict = tried(PLAYER + "\ndef wrong(:\n    pass\n")
    assert verdict.state == "refused"
    assert told(verdict).startswith("mine.py:6: def wrong(:")
    assert "SyntaxError" in told(verdict)


def test_an_illegal_move_is_refused_with_its_position_in_the_language_of_the_class():
    terms = Terms(**{**vars(TERMS), "language": "es"})
    verdict = tried(PLAYER.replace("position.moves[0]", '"z9"'), terms)
    assert verdict.state == "refused"
    assert "jugada ilegal: z9" in told(verdict)
    assert len(verdict.findings) == 1, "the same fault is told once"


def test_a_validation_can_be_abandoned():
    validation = Validation("v1", "mine.py", {"mine.py": PLAYER + "while True: pass\n"}, TERMS)
    threading.Timer(0.5, validation.abandon).start()
    with pytest.raises(Abandoned):
        validation.run()


WRONG = {  # text -> the state, and what is said
    HEURISTIC: ("valid", ""),
    SEARCH: ("valid", ""),
    SEARCH.replace("max(-", "max("): ("valid", "minimax"),
    PLAYER + "import sys\nsys.exit(3)\n": ("refused", "mine.py:None: the process ended with status 3"),
    PLAYER + "while True:\n    pass\n": ("refused", "endless loop"),
    PLAYER + "import os\nos._exit(0)\n": ("refused", "ended"),
    PLAYER + "raise RuntimeError('not today')\n": ("refused", "not today"),
    PLAYER + PLAYER.replace("Mine", "Other"): ("refused", "2 players (Mine, Other)"),
    PLAYER.replace("position.moves[0]", "1 // 0"): ("refused", "ZeroDivisionError"),
    PLAYER.replace("return position", "while True: pass\n        return position"): ("refused", "5 s"),
    PLAYER.replace("return position", "self.much = bytearray(1 << 40)\n        return position"): (
        "refused",
        "MemoryError",
    ),
    PLAYER.replace("position.moves[0]", "None"): ("refused", "wrong answer"),
    "x = 3\n": ("refused", "no heuristic"),
    HEURISTIC.replace("return 1", "return 1 // (1 - 1)"): ("refused", "ZeroDivisionError"),
    HEURISTIC.replace("return 1", "return board.no_such_thing"): ("refused", "no_such_thing"),
    "from zermelo.games.reversi import Reversi\n" + HEURISTIC.replace("z.TicTacToe", "Reversi"): ("refused", ""),
}


@pytest.mark.slow
@pytest.mark.parametrize("text", WRONG, ids=range(len(WRONG)))
def test_what_is_wrong_is_said(text):
    state, said = WRONG[text]
    terms = Terms(**{**vars(TERMS), "limits": Limits(move_limit=5, load_limit=20)})
    verdict = tried(text, terms)
    all_told = "\n".join(told(verdict, level) for level in ("error", "warning", "note"))
    assert verdict.state == state, all_told
    assert said in all_told
    assert "/tmp" not in all_told and "v1/" not in all_told
