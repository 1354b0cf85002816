"""Tables are fitted by least squares: the result is compared with NumPy's, and sharing of entries with its meaning."""

import numpy as np
import pytest

from conftest import dose
from zermelo.core import JIT
from zermelo.errors import ZermeloError
from zermelo.evaluation.models import Model, load_inputs, write_model
from zermelo.evaluation.tables import table_entries, table_phases
from zermelo.games import find_game
from zermelo.learn.columns import columns_of
from zermelo.learn.dataset_files import Dataset
from zermelo.learn.net_training import View, see
from zermelo.learn.table_fitting import fit_table, table_values, twins_of
from zermelo.learn.trainers import MODELS, Setting
from zermelo.position import random_playout

TICTACTOE = find_game("tictactoe").start_state()
REVERSI = find_game("reversi")


def toy_view(number, inputs, active, seed):
    random = np.random.default_rng(seed)
    chosen = np.stack([random.choice(inputs, active, replace=False) for _ in range(number)])
    starts = np.arange(0, active * number + 1, active)
    return View(chosen.astype(np.int32).ravel(), starts, np.ones(number, np.int64), np.full(number, np.nan, np.float32))


def matrix_of(view, size):
    matrix = np.zeros((len(view), size))
    for i in range(len(view)):
        np.add.at(matrix[i], view.inputs[view.starts[i] : view.starts[i + 1]], 1)
    return matrix


def test_a_table_finds_the_numbers_it_was_made_from():
    view, truth = toy_view(dose(2000, 200), 30, 5, 1), np.random.default_rng(2).normal(size=30).astype(np.float32)
    scores = truth[view.inputs.reshape(-1, 5)].sum(axis=1)
    found = fit_table(view, scores, TICTACTOE, np.arange(30, dtype=np.int32), rounds=60, ridge=0.0)
    values = np.zeros(len(view), np.float32)
    table_values(view.inputs, view.starts, found, values)
    assert np.abs(values - scores).max() < 0.01


def test_with_a_ridge_it_is_the_solution_of_the_normal_equations():
    view, random = toy_view(dose(600, 100), 30, 5, 3), np.random.default_rng(4)
    scores = random.normal(size=len(view)).astype(np.float32)
    found = fit_table(view, scores, TICTACTOE, np.arange(30, dtype=np.int32), rounds=60, ridge=7.0)
    matrix = matrix_of(view, 30)
    expected = np.linalg.solve(matrix.T @ matrix + 7.0 * np.eye(30), matrix.T @ scores)
    assert found == pytest.approx(expected, abs=1e-4)


def test_twins_share_their_entry():
    view, random = toy_view(dose(600, 100), 30, 5, 5), np.random.default_rng(6)
    twins = np.arange(30, dtype=np.int32)
    twins[20:] = np.arange(10)
    scores = random.normal(size=len(view)).astype(np.float32)
    found = fit_table(view, scores, TICTACTOE, twins, rounds=60, ridge=1.0)
    assert (found[20:] == found[:10]).all() and (found[:10] != found[10:20]).all()
    matrix = matrix_of(view, 30) @ np.eye(30)[twins]
    expected = np.linalg.solve(matrix.T @ matrix + np.eye(30), matrix.T @ scores)
    assert found[:20] == pytest.approx(expected[:20], abs=1e-4)


def test_what_one_phase_never_saw_is_judged_as_in_the_phases_beside_it(monkeypatch):
    """Six phases of two entries, of which the second wants 4 in the second phase and 1 in the last; others see none."""
    monkeypatch.setattr("zermelo.learn.table_fitting.table_phases", lambda state: 6)
    inputs = np.array([3] * 50 + [11] * 50, np.int32)
    view = View(inputs, np.arange(101), np.ones(100, np.int64), np.full(100, np.nan, np.float32))
    scores = np.array([4.0] * 50 + [1.0] * 50, np.float32)
    found = fit_table(view, scores, TICTACTOE, np.arange(12, dtype=np.int32), rounds=30, ridge=1.0).reshape(6, 2)
    assert (found[:, 0] == 0).all()
    whole, early, late, second, last = np.linalg.solve(
        # the unknowns: the whole game, phases 1 to 3, phases 4 to 6, the second phase, the last phase
        50 * np.array([[2, 1, 1, 1, 1], [1, 1, 0, 1, 0], [1, 0, 1, 0, 1], [1, 1, 0, 1, 0], [1, 0, 1, 0, 1]])
        + np.eye(5),
        50 * np.array([5.0, 4.0, 1.0, 4.0, 1.0]),
    )
    expected = [whole + early, whole + early + second, whole + early, whole + late, whole + late, whole + late + last]
    assert found[:, 1] == pytest.approx(expected, abs=1e-4)


def test_a_fit_may_begin_with_a_table_and_keeps_what_it_does_not_see(tmp_path):
    game = find_game("tictactoe")
    load_inputs(type(game).__module__)
    cls, size = type(TICTACTOE), len(twins_of(TICTACTOE, type(TICTACTOE)))
    truth = np.random.default_rng(1).integers(-9, 9, size).astype(np.float32)
    write_model(tmp_path / "first.npz", Model("table", "tictactoe", {"entries": truth}, {}), 16)
    states = [random_playout(game.start(), seed, 3).state for seed in range(20)]
    fields = dict(zip((f"state_{name}" for name in cls._fields), columns_of(states, cls), strict=True))
    data = Dataset(game, fields | {"parent": np.arange(20), "score": np.full(20, 100.0, np.float32)}, {})
    view = see(data.states, cls, table_entries)
    seen = np.isin(twins_of(TICTACTOE, cls), twins_of(TICTACTOE, cls)[view.inputs])

    fitted = MODELS["table"](data, Setting(ridge=1, rounds=5, start=tmp_path / "first.npz"))
    found = fitted.export().arrays["entries"]
    assert (found[~seen] == truth[~seen]).all() and not seen.all()
    again = MODELS["table"](data, Setting(ridge=1, rounds=5)).export().arrays["entries"]
    assert (again[~seen] == 0).all()
    assert np.abs(fitted.predict(data) - 100).mean() < 10

    other = Model("table", "tictactoe", {"entries": truth[:-1]}, {})
    write_model(tmp_path / "other.npz", other, 16)
    with pytest.raises(ZermeloError, match="is not a table for Tic-tac-toe"):
        MODELS["table"](data, Setting(start=tmp_path / "other.npz"))


def states_of_reversi(number):
    load_inputs(type(REVERSI).__module__)
    for seed in range(number):
        position = random_playout(REVERSI.start(), seed, 2 + seed % 56)
        if not position.is_over:
            yield position.state


@pytest.mark.skipif(not JIT, reason="all entries of a large table are looked at")
def test_mirror_images_of_reversi_share_all_their_entries():
    start = REVERSI.start_state()
    load_inputs(type(REVERSI).__module__)
    twins = twins_of(start, type(start))
    assert (twins[twins] == twins).all()
    part = len(twins) // int(table_phases(start))
    for state in states_of_reversi(30):
        found = []
        for image in REVERSI.symmetries(state):
            view = see(columns_of([image], type(start)), type(start), table_entries)
            assert len(set(view.inputs // part)) == 1, "all entries are of one phase"
            found.append(sorted(twins[view.inputs]))
        assert all(one == found[0] for one in found) and len(found) == 8
