"""Pieces of work for the tests: they do odd things, once or always. Other processes import this module."""

import json
import os
import signal
import time
from pathlib import Path

from zermelo.errors import HeuristicError


def do(settings, data, piece, stopped):
    """The piece and its double; every time a piece is done, its number is added to a file."""
    folder = Path(json.loads(settings)["folder"])
    with open(folder / "done", "a") as file:
        file.write(f"{piece}\n")
    if piece == "wait":
        while not stopped.is_set():
            time.sleep(0.01)
        raise InterruptedError
    if piece == "refuse":
        raise HeuristicError("line 3 of {it}", it="mine.py")
    if piece == "bug":
        raise KeyError("bug")
    if piece == "die once" and not (folder / "dead").exists():
        (folder / "dead").touch()
        os.kill(os.getpid(), signal.SIGKILL)
    if piece == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    return json.dumps([piece, 2 * piece, data.decode()]).encode()
