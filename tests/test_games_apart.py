"""A game's folder is all there is of a game: without it, the rest imports, runs and serves its pages as before.

Each test works in a copy of the sources from which the folder of one game is deleted, and with it the game's own tests.
"""

import ast
import importlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import zermelo
from zermelo.games import annotations, find_game

ROOT = Path(__file__).parent.parent
PACKAGE = Path(zermelo.__file__).parent
NAMES = sorted(path.parent.name for path in (PACKAGE / "games").glob("*/__init__.py"))
QUICK = ("connect4",)  # the one that most was named by; the others take as long again each

LOOK = """
import importlib, json, pkgutil, sys
from click.testing import CliRunner
import zermelo
from zermelo.cli.main import cli
from zermelo.errors import ZermeloError

for module in pkgutil.walk_packages(zermelo.__path__, "zermelo."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)

def run(*arguments):
    done = CliRunner().invoke(cli, arguments)
    if isinstance(done.exception, ZermeloError):
        return [done.exit_code, str(done.exception)]
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return [done.exit_code, done.output]

told = {" ".join(line): run(*line) for line in json.loads(sys.argv[1])}

from fastapi.testclient import TestClient
from zermelo.games import find_game, game_names
from zermelo.web.app import create_app
from zermelo.web.settings import Settings
from zermelo.web.workshop_examples import starter

app = create_app(Settings())
owner = {"Authorization": f"Bearer {app.state.access.secret}"}
with TestClient(app, base_url="http://127.0.0.1:8000", headers=owner) as client:
    for path in json.loads(sys.argv[2]):
        answer = client.get(path)
        told[path] = [answer.status_code, answer.text]
    for name in game_names():
        picture = client.get("/picture/" + name.replace("/", ":") + ".svg")
        assert picture.status_code == 200, picture.text
        compile(starter(find_game(name)), name, "exec")
print(json.dumps(told))
"""
COMMANDS = [["--help"], ["games"], ["players"]]
MISSED = {  # what only one game has, and what is said when it is not there
    "parcheckers": (["study", "ninjas"], "no game of the catalogue has a table of strategies"),
    "tree": (["trace", "mine.toml"], "there is no game 'mine.toml'; the games are connect4, hex,"),
    "hex": (["study", "beam"], "no game of the catalogue has boards of several sizes"),
}
PAGES = ["/", "/why", "/why/own", "/workshop", "/tournaments/new", "/tournaments"]


