"""zermelo serve, as a process."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

import pytest

pytest.importorskip("fastapi", reason="the lab needs the extra `web`")

SERVE = [sys.executable, "-m", "zermelo", "serve"]


def test_it_serves_without_a_screen_until_it_is_interrupted(tmp_path):
    environment = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
    environment |= {"ZERMELO_DATA_DIR": str(tmp_path)}
    process = subprocess.Popen([*SERVE, "--open"], env=environment, stderr=subprocess.PIPE, text=True)
    try:
        address = re.search(r"http://127\.0\.0\.1:\d+", process.stderr.readline())[0]
        session = None
        for _ in range(600):
            try:
                with urllib.request.urlopen(f"{address}/api/session") as answer:
                    session = json.loads(answer.read())
                break
            except urllib.error.URLError:
                time.sleep(0.1)
        assert session and session["token"]
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0
        assert "Traceback" not in process.stderr.read()
    finally:
        process.kill()
        process.communicate()


def test_a_port_in_use_is_said():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = subprocess.run([*SERVE, "--port", str(taken.getsockname()[1])], capture_output=True, text=True)
    assert done.returncode == 1
    assert "cannot listen on 127.0.0.1, port" in done.stderr and "--port" in done.stderr
