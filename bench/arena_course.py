"""A simulated course: 30 made-up submissions of rising quality, played through the arena's own ladder and final.

Every submission evaluates Connect 4 in the same way and looks one ply ahead, but adds noise: the more noise, the weaker
it is, so the true order is known by construction. Half of them are heuristics and half are players of their own, which
do the same in plain Python. They are files, which play in processes of their own, in the sandbox where there is one.
Quality comes to the ladder in a random order, student by student, as in a course.

    python bench/arena_course.py --students 12 --ladder 400 --pairs 4     # a shorter one
"""

import argparse
import random
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from _common import Figure, main, tell
from zermelo.arena import settings as toml
from zermelo.arena.keys import hash_of
from zermelo.arena.ladder import Ladder, play_ladder
from zermelo.arena.records import Records
from zermelo.arena.roster import FINAL, LADDER, entry_of
from zermelo.arena.rounds import order_final, play_final
from zermelo.arena.settings import ArenaSettings
from zermelo.arena.standings import rate, standings
from zermelo.calls import Call
from zermelo.processes.sandbox import SandboxLimits, missing
from zermelo.tournaments.contestants import Entry
from zermelo.tournaments.intervals import Z95
from zermelo.tournaments.store import Store, open_store
from zermelo.tournaments.tallies import tallies

STUDENTS, LADDER_GAMES, FINAL_PAIRS = 30, 2400, 8
THREADS = 16
"""So many that every student's process can stay: starting one costs more processor time than a hundred games."""
NOISE = (8.0, 800.0)
"""The noise of the best submission and of the weakest. A threat is worth 60."""
NUMBER = 2027

EVALUATION = '''
def value_of(mine, theirs, board):
    """Open windows with one, two and three stones, mine minus theirs, and noise that the position decides."""
    value = 0.0
    for step in (1, 8, 9, 7):
        a, b, c = U(step), U(2 * step), U(3 * step)
        for sign, own, other, three in ((1.0, mine, theirs, 60.0), (-1.0, theirs, mine, 25.0)):
            cells = board & ~other
            is_open = cells & (cells >> a) & (cells >> b) & (cells >> c)
            p, q, r, s = own, own >> a, own >> b, own >> c
            odd, two = p ^ q ^ r ^ s, (p & q) | (r & s) | ((p | q) & (r | s))
            ones, twos, threes = is_open & odd & ~two, is_open & two & ~odd, is_open & odd & two
            value += sign * (count(ones) + 5.0 * count(twos) + three * count(threes))
    key = (mine ^ (theirs << U(7)) ^ U({salt})) * U(0x9E3779B97F4A7C15)
    key = (key ^ (key >> U(29))) * U(0xBF58476D1CE4E5B9)
    return value + {noise} * (float((key ^ (key >> U(32))) >> U(40)) / 16777216.0 - 0.5)
'''

HEURISTIC = (
    '''"""A heuristic."""

import numpy as np
import zermelo as z
from zermelo.games.connect4.rules import Connect4

count, U = z.count, np.uint64


'''
    + "{evaluation}"
    + """

@z.heuristic
def mine(state: Connect4):
    return value_of(state.mine, state.mine ^ state.stones, state.board)
"""
)

PLAYER = (
    '''"""A player of its own: it takes a win, and otherwise the move whose position is worth least to the opponent."""

import numpy as np

U = np.uint64


def count(word):
    return int(word).bit_count()

'''
    + "{evaluation}"
    + """

class Mine:
    def choose(self, position):
        best, chosen = None, None
        with np.errstate(over="ignore"):
            for move in position.moves:
                after = position.play(move)
                if after.is_over:
                    worth = 1e9 if after.winner == position.to_move else 0.0
                else:
                    state = after.state
                    worth = -value_of(state.mine, state.mine ^ state.stones, state.board)
                if best is None or worth > best:
                    best, chosen = worth, move
        return chosen
"""
)


def source(place: int, students: int) -> tuple[str, str]:
    """The text of a submission and the name of what it holds; place 0 is the best."""
    least, most = NOISE
    noise = least * (most / least) ** (place / max(students - 1, 1))
    evaluation = EVALUATION.format(salt=1 + 977 * place, noise=round(noise, 4)).strip("\n")
    shell, name = ((HEURISTIC, "mine"), (PLAYER, "Mine"))[place % 2]
    return shell.replace("{evaluation}", evaluation), name


def hand_in(records: Records, entry: Entry, student: str, text: str, name: str) -> str:
    """A valid submission, as the worker would make it."""
    submission = records.add_submission(student, "mine.py", {"mine.py": text}, hash_of(text))
    contestant = records.contestant_name(submission)
    file = f"{contestant}/mine.py"
    call = Call(f"{file}:{name}")
    player = entry._class(call) if name == "Mine" else str(entry._with_heuristic(call))
    with records.changing():
        records.add_contestant(contestant, player, {file: {"mine.py": text}}, "student", submission.id)
        records.decide(submission.id, "valid", {}, contestant)
    return contestant


def processor_time() -> float:
    """Processor time in seconds of this process, which referees. What runs in sandboxes is not in it."""
    return time.process_time()


def _with_errors(store: Store, tournament: str, table: dict[str, Any]) -> dict[str, Any]:
    """The table with the 95% interval of the difference of each two contestants."""
    rungs = [row["contestant"] for row in table["rungs"]]
    ratings = rate(tallies(store, tournament), rungs)
    errors = Z95 * ratings.errors_of_differences()
    names = list(enumerate(ratings.players))
    return {**table, "apart": {(one, other): errors[i, j] for i, one in names for j, other in names}}


