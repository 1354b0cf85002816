"""Code in the sandbox tries to get out: to files, to the network, to other processes, and past its limits."""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

import waiting
from zermelo.processes.sandbox import OtherUser, Sandbox, SandboxLimits, missing

pytestmark = pytest.mark.skipif(missing() is not None, reason=f"there is no sandbox here: {missing()}")

ENVIRONMENT = {"PATH": "/usr/bin:/bin", "HOME": "/tmp"}
SMALL = SandboxLimits(memory=1 << 30, processes=40, file_size=1 << 22, room=1 << 23, seconds=60)

ESCAPES = """
import ctypes, json, mmap, os, resource, signal, socket, subprocess, sys, time
from pathlib import Path

RUBRIC, OTHER, PORT, OUTSIDE, SOCKET = sys.argv[1:6]
tried = {}

def tries(attempt):
    try:
        tried[attempt.__name__] = repr(attempt() or "")
    except BaseException as error:
        tried[attempt.__name__] = None
        print(attempt.__name__, type(error).__name__, error, file=sys.stderr)
    return attempt

@tries
def read_rubric(): return Path(RUBRIC).read_text() or "empty"
@tries
def read_rubric_by_a_link(): os.symlink(RUBRIC, "/tmp/link"); return Path("/tmp/link").read_text()
@tries
def read_rubric_from_the_root_of_init(): return Path(f"/proc/1/root{RUBRIC}").read_text()
@tries
def read_another_submission(): return Path(OTHER).read_text()
@tries
def list_the_folder_of_the_submission(): assert os.listdir("/job") != ["mine.py"]
@tries
def read_passwords(): return Path("/etc/shadow").read_text()
@tries
def find_a_secret_in_the_environment():
    texts = [p.read_bytes() for p in Path("/proc").glob("[0-9]*/environ") if os.access(p, os.R_OK)]
    assert any(b"SECRET" in text for text in texts) or "SECRET" in os.environ
@tries
def see_other_processes(): assert str(OUTSIDE) in os.listdir("/proc") and int(OUTSIDE) > 50
@tries
def kill_the_teacher(): os.kill(int(OUTSIDE), signal.SIGKILL)
@tries
def trace_another_process():
    assert ctypes.CDLL(None, use_errno=True).ptrace(16, int(OUTSIDE), None, None) == 0
@tries
def connect_to_a_server_of_this_machine(): socket.create_connection(("127.0.0.1", int(PORT)), 2)
@tries
def connect_elsewhere(): socket.create_connection(("192.0.2.1", 80), 1)
@tries
def connect_to_a_socket_file(): s = socket.socket(socket.AF_UNIX); s.connect(SOCKET)
@tries
def connect_to_an_abstract_socket(): s = socket.socket(socket.AF_UNIX); s.connect("\\0zermelo-escape")
@tries
def write_to_the_root(): Path("/mine").write_text("x")
@tries
def write_to_the_system(): Path("/usr/mine").write_text("x")
@tries
def write_to_the_library(): (Path(sys.prefix) / "mine").write_text("x")
@tries
def change_the_submission(): Path("/job/mine.py").write_text("x")
@tries
def become_root(): os.setuid(0)
@tries
def mount_something(): assert ctypes.CDLL(None).mount(b"none", b"/tmp", b"tmpfs", 0, None) == 0
@tries
def remount_for_writing(): assert ctypes.CDLL(None).mount(None, b"/usr", None, 4096 | 32, None) == 0
@tries
def make_a_user_namespace(): assert ctypes.CDLL(None).unshare(0x10000000) == 0
@tries
def change_the_root(): os.chroot("/tmp")
@tries
def make_a_device(): os.mknod("/tmp/disk", 0o60666, os.makedev(254, 0)); open("/tmp/disk", "rb").read(1)
@tries
def read_memory(): return open("/dev/mem", "rb").read(1)
@tries
def use_inherited_files(): assert [n for n in os.listdir("/proc/self/fd") if int(n) > 3]
@tries
def raise_a_limit(): resource.setrlimit(resource.RLIMIT_NPROC, (10000, 10000))
@tries
def take_memory(): b = bytearray(3 << 30)
@tries
def write_a_large_file():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    with open("/tmp/large", "wb") as file: file.write(bytes(6 << 20)); file.flush()
@tries
def fill_the_disk():
    for i in range(6):
        with open(f"/tmp/part{i}", "wb") as file: file.write(bytes(3 << 20))
@tries
def fork_without_end():
    children = []
    try:
        for _ in range(200):
            pid = os.fork()
            if pid == 0:
                time.sleep(60); os._exit(0)
            children.append(pid)
    finally:
        for pid in children: os.kill(pid, 9)
        for pid in children: os.waitpid(pid, 0)
print(json.dumps(tried))
"""


