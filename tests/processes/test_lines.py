"""Processes that read and write lines: they end with all that they started, never block us, and use limited memory."""

import os
import signal
import subprocess
import sys
import threading

import pytest

from waiting import is_running, until
from zermelo.processes.lines import LineProcess, LineTooLong, ProcessEnded

pytestmark = pytest.mark.skipif(not hasattr(os, "killpg"), reason="this system has no process groups")


@pytest.fixture
def start():
    """Start Python code, or a shell command, as a process; it is killed after the test."""
    processes = []

    def started(code=None, shell=None, **options):
        command = [sys.executable, "-c", code] if code is not None else ["/bin/sh", "-c", shell]
        processes.append(LineProcess(command, **options))
        return processes[-1]

    yield started
    for process in processes:
        process.kill()


def open_files():
    return len(os.listdir("/proc/self/fd"))


def test_a_shell_script_is_killed_with_its_engine(start):
    process = start(shell="sleep 1000 & echo $!; wait")
    engine = int(process.receive(120))
    with pytest.raises(TimeoutError, match=r"no answer in 0\.1 s"):
        process.receive(0.1)
    process.kill()
    until(lambda: not is_running(engine))


def test_an_engine_that_left_the_group_is_not_waited_for(start):
    """It holds our pipe; closing our end must not wait for a reader of it."""
    process = start("import os, time\nprint(os.getpid(), flush=True)\nif os.fork(): time.sleep(99)\n"
                    "os.setsid()\nprint(os.getpid(), flush=True)\ntime.sleep(99)")  # fmt: skip
    process.receive(120)
    stranger = int(process.receive(120))

    def listen():
        with pytest.raises(ProcessEnded):
            process.receive()

    try:
        waiting = threading.Thread(target=listen)
        waiting.start()
        process.kill()
        waiting.join(60)
        assert not waiting.is_alive(), "whoever waits for a line is told, too"
        assert not any(reader.is_alive() for reader in process._readers)
    finally:
        os.kill(stranger, signal.SIGKILL)


def test_what_a_script_leaves_behind_is_killed(start):
    process = start(shell="sleep 1000 & echo $!")
    engine = int(process.receive(120))
    with pytest.raises(ProcessEnded, match="ended with status 0"):
        process.receive()
    until(lambda: not is_running(engine))


def test_a_process_that_closes_its_output_is_over(start):
    process = start(shell="exec >&-; sleep 1000")
    with pytest.raises(ProcessEnded, match="closed its standard output"):
        process.receive(120)


def test_all_lines_before_the_end_arrive(start):
    process = start("for i in range(20000): print(i)\nprint('end', end='')")
    assert [process.receive(120) for _ in range(20000)] == [str(i) for i in range(20000)]
    assert process.receive(120) == "end"
    for _ in range(2):
        with pytest.raises(ProcessEnded, match="ended with status 0"):
            process.receive(120)


FLOODS = {
    "lines": "while True: print('x' * 1000)",
    "short lines": "while True: print()",
    "errors": "import sys\nwhile True: print('x' * 1000, file=sys.stderr)",
    "one line of errors": "import sys\nwhile True: sys.stderr.write('x' * 1000)",
    "one line": "import sys\nwhile True: sys.stdout.write('x' * 1000)",
}


@pytest.mark.parametrize("flood", FLOODS)
def test_a_flood_does_not_grow_our_memory(flood):
    """In a separate process, so that its peak of memory is due to the flood alone: 100 MB pass in the given time."""
    code = f"""
import resource, sys, time
from zermelo.processes.lines import LineProcess, ProcessEnded
process = LineProcess([sys.executable, "-c", {FLOODS[flood]!r}], longest=1 << 20)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
time.sleep(2)
try:
    [process.receive(0.1) for number in range(100)]
except (TimeoutError, ProcessEnded) as error:
    print(type(error).__name__)
assert len(process.errors) < 500_000
process.kill()
print("grown", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout.split()[-1]) < 20_000, "kilobytes"


def test_a_line_that_is_too_long(start):
    for code in ("print('x' * 1001)", "import time; print('x' * 1001, end='', flush=True); time.sleep(99)"):
        process = start(code, longest=1000)
        with pytest.raises(LineTooLong, match="wrote a line of more than 1000 bytes"):
            process.receive(120)
    assert start("print('x' * 1000)", longest=1000).receive(120) == "x" * 1000


def test_long_lines_go_both_ways(start):
    process = start("import sys\nfor line in sys.stdin: print(line, end='', flush=True)")
    line = "ñ" * 3_000_000
    process.send(line)
    assert process.receive(120) == line


def test_a_process_that_does_not_read_is_not_waited_for(start, monkeypatch):
    monkeypatch.setattr("zermelo.processes.lines.SEND_SECONDS", 0.2)
    process = start("import time; time.sleep(99)")
    process.send("x" * 1_000_000)
    with pytest.raises(ProcessEnded, match=r"did not read its input for 0\.2 s"):
        process.receive(120)


def test_nothing_stays_open(start):
    start(shell="echo").kill()
    before = open_files(), threading.active_count()
    for _ in range(5):
        process = start(shell="sleep 100")
        process.kill()
        process.kill()
        process.send("nobody is there")
        with pytest.raises(ProcessEnded):
            process.receive()
    assert (open_files(), threading.active_count()) == before


@pytest.mark.parametrize("way", ["os.kill(os.getpid(), 9)", "os._exit(1)", "os.abort()", "raise SystemExit"])
def test_processes_die_with_their_parent(way):
    """Also those that they started, also from a thread that ended long ago, also when the parent was forked."""
    code = f"""
import os, threading, time
from zermelo.processes.lines import LineProcess
def start():
    process = LineProcess(["/bin/sh", "-c", "trap '' HUP TERM INT; sleep 1000 & echo $!; echo $$; wait"])
    print(process.receive(120), process.receive(120), flush=True)
thread = threading.Thread(target=start)
thread.start()
thread.join()
if os.fork() == 0:
    time.sleep(3)
    os._exit(0)
{way}
"""
    parent = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    children = [int(word) for word in parent.stdout.readline().split()]
    parent.wait(120)
    assert len(children) == 2
    until(lambda: not any(is_running(child) for child in children))
    parent.stdout.close()


def test_a_guardian_that_was_killed_is_replaced(start):
    from zermelo.processes.guardian import _guardian

    start(shell="sleep 100")
    first = _guardian._process
    assert first is not None
    first.kill()
    first.wait()
    process = start(shell="sleep 100")
    assert _guardian._process is not first
    assert process.process.pid in _guardian._groups
