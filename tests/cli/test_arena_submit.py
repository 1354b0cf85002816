"""zermelo arena submit, and the hooks of git that call it, with a real server and real repositories."""

import json
import os
import shutil
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import started
from web.arena.conftest import GOOD, Arena
from zermelo.arena.client import Address, Refused, Unreachable, follow, request_of
from zermelo.errors import FileError, ZermeloError

HOOKS = Path(__file__).parents[2] / "examples" / "arena"


@pytest.fixture
def arena(tmp_path):
    (tmp_path / "server").mkdir()
    with_server = Arena(tmp_path / "server", quota=3)
    yield with_server
    with_server.close()


@pytest.fixture
def anna(arena):
    student, key = arena.records.add_student("Anna")
    return student, f"{arena.address}/enter?key={key}"


@pytest.fixture
def home(tmp_path):
    """A student's folder, and the environment of the commands there."""
    folder = tmp_path / "home"
    folder.mkdir()
    (folder / "heurística final.py").write_text(GOOD, encoding="utf-8")
    return folder, os.environ | {"ZERMELO_DATA_DIR": str(tmp_path / "data")}


def test_handing_in(arena, anna, home, tmp_path):
    (student, link), (folder, env) = anna, home

    def submit(*arguments):
        return started.run(["arena", "submit", *arguments], cwd=folder, env=env)

    done = submit("heurística final.py")
    assert done.returncode == 2 and "give your personal link once with --to" in done.stderr
    done = submit("heurística final.py", "--to", link)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "accepted as version 1; it is number 1 in the queue, about 15 s\n"
    assert arena.records.texts(1) == {"heurística final.py": GOOD}
    memory = tmp_path / "data" / "arena-link"
    assert stat.S_IMODE(memory.stat().st_mode) == 0o600
    done = submit("heurística final.py")  # the link is remembered
    assert (done.returncode, "same code as your version 1" in done.stdout) == (0, True)
    (folder / "two").mkdir()
    (folder / "two" / "main.py").write_text("import part", encoding="utf-8")
    (folder / "two" / "part.py").write_text("x = 1", encoding="utf-8")
    told = json.loads(submit("two", "--json").stdout)
    assert (told["version"], told["state"], told["filename"]) == (2, "waiting", "main.py")
    (folder / "third.py").write_text("x = 3", encoding="utf-8")
    verdicts = threading.Thread(target=decide, args=(arena, {1: "valid", 2: "valid", 3: "refused"}))
    verdicts.start()
    done = submit("third.py", "--wait")
    verdicts.join()
    assert done.returncode == 1
    refused = ["version 3 was refused:", "  third.py:1: x = (", "    '(' was never closed"]
    assert done.stdout.splitlines()[1:] == refused
    (folder / "fourth.py").write_text("x = 4", encoding="utf-8")
    done = submit("fourth.py")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "zermelo: you have handed in 3 different versions today, which is the most this arena allows in a day\n"
    )
    (folder / "notes.txt").write_text("x", encoding="utf-8")
    assert "only Python files" in submit("notes.txt").stderr
    arena.records.set_flag("deadline", 1000.0, "teacher")
    done = submit("fourth.py")
    assert done.returncode == 1 and "the deadline was 1970-01-01" in done.stderr
    arena.records.new_key(student.id)
    done = submit("fourth.py")
    assert done.returncode == 1 and "does not work any more" in done.stderr
    arena.stop()
    done = submit("fourth.py")
    assert done.returncode == 1 and "does not answer" in done.stderr
    arena.start()


def decide(arena, states):
    """What a worker would do, once all have been handed in."""
    while len(arena.records.submissions()) < len(states):
        threading.Event().wait(0.01)
    for number, state in states.items():
        finding = {"level": "error", "text": "x = (\n  '(' was never closed", "file": "third.py", "line": 1}
        arena.records.decide(number, state, {"findings": [finding]})


def test_a_server_that_is_started_again_while_a_student_waits(arena, anna):
    address = Address.of_link(anna[1])
    taken = address.ask("/api/submissions", {"filename": "a.py", "text": GOOD})
    heard = []

    def tell(state):
        heard.append(state)
        if len(heard) == 1:
            arena.stop()
            arena.records.decide(taken["id"], "valid", {})
        elif len(heard) == 2:
            arena.start()

    port = arena.port
    found = follow(address, taken, tell, pause=0.01)
    assert (found["state"], arena.port) == ("valid", port)


