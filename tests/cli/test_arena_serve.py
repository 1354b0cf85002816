"""zermelo arena serve: as a process, and what it refuses."""

import os
import re
import signal
import subprocess
import sys
import urllib.request

import pytest
from click.testing import CliRunner

pytest.importorskip("fastapi", reason="the server needs the extra `web`")

from zermelo.cli.main import cli
from zermelo.errors import ResourceError

SERVE = [sys.executable, "-m", "zermelo", "arena", "serve"]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "arena.toml").write_text('title = "Class 3"\ngame = "tictactoe"\n', encoding="utf-8")
    return tmp_path


def test_it_prints_the_links_and_ends_cleanly(folder):
    """Without a sandbox, which not every machine has: it warns, and the second server of a folder is refused."""
    command = [*SERVE, str(folder), "--trust-everyone"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    try:
        said = ""
        while "without a sandbox" not in said:
            line = process.stderr.readline()
            assert line, said
            said += line
        teacher, join = (re.search(rf"{words}: (http://127\.0\.0\.1:\d+/\S+)", said)[1] for words in ("alone", "at"))
        assert "/enter?key=" in teacher and "/join?key=" in join and "--host 0.0.0.0" in said
        with urllib.request.urlopen(join) as answer:  # the socket listens already, so this waits for the server
            assert "Join the class" in answer.read().decode()
        second = subprocess.run(command, capture_output=True, text=True)
        assert second.returncode == 1 and "another server is already running the arena" in second.stderr
        process.send_signal(signal.SIGINT)
        rest = process.communicate(timeout=180)[1]
        assert process.returncode == 0, rest
        assert "Traceback" not in rest and "key=" not in rest, rest
        assert not list(folder.glob("*.lock"))
    finally:
        process.kill()
        process.communicate()
    keys = {file.name for file in folder.glob("*.key")}
    assert keys == {"teacher.key", "join.key", "watch.key", "pages.key"}
    assert all(os.stat(folder / key).st_mode & 0o077 == 0 for key in keys)


def test_without_a_sandbox_it_does_not_start(folder, monkeypatch):
    monkeypatch.setattr("zermelo.processes.sandbox.missing", lambda: "the program bwrap is not installed")
    result = CliRunner().invoke(cli, ["arena", "serve", str(folder)])
    assert isinstance(result.exception, ResourceError)
    assert "bwrap is not installed" in str(result.exception) and "--trust-everyone" in str(result.exception)
    assert not list(folder.glob("*.db")), "nothing was made"


@pytest.mark.parametrize("url", ["arena.example.org", "ftp://x", "https://x/path", "https://"])
def test_a_wrong_url_is_named(folder, url):
    result = CliRunner().invoke(cli, ["arena", "serve", str(folder), "--url", url])
    assert result.exit_code == 2 and "https://arena.example.org" in result.output
