"""Contestants try to get out of the sandbox, in the process in which contestants really play. None may succeed.

Each escape is a few lines of Python; it has succeeded if they run to their end. Those that leave their process alive
run one after the other in one player. To show that the tests can fail, the harmless ones are also run in the same
process without a sandbox, where they must succeed. `python tests/processes/test_escapes.py` prints the table.
"""

import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import pytest

from zermelo.core.cache import cache_folder, code_of_ours
from zermelo.files.neighbours import write_readable
from zermelo.processes.foreign import ForeignProcess, ProcessFault
from zermelo.processes.orders import START
from zermelo.processes.sandbox import Sandbox, SandboxLimits, folders_above, missing, own_folders
from zermelo.processes.seccomp import MACHINES, REFUSED, machine
from zermelo.tournaments.guests import GuestProcess

pytestmark = pytest.mark.skipif(missing() is not None, reason=f"there is no sandbox here: {missing()}")

LIMITS = SandboxLimits(file_size=1 << 22, room=1 << 25, seconds=300, output=1 << 22, files=5000)
PLAYER = "player(code=mine.py:Mine)"


class Escape(NamedTuple):
    """One attempt. works_outside: it is harmless, and must succeed where there is no sandbox."""

    kind: str
    name: str
    code: str
    works_outside: bool = False


