"""Random files: cut off, mixed, with wrong bits, or with the right form and wrong contents."""

import contextlib
import itertools
import json
import shutil
import sqlite3

import numpy as np
import pytest
from fuzzing import Parser, array_files, encoded, files, json_texts, texts, try_long, try_some

import zermelo as z
from zermelo.core import JIT, class_of
from zermelo.evaluation.features import feature_sets
from zermelo.evaluation.models import Model, load_inputs, write_model
from zermelo.evaluation.nets import net_layout, net_size
from zermelo.evaluation.tables import table_shape
from zermelo.evaluation.weight_files import WeightFile, read_weights, write_weights
from zermelo.games import find_game, load_model, load_weights
from zermelo.games.connect4.book import Book
from zermelo.games.onitama.endgames import _read as read_endgames
from zermelo.games.tree.notation import read_tree
from zermelo.learn.dataset_files import Dataset, field_types, read_dataset, write_dataset
from zermelo.learn.self_play import SelfPlay
from zermelo.learn.self_play import Settings as SelfPlaySettings
from zermelo.learn.tuning import Found
from zermelo.learn.tuning import Settings as TuningSettings
from zermelo.match import load_records
from zermelo.tournaments.plan import Plan, read_plan
from zermelo.tournaments.report import make_report
from zermelo.tournaments.store import open_store

PLAN = """\
name = "cup"
game = "connect4(columns=5, rows=4)"
contestants = ["lines2", {name = "deep", player = "alphabeta(depth=2)"}, "random(seed=1)"]
format = "round robin"
pairs = 3
rounds = 2
seed = 7
depth = 2
seconds = 0.5
grace = 1
most_plies = 30
increasing_depth = false

[openings]
plies = 2
count = 5
balanced = true
depth = 2
"""
PLAN_OF_TEST = """\
game = {name = "hex", size = 3}
contestants = ["mcts(simulations=5)", "random"]
search = "engine(nodes=100)"

[openings]
positions = ["b2", ".../.B./... w"]

[sprt]
elo0 = 0
elo1 = 20.5
alpha = 0.05
model = "logistic"
"""
TREE = '[children]\nA = ["B", "C"]\nB = ["D", "E"]\n\n[scores]\nC = 4\nD = 7\nE = [2, 5]\n'
TREE_JSON = '{"children": {"A": ["B", "C"]}, "scores": {"B": 1, "C": [2, 5]}}'
OPENINGS = "b2  # the middle\n\n.../.B./... w\na1 b1\n"
RECORDS = (
    '{"format": 1, "game": "tictactoe", "players": ["random", "human"], "start": "-", "moves": [{"move": "b2", '
    '"seconds": 0.1}], "winner": 1, "margin": null, "reason": "resigned"}\n'
)

_number = itertools.count()


class Folder:
    """The folder in which inputs become files."""

    def __init__(self, path):
        self.path = path

    def reading(self, read, name):
        """A function that reads an input as a file of this name; in a new folder each time, since paths are kept."""

        def read_input(data):
            folder = self.path / str(next(_number))
            folder.mkdir()
            try:
                (folder / name).write_bytes(data)
                return read(folder / name)
            finally:
                shutil.rmtree(folder)

        return read_input

    def written(self, write, name):
        """The bytes that write(path) leaves in a file."""
        path = self.path / name
        write(path)
        data = path.read_bytes()
        path.unlink()
        return data


@pytest.fixture
def folder(tmp_path):
    return Folder(tmp_path)


# ------------------------------------------------------------------------------------------ texts in files


def plans(folder):
    read = folder.reading(read_plan, "cup.toml")
    return Parser("tournament files", read, encoded(texts(PLAN, PLAN_OF_TEST)), Plan.to_json, Plan.from_json)


def openings(folder):
    def read(path):
        plan = path.with_name("cup.toml")
        plan.write_text('game = "hex(size=3)"\ncontestants = ["random", "mcts"]\nopenings = {file = "openings.txt"}\n')
        return read_plan(plan)

    return Parser("files of openings", folder.reading(read, "openings.txt"), encoded(texts(OPENINGS)))


def trees(folder):
    return Parser("trees in TOML", folder.reading(read_tree, "tree.toml"), encoded(texts(TREE)))


def trees_in_json(folder):
    return Parser("trees in JSON", folder.reading(read_tree, "tree.json"), encoded(json_texts(TREE_JSON)))


def tree_games(folder):
    """Every node of a tree that can be read can be written, read and drawn."""

    def read(path):
        game = find_game("tree", file=str(path))
        for name in game.tree.names[:50]:
            position = game.position(name)
            assert str(position) == name
            position.board(), position.svg()

    return Parser("games on trees", folder.reading(read, "tree.toml"), encoded(texts(TREE)))


def records(folder):
    return Parser("files of games", folder.reading(load_records, "games.jsonl"), encoded(json_texts(RECORDS)))


def weights(folder):
    made = WeightFile("connect4/lines2", {"one": 2.5, "two": 4, "three": 11}, {"games": 100})
    data = folder.written(lambda path: write_weights(path, made), "weights.json")
    inputs = encoded(json_texts(data.decode()))

    def read(path):
        load_weights(path)
        return read_weights(path)

    again = folder.reading(read_weights, "weights.json")

    def write(found):
        return folder.written(lambda path: write_weights(path, found), "again.json")

    return Parser("files of weights", folder.reading(read, "weights.json"), inputs, write, again)


def tuning(folder):
    found = Found(TuningSettings("connect4/lines2", "connect4"), judged=[1.0, 0.5])
    data = folder.written(found.save, "state.json")
    read = folder.reading(Found.load, "state.json")
    return Parser("states of tuning", read, encoded(json_texts(data.decode())))


