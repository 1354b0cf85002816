"""Reversi beside another program that speaks the NBoard protocol, such as NTest; all times are processor time.

    python bench/_reversi_sparring.py evaluation --command "ntest x"
    python bench/_reversi_sparring.py scale --command "ntest x" --seed 1
    python bench/_reversi_sparring.py scale --command "ntest x" --positions bench/_reversi_strong.txt
    python bench/_reversi_sparring.py endgames --command "ntest x"
    python bench/_reversi_sparring.py match --command "ntest x" --depth 10 --ours "engine(seconds=0.1)" --games 100
    python bench/_reversi_sparring.py match --command "ntest x" --depth 10 --equal

evaluation  Our heuristic, at depths 0, 1 and 4, compared with the program's scores at --depth (14) on three sets of 200
            positions with 34 empty squares. Those of _reversi_positions.txt are of games of four weaker heuristics with
            12% random moves, after 2 to 20 random moves. Those of _reversi_balanced.txt are of games of alpha-beta at
            depth 2 or 3 after 8 random moves, with 5% random moves; each side has `report_tuned` once in three times
            and otherwise the `learned` of November 2026. Among six such procedures this one was chosen because NTest's
            scores spread by about 18.5 discs in it, before our table was compared with them. Those of
            _reversi_strong.txt are of games of NTest at depth 2 with itself after 8 random moves, with 20% random moves
            (of 5 to 30%, chosen by the spread likewise).
scale       Whose scores have the right size? Scores of both for positions with 22 empty squares beside the exact ones,
            and of positions with 34 beside the results of games that go on from there, played by our engine with
            60,000 nodes a move and by the program at depth 10. The positions come about like those of
            _reversi_positions.txt, from --seed; with --positions, those of a file are played to the end, and that is
            all. A slope above 1 says that scores are too small.
endgames    FFO 40 to 49: our solver's time and nodes, and the program's time. Without --command, our figures alone.
match       Pairs of games, with colours swapped, from random openings of 8 plies that the program at depth 12 judges to
            be within 3 discs. The `seconds` of our player are processor time, too. With --equal our time for a move
            is the program's mean time for a move with as many empty squares, so that both use the same in total.

The program is not part of the repository. It is run by hand, since the machine that runs all benchmarks has none.
"""

import argparse
import math
import random
import shlex
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import zermelo as z
from reversi_endgames import POSITIONS
from zermelo.cli.common import print_table
from zermelo.games import find_heuristic
from zermelo.games.reversi.solver import solve
from zermelo.players import find_player
from zermelo.position import Position, random_playout
from zermelo.searches.budget import Budget
from zermelo.searches.deepening import Engine

FFO = [
    *POSITIONS,
    ("---XXXX-X-XXXO--XXOXOO--XXXOXO--XXOXXO---OXXXOO-O-OOOO------OO-- X", 6),
    ("---XXX----OOOX----OOOXX--OOOOXXX--OOOOXX--OXOXXX--XXOO---XXXX-O- X", -8),
    ("-OOOOO----OOOO---OOOOX--XXXXXX---OXOOX--OOOXOX----OOXX----XXXX-- O", 4),
    ("-----X--X-XXX---XXXXOO--XOXOOXX-XOOXXX--XOOXX-----OOOX---XXXXXX- O", 28),
    ("--OX-O----XXOO--OOOOOXX-OOOOOX--OOOXOXX-OOOOXX-----OOX----X-O--- X", 16),
]
FIRST_FFO = 40
SOLVED, SOLVED_EMPTY = 60, 22  # positions whose scores are compared with the exact ones
PLAYED, PLAYED_EMPTY = 100, 34  # positions from which games are played to the end
PLAYED_NODES, PLAYED_DEPTH, SCORED_NODES = 60_000, 10, 400_000
WEAK_PLAYERS = "report_tuned", "report", "mobility", "corners"
RANDOM_MOVES, RANDOM_PART = (2, 20), 0.12  # at the beginning; of the moves afterwards
EDAX_NODES = {40: 10.6, 41: 23.5, 42: 29.8, 43: 89, 44: 19.9, 45: 270, 46: 69, 47: 20, 48: 163}
"""Millions of nodes, as published for Edax 4.5.5."""

EVALUATED = [
    Path(__file__).parent / name for name in ("_reversi_positions.txt", "_reversi_balanced.txt", "_reversi_strong.txt")
]
SOLVING_DEPTH = 60  # a depth at which the program solves
JUDGING_DEPTH, BALANCED = 12, 3.0
OPENING = 8  # plies
GAME = z.game("reversi")

