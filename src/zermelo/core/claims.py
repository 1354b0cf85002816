"""Two processes never compile the same function at once: one claims it, and the other waits and takes the code.

A claim is one byte of the file `claims` in the cache folder, locked by the system. The byte's place follows from what
is compiled, nothing is ever written, and the system ends the claims of a process that dies. Claims only save work:
where files cannot be locked, or if a process waits too long for another one (which may be suspended), it compiles.
"""

import contextlib
import hashlib
import os
import time
from pathlib import Path
from typing import Any

try:
    import fcntl
except ModuleNotFoundError:  # on Windows, two processes may compile the same function
    fcntl = None  # type: ignore[assignment]

FILE = "claims"
PATIENCE = 30.0
"""Seconds to wait for another process; after waiting so long in vain, this process never waits again."""

LOOK_EVERY = 0.02
PLACES = 1 << 62


def _place(name: str) -> int:
    return int.from_bytes(hashlib.blake2b(name.encode("utf-8", "surrogatepass")).digest()[:8], "little") % PLACES


class Claims:
    """What this process is compiling."""

    def __init__(self) -> None:
        self._files: dict[Path, Any] = {}  # closing one would end all claims of this process in it
        self._held: set[tuple[Path, int]] = set()
        self._is_patient = True

    def take(self, folder: Path, name: str) -> bool:
        """Claim a name, and wait while another process has it. Return whether it did: there may be something new."""
        place = _place(name)
        if (folder, place) in self._held:
            return False
        has_waited, until = False, time.monotonic() + PATIENCE
        with contextlib.suppress(OSError):
            while not self._lock(folder, place):
                if not self._is_patient or time.monotonic() > until:
                    self._is_patient = False
                    return has_waited
                has_waited = True
                time.sleep(LOOK_EVERY)
        return has_waited

    def _lock(self, folder: Path, place: int) -> bool:
        """Claim a place, unless another process has it. OSError if files cannot be locked here."""
        if fcntl is None:
            return True
        file = self._files.get(folder)
        if file is None:
            folder.mkdir(parents=True, exist_ok=True)
            file = self._files[folder] = (folder / FILE).open("ab")
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
        except (BlockingIOError, PermissionError):
            return False
        self._held.add((folder, place))
        return True

    def give_back(self, folder: Path, name: str) -> None:
        """End a claim: what it was for is in the cache."""
        self._unlock(folder, _place(name))

    def release(self) -> None:
        """End all claims: nothing is being compiled any more."""
        for folder, place in list(self._held):
            self._unlock(folder, place)

    def _unlock(self, folder: Path, place: int) -> None:
        if (folder, place) in self._held:
            self._held.discard((folder, place))
            with contextlib.suppress(OSError):
                fcntl.lockf(self._files[folder], fcntl.LOCK_UN, 1, place)

    def close(self) -> None:
        """End all claims, and close the files."""
        self.release()
        for file in self._files.values():
            file.close()
        self._files.clear()

    def begin_again(self) -> None:
        """In a fork of this process, the claims belong to the parent."""
        self._held.clear()


claims = Claims()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=claims.begin_again)
