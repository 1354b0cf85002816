"""Random texts: games, players, heuristics, positions and moves of every game, and what the web lab takes as text."""

import pytest
from fuzzing import Parser, json_texts, texts, try_long, try_some

from zermelo.calls import parse_call
from zermelo.core import JIT
from zermelo.games import find_game, find_heuristic
from zermelo.match import Record
from zermelo.players import find_player
from zermelo.position import random_playout
from zermelo.tournaments.plan import Plan, make_plan

GAMES = {  # and some texts of positions
    "tictactoe": ["X../.O./... x"],
    "tree/course": ["A", "C", "B E"],
    "connect4": ["324443", "44444"],
    "connect4(columns=5, rows=4)": ["11223"],
    "reversi": ["f5d6c3", "f5 d6", "f5,d6,PASS"],
    "reversi(columns=6, rows=4)": ["------/--OX--/--XO--/------ X"],
    "hex(size=3)": ["b2a1", "b2,c1", ".../.B./... w", "swap"],
    "hex(size=5, swap=yes)": ["c3swap", "c3a1"],
    "onitama": ["crane:c1-c2", "bbBbb/...../...../...../rrRrr boar,ox elephant,horse crab r"],
    'onitama(cards="boar ox elephant horse crab")': ["boar:c1-c2"],
    "parcheckers": [
        "yellow0:5",
        "yellow=4,H blue=21,F3 red=G,47 turn=blue dice=124/6* bonus=20 six bounces=yellow:3,red:1 captured=yellow",
    ],
}
GAME_TEXTS = (
    *GAMES,
    "onitama(seed=7, sets=base, first=blue)",
    'parcheckers(start="yellow=4,H green=G,F2")',
    "tree(file=none.toml)",
    "tree(toml=\"[children]\nA = ['B', 'C']\n[scores]\nB = 1\nC = [2, 5]\")",
)
PLAYERS = (
    "random(seed=3)",
    "human",
    "minimax(depth=2, nodes=100, seconds=0.5)",
    "alphabeta(lines2(two=5), 4, tolerance=2, order=centre, order_plies=3, top_moves=5)",
    "engine(heuristic=connect4/lines2, depth=5, nodes=3_000, seconds=1.5, memory=8, threads=2, reduce=yes, solver=no)",
    "mcts(simulations=10, heuristic=centre, rollouts=2, mix=0.25, scale=10.5, exploration=1.25, rave=9, reuse=no)",
    'process(command="python3 engine.py", seconds=2, patience=3.5, depth=4)',
    'gtp(command="mohex --quiet", seconds=1)',
    "parcheckers/ninja1",
)
HEURISTICS = ("lines2", "connect4/lines2(two=5, three=-1.5)", "none.py:corners(corner=8)", "none.npz", "none.json")
RECORD = (
    '{"format": 1, "game": "tictactoe", "players": ["random", "human"], "start": "-", "moves": '
    '[{"move": "b2", "seconds": 0.1, "score": 3, "depth": 2, "nodes": 9}, {"move": "a1", "seconds": 0}], '
    '"winner": null, "margin": null, "reason": "unfinished"}'
)
RECORD_TEXT = "game: hex(size=3)\nfirst: random\nsecond: human\nwinner: first\nreason: resigned\n\n1. b2 2. a1\n"
ADDRESSES = (
    "hex/5x5,swap=yes/c3a1",
    "onitama/cards=boar_ox_elephant_horse_crab/boar:c1-c2",
    "tree:course/-/B",
    "reversi/6x4/-",
    "connect4/-/324443",
    "parcheckers/start=yellow=4,H/-",
)


def calls():
    return Parser(
        "calls", parse_call, texts(*PLAYERS, *GAME_TEXTS, *HEURISTICS), str, same=lambda a, b: str(a) == str(b)
    )


def games():
    return Parser("games", find_game, texts(*GAME_TEXTS), str)


def players():
    game = find_game("connect4")
    return Parser("players", lambda text: find_player(text, game), texts(*PLAYERS), str)


def heuristics():
    game = find_game("connect4")
    return Parser("heuristics", lambda text: find_heuristic(text, game), texts(*HEURISTICS), str)


def records():
    return Parser("records of games", Record.from_json, json_texts(RECORD), Record.to_json)


def plans():
    plan, _ = make_plan(["random", "mcts"], "hex(size=3)", sprt={"elo1": 20}, openings={"positions": ["b2"]})
    return Parser("plans of tournaments as JSON", Plan.from_json, json_texts(plan.to_json()), Plan.to_json)


def imported_texts():
    saved = pytest.importorskip("zermelo.web.saved")
    store = pytest.importorskip("zermelo.web.game_store")
    return Parser("games as text", saved.read_one, texts(RECORD_TEXT), store.record_text)


def imported_lines():
    saved = pytest.importorskip("zermelo.web.saved")
    return Parser("games as lines of JSON", saved.read_json_lines, json_texts(RECORD))


def addresses():
    """Games as they stand in the addresses of pages; schemathesis tries the same from without, but knows no games."""
    positions = pytest.importorskip("zermelo.web.positions")

    def read(text):
        return positions.read_line(*text.split("/")[:3])

    return Parser("addresses of positions", read, texts(*ADDRESSES), lambda line: line.text)


OTHERS = [calls, games, players, heuristics, records, plans, imported_texts, imported_lines, addresses]


def positions(name):
    game = find_game(name)
    played = [random_playout(game.start(), seed, 4 * seed) for seed in range(4)]
    examples = [*map(str, played), *(" ".join(position.line) for position in played), *GAMES[name]]

    def read(text):
        position = game.position(text)
        for ask in (position.board, position.svg, lambda: (position.moves, position.winner, position.margin)):
            ask()
        return position

    return Parser(f"positions of {name}", read, texts(*examples), str)


def moves(name):
    position = random_playout(find_game(name).start(), 5, 3)
    written = texts(*position.moves[:6], *GAMES[name][:2], "pass", "swap", "1")
    return Parser(f"moves of {name}", position.play, written, lambda found: found.last_move_text)


# ------------------------------------------------------------------------------------------ tried


@pytest.mark.parametrize("make", OTHERS, ids=lambda make: make.__name__)
def test_texts(make):
    try_some(make())


@pytest.mark.parametrize("make", [positions, moves], ids=lambda make: make.__name__)
@pytest.mark.parametrize("name", GAMES)
def test_positions_and_moves(make, name):
    try_some(make(name))


@pytest.mark.slow
@pytest.mark.skipif(not JIT, reason="the same as compiled, only slower")
@pytest.mark.parametrize("make", OTHERS, ids=lambda make: make.__name__)
def test_texts_for_long(make, record_property):
    try_long(make(), record_property)


@pytest.mark.slow
@pytest.mark.skipif(not JIT, reason="the same as compiled, only slower")
@pytest.mark.parametrize("make", [positions, moves], ids=lambda make: make.__name__)
@pytest.mark.parametrize("name", GAMES)
def test_positions_and_moves_for_long(make, name, record_property):
    try_long(make(name), record_property)
