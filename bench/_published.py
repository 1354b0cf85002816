"""The same positions for a native player and for its module in Node. The tests use this, too."""

import base64
import contextlib
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
from zermelo.publish.bundling import bundle
from zermelo.rules import is_over, key, moves_of, outcome, to_move
from zermelo.scores import units_of_score

NODE = shutil.which("node")
MODULE_JS = Path(zermelo.__file__).parent / "publish" / "static" / "module.js"
OWN = Path(__file__).parent / "_own_players.py"
OWN_HEURISTICS = {
    "connect4": "connect4",
    "hex(size=5)": "hex_",
    "onitama": "onitama",
    "parcheckers": "parcheckers",
    "reversi": "reversi",
    "tictactoe": "tictactoe",
}
"""By game, a heuristic in the file OWN."""
LEARNED = {"connect4": ("learned", "learned_table"), "tictactoe": ()}
"""Heuristics with a net or a table, where they are others than `learned`."""
REVERSI_6 = "reversi(columns=6, rows=6)"
SCRIPTS = {"asking": "_asking.js", "answer": "_answer.mjs"}
MOST_PLIES = 60
PATIENCE = 1200
"""Seconds to wait for Node."""


def players_of(game: str) -> list[str]:
    """Players of every kind for a game, each with a budget that gives the same moves every time."""
    own = OWN_HEURISTICS.get(game)
    found = ["engine(nodes=2000)"]
    if own is not None:
        found += [
            f"engine(nodes=2000, heuristic={OWN}:{own})",
            "minimax(depth=1)",
            "alphabeta(depth=2)",
            f"{OWN}:my_alphabeta(depth=2, heuristic={OWN}:{own})",
            "mcts(simulations=200, seed=1)",
            *(f"alphabeta(depth=2, heuristic={name})" for name in LEARNED.get(game, ("learned",))),
        ]
    return found


PUBLISHED = [
    (game, player) for game in (*OWN_HEURISTICS, "hex(size=7)", "hex", REVERSI_6) for player in players_of(game)
]
"""Every game with every kind of player: engine, textbook searches, a search and a heuristic of one's own, Monte Carlo
tree search, tables and nets."""


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
        told |= {"line": choice.line, "depth": choice.depth or 0, "nodes": choice.nodes}
        told["score"] = int(units_of_score(choice.score))
    return told


def answers(
    wasm: Path, game_text: str, player_text: str, positions: int | list[Position]
) -> Iterator[tuple[Position, Any, Any]]:
    """For each of these or of so many random positions: the position, the module's answer, and the native player's."""
    for one in both_answers(wasm, game_text, player_text, positions):
        yield one["position"], one["node"], one["native"]


def both_answers(
    wasm: Path, game_text: str, player_text: str, positions: int | list[Position], page: Any = None
) -> Iterator[dict[str, Any]]:
    """For each of these or of so many random positions: `position`, and what the module and the native player answer.

    The module's answers are `node` or, if there is a page in a browser (see in_chromium), `node` and `chromium`.
    """
    game = find_game(game_text)
    player = find_player(player_text, game)
    if isinstance(positions, int):
        positions = random_positions(game, positions)
    states = [packed(wasm, position) for position in positions]
    found = {"node": ask_node("_answers.mjs", wasm, states=states)}
    if page is not None:
        given = [base64.b64encode(wasm.read_bytes()).decode(), states]
        found["chromium"] = page.evaluate("([wasm, states]) => answersOf(wasm, states)", given)
    for at, position in enumerate(positions):
        native = native_answer(position, player)
        told = {"position": position, "native": native}
        for host, its in found.items():
            answer = its[at]
            if not native["over"]:
                answer["line"] = position.line_texts(answer["line"])
                answer["score"] = answer["score"]["units"]
            told[host] = {name: answer[name] for name in native}
        yield told


@contextlib.contextmanager
def in_chromium(path: str) -> Iterator[Any]:
    """A page in Chromium that lets published players search."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page()
        prepare_page(page)
        yield page
        browser.close()


def prepare_page(page: Any) -> None:
    """Let published players search in a page."""
    page.set_default_timeout(1000 * PATIENCE)
    here = Path(__file__).parent
    made = {name: (here / file).read_text(encoding="utf-8") for name, file in SCRIPTS.items()}
    page.add_script_tag(content=bundle("asking", made))


def compare(wasm: Path, game_text: str, player_text: str, positions: int | list[Position]) -> None:
    """Assert that the module answers like the native player: moves, key, line, score, depth and nodes."""
    for position, found, native in answers(wasm, game_text, player_text, positions):
        assert found == native, f"{position}: {found} in the module, {native} here"


def processor_seconds(session: Any) -> float:
    """The processor time that all processes of the browser have used so far."""
    return sum(float(one["cpuTime"]) for one in session.send("SystemInfo.getProcessInfo")["processInfo"])
