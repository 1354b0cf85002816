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
from pathlib import Path

import pexpect
import pytest

import waiting

pytest.importorskip("fastapi", reason="the lab needs the extra `web`")

from zermelo.web.addresses import own_addresses

OPENING = re.compile(r"(http://127\.0\.0\.1:\d+)/\?secret=(\S+)")
SERVE = [sys.executable, "-m", "zermelo", "serve"]


def test_it_serves_without_a_screen_until_it_is_interrupted(tmp_path):
    environment = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
    environment |= {"ZERMELO_DATA_DIR": str(tmp_path)}
    process = subprocess.Popen([*SERVE, "--open"], env=environment, stderr=subprocess.PIPE, text=True)
    try:
        address, secret = OPENING.search(process.stderr.readline()).groups()
        assert json.loads(answer_of(f"{address}/api/session", secret))["token"]
        assert secret not in answer_of(f"{address}/?secret={secret}")
        with pytest.raises(urllib.error.HTTPError, match="403"):
            answer_of(f"{address}/api/session")
        process.send_signal(signal.SIGINT)
        assert process.wait(120) == 0
        said = process.stderr.read()
        assert "Traceback" not in said and secret not in said, "no log has the address"
    finally:
        process.kill()
        process.communicate()


def answer_of(address, secret=None):
    """The contents of an address. The server may not have started yet."""
    headers = {"Authorization": f"Bearer {secret}"} if secret else {}
    for _ in range(600):
        try:
            with urllib.request.urlopen(urllib.request.Request(address, headers=headers)) as answer:
                return answer.read().decode()
        except urllib.error.HTTPError as error:
            error.close()
            raise
        except urllib.error.URLError:
            time.sleep(0.1)
    raise AssertionError(f"{address} does not answer")


def test_on_a_network_it_says_where_visitors_find_it(tmp_path):
    """In a terminal, with a code for phones."""
    addresses = own_addresses(socket.AF_INET)
    if not addresses:
        pytest.skip("this machine has no address but loopback")
    environment = os.environ | {"ZERMELO_DATA_DIR": str(tmp_path)}
    arguments = ["-m", "zermelo", "serve", "--host", "0.0.0.0", "--allow-host", "Teacher.local"]
    process = pexpect.spawn(
        sys.executable, arguments, env=environment, timeout=120, encoding="utf-8", dimensions=(80, 200)
    )
    try:
        process.expect(r"http://127\.0\.0\.1:(\d+)/\?secret=(\S+)")
        port, secret = process.match.groups()
        process.expect_exact("it contains your secret")
        process.expect_exact(f"http://teacher.local:{port}/")
        process.expect_exact(f"http://{addresses[0]}:{port}/")
        process.expect(r"(?:[▀▄█ ]{20,}\r?\n){10}")
        page = answer_of(f"http://{addresses[0]}:{port}/")
        assert "cards" in page and secret not in page
    finally:
        process.close(force=True)


def test_the_browser_gets_the_secret_in_a_file_of_the_owners(tmp_path):
    """The arguments of a program can be seen by every user of the machine."""
    seen = tmp_path / "seen"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {seen}.new; mv {seen}.new {seen}\n')
    browser.chmod(0o700)
    environment = os.environ | {"ZERMELO_DATA_DIR": str(tmp_path / "data"), "DISPLAY": ":9", "BROWSER": f"{browser} %s"}
    process = subprocess.Popen([*SERVE, "--open"], env=environment, stderr=subprocess.PIPE, text=True)
    try:
        secret = OPENING.search(process.stderr.readline())[2]
        waiting.until(seen.exists)
        address = seen.read_text().strip()
        assert address.startswith("file://") and secret not in address
        file = Path(address.removeprefix("file://"))
        assert secret in file.read_text() and file.stat().st_mode & 0o077 == 0
        process.send_signal(signal.SIGINT)
        assert process.wait(120) == 0
        assert not file.exists()
    finally:
        process.kill()
        process.communicate()


def test_a_port_in_use_is_said():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = subprocess.run([*SERVE, "--port", str(taken.getsockname()[1])], capture_output=True, text=True)
    assert done.returncode == 1
    assert "cannot listen on 127.0.0.1, port" in done.stderr and "--port" in done.stderr
