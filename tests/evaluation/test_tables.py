"""Tables: which entries describe a position, how they are added up, and how they are kept in files."""

import importlib

import numpy as np
import pytest

from conftest import dose
from zermelo.core import JIT
from zermelo.errors import FileError, GameError, HeuristicError
from zermelo.evaluation.table_files import TableFile, read_table, write_table
from zermelo.evaluation.tables import (
    MOST_ENTRIES,
    table_entries,
    table_heuristic,
    table_limit,
    table_shape,
    table_size,
)
from zermelo.games import find_game, find_heuristic, table_game
from zermelo.learn.arena import Arena, openings
from zermelo.players import find_player
from zermelo.position import random_playout
from zermelo.rules import moves_of, play

GAMES = [
    "tictactoe",
    "connect4",
    "connect4(columns=8, rows=7)",
    "connect4(columns=4, rows=4)",
    "reversi",
    "hex(size=4)",
    "hex",
    "onitama",
    "parcheckers",
]


def entries_of(state):
    out = np.full(MOST_ENTRIES, -1, np.int32)
    number = table_entries(state, out)
    assert (out[number:] == -1).all(), "nothing is written behind the entries"
    return out[:number]


def some_states(text, number):
    game = table_game(text)
    for seed in range(number):
        position = random_playout(game.start(), seed, 3 + seed)
        if not position.is_over:
            yield position.state


def random_table(text):
    state = table_game(text).start_state()
    weights = np.random.default_rng(1).normal(0, 100, int(table_size(state))).astype(np.float32)
    return table_heuristic((type(state),), weights, "chance")


@pytest.mark.parametrize("text", GAMES)
def test_entries_stay_within_the_table_and_sum_to_the_heuristic(text):
    table = random_table(text)
    for state in some_states(text, dose(40, 4)):
        entries = entries_of(state)
        assert len(entries) and entries.min() >= 0 and entries.max() < table_size(state)
        limit = int(table_limit(state)) or np.inf
        assert abs(table(state) - np.clip(table.vector[entries].sum(), -limit, limit)) <= 1


def test_no_value_of_reversi_is_beyond_64_discs(tmp_path):
    path = tmp_path / "a.npz"
    for table in (saved(path, "reversi"), find_heuristic(str(path), find_game("reversi"))):
        values = [float(table(state)) for state in some_states("reversi", 20)]
        assert max(values) == 64 and min(values) == -64


@pytest.mark.parametrize("text", GAMES)
def test_every_move_changes_some_entry(text):
    for state in some_states(text, dose(10, 2)):
        before = sorted(entries_of(state))
        for move in moves_of(state):
            assert sorted(entries_of(play(state, move))) != before


def test_mirrored_positions_share_their_value():
    game, table = find_game("connect4"), random_table("connect4")
    for state in some_states("connect4", dose(30, 3)):
        values = [table(other) for other in game.symmetries(state)]
        assert max(values) - min(values) <= 1, "apart from rounding"


def saved(path, text="connect4", **changes):
    game = table_game(text)
    table = random_table(text)
    shape = int(table_shape(game.start_state()))
    write_table(path, TableFile(table.vector, text, shape, {"seed": 7}), **changes)
    return table


def test_a_file_gives_back_the_table_and_plays_by_its_path(tmp_path):
    path = tmp_path / "mine.npz"
    table = saved(path)
    assert read_table(path).made == {"seed": 7}
    game = find_game("connect4")
    found = find_heuristic(str(path), game)
    assert str(found) == str(path)
    for state in some_states("connect4", 5):
        assert abs(found(state) - table(state)) <= 45, "80 entries, each rounded by a half at most"
    choice = find_player(f"alphabeta(depth=2, heuristic={path})").think(game.start())
    assert choice.move in game.start().moves


@pytest.mark.parametrize(("bits", "finest"), [(8, 1.0), (16, 1.0), (16, 1 / 512)])
def test_a_table_from_a_file_adds_up_its_rounded_entries(tmp_path, bits, finest):
    path, game = tmp_path / "mine.npz", table_game("reversi")
    size = int(table_size(game.start_state()))
    weights = np.random.default_rng(3).normal(0, 5, size).astype(np.float32)
    write_table(path, TableFile(weights, "reversi"), bits, finest)
    stored, found = read_table(path), find_heuristic(str(path), game)
    assert stored.scale >= finest or bits == 8
    assert np.abs(stored.weights - weights).max() <= stored.scale / 2 * 1.001
    for state in some_states("reversi", dose(20, 2)):
        total = stored.weights[entries_of(state)].astype(float).sum()
        assert found(state) == pytest.approx(np.clip(total, -64, 64), abs=0.002)


def test_small_entries_make_small_files(tmp_path):
    saved(tmp_path / "a.npz", "onitama", bits=8)
    saved(tmp_path / "b.npz", "onitama", bits=16)
    small, large = ((tmp_path / name).stat().st_size for name in ("a.npz", "b.npz"))
    assert small < 1e6 and small < 0.8 * large


def test_a_changed_file_is_read_again(tmp_path):
    path = tmp_path / "mine.npz"
    saved(path, "tictactoe")
    state = table_game("tictactoe").start_state()
    assert find_heuristic(str(path))(state) != 0
    write_table(path, TableFile(np.zeros(int(table_size(state)), np.float32), "tictactoe"))
    assert find_heuristic(str(path))(state) == 0


