"""A sandbox for code that nobody vouches for: bubblewrap (`bwrap`), which needs no rights of an administrator.

Inside there is no network, the system and the interpreter can only be read, and `/tmp` is private and small. Other
processes cannot be seen, the environment is empty, and memory, processor time, processes and files are limited. Nothing
else of the machine's files is there: neither the home folder nor the current one, only what the owner binds.

Bubblewrap makes a user namespace, in which the code has no rights, and forbids further ones. Two things are different
if an administrator (root) starts it, as in most containers:

- The limit on processes does not bind root. So the files are bound by a first bubblewrap, which root runs without a
  user namespace; then `setpriv` changes to an ordinary user, and a second bubblewrap makes the user namespace. In this
  order, an interpreter that lives in a home folder of mode 700 can still be bound.
- Bubblewrap gives mode 700 to the folders above what it binds, so these folders are made first.
"""

import dataclasses
import functools
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from zermelo.language import _
from zermelo.processes.seccomp import machine

MEGABYTE = 1 << 20
TRIAL_SECONDS = 60.0
"""How long an empty sandbox may take to start before we say that there is none."""
SYSTEM = (
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/alternatives",
)
FIRST_USER, USERS = 60_000, 5_000
"""Root changes to one of these users. They own nothing, and each of our processes uses another one, because the limit
on processes counts all processes of a user."""


@dataclass(frozen=True)
class SandboxLimits:
    """What the code in a sandbox may use."""

    memory: int = 3072 * MEGABYTE  #: bytes of address space; a compiler needs about 1 GiB
    seconds: int = 3600  #: seconds of processor time of one process; how long one answer takes is limited elsewhere
    processes: int = 64  #: threads; there is only one process (see seccomp.py)
    file_size: int = 64 * MEGABYTE  #: bytes of one file
    room: int = 256 * MEGABYTE  #: bytes of all files in /tmp
    files: int = 20_000  #: files in /tmp
    open_files: int = 128
    output: int = 64 * MEGABYTE  #: bytes on standard error; answers have a limit of their own


@dataclass(frozen=True)
class Sandbox:
    """What the code inside gets to see."""

    files: Mapping[Path, str]  #: files and folders that can be read inside, and where they are found there
    hidden: tuple[Path, ...] = ()  #: files and folders that cannot be read inside, even if they stand in one that can
    limits: SandboxLimits = SandboxLimits()
    environment: Mapping[str, str] = dataclasses.field(default_factory=dict)  #: all that stands in it
    folder: str = "/tmp"  #: the folder in which the command starts
    is_root: bool | None = None  #: whether root starts it; None: as we are

    def wrapped(self, command: Sequence[str], environment: Mapping[str, str]) -> list[str]:
        """The command line that runs a command inside, with these variables beside our own environment."""
        root = os.geteuid() == 0 if self.is_root is None else self.is_root
        binds = {
            **{path: path for path in (*SYSTEM, *own_folders())},
            **{str(path): at for path, at in self.files.items()},
        }
        outer = ["bwrap", *_namespaces(), "--die-with-parent", "--new-session", "--clearenv"]
        for name, value in {**self.environment, **environment}.items():
            outer += ["--setenv", name, value]
        outer += [
            "--proc",
            "/proc",
            "--dev",
            "/dev",
            "--perms",
            "1777",
            "--size",
            str(self.limits.room),
            "--tmpfs",
            "/tmp",
        ]
        for folder in folders_above([*binds.values(), "/tmp"]):
            outer += ["--perms", "0755", "--dir", folder]
        for path, at in binds.items():
            outer += ["--ro-bind-try", path, at]
        for path, at in binds.items():
            for file in self.hidden:
                if file.resolve().is_relative_to(os.path.realpath(path)) and os.path.isdir(path):
                    inner_path = Path(at) / file.resolve().relative_to(os.path.realpath(path))
                    outer += _empty(str(inner_path)) if file.is_dir() else ["--ro-bind", os.devnull, str(inner_path)]
        outer += ["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", self.folder, "--cap-drop", "ALL"]
        inner = [*_limited(self.limits), *command]
        if not root:
            return [*outer, "--unshare-user", "--disable-userns", *inner]
        second = ["bwrap", "--unshare-user", "--disable-userns", "--dev-bind", "/", "/", "--cap-drop", "ALL"]
        return [*outer, "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", *_changed_user(), *second, *inner]


@dataclass(frozen=True)
class OtherUser:
    """Less than a sandbox: another user, who owns nothing. Root can have it where namespaces are forbidden (Docker).

    The code can read what everybody may read, and use the network. It can change nothing, and signal nobody.
    """

    limits: SandboxLimits = SandboxLimits()

    def wrapped(self, command: Sequence[str], environment: Mapping[str, str]) -> list[str]:
        """The command line that runs a command as another user, with this environment and nothing else in it."""
        given = [f"{name}={value}" for name, value in environment.items()]
        return [*_changed_user(), "env", "-i", *given, *_limited(self.limits), *command]