def inside(command, sandbox, **more):
    return subprocess.run(
        sandbox.wrapped(command, ENVIRONMENT), capture_output=True, text=True, timeout=300, cwd=os.sep, **more
    )


def test_nothing_gets_out(tmp_path, record_property):
    (tmp_path / "rubric.toml").write_text('secret = "hidden"')
    (tmp_path / "mine.py").write_text("mine")
    (tmp_path / "other.py").write_text("theirs")
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket(socket.AF_UNIX) as local:
        local.bind(str(tmp_path / "s"))
        local.listen()
        files = {tmp_path / "mine.py": "/job/mine.py"}
        words = [tmp_path / "rubric.toml", tmp_path / "other.py", server.getsockname()[1], os.getpid(), tmp_path / "s"]
        command = [sys.executable, "-I", "-c", ESCAPES, *map(str, words)]
        done = inside(command, Sandbox(files, limits=SMALL), env=os.environ | {"SECRET": "hidden"})
    assert done.returncode == 0, done.stderr
    tried = json.loads(done.stdout.splitlines()[-1])
    out = {name: got for name, got in tried.items() if got is not None}
    assert not out, done.stderr
    assert len(tried) >= 30
    record_property("figure", [20, "escapes from the sandbox of marks", "0", f"0 of {len(tried)}"])


def test_a_hidden_file_cannot_be_read_even_in_a_folder_that_can(tmp_path):
    (tmp_path / "rubric.toml").write_text("hidden")
    (tmp_path / "mine.py").write_text("mine")
    tmp_path.chmod(0o755)
    sandbox = Sandbox({tmp_path: "/job"}, hidden=(tmp_path / "rubric.toml",))
    done = inside(["/bin/sh", "-c", "cat /job/mine.py; cat /job/rubric.toml"], sandbox)
    assert "mine" in done.stdout
    assert "hidden" not in done.stdout


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_it_holds_for_an_ordinary_user_too(monkeypatch):
    """The command line for ordinary users, run by one, with the limit on processes and without other namespaces."""
    monkeypatch.setattr("zermelo.processes.sandbox.own_folders", list)  # they may be in root's home folder
    script = "id -u; echo /*; unshare -U true 2>&1; touch /usr/x 2>&1; cat /proc/self/limits | grep processes"
    wrapped = Sandbox({}, is_root=False).wrapped(["/bin/sh", "-c", script], ENVIRONMENT)
    drop = ["setpriv", "--reuid=61234", "--regid=61234", "--clear-groups"]
    done = subprocess.run([*drop, *wrapped], capture_output=True, text=True, timeout=300, cwd=os.sep)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == "61234"
    assert "home" not in lines[1] and "usr" in lines[1]
    assert "unshare failed" in done.stdout
    assert "Read-only file system" in done.stdout
    assert lines[-1].split()[2] == str(SandboxLimits().processes)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_another_user_is_less_but_reads_no_private_file(tmp_path):
    """Where namespaces are forbidden, as in Docker, root can at least run code as another user."""
    (tmp_path / "rubric.toml").write_text("hidden")
    (tmp_path / "rubric.toml").chmod(0o600)
    script = f"id -u; cat {tmp_path}/rubric.toml; kill -9 {os.getpid()}; touch /x; env"
    command = OtherUser().wrapped(["/bin/sh", "-c", script], ENVIRONMENT)
    environment = os.environ | {"SECRET": "hidden"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, cwd=os.sep)
    assert "hidden" not in done.stdout
    assert int(done.stdout.split()[0]) >= 60_000
    assert done.stderr.count("ermission") + done.stderr.count("not permitted") == 3


def test_it_ends_with_its_owner(tmp_path):
    """Killing the outermost process kills all that runs inside."""
    mark = f"{os.getpid()}.25"
    command = Sandbox({}).wrapped(["sleep", mark], ENVIRONMENT)
    process = subprocess.Popen(command, cwd=os.sep, stdout=subprocess.PIPE)
    try:
        waiting.until(lambda: sleepers(mark))
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
    waiting.until(lambda: not sleepers(mark))


def sleepers(mark):
    found = []
    for process in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = process.read_bytes().split(b"\0")
        except OSError:
            continue
        if words[:2] == [b"sleep", mark.encode()]:
            found.append(process)
    return found


def test_an_interpreter_that_was_started_by_a_crooked_path(tmp_path):
    """`../venv/bin/python -m zermelo arena serve` begins in a folder that does not exist in the sandbox."""
    crooked = os.path.join(tmp_path, "..", tmp_path.name, os.path.relpath(sys.executable, tmp_path))
    code = "from zermelo.processes.sandbox import missing; print(missing())"
    done = subprocess.run([crooked, "-c", code], capture_output=True, text=True, timeout=300)
    assert done.stdout == "None\n", done.stderr