def test_a_table_knows_its_own_board_only(tmp_path):
    path = tmp_path / "mine.npz"
    saved(path)
    player = find_player(f"alphabeta(depth=1, heuristic={path})")
    with pytest.raises(HeuristicError, match="learned on the board of connect4 and cannot evaluate other boards"):
        player.think(find_game("connect4(columns=5)").start())
    with pytest.raises(HeuristicError, match="so it cannot play Tic-tac-toe"):
        player.think(find_game("tictactoe").start())
    write_table(path, TableFile(np.zeros(10, np.float32), "connect4"))
    with pytest.raises(HeuristicError, match="has 10 entries, but the game's patterns now need"):
        player.think(find_game("connect4").start())
    with pytest.raises(HeuristicError, match="is a table and has no weight called 'corner'"):
        find_heuristic(f"{path}(corner=1)")


def test_a_game_without_patterns_says_so():
    importlib.import_module("zermelo.games.tree")
    with pytest.raises(GameError, match="no table can be learned"):
        table_game("tree/course")


@pytest.mark.parametrize("damage", ["cut", "text", "turned", "other arrays"])
def test_damaged_files_are_refused_by_name(tmp_path, damage):
    path = tmp_path / "mine.npz"
    saved(path, "tictactoe")
    data = bytearray(path.read_bytes())
    if damage == "cut":
        path.write_bytes(data[: len(data) // 2])
    elif damage == "text":
        path.write_text("not weights at all")
    elif damage == "turned":
        middle = len(data) // 3
        data[middle : middle + 8] = b"\xff" * 8
        path.write_bytes(data)
    else:
        np.savez(path, x=np.zeros(3))
    with pytest.raises(FileError, match=r"mine.npz is not a file of learned weights, or it is damaged"):
        _ = find_heuristic(str(path)).vector


def test_a_file_of_a_later_version_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("zermelo.files.arrays.FORMAT", 99)
    path = tmp_path / "mine.npz"
    saved(path, "tictactoe")
    monkeypatch.undo()
    with pytest.raises(FileError, match="has format 99, but this version reads only format 1"):
        _ = find_heuristic(str(path)).vector


# ------------------------------------------------------------------------------------------ the tables that are shipped

SHIPPED = {  # at most 5 MB each
    "connect4": "learned_table",  # its `learned` is a net, from exact scores
    "reversi": "learned",
    "hex(size=7)": "learned",
    "onitama": "learned",
    "parcheckers": "learned",
}


@pytest.mark.parametrize(("text", "name"), SHIPPED.items())
def test_a_shipped_table_fits_its_game_is_small_and_says_how_it_was_made(text, name):
    game = find_game(text)
    learned = game.heuristics[name]
    learned.check(game.start_state())
    path = learned.evaluator.source
    assert path.stat().st_size < 5e6
    made = learned.evaluator.file.made
    notes = (path.parent / "README.md").read_text(encoding="utf-8")
    if "command" in made:  # fitted to datasets, and not learned by self-play
        assert made["command"] in notes
    else:
        assert f"--games {made['games']} " in notes and f"--seed {made['settings']['seed']} " in notes
    assert learned.evaluator.file.game in notes


def test_a_shipped_table_is_not_offered_for_boards_it_does_not_know():
    assert "learned" not in find_game("connect4(columns=5)").heuristics
    assert "learned" not in find_game("reversi(columns=6, rows=6)").heuristics
    assert "learned" in find_game("hex").heuristics, "its entries mean the same on every board"


@pytest.mark.skipif(not JIT, reason="some dozens of games")
@pytest.mark.parametrize(("text", "other", "depth"), [("reversi", "report_tuned", 2), ("onitama", "combined", 2)])
def test_a_shipped_table_beats_the_best_made_by_hand(text, other, depth):
    """It is better by 300 Elo and more (weights/README.md), so 30 pairs are enough to see that it is not worse."""
    game = find_game(text)
    starts = openings(game, 30, 5)
    scores = list(Arena(game, depth).pair_scores(game.heuristics["learned"], game.heuristics[other], starts))
    assert sum(scores) / 60 > 0.65


def test_copies_of_a_table_share_its_numbers_and_its_code():
    table = random_table("tictactoe")
    other = table.labelled("mine.npz").renamed("other")
    assert other == table and hash(other) == hash(table) and (other.name, other.label) == ("other", "other")
    assert other.vector is table.vector and type(other) is type(table)
    state = table_game("tictactoe").start_state()
    assert other(state) == table(state) and other.native(type(state)) is table.native(type(state))
    with pytest.raises(HeuristicError, match=r"other is a table and has no weight called 'corner'"):
        other.with_weights(corner=2)


@pytest.mark.parametrize("text", ["parcheckers", "connect4"])
def test_what_a_game_ships_is_read_once(text):
    first, again = find_game(text).heuristics, find_game(text).heuristics
    assert any(name.endswith("_tuned") for name in first) and "learned" in first
    assert all(again[name] is heuristic for name, heuristic in first.items())
    assert first is not again, "a caller may change its own"
