"""The Connect 4 solver: time and positions searched for each kind of position, always from an empty table.

The kinds are those of the well-known benchmark: begin (up to 14 stones), middle (15 to 28) and end (29 and more); and
easy, medium and hard by the number of stones until the end with best play (under 14, 14 to 27, 28 and more). The
positions are our own. They come from random play on the empty board; nobody has won, and the player to move cannot win
at once. Here, begin means 7 to 14 stones. The solver uses one thread and no book, and times are processor time.

    python bench/connect4_solver.py --peer './c4solver'      # compare with another solver
    python bench/connect4_solver.py --moves                  # instead: the scores of all moves, ply by ply

A peer reads positions on standard input (the columns played, numbered from 1) and writes a line for each: its score,
alone or after the position. If two more numbers follow, they are read as the number of positions searched and the time
in microseconds, as the classic solver prints them. Otherwise the peer's time is all its processor time, minus the time
it takes when it gets no positions.

With --moves, it measures the exact scores of all moves with the book, in positions of every ply: half of them begin
with good moves, the others are random. One thread scores the moves one after the other, in a table that is empty at
first, and which threads that share the moves would share. From the times of the single moves follows how long two
threads take, each taking the next move when it is free. (Before moves are shared, one thread searches up to 50,000
positions, which takes about 10 ms and is not counted here.)
"""

import argparse
import random
import resource
import shlex
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import zermelo as z
from _common import Figure, as_json, number, tell
from _ply_by_ply import HARD, add_options, positions_at, with_workers
from zermelo.cli.common import print_table
from zermelo.games import find_game
from zermelo.games.connect4.book import find_book
from zermelo.games.connect4.solver import SHARED_BITS, SharedTable, plies_of, scores_of
from zermelo.position import Position, random_playout

STONES = {"end": (29, 38), "middle": (15, 28), "begin": (7, 14)}
LEFT = {"easy": (1, 13), "medium": (14, 27), "hard": (28, 42)}
WANTED = {
    "end-easy": 1000,
    "middle-easy": 1000,
    "middle-medium": 300,
    "begin-easy": 300,
    "begin-medium": 60,
    "begin-hard": 20,
}
BATCH = 50
LIMIT = 300  # milliseconds in which two threads should score all moves


@dataclass(frozen=True)
class Result:
    """The results of a solver on the positions of one kind."""

    scores: list[int]
    seconds: float  # per position, on average
    nodes: float | None  # searched per position, on average


def candidates(stage: str) -> Iterator[Position]:
    """Positions of a stage of the game from random play. They are always the same."""
    start, (fewest, most) = z.game("connect4").start(), STONES[stage]
    seed = 0
    while True:
        position = random_playout(start, seed, fewest + seed % (most - fewest + 1))
        if not position.is_over and all(position.play(move).winner is None for move in position.moves):
            yield position
        seed += 1


def generate() -> dict[str, list[Position]]:
    """As many positions of each kind as WANTED says."""
    found: dict[str, list[Position]] = {kind: [] for kind in WANTED}
    for stage in STONES:
        kinds = [kind for kind in WANTED if kind.startswith(stage)]
        source = candidates(stage)
        while any(len(found[kind]) < WANTED[kind] for kind in kinds):
            batch = [next(source) for _ in range(BATCH)]
            scores, _ = scores_of([position.state for position in batch])
            for position, score in zip(batch, scores, strict=True):
                left = plies_of(position.state, int(score))
                kind = f"{stage}-{next(name for name, (least, most) in LEFT.items() if least <= left <= most)}"
                if kind in found and len(found[kind]) < WANTED[kind]:
                    found[kind].append(position)
    return found


def solve_ours(positions: list[Position], weak: bool) -> Result:
    states = [position.state for position in positions]
    began = time.process_time()
    scores, searched = scores_of(states, weak)
    seconds = time.process_time() - began
    return Result([int(score) for score in scores], seconds / len(states), float(searched.mean()))


def solve_theirs(command: str, positions: list[Position], start_up: float) -> Result:
    """Solve the positions with a peer. start_up: its processor time when it gets no positions."""
    lines, seconds = run_peer(command, "".join(f"{position}\n" for position in positions))
    answers = [
        [word for word in line.split() if word != str(position)]
        for line, position in zip(lines, positions, strict=False)
    ]
    if len(answers) < len(positions) or not all(answers):
        raise SystemExit(f"{command} gave {len(answers)} answers to {len(positions)} positions")
    scores = [int(answer[0]) for answer in answers]
    if all(len(answer) >= 3 for answer in answers):
        nodes = sum(float(answer[1]) for answer in answers)
        return Result(scores, sum(float(a[2]) for a in answers) / 1e6 / len(scores), nodes / len(scores))
    return Result(scores, max(seconds - start_up, 0) / len(scores), None)