# ------------------------------------------------------------------------------------------ arrays in files


def self_play(folder):
    data = folder.written(SelfPlay(SelfPlaySettings("tictactoe")).save, "checkpoint.npz")
    return Parser("checkpoints", folder.reading(SelfPlay.load, "checkpoint.npz"), array_files(data))


def dataset(folder, name):
    game = find_game("connect4")
    columns = {column: np.zeros(4, kind) for column, kind in field_types(game).items()}
    columns["parent"][:] = [0, 0, 1, 1]
    data = folder.written(lambda path: write_dataset(path, Dataset(game, columns, {"seed": 1})), name)
    inputs = array_files(data) if name.endswith("npz") else files(data)

    def read(path):
        found = read_dataset(path)
        return len(found), len(found.states), found.rows(found.score == 0)

    return Parser(f"datasets, {name}", folder.reading(read, name), inputs)


def datasets_npz(folder):
    return dataset(folder, "data.npz")


def datasets_parquet(folder):
    pytest.importorskip("pyarrow")
    return dataset(folder, "data.parquet")


def models(folder):
    """All kinds of models. They evaluate a position in plain Python, where a wrong index is an error."""
    examples = [folder.written(lambda path, m=model: write_model(path, m), "m.npz") for model in some_models()]
    start = find_game("connect4").start_state()

    def read(path):
        heuristic = load_model(path)
        heuristic.check(start)
        return float(heuristic.function(start, heuristic.vector))

    return Parser("learned models", folder.reading(read, "model.npz"), array_files(*examples))


def some_models():
    game = find_game("connect4")
    package, start = type(game).__module__, game.start_state()
    load_inputs(package)
    name, features = next(iter(feature_sets(package, class_of(start)).items()))
    size, board = len(features), int(table_shape(start))
    scaling = {"centre": np.zeros(size), "factor": np.ones(size)}
    chain = {"before": [0, 0, 1], "factor": [0, 0, min(1, size - 1)]}
    yield Model("polynomial", "connect4", scaling | {"terms": [1, 2, 3]}, chain, (name,), board)
    layers = {"w0": np.ones((size, 2)), "b0": [0, 1], "w1": np.ones((2, 1)), "b1": [1]}
    yield Model("dense", "connect4", scaling | layers, {"widths": [size, 2, 1]}, (name,), board)
    nodes = [[0, 0.5, 1, 2], [-1, 3, 0, 0], [-1, 4, 0, 0], [-1, 5, 0, 0]]
    trees = {"constant": [1], "roots": [0, 3], "nodes": nodes}
    yield Model("trees", "connect4", trees, {"trees": 2}, (name,), board)
    inputs = int(net_size(start))
    arrays = {part: np.zeros(form) for part, form in net_layout(inputs, 2, 2)}
    yield Model("net", "connect4", arrays, {"sizes": [inputs, 2, 2], "gap": 0.5}, board=board)


def tables(folder):
    game = find_game("tictactoe")
    learning = SelfPlay(SelfPlaySettings("tictactoe"))
    model = Model("table", "tictactoe", {"entries": learning.arrays["table"]}, {})
    data = folder.written(lambda path: write_model(path, model), "table.npz")

    def read(path):
        heuristic = load_model(path)
        heuristic.check(game.start_state())
        return float(heuristic.function(game.start_state(), heuristic.vector))

    return Parser("learned tables", folder.reading(read, "table.npz"), array_files(data))


def books(folder):
    data = folder.written(Book(4, 4, 2).write, "book.bin")

    def deep(depth):
        head = json.dumps({"columns": 7, "rows": 6, "depth": depth}).encode()
        return b"\n".join([data.split(b"\n")[0], head, data.split(b"\n", 2)[2]])

    def write(book):
        return folder.written(book.write, "again.bin")

    def same(one, other):
        return all((a.scores == b.scores).all() for a, b in zip(one.levels, other.levels, strict=True))

    read = folder.reading(Book.read, "book.bin")
    return Parser("opening books", read, files(data, deep(42), deep(10**9), deep(-1)), write, same=same)


def endgames(folder):
    read = folder.reading(lambda path: read_endgames(path, 4), "t.endgames")
    return Parser("tables of endgames", read, files(b"\0\1\2\3" * 50))


# ------------------------------------------------------------------------------------------ databases


def stores(folder):
    """A tournament's store, and all that can be asked of it."""

    def make(path):
        players = ["random(seed=1)", "random(seed=2)"]
        z.tournament(players, "tictactoe", pairs=1, openings={"balanced": False}, store=path).store.close()
        with contextlib.closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")  # all in one file

    def read(path):
        with contextlib.closing(open_store(path, must_exist=True)) as store:
            for name in store.names():
                _, found = store.plan(name), make_report(store, name)
                str(found), store.counts(name), store.results(name, 10), store.pairs(name)
                for game in store.games(name):
                    assert game.record.score in (0, 0.5, 1)

    data = folder.written(make, "cup.db")
    return Parser("stores of tournaments", folder.reading(read, "cup.db"), files(data))


# ------------------------------------------------------------------------------------------ tried

IN_TEXT = [plans, openings, trees, trees_in_json, tree_games, records, weights, tuning]
IN_BYTES = [self_play, datasets_npz, datasets_parquet, models, tables, books, endgames, stores]


@pytest.mark.parametrize("make", IN_TEXT + IN_BYTES, ids=lambda make: make.__name__)
def test_files(make, folder):
    try_some(make(folder))


@pytest.mark.slow
@pytest.mark.skipif(not JIT, reason="the same as compiled, only slower")
@pytest.mark.parametrize("make", IN_TEXT + IN_BYTES, ids=lambda make: make.__name__)
def test_files_for_long(make, folder, record_property):
    try_long(make(folder), record_property)
