"""A published player as a contestant: a WebAssembly module that runs under wasmtime, with limits.

The module can reach nothing but its own memory, so anybody's player can be run on any system. Fuel counts what it
executes, and is the same on every machine.
"""

import atexit
import functools
import threading
import time
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, cast

import numpy as np

from zermelo.core import class_of
from zermelo.errors import FileError, PlayerError
from zermelo.files.reading import cannot_read
from zermelo.language import _
from zermelo.players.common import require
from zermelo.players.engine import TIMED_PARTS
from zermelo.players.modules import AGAIN, CONTROL, DONE, GO_ON, PAST, manifest_of, state_bytes, state_fields
from zermelo.players.player import Choice, Crashed, IllegalMove, Player
from zermelo.position import Game, Position
from zermelo.rules import moves_of
from zermelo.scores import Score
from zermelo.searches.workspace import UNLIMITED

FUEL = 100_000_000_000
"""Units of fuel for a move, if nobody says otherwise: about ten seconds of a processor of 2024."""
TREE_SLICE = 10_000
"""Nodes of a step of Monte Carlo tree search, if only the fuel is limited: after each, the answer is written."""
MOST_MEMORY = 512
FIRST_SLICE, LEAST_SLICE, MOST_SLICE = 20_000, 1000, (1 << 31) - 1
"""Nodes of a step against the clock: before the speed is known, at least, and at most."""
FIRST_ATTEMPT, MORE = 200, 2
"""Nodes that the game's own solver gets against the clock: at first, and how many times as many then."""
SOLVER_RATE, FUEL_PER_NODE = 5_000_000, 1000
"""Before the solver's speed is known: its nodes per second, and units of fuel for a node."""
LEAST_PART = 0.005
"""The part of the budget after which the solver's speed is known."""


class OutOfFuel(Exception):
    """The module has used up its fuel."""


@dataclass(frozen=True)
class WasmPlayer(Player):
    """A published player: the file player.wasm that `zermelo publish` writes. It needs the extra `publish`.

    It searches with the budget that it was published with, or with these nodes or seconds, or for as long as this fuel
    lasts. If its fuel is used up first, it plays the best move that it has found by then, as a search does whose nodes
    are used up. A player that fails, or that needs more memory than allowed, loses the game.
    """

    file: str = ""  #: the module
    nodes: int | None = None  #: maximum number of positions visited; for Monte Carlo tree search, simulations
    seconds: float | None = None  #: maximum time for a move, in seconds
    fuel: int | None = None  #: maximum number of units of fuel for a move; the same on every machine
    memory: int = MOST_MEMORY  #: maximum memory of the module, in megabytes
    kind: ClassVar[str] = "wasm"

    def __post_init__(self) -> None:
        if not isinstance(self.file, str) or not self.file:
            raise PlayerError("wasm: the file is missing, as in wasm(file=player.wasm)")
        require(self, "nodes", 1)
        require(self, "seconds", 0.001)
        require(self, "fuel", 1, 1 << 62)
        require(self, "memory", 1, 4096)

    @property
    def who(self) -> str:
        """What errors call it."""
        return self.file

    @property
    def is_deterministic(self) -> bool:
        if self.seconds is not None or self.nodes is not None or self.fuel is not None:
            return self.seconds is None
        try:
            return "seconds" not in manifest_of(Path(self.file).expanduser().read_bytes())["player"]["budget"]
        except (OSError, FileError):
            return False

    def prepare(self, game: Game) -> None:
        self._machine(game)

    def _machine(self, game: Game) -> "_Machine":
        """This thread's instance of the module, for a game that it can play."""
        path = Path(self.file).expanduser()
        try:
            data = path.read_bytes()
        except OSError as error:
            raise cannot_read(path, error) from None
        kept = _machines.__dict__.setdefault("kept", {})
        place = (data, self.memory)
        if place not in kept or kept[place].is_spoilt:
            old = kept.pop(place, None)
            while len(kept) >= 4:  # only the memories of the last few players are kept
                kept.pop(next(iter(kept)))
            kept[place] = _Machine(data, str(path), self.memory, None if old is None else old.prepared)
        machine: _Machine = kept[place]
        machine.check(game)
        return machine

    def think(self, position: Position) -> Choice:
        began = time.perf_counter()
        machine = self._machine(position.game)
        legal = moves_of(position.state)
        found = machine.search(position, self)
        move = int(found["move"]) if found["length"] > 0 else legal[0]
        if move not in legal:
            raise IllegalMove(_("its module chose the move {move}, which is not legal").format(move=move), self.file)
        line = self._line(position, move, found)
        score = Score.of_units(int(found["score"]), position.to_move)
        evaluated, is_solved = int(found["evaluated"]), bool(found["solved"])
        if is_solved and not score.is_proven:
            score = Score.exact(score.points, int(found["plies"]) or None, position.to_move)
        return Choice(
            line[0],
            time.perf_counter() - began,
            score,
            line,
            None if is_solved else int(found["depth"]),
            int(found["nodes"]),
            None if evaluated < 0 else evaluated,
            solved=is_solved,
        )

    @staticmethod
    def _line(position: Position, move: int, found: Any) -> tuple[str, ...]:
        """The line as text; only its first move must be legal."""
        line, here = [move], position.game.move_text(position.state, move)
        try:
            line = [int(one) for one in found["line"][: max(int(found["length"]), 1)]]
            return position.line_texts(tuple(line)) if line[0] == move else (here,)
        except Exception:  # a line of somebody's module: whatever the rules say to it
            return (here,)


