"""The process of a worker, as the server's keeper starts it: `zermelo.arena.worker_process`.

It obeys one order (processes/orders.py), {"do": "work", "folder": ..., ...}, whose values are those of Employment in
worker.py, and answers again and again: {"alive": true}, as long as its loop goes on, and {"log": "a sentence"}.
When it is told to stop, or when its owner has gone, it writes down what it knows and ends.
"""

import contextlib
import os
import threading

from zermelo.arena.worker import Employment, Worker
from zermelo.processes.orders import Orders

BEAT = 2.0
"""Seconds between two signs of life."""

PATIENCE = 120.0
"""A loop that has not come round for so many seconds hangs: no more signs of life are given."""

LAST_SECONDS = 40.0
"""How long the loop may take to end after the order to stop."""


NICENESS = 5
"""The server's pages come before the games."""


def main() -> None:
    held: list[Worker] = []
    ended = threading.Event()

    def at_end() -> None:
        if held:
            held[0].stop()
            ended.wait(LAST_SECONDS)

    orders = Orders(at_end)
    order = orders.next()
    order.pop("do")
    os.environ["ZERMELO_LANG"] = order.pop("language")
    os.environ["PYTHONSAFEPATH"] = "1"  # so that a student's json.py never replaces json in processes that we start
    with contextlib.suppress(OSError, AttributeError):  # (Windows)
        os.nice(NICENESS)
    worker = Worker(Employment.of(order), lambda text: orders.say({"log": text}))
    held.append(worker)

    def beat() -> None:
        while not ended.wait(BEAT):
            if worker.seconds_since_turn() < PATIENCE:
                orders.say({"alive": True})

    threading.Thread(target=beat, name="zermelo-beat", daemon=True).start()
    try:
        worker.work()
    finally:
        ended.set()


if __name__ == "__main__":
    main()
