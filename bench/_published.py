"""The same positions for a native player and for its module in Node. The tests use this, too."""

import base64
import json
import random
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import zermelo
from zermelo.games import find_game
from zermelo.players import Player, find_player
from zermelo.players.modules import manifest_of, state_bytes
from zermelo.position import Game, Position
from zermelo.rules import is_over, key, moves_of, outcome, to_move
from zermelo.scores import units_of_score

NODE = shutil.which("node")
MODULE_JS = Path(zermelo.__file__).parent / "publish" / "static" / "module.js"
MOST_PLIES = 60
PATIENCE = 1200
"""Seconds to wait for Node."""


def random_positions(game: Game, number: int, seed: int = 1) -> list[Position]:
    """Positions of random games, among them some in which the game has ended."""
    chance, found = random.Random(seed), []
    for _ in range(number):
        position = game.start()
        for _ in range(chance.randrange(MOST_PLIES)):
            if position.is_over:
                break
            position = position.play(chance.choice(position.moves))
        found.append(position)
    return found


def ask_node(script: str, wasm: Path, **request: Any) -> Any:
    """What a script in this folder says about a module."""
    given = json.dumps({"moduleJs": str(MODULE_JS), "wasm": str(wasm), **request})
    command = [str(NODE), str(Path(__file__).parent / script)]
    done = subprocess.run(command, input=given, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def packed(wasm: Path, position: Position) -> str:
    """A position as the module takes it, for JSON."""
    places = manifest_of(wasm.read_bytes())["memory"]
    data = state_bytes(position.state, lambda name, array: places[f"array {name}"]["address"])
    return base64.b64encode(data).decode()


def native_answer(position: Position, player: Player) -> dict[str, Any]:
    """What the native rules and the native player say."""
    state = position.state
    over = bool(is_over(state))
    told: dict[str, Any] = {
        "moves": moves_of(state),
        "over": over,
        "mover": int(to_move(state)),
        "key": str(int(key(state))),
        "outcome": int(outcome(state)) if over else None,
    }
    if not over:
        choice = player.think(position)
        assert choice.score is not None
        told |= {"line": choice.line, "depth": choice.depth, "nodes": choice.nodes}
        told["score"] = int(units_of_score(choice.score))
    return told


def answers(wasm: Path, game_text: str, player_text: str, number: int) -> Iterator[tuple[Position, Any, Any]]:
    """For each of so many random positions: the position, the module's answer, and that of the native player."""
    game = find_game(game_text)
    player = find_player(player_text, game)
    positions = random_positions(game, number)
    states = [packed(wasm, position) for position in positions]
    for position, answer in zip(positions, ask_node("_answers.mjs", wasm, states=states), strict=True):
        native = native_answer(position, player)
        if not native["over"]:
            answer["line"] = position.line_texts(answer["line"])
            answer["score"] = answer["score"]["units"]
        yield position, {name: answer[name] for name in native}, native


def compare(wasm: Path, game_text: str, player_text: str, number: int) -> None:
    """Assert that the module answers like the native player: moves, key, line, score, depth and nodes."""
    for position, found, native in answers(wasm, game_text, player_text, number):
        assert found == native, f"{position}: {found} in the module, {native} here"