OUT = True
ESCAPES = [
    Escape("files", "read a file in the home folder", "assert Path(HOME_FILE).read_text()", OUT),
    Escape("files", "list the home folder", "assert Path(HOME_FILE).name in os.listdir(Path(HOME_FILE).parent)", OUT),
    Escape("files", "read the passwords", "Path('/etc/shadow').read_text()"),
    Escape("files", "read the list of users", "Path('/etc/passwd').read_text()", OUT),
    Escape("files", "read the database", "assert Path(WORK, 'arena.db').read_bytes()", OUT),
    Escape("files", "read the tokens", "assert Path(WORK, 'owner.key').read_text()", OUT),
    Escape("files", "read the rubric", "assert Path(WORK, 'rubric.toml').read_text()", OUT),
    Escape("files", "read another submission", "assert Path(WORK, 'other.py').read_text()", OUT),
    Escape("files", "follow a symbolic link", "os.symlink(f'{WORK}/arena.db', f'{MY}/l'); open(f'{MY}/l').read()", OUT),
    Escape("files", "make a hard link", "os.link(f'{WORK}/arena.db', f'{MY}/hard'); open(f'{MY}/hard').read()", OUT),
    Escape("files", "climb up with ..", "os.chdir(MY); open('../' * 30 + WORK.lstrip('/') + '/arena.db').read()", OUT),
    Escape("files", "go through the root of process 1", "open(f'/proc/1/root{WORK}/arena.db').read()"),
    Escape("files", "go through the root of the owner", "open(f'/proc/{OWNER}/root{WORK}/arena.db').read()", OUT),
    Escape("files", "write outside", "Path(WORK, 'touched').write_text('x')", OUT),
    Escape("files", "write to the root folder", "Path('/mine').write_text('x')"),
    Escape("files", "write to the system", "Path('/usr/mine').write_text('x')"),
    Escape("files", "write to the library", "Path(json.__file__).parent.joinpath('mine.py').write_text('x')"),
    Escape("files", "change zermelo itself", "Path(zermelo.__file__).open('a').write('')", OUT),
    Escape("files", "make a device", "os.mknod(f'{MY}/disk', 0o60666, os.makedev(254, 0)); open(f'{MY}/disk')"),
    Escape("files", "read the kernel's memory", "open('/dev/mem', 'rb').read(1)"),
    Escape("files", "read the kernel's messages", "os.open('/dev/kmsg', os.O_RDONLY)"),
    Escape("files", "use the terminal of the owner", "os.open('/dev/tty', os.O_RDWR)"),
    Escape(
        "files",
        "fill /dev/shm",
        "Path('/dev/shm/zermelo-escape').write_text(''); os.unlink('/dev/shm/zermelo-escape')",
        OUT,
    ),
    Escape("cache", "see another student's compiled code", "assert 'students.secret' in seen_code()", OUT),
    Escape("cache", "poison the cache that others use", "Path(CACHE, 'poison.nbc').write_bytes(b'x')", OUT),
    Escape("cache", "poison zermelo's own code", "Path(BELOW, 'poison.nbc').write_bytes(b'x')", OUT),
    Escape("cache", "replace zermelo's own code", "p = next(Path(BELOW).glob('*.nbc')); os.rename(p, p)"),
    Escape("network", "a server of this machine", "socket.create_connection(('127.0.0.1', PORT), 20)", OUT),
    Escape("network", "another machine", "socket.create_connection(('192.0.2.1', 80), 1)"),
    Escape("network", "listen", "socket.create_server(('127.0.0.1', 0))", OUT),
    Escape("network", "raw packets", "call('socket', 17, 3, 0)"),
    Escape("network", "talk to the kernel (netlink)", "call('socket', 16, 3, 0)", OUT),
    Escape("network", "a socket file of the host", "socket.socket(socket.AF_UNIX).connect(f'{WORK}/s')", OUT),
    Escape("network", "an abstract socket of the host", "socket.socket(socket.AF_UNIX).connect(ABSTRACT)", OUT),
    Escape("processes", "see the owner", "assert Path(f'/proc/{OWNER}/cmdline').exists()", OUT),
    Escape("processes", "read the owner's environment", "assert Path(f'/proc/{OWNER}/environ').read_bytes()", OUT),
    Escape("processes", "read the owner's memory", "assert Path(f'/proc/{OWNER}/maps').read_text()", OUT),
    Escape(
        "processes",
        "find a secret in an environment",
        "assert any(b'hidden-secret' in text for text in environs())",
        OUT,
    ),
    Escape("processes", "signal the owner", "os.kill(OWNER, 0)", OUT),
    Escape("processes", "kill the owner", "os.kill(OWNER, signal.SIGKILL)"),
    Escape("processes", "start a process", "os.fork() or os.kill(os.getpid(), 9)", OUT),
    Escape("processes", "start a program", "subprocess.run(['true'], check=True)", OUT),
    Escape("processes", "run a setuid program", "subprocess.run(['su', '-c', 'true'], check=True, stdin=-3)"),
    Escape("processes", "become another program", "os.execv('/bin/true', ['true'])"),
    Escape("processes", "a bomb of processes", "bomb()"),
    Escape("processes", "a bomb of threads", "threads(500)"),
    Escape("processes", "trace a process", "call('ptrace', 16, OWNER, 0, 0)"),
    Escape("processes", "read memory of a process", "peek()", OUT),
    Escape("processes", "a handle of a process", "call('pidfd_open', os.getpid(), 0)", OUT),
    Escape("processes", "use inherited files", "assert other_files()"),
    Escape("kernel", "mount a file system", "call('mount', b'none', MY.encode(), b'tmpfs', 0, None)"),
    Escape("kernel", "remount the system for writing", "call('mount', None, b'/usr', None, 4096 | 32, None)"),
    Escape("kernel", "unmount", "call('umount2', b'/proc', 2)"),
    Escape("kernel", "mount by the new calls", "call('fsopen', b'tmpfs', 0)"),
    Escape("kernel", "a user namespace by unshare", "call('unshare', 0x10000000)"),
    Escape("kernel", "a user namespace by clone", "namespace_by_clone()"),
    Escape("kernel", "clone3", "call_number(435, None, 0)  # EINVAL would mean that the filter lets it through"),
    Escape("kernel", "enter the namespace of process 1", "call('setns', os.open('/proc/1/ns/net', 0), 0)"),
    Escape("kernel", "change the root", "os.chroot(MY)"),
    Escape("kernel", "pivot_root", "call('pivot_root', MY.encode(), MY.encode())"),
    Escape("kernel", "keys of the kernel", "call('keyctl', 0, -3, 1)"),
    Escape("kernel", "bpf", "call('bpf', 0, bytes(64), 64)"),
    Escape("kernel", "io_uring", "call('io_uring_setup', 1, bytes(256))"),
    Escape("kernel", "userfaultfd", "call('userfaultfd', 1)"),
    Escape("kernel", "performance counters", "call('perf_event_open', bytes(128), 0, -1, -1, 0)"),
    Escape("kernel", "files by their handles", "call('name_to_handle_at', -100, MY.encode(), bytes(256), bytes(8), 0)"),
    Escape("kernel", "load a module", "call('init_module', b'', 0, b'')"),
    Escape("kernel", "personality", "call('personality', 0xFFFFFFFF)", OUT),
    Escape("kernel", "set the clock", "import time; time.clock_settime(0, time.time())"),
    Escape("kernel", "restart the machine", "call('reboot', 0, 0, 0, None)"),
    Escape("kernel", "type in the terminal", "import fcntl; fcntl.ioctl(0, 0x5412, b'x')"),
    Escape("rights", "become root", "os.setuid(0) if os.getuid() else os.setgroups([0])"),
    Escape("rights", "get privileges back", "libc.prctl(38, 0, 0, 0, 0) == 0 or fail()"),
    Escape("rights", "have a capability", "assert int(status('CapEff'), 16)"),
    Escape("rights", "gain rights by new programs", "assert status('NoNewPrivs') == '0'"),
    Escape("rights", "be without the filter", "assert status('Seccomp') == '0'"),
    Escape("limits", "raise a limit", "resource.setrlimit(resource.RLIMIT_AS, (1 << 50, 1 << 50))"),
    Escape("limits", "take memory", "bytearray(8 << 30)"),
    Escape("limits", "take memory by mapping", "mmap.mmap(-1, 8 << 30)"),
    Escape("limits", "take memory by files of memory", "os.memfd_create('mine')", OUT),
    Escape("limits", "take shared memory", "call('shmget', 0, 1 << 20, 0o1600)"),
    Escape("limits", "write a large file", "large_file()"),
    Escape("limits", "fill the disk", "fill()"),
    Escape("limits", "open many files", "kept = [open('/dev/null') for _ in range(5000)]"),
]
"""The escapes that leave their process alive. They all run in one."""

