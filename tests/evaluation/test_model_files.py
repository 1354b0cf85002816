"""Models in files: what was written can be read, and unusable files are refused with an explanation."""

import numpy as np
import pytest

from zermelo.core import class_of
from zermelo.errors import FileError, HeuristicError
from zermelo.evaluation.models import Model, heuristic_for, load_inputs, read_model, write_model
from zermelo.evaluation.tables import table_shape
from zermelo.games import find_game, find_heuristic

GAME = find_game("connect4")
PACKAGE = type(GAME).__module__


def one_tree(feature, kind="trees", features="report"):
    """A tree of three nodes: is this one of the features at most 2.5? Then 3 points, else -4."""
    load_inputs(PACKAGE)
    nodes = np.array([[feature, 2.5, 1, 2], [-1, 3, 0, 0], [-1, -4, 0, 0]], np.float32)
    arrays = {"constant": np.zeros(1), "roots": np.zeros(1), "nodes": nodes}
    return Model(
        kind, "connect4", arrays, {"trees": 1}, (features,), int(table_shape(GAME.start_state())), {"by": "hand"}
    )


def test_a_model_is_read_as_it_was_written_and_judges(tmp_path):
    path = tmp_path / "tree.npz"
    written = write_model(path, one_tree(0))  # the number of stones
    assert (written.kind, written.features, written.made) == ("trees", ("report",), {"by": "hand"})
    assert (written.vector == one_tree(0).vector).all()
    found = find_heuristic(str(path), GAME)
    assert [found(GAME.position(moves)) for moves in ("-", "44", "444")] == [300, 300, -400]


def test_a_model_of_version_0_1_names_features_as_they_were_called_then(tmp_path):
    path = tmp_path / "old.npz"
    write_model(path, one_tree(0, features="seed"))
    found = find_heuristic(str(path), GAME)
    with pytest.warns(DeprecationWarning, match="'seed' is now 'report'"):
        assert [found(GAME.position(moves)) for moves in ("-", "44", "444")] == [300, 300, -400]


def test_a_tree_that_looks_at_more_features_than_there_are_is_refused():
    model = heuristic_for(one_tree(11), class_of(GAME.start_state()), PACKAGE, "mine")
    with pytest.raises(HeuristicError, match="mine was learned from 12 features, but now there are 11"):
        model(GAME.start())


def test_a_kind_that_nobody_knows_is_named(tmp_path):
    with pytest.raises(
        FileError, match=r"x.npz contains a model of the kind 'forest', but this version knows only table, net"
    ):
        write_model(tmp_path / "x.npz", one_tree(0, kind="forest"))


def test_a_file_that_does_not_say_what_it_is(tmp_path):
    path = tmp_path / "x.npz"
    np.savez(path, about=np.frombuffer(b'["no", "words"]', np.uint8))
    for read in (read_model, lambda file: find_heuristic(str(file))):
        with pytest.raises(FileError, match=r"x.npz is not a file of learned weights, .*\(its description is missing"):
            read(path)


def test_a_file_of_a_later_version_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "x.npz"
    write_model(path, one_tree(0))
    monkeypatch.setattr("zermelo.files.arrays.FORMAT", 2)
    with pytest.raises(FileError, match=f"^{path} has format 1, but this version reads only format 2$"):
        read_model(path)
