"""The web lab in a separate process, for the benchmarks that visit it."""

import importlib.util
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from typing import Any

from _common import Missing

READY = re.compile(r"http://127\.0\.0\.1:(\d+)/\?secret=(\S+)")


class Lab:
    """`zermelo serve` in a separate process, with its own folder."""

    def __init__(self, folder: str):
        command = [sys.executable, "-m", "zermelo", "serve", "--port", str(free_port())]
        environment = {**os.environ, "ZERMELO_DATA_DIR": folder}
        self.process = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
        assert self.process.stderr is not None
        found = READY.search(self.process.stderr.readline())
        if found is None:
            raise Missing(f"the lab did not start: {self.process.stderr.read()}")
        self.address, self.secret = f"http://127.0.0.1:{found[1]}", found[2]
        self.headers = {"Authorization": f"Bearer {self.secret}"}
        while True:
            try:
                self.token = self.ask("/api/session")["token"]
                return
            except urllib.error.URLError:
                time.sleep(0.1)

    def ask(self, path: str, body: object = None) -> Any:
        headers = self.headers | {"Content-Type": "application/json", "X-Zermelo-Token": getattr(self, "token", "")}
        data = None if body is None else json.dumps(body).encode()
        with urllib.request.urlopen(urllib.request.Request(self.address + path, data, headers)) as answer:
            return json.loads(answer.read())

    def end(self) -> None:
        self.process.terminate()
        self.process.communicate()


def chromium() -> str:
    """The path of the browser; Missing if it or Playwright is not installed."""
    if importlib.util.find_spec("playwright") is None:
        raise Missing("Playwright is not installed: pip install --group dev")
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        raise Missing("Chromium is not installed")
    return found


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])
