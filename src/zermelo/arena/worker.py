"""The worker of an arena: it validates what is handed in, and plays the ladder, the rounds and the final.

It talks to the server through the database only. Whatever is done is written down at once, so a worker may be killed at
any moment, and the next one goes on. Three threads work at a time, each with a connection of its own: one plays, one
validates, and one does chores when there is time. If the database goes away or the disk is full, they try again later.
"""

import contextlib
import dataclasses
import os
import threading
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from zermelo.arena.agreement import agreement_chore
from zermelo.arena.examiner import Examiner, sandbox_of, terms_of
from zermelo.arena.feedback import feedback_chore
from zermelo.arena.ladder import Ladder, play_ladder
from zermelo.arena.privacy import forget_chore
from zermelo.arena.records import Records
from zermelo.arena.roster import FINAL, LADDER
from zermelo.arena.rounds import Round, due_round, is_final_due, play_final, play_round, publish_final, publish_rounds
from zermelo.arena.settings import ArenaSettings, read_settings
from zermelo.arena.similarity import similarity_chore
from zermelo.arena.standings import Publisher
from zermelo.errors import ResourceError, ZermeloError
from zermelo.language import _
from zermelo.processes.memory import return_memory
from zermelo.processes.sandbox import missing
from zermelo.tournaments.referee import Abandoned
from zermelo.tournaments.run import Progress
from zermelo.tournaments.store import Store, open_store
from zermelo.tournaments.workers import Workers

POLL = 0.5
"""Seconds between two looks at what has changed."""

FIRST_DELAY, LONGEST_DELAY = 0.5, 30.0
"""Seconds before something that failed is tried again: at first, and at most. Each time it is twice as long."""

PUBLISH_EVERY, PUBLISH_SHARE = 1.0, 0.1
"""Seconds between two snapshots of the standings, and the share of the time that making them may take at most."""

CHORE_EVERY = 2.0
"""Seconds between two rounds of chores in which there was nothing to do."""

RETURN_EVERY = 30.0
"""Seconds after which memory that was freed is returned to the system."""

CHORE_LIMIT = 60.0
"""A chore that takes more seconds than this is reported, because the others wait for it."""

Chore = Callable[[Records, Store, ArenaSettings], bool]
"""Something that is done when there is time. Returns whether there was anything to do."""

CHORES: Sequence[Chore] = (feedback_chore, similarity_chore, agreement_chore, forget_chore)

Tell = Callable[[str], None]

Todo = Round | str | None
"""What is played: a round, FINAL, LADDER, or nothing."""


@dataclass(frozen=True)
class Employment:
    """What a worker is told when it begins."""

    folder: str
    store: str | None = None  #: a URL postgresql://..., instead of the one in arena.toml
    threads: int | None = None  #: None: one for each core
    scheduler: str | None = None  #: the address of a Dask scheduler, whose workers play
    trust_everyone: bool = False  #: nothing runs in a sandbox

    @classmethod
    def of(cls, order: Mapping[str, Any]) -> "Employment":
        return cls(**order)

    def settings(self) -> ArenaSettings:
        """The settings of the arena. ZermeloError if they are wrong, or if nothing can be kept in a sandbox."""
        found = read_settings(Path(self.folder))
        reason = None if self.trust_everyone else missing()
        if reason is not None:
            raise ResourceError("there is no sandbox on this machine: {reason}", reason=reason)
        return found if self.store is None else dataclasses.replace(found, store=self.store)


