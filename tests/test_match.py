"""Matches and their records."""

import json

import pytest

import zermelo as z
from conftest import dose
from zermelo.errors import FileError
from zermelo.match import load_records, save_records

DEPTH = dose(4, 2)


def play(game="connect4", start=""):
    return z.play(z.alphabeta(depth=DEPTH), z.random(seed=1), z.game(game).position(start))


def test_a_record_has_everything():
    record = play()
    assert record.reason == "played out"
    assert record.winner == 1
    assert record.score == 1.0
    assert record.players == (f"alphabeta(depth={DEPTH})" if DEPTH != 4 else "alphabeta", "random(seed=1)")
    first, second = record.moves[:2]
    assert first.nodes > 7
    assert first.depth == DEPTH
    assert first.score is not None
    assert first.seconds >= 0
    assert second.nodes is None
    assert record.final_position().winner == 1


def test_the_same_players_play_the_same_game():
    assert [m.move for m in play().moves] == [m.move for m in play().moves]


def test_records_save_and_load(tmp_path):
    file = tmp_path / "games.jsonl"
    games = [play(), play(start="4455")]
    save_records(games[:1], file)
    save_records(games[1:], file)
    assert load_records(file) == games
    assert len(file.read_text().splitlines()) == 2
    assert load_records(file)[1].start == "4455"


@pytest.mark.parametrize(
    "line", ["{", "[]", "{}", '{"format": 99}', '{"format": 1, "moves": []}', '{"format": 1, "moves": 3}']
)
def test_a_line_that_is_no_record_is_named(tmp_path, line):
    file = tmp_path / "games.jsonl"
    file.write_text(play().to_json() + "\n" + line + "\n")
    with pytest.raises(FileError, match=r"games.jsonl, line 2: "):
        load_records(file)


def test_files_that_cannot_be_used(tmp_path):
    with pytest.raises(FileError, match="cannot be read"):
        load_records(tmp_path / "none.jsonl")
    with pytest.raises(FileError, match="cannot be written"):
        save_records([play()], tmp_path / "no" / "folder.jsonl")


def test_a_cap_on_plies_leaves_the_game_unfinished():
    record = z.play(z.random(seed=1), z.random(seed=2), z.game("connect4").start(), most_plies=3)
    assert len(record.moves) == 3
    assert record.reason == "unfinished"
    assert record.winner is None
    assert record.score == 0.5


def test_a_match_on_a_tree():
    record = z.play(z.minimax(depth=9), z.minimax(depth=9), z.game("tree/course").start())
    assert [move.move for move in record.moves] == ["D", "I"]
    assert record.margin == 5


def test_on_move_is_told_each_position():
    seen = []
    record = z.play(
        z.random(seed=1),
        z.random(seed=2),
        z.game("tictactoe").start(),
        on_move=lambda p, c: seen.append((str(p), c.move)),
    )
    assert [move for _, move in seen] == [move.move for move in record.moves]


@pytest.mark.parametrize(("gives_up", "winner"), [(0, 2), (1, 1)])
def test_giving_up_is_a_result(monkeypatch, gives_up, winner):
    answers = iter(["4", "q"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(answers))
    players = [z.random(seed=1), z.random(seed=1)]
    players[gives_up] = z.human()
    record = z.play(*players, z.game("connect4").start())
    assert (record.reason, record.winner, record.margin) == ("resigned", winner, None)
    assert len(record.moves) == 2 + gives_up


def test_a_person_may_take_a_move_back(monkeypatch):
    answers = iter(["u", "4", "u", "1", "2", "q"])  # at first there is nothing to take back
    monkeypatch.setattr("builtins.input", lambda prompt: next(answers))
    record = z.play(z.human(), z.random(seed=1), z.game("connect4").position("44"))
    assert [move.move for move in record.moves[::2]] == ["1", "2"]
    assert record.final_position().line[:3] == ("4", "4", "1")


def test_json_is_plain():
    data = json.loads(play().to_json())
    assert data["format"] == 1
    assert "score" not in data["moves"][1]
