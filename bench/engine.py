"""The engine on every game: nodes per second, depth reached, how well it keeps time, and the gain from two threads."""

import statistics
import time
from typing import Any

import zermelo as z
from _common import Figure, main, tell
from zermelo.position import random_playout
from zermelo.searches.budget import Budget
from zermelo.searches.deepening import Engine
from zermelo.searches.textbook import run_alphabeta

GAMES = ("connect4", "reversi", "hex(size=7)", "hex(size=11)", "onitama", "parcheckers", "tictactoe")
NODES = 2_000_000
SLOW_NODES = {"hex(size=7)": 200_000, "hex(size=11)": 50_000}
THREADED, THREADED_DEPTH = "reversi", 12
REPORT_DEPTH = 8


def engine(game: Any, **options: Any) -> Engine:
    return Engine(game.heuristics[game.default_heuristic], memory=64, **options)


def last(iterations: Any) -> Any:
    *_, found = iterations
    return found


def speed(name: str) -> list[Figure]:
    """Nodes per second of processor time, and the depth that it would reach in one such second."""
    game = z.game(name)
    state = game.start().state
    last(engine(game).deepen(state, Budget(depth=1)))
    began = time.process_time()
    iterations = list(engine(game).deepen(state, Budget(nodes=SLOW_NODES.get(name, NODES))))
    rate = iterations[-1].nodes / (time.process_time() - began)
    reached = max((one.depth for one in iterations if one.complete and one.nodes <= rate), default=1)
    note = f"{game.default_heuristic}; the start, solved" if iterations[-1].exact else game.default_heuristic
    return [
        Figure(f"{name}: nodes", "M nodes/s", rate / 1e6, note=note),
        Figure(f"{name}: depth in a second's nodes", "plies", reached),
    ]


def one_move(rounds: int) -> Figure:
    """A Parcheckers move at the report's depth, beside the textbook search's. The engine also plays captures out."""
    game = z.game("parcheckers")
    state, h2 = game.start().state, game.heuristics["h2"]
    last(Engine(h2, memory=64).deepen(state, Budget(depth=1)))
    run_alphabeta(state, h2, depth=1)
    ours, theirs = [], []
    for _ in range(rounds):
        began = time.process_time()
        found = last(Engine(h2, memory=64).deepen(state, Budget(depth=REPORT_DEPTH)))
        ours.append(time.process_time() - began)
        began = time.process_time()
        plain = run_alphabeta(state, h2, depth=REPORT_DEPTH)
        theirs.append(time.process_time() - began)
    ratios = [one / other for one, other in zip(ours, theirs, strict=True)]
    return Figure(
        f"parcheckers: a move, h2 to depth {REPORT_DEPTH}",
        "s of processor",
        statistics.median(ours),
        peer="textbook alpha-beta",
        theirs=statistics.median(theirs),
        ratio=statistics.median(ratios),
        lowest=min(ratios),
        highest=max(ratios),
        note=f"{found.nodes:,} nodes; the textbook's {plain.nodes:,}",
    )


def overrun() -> Figure:
    """How much the worst of many searches exceeds its time, by the clock. This needs a quiet machine."""
    late = []
    for name in ("connect4", "reversi", "onitama"):
        game = z.game(name)
        searching = engine(game)
        last(searching.deepen(game.start().state, Budget(depth=1)))
        for seed in range(10):
            position = random_playout(game.start(), seed, 4)
            began = time.perf_counter()
            last(searching.deepen(position.state, Budget(seconds=0.1)))
            late.append(time.perf_counter() - began - 0.1)
    worst, usual = max(late) * 1000, statistics.median(late) * 1000
    return Figure(
        "overrun of 30 searches of 100 ms", "ms, worst", worst, note=f"median {usual:.1f} ms; aim: under 20 ms"
    )


def two_threads(rounds: int) -> Figure:
    """The time for the same depth with one thread and with two, by the clock."""
    game = z.game(THREADED)
    positions = [random_playout(game.start(), seed, 10).state for seed in range(4)]
    ratios = []
    for _ in range(rounds):
        times = []
        for threads in (1, 2):
            began = time.perf_counter()
            for state in positions:
                last(engine(game, threads=threads).deepen(state, Budget(depth=THREADED_DEPTH)))
            times.append(time.perf_counter() - began)
        ratios.append(times[0] / times[1])
    return Figure(
        f"{THREADED} to depth {THREADED_DEPTH}: two threads",
        "times as fast",
        statistics.median(ratios),
        peer="one thread",
        theirs=1.0,
        ratio=statistics.median(ratios),
        lowest=min(ratios),
        highest=max(ratios),
        floor=1.3,
        note="by the clock: other programs on the machine spoil it",
    )


def measure(rounds: int) -> list[Figure]:
    figures = []
    for name in GAMES:
        tell(name)
        figures += speed(name)
    return [*figures, one_move(rounds), overrun(), two_threads(rounds)]


if __name__ == "__main__":
    main("engine", "The engine", measure, rounds=3)
