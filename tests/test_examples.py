"""A game in a separate package joins the catalogue by its entry point, without a change in zermelo."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
KALAH = ROOT / "examples" / "kalah"


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    """Kalah installed into a folder that only these tests look into."""
    folder = tmp_path_factory.mktemp("installed")
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
    source = tmp_path_factory.mktemp("source") / "kalah"
    source.symlink_to(KALAH)  # pip may leave a build folder beside it
    subprocess.run([*install, "--target", str(folder), str(source)], check=True, capture_output=True)
    return os.environ | {"PYTHONPATH": os.pathsep.join([str(folder), str(ROOT / "src"), *sys.path])}


def run(*arguments, environment):
    done = subprocess.run([sys.executable, "-m", *arguments], env=environment, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_it_is_in_the_catalogue(environment):
    assert "kalah" in run("zermelo", "games", environment=environment)
    assert "harvest" in run("zermelo", "heuristics", "kalah", environment=environment)


def test_its_own_tests_pass(environment):
    assert "passed" in run("pytest", "-q", "-p", "no:cacheprovider", str(KALAH / "tests"), environment=environment)


def test_it_keeps_the_contract(environment):
    contract = ["pytest", "-q", "-p", "no:cacheprovider", "tests/games/test_contract.py", "-k", "kalah"]
    assert "passed" in run(*contract, environment=environment)
