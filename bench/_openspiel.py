"""OpenSpiel as a peer: the part that Python can call, and its C++ code, which needs a C++ compiler to call."""

import ctypes
import functools
import hashlib
import importlib
import importlib.metadata
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from _common import NOT_INSTALLED, Missing, tell
from zermelo.core import cache_folder

MIDDLE = 3
SCALE = 16  # a win is 1 in OpenSpiel, so the value of at most 6 stones in the middle must stay below 1


def _import(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        raise Missing(NOT_INSTALLED) from None


def version() -> str:
    return importlib.metadata.version("open_spiel")


@functools.cache
def connect_four() -> Any:
    """OpenSpiel's Connect 4."""
    return _import("pyspiel").load_game("connect_four")


def state_after(columns: str) -> Any:
    """The state after stones in these columns, which are numbered from 1 to 7."""
    state = connect_four().new_initial_state()
    for column in columns:
        state.apply_action(int(column) - 1)
    return state


class PythonAlphaBeta:
    """The alpha-beta that OpenSpiel offers to Python: a loop in Python over states in C++."""

    def __init__(self) -> None:
        self.minimax = _import("open_spiel.python.algorithms.minimax")
        self.name = f"OpenSpiel {version()}, Python"

    def search(self, columns: str, depth: int) -> int:
        state = state_after(columns)
        me = state.current_player()
        them = 1 - me

        def middle(state: Any) -> float:
            history = state.history()
            return (history[me::2].count(MIDDLE) - history[them::2].count(MIDDLE)) / SCALE

        value, _ = self.minimax.alpha_beta_search(connect_four(), state, middle, depth)
        return round(value * SCALE)

    def count(self, columns: str, depth: int) -> tuple[int, int]:
        """How many positions a search visits and evaluates. Each visit is one call of its recursive function."""
        plain = self.minimax._alpha_beta
        visited = evaluated = 0

        def counting(state: Any, left: int, *others: Any, **named: Any) -> Any:
            nonlocal visited, evaluated
            visited += 1
            evaluated += left == 0 and not state.is_terminal()
            return plain(state, left, *others, **named)

        self.minimax._alpha_beta = counting
        try:
            self.search(columns, depth)
        finally:
            self.minimax._alpha_beta = plain
        return visited, evaluated


def visit_leaves(state: Any, depth: int) -> tuple[int, int]:
    """Perft through pyspiel, as in Cpp.visit_leaves. The states are C++, but the loop in Python takes the time."""
    if depth == 0:
        return 1, state.is_terminal()
    leaves = ended = 0
    for action in state.legal_actions():
        more_leaves, more_ended = visit_leaves(state.child(action), depth - 1)
        leaves += more_leaves
        ended += more_ended
    return leaves, ended


class Cpp:
    """OpenSpiel's C++ code as compiled in the wheel, called through the few lines of _openspiel.cc."""

    def __init__(self) -> None:
        self.name = f"OpenSpiel {version()}, C++"
        self.library = ctypes.CDLL(str(_build()))
        self.library.alpha_beta.restype = ctypes.c_double
        for function in ("perft_in_bulk", "perft_by_visiting", "game_perft", "random_games", "game_alpha_beta"):
            getattr(self.library, function).restype = ctypes.c_long

    def search(self, columns: str, depth: int) -> tuple[int, int]:
        """The value of a position, and how many positions were evaluated."""
        evaluated = ctypes.c_long()
        value = self.library.alpha_beta(columns.encode(), depth, ctypes.byref(evaluated))
        return round(value), evaluated.value

    def perft(self, depth: int) -> int:
        """Perft from the start. The moves of the last ply are counted but not played."""
        return int(self.library.perft_in_bulk(depth))

    def visit_leaves(self, depth: int) -> tuple[int, int]:
        """The number of leaves from the start, and the number of those in which the game has ended."""
        ended = ctypes.c_long()
        return self.library.perft_by_visiting(depth, ctypes.byref(ended)), ended.value

    def game_perft(self, game: str, depth: int) -> int:
        """Perft of a game, given by its OpenSpiel name. The moves of the last ply are counted but not played."""
        return int(self.library.game_perft(game.encode(), depth))

    def game_alpha_beta(self, game: str, depth: int) -> int:
        """Alpha-beta from the start of a game, with the value 0 at the horizon. Returns the positions evaluated."""
        return int(self.library.game_alpha_beta(game.encode(), depth))

    def random_games(self, game: str, number: int) -> int:
        """Play this number of random games, and return how many plies they took."""
        return int(self.library.random_games(game.encode(), number, 1))


@functools.cache
def cpp() -> Cpp:
    connect_four()  # load pyspiel, or report that it is missing
    return Cpp()


def _build() -> Path:
    """Compile _openspiel.cc once, against the installed wheel, which includes the headers."""
    module = Path(_import("pyspiel").__file__)
    source = Path(__file__).with_name("_openspiel.cc")
    digest = hashlib.sha256(source.read_bytes() + f"{module} {version()}".encode()).hexdigest()[:16]
    library = cache_folder() / f"bench-openspiel-{digest}.so"
    if library.exists():
        return library
    compiler = os.environ.get("CXX") or shutil.which("g++") or shutil.which("c++")
    if compiler is None:
        raise Missing("not built: it needs a C++ compiler, g++ say")
    tell("compiling a bridge to OpenSpiel's C++, once...")
    site = module.parent
    includes = [site, site / "open_spiel" / "abseil-cpp", site / "open_spiel" / "json" / "include"]
    options = ["-std=c++17", "-O3", "-march=native", "-shared", "-fPIC", *(f"-I{folder}" for folder in includes)]
    linking = [f"-L{site}", f"-l:{module.name}", f"-Wl,-rpath,{site}"]
    library.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=library.parent) as folder:
        made = Path(folder) / library.name
        command = [compiler, *options, str(source), "-o", str(made), *linking]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            first = next((line for line in done.stderr.splitlines() if "error" in line), f"{compiler} failed")
            raise Missing(f"not built: {first.strip()}")
        made.replace(library)
    return library