def judge(table: dict[str, Any], truth: dict[str, int]) -> dict[str, float]:
    """How a table agrees with the true order."""
    rows = {row["contestant"]: row for row in table["rows"] if row["contestant"] in truth and row["games"]}
    names = sorted(rows, key=truth.__getitem__)
    order = {name: place for place, name in enumerate(sorted(rows, key=lambda name: -rows[name]["elo"]))}
    pairs = [(one, other) for i, one in enumerate(names) for other in names[i + 1 :]]
    agree = sum(order[one] < order[other] for one, other in pairs)
    apart = {pair: abs(rows[pair[0]]["elo"] - rows[pair[1]]["elo"]) > table["apart"][pair] for pair in pairs}
    told = sum(bool(apart[one, other] and order[one] < order[other]) for one, other in pairs)
    wrong = sum(bool(apart[one, other] and order[one] > order[other]) for one, other in pairs)
    squares = sum((order[name] - place) ** 2 for place, name in enumerate(names))
    size = len(names)
    return {
        "kendall": (2 * agree - len(pairs)) / len(pairs),
        "spearman": 1 - 6 * squares / (size * (size**2 - 1)),
        "pairs": len(pairs),
        "told apart": told,
        "wrong": wrong,
        "games": table["games"],
    }


def _has_games(store: Store, number: int) -> bool:
    return store.counts(LADDER)[0] >= number


def course(
    folder: Path,
    students: int = STUDENTS,
    games: int = LADDER_GAMES,
    pairs: int = FINAL_PAIRS,
    *,
    sandbox: SandboxLimits | None = None,
    threads: int = THREADS,
    say: Callable[[str], None] = lambda text: None,
) -> dict[str, dict[str, float]]:
    """Play a course: the ladder while students join, then the final. Returns how both agree with the true order."""
    settings = ArenaSettings(
        folder,
        "Course",
        "connect4",
        budget=toml.Budget(depth=1, seconds_per_move=30),
        ladder=toml.Ladder(("random", "centre", "lines2"), pairs_at_once=6),
        final=toml.Final(pairs),
    )
    store = open_store(folder / "arena.db")
    records, entry = Records(store), entry_of(settings)
    order = list(range(students))
    random.Random(NUMBER).shuffle(order)
    truth: dict[str, int] = {}
    found = {}
    before = processor_time()
    ladder = Ladder(store, records, settings, sandbox, meetings=8)
    for joined in (1, 2):  # half of the class joins at a time
        for place in order[len(truth) : joined * students // 2]:
            student, _key = records.add_student(f"Student {place + 1}", f"S{place + 1}")
            truth[hand_in(records, entry, student.id, *source(place, students))] = place
        enough = games * joined // 2
        play_ladder(ladder, threads=threads, is_stopped=partial(_has_games, store, enough))
        say(f"ladder: {store.counts(LADDER)[0]} games, {len(truth)} students")
    found["ladder"] = judge(_with_errors(store, LADDER, standings(store, records, settings)), truth)
    found["ladder"]["seconds"] = processor_time() - before
    before = processor_time()
    order_final(store, records, settings, "teacher", NUMBER)
    assert play_final(store, records, settings, sandbox=sandbox, threads=threads)
    table = records.published("final")[1]
    found["final"] = judge(_with_errors(store, FINAL, table), truth)
    found["final"]["seconds"] = processor_time() - before
    for row in table["rows"]:
        true = f"{truth[row['contestant']] + 1:2}" if row["contestant"] in truth else "  "
        faults = f", {row['faults']} faults" if row["faults"] else ""
        say(f"{row['rank']:>6}  true {true}  {row['name']:10} {row['elo']:+7.1f} ± {row['error']:.1f}{faults}")
    store.close()
    return found


def figures(found: dict[str, dict[str, float]]) -> list[Figure]:
    lines = []
    for name, one in found.items():
        games, seconds = f"{one['games']:.0f} games", f"{one['seconds']:.0f} s of the referee's processor time"
        note = (
            f"Kendall {one['kendall']:.3f}; of {one['pairs']:.0f} pairs, {one['told apart']:.0f} are told apart "
            f"rightly and {one['wrong']:.0f} wrongly; {games}, {seconds}"
        )
        lines.append(Figure(f"{name}: agreement with the true order", "Spearman", one["spearman"], note=note))
        right, told = one["told apart"], one["told apart"] + one["wrong"]
        lines.append(
            Figure(
                f"{name}: pairs in the right order", "pairs", right, "pairs told apart", told, right / told, floor=0.95
            )
        )
    return lines


def measure(rounds: int) -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        sandbox = SandboxLimits() if missing() is None else None
        tell("in the sandbox" if sandbox is not None else f"without a sandbox: {missing()}")
        return figures(course(Path(folder), sandbox=sandbox, say=tell))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(add_help=False)
    for option, usual in (("students", STUDENTS), ("ladder", LADDER_GAMES), ("pairs", FINAL_PAIRS)):
        parser.add_argument(f"--{option}", type=int, default=usual)
    given, _rest = parser.parse_known_args()
    if (given.students, given.ladder, given.pairs) != (STUDENTS, LADDER_GAMES, FINAL_PAIRS):
        with tempfile.TemporaryDirectory() as folder:
            sandbox = SandboxLimits() if missing() is None else None
            short = course(Path(folder), given.students, given.ladder, given.pairs, sandbox=sandbox, say=tell)
            for figure in figures(short):
                print(f"{figure.name}: {figure.ours:.3f} ({figure.note})")
    else:
        main("arena_course", "A simulated course: 30 submissions whose true order is known", measure)
