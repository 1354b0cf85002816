"""Commands in processes that have already imported everything: a start costs a tenth of `python -m zermelo`.

A process imports zermelo and Numba once and forks itself for each command. So a command has its own memory, streams,
folder, environment and exit status, and ends as Python ends. Only the import is shared. Use subprocess where starting
is what you test, or for an environment variable that Python or Numba reads when it starts.
"""

import atexit
import contextlib
import functools
import gc
import importlib
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

ROOMS = ("analysis", "check.asking", "learn", "match", "players", "studies", "tournaments.run", "tracing")


def run(arguments, *, cwd=None, env=None, input="", stdin=None, stdout=None, stderr=None, timeout=300):
    """Run `zermelo` with these arguments, as subprocess.run does. Streams that are not given are captured as text."""
    request = {"arguments": list(arguments), "cwd": str(cwd or Path.cwd()), "env": dict(env or os.environ)}
    with contextlib.ExitStack() as stack:
        given, out, err = (stack.enter_context(tempfile.TemporaryFile()) for _ in range(3))
        given.write(input.encode())
        given.seek(0)
        answer, reply = (stack.enter_context(end) for end in socket.socketpair())
        if stdin == subprocess.DEVNULL:
            stdin = given  # empty
        streams = [_number(stdin or given), _number(stdout or out), _number(stderr or err), reply.fileno()]
        socket.send_fds(_starter(), [json.dumps(request).encode()], streams)
        reply.close()
        answer.settimeout(timeout)
        lines = stack.enter_context(answer.makefile())
        pid = int(lines.readline())
        try:
            status = int(lines.readline())
        except TimeoutError:
            os.kill(pid, signal.SIGKILL)
            raise subprocess.TimeoutExpired(request["arguments"], timeout) from None
        return subprocess.CompletedProcess(request["arguments"], status, _text(out), _text(err))


def _number(stream):
    return stream if isinstance(stream, int) else stream.fileno()


def _text(file):
    file.seek(0)
    return file.read().decode()


@functools.cache
def _starter():
    """The way to a process that starts commands. It ends with this one."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        number = theirs.fileno()
        process = subprocess.Popen([sys.executable, __file__, str(number)], pass_fds=[number], stdin=subprocess.DEVNULL)

    def end():
        ours.close()
        process.wait(120)

    atexit.register(end)
    return ours


# ------------------------------------------------------------------------------------------ in the other process


def _serve(requests):
    """Start what is asked for, until nobody can ask any more. In a command's own process, return what it is to do."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        text, streams, _, _ = socket.recv_fds(requests, 1 << 20, 4)
        if not text:
            return None
        if os.fork() == 0:
            requests.close()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            *standard, reply = streams
            pid = os.fork()
            if pid == 0:
                for number, stream in enumerate(standard):
                    os.dup2(stream, number)
                for stream in streams:
                    os.close(stream)
                return json.loads(text)
            for stream in standard:
                os.close(stream)
            os.write(reply, f"{pid}\n".encode())
            with contextlib.suppress(OSError):  # nobody waits any more
                os.write(reply, f"{os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])}\n".encode())
            os._exit(0)
        for stream in streams:
            os.close(stream)


def _prepare():
    from numba.core.registry import cpu_target

    from zermelo.core import numba_private

    for room in ROOMS:
        importlib.import_module(f"zermelo.{room}")
    cpu_target.typing_context.refresh()
    numba_private.prepare(cpu_target.target_context)
    gc.freeze()


if __name__ == "__main__":
    from zermelo.cli.main import main

    _prepare()
    command = _serve(socket.socket(fileno=int(sys.argv[1])))
    if command:
        os.chdir(command["cwd"])
        os.environ.clear()
        os.environ.update(command["env"])
        sys.argv = ["zermelo", *command["arguments"]]
        sys.path[0] = command["cwd"]
        main()