def run_peer(command: str, text: str) -> tuple[list[str], float]:
    """The lines that a command prints, and the processor time that it takes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(shlex.split(command), input=text, capture_output=True, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.stdout.splitlines(), after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def duration(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{number(seconds / size)} {unit}"
    return f"{number(seconds * 1e6)} us"


def measure(kinds: dict[str, list[Position]], weak: bool, peer: str | None) -> list[dict[str, Any]]:
    """A row for each kind: our results, the peer's, and how often they disagree."""
    start_up = run_peer(peer, "")[1] if peer else 0.0
    rows: list[dict[str, Any]] = []
    for kind, positions in kinds.items():
        tell(f"{kind}: {len(positions)} positions")
        ours = solve_ours(positions, weak)
        row: dict[str, Any] = {"kind": kind, "positions": len(positions), "ours": asdict(ours)}
        if peer:
            theirs = solve_theirs(peer, positions, start_up)
            signs = [(score > 0) - (score < 0) for score in theirs.scores]
            agreed = theirs.scores == ours.scores or (weak and signs == ours.scores)
            row |= {"theirs": asdict(theirs), "ratio": theirs.seconds / ours.seconds, "agreed": agreed}
        rows.append(row)
    return rows


def print_rows(rows: list[dict[str, Any]]) -> None:
    heading = ["kind", "positions", "ours", "nodes", "M nodes/s", "theirs", "nodes", "times as fast", "answers"]
    cells = []
    for row in rows:
        ours, theirs = row["ours"], row.get("theirs")
        assert isinstance(ours, dict)
        line = [str(row["kind"]), str(row["positions"]), duration(ours["seconds"]), number(ours["nodes"])]
        line.append(number(ours["nodes"] / ours["seconds"] / 1e6))
        if isinstance(theirs, dict):
            ratio = row["ratio"]
            assert isinstance(ratio, float)
            line += [duration(theirs["seconds"]), number(theirs["nodes"]), number(ratio)]
            line.append("the same" if row["agreed"] else "DIFFERENT")
        cells.append(line)
    print_table(heading[: len(cells[0])], cells)


# ------------------------------------------------------------------------------------------ all moves


def move_times(table: SharedTable, position: Position) -> tuple[list[float], int]:
    """Seconds of processor time for the score of each move, and how many positions were searched for all of them."""
    book = find_book(7, 6)
    assert book is not None
    table.words[:] = 0
    times, nodes = [], 0
    for code in position.codes:
        child = position.play_code(code)
        began = time.process_time()
        if not child.is_over and book.score(child.state) is None:
            _score, searched = table.score(child.state, book.least_score(child.state))
            nodes += searched
        times.append(time.process_time() - began)
    return times, nodes


def measure_moves(options: argparse.Namespace) -> None:
    """Print a line for each ply: the time and the positions searched for the scores of all moves."""
    game, chance = find_game("connect4"), random.Random(options.seed)
    table = SharedTable(game.start().state.board, SHARED_BITS)
    move_times(table, positions_at(game, 9, 1, random.Random(0))[0])  # compile, and touch the table's memory
    print("        median and most: positions searched, k     one thread, ms    two threads, ms")
    late = 0
    for ply in range(*options.plies):
        count = options.near if ply in HARD else options.positions
        found = [move_times(table, one) for one in positions_at(game, ply, count, chance)]
        columns = (
            [nodes / 1000 for _times, nodes in found],
            [1000 * sum(times) for times, _nodes in found],
            [1000 * with_workers(times, 2) for times, _nodes in found],
        )
        late += sum(one > LIMIT for one in columns[2])
        cells = "".join(f"{statistics.median(column):11.0f} {max(column):7.0f}" for column in columns)
        print(f"{ply:2} stones, {count:3} positions: {cells}", flush=True)
    print(f"longer than {LIMIT} ms with two threads: {late} positions")


def figure(row: dict[str, Any], peer: str | None) -> Figure:
    """A row as a figure for JSON."""
    ours, theirs = row["ours"], row.get("theirs")
    what = f"{row['kind']}, {row['positions']} positions"
    if theirs is None:
        return Figure(what, "ms a position", 1000 * ours["seconds"])
    note = "" if row["agreed"] else "DIFFERENT answers"
    seconds = 1000 * ours["seconds"], peer or "", 1000 * theirs["seconds"]
    return Figure(what, "ms a position", *seconds, ratio=row["ratio"], note=note)


def main() -> None:
    parser = argparse.ArgumentParser(description="The Connect 4 solver, by kinds of positions")
    parser.add_argument("--json", action="store_true", help="print one line of JSON, for machines")
    parser.add_argument("--peer", help="the command of another solver, measured beside ours")
    parser.add_argument("--weak", action="store_true", help="only win, draw or loss (the peer must be told, too)")
    parser.add_argument("--empty", action="store_true", help="the empty board, too: half a minute for ours")
    parser.add_argument("--moves", action="store_true", help="measure the scores of all moves, ply by ply, instead")
    parser.add_argument("--seed", type=int, default=1, help="seed of the positions for --moves")
    add_options(parser)
    options = parser.parse_args()
    if options.moves:
        return measure_moves(options)
    tell("compiling, and making positions")
    kinds = generate()
    if options.empty:
        kinds["empty board"] = [z.game("connect4").start()]
    rows = measure(kinds, options.weak, options.peer)
    if options.json:
        print(as_json("connect4_solver", [figure(row, options.peer) for row in rows]))
    else:
        print("\nConnect 4 solver: a position, from an empty table\n")
        print_rows(rows)
    sys.exit(any(row.get("agreed") is False for row in rows))


if __name__ == "__main__":
    main()
