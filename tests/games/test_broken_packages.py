"""Games of other packages that cannot be used are named and left out, and everything else works."""

import json
import os
import subprocess
import sys

import pytest

BROKEN = {
    "does not import": "import nothing_of_this_name",
    "is not Python": "def game(:",
    "exits": "import sys; sys.exit('bye')",
    "has no game": "pass",
    "makes no game": "def game(): return 3",
    "raises": "def game(): raise RuntimeError('no board')",
    "has odd variants": "VARIANTS = 5\ndef game(): pass",
    "is half a game": (
        "from zermelo.games.tictactoe import TicTacToeGame\n"
        "class Half(TicTacToeGame):\n"
        "    name = 'half'\n"
        "    def start_state(self): raise KeyError('start')\n"
        "def game(): return Half()\n"
    ),
}

HOME = """
from starlette.testclient import TestClient
from zermelo.web.app import create_app
from zermelo.web.settings import Settings
app = create_app(Settings())
with TestClient(app, base_url="http://127.0.0.1:8000") as client:
    client.cookies.set("zermelo-owner-8000", app.state.access.key)
    for path in ("/", "/why", "/tournaments/new"):
        answer = client.get(path)
        assert answer.status_code == 200, (path, answer.status_code)
    print(client.get("/").text)
"""


@pytest.fixture
def offered(tmp_path):
    """Makes the distribution `oddgame 1.0` with this text as its module; gives the environment that has it."""

    def make(text):
        (tmp_path / "oddgame.py").write_text(text)
        about = tmp_path / "oddgame-1.0.dist-info"
        about.mkdir()
        (about / "METADATA").write_text("Metadata-Version: 2.1\nName: oddgame\nVersion: 1.0\n")
        (about / "entry_points.txt").write_text("[zermelo.games]\nodd = oddgame\n")
        found = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
        return os.environ | {"PYTHONPATH": found, "ZERMELO_DATA_DIR": str(tmp_path / "data")}

    return make


def run(*command, environment):
    return subprocess.run(
        [sys.executable, *command], env=environment, capture_output=True, text=True, timeout=300, check=False
    )


@pytest.mark.parametrize("how", BROKEN)
def test_a_broken_package_is_named_and_left_out(how, offered):
    environment = offered(BROKEN[how])
    done = run("-m", "zermelo", "games", "--json", environment=environment)
    assert done.returncode == 0, done.stderr
    assert "connect4" in {game["name"] for game in json.loads(done.stdout)}
    [line] = done.stderr.splitlines()
    assert line.startswith("this game is left out: the game 'odd' of the package oddgame 1.0 is broken: ")
    if how == "is half a game":  # whoever plays it sees where its code fails
        return
    done = run("-m", "zermelo", "perft", "odd", "--depth", "1", environment=environment)
    assert done.returncode == 2 and "Traceback" not in done.stderr, done.stderr


def test_the_lab_opens_with_a_broken_package(offered):
    pytest.importorskip("fastapi")
    done = run("-c", HOME, environment=offered(BROKEN["does not import"]))
    assert done.returncode == 0, done.stderr
    assert "oddgame 1.0 is broken: ModuleNotFoundError" in done.stdout


def test_a_package_that_works_is_listed(offered):
    environment = offered(
        "from zermelo.games.tictactoe import TicTacToeGame\n"
        "class Odd(TicTacToeGame):\n    name = 'odd'\n"
        "def game(): return Odd()\n"
    )
    done = run("-m", "zermelo", "games", environment=environment)
    assert (done.returncode, done.stderr) == (0, "") and "\nodd " in done.stdout