HELPERS = """
import ctypes, json, mmap, os, resource, signal, socket, subprocess, sys, threading
from pathlib import Path
import zermelo

libc = ctypes.CDLL(None, use_errno=True)

def call_number(number, *arguments):
    ctypes.set_errno(0)
    whole = [ctypes.c_long(one) if isinstance(one, int) else one for one in (number, *arguments)]
    if libc.syscall(*whole) == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))

def call(name, *arguments):
    call_number(NUMBERS[name], *arguments)

def fail():
    raise OSError

def status(name):
    lines = Path("/proc/self/status").read_text().splitlines()
    return dict(line.split(":\\t", 1) for line in lines if ":\\t" in line)[name]

def environs():
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            yield (folder / "environ").read_bytes()
        except OSError:
            pass

def seen_code():
    names = []
    for folder in (CACHE, BELOW, "/tmp/cache"):
        if os.path.isdir(folder):
            names += os.listdir(folder)
    return " ".join(names)

def other_files():
    paths = [f"/proc/self/fd/{fd}" for fd in os.listdir("/proc/self/fd")]
    names = [os.readlink(path) for path in paths if os.path.exists(path)]
    usual = "/dev/null", "/proc/", "/tmp/", MY
    return [name for name in names if name.startswith("/") and not name.startswith(usual)]

def peek():
    here = ctypes.create_string_buffer(b"secret", 8)
    there = ctypes.create_string_buffer(8)
    pair = (ctypes.c_uint64 * 2)(ctypes.addressof(there), 8), (ctypes.c_uint64 * 2)(ctypes.addressof(here), 8)
    call("process_vm_readv", os.getpid(), pair[0], 1, pair[1], 1, 0)

def namespace_by_clone():
    number = {"x86_64": 56}.get(os.uname().machine, 220)
    call_number(number, 0x10000000 | 17, None, None, None, None)

def bomb():
    made = []
    try:
        for _ in range(500):
            pid = os.fork()
            if pid == 0:
                signal.pause()
            made.append(pid)
    finally:
        for pid in made:
            os.kill(pid, 9)
            os.waitpid(pid, 0)

def threads(number):
    done = threading.Event()
    try:
        for _ in range(number):
            threading.Thread(target=done.wait, daemon=True).start()
    finally:
        done.set()

def large_file():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        with open("/tmp/large", "wb") as file:
            for _ in range(8):
                file.write(bytes(1 << 20)); file.flush()
    finally:
        os.unlink("/tmp/large")

def fill():
    try:
        for i in range(40):
            Path(f"/tmp/part{i}").write_bytes(bytes(1 << 20))
    finally:
        for part in Path("/tmp").glob("part*"):
            part.unlink()

def tried(number, code):
    try:
        exec(code, globals())
    except BaseException as error:
        reason = error.strerror if isinstance(error, OSError) else None
        return reason or f"{type(error).__name__}: {error}".rstrip(": ")
    return None

class Mine:
    def choose(self, position):
        for number, code in WANTED:
            print("ESCAPE", json.dumps([number, tried(number, code)]), file=sys.stderr, flush=True)
        print("ESCAPE THE END", file=sys.stderr, flush=True)
        return position.moves[0]
"""


