"""The keeper of a worker: it starts the worker again, says why, and leaves nothing running."""

import os
import queue
import signal
import subprocess
import sys
import time

from zermelo.arena.keeper import Keeper

LIVES = """
import os, signal, time
from pathlib import Path
from zermelo.processes.orders import Orders

def main():
    orders = Orders(lambda: folder and (folder / "ended").write_text("yes"))
    folder = None
    order = orders.next()
    folder = Path(order["folder"])
    life = len(list(folder.glob("life*")))
    (folder / f"life{life}").write_text(str(os.getpid()))
    if life == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    if life == 1:
        raise RuntimeError("the second life is short")
    if life == 2:
        time.sleep(3600)  # it hangs: no sign of life
    while True:
        orders.say({"alive": True})
        time.sleep(0.1)
"""


def is_alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def waited(is_so, seconds=60):
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_a_worker_that_dies_or_hangs_is_started_again_and_ends_when_it_is_told(tmp_path, monkeypatch):
    (tmp_path / "lives_of_a_worker.py").write_text(LIVES)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]))
    monkeypatch.setattr("zermelo.arena.keeper.HEALTHY", 3600)  # (the machine may pause)
    told = queue.SimpleQueue()
    order = {"do": "work", "folder": str(tmp_path)}
    keeper = Keeper(order, told.put, module="lives_of_a_worker", first_delay=0.01, silence=3)
    keeper.start()
    try:
        states = [told.get(timeout=60) for _ in range(7)]
        waited(lambda: (tmp_path / "life3").exists())
    finally:
        keeper.stop()
    assert [state["state"] for state in states] == ["running", "waiting"] * 3 + ["running"]
    assert [state["starts"] for state in states] == [1, 1, 2, 2, 3, 3, 4]
    whys = [state["why"] for state in states if "why" in state]
    assert "ended" in whys[0]
    assert "RuntimeError: the second life is short" in whys[1]
    assert whys[2] == "the worker said nothing for 3 seconds and was killed"
    assert [state["again_in"] for state in states if "why" in state] == [0.01, 0.02, 0.04]
    assert (tmp_path / "ended").exists(), "it was told to end before it was killed"
    assert not any(is_alive(int((tmp_path / f"life{life}").read_text())) for life in range(4))


OWNER = """
import sys, time
from zermelo.arena.keeper import Keeper
Keeper({"do": "work", "folder": sys.argv[1]}, module="lives_of_a_worker", first_delay=0.01, silence=600).start()
time.sleep(3600)
"""


def test_a_worker_dies_with_the_process_that_keeps_it_even_if_it_hangs(tmp_path, monkeypatch):
    (tmp_path / "lives_of_a_worker.py").write_text(LIVES)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]))
    owner = subprocess.Popen([sys.executable, "-c", OWNER, str(tmp_path)])
    try:
        last = tmp_path / "life2"
        waited(lambda: last.exists() and last.read_text())
    finally:
        os.kill(owner.pid, signal.SIGKILL)
        owner.wait()
    waited(lambda: not is_alive(int(last.read_text())))
