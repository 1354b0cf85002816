"""The results of the pieces of a job, in their order, whoever does them."""

from collections import deque
from collections.abc import Generator, Iterable
from concurrent.futures import Future
from typing import Any

from zermelo.pieces.crews import Crew
from zermelo.pieces.job import Job
from zermelo.pieces.kept import Kept

NOWHERE = Kept()


def results(
    crew: Crew, job: Job, pieces: Iterable[Any], kept: Kept = NOWHERE, step: str = ""
) -> Generator[bytes, None, None]:
    """The result of each piece, in the order of the pieces. What was kept is not done again, and the rest is kept.

    step: a name for these pieces, which are numbered from 0, among all those of the work. If the caller stops early,
    presses Ctrl-C, or a piece fails, the crew gives up the pieces under way, and it can then be used again.
    """
    waiting = enumerate(pieces)
    running: deque[Future[bytes]] = deque()
    try:
        while True:
            while len(running) < crew.capacity and (following := next(waiting, None)) is not None:
                running.append(_begun(crew, job, following, kept, step))
            if not running:
                return
            yield running.popleft().result()
    except BaseException:
        crew.abandon()
        raise


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