def _empty(folder: str) -> list[str]:
    """Show an empty folder instead of this one."""
    return ["--perms", "0755", "--size", "4096", "--tmpfs", folder, "--remount-ro", folder]


def _changed_user() -> list[str]:
    user = str(FIRST_USER + os.getpid() % USERS)
    return ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", "--no-new-privs", "--inh-caps=-all"]


def _limited(limits: SandboxLimits) -> list[str]:
    """The limits are set inside, where only the processes of the sandbox are counted."""
    return [
        "prlimit",
        f"--nproc={limits.processes}",
        f"--fsize={limits.file_size}",
        f"--cpu={limits.seconds}",
        f"--nofile={limits.open_files}",
        f"--as={limits.memory}",
        "--core=0",
    ]


def _namespaces() -> list[str]:
    return [f"--unshare-{what}" for what in ("ipc", "pid", "net", "uts", "cgroup-try")]


def own_folders() -> list[str]:
    """The folders of the interpreter, its libraries and this package. `-P` keeps it from reading any others."""
    paths = {sys.prefix, sys.base_prefix, os.path.realpath(sys.prefix), str(Path(__file__).parents[1])}
    paths |= {sysconfig.get_path(name) for name in ("purelib", "platlib", "stdlib")}
    paths |= {path for path in sys.path if os.path.basename(path) in ("site-packages", "dist-packages")}  # `pip --user`
    paths |= {os.path.realpath(path) for path in paths if path and os.pardir in Path(path).parts}  # ../venv/bin/python
    found = sorted(path for path in paths if path and os.path.isdir(path) and path not in ("/", "/usr"))
    return [path for path in found if not path.startswith("/usr/") and os.pardir not in Path(path).parts]


def interpreter(executable: str = sys.executable) -> str:
    """The interpreter by a path that exists in a sandbox too. The program itself may be a link, as it is in a venv."""
    folder, name = os.path.split(executable)
    return os.path.join(os.path.realpath(folder), name)


def folders_above(paths: Sequence[str]) -> list[str]:
    """All folders above these paths, from the top, except for the root itself."""
    above = {str(parent) for path in paths for parent in Path(path).parents}
    return sorted(above - {"/"})


def innermost(pid: int) -> int:
    """The process that a sandbox runs, as the system outside numbers it: the first one that is not bubblewrap's own.

    Raises OSError if there is none, or if the system does not tell.
    """
    while Path(f"/proc/{pid}/comm").read_text().strip() == "bwrap":
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        if not children:
            raise ProcessLookupError
        pid = int(children[0])
    return pid


def missing() -> str | None:
    """Why there can be no sandbox on this machine, and what to do about it, in words; None if there can."""
    if not sys.platform.startswith("linux"):
        return _("a sandbox needs Linux")
    if machine() is None:
        return _("a sandbox needs a processor of the kind x86-64 or ARM with 64 bits")
    needed = ["bwrap", "prlimit", *(["setpriv"] if os.geteuid() == 0 else [])]
    for program in needed:
        if shutil.which(program) is None:
            return _(
                "the program {program} is not installed; on Debian and Ubuntu it is in the package {package}"
            ).format(program=program, package="bubblewrap" if program == "bwrap" else "util-linux")
    reason = _trial("Sandbox", os.geteuid())
    if reason is None:
        return None
    return _(
        "bubblewrap does not work here ({reason}); the system may forbid user namespaces, as some containers do, and "
        "as Ubuntu does from version 24.04 on until sysctl kernel.apparmor_restrict_unprivileged_userns=0"
    ).format(reason=reason)


@functools.cache
def can_be_another_user() -> bool:
    """Can code at least run as another user? Root can have that, if everybody may read the interpreter."""
    is_root = sys.platform.startswith("linux") and os.geteuid() == 0
    return (
        is_root
        and bool(shutil.which("setpriv") and shutil.which("prlimit"))
        and _trial("OtherUser", os.geteuid()) is None
    )


@functools.cache
def _trial(name: str, euid: int) -> str | None:
    """Why the interpreter cannot run in a sandbox, or as another user; None if it can. euid: who tries it."""
    box: Sandbox | OtherUser
    box = Sandbox({}) if name == "Sandbox" else OtherUser()
    code = (
        f"import sys; sys.path.append({str(Path(__file__).parents[2])!r}); import zermelo.language; "
        "from zermelo.processes.seccomp import put_on; put_on()"
    )
    command = box.wrapped([interpreter(), "-I", "-S", "-c", code], {"PATH": "/usr/bin:/bin"})
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=TRIAL_SECONDS, cwd=os.sep)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    lines = done.stderr.strip().splitlines()
    return None if done.returncode == 0 else (lines[-1] if lines else f"{command[0]}: {done.returncode}")