@contextlib.contextmanager
def scene():
    """Files, servers and secrets that an escape could reach."""
    with contextlib.ExitStack() as stack:
        work = stack.enter_context(tempfile.TemporaryDirectory(prefix="zermelo-scene-"))
        my = stack.enter_context(tempfile.TemporaryDirectory(prefix="zermelo-mine-", dir=Path(work).parent))
        home = stack.enter_context(tempfile.NamedTemporaryFile(dir=Path.home(), prefix=".zermelo-escape-", mode="w"))
        home.write("private")
        home.flush()
        for name in ("arena.db", "owner.key", "rubric.toml", "other.py"):
            Path(work, name).write_text("private")
        server = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        local = stack.enter_context(socket.socket(socket.AF_UNIX))
        local.bind(f"{work}/s")
        local.listen()
        abstract = f"\0zermelo-escape-{os.getpid()}"
        other = stack.enter_context(socket.socket(socket.AF_UNIX))
        other.bind(abstract)
        other.listen()
        secret = Path(cache_folder(), "students.secret-0.nbc")
        cache_folder().mkdir(parents=True, exist_ok=True)
        secret.write_bytes(b"code")
        code_of_ours()
        stack.callback(secret.unlink)
        stack.callback(Path(cache_folder(), "poison.nbc").unlink, missing_ok=True)
        stack.callback(Path(cache_folder(), "ours", "poison.nbc").unlink, missing_ok=True)
        at = list(MACHINES).index(machine())
        yield {
            "HOME_FILE": home.name,
            "WORK": work,
            "OWNER": os.getpid(),
            "PORT": server.getsockname()[1],
            "ABSTRACT": abstract,
            "CACHE": str(cache_folder()),
            "NUMBERS": {name: numbers[at] for name, numbers in REFUSED.items()},
            "OUTSIDE_MY": my,
        }


def run_all(values, escapes, sandbox):
    """What became of each escape: None if it succeeded, or the error that ended it."""
    more = (
        {"MY": "/tmp", "BELOW": "/code"}
        if sandbox
        else {"MY": values["OUTSIDE_MY"], "BELOW": f"{values['CACHE']}/ours"}
    )
    wanted = [(ESCAPES.index(escape), escape.code) for escape in escapes]
    text = "".join(f"{name} = {value!r}\n" for name, value in {**values, **more, "WANTED": wanted}.items()) + HELPERS
    with GuestProcess("tictactoe", {"mine.py": {"mine.py": text}}, sandbox) as guest:
        guest.seat(PLAYER, 120)
        guest.order("think", player=PLAYER, places=[["", []]])
        assert guest.answer(120) == {"begun": True}
        answer = guest.answer(300)
        assert "choice" in answer, answer
        deadline = time.monotonic() + 60
        while "ESCAPE THE END\n" not in guest._process.errors and time.monotonic() < deadline:
            time.sleep(0.01)
        lines = [line for line in guest._process.errors.splitlines() if line.startswith("ESCAPE [")]
    return dict(json.loads(line.removeprefix("ESCAPE ")) for line in lines)


def test_no_escape_succeeds(monkeypatch, record_property):
    monkeypatch.setenv("ZERMELO_ESCAPE", "hidden-secret")
    with scene() as values:
        ended = run_all(values, ESCAPES, LIMITS)
        assert not Path(values["WORK"], "touched").exists()
    check_ended(ended)
    record_property("figure", [20, "escapes from the sandbox", "0", f"0 of {len(ESCAPES) + len(LONELY)}"])


def check_ended(ended):
    assert len(ended) == len(ESCAPES)
    assert not [ESCAPES[number].name for number, error in ended.items() if error is None]
    mistakes = ("NameError", "SyntaxError", "TypeError", "AttributeError")
    assert not [error for error in ended.values() if error.startswith(mistakes)], "such an attempt proves nothing"


def test_without_the_sandbox_the_harmless_ones_succeed(monkeypatch):
    monkeypatch.setenv("ZERMELO_ESCAPE", "hidden-secret")
    harmless = [escape for escape in ESCAPES if escape.works_outside]
    with scene() as values:
        ended = run_all(values, harmless, None)
    failed = {ESCAPES[number].name: error for number, error in ended.items() if error is not None}
    assert not failed
    assert len(ended) == len(harmless) >= 25


# ------------------------------------------------------------------------------------------ those that end a process


class Lonely(NamedTuple):
    """An attempt to harm the owner, which ends the process. fault: what the owner says about it."""

    name: str
    code: str
    fault: str


