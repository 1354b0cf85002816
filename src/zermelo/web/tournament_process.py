"""A process that plays a tournament for the lab: `python -m zermelo.web.tournament_process`.

It obeys one order (processes/orders.py), whose values are those of _begin in hub.py, and answers again and again:

    {"begun": name}  {"progress": {...}}  {"report": {...}}  {"board": {...}}  {"finished": true}  {"failed": "why"}

Code of users never runs in the server; here it may loop or crash. Whatever happens to this process, the store holds
every finished game.
"""

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from zermelo.errors import ZermeloError
from zermelo.position import Position
from zermelo.processes.orders import Orders
from zermelo.tournaments.plan import make_plan
from zermelo.tournaments.run import Progress, begin, run
from zermelo.tournaments.store import Store, open_store
from zermelo.tournaments.task import Task
from zermelo.tournaments.workers import Processes, Workers, local_workers
from zermelo.web.positions import view_of_board
from zermelo.web.standings import progress_of, report_of

PROGRESS_EVERY = 0.25
"""Seconds between two reports of the number of finished games."""

REPORT_EVERY, REPORT_SHARE = 1.0, 0.1
"""Seconds between two reports of the standings, and the share of the time that these may take at most."""

BOARD_EVERY, GAME_EVERY = 0.25, 0.5
"""Seconds for which a board is shown at least, and after which the same table may show another game."""

SILENCE = 10.0
"""Seconds without a move after which a game makes room for another at its table: it may have ended by a fault."""

TABLES = 4
"""Number of boards that are shown at most."""


def main() -> None:
    workers = Holder()
    teller = Teller(workers.stop)
    order = teller.orders.next()
    os.environ["PYTHONSAFEPATH"] = "1"  # so that a user's json.py never replaces json in processes that we start
    os.environ["ZERMELO_LANG"] = order["language"]  # of the person who began it, for all threads
    try:
        store = open_store(Path(order["store"]))
        if order["settings"] is not None:
            settings = order["settings"]
            begin(store, make_plan(settings.pop("contestants"), settings.pop("game"), **settings)[0])
        name = store.plan()[0].name
        teller.tell("begun", name)
        workers.held = _workers(order, store, name, Gallery(teller, order["threads"]))
        run(store, name, workers=workers.held, watch=Watch(store, name, teller))
        done, total = store.counts(name)
        teller.tell("progress", progress_of(store, name, done, total, None))
        teller.tell("report", report_of(store, name))
        teller.tell("finished", True)
    except ZermeloError as error:
        teller.tell("failed", str(error))


class Teller:
    """Tells the server what happens. Several threads may use it."""

    def __init__(self, at_end: Callable[[], None]):
        self.orders = Orders(at_end)

    def tell(self, kind: str, content: Any) -> None:
        self.orders.say({kind: content})


class Holder:
    """Holds the workers once there are some, because they must end with this process."""

    def __init__(self) -> None:
        self.held: Workers | None = None

    def stop(self) -> None:
        if isinstance(self.held, Processes):
            self.held.stop()  # a worker that hangs would not notice that nobody listens


def _workers(order: dict[str, Any], store: Store, name: str, gallery: "Gallery") -> Workers:
    """The workers that play: threads, or processes for heuristics of users, which may hang or crash."""
    workers = local_workers(order["threads"], store.plan(name)[0], {})
    workers.spectator = gallery
    return workers


class Watch:
    """Tells the server about the progress, but not too often."""

    def __init__(self, store: Store, name: str, teller: Teller):
        self.store, self.name, self.teller = store, name, teller
        self.next_progress = self.next_report = 0.0

    def __call__(self, progress: Progress) -> None:
        now = time.monotonic()
        if now >= self.next_progress:
            self.next_progress = now + PROGRESS_EVERY
            content = progress_of(self.store, self.name, progress.done, progress.total, progress.seconds_left)
            self.teller.tell("progress", content)
        if now >= self.next_report:
            self.teller.tell("report", report_of(self.store, self.name))
            took = time.monotonic() - now
            self.next_report = now + max(REPORT_EVERY, took / REPORT_SHARE)


class Gallery:
    """A spectator with some tables, each of which shows a game now and then."""

    def __init__(self, teller: Teller, tables: int):
        self.teller, self.lock = teller, threading.Lock()
        self.tables = min(tables, TABLES)
        self.began: dict[int, float] = {}  # table -> when its game began
        self.shown: dict[int, float] = {}  # table -> when its board was last shown
        self.heard: dict[int, float] = {}  # table -> when its game last came to another position

    def _is_free(self, table: int, now: float) -> bool:
        """Whether another game may be shown at a table, because the last one seems to be over."""
        rested = now - self.began.get(table, -GAME_EVERY) >= GAME_EVERY
        return rested and now - self.heard.get(table, -SILENCE) >= SILENCE

    def __call__(self, task: Task) -> Any:
        """The function that shows the positions of a game; None if it is not shown, as fast games would flicker."""
        with self.lock:
            now = time.monotonic()
            free = [table for table in range(self.tables) if self._is_free(table, now)]
            if not free:
                return None
            table = free[0]
            self.began[table] = self.heard[table] = now
        players = [player.name for player in task.players]
        seen, began = 0, self.began[table]

        def show(position: Position) -> None:
            nonlocal seen
            seen += 1
            now = time.monotonic()
            if self.began[table] != began:
                return  # another game is at this table by now
            self.heard[table] = -SILENCE if position.is_over else now
            if position.is_over or now - self.shown.get(table, -BOARD_EVERY) >= BOARD_EVERY:
                self.shown[table] = now
                self.teller.tell("board", board_of_table(table, task, players, position, seen - 1))

        return show


def board_of_table(table: int, task: Task, players: list[str], position: Position, ply: int) -> dict[str, Any]:
    return {
        "table": table,
        "pair": task.pair,
        "swapped": task.swapped,
        "players": players,
        "ply": ply,
        "to_move": position.to_move,
        "over": position.is_over,
        "winner": position.winner,
        "picture": view_of_board(position),
    }


if __name__ == "__main__":
    main()