class Worker:
    """A worker. work() returns when another thread calls stop()."""

    def __init__(self, job: Employment, tell: Tell, chores: Sequence[Chore] | None = None):
        self.job, self.tell, self.settings = job, tell, job.settings()
        self.chores = CHORES if chores is None else chores
        self.stopping = threading.Event()
        self._failure: BaseException | None = None
        self._turned = time.monotonic()
        self._examiner: Examiner | None = None
        self._queue: dict[str, Any] = {}  # as it was published last

    def seconds_since_turn(self) -> float:
        """How long ago the loop that plays came round."""
        return time.monotonic() - self._turned

    def stop(self) -> None:
        """Have everything ended soon. Games and validations under way are done again later."""
        self.stopping.set()
        examiner = self._examiner
        if examiner is not None:
            examiner.stop()

    def work(self) -> None:
        """Work until somebody calls stop()."""
        sides = [
            threading.Thread(target=self._guarded, args=(part,), name=f"zermelo-{part.__name__.strip('_')}")
            for part in (self._validate, self._do_chores)
        ]
        for side in sides:
            side.start()
        self._guarded(self._play)
        self.stop()
        for side in sides:
            side.join()
        if self._failure is not None:
            raise self._failure

    def _guarded(self, part: Callable[[Store, Records], None]) -> None:
        """Do a part of the work until the end, with a connection of its own. What fails is tried again."""
        delay = FIRST_DELAY
        while not self.stopping.is_set():
            began = time.monotonic()
            try:
                with contextlib.closing(open_store(self.settings.database)) as store:
                    part(store, Records(store))
            except ZermeloError as error:  # the disk is full, or the database is away
                if time.monotonic() - began > LONGEST_DELAY:
                    delay = FIRST_DELAY
                self.tell(_("{error}; trying again in {seconds:g} seconds").format(error=error, seconds=delay))
                self._wait(delay)
                delay = min(2 * delay, LONGEST_DELAY)
            except BaseException as error:
                self.tell(traceback.format_exc())
                self._failure = error
                self.stop()

    def _wait(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while not self.stopping.is_set() and time.monotonic() < end:
            self._turned = time.monotonic()
            self.stopping.wait(min(POLL, seconds))

    # -------------------------------------------------------------------------------- games

    def _play(self, store: Store, records: Records) -> None:
        """Play what is most urgent: the final, a round that is due, the ladder."""
        publisher = Publisher(store, records, self.settings)
        sandbox = None if self.job.trust_everyone else sandbox_of(self.settings)
        publish_rounds(records, self.settings)
        is_written = False
        while not self.stopping.is_set():
            self._turned = time.monotonic()
            todo = self.todo(records)
            how: dict[str, Any] = {
                "threads": self.threads,
                "workers": self._workers() if todo is not None else None,
                "is_stopped": _Now(self, records, todo),
            }
            self.publish_queue(records)
            if todo is None:
                self.stopping.wait(POLL)
            elif isinstance(todo, Round):
                play_round(store, records, self.settings, todo, sandbox=sandbox, watch=self.turn, **how)
            elif todo == FINAL:
                watch = _Watch(self, partial(publish_final, store, records, self.settings))
                play_final(store, records, self.settings, sandbox=sandbox, watch=watch, **how)
            else:
                ladder = Ladder(store, records, self.settings, sandbox, meetings=2 * self.threads)
                publish = partial(_publish_ladder, publisher, ladder)
                publish()
                play_ladder(ladder, watch=_Watch(self, publish), **how)
            if todo is not None or not is_written:
                publisher.publish()
            is_written = True

    @property
    def threads(self) -> int:
        """By default one core is left to the server and to validation."""
        return self.job.threads or max(1, (os.cpu_count() or 1) - 1)

    def _workers(self) -> Workers | None:
        if self.job.scheduler is None:
            return None
        from zermelo.tournaments.distribute import Cluster

        return Cluster(self.job.scheduler)

    def todo(self, records: Records) -> Todo:
        """What is most urgent at present."""
        if records.flag("paused", False):
            return None
        if is_final_due(records):
            return FINAL
        return due_round(records, self.settings) or (None if records.flag("frozen", False) else LADDER)

    def turn(self, progress: Progress | None = None) -> None:
        """Note that the loop that plays has come round."""
        self._turned = time.monotonic()

    # -------------------------------------------------------------------------------- validation

    def _validate(self, store: Store, records: Records) -> None:
        self._examiner = Examiner(records, terms_of(self.settings, self.job.trust_everyone), self.tell)
        while not self.stopping.is_set():
            with contextlib.suppress(Abandoned):
                if records.flag("paused", False) or not self._examiner.take_next():
                    self.stopping.wait(POLL)

    def publish_queue(self, records: Records) -> None:
        """Publish the places of all submissions that wait, if anything has changed."""
        queue = records.queue()
        places = [
            {
                "submission": one.id,
                "student": one.student,
                "state": one.state,
                "place": place,
                "seconds": round(queue.wait(one.id) or 0.0, 1),
            }
            for place, one in enumerate(queue.waiting, 1)
        ]
        content = {"waiting": places, "mean": round(queue.seconds, 1)}
        if content != self._queue:
            records.publish("queue", content)
            self._queue = content

    # -------------------------------------------------------------------------------- chores

    def _do_chores(self, store: Store, records: Records) -> None:
        with contextlib.suppress(OSError, AttributeError):  # (Windows)
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 10)
        returned = time.monotonic()
        while not self.stopping.is_set():
            if time.monotonic() - returned >= RETURN_EVERY:
                return_memory()
                returned = time.monotonic()
            is_busy = False
            for chore in self.chores:
                began = time.monotonic()
                is_busy = chore(records, store, self.settings) or is_busy
                seconds = time.monotonic() - began
                if seconds > CHORE_LIMIT:
                    told = _("{name} took {seconds:.0f} seconds")
                    self.tell(told.format(name=getattr(chore, "__name__", "?"), seconds=seconds))
                if self.stopping.is_set():
                    return
            if not is_busy:
                self.stopping.wait(CHORE_EVERY)


def _publish_ladder(publisher: Publisher, ladder: Ladder) -> None:
    publisher.publish(ladder.playing)


class _Now:
    """Asked by a run whether it should stop, because something else is more urgent. It looks every now and then."""

    def __init__(self, worker: Worker, records: Records, todo: Todo):
        self.worker, self.records, self.todo = worker, records, todo
        self.looked = time.monotonic()
        self.is_over = False

    def __call__(self) -> bool:
        self.worker.turn()
        if self.worker.stopping.is_set():
            return True
        if not self.is_over and time.monotonic() - self.looked >= POLL:
            self.looked = time.monotonic()
            self.is_over = self.worker.todo(self.records) != self.todo
            self.worker.publish_queue(self.records)
        return self.is_over


class _Watch:
    """Publishes the standings while games are played, but not too often."""

    def __init__(self, worker: Worker, publish: Callable[[], object]):
        self.worker, self.publish = worker, publish
        self.next = time.monotonic() + PUBLISH_EVERY

    def __call__(self, progress: Progress) -> None:
        self.worker.turn()
        began = time.monotonic()
        if began >= self.next:
            self.publish()
            took = time.monotonic() - began
            self.next = began + max(PUBLISH_EVERY, took / PUBLISH_SHARE)
