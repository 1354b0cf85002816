"""Records as columns, from wherever they come."""

import math
import sys

import pytest

import zermelo as z
from zermelo.match import save_records

GAMES = ("game", "first", "second", "start", "moves", "plies", "winner", "score", "margin", "reason")


@pytest.fixture(scope="module")
def records():
    return [z.play("random(seed=1)", f"random(seed={seed})", "tictactoe") for seed in range(3)]


def test_a_row_for_each_game(records):
    columns = z.records_frame(records)
    assert tuple(columns)[: len(GAMES)] == GAMES and columns.number == 3
    assert columns["plies"].tolist() == [len(record.moves) for record in records]
    assert columns["winner"].tolist() == [record.winner or 0 for record in records]
    assert columns["moves"][0] == " ".join(move.move for move in records[0].moves)
    assert z.records_frame(records[0]).number == 1 and z.records_frame([]).number == 0


def test_a_row_for_each_move():
    columns = z.records_frame([z.play("alphabeta(depth=2)", "random(seed=1)", "tictactoe")], rows="moves")
    assert columns["ply"].tolist() == list(range(1, columns.number + 1))
    assert columns["player"][:4].tolist() == [1, 2, 1, 2]
    assert columns["depth"][0] == 2 and math.isnan(columns["depth"][1])
    assert columns["name"][1] == "random(seed=1)"


def test_the_mover_is_right_where_a_side_moves_twice():
    record = z.play("random(seed=1)", "random(seed=2)", "parcheckers")
    columns = z.records_frame(record, rows="moves")
    path = record.final_position().path
    assert columns["player"].tolist() == [position.to_move for position in path[:-1]]


def test_files_reports_and_stores(records, tmp_path):
    save_records(records, tmp_path / "games.jsonl")
    for path in (tmp_path / "games.jsonl", str(tmp_path / "games.jsonl")):
        assert z.records_frame(path).number == 3
    report = z.tournament(["random(seed=1)", "random(seed=2)"], "tictactoe", pairs=2, store=tmp_path / "cup.db")
    assert z.records_frame(report).number == 4
    assert z.records_frame(tmp_path / "cup.db").number == z.records_frame(report.store).number == 4
    assert z.records_frame(tmp_path / "cup.db", name="tournament").number == 4


def test_pandas_and_pyarrow_take_them(records):
    frame = z.records_frame(records).to_pandas()
    assert list(frame.columns[:3]) == ["game", "first", "second"] and frame["plies"].sum() > 0
    table = z.records_frame(records, rows="moves").to_arrow()
    assert table.num_rows == sum(len(record.moves) for record in records)


def test_without_pandas_an_error_says_so(records, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(z.ZermeloError, match="pandas is not installed; install it with: pip install pandas"):
        z.records_frame(records).to_pandas()


@pytest.mark.parametrize(
    ("source", "options", "told"),
    [
        (5, {}, "5 holds no records of games"),
        ([5], {}, "5 is not a record of a game"),
        ("nowhere.jsonl", {}, "nowhere.jsonl: cannot be read"),
        ("nowhere.db", {}, "nowhere.db"),
        ([], {"rows": "plies"}, "rows='plies' is not"),
    ],
)
def test_what_cannot_be_is_refused_in_words(source, options, told):
    with pytest.raises(z.ZermeloError, match=told):
        z.records_frame(source, **options)
