"""Published players (WebAssembly) compared with the native ones: size, moves, and nodes per second.

Each module searches 200 random positions in Node and must answer exactly like the native player: the same move, score,
depth, line and number of nodes (publish_moves.py does the same with every kind of player, in Chromium too). The speeds
are measured in turn, in processor time, from the same position: in Node (V8, as in Chromium), under wasmtime, and under
wasmtime with fuel counted.

Last come two times by the clock, from the moment a page with this player, a single file, is opened: until it is ready,
and until the player has made the first move, for which an engine thinks 300 ms; and the processor time of the whole
browser meanwhile. A busy machine makes the former longer, so they mean something only if it has nothing else to do.
`python bench/publish.py --first-move` measures nothing else, with the page that `zermelo publish GAME` writes.
"""

import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import wasmtime

from _common import Figure, Missing, main, tell
from _lab import chromium
from _published import answers, ask_node, in_chromium, packed, processor_seconds
from zermelo.games import find_game
from zermelo.players import find_player
from zermelo.players.modules import CONTROL, manifest_of, state_bytes
from zermelo.position import Position
from zermelo.publish.module import Module, published
from zermelo.publish.sites import page_plan, single_file

FLOOR = 0.5
POSITIONS = 200
SECONDS = 1.0
SECOND = 1000
STRONG = 4
"""The place of the level at which an engine thinks for 300 ms."""
GAMES = ("connect4", "hex", "onitama", "parcheckers", "reversi", "tictactoe")
CASES = [  # game, player, nodes of a search whose speed is measured
    ("connect4", "engine(nodes=3000, solver=no)", 300_000),
    ("reversi", "engine(nodes=3000, solver=no)", 200_000),
    ("onitama", "engine(nodes=3000, solver=no)", 200_000),
    ("hex(size=7)", "engine(nodes=1000, solver=no)", 20_000),
    ("parcheckers", "engine(nodes=2000, solver=no)", 100_000),
    ("tictactoe", "engine(nodes=2000, solver=no)", 100_000),
    ("connect4", "alphabeta(depth=5)", 0),
    ("connect4", "mcts(simulations=500, seed=1)", 20_000),
]


def native_rate(player: Any, position: Position) -> float:
    """Nodes per second of the native player."""
    began, nodes = time.process_time(), 0
    while time.process_time() - began < SECONDS:
        nodes += player.think(position).nodes
    return nodes / (time.process_time() - began)


def node_rate(file: Path, position: Position, nodes: int) -> float:
    """The same of the module in Node."""
    budget = {"nodes": nodes} if nodes else {}
    return float(ask_node("_rate.mjs", file, state=packed(file, position), seconds=SECONDS, **budget))


def wasmtime_rate(module: Module, position: Position, nodes: int, fuel: bool) -> float:
    """The same under wasmtime, without the player around it."""
    config = wasmtime.Config()
    config.consume_fuel = fuel
    store = wasmtime.Store(wasmtime.Engine(config))
    if fuel:
        store.set_fuel(1 << 62)
    exports: Any = wasmtime.Instance(store, wasmtime.Module(store.engine, module.data), []).exports(store)
    places = manifest_of(module.data)["memory"]
    control, room = places["control"]["address"], places["room"]["address"]
    exports["memory"].write(store, state_bytes(position.state), room)
    limit, count = (CONTROL.fields[name][1] for name in ("limit", "nodes"))  # type: ignore[index]

    def search() -> int:
        given = (nodes or 1 << 62).to_bytes(8, "little")
        exports["memory"].write(store, given + (-1).to_bytes(8, "little", signed=True), control + limit)
        exports["begin"](store, room)
        while exports["step"](store, -1):
            pass
        return int.from_bytes(exports["memory"].read(store, control + count, control + count + 8), "little")

    search()
    began, done = time.process_time(), 0
    while time.process_time() - began < SECONDS:
        done += search()
    return done / (time.process_time() - began)


