"""Errors that random inputs have found, and others like them: each of them stays corrected."""

import itertools
import json
import time

import numpy as np
import pytest

import zermelo as z
from zermelo.calls import Call, parse_call
from zermelo.errors import FileError, GameError, HeuristicError, MoveError, PlayerError, PositionError, ZermeloError
from zermelo.evaluation.models import Model, is_sound
from zermelo.games import find_game, find_heuristic
from zermelo.games.connect4.book import MAGIC, Book
from zermelo.match import Record, load_records
from zermelo.tournaments.plan import make_plan, read_plan
from zermelo.tournaments.store import open_store


def test_calls_within_calls_without_end():
    with pytest.raises(ZermeloError, match="at most 20 calls inside one another"):
        parse_call("a(" * 5000)
    assert parse_call("a(" * 20 + "b" + ")" * 20)


@pytest.mark.parametrize("value", [0.123456789, 1e-9, 1 / 3, "yes", "5", "1e3", "boar ox", "a(b", "a=b"])
def test_a_value_comes_back_as_it_was(value):
    """A weight of 0.123456789 used to be 0.123457 in another process, and the text "yes" became a truth value."""
    assert parse_call(str(Call("a", {"b": value}))).options == {"b": value}


def test_a_game_has_no_option_called_text():
    with pytest.raises(GameError, match="hex has no option 'text'"):
        find_game("hex", text=5)


def test_long_numbers_are_no_columns():
    with pytest.raises(MoveError, match="the columns are 1 to 7"):
        find_game("connect4").start().play("9" * 5000)


@pytest.mark.parametrize("text", ["a1" * 40 + "!", "x" + " " * 20_000 + "yy"])
def test_reading_reversi_takes_no_longer_than_the_text(text):
    """Each a1 could be read in two ways, so there were 2^40 readings."""
    began = time.process_time()
    with pytest.raises(PositionError):
        find_game("reversi").position(text)
    assert time.process_time() - began < 20


def test_a_seed_may_be_any_whole_number():
    settings = {"pairs": 1, "openings": {"balanced": False}}
    for seed in (-1, 1 << 70):
        assert z.tournament(["random(seed=1)", "random(seed=2)"], "tictactoe", seed=seed, **settings).games == 2


@pytest.mark.parametrize("text", ["alphabeta(seconds=inf)", "engine(seconds=nan)", "mcts(scale=1e999)"])
def test_budgets_have_an_end(text):
    with pytest.raises(PlayerError, match="is not a number"):
        z.player(text)


def test_weights_can_be_used():
    with pytest.raises(HeuristicError, match="the weight two=inf must be a number between"):
        find_heuristic("connect4/lines2(two=inf)")


def test_names_of_files_may_be_too_long_or_of_nobody():
    for name in (f"{'a' * 300}.py:x", "~nobody-at-all/mine.py:x", "a\0b.py:x", f"{'a' * 300}.npz"):
        with pytest.raises(HeuristicError, match="there is no file"):
            find_heuristic(name)
    long = (
        f"alphabeta(heuristic=lines2({', '.join(f'{name}={1 / 3}' for name in ('two', 'three'))}), depth={'0' * 300}1)"
    )
    assert len(make_plan([long, "random"], "connect4")[0].contestants) == 2


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("seconds = nan", "seconds"),
        ("game = {name = 5}", "there is no game '5'"),
        ('openings = {file = "a\\u0000b"}', "cannot be read"),
        ("x = " + "[" * 5000, "cup.toml"),
        ("pairs = " + "9" * 5000, "cup.toml"),
    ],
)
def test_a_plan_that_cannot_be(tmp_path, change, words):
    game = "" if change.startswith("game") else 'game = "tictactoe"\n'
    (tmp_path / "cup.toml").write_text(f'{game}contestants = ["random", "minimax"]\n{change}\n')
    with pytest.raises(FileError, match=words):
        read_plan(tmp_path / "cup.toml")


