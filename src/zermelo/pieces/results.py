"""The results of the pieces of a job, in their order, whoever does them."""

import time
from collections import deque
from collections.abc import Generator, Iterable
from concurrent.futures import Future, wait
from typing import Any

from zermelo.pieces.crews import Crew
from zermelo.pieces.job import Job
from zermelo.pieces.kept import Kept

NOWHERE = Kept()


def results(
    crew: Crew,
    job: Job,
    pieces: Iterable[tuple[int, Any]],
    kept: Kept = NOWHERE,
    step: str = "",
    until: float | None = None,
) -> Generator[bytes, None, None]:
    """The result of each numbered piece, in their order. What was kept is not done again, and the rest is kept.

    step: a name for these pieces, among which each has its own number. until: when to stop (time.monotonic). If the
    time is up, the caller stops early or presses Ctrl-C, or a piece fails, the crew gives up the pieces under way; it
    can be used again then.
    """
    waiting = iter(pieces)
    running: deque[Future[bytes]] = deque()
    try:
        while True:
            while len(running) < crew.capacity and (following := next(waiting, None)) is not None:
                running.append(_begun(crew, job, following, kept, step))
            if not running:
                return
            if until is not None and wait([running[0]], max(0.0, until - time.monotonic())).not_done:
                break
            yield running.popleft().result()
    except BaseException:
        crew.abandon()
        raise
    crew.abandon()


def _begun(crew: Crew, job: Job, numbered: tuple[int, Any], kept: Kept, step: str) -> "Future[bytes]":
    """The result of a piece, which is kept before anybody sees it."""
    number, piece = numbered
    answer: Future[bytes] = Future()
    known = kept.get(step, number)
    if known is not None:
        answer.set_result(known)
        return answer

    def hand_on(done: "Future[bytes]") -> None:
        try:
            result = done.result()
            kept.put(step, number, result)
            answer.set_result(result)
        except BaseException as error:
            answer.set_exception(error)

    crew.submit(job, piece).add_done_callback(hand_on)
    return answer
