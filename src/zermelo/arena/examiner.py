"""The part of a worker that takes submissions from the queue, one after another, and decides about them."""

import contextlib
import dataclasses
import math
import os
import re
import threading
import traceback
from collections.abc import Callable

from zermelo.arena.records import Records
from zermelo.arena.roster import limits_of
from zermelo.arena.settings import ArenaSettings
from zermelo.arena.tables import Submission
from zermelo.arena.validation import REFUSED, Remark, Terms, Validation, Verdict
from zermelo.check.reports import ERROR
from zermelo.errors import ZermeloError
from zermelo.language import _, speaking
from zermelo.processes.sandbox import MEGABYTE, SandboxLimits
from zermelo.tournaments.guests import Sources
from zermelo.tournaments.referee import Abandoned

OURS = 2048
"""MiB of addresses that Python, NumPy and the compiler reserve before a student's code uses any memory."""

MOST_ATTEMPTS = 10
"""What has ended its worker so many times, by accident or not, is refused: others are waiting."""

MOST_KILLS = 5
"""What is killed so many times in a row is refused. Our own limits end a process in other ways, and say so."""

_KILLED = re.compile(r"SIGKILL|\b137\b|-9\b")
"""How it is told that a process was killed: by its signal, or by the status that stands for it."""

MOST_PATIENCE = 10
"""On a busy machine, the time limit of a validation is up to this many times as long."""

WEEK = 7 * 86_400
"""Seconds of processor time for one process. It may serve many games; each move has its own limit."""


def sandbox_of(settings: ArenaSettings) -> SandboxLimits:
    """The limits of everything that students hand in."""
    return SandboxLimits(memory=(OURS + settings.budget.memory) * MEGABYTE, seconds=WEEK)


def terms_of(settings: ArenaSettings, is_trusting: bool = False) -> Terms:
    """What the arena asks of everything that is handed in. is_trusting: nothing runs in a sandbox."""
    budget = settings.budget
    return Terms(
        game=settings.game,
        kinds=settings.allowed.kinds,
        search=budget.search,
        budget=budget.options,
        limits=limits_of(settings),
        weakest=settings.ladder.rungs[0] if settings.ladder.rungs else "random",
        sandbox=None if is_trusting else sandbox_of(settings),
        insist=settings.allowed.insist,
        language=settings.course.languages[0] if settings.course.languages else "en",
    )


def busyness() -> int:
    """How many programs there are for each core of this machine; at least 1, and at most MOST_PATIENCE."""
    with contextlib.suppress(OSError, AttributeError):  # (Windows)
        return min(MOST_PATIENCE, max(1, math.ceil(os.getloadavg()[0] / (os.cpu_count() or 1))))
    return 1


def patient(terms: Terms, times: int) -> Terms:
    """The terms with so many times as much time for everything together, for a machine that is busy.

    That limit is by the clock, so what is right would be refused where a program gets only a part of a core.
    """
    return dataclasses.replace(terms, seconds=terms.seconds * times)


class Examiner:
    """Takes one submission at a time. Another thread may stop it at any moment."""

    def __init__(self, records: Records, terms: Terms, tell: Callable[[str], None] = lambda text: None):
        """tell: told about our own mistakes."""
        self.records, self.terms, self.tell = records, terms, tell
        self._lock = threading.Lock()
        self._is_stopped = False
        self._current: Validation | None = None

    def take_next(self) -> bool:
        """Decide about the next submission of the queue. False if there is none, or if the examiner was stopped."""
        submission = self.records.next_waiting()
        if submission is None:
            return False
        try:
            self._decide(submission)
        except BaseException:
            with contextlib.suppress(ZermeloError):  # the database may be away; then the reservation ends by itself
                self.records.give_back(submission.id)
            raise
        return True

    def _decide(self, submission: Submission) -> None:
        name = self.records.contestant_name(submission)
        texts = self.records.texts(submission.id)
        known = self.records.contestant(name)
        if known is not None and known.kind == "student" and known.player:
            # The same code was tried before, and was fit to play.
            earlier = next(
                one for one in reversed(self.records.submissions(submission.student)) if one.contestant == name
            )
            self._enter(submission, Verdict.of_report(earlier.report), name, self.records.sources(name))
            return
        validation = Validation(name, submission.filename, texts, patient(self.terms, busyness()))
        attempts = self.records.begin_attempt(submission.id)
        if attempts > MOST_ATTEMPTS:
            with speaking(self.terms.language):
                text = _("the arena was interrupted {number} times while it tried this, and does not try it again")
                verdict = Verdict(REFUSED, 0.0, (Remark(ERROR, text.format(number=attempts - 1)),))
        else:
            verdict = self._verdict(validation)
        self._enter(submission, verdict, name, validation.sources)

    def _verdict(self, validation: Validation) -> Verdict:
        """Try it. If somebody else killed its process, as a machine without memory does, it is tried again."""
        verdict = self._run(validation)
        for _again in range(MOST_KILLS - 1):
            if verdict.is_valid or not any(_KILLED.search(finding.text) for finding in verdict.findings):
                break
            verdict = self._run(Validation(validation.name, validation.file, validation.texts, validation.terms))
        return verdict

    def _run(self, validation: Validation) -> Verdict:
        with self._lock:
            if self._is_stopped:
                raise Abandoned
            self._current = validation
        try:
            return validation.run()
        except (Abandoned, ZermeloError):
            raise
        except Exception as error:  # a bug of ours must not keep the whole class waiting
            self.tell(traceback.format_exc())
            with speaking(self.terms.language):
                text = _("the arena itself failed while it tried this; please tell your teacher: {error}")
                return Verdict(REFUSED, 0.0, (Remark(ERROR, text.format(error=f"{type(error).__name__}: {error}")),))
        finally:
            with self._lock:
                self._current = None

    def _enter(self, submission: Submission, verdict: Verdict, name: str, sources: Sources) -> None:
        """Write the verdict down, together with the contestant, so that there is never one without the other."""
        with self.records.changing(durable=True):
            if verdict.is_valid:
                self.records.add_contestant(name, verdict.player, sources, "student", submission.id)
            taken = self.records.decide(submission.id, verdict.state, verdict.as_report(), name)
            if not taken and verdict.is_valid:  # it was withdrawn meanwhile
                self.records.retire(name)

    def stop(self) -> None:
        """Break off the examination. The submission returns to its place in the queue."""
        with self._lock:
            self._is_stopped = True
            current = self._current
        if current is not None:
            current.abandon()