def test_files_of_games(tmp_path):
    good = Record("tictactoe", ("random", "human"), "-")
    for part, value in (("winner", 3), ("players", ["one"]), ("game", None), ("moves", [{"move": 5, "seconds": 0}])):
        with pytest.raises(FileError, match="not a game record"):
            Record.from_json(json.dumps(json.loads(good.to_json()) | {part: value}))
    (tmp_path / "games.jsonl").write_bytes(b"\xff\xfe")
    with pytest.raises(FileError, match="it is not text"):
        load_records(tmp_path / "games.jsonl")
    with pytest.raises(FileError, match="not a game record"):
        Record.from_json("[" * 100_000)


def test_a_book_that_says_it_is_deep(tmp_path):
    Book(4, 4, 1).write(tmp_path / "book.bin")
    packed = (tmp_path / "book.bin").read_bytes().split(b"\n", 2)[2]
    for depth in (2, 0, 42, 10**9, -1, "2"):
        about = json.dumps({"columns": 4, "rows": 4, "depth": depth}).encode()
        (tmp_path / "book.bin").write_bytes(MAGIC + about + b"\n" + packed)
        with pytest.raises(FileError, match="or it is damaged"):
            Book.read(tmp_path / "book.bin")


def test_models_whose_numbers_do_not_fit():
    """Compiled code would read outside its arrays, or go round in a tree for ever."""
    leaf = [-1, 3, 0, 0]

    def trees(nodes, roots=(0,)):
        return Model(
            "trees", "connect4", {"constant": [1], "roots": roots, "nodes": nodes}, {"trees": len(roots)}, ("x",)
        )

    assert is_sound(trees([[0, 0.5, 1, 2], leaf, leaf]), 1)
    assert not is_sound(trees([[0, 0.5, 0, 1], leaf]), 1), "it is its own child"
    assert not is_sound(trees([[0, 0.5, 1, 9], leaf]), 1)
    assert not is_sound(trees([[7, 0.5, 1, 2], leaf, leaf]), 1), "there is one feature"
    assert not is_sound(trees([leaf], roots=(5,)), 1)
    dense = {"centre": [0.0], "factor": [1.0], "w": [[1.0, 2.0]], "b": [0.0, 0.0], "v": [[1.0], [1.0]], "c": [0.0]}
    assert is_sound(Model("dense", "connect4", dense, {"widths": [1, 2, 1]}, ("x",)), 1)
    assert not is_sound(Model("dense", "connect4", dense, {"widths": [1, 3, 1]}, ("x",)), 1)
    chain = {"centre": [0.0], "factor": [1.0], "terms": [1.0, 2.0]}
    assert is_sound(Model("polynomial", "connect4", chain, {"before": [0, 0], "factor": [0, 0]}, ("x",)), 1)
    assert not is_sound(Model("polynomial", "connect4", chain, {"before": [0, 1], "factor": [0, 0]}, ("x",)), 1)
    assert not is_sound(
        Model("polynomial", "connect4", chain | {"terms": [np.nan, 1]}, {"before": [0, 0], "factor": [0, 0]}), 1
    )


def test_a_tree_is_not_too_deep_and_its_names_can_be_written(tmp_path):
    file = tmp_path / "tree.toml"
    names = [f"n{i}" for i in range(300)]
    below = "\n".join(f'{name} = ["{child}"]' for name, child in itertools.pairwise(names))
    file.write_text(f"[children]\n{below}\n[scores]\n{names[-1]} = 1\n")
    with pytest.raises(FileError, match="is more than 200 plies from the root"):
        find_game("tree", file=str(file))
    file.write_text('[children]\nA = ["b c", "-"]\n[scores]\n"b c" = 1\n"-" = 2\n')
    with pytest.raises(FileError, match="'b c' is not a valid name"):
        find_game("tree", file=str(file))


def test_a_store_damaged_after_it_was_opened(tmp_path):
    path = tmp_path / "cup.db"
    report = z.tournament(["random(seed=1)", "random(seed=2)"], "tictactoe", pairs=1, store=path)
    report.store.execute("DROP TABLE games")
    with pytest.raises(FileError, match=r"cup.db cannot be used: no such table"):
        report.store.scores("tournament")
    report.store.execute("DELETE FROM zermelo")
    report.store.close()
    with pytest.raises(FileError, match="it does not say which version of zermelo made it"):
        open_store(path)
