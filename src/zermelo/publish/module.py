"""A published player: the module and its manifest."""

import contextlib
import functools
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import llvmlite

from zermelo.core.cache import PACKAGE, cache_folder, save
from zermelo.errors import PublishError
from zermelo.files.folders import data_folder
from zermelo.games import find_game
from zermelo.players import (
    AlphaBetaPlayer,
    EnginePlayer,
    MctsPlayer,
    MinimaxPlayer,
    OwnSearchPlayer,
    Player,
    find_player,
)
from zermelo.players.modules import DATA, manifest_of, read_number, sections
from zermelo.position import Game
from zermelo.solving.registry import solver_of

PUBLISHABLE = (MinimaxPlayer, AlphaBetaPlayer, EnginePlayer, MctsPlayer, OwnSearchPlayer)
"""The players whose search is compiled code of ours or of a user."""

ABOVE = {"arena", "check", "cli", "learn", "studies", "tournaments", "web"}
"""The rooms of the package that have no part in a module: what compiles it imports none of them."""


@dataclass(frozen=True)
class Module:
    """A game and a player as WebAssembly."""

    data: bytes

    @property
    def manifest(self) -> dict[str, Any]:
        """What a host must know about it."""
        return manifest_of(self.data)

    @property
    def weights(self) -> dict[str, int]:
        """How many bytes of the file each part takes that is learned or looked up: weights of heuristics, books."""
        told = self.manifest
        places = {name: told["memory"][name] for name in told["weights"]}
        return {
            name: sum(size for at, size in self._segments() if 0 <= at - place["address"] < place["size"])
            for name, place in places.items()
        }

    @property
    def size(self) -> int:
        """The bytes of the file without those weights: code, constants, and the manifest."""
        return len(self.data) - sum(self.weights.values())

    def _segments(self) -> Iterator[tuple[int, int]]:
        """Of each piece of memory that is not zero at the beginning: its address, and its bytes in the file."""
        for content in (content for kind, content in sections(self.data) if kind == DATA):
            number, at = read_number(content, 0)
            for _ in range(number):
                start = at
                address, at = read_number(content, at + 2)  # after its kind and i32.const; addresses are not negative
                size, at = read_number(content, at + 1)
                at += size
                yield address, at - start


def published(game: Game | str, player: Player | str, *, fresh: bool = False) -> Module:
    """The module of a player for a game; both as text or as objects that can be written as text.

    Compiling takes ten seconds or more, so modules of what the package brings along are kept in the folder of compiled
    code. fresh: compile in any case.
    """
    game = find_game(game)
    player = find_player(player, game)
    if not isinstance(player, PUBLISHABLE):
        raise PublishError(
            "{player} cannot be published: only minimax, alphabeta, engine, mcts and searches of your own become "
            "WebAssembly modules",
            player=player,
        )
    if isinstance(player, EnginePlayer) and player.book is not None:
        raise PublishError("an opening book cannot be published; leave out book={book}", book=player.book)
    kept = _kept_path(str(game), player.full_text)
    if kept is not None and not fresh:
        with contextlib.suppress(OSError):
            return Module(kept.read_bytes())
    module = _compiled(str(game), player.full_text)
    if kept is not None:
        save(kept, lambda file: file.write(module.data))
    return module


def leaves_solver_out(game: Game, player: Player | str) -> bool:
    """Would the native player ask the game's own solver, which its module does not have?"""
    found, solver = find_player(player, game), solver_of(game)
    return isinstance(found, EnginePlayer) and found.solver and solver is not None and not hasattr(solver, "published")


def _kept_path(game: str, player: str) -> Path | None:
    """Where a module is kept, so that it is compiled once; None if it depends on files outside the package."""
    if any(ending in f"{game} {player}" for ending in (".py", ".npz", ".json", ".toml")) or not _is_shipped(game):
        return None
    parts = f"{_package_digest()} {llvmlite.__version__} {game} {player}"
    return cache_folder() / "modules" / f"{hashlib.sha256(parts.encode()).hexdigest()[:32]}.wasm"


def _is_shipped(game: str) -> bool:
    return type(find_game(game)).__module__.startswith("zermelo.games.")


@functools.cache
def _package_digest() -> str:
    """A digest of all that can be in a module (code, weights and books of the package) and of the user's own books."""
    found = hashlib.sha256()
    folder = Path(PACKAGE)
    for file in sorted(folder.rglob("*")):
        if file.suffix in (".py", ".npz", ".json", ".bin") and file.relative_to(folder).parts[0] not in ABOVE:
            found.update(file.relative_to(folder).as_posix().encode() + b"\0" + file.read_bytes())
    books = data_folder() / "books"
    for file in sorted(books.glob("*")) if books.is_dir() else ():
        found.update(file.name.encode() + b"\0" + file.read_bytes())
    return found.hexdigest()


def _compiled(game: str, player: str) -> Module:
    with tempfile.TemporaryDirectory(prefix="zermelo-publish-") as folder:
        out = Path(folder) / "player.wasm"
        request = json.dumps({"game": game, "player": player, "out": str(out)})
        # Numba's own optimisation is for this machine and would be thrown away. The hash seed makes sets repeatable.
        environment = os.environ | {"NUMBA_OPT": "0", "PYTHONHASHSEED": "0", "NUMBA_DISABLE_JIT": "0"}
        done = subprocess.run(
            [sys.executable, "-m", "zermelo.publish.process"],
            input=request,
            capture_output=True,
            text=True,
            env=environment,
        )
        lines = done.stdout.splitlines()
        answer = json.loads(lines[-1]) if lines else {"bug": done.stderr}
        if "error" in answer:
            raise PublishError("{error}", error=answer["error"])
        if "bug" in answer:
            raise RuntimeError(f"the module could not be compiled:\n{answer['bug']}")
        return Module(out.read_bytes())