_machines = threading.local()
_all_machines: "weakref.WeakSet[_Machine]" = weakref.WeakSet()


@atexit.register
def _release() -> None:
    """Free what wasmtime holds while Python is still whole: later its destructors would fail, and say so."""
    for machine in list(_all_machines):
        machine.store.close()
    _machines.__dict__.clear()
    _module.cache_clear()


@functools.lru_cache(maxsize=8)
def _module(data: bytes, name: str) -> tuple[Any, Any]:
    """A module, compiled for this machine, and the engine that it belongs to."""
    try:
        import wasmtime
    except ImportError:
        raise PlayerError('published players need wasmtime: pip install "zermelo[publish]"') from None
    config = wasmtime.Config()
    config.consume_fuel = True
    config.cranelift_nan_canonicalization = True  # the bits of "not a number" would depend on the processor
    engine = wasmtime.Engine(config)
    try:
        return engine, wasmtime.Module(engine, data)
    except wasmtime.WasmtimeError as error:
        raise FileError("{name}: not a WebAssembly module: {error}", name=name, error=error) from None


class _Machine:
    """A module with its memory. Only one search runs in it at a time."""

    def __init__(self, data: bytes, name: str, memory: int, prepared: bytes | None = None):
        """prepared: the memory of another instance of this module, from before its first search."""
        import wasmtime

        self.manifest = manifest_of(data, name)
        self.name = name
        engine, module = _module(data, name)
        self.store = wasmtime.Store(engine)
        self.store.set_limits(memory_size=memory << 20)
        self.store.set_fuel(FUEL)
        try:
            instance = wasmtime.Instance(self.store, module, [])
            self.exports = cast(Any, instance.exports(self.store))  # what a module exports is known only when it runs
            self.memory: Any = self.exports["memory"]
            self.control, self.room = (int(self.manifest["memory"][part]["address"]) for part in ("control", "room"))
            self.prepared = self._prepare(prepared)
        except (wasmtime.WasmtimeError, wasmtime.Trap, KeyError, TypeError, ValueError) as error:
            raise PlayerError("{name}: cannot be started: {error}", name=name, error=error) from None
        self.is_spoilt = False
        self.rate = 0.0  # nodes per second, measured in earlier searches
        _all_machines.add(self)

    def _prepare(self, prepared: bytes | None) -> bytes | None:
        """Let the game's own solver make its tables, which count towards no limit, as those of a native player.

        Returns what the memory holds then, if it is worth keeping. It has fuel for ten seconds, and cannot know yet
        which positions it will be asked for.
        """
        if prepared is not None:
            self.memory.write(self.store, prepared)
        elif "prepare" in self.manifest["entries"]:
            start, parts = int(self.manifest["memory"]["start"]["address"]), 1
            while self.exports["prepare"](self.store, start):
                parts += 1
            return bytes(self.memory.read(self.store)) if parts > 1 else None
        return prepared

    def check(self, game: Game) -> None:
        """Raise PlayerError if the module is for another game."""
        told = self.manifest["game"]["text"]
        fields, size = state_fields(class_of(game.start_state()))
        layout = {"size": size, "fields": [one.described for one in fields]}
        if told != str(game) or self.manifest["state"] != layout:
            raise PlayerError("{name} was published for {told}, not for {game}", name=self.name, told=told, game=game)

    def call(self, name: str, *given: int) -> int:
        """What a function of the module returns. Fault if it fails; OutOfFuel if there was too little."""
        import wasmtime

        try:
            return int(self.exports[name](self.store, *given))
        except wasmtime.Trap as trap:
            self.is_spoilt = True
            if trap.trap_code == wasmtime.TrapCode.OUT_OF_FUEL:
                raise OutOfFuel from None
            raise Crashed(_("its module failed: {reason}").format(reason=_first_line(trap)), self.name) from None
        except (wasmtime.WasmtimeError, KeyError, TypeError, ValueError, OverflowError) as error:
            self.is_spoilt = True
            raise Crashed(_("its module failed: {reason}").format(reason=_first_line(error)), self.name) from None

    def told(self) -> Any:
        """The control record as it is now."""
        data = self.memory.read(self.store, self.control, self.control + CONTROL.itemsize)
        return np.frombuffer(bytes(data), CONTROL)[0]

    def _array_address(self, name: str, array: Any) -> int:
        return int(self.manifest["memory"][f"array {name}"]["address"])

    def search(self, position: Position, player: WasmPlayer) -> Any:
        """The control record after a search of this position with a player's limits."""
        own = self.manifest["player"]["budget"]
        nodes, seconds, fuel = player.nodes, player.seconds, FUEL if player.fuel is None else player.fuel
        if nodes is None and seconds is None:
            nodes, seconds = own.get("nodes"), own.get("seconds") if player.fuel is None else None
        control = np.zeros(1, CONTROL)
        past = position.past_keys[-PAST:]
        control["limit"], control["seed"], control["past"] = UNLIMITED if nodes is None else nodes, -1, len(past)
        control["keys"][0, : len(past)] = np.array(past, np.uint64)
        self.store.set_fuel(fuel)
        began = time.perf_counter()

        def used() -> float:
            """The part of the budget that has been used, from 0 to 1."""
            by_time = 0.0 if seconds is None else (time.perf_counter() - began) / seconds
            return max(by_time, 1 - self.store.get_fuel() / fuel)

        usual = min(fuel / FUEL_PER_NODE, float("inf") if seconds is None else seconds * SOLVER_RATE)

        try:
            self.memory.write(self.store, control.tobytes(), self.control)
            self.memory.write(self.store, state_bytes(position.state, self._array_address), self.room)
            self.call("begin", self.room)
            if nodes is not None or not self._attempt(used, usual):
                self._steps(seconds if seconds is None else seconds - (time.perf_counter() - began), nodes)
        except OutOfFuel:
            pass  # what was found by then counts
        except IndexError as error:  # an address beyond its memory
            self.is_spoilt = True
            raise Crashed(_("its module failed: {reason}").format(reason=error), self.name) from None
        return self.told()

    def _attempt(self, used: Callable[[], float], most: float) -> bool:
        """Let the game's own solver look for a move, with more and more nodes; whether it has found one.

        most: the nodes that the whole budget is likely to be enough for. An attempt that has too few nodes to be worth
        while costs nothing, so the budget alone does not end the attempts.
        """
        nodes, found = FIRST_ATTEMPT, -1
        if "attempt" in self.manifest["entries"]:
            while (found := self.call("attempt", nodes)) == 0 and nodes < MOST_SLICE // MORE:
                part, searched = used(), float(self.told()["nodes"])
                if part > LEAST_PART and searched > LEAST_SLICE:
                    most = searched / part
                if (1 + MORE) * part > 1 / TIMED_PARTS or MORE * nodes > most / TIMED_PARTS:
                    break
                nodes *= MORE
        return found == 1

    def _steps(self, seconds: float | None, nodes: int | None) -> None:
        """Search depth after depth. Against the clock, each step gets the nodes for which there seems to be time."""
        began, status = time.perf_counter(), GO_ON
        usual = TREE_SLICE if nodes is None and self.manifest["player"]["grows_tree"] else -1
        while status != DONE:
            most = usual
            if seconds is not None:
                told, spent = self.told(), time.perf_counter() - began
                left = seconds - spent
                if left <= 0 and told["depth"] > 0:
                    return
                if spent > 0.005 and told["nodes"] > LEAST_SLICE:
                    self.rate = float(told["nodes"]) / spent
                if status == AGAIN and left < 0.1 * seconds:
                    return
                most = min(max(LEAST_SLICE, round(self.rate * left)), MOST_SLICE) if self.rate else FIRST_SLICE
            status = self.call("step", most)


def _first_line(error: object) -> str:
    lines = str(error).strip().splitlines()
    return lines[-1].strip() if lines else str(error)
