"""What every game in the catalogue must promise, whoever wrote it.

The contract ships with the package, because `zermelo check` holds users' games to it (src/zermelo/check/games.py). Here
every game of the catalogue is held to it too, and to what only the catalogue promises.
"""

import json
import os
import pickle
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from conftest import dose
from zermelo.check.games import broken
from zermelo.core import JIT
from zermelo.errors import MoveError, ZermeloError
from zermelo.games import find_game, game_names
from zermelo.position import Game, Position, random_playout
from zermelo.rules import moves_of, play, to_move


def set_ups() -> list[str]:
    """Games with other options than the usual ones, from the folders of their tests."""
    files = sorted(Path(__file__).parent.glob("*/set-ups.txt"))
    return [line for file in files if file.parent.name in game_names() for line in file.read_text().splitlines()]


GAMES = [*game_names(), *set_ups()]


@pytest.fixture(scope="module", params=GAMES)
def game(request: pytest.FixtureRequest) -> Game:
    return find_game(request.param)


def playouts(game: Game, number: int) -> list[Position]:
    return [random_playout(game.start(), seed) for seed in range(number)]


def test_a_game_names_itself(game: Game) -> None:
    assert find_game(str(game)) == game
    assert game.title and len(game.players) == 2
    assert game.default_heuristic in game.heuristics
    assert type(game).__doc__


def test_the_contract_that_ships_is_kept(game: Game) -> None:
    seen: dict[int, Position] = {}
    for end in playouts(game, dose(30, 3)):
        assert list(broken(game, end, seen)) == []


def test_a_position_read_from_its_text_is_the_same(game: Game) -> None:
    for end in playouts(game, dose(10, 2)):
        for position in end.path:
            again = game.position(str(position))
            assert again == position and hash(again) == hash(position)
            assert again.moves == position.moves or game.is_drawn_by_history(position)
            assert position.winner is None or position.is_over


def test_moves_that_stand_alone_have_one_text(game: Game) -> None:
    texts: dict[int, str] = {}
    for end in playouts(game, dose(10, 2) if game.moves_stand_alone else 0):
        for position in end.path[:-1]:
            for move in moves_of(position.state):
                text = game.move_text(position.state, move)
                assert texts.setdefault(move, text) == text


def test_symmetric_states_are_worth_the_same(game: Game) -> None:
    for end in playouts(game, dose(5, 1)):
        for position in (end.path[len(end.path) // 2], end):
            found = game.symmetries(position.state)
            assert position in [Position(game, state) for state in found]
            assert len({game.canonical_key(state) for state in found}) == 1
            for state in found:
                other = Position(game, state)
                assert (other.to_move, other.winner) == (position.to_move, position.winner)
                assert len(other.moves) == len(position.moves)


def test_states_are_immutable_values(game: Game) -> None:
    state = random_playout(game.start(), 1, plies=2).state
    again = pickle.loads(pickle.dumps(state))
    assert type(again) is type(state) and Position(game, again) == Position(game, state)
    move = moves_of(game.start().state)[0]
    before = game.start()
    play(before.state, move)
    assert before == game.start()


def test_pictures_have_a_size_and_a_name(game: Game) -> None:
    for end in playouts(game, dose(3, 1)):
        for position in (end.path[0], end.path[len(end.path) // 2], end):
            root = ElementTree.fromstring(position.svg())
            assert root.tag.endswith("svg") and root.get("viewBox") and root.get("aria-label")
            assert "data:image/svg+xml;base64," in position._repr_html_()


def test_marks_are_drawn(game: Game) -> None:
    start = game.start()
    assert "@7@" in start.svg({start.moves[0]: "@7@"})


@pytest.mark.parametrize("text", ["", "?", "a0", "z99", "0", "-1", "999999999999999999999999", "é", "a1\0", "()", "١"])
def test_bad_move_texts_are_refused_in_words(game: Game, text: str) -> None:
    with pytest.raises(MoveError) as caught:
        game.start().play(text)
    assert text.strip() in str(caught.value) or repr(text) in str(caught.value)


@pytest.mark.parametrize("text", ["?", "//", "X" * 500, "a0 b0", "\x00", "é", "1 2 3 x", "١٢", "- -"])
def test_bad_position_texts_are_refused_in_words(game: Game, text: str) -> None:
    with pytest.raises(ZermeloError):
        game.position(text)


def test_heuristics_speak_for_the_mover_and_are_documented(game: Game) -> None:
    for heuristic in game.heuristics.values():
        assert heuristic.__doc__, f"{heuristic.name} has no docstring"
        for end in playouts(game, dose(5, 1)):
            for position in end.path[:-1]:
                assert isinstance(heuristic(position), (int, float))


def trace(name: str) -> list[object]:
    """Moves, keys and results of a few games, for comparison with the other way of running."""
    game = find_game(name)
    lines: list[object] = []
    for seed in range(2):
        end = random_playout(game.start(), seed)
        for position in end.path:
            values = [h(position) for h in game.heuristics.values()] if not position.is_over else []
            lines.append([str(position), position.moves, position.key, int(to_move(position.state)), values])
        lines.append([end.winner, end.margin])
    return lines


@pytest.mark.skipif(not JIT, reason="the compiled run does the comparison")
def test_plain_python_agrees_move_for_move(game: Game) -> None:
    code = f"import json, test_contract; print(json.dumps(test_contract.trace({str(game)!r})))"
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == json.loads(json.dumps(trace(str(game))))