processor_time = time.process_time


class ProcessorTimer(threading.Thread):
    """threading.Timer, but for processor time of this process."""

    def __init__(self, interval: float, function: Any, args: Any = None, kwargs: Any = None):
        super().__init__(daemon=True)
        self.interval, self.function, self.args, self.kwargs = interval, function, args or (), kwargs or {}
        self.finished, self.began = threading.Event(), processor_time()

    def cancel(self) -> None:
        self.finished.set()

    def run(self) -> None:
        while (left := self.interval - (processor_time() - self.began)) > 0:
            if self.finished.wait(max(left, 0.0005)):
                return
        if not self.finished.is_set():
            self.function(*self.args, **self.kwargs)


def count_processor_time() -> None:
    """From now on, the seconds of our players are processor time."""
    threading.Timer = ProcessorTimer  # type: ignore[misc, assignment]
    time.perf_counter = processor_time


class Program:
    """A program that speaks the NBoard protocol."""

    def __init__(self, command: str, depth: int):
        self.process = subprocess.Popen(
            shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self.clock = ((~self.process.pid) << 3) | 2  # the clock of that process's processor time on Linux
        self.send("nboard 2")
        self.send(f"set depth {depth}")
        self.wait()

    def send(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def receive(self) -> str:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit("the program ended")
        return line.strip()

    def wait(self) -> None:
        self.send("ping 1")
        while self.receive() != "pong 1":
            pass

    def think(self, position: Position) -> tuple[str, float, float]:
        """Its move, its score in discs for the player to move, and the processor time it used."""
        cells, side = str(position).replace("X", "*").split()
        self.send(f"set game (;GM[Othello]PC[zermelo]PB[a]PW[b]RE[?]TI[60:00]TY[8]BO[8 {cells} {side}];)")
        self.wait()
        before = time.clock_gettime(self.clock)
        self.send("go")
        while not (line := self.receive()).startswith("==="):
            pass
        used = time.clock_gettime(self.clock) - before
        move, score, *_ = [*line[3:].strip().split("/"), "0"]
        return move[:2].lower(), float(score.split(",")[0] or 0), used

    def quit(self) -> None:
        self.send("quit")
        self.process.wait(5)


def tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def evaluation(options: argparse.Namespace) -> None:
    program = Program(options.command, options.depth or 14)
    heuristic = find_heuristic(options.heuristic, GAME)
    for file in EVALUATED:
        positions = positions_of(file)
        theirs = np.array([program.think(position)[1] for position in positions])
        print(
            f"{heuristic} beside {options.command} at depth {options.depth or 14}, {len(positions)} positions of "
            f"{file.name}, in discs; the program's scores have a standard deviation of {theirs.std():.1f}:\n"
        )
        print_table(
            ["depth", "r", "rmse", "bias", "slope", "rmse after a line"], compared(heuristic, positions, theirs)
        )
        print()
    program.quit()


def positions_of(file: Path) -> list[Position]:
    return [GAME.position(line) for line in file.read_text(encoding="utf-8").splitlines()]


def varied_positions(number: int, empty: int, seed: int) -> list[Position]:
    """Positions with so many empty squares from games of weak players, after random moves and with more of them."""
    chance = random.Random(seed)
    players = [[z.alphabeta(f"reversi/{name}", depth=depth) for depth in (1, 2)] for name in WEAK_PLAYERS]
    found: list[Position] = []
    while len(found) < number:
        position = random_playout(GAME.start(), chance.getrandbits(60), chance.randint(*RANDOM_MOVES))
        sides = [chance.choice(chance.choice(players)) for _ in range(2)]
        while not position.is_over and str(position).count("-") > empty:
            is_random = chance.random() < RANDOM_PART
            player = sides[position.to_move - 1]
            position = position.play(chance.choice(position.moves) if is_random else player.choose(position))
        if not position.is_over and position.moves != ("pass",):
            found.append(position)
    return found


def result(position: Position, choose: Callable[[Position], str]) -> float:
    """Play a position out and return the margin for the player who was to move."""
    side = position.to_move
    while not position.is_over:
        position = position.play(position.moves[0] if len(position.moves) == 1 else choose(position))
    return (position.margin or 0) * (1.0 if side == 1 else -1.0)


def scale(options: argparse.Namespace) -> None:
    heuristic = find_heuristic(options.heuristic, GAME)
    engine, rows = Engine(heuristic, memory=16), []

    def ours(positions: list[Position], **budget: int) -> list[float]:
        found = []
        for position in positions:
            engine.forget()
            found.append(float(list(engine.deepen(position.state, Budget(**budget)))[-1].score.points))
        return found

    def theirs(positions: list[Position], depth: int) -> list[float]:
        program = Program(options.command, depth)
        found = [program.think(position)[1] for position in positions]
        program.quit()
        return found

    def compare(what: str, scores: list[float], true: str, truth: list[float]) -> None:
        error = np.sqrt(np.mean(np.subtract(scores, truth) ** 2))
        slope, offset = np.polyfit(scores, truth, 1)
        rest = np.std(np.subtract(truth, np.multiply(scores, slope) + offset))
        numbers = np.corrcoef(scores, truth)[0, 1], error, slope, rest
        rows.append([what, true, *(f"{number:.3f}" for number in numbers)])

    if options.positions is None:
        positions = varied_positions(SOLVED, SOLVED_EMPTY, options.seed)
        truth = [float(solve(position.state).score) for position in positions]
        for depth in (1, 4, 8):
            compare(f"ours, depth {depth}", ours(positions, depth=depth), f"exact, {SOLVED_EMPTY} empty", truth)
            compare(f"theirs, depth {depth}", theirs(positions, depth), f"exact, {SOLVED_EMPTY} empty", truth)
        positions = varied_positions(PLAYED, PLAYED_EMPTY, options.seed)
    else:
        positions = positions_of(options.positions)
    player, program = z.player(f"engine(nodes={PLAYED_NODES})"), Program(options.command, PLAYED_DEPTH)
    scored = {
        "ours, depth 1": ours(positions, depth=1),
        f"ours, {SCORED_NODES} nodes": ours(positions, nodes=SCORED_NODES),
        "theirs, depth 1": theirs(positions, 1),
        f"theirs, depth {options.depth or 14}": theirs(positions, options.depth or 14),
    }
    by_us = [result(position, player.choose) for position in positions]
    by_them = [result(position, lambda now: program.think(now)[0]) for position in positions]
    program.quit()
    for name, scores in scored.items():
        compare(name, scores, "results of our play", by_us)
        compare(name, scores, "results of their play", by_them)
    print_table(["scores", "compared with", "r", "rmse", "slope", "rmse after a line"], rows)


def compared(heuristic: Any, positions: list[Position], theirs: Any) -> list[list[str]]:
    """How near the heuristic comes to these scores at each depth."""
    engine, rows = Engine(heuristic, memory=1), []
    for depth in (0, 1, 4):
        found = []
        for position in positions:
            engine.forget()
            if depth == 0:
                found.append(float(heuristic(position.state)))
            else:
                found.append(float(list(engine.deepen(position.state, Budget(depth=depth)))[-1].score.points))
        ours = np.array(found)
        slope, offset = np.polyfit(ours, theirs, 1)
        spread, error = np.std(theirs - slope * ours - offset), np.sqrt(np.mean((ours - theirs) ** 2))
        numbers = (float(np.corrcoef(ours, theirs)[0, 1]), error, np.mean(ours - theirs), slope, spread)
        rows.append([str(depth), *(f"{number:.3f}" for number in numbers)])
    return rows


def endgames(options: argparse.Namespace) -> None:
    solve(GAME.position(FFO[0][0]).state, nodes=1000)  # compile it
    program = Program(options.command, SOLVING_DEPTH) if options.command else None
    rows, sums = [], np.zeros(3)
    for number, (text, score) in list(enumerate(FFO, FIRST_FFO))[: options.last - FIRST_FFO + 1]:
        tell(f"position {number}")
        position = GAME.position(text)
        began = processor_time()
        found = solve(position.state)
        seconds = processor_time() - began
        if found.score != score:
            raise SystemExit(f"{number}: {found.score}, not {score}")
        theirs = program.think(position)[2] if program else math.nan
        edax = EDAX_NODES.get(number, math.nan)
        sums += (found.nodes / 1e6, seconds, theirs)
        rows.append([str(number), f"{found.nodes / 1e6:.1f}", f"{edax:.1f}", f"{seconds:.2f}", f"{theirs:.2f}"])
    rows.append(["sum", f"{sums[0]:.1f}", "", f"{sums[1]:.2f}", f"{sums[2]:.2f}"])
    published = sum(EDAX_NODES[n] for n in EDAX_NODES if n <= options.last)
    print_table(["FFO", "M nodes", "Edax, published", "seconds", "theirs"], rows)
    print(f"\nEdax 4.5.5 up to 48, published: {published:.1f} M nodes. Ours / theirs: {sums[1] / sums[2]:.2f} in time.")
    if program:
        program.quit()


def balanced_openings(judge: Program, seed: int) -> Any:
    """Openings that the program thinks are balanced, each of them once."""
    chance, seen = random.Random(seed), set()
    while True:
        opening = random_playout(GAME.start(), chance.getrandbits(60), OPENING)
        key = GAME.canonical_key(opening.state)
        if key in seen or opening.is_over or opening.moves == ("pass",):
            continue
        seen.add(key)
        if abs(judge.think(opening)[1]) <= BALANCED:
            yield opening


class Used:
    """Processor time by number of empty squares."""

    def __init__(self) -> None:
        self.seconds: dict[int, list[float]] = {}

    def add(self, empty: int, seconds: float) -> None:
        self.seconds.setdefault(empty, []).append(seconds)

    def mean(self, empty: int) -> float | None:
        near = [one for other in (empty - 1, empty, empty + 1) for one in self.seconds.get(other, [])]
        return sum(near) / len(near) if near else None

    @property
    def total(self) -> float:
        return sum(map(sum, self.seconds.values()))

    @property
    def milliseconds(self) -> float:
        """For a move, on the average."""
        return 1000 * self.total / max(sum(map(len, self.seconds.values())), 1)


def match(options: argparse.Namespace) -> None:
    count_processor_time()
    ours: Any = find_player(options.ours, GAME)
    ours.prepare(GAME)
    for plies in range(10, 60, 3):  # compile everything
        if not (position := random_playout(GAME.start(), 5, plies)).is_over:
            ours.think(position)
    judge, program = Program(options.command, JUDGING_DEPTH), Program(options.command, options.depth or 10)
    mine, theirs, points, margins = Used(), Used(), [], []
    for opening in balanced_openings(judge, options.seed):
        for side in (1, 2):
            position = opening
            while not position.is_over:
                if position.moves == ("pass",):
                    position = position.play("pass")
                    continue
                empty = str(position).count("-")
                if position.to_move == side:
                    player = ours
                    if options.equal:
                        factor = theirs.total / mine.total if mine.total else 1.0
                        seconds = max(0.001, (theirs.mean(empty) or 0.01) * min(factor, 4.0))
                        player = ours.with_budget(Budget(seconds=seconds))
                    began = processor_time()
                    move = player.think(position).move
                    mine.add(empty, processor_time() - began)
                else:
                    move, _, used = program.think(position)
                    theirs.add(empty, used)
                position = position.play(move)
            margin = (position.margin or 0) * (1 if side == 1 else -1)
            margins.append(margin)
            points.append(0.5 + 0.5 * ((margin > 0) - (margin < 0)))
        pairs = np.array(points).reshape(-1, 2).mean(axis=1)
        error = 1.96 * pairs.std(ddof=1) / math.sqrt(len(pairs)) if len(pairs) > 1 else 1.0
        print(
            f"{len(points)} games: {100 * pairs.mean():.1f}% +- {100 * error:.1f} (+{points.count(1)} "
            f"={points.count(0.5)} -{points.count(0)}), margin {np.mean(margins):+.1f}, "
            f"processor time for a move {mine.milliseconds:.1f} ms, theirs {theirs.milliseconds:.1f} ms",
            flush=True,
        )
        if len(points) >= options.games:
            break
    judge.quit()
    program.quit()


def run() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["evaluation", "scale", "endgames", "match"])
    parser.add_argument("--command", help="the command of the other program")
    parser.add_argument("--depth", type=int, help="the other program's depth")
    parser.add_argument("--heuristic", default="learned", help="of ours, for evaluation")
    parser.add_argument("--last", type=int, default=49, help="the last of the FFO positions (49)")
    parser.add_argument("--ours", default="engine(seconds=0.1)", help="our player in a match")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1, help="of the openings, or of the positions of scale")
    parser.add_argument("--positions", type=Path, help="of scale: a file with positions")
    parser.add_argument("--equal", action="store_true", help="both sides use the same processor time")
    options = parser.parse_args()
    if options.command is None and options.what != "endgames":
        parser.error("--command is missing")
    {"evaluation": evaluation, "scale": scale, "endgames": endgames, "match": match}[options.what](options)


if __name__ == "__main__":
    run()