LONELY = [
    Lonely("loop without end", "while True: pass", "timeout"),
    Lonely("loop without end in C", "sum(range(10**15))", "timeout"),
    Lonely("loop and ignore all signals", "ignore_signals()\nwhile True: pass", "timeout"),
    Lonely("stop itself", "os.kill(os.getpid(), signal.SIGSTOP)", "timeout"),
    Lonely("leave a daemon behind", "daemon()\nwhile True: pass", "timeout"),
    Lonely(
        "flood the answers",
        "while True: os.write(PIPE, b'x' * 100 + b'\\n')",
        "wrong answer: its process wrote something",
    ),
    Lonely(
        "an answer that never ends",
        "while True: os.write(PIPE, b'x' * 65536)",
        "wrong answer: the process wrote a line",
    ),
    Lonely(
        "flood standard error", "while True: os.write(2, b'x' * 65535 + b'\\n')", "crash: the process wrote more than"
    ),
    Lonely("flood standard output", "while True: print('x' * 65535)", "crash: the process wrote more than"),
    Lonely("a forged answer", "os.write(PIPE, b'[\"I won\"]\\n')", "wrong answer: its process wrote something"),
    Lonely("deeply nested JSON", "os.write(PIPE, b'[' * 50000 + b'\\n')", "wrong answer: its process wrote something"),
    Lonely(
        "a number of many digits", "os.write(PIPE, b'9' * 60000 + b'\\n')", "wrong answer: its process wrote something"
    ),
    Lonely("close the pipe and go on", "os.close(PIPE)\nwhile True: pass", "timeout"),
    Lonely("kill all processes", "os.kill(-1, signal.SIGKILL)\nos._exit(3)", "crash"),
    Lonely("kill its group", "os.kill(0, signal.SIGKILL)", "crash"),
    Lonely("make files without end", "files_without_end()", "crash: the process made more than"),
    Lonely(
        "use up the processor",
        "resource.setrlimit(resource.RLIMIT_CPU, (1, 1))\nwhile True: pass",
        "crash: its process died of SIGKILL",
    ),
]

MODULE = """
import ctypes, json, os, resource, signal, sys
import zermelo.processes.orders
from zermelo.processes.foreign import tell_of_the_end
from zermelo.processes.orders import Orders

def ignore_signals():
    for number in range(1, 65):
        try:
            signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError):
            pass

def daemon():
    try:
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                while True: pass
    except OSError:
        pass

def files_without_end():
    number = 0
    while True:
        number += 1
        os.close(os.open(f"/tmp/{number}", os.O_CREAT))

def run(code):
    exec(code, globals())
    yield {"done": True, "said": globals().get("said")}

def main():
    global PIPE
    orders = Orders()
    PIPE = orders._output.fileno()
    tell_of_the_end()
    orders.serve({"run": run})
"""


@contextlib.contextmanager
def lonely(tmp_path, limits=LIMITS):
    """A process in the sandbox that runs what it is told, with the owner that contestants have."""
    folder = Path(tempfile.mkdtemp(dir=tmp_path))
    write_readable(folder, {"lonely.py": MODULE})
    environment = {"PATH": "/usr/bin", "PYTHONPATH": "/job", "PYTHONDONTWRITEBYTECODE": "1"}
    process = ForeignProcess("lonely", Sandbox({folder: "/job"}, limits=limits, environment=environment))
    try:
        process.greet()
        yield process
    finally:
        process.kill()


def attempt(one, tmp_path):
    """What the owner says about an attempt, after which everything that ran in the sandbox is dead."""
    with lonely(tmp_path) as process:
        pid = process._process.inner_pid
        process.order("run", code=one.code)
        with pytest.raises(ProcessFault) as fault:
            process.answer(0.2 if one.fault == "timeout" else 120)
        wait_until_dead(pid)
        assert len(process._process.errors) < 1 << 20
    return fault.value.reason


def wait_until_dead(pid):
    deadline = time.monotonic() + 60
    while Path(f"/proc/{pid}").exists():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_the_owner_survives_and_nothing_is_left(tmp_path):
    """Most of the time is waiting, so several are tried at once."""
    with ThreadPoolExecutor(6) as pool:
        reasons = dict(zip(LONELY, pool.map(lambda one: attempt(one, tmp_path), LONELY), strict=True))
    assert not [(one.name, reason) for one, reason in reasons.items() if not reason.startswith(one.fault)]