@pytest.mark.parametrize(
    ("link", "said"),
    [
        ("mine", "is not a link"),
        ("ftp://host/enter?key=x", "is not a link"),
        ("http://host/enter?key=short", "has no key"),
        ("http://host/", "has no key"),
        (f"http://host/join?key={'k' * 43}", "link for joining"),
    ],
)
def test_wrong_links(link, said):
    with pytest.raises(ZermeloError, match=said):
        Address.of_link(link)


def test_links_of_an_arena_behind_a_proxy():
    address = Address.of_link(f"https://host.example/arena/enter?key={'k' * 43}&x=1\n")
    assert (address.base, address.key) == ("https://host.example/arena", "k" * 43)


def test_other_servers(arena, anna):
    address = Address.of_link(anna[1])
    with pytest.raises(ZermeloError, match="is not the server of an arena"):
        address.ask("/me")
    with pytest.raises(Refused, match="There is no"):
        address.ask("/api/nothing")
    with pytest.raises(ZermeloError, match="is not the server of an arena: status 30"):
        Address(address.base, address.key).ask("/final/")
    with pytest.raises(Unreachable, match="does not answer"):
        Address("http://127.0.0.1:9", address.key).ask("/api/submissions")


def test_what_cannot_be_sent(tmp_path):
    with pytest.raises(FileError, match="no Python files"):
        request_of(tmp_path)
    (tmp_path / "a.py").write_bytes(b"\xff")
    with pytest.raises(FileError, match="not text"):
        request_of(tmp_path)
    assert request_of(tmp_path / "a.py", "a.py") == {"filename": "a.py", "base64": "/w==", "main": "a.py"}


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
@pytest.mark.parametrize("hook", ["post-receive", "pre-push"])
def test_git_push(arena, anna, home, tmp_path, hook):
    """What is pushed to main is handed in, as it was committed; other branches are not."""
    (_student, link), (folder, env) = anna, home
    commands = tmp_path / "commands"
    commands.mkdir()
    (commands / "zermelo").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m zermelo "$@"\n')
    (commands / "zermelo").chmod(0o755)
    nobody = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    author = {f"GIT_{who}_{what}": "anna@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    env = env | nobody | author | {"PATH": f"{commands}{os.pathsep}{env['PATH']}"}

    def git(*arguments, cwd=folder):
        return subprocess.run(["git", *arguments], cwd=cwd, env=env, capture_output=True, text=True, check=True)

    bare = tmp_path / "central.git"
    git("init", "-q", "--bare", str(bare), cwd=tmp_path)
    git("init", "-q", "-b", "main")
    git("remote", "add", "origin", str(bare))
    place, hooks = (bare, bare / "hooks") if hook == "post-receive" else (folder, folder / ".git" / "hooks")
    hooks.mkdir(exist_ok=True)
    shutil.copy(HOOKS / hook, hooks / hook)
    git("add", ".")
    git("commit", "-qm", "first")
    assert "set zermelo.file" in git("push", "origin", "main").stderr
    git("config", "zermelo.link", link, cwd=place)
    git("config", "zermelo.file", "heurística final.py", cwd=place)
    git("commit", "-qm", "second", "--allow-empty")
    (folder / "heurística final.py").write_text("changed, but not committed", encoding="utf-8")
    said = git("push", "origin", "main").stderr
    assert "accepted as version 1" in said, said
    assert arena.records.texts(1) == {"heurística final.py": GOOD}
    git("checkout", "-q", "-b", "other", "--", cwd=folder)
    git("commit", "-qam", "not for the arena")
    git("push", "origin", "other")
    assert len(arena.records.submissions()) == 1
    arena.records.set_flag("deadline", 1000.0, "teacher")
    said = git("push", "origin", "other:main").stderr
    assert "the deadline was" in said and "not handed in (status 1)" in said
    assert len(arena.records.submissions()) == 1
    assert git("rev-parse", "main", cwd=bare).stdout == git("rev-parse", "other").stdout
