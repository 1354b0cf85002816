"""`make test` tries a test once more if it waited in vain, and never if it got a wrong answer."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pytest_rerunfailures", reason="only `make test` needs it")

MAKEFILE = Path(__file__).parent.parent / "Makefile"
TESTS = """
import pathlib, subprocess, pexpect, pytest
from playwright.sync_api import TimeoutError as Late

ERRORS = [TimeoutError(), pexpect.TIMEOUT("x"), subprocess.TimeoutExpired("x", 1), Late("x")]

def times(name):
    file = pathlib.Path(__file__).with_name(name)
    file.write_text(file.read_text() + "x" if file.exists() else "x")
    return len(file.read_text())

@pytest.fixture(scope="module")
def shared():
    return times("shared")

@pytest.fixture(scope="session")
def late():
    if times("late") == 1:
        raise TimeoutError

@pytest.mark.parametrize("number", range(len(ERRORS)))
def test_late_once(number, shared):
    assert shared == 1
    if times(f"late{number}") == 1:
        raise ERRORS[number]

def test_late_fixture(late):
    pass

def test_always_late():
    times("always")
    raise TimeoutError

def test_wrong(shared):
    assert times("wrong") == 0, "TimeoutError: not one"
"""


def test_only_what_waited_in_vain_is_tried_again(tmp_path):
    (tmp_path / "test_some.py").write_text(TESTS)
    again = shlex.split(re.search(r"^AGAIN := (.*)", MAKEFILE.read_text(), re.MULTILINE)[1])
    command = [sys.executable, "-m", "pytest", "-n", "1", "--dist", "loadfile", "-q", "-p", "no:cacheprovider", *again]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert re.search(r"2 failed, 5 passed, 6 rerun", done.stdout.splitlines()[-1]), done.stdout
    counts = {file.name: len(file.read_text()) for file in tmp_path.iterdir() if not file.suffix and file.is_file()}
    assert counts == {f"late{number}": 2 for number in range(4)} | {"shared": 1, "late": 2, "always": 2, "wrong": 1}
