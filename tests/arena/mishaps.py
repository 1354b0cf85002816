"""A small class, its arena, and a server and a worker that can be killed, for the tests of what must not be lost."""

import contextlib
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

from zermelo.arena.client import Address
from zermelo.arena.records import Records
from zermelo.arena.settings import read_settings
from zermelo.errors import ZermeloError
from zermelo.tournaments.store import open_store

SETTINGS = """
game = "tictactoe"
{store}
[budget]
depth = 1
seconds_per_move = 20
[ladder]
rungs = ["random", "alphabeta(depth=1)"]
pairs_at_once = 1
[final]
pairs = 2
"""

PLAYER = """
class Mine:
    def choose(self, position):
        return position.moves[{number} % len(position.moves)]
"""
BROKEN = "def choose(:\n"


def waited(is_so, what="", seconds=240):
    """Wait until something is so; the limit is for tests that would wait for ever."""
    end = time.monotonic() + seconds
    while not (found := is_so()):
        assert time.monotonic() < end, f"waited too long: {what}"
        time.sleep(0.05)
    return found


def is_alive(pid):
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    return False


def children_of(pid):
    """All processes below a process."""
    below = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, IndexError):
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            below.setdefault(parent, []).append(int(folder.name))
    found, waiting = [], [pid]
    while waiting:
        for child in below.get(waiting.pop(), []):
            found.append(child)
            waiting.append(child)
    return found


def guests_of(pid):
    """The processes below a worker that run code of students."""
    found = []
    for child in children_of(pid):
        with contextlib.suppress(OSError):
            line = Path(f"/proc/{child}/cmdline").read_bytes()
            if b"zermelo.tournaments.guest" in line or b"zermelo.check.process" in line:
                found.append(child)
    return found


class Arena:
    """A folder with an arena, and its server process."""

    def __init__(self, folder, store=None):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "arena.toml").write_text(SETTINGS.format(store=f'store = "{store}"' if store else ""))
        self.settings = read_settings(folder)
        self.store = open_store(self.settings.database)
        self.records = Records(self.store)
        self.server = None
        self.address = None
        self.worker = None
        self.keys = {}  # student -> key
        self.accepted = {}  # submission -> text
        self.sending = None

    def add_student(self, name):
        student, key = self.records.add_student(name)
        self.keys[student.id] = key
        return student.id

    def start(self, *options):
        """Start the server, which starts a worker."""
        self.address = self.worker = None
        serve = [sys.executable, "-m", "zermelo", "arena", "serve", str(self.settings.folder)]
        command = [*serve, "--threads", "2", *options]
        self.server = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
        os.set_blocking(self.server.stderr.fileno(), False)
        self.said = b""

    def listen(self):
        """Take in what the server has said, and which worker it has."""
        assert self.server.poll() in (None, 0, -signal.SIGKILL), f"the server ended with an error: {self.said}"
        self.said = (self.said + (self.server.stderr.read() or b""))[-20_000:]
        found = re.search(rb"http://127\.0\.0\.1:\d+", self.said)
        if found is not None:
            self.address = found[0].decode()
        state = self.asked(lambda records: records.published("worker")[1], {})
        if state.get("keeper") == self.server.pid:
            self.worker = state.get("pid") or self.worker

    def hand_in(self, student, text):
        """Hand something in, if nothing else is on its way. Whether it was accepted is known later."""
        if self.address is not None and (self.sending is None or not self.sending.is_alive()):
            self.sending = threading.Thread(target=self._send, args=(student, text))
            self.sending.start()

    def _send(self, student, text):
        with contextlib.suppress(ZermeloError):
            address = Address(self.address, self.keys[student])
            answer = address.ask("/api/submissions", {"filename": "mine.py", "text": text})
            self.accepted[answer["id"]] = text

    def kill(self, what):
        """Kill the server, the worker, or a process with a student's code. Returns whether there was one."""
        self.listen()
        if what == "server":
            pids = [self.server.pid]
        else:
            is_there = self.worker is not None and is_alive(self.worker)
            pids = ([self.worker] if what == "worker" else guests_of(self.worker)[:1]) if is_there else []
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        if what == "server":
            below = self.worker
            self.server.wait()
            self._end()
            waited(lambda: below is None or not is_alive(below), "the worker dies with the server")
        return bool(pids)

    def stop(self):
        """End everything in order, as Ctrl-C does."""
        if self.server is not None:
            self.server.send_signal(signal.SIGINT)
            self.server.wait(60)
            self._end()

    def _end(self):
        self.server.stderr.close()
        self.server = None
        if self.sending is not None:
            self.sending.join()

    def close(self):
        if self.server is not None:
            self.server.kill()
            self.server.wait()
            self._end()
        self.store.close()

    def asked(self, question, default=None):
        """Ask the records something; the default if the database is away."""
        with contextlib.suppress(ZermeloError):
            return question(self.records)
        return default
