"""Compiling a game and a player to a module. This runs in a process of its own (see process.py)."""

import json
from typing import Any

from zermelo import __version__
from zermelo.core import Heuristic, class_of
from zermelo.core.numbers import PLY, POINT, PROVEN, WIN
from zermelo.errors import PublishError
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
from zermelo.players.common import resolved
from zermelo.players.engine import TREE
from zermelo.players.mcts import SIMULATIONS
from zermelo.players.modules import CONTROL, FORMAT, SECTION, state_bytes, state_fields
from zermelo.position import Game
from zermelo.publish.engine_entries import engine_entries
from zermelo.publish.entries import Entry, evaluate_entry, rule_entries
from zermelo.publish.linking import LinkError, Segment, link
from zermelo.publish.lowering import lowered
from zermelo.publish.mcts_entries import Leaf, mcts_entries
from zermelo.publish.memory import STACK, Memory
from zermelo.publish.own_entries import own_entries
from zermelo.publish.packing import unpack_entry
from zermelo.publish.solver_entries import placed, prepare_entries, solver_entries, with_attempts
from zermelo.publish.textbook_entries import textbook_entries
from zermelo.publish.weights import multiplied, place_weights
from zermelo.rules import MOST_MOVES
from zermelo.searches.growing import NODES_PER_SIMULATION
from zermelo.searches.mcts_run import no_heuristic
from zermelo.solving.registry import solver_of

ROOM = 1 << 16
"""Bytes of the memory that a host may use for states and lists of moves."""


HEAP = 1 << 22
"""Bytes of the memory that the code may take while it runs, for arrays and lists of a user's function."""


def build(game_text: str, player_text: str) -> bytes:
    """The module of a player for a game. A ZermeloError says why there is none."""
    game = find_game(game_text)
    player = find_player(player_text, game)
    start = game.start_state()
    memory = Memory()
    memory.take("control", CONTROL.itemsize)
    memory.take("room", ROOM)
    first = state_bytes(start, lambda name, array: memory.take(f"array {name}", array.nbytes, array.tobytes()))
    memory.take("start", len(first), first)
    cls = class_of(start)
    entries = rule_entries(cls) + _player_entries(game, player, cls, memory)
    return _assembled(entries, memory, manifest(game, player, cls, memory, entries))


def _player_entries(game: Game, player: Player, cls: Any, memory: Memory) -> list[Entry]:
    """What the player adds to the rules."""
    if isinstance(player, EnginePlayer):
        heuristic, own = _engine_search(game, player, cls, memory)
        evaluate, weights = heuristic.native(cls), memory.places["weights"][0]
        offered = getattr(solver_of(game), "published", None) if player.solver else None
        solver = offered(game.start_state()) if offered is not None else None
        if solver is not None:
            known = placed(
                solver,
                memory,
                lambda one: weights if one == heuristic else place_weights(one, memory, "solver weights"),
            )
            own = with_attempts(own, cls, known, memory, looks_up=not player.grows_tree(game))
            own += solver_entries(cls, known, memory) + prepare_entries(cls, known)
    elif isinstance(player, (AlphaBetaPlayer, MinimaxPlayer)):
        heuristic = _compiled(resolved(player.heuristic, game, cls), cls)
        order = heuristic
        if isinstance(player, AlphaBetaPlayer) and player.order is not None:
            order = _compiled(resolved(player.order, game, cls), cls)
        evaluate, weights = heuristic.native(cls), place_weights(heuristic, memory)
        sorting = weights if order is heuristic else place_weights(order, memory, "order weights")
        own = textbook_entries(cls, player, evaluate, order.native(cls), (weights, sorting), memory)
    elif isinstance(player, MctsPlayer):
        is_judged = player.heuristic is not None or player.rollouts == 0
        heuristic = _compiled(resolved(player.heuristic, game, cls), cls) if is_judged else no_heuristic(cls)
        evaluate, weights = heuristic.native(cls), place_weights(heuristic, memory)
        own = mcts_entries(cls, player.tree_options, player.memory, Leaf(evaluate, weights, is_judged), memory)
    else:
        assert isinstance(player, OwnSearchPlayer)  # see module.py
        heuristic = _compiled(resolved(player.heuristic, game, cls), cls)
        evaluate, weights = heuristic.native(cls), place_weights(heuristic, memory)
        numbers = player.own_search.vector
        own_weights = memory.take("search weights", numbers.nbytes, numbers.tobytes()), len(numbers)
        own = own_entries(cls, player, evaluate, (weights, own_weights), memory)
    return [evaluate_entry(cls, evaluate, weights), *own]


