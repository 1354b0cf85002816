"""The wheel in an empty environment, without the checkout: what `pip install zermelo` gives."""

import json
import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-d", str(folder)], cwd=ROOT, check=True)
    return folder


@pytest.fixture(scope="module")
def zermelo(built, tmp_path_factory):
    """Runs the installed command in an empty folder."""
    folder = tmp_path_factory.mktemp("empty")
    subprocess.run([sys.executable, "-m", "venv", str(folder / "venv")], check=True)
    (wheel,) = built.glob("*.whl")
    pip = [folder / "venv" / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, f"{wheel}[web]"], check=True)
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "ZERMELO", "NUMBA"))}
    kept |= {"ZERMELO_CACHE_DIR": str(folder / "cache"), "ZERMELO_DATA_DIR": str(folder / "data")}

    def run(*arguments, stdin=""):
        command = [folder / "venv" / "bin" / "zermelo", *arguments]
        done = subprocess.run(command, input=stdin, capture_output=True, text=True, cwd=folder, env=kept, timeout=300)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def test_the_source_archive_is_complete(built):
    (archive,) = built.glob("*.tar.gz")
    with tarfile.open(archive) as tar:
        names = {name.split("/", 1)[1] for name in tar.getnames() if "/" in name}
    assert {"LICENSE", "README.md", "CHANGELOG.md", "pyproject.toml", "tests/conftest.py"} <= names


def test_the_wheel_has_all_data_files(built):
    (wheel,) = built.glob("*.whl")
    inside = set(zipfile.ZipFile(wheel).namelist())
    source = ROOT / "src"
    tracked = subprocess.run(["git", "ls-files", "src"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    wanted = {str((ROOT / line).relative_to(source)) for line in tracked.splitlines()}
    assert wanted <= inside


def test_it_works_without_the_checkout(zermelo):
    assert "connect4" in zermelo("games")
    assert zermelo("solve", "connect4", "-").startswith("- 1 4"), "at once: the book is inside"
    assert "wins" in zermelo("play", "tictactoe", "--first", "minimax(depth=9)", "--second", "random")
    found = json.loads(zermelo("analyse", "reversi", "--depth", "2", "--json"))
    assert found["moves"]
