"""A sandbox (processes/sandbox.py) in which this package can compile and play, and who gets one.

The process inside begins with an empty cache of its own in its private `/tmp`. Below it there is the compiled code of
this package, which can only be read, so that only the code of the user's files must be compiled. Nothing inside can
write to a cache that others use, because what stands there is run by whoever finds it. Nothing can read it either, or
the user's data: both may stand in a folder that can be read, such as that of the interpreter.
"""

import os
from collections.abc import Mapping
from pathlib import Path

from zermelo.calls import call_of
from zermelo.core import JIT
from zermelo.core.cache import cache_folder, code_of_ours
from zermelo.errors import ResourceError
from zermelo.files.folders import data_folder
from zermelo.games.catalogue import GAME_FILES
from zermelo.processes.sandbox import Sandbox, SandboxLimits, missing

INSIDE = "/job"
"""The folder in which a sandbox holds the files of the user."""

CODE = "/code"
"""The folder in which a sandbox holds our compiled code."""

ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "HOME": "/tmp",
    "ZERMELO_CACHE_DIR": "/tmp/cache",
    "ZERMELO_DATA_DIR": "/tmp/data",
    "PYTHONDONTWRITEBYTECODE": "1",
    "OPENBLAS_NUM_THREADS": "1",  # each thread takes room for its own stack and buffers
    "NUMBA_NUM_THREADS": "1",
}


def limits_of(sandbox: bool | SandboxLimits | None) -> SandboxLimits | None:
    """The limits of a sandbox that somebody asks for; None if nobody does. ResourceError if there can be none."""
    if sandbox is None or sandbox is False:
        return None
    reason = missing()
    if reason is not None:
        raise ResourceError("there is no sandbox on this machine: {reason}", reason=reason)
    return SandboxLimits() if sandbox is True else sandbox


def sandbox_with(
    limits: SandboxLimits,
    files: Mapping[Path, str] | None = None,
    game: str | None = None,
    hidden: tuple[Path, ...] = (),
    is_plain: bool = not JIT,
) -> Sandbox:
    """A sandbox that holds these files, by their places inside, and the compiled code of this package.

    game: a game whose own files are needed too, if it has any. is_plain: nothing is compiled in it.
    """
    inside, environment = _game_files(game) | dict(files or {}), dict(ENVIRONMENT)
    if is_plain:
        environment["NUMBA_DISABLE_JIT"] = "1"
    code = None if is_plain else code_of_ours()
    if code is not None:
        inside[code] = CODE
        environment["ZERMELO_CACHE_BELOW"] = CODE
    if os.environ.get(GAME_FILES):
        environment[GAME_FILES] = os.environ[GAME_FILES]
    return Sandbox(inside, (*hidden, cache_folder(), data_folder()), limits, environment)


def _game_files(game: str | None) -> dict[Path, str]:
    """The files of games that are not in this package. Inside, they have the same paths as outside."""
    paths = os.environ.get(GAME_FILES, "").split(os.pathsep)
    if game is not None:
        call = call_of(game)
        paths.append(call.name.rpartition(":")[0] if ".py:" in call.name else call.name if ".py" in call.name else "")
        paths.append(str(call.options.get("file", "")))
    found = [Path(path).expanduser() for path in paths if path]
    return {path: str(path.absolute()) for path in found if path.is_file()}