def _engine_search(game: Game, player: EnginePlayer, cls: Any, memory: Memory) -> tuple[Heuristic, list[Entry]]:
    """The heuristic of the engine's search in this game, and the entries of that search."""
    if player.grows_tree(game):
        is_judged, megabytes = player.tree_is_judged(game), TREE * player.memory
        heuristic = _compiled(resolved(player.heuristic, game, cls), cls) if is_judged else no_heuristic(cls)
        leaf = Leaf(heuristic.native(cls), place_weights(heuristic, memory), is_judged)
        return heuristic, mcts_entries(cls, player.tree_options(game), megabytes, leaf, memory, NODES_PER_SIMULATION)
    heuristic = _compiled(resolved(player.heuristic, game, cls), cls)
    weights, pruning = place_weights(heuristic, memory), player.pruning(game, heuristic)
    return heuristic, engine_entries(cls, player, pruning, heuristic.native(cls), weights, memory)


def _compiled(heuristic: Heuristic, cls: Any) -> Heuristic:
    """The heuristic, unless it runs as plain Python."""
    note = heuristic.note(cls)
    if note is not None:
        raise PublishError(
            "{name} cannot be published, because it cannot be compiled:\n{note}", name=heuristic.label, note=note
        )
    return heuristic


def manifest(game: Game, player: Player, cls: Any, memory: Memory, entries: list[Entry]) -> dict[str, Any]:
    """What a host must know about a module, as JSON."""
    fields, size = state_fields(cls)
    weights = [name for name in memory.contents if "weights" in name]
    return {
        "format": FORMAT,
        "zermelo": __version__,
        "game": {"text": str(game), "name": game.name, "title": game.title},
        "player": {
            "text": str(player),
            "kind": player.kind,
            "grows_tree": _grows_tree(player, game),
            "budget": _budget(player),
        },
        "state": {"size": size, "fields": [one.described for one in fields]},
        "entries": {one.name: {"arguments": one.arguments, "result": one.result} for one in entries},
        "memory": {name: {"address": at, "size": size} for name, (at, size) in memory.places.items()},
        "control": {name: int(CONTROL.fields[name][1]) for name in CONTROL.names or ()},  # type: ignore[index]
        "weights": {name: memory.places[name][1] for name in weights},
        "limits": {"moves": MOST_MOVES, "line": CONTROL["line"].shape[0], "past": CONTROL["keys"].shape[0]},
        "units": {"point": POINT, "ply": PLY, "win": WIN, "proven": PROVEN},
    }


def _grows_tree(player: Player, game: Game) -> bool:
    """Is Monte Carlo tree search its search?"""
    return isinstance(player, MctsPlayer) or (isinstance(player, EnginePlayer) and player.grows_tree(game))


def _budget(player: Player) -> dict[str, float]:
    """What the player may use for a move; for Monte Carlo tree search, nodes are simulations."""
    limits = dict(player.budget)
    limits.pop("memory", None)
    if isinstance(player, MctsPlayer):
        nodes = SIMULATIONS if player.simulations is None and player.seconds is None else player.simulations
        if nodes is not None:
            limits["nodes"] = nodes
    return limits


def _assembled(entries: list[Entry], memory: Memory, told: dict[str, Any]) -> bytes:
    failed = memory.places["control"][0]
    texts: list[str] = []
    exports: dict[str, str] = {}
    for entry in entries:
        exports[entry.name], needed = entry.compiled(failed)
        texts += needed
    unpack, needed = unpack_entry(multiplied(memory.scaled)).compiled(failed)
    texts += needed
    heap = memory.take("heap", HEAP), HEAP
    fixed = tuple(Segment(memory.places[name][0], data) for name, data in memory.contents.items())
    written = json.dumps(told, sort_keys=True, ensure_ascii=False).encode()
    try:
        made = lowered(texts, [*exports.values(), unpack], heap)
        custom, begins = {SECTION: written}, bool(memory.scaled)
        return link(made, exports, memory.end, STACK, fixed=fixed, custom=custom, unpacked_by=unpack, always=begins)
    except LinkError as error:
        names = ", ".join(error.missing) or str(error)
        if any(name.startswith(("numba_dict", "numba_list", "numba_set")) for name in error.missing):
            raise PublishError(
                "the code uses a dictionary, a set or a typed list, which a module cannot have"
            ) from None
        raise PublishError("the code needs functions that a module cannot have: {names}", names=names) from None
