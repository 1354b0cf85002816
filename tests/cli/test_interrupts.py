"""Ctrl-C ends every command within two seconds, also while a heuristic loops without end in compiled code."""

import json
import os
import signal
import subprocess
import sys
import time

import pexpect
import pytest

import started
import waiting
from waiting import used
from zermelo.cli import interrupts

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it measures processes by /proc")

ZERMELO = [sys.executable, "-m", "zermelo"]
ENDLESS = """
import numpy as np

import zermelo as z
from zermelo.games.connect4 import Connect4

ONE = np.uint64(1)


@z.heuristic
def endless(state: Connect4):
    "Loops without end where the number of stones is even."
    stones, count = state.stones, 0
    while stones:
        stones &= stones - ONE
        count += 1
    while count % 2 == 0:
        count = (count + 2) & 1023
    return 0
"""


@pytest.fixture(scope="module")
def endless(tmp_path_factory):
    """The heuristic. At depth 1 the first player never meets an even number of stones, so that a game can end."""
    file = tmp_path_factory.mktemp("endless") / "endless.py"
    file.write_text(ENDLESS)
    return f"{file}:endless"


def interrupt(process, seconds=4.0):
    """Press Ctrl-C once the process must be in the loop, and return how many seconds it then takes to end.

    They are seconds of the clock or of processor time, whichever are fewer. The machine may be so busy that two seconds
    by the clock are nothing, and a process that loops in two threads uses twice as much processor time.
    """
    waiting.until(lambda: process.poll() is not None or used(process.pid) >= seconds)
    assert process.poll() is None, process.communicate()
    before, pressed = used(process.pid), time.monotonic()
    process.send_signal(signal.SIGINT)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return min(usage.ru_utime + usage.ru_stime - before, time.monotonic() - pressed)


@pytest.mark.parametrize(
    "command",
    [
        ["analyse", "connect4", "--depth", "2", "--heuristic", "ENDLESS"],
        ["play", "connect4", "--first", "alphabeta(depth=2, heuristic=ENDLESS)", "--second", "random"],
        pytest.param(["trace", "connect4", "--depth", "2", "--heuristic", "ENDLESS"], marks=pytest.mark.slow),
        pytest.param(
            ["study", "pruning", "connect4", "--depth", "2", "--runs", "1", "--heuristic", "ENDLESS"],
            marks=pytest.mark.slow,
        ),
        ["learn", "dataset", "connect4", "--labels", "search", "--depth", "2", "--heuristic", "ENDLESS"],
    ],
    ids=lambda command: command[0],
)
def test_an_endless_loop_in_compiled_code(endless, tmp_path, command):
    short = ["--examples", "9", "--out", str(tmp_path / "few.npz")] if "dataset" in command else []
    started.run([*(word.replace("ENDLESS", "lines2") for word in command), *short])  # so that the search is compiled
    command = [*ZERMELO, *(word.replace("ENDLESS", endless) for word in command)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path)
    try:
        seconds = interrupt(process)
        printed, errors = process.communicate()
    finally:
        process.kill()
    assert process.returncode == 130, errors
    assert seconds < 2
    assert errors.rstrip().endswith("interrupted")
    assert errors.count("interrupted") == 1
    assert "Traceback" not in errors
    if "play" in command:
        assert "1 2 3 4 5 6 7" in printed, "what was printed before is there"


def test_finished_games_of_a_match_are_kept(endless, tmp_path):
    games = tmp_path / "games.jsonl"
    player = f"alphabeta(depth=1, heuristic={endless})"
    command = [*ZERMELO, "match", "connect4", "--first", player, "--second", "random", "--save", str(games)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        waiting.until(lambda: process.poll() is not None or games.exists())
        assert process.poll() is None, process.communicate()
        assert interrupt(process, used(process.pid) + 2) < 2
    finally:
        process.kill()
        process.communicate()
    assert process.returncode == 130
    (record,) = [json.loads(line) for line in games.read_text().splitlines()]
    assert record["reason"] == "played out"


def test_the_terminal_is_left_as_it_was(endless):
    """Started from a shell, whose terminal it shares; Ctrl-C is typed."""
    shell = pexpect.spawn("/bin/sh", ["-i"], encoding="utf-8", timeout=120, env=os.environ | {"PS1": "ready$ "})
    try:
        shell.expect_exact("ready$ ")
        shell.sendline("stty -a | md5sum")
        shell.expect("([0-9a-f]{32})")
        before = shell.match[1]
        shell.expect_exact("ready$ ")
        shell.sendline(
            f"{' '.join(ZERMELO)} match connect4 --first 'alphabeta(depth=2, heuristic={endless})' --second random"
        )
        waiting.until(lambda: any(used(child) > 4 for child in waiting.children(shell.pid)))
        shell.sendintr()
        shell.expect("interrupted")
        shell.expect_exact("ready$ ")
        shell.sendline("echo status $?; stty -a | md5sum")
        shell.expect("status 130")
        shell.expect("([0-9a-f]{32})")
        assert shell.match[1] == before
    finally:
        shell.close(force=True)


SAVING = """
import sys, time
from zermelo.cli.interrupts import tell_interrupted, time_to_save, watch_interrupts
watch_interrupts()
try:
    with time_to_save(300):
        try:
            print("begun", flush=True)
            time.sleep(60)
        finally:
            deadline = time.monotonic() + float(sys.argv[1])
            while time.monotonic() < deadline:
                time.sleep(0.1)
            print("saved", flush=True)
    time.sleep(60)
except KeyboardInterrupt:
    tell_interrupted()
    sys.exit(130)
"""


@pytest.mark.parametrize("presses", [1, 2])
def test_there_is_time_to_save(presses):
    seconds = "3" if presses == 1 else "200"
    process = subprocess.Popen(
        [sys.executable, "-c", SAVING, seconds], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout.readline() == "begun\n"
        process.send_signal(signal.SIGINT)
        assert "press Ctrl-C again" in process.stderr.readline()
        if presses == 2:
            time.sleep(2 * interrupts.SAME_PRESS)
            process.send_signal(signal.SIGINT)
        printed, errors = process.communicate(timeout=120)
    finally:
        process.kill()
    assert process.returncode == 130
    assert printed == ("saved\n" if presses == 1 else "")
    assert errors == "interrupted\n"


SLOW_END = """
import atexit, sys, time
from zermelo.cli.interrupts import has_ended, time_to_save, watch_interrupts
watch_interrupts()
try:
    with time_to_save(300, says=None):
        try:
            print("begun", flush=True)
            time.sleep(60)
        finally:
            time.sleep(2.5)  # a server that ends its worker
except KeyboardInterrupt:
    pass
atexit.register(time.sleep, 30)
has_ended(0)
sys.exit(0)
"""


def test_a_server_that_needs_time_to_end_has_its_own_status():
    """It has the time that it asked for, and an interpreter that takes long to end does not change its status."""
    process = subprocess.Popen(
        [sys.executable, "-c", SLOW_END], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout.readline() == "begun\n"
        process.send_signal(signal.SIGINT)
        errors = process.communicate(timeout=25)[1]
    finally:
        process.kill()
    assert (process.returncode, errors) == (0, "")
