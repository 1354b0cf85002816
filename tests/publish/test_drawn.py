"""What a page without a server draws and writes is what Python draws and writes, in every language."""

import json
import random
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from zermelo.errors import PublishError
from zermelo.games import find_game, read_game
from zermelo.language import catalogue, gettext, speaking
from zermelo.publish.bundling import bundle
from zermelo.publish.drawn import drawn_game
from zermelo.rules import is_over, margin, moves_of, outcome, play, to_move

HERE = Path(__file__).parent
NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="Node is not installed")
GAMES = [
    "connect4",
    "connect4(columns=5, rows=4)",
    "hex(size=5, swap=yes)",
    "onitama",
    "onitama(seed=5)",
    "parcheckers",
    "reversi",
    "reversi(columns=6, rows=6)",
    "tictactoe",
    *(str(HERE.parent.parent / "examples" / name) for name in ("breakthrough.py", "chomp.py")),
]
TRIED = ("a1", "9", "pass", "swap", "boar:a1-b2", "ox:c1-c2", "yellow0:5", "x", "")


def number(value):
    return int(value) if float(value) == int(value) else float(value)


def normal(value):
    """All numbers in texts written alike, as in drawing.js."""
    if isinstance(value, str):
        return re.sub(r"-?\d+\.\d+", lambda found: str(number(float(found[0]))), value)
    if isinstance(value, (list, tuple)):
        return [normal(one) for one in value]
    return {key: normal(one) for key, one in value.items()} if isinstance(value, dict) else value


def fields_of(state):
    """The fields as JSON can hold them: words of 64 bits as texts."""
    pairs = zip(state, type(state).kinds, strict=True)
    return [str(int(one)) if kind.__name__ == "uint64" else int(one) for one, kind in pairs]


def answers_about(state):
    """What the rules say of a state, and the states after its moves: drawings may ask for them."""
    over = bool(is_over(state))
    return {
        "over": over,
        "mover": int(to_move(state)),
        "moves": [int(move) for move in moves_of(state)],
        "outcome": int(outcome(state)) if over else 0,
        "margin": int(margin(state)) if over else 0,
        "after": {int(move): fields_of(play(state, move)) for move in moves_of(state)},
    }


def tried_in(position):
    """Texts that are not legal moves; a page explains why not."""
    return [text for text in TRIED if text not in position.moves]


def case_of(position, marks):
    states = {}
    for one in position.path[-2:]:
        states |= {id(one.state): one.state} | {(id(one), move): play(one.state, move) for move in moves_of(one.state)}
    for one in position.path:
        states[id(one)] = one.state
    return {
        "states": [[fields_of(state), answers_about(state)] for state in states.values()],
        "moves": [one.last_move for one in position.path[1:]],
        "marks": marks,
        "tried": tried_in(position),
    }


def expected(position, marks):
    why = [
        None if position.is_over else position.game.why_not(position.state, position.game.normal_move_text(text))
        for text in tried_in(position)
    ]
    title = gettext("{title} board").format(title=gettext(position.game.title))
    return normal(
        {
            "picture": position.picture(marks).to_json("board", title),
            "moves": list(position.moves),
            "over": position.is_over,
            "winner": position.winner,
            "margin": position.margin,
            "text": str(position),
            "line": list(position.line),
            "label": position.label,
            "whyNot": why,
        }
    )


def compare(game, count, language, tmp_path):
    chance = random.Random(game.name)
    positions = []
    while len(positions) < count:
        position = game.start()
        for _ in range(chance.randrange(60)):
            if position.is_over:
                break
            position = position.play_code(chance.choice(position.codes))
        marks = {move: chance.choice(["+12", "W3", "-0.5"]) for move in position.moves if chance.random() < 0.3}
        positions.append((position, marks))
    drawn = drawn_game(game)
    words = {}
    if language != "en":
        texts = drawn.texts | {"{title} board", "{title} position {position}", game.title}
        words = {text: catalogue(language).gettext(text) for text in texts if text}
    cls = type(game.start_state())
    given = {
        "kinds": [kind.__name__ for kind in cls.kinds],
        "words": words,
        "cases": {
            "first": fields_of(game.start_state()),
            "positions": [case_of(position, marks) for position, marks in positions],
        },
    }
    check = bundle("check", {"check": (HERE / "drawing.js").read_text(encoding="utf-8")})
    answers = run(f"globalThis.program = {drawn.script};\n{check}", given, tmp_path)
    for (position, marks), found in zip(positions, answers, strict=True):
        with speaking(language):
            assert found == expected(position, marks), f"{game}: {position} in {language}"


def run(script, given, folder):
    """What the script answers in Node."""
    file = folder / "check.cjs"
    file.write_text(script, encoding="utf-8")
    done = subprocess.run([NODE, file], input=json.dumps(given), capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)


@pytest.mark.parametrize("game", GAMES)
def test_a_page_draws_what_python_draws(game, tmp_path):
    compare(read_game(game), 12, "es" if "size" in game or "columns" in game or "seed" in game else "en", tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", ["en", "es"])
def test_a_page_draws_what_python_draws_in_200_positions(game, language, tmp_path):
    compare(read_game(game), 200, language, tmp_path)


def test_a_tree_has_no_page():
    with pytest.raises(PublishError, match="is a tree"):
        drawn_game(find_game("tree/course"))
