"""Wheel and source archive in empty environments, without the checkout: what `pip install zermelo` gives."""

import json
import os
import re
import socket
import subprocess
import sys
import tarfile
import time
import urllib.error
import urllib.request
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A folder with the wheel and the archive."""
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-d", str(folder)], cwd=ROOT, check=True)
    return folder


class Installed:
    """An environment with nothing in it but one file of ours and what that asks for."""

    def __init__(self, folder, file, extra=""):
        self.folder, self.bin = folder, folder / "venv" / "bin"
        subprocess.run([sys.executable, "-m", "venv", str(folder / "venv")], check=True)
        pip = [self.bin / "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, f"{file}{extra}"], check=True)
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "ZERMELO", "NUMBA", "LANG", "LC_"))}
        self.environment = kept | {
            "ZERMELO_CACHE_DIR": str(folder / "cache"),
            "ZERMELO_DATA_DIR": str(folder / "data"),
        }

    def zermelo(self, *arguments, stdin=""):
        """What the command prints when it is run in an empty folder."""
        command = [self.bin / "zermelo", *arguments]
        where = {"cwd": self.folder, "env": self.environment}
        done = subprocess.run(command, input=stdin, capture_output=True, text=True, timeout=1200, **where)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def start(self, *arguments):
        where = {"cwd": self.folder, "env": self.environment}
        return subprocess.Popen([self.bin / "zermelo", *arguments], stderr=subprocess.PIPE, text=True, **where)


@pytest.fixture(scope="module")
def lab(built, tmp_path_factory):
    (wheel,) = built.glob("*.whl")
    return Installed(tmp_path_factory.mktemp("lab"), wheel, "[web]")


@pytest.fixture(scope="module")
def core(built, tmp_path_factory):
    """From the source archive, without any extra."""
    (archive,) = built.glob("*.tar.gz")
    return Installed(tmp_path_factory.mktemp("core"), archive)


def test_the_source_archive_is_complete(built):
    (archive,) = built.glob("*.tar.gz")
    with tarfile.open(archive) as tar:
        names = {name.split("/", 1)[1] for name in tar.getnames() if "/" in name}
    assert {"LICENSE", "README.md", "CHANGELOG.md", "pyproject.toml", "tests/conftest.py"} <= names
    assert not [name for name in names if name.startswith((".venv", "build/", "artefacts/")) or "__pycache__" in name]


def test_the_wheel_has_all_data_files(built):
    (wheel,) = built.glob("*.whl")
    inside = set(zipfile.ZipFile(wheel).namelist())
    source = ROOT / "src"
    tracked = subprocess.run(["git", "ls-files", "src"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    wanted = {str((ROOT / line).relative_to(source)) for line in tracked.splitlines()}
    assert wanted <= inside
    assert not [name for name in inside if not name.startswith(("zermelo/", "zermelo-"))]


@pytest.mark.parametrize("which", ["lab", "core"])
def test_it_works_without_the_checkout(which, request, record_property):
    installed = request.getfixturevalue(which)
    what = {"lab": "the wheel", "core": "the source archive"}[which]
    record_property("figure", [11, f"{what} in an empty environment", "games, play, solve, analyse", "work"])
    zermelo = installed.zermelo
    assert "connect4" in zermelo("games")
    assert zermelo("solve", "connect4", "-").startswith("- 1 4"), "at once: the book is inside"
    game = zermelo("play", "tictactoe", "--first", "minimax(depth=9)", "--second", "random(seed=1)")
    assert "wins" in game or "draw" in game
    found = json.loads(zermelo("analyse", "reversi", "--depth", "2", "--heuristic", "learned", "--json"))
    assert found["moves"], "the weights are inside"


def test_the_core_says_which_extra_is_missing(core):
    done = subprocess.run(
        [core.bin / "zermelo", "serve"], capture_output=True, text=True, cwd=core.folder, env=core.environment
    )
    assert done.returncode != 0
    assert "zermelo[web]" in done.stderr and "Traceback" not in done.stderr


def test_the_lab_serves_its_pages(lab, record_property):
    record_property("figure", [11, "`serve` of the wheel: pages, scripts, styles, an answer", "all come", "all come"])
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    server = lab.start("serve", "--port", str(port))
    address = f"http://127.0.0.1:{port}"
    try:
        owners = {"Authorization": f"Bearer {server.stderr.readline().partition('secret=')[2].split()[0]}"}
        page = _get(f"{address}/connect4", owners)
        assert "<svg" in page
        parts = set(re.findall(r'"(/static/[^"]+)"', page))
        assert len(parts) >= 3
        for part in parts:
            assert _get(address + part), part
    finally:
        server.terminate()
        server.communicate(timeout=120)


def test_uvx_runs_it_without_installing(built, tmp_path, record_property):
    record_property("figure", [25, "`uvx --from zermelo[web]` of the wheel", "prints the games", "prints them"])
    (wheel,) = built.glob("*.whl")
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "venv")], check=True)
    subprocess.run([tmp_path / "venv" / "bin" / "pip", "install", "--quiet", "uv"], check=True)
    command = [tmp_path / "venv" / "bin" / "uvx", "--from", f"{wheel}[web]", "zermelo", "games"]
    environment = os.environ | {"UV_CACHE_DIR": str(tmp_path / "cache"), "ZERMELO_CACHE_DIR": str(tmp_path / "code")}
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=environment)
    assert done.returncode == 0, done.stderr
    assert "connect4" in done.stdout


def _get(address, headers=None):
    """The contents of an address. The server may not have started yet."""
    for _ in range(300):
        try:
            with urllib.request.urlopen(urllib.request.Request(address, headers=headers or {}), timeout=120) as answer:
                return answer.read().decode()
        except urllib.error.HTTPError:
            raise
        except urllib.error.URLError:
            time.sleep(0.1)
    raise AssertionError(f"{address} does not answer")