def test_nothing_is_left_for_the_next_process(tmp_path):
    """What a process changes in the library, or leaves in /tmp, reaches nobody else."""
    with lonely(tmp_path) as first:
        code = "zermelo.processes.orders.START = 'patched'; open('/tmp/left', 'w').write('x')"
        first.order("run", code=code)
        assert first.answer(60)["done"]
        with lonely(tmp_path) as second:
            second.order("run", code="said = [zermelo.processes.orders.START, os.path.exists('/tmp/left')]")
            assert second.answer(60)["said"] == [START, False]


def test_a_process_that_has_used_half_of_its_time_is_known(tmp_path, monkeypatch):
    monkeypatch.setattr("zermelo.processes.foreign.LOOK_EVERY", 0.0)
    with lonely(tmp_path) as process:
        assert not process.is_worn
        process._seconds = 0.01  # to start takes longer than half of that
        assert process.is_worn


# ------------------------------------------------------------------------------------------ root and ordinary users


@pytest.mark.skipif(os.geteuid() != 0, reason="an ordinary user runs all of these tests anyway")
def test_it_holds_for_an_ordinary_user():
    """Root runs the same table as an ordinary user, who may read the interpreter even if it is in root's home."""
    with tempfile.TemporaryDirectory(prefix="zermelo-user-") as folder:  # pytest closes its own to other users
        Path(folder).chmod(0o755)
        told = told_to_an_ordinary_user(Path(folder) / "cache", Path(folder) / "home")
    assert told["user"] == 61234
    check_ended({int(number): error for number, error in told["ended"].items()})


def told_to_an_ordinary_user(cache, home):
    shutil.copytree(code_of_ours(), cache)
    home.mkdir()
    for folder in (cache, home):
        shutil.chown(folder, 61234, 61234)
        folder.chmod(0o700)
    private = [folder for folder in own_folders() if Path(folder).is_relative_to(Path.home())]
    outer = ["bwrap", "--dev-bind", "/", "/", "--perms", "0755", "--tmpfs", str(Path.home())]
    for folder in folders_above(private):
        outer += ["--perms", "0755", "--dir", folder] if Path(folder).is_relative_to(Path.home()) else []
    for folder in private:
        outer += ["--ro-bind", folder, folder]
    user = ["setpriv", "--reuid=61234", "--regid=61234", "--clear-groups", "--inh-caps=-all"]
    names = {"HOME": home, "TMPDIR": home, "ZERMELO_CACHE_DIR": cache, "ZERMELO_ESCAPE": "hidden-secret"}
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **{name: str(path) for name, path in names.items()}}
    done = subprocess.run(
        [*outer, "--cap-add", "ALL", *user, sys.executable, __file__, "--json"],
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
        cwd=os.sep,
    )
    assert done.returncode == 0 and done.stdout, (done.stdout, done.stderr)
    return json.loads(done.stdout)


# ------------------------------------------------------------------------------------------ the table


def test_the_page_has_them_all():
    page = Path(__file__).parents[2].joinpath("docs/explanation/sandbox.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1:3] for line in page.splitlines() if line.startswith("| ")]
    tried = [(escape.kind, escape.name) for escape in ESCAPES] + [("the owner", one.name) for one in LONELY]
    assert [row for row in tried if [f" {row[0]} ", f" {row[1]} "] not in rows] == []


def main():
    os.environ["ZERMELO_ESCAPE"] = "hidden-secret"
    with scene() as values:
        ended = run_all(values, ESCAPES, LIMITS)
        if "--json" in sys.argv:
            print(json.dumps({"user": os.getuid(), "ended": ended}))
            return
        outside = run_all(values, [escape for escape in ESCAPES if escape.works_outside], None)
    print("| What | Attempt | In the sandbox | Without it |")
    print("|---|---|---|---|")
    for number, escape in enumerate(ESCAPES):
        without = "" if number not in outside else "succeeds" if outside[number] is None else outside[number]
        said = {None: "SUCCEEDS", "AssertionError": "there is nothing", "OSError": "refused"}
        print(f"| {escape.kind} | {escape.name} | {said.get(ended[number], ended[number])} | {without} |")
    for one in LONELY:
        with tempfile.TemporaryDirectory() as folder:
            print(f"| the owner | {one.name} | {attempt(one, Path(folder))} | |")
    print(f"{len(ESCAPES) + len(LONELY)} tried, {sum(error is None for error in ended.values())} succeeded")


if __name__ == "__main__":
    main()
