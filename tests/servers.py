"""Real servers for the tests that need one: PostgreSQL in a folder of its own, and a Dask scheduler with a worker."""

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import waiting


def server_programs():
    """The folder with initdb and pg_ctl, wherever the system keeps it."""
    found = shutil.which("initdb")
    folders = [Path(found).parent] if found else []
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((folder for folder in folders if (folder / "initdb").exists()), None)


PROGRAMS = server_programs()


class PostgresServer:
    """A server on a socket in its own folder. It cannot run as root, so another user runs it."""

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="zermelo-pg-", dir="/tmp"))  # a socket's path has 107 characters
        self.as_user = []
        if os.geteuid() == 0:
            alone = ["--reuid=nobody", "--regid=nogroup", "--clear-groups", "env", "-i", "PATH=/usr/bin:/bin"]
            self.as_user = ["setpriv", *alone]
            self.folder.chmod(0o777)
        self.data = self.folder / "data"
        self.url = f"postgresql://zermelo@/postgres?host={self.folder}"

    def _run(self, program, *arguments, check=True):
        command = [*self.as_user, PROGRAMS / program, "-D", self.data, *arguments]
        subprocess.run(command, check=check, stdout=subprocess.DEVNULL, cwd=self.folder)

    def make(self):
        self._run("initdb", "-U", "zermelo", "-A", "trust", "-N")

    def start(self):
        options = f"-k {self.folder} -c listen_addresses='' -c fsync=off"
        self._run("pg_ctl", "-w", "-l", self.folder / "log", "-o", options, "start")

    def kill(self):
        """Stop at once, as if the machine had lost power."""
        self._run("pg_ctl", "-m", "immediate", "stop", check=False)

    def new_database(self):
        """The address of a new, empty database."""
        import psycopg

        name = f"t{time.monotonic_ns()}"
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return self.url.replace("/postgres?", f"/{name}?")


@contextlib.contextmanager
def postgres_server():
    """A new server that runs until the end of the block."""
    server = PostgresServer()
    try:
        server.make()
        server.start()
        yield server
    finally:
        server.kill()
        shutil.rmtree(server.folder, ignore_errors=True)


@contextlib.contextmanager
def dask_workers(folder, number):
    """The address of a scheduler and its worker processes. Each works in a folder that has nothing of ours."""
    environment = os.environ | {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "3"}
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder, "env": environment}
    dask = [sys.executable, "-m", "dask"]
    place = folder / "scheduler.json"
    options = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
    scheduler = subprocess.Popen([*dask, "scheduler", "--scheduler-file", str(place), *options], **quiet)
    workers = []
    try:
        waiting.until(lambda: place.exists() and place.stat().st_size)
        address = json.loads(place.read_text())["address"]
        options = ["--no-dashboard", "--no-nanny", "--nthreads", "1", "--host", "127.0.0.1"]
        workers = [subprocess.Popen([*dask, "worker", address, *options], **quiet) for _ in range(number)]
        yield address, workers
    finally:
        for process in [*workers, scheduler]:
            process.kill()
            process.wait()


def dask_cluster(folder, environment=None):
    """A scheduler and one worker, and the address."""
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder}
    dask, place = [sys.executable, "-m", "dask"], folder / "scheduler.json"
    options = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
    scheduler = subprocess.Popen([*dask, "scheduler", "--scheduler-file", str(place), *options], **quiet)
    waiting.until(lambda: place.exists() and place.stat().st_size)
    address = json.loads(place.read_text())["address"]
    options = ["--no-dashboard", "--no-nanny", "--nthreads", "2", "--host", "127.0.0.1"]
    worker = subprocess.Popen(
        [*dask, "worker", address, *options], **quiet, env=os.environ | (environment or {}), start_new_session=True
    )
    return address, scheduler, worker