def first_move(html: str, level: int, folder: Path) -> tuple[float, float, float]:
    """Milliseconds from the beginning of loading a page until it is ready, and until the player on it has moved; and
    the processor time until then."""
    file = folder / "page.html"
    file.write_text(html, encoding="utf-8")
    with in_chromium(chromium()) as page:
        session = page.context.browser.new_browser_cdp_session()
        before = processor_seconds(session)
        page.goto(f"{file.as_uri()}#first=0.{level}&second=person")
        page.wait_for_selector("#moves li")
        ready = page.evaluate("Number(document.documentElement.dataset.ready)")
        moved = page.evaluate("performance.getEntriesByName('first move')[0].startTime")
        used = processor_seconds(session) - before
    return float(ready), float(moved), 1000 * used


def first_move_figure(what: str, html: str, level: int, rounds: int, folder: Path) -> Figure:
    try:
        times = zip(*(first_move(html, level, folder) for _ in range(rounds)), strict=True)
    except Missing as reason:
        return Figure(what, "ms", 0, note=str(reason))
    ready, took, used = map(statistics.median, times)
    note = f"the page was ready after {ready:.0f} ms; {used:.0f} ms of processor time until the move"
    return Figure(what, "ms", took, "a second", SECOND, SECOND / took, floor=1, note=note)


def measure_first_moves(rounds: int) -> list[Figure]:
    """The first move on the page that `zermelo publish` writes for each game."""
    figures = []
    with tempfile.TemporaryDirectory() as folder:
        for game in GAMES:
            tell(f"{game}: compiling")
            html = single_file(page_plan(game), lambda _: None)
            figures.append(first_move_figure(f"{game}: first move on the page", html, 0, rounds, Path(folder)))
    return figures


def figures_of(game_text: str, player_text: str, nodes: int, rounds: int, folder: Path) -> list[Figure]:
    tell(f"{game_text}, {player_text}: compiling")
    module = published(game_text, player_text)
    file = folder / "player.wasm"
    file.write_bytes(module.data)
    game = find_game(game_text)
    tell(f"{game_text}, {player_text}: {POSITIONS} positions")
    equal = sum(found == native for _, found, native in answers(file, game_text, player_text, POSITIONS))
    position = game.start()
    player = find_player(player_text, game)
    name = player.kind
    if nodes:
        player = find_player(str(player).replace(str(player.budget.nodes or 500), str(nodes)), game)
    player.think(position)
    tell(f"{game_text}, {player_text}: speed")
    speeds = [
        (
            native_rate(player, position),
            node_rate(file, position, nodes),
            wasmtime_rate(module, position, nodes, fuel=False),
            wasmtime_rate(module, position, nodes, fuel=True),
        )
        for _ in range(rounds)
    ]
    parts = (
        ", ".join(f"{size / 1000:.1f} kB of {name}" for name, size in module.weights.items() if size) or "no weights"
    )
    about = f"{module.size / 1000:.1f} kB and {parts}; {equal} of {POSITIONS} answers equal"
    what = f"{game_text}, {name}"
    figures = [Figure(f"{what}: equal answers", "", equal, "positions", POSITIONS, equal / POSITIONS, floor=1)]
    for place, host in enumerate(("Node", "wasmtime", "wasmtime with fuel"), 1):
        ratios = [speed[place] / speed[0] for speed in speeds]
        figures.append(
            Figure(
                f"{what}: {host}",
                "M nodes/s",
                statistics.median(speed[place] for speed in speeds) / 1e6,
                "native",
                statistics.median(speed[0] for speed in speeds) / 1e6,
                statistics.median(ratios),
                min(ratios),
                max(ratios),
                floor=FLOOR if host == "Node" else None,
                note=about if host == "Node" else "",
            )
        )
    html = single_file(page_plan(game_text, ["Player = engine"]), lambda _: None, lambda *_: module)
    level = STRONG if module.manifest["player"]["kind"] == "engine" else 0
    return [*figures, first_move_figure(f"{what}: first move on the page", html, level, rounds, folder)]


def measure(rounds: int) -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        return [figure for case in CASES for figure in figures_of(*case, rounds, Path(folder))]


if __name__ == "__main__":
    if "--first-move" in sys.argv:
        sys.argv.remove("--first-move")
        main("publish", "The first move on published pages", measure_first_moves, rounds=3)
    main("publish", "Published players (WebAssembly) and native ones", measure, rounds=3)
