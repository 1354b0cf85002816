"""A busy machine does not make honest code look endless, and endless code is ended on any machine."""

import os
import sys
import time

import pytest

from zermelo.processes import patience
from zermelo.processes.lines import LineProcess
from zermelo.processes.orders import OwnProcess
from zermelo.processes.patience import Patience, Usage, usage_of


class Clock:
    """A machine on which a process has a share of a processor, by a clock that the test moves."""

    def __init__(self, monkeypatch, share, is_asleep=False):
        self.now, self.share, self.is_asleep = 0.0, share, is_asleep
        monkeypatch.setattr(patience.time, "monotonic", lambda: self.now)

    def usage(self):
        if self.is_asleep:
            return Usage()
        return Usage(self.now * self.share, self.now * (1 - self.share))

    def ended_after(self, limit):
        """When a process that never answers is ended."""
        patient = Patience(limit, self.usage)
        while not patient.is_over():
            self.now += min(0.5, max(patient.left, 0.01))
        return self.now


@pytest.mark.parametrize(
    ("share", "is_asleep", "after"),
    [
        pytest.param(1.0, False, 30, id="quiet machine"),
        pytest.param(0.25, False, 120, id="four times as busy"),
        pytest.param(0.01, False, 300, id="at most ten times the limit"),
        pytest.param(0.25, True, 30, id="a process that sleeps has no excuse"),
    ],
)
def test_a_limit_counts_the_time_in_which_a_process_could_run(monkeypatch, share, is_asleep, after):
    assert Clock(monkeypatch, share, is_asleep).ended_after(30) == pytest.approx(after, abs=1)


def test_a_process_with_many_threads_does_not_get_more_time_by_crowding_itself_out(monkeypatch):
    clock = Clock(monkeypatch, 0.1)
    clock.usage = lambda: Usage(2 * clock.now, 0.9 * clock.now)  # both cores, and the first thread waits for them
    assert clock.ended_after(30) == pytest.approx(30, abs=1)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells how long a process waited for a processor")
def test_the_system_tells_what_a_process_had():
    before, began = usage_of(os.getpid()), time.process_time()
    while time.process_time() - began < 0.1:
        pass
    after = usage_of(os.getpid())
    assert after.used - before.used >= 0.05
    assert after.queued >= before.queued >= 0
    assert usage_of(2**22 + 1) == Usage(), "there is no such process"


def test_a_late_answer_of_a_process_that_had_no_processor_is_taken(monkeypatch):
    code = "import time; print('ready', flush=True); input(); time.sleep(1.5); print('here')"
    process = LineProcess([sys.executable, "-c", code])
    assert process.receive() == "ready"
    began = time.monotonic()
    monkeypatch.setattr(process, "usage", lambda: Usage(0.0, time.monotonic() - began))
    process.send("go")
    assert process.receive(1.0) == "here"
    process.kill()


def test_all_time_counts_for_other_programs_and_waiting_does_not_for_ours():
    process = OwnProcess("zermelo.check.process")
    process.greet()
    assert LineProcess.usage(process) == Usage()
    if sys.platform == "linux":
        assert process.usage().used > 0
    process.kill()
    assert process.usage() == Usage()