@pytest.fixture(scope="module", params=[n if n in QUICK else pytest.param(n, marks=pytest.mark.slow) for n in NAMES])
def without(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """The name of a game, and a copy of the sources and tests that does not have it."""
    folder = tmp_path_factory.mktemp(f"without-{request.param}")
    shutil.copytree(PACKAGE, folder / "src" / "zermelo", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "tests" / "games", folder / "tests" / "games", ignore=shutil.ignore_patterns("__pycache__"))
    for file in ("conftest.py", "firefox_esr.py", "long_tests.txt", "test_imports.py"):
        shutil.copy(ROOT / "tests" / file, folder / "tests" / file)
    shutil.copy(ROOT / "pyproject.toml", folder)
    shutil.rmtree(folder / "src" / "zermelo" / "games" / request.param)
    shutil.rmtree(folder / "tests" / "games" / request.param)
    return request.param, folder


def run_in(folder: Path, *arguments: str) -> str:
    """What a Python process prints that finds zermelo in this folder; plain Python, as nothing is compiled there."""
    environment = os.environ | {
        "PYTHONPATH": str(folder / "src"),
        "NUMBA_DISABLE_JIT": "1",
        "ZERMELO_DATA_DIR": str(folder / "data"),
    }
    done = subprocess.run([sys.executable, *arguments], env=environment, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-5000:]
    return done.stdout


def test_everything_else_is_there(without: tuple[str, Path]) -> None:
    name, folder = without
    missed, reason = MISSED.get(name, (["--version"], "version"))
    others = [other for other in zermelo.catalogue() if other.partition("/")[0] != name]
    commands = [*COMMANDS, *(["heuristics", other] for other in others)]
    wanted = json.dumps([*commands, missed]), json.dumps(PAGES)
    told = json.loads(run_in(folder, "-c", LOOK, *wanted).splitlines()[-1])
    assert reason in told[" ".join(missed)][1]
    for command in commands:
        status, text = told[" ".join(command)]
        assert status == 0, text
    listed = told["games"][1].split()
    assert all(other in listed for other in others) and not any(word.partition("/")[0] == name for word in listed)
    for page in PAGES:
        assert told[page][0] == (404 if (page, name) == ("/why/own", "tree") else 200), told[page]
    assert f'"/{name}"' not in told["/"][1]
    assert "Traceback" not in str(told)


def run_tests(folder: Path, *wanted: str) -> None:
    told = run_in(folder, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", *wanted)
    assert " passed" in told


def test_the_imports_and_the_names_hold(without: tuple[str, Path]) -> None:
    run_tests(without[1], "tests/test_imports.py", "tests/games/test_contract.py", "-k", "imports or names")


@pytest.mark.slow
def test_the_contract_holds(without: tuple[str, Path]) -> None:
    run_tests(without[1], "tests/games/test_contract.py")


def named_in(file: Path) -> list[str]:
    """Where the code of a file names a game: in an import, or in a text that is nothing but its name.

    Texts for people (docstrings, help, examples) may mention games. `tree` is also an ordinary word, so it counts
    only where the name of a game is compared with it, and where it names one of its variants.
    """
    tree = ast.parse(file.read_text(encoding="utf-8"))
    spared = {
        id(constant)
        for node in ast.walk(tree)
        if isinstance(node, ast.keyword) and node.arg == "examples"
        for constant in ast.walk(node)
    }
    words = "|".join(name for name in NAMES if name != "tree")
    whole = re.compile(rf"(?:zermelo\.games\.)?(?:{words})(?:[/(:].*)?|tree[/:]\w+|zermelo\.games\.tree")
    inside = re.compile(rf"zermelo\.games\.(?:{'|'.join(NAMES)})\b")
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom | ast.Import):
            modules = [getattr(node, "module", None) or "", *(alias.name for alias in node.names)]
            if any(whole.fullmatch(module) or inside.match(module) for module in modules):
                found.append(f"{file.name}:{node.lineno}")
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in spared:
            if whole.fullmatch(node.value):
                found.append(f"{file.name}:{node.lineno}: {node.value}")
        elif isinstance(node, ast.Compare) and re.search(r"\.name [!=]= 'tree'", ast.unparse(node)):
            found.append(f"{file.name}:{node.lineno}: tree")
    return found


def test_no_other_file_names_a_game() -> None:
    files = [file for file in PACKAGE.rglob("*.py") if "games" not in file.relative_to(PACKAGE).parts[:-2]]
    assert len(files) > 100
    assert [place for file in files for place in named_in(file)] == []


@pytest.mark.parametrize("name", NAMES)
def test_the_states_of_a_game_are_public_by_its_catalogue_entry(name: str) -> None:
    module = importlib.import_module(f"zermelo.games.{name}")
    classes = annotations(module)
    for known, annotation in classes.items():
        assert getattr(zermelo, known) is annotation
    main = next(annotation for known, annotation in classes.items() if known.lower() == name)

    @zermelo.heuristic(of=main)
    def nothing(state):
        return 0

    start = find_game(next(one for one in zermelo.catalogue() if one.partition("/")[0] == name)).start()
    assert type(start.state) in nothing.classes and nothing(start) == 0


def test_a_state_is_found_without_importing_the_other_games() -> None:
    code = "import sys, zermelo; zermelo.TicTacToe; assert not [m for m in sys.modules if 'connect4' in m]"
    subprocess.run([sys.executable, "-c", code], check=True)
    code = "import sys, zermelo; hasattr(zermelo, 'chess'); assert not [m for m in sys.modules if 'numba' in m]"
    subprocess.run([sys.executable, "-c", code], check=True)
