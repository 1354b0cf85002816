"""Models learn something from data, and as heuristics they give the same values as before."""

import json
import threading

import numpy as np
import pytest
from click.testing import CliRunner

from conftest import dose
from zermelo.cli.main import cli
from zermelo.core import JIT
from zermelo.errors import FileError, HeuristicError
from zermelo.evaluation.models import UNIT, heuristic_for, load_inputs, read_model, write_model
from zermelo.evaluation.nets import net_view
from zermelo.games import find_game, find_heuristic
from zermelo.learn import fitting, pictures
from zermelo.learn.columns import state_at
from zermelo.learn.dataset import Plan, make_block
from zermelo.learn.dataset_files import joined_datasets, write_dataset
from zermelo.learn.export import export, write_fitted
from zermelo.learn.labels import Labeller
from zermelo.learn.metrics import agreement, measure, report, report_test
from zermelo.learn.net_training import Net, View
from zermelo.learn.sampling import Sampler
from zermelo.learn.splitting import split
from zermelo.learn.trainers import MODELS, ModelError, Setting, product_chain
from zermelo.match import play_match
from zermelo.players import find_player
from zermelo.position import Position
from zermelo.rules import is_over

CONNECT4 = find_game("connect4")
needs_compiler = pytest.mark.skipif(not JIT, reason="thousands of examples, too many for the interpreter")


def block(game, number, sampler, seed=5, labeller=None):
    plan = Plan(game, 10, sampler, labeller or Labeller(), seed)
    return joined_datasets([make_block(plan, i, threading.Event()) for i in range(number)])


@pytest.fixture(scope="module")
def parts():
    """Connect 4 from the 16th ply on, which takes our solver no time."""
    return split(block(CONNECT4, dose(12, 1), Sampler("random", 16, 35)))


@pytest.fixture(scope="module")
def results(parts):
    """All models, fitted."""
    setting = Setting(rounds=4)
    return {name: fitting.fit(parts, name, setting) for name in MODELS if name != "degree4"}


@needs_compiler
def test_every_model_beats_a_guess(results):
    """Tables need millions of examples, perceptrons more rounds; the others explain something after two thousand."""
    for name, result in results.items():
        assert result.test.every.sign > (0.6 if name == "table" else 0.7), name
        if result.test.every.r2 is not None and name not in ("table", "degree3", "perceptron"):
            assert result.test.every.r2 > 0.2, name
    assert results["net"].test.every.sign > 0.9  # forced replies decide most of these positions


@needs_compiler
@pytest.mark.parametrize("name", [name for name in MODELS if name != "degree4"])
def test_the_heuristic_says_what_the_model_says(name, results, parts, tmp_path):
    """On a thousand positions (or all there are): to half a hundredth of a point; a table's entries are rounded too."""
    fitted = tmp_path / f"{name}.npz"
    write_fitted(fitted, *fitting.keep(results[name], parts, {"command": "a test"}))
    rows = fitting.checked_rows(parts.test)
    out = tmp_path / "heuristic.npz"
    checked = export(fitted, out)
    assert checked.positions == len(rows) > 100
    assert checked.greatest_difference < (0.5 if name == "table" else 0.0051)
    assert checked.per_second > 1000
    heuristic = find_heuristic(str(out), CONNECT4)
    predicted = results[name].fitted.predict(rows)
    for i in range(0, len(rows), 7):
        said = heuristic(state_at(rows.states, rows.state_class, i)) / (1 if name == "table" else UNIT)
        assert said == pytest.approx(float(predicted[i]), abs=0.05 if name == "table" else 0.0051)


def test_degree_four_has_the_right_terms():
    """Each product is an earlier one times one feature: of (x, y) up to the second power 1, x, y, xx, xy, yy."""
    powers = np.array([[0, 0], [1, 0], [0, 1], [2, 0], [1, 1], [0, 2]])
    assert product_chain(powers) == {"before": [0, 0, 0, 1, 1, 2], "factor": [0, 0, 1, 0, 1, 1]}


@needs_compiler
def test_exported_models_play(results, parts, tmp_path):
    """Any search can use the file by its name, and it beats random moves."""
    write_fitted(tmp_path / "net.npz", *fitting.keep(results["net"], parts, {}))
    export(tmp_path / "net.npz", tmp_path / "out.npz", bits=8)
    player = find_player(f"alphabeta(depth=2, heuristic={tmp_path / 'out.npz'})", CONNECT4)
    winners = [play_match(player, find_player(f"random(seed={seed})"), CONNECT4.start()).winner for seed in range(10)]
    assert winners.count(1) > 6  # fitted to very little, for the test to be quick
    engine = find_player(f"engine(depth=4, heuristic={tmp_path / 'out.npz'})", CONNECT4)
    assert engine.choose(CONNECT4.position("4141")) == "4"


@needs_compiler
def test_other_boards_are_refused(results, parts, tmp_path):
    write_fitted(tmp_path / "net.npz", *fitting.keep(results["net"], parts, {}))
    other = find_game("connect4(columns=6, rows=5)")
    player = find_player(f"alphabeta(heuristic={tmp_path / 'net.npz'})", other)
    with pytest.raises(HeuristicError, match="learned on the board of connect4 and cannot evaluate other boards"):
        player.choose(other.start())
    with pytest.raises(HeuristicError, match="has no weight called 'two'"):
        find_heuristic(f"{tmp_path / 'net.npz'}(two=5)", CONNECT4)


@needs_compiler
def test_damaged_models_are_refused(results, parts, tmp_path):
    path = tmp_path / "model.npz"
    model, _ = fitting.keep(results["ridge"], parts, {})
    write_model(path, model)
    assert read_model(path).features == model.features
    with pytest.raises(FileError, match="is missing or damaged"):
        export(path, tmp_path / "out.npz")
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(FileError, match="damaged"):
        read_model(path)
    with pytest.raises(FileError, match="cannot be read"):
        read_model(tmp_path / "none.npz")


@needs_compiler
def test_reversi_is_learned_from_exact_endgames():
    """The last ten squares of 6x6, with the reports' terms: the right winner in most."""
    game = find_game("reversi(columns=6, rows=6)")
    parts = split(block(game, 4, Sampler("random", 22, 30)))
    assert parts.training.exact.all()
    result = fitting.fit(parts, "ridge", Setting())
    assert result.fitted.features == ("terms",)
    assert result.test.every.sign > 0.7


# ------------------------------------------------------------------------------------------ the trainers


def toy_view(number, inputs, active, seed):
    random = np.random.default_rng(seed)
    chosen = np.stack([random.choice(inputs, active, replace=False) for _ in range(number)])
    starts = np.arange(0, active * number + 1, active)
    return View(chosen.astype(np.int32).ravel(), starts, np.ones(number, np.int64), np.full(number, np.nan, np.float32))


def test_a_net_learns_what_no_sum_can_say():
    """Whether an odd number of three inputs is active."""
    random = np.random.default_rng(3)
    bits = random.integers(0, 2, (dose(4000, 200), 3))
    inputs = (2 * np.arange(3) + bits).astype(np.int32)
    view = View(
        inputs.ravel(),
        np.arange(0, inputs.size + 1, 3),
        np.ones(len(bits), np.int64),
        np.full(len(bits), np.nan, np.float32),
    )
    scores = np.where(bits.sum(axis=1) % 2, 1.0, -1.0)
    net = Net(6, hidden=16, second=8, seed=1)
    before = np.mean((net.predict(view) - scores) ** 2)
    net.fit(view, scores, rounds=dose(30, 5), rate=0.1)
    after = np.mean((net.predict(view) - scores) ** 2)
    assert after < before / dose(20, 1)


def test_decided_positions_need_no_net():
    """A win at hand, and a loss that cannot be stopped, are told by their score."""
    load_inputs("zermelo.games.connect4")
    out = np.zeros(512, np.int32)
    won = CONNECT4.position("112233").state
    assert net_view(won, out) == (-1, 1, 18)  # with the 7th stone: 36 empty cells before it
    lost = CONNECT4.position("4433557").state  # X has 3, 4, 5 in the bottom row: 2 and 6 both win
    number, _, score = net_view(lost, out)
    assert (number, score) == (-1, -17)
    assert net_view(CONNECT4.start_state(), out)[0] > 0, "the net is asked of others"


def test_the_net_in_training_and_the_heuristic_are_one():
    """Two pieces of code compute a net, and they agree."""
    load_inputs("zermelo.games.connect4")
    data = block(CONNECT4, 1, Sampler("random", 20, 30))
    made = MODELS["net"](data.rows(~data.over), Setting(rounds=1, hidden=8, second=4))
    model = made.export()
    heuristic = heuristic_for(model, data.state_class, "zermelo.games.connect4", "net")
    predicted = made.predict(data)
    for i in range(0, len(data), dose(5, 40)):
        state = state_at(data.states, data.state_class, i)
        if not is_over(state):
            assert heuristic(Position(CONNECT4, state)) / UNIT == pytest.approx(float(predicted[i]), abs=0.0051)


# ------------------------------------------------------------------------------------------ measures


def test_measures_of_a_small_example():
    """By hand: errors 1, 0, 2, 1; the draw is no matter of sign; half a point is the border of a draw."""
    scores, said = np.array([2.0, -1.0, 0.0, 3.0]), np.array([1.0, -1.0, 2.0, -4.0])
    got = measure(said, scores)
    assert got.mse == pytest.approx((1 + 0 + 4 + 49) / 4)
    assert got.r2 == pytest.approx(1 - 13.5 / np.var(scores))
    assert got.sign == pytest.approx(2 / 3)
    assert got.three == pytest.approx(2 / 4)
    assert measure(said, scores, in_points=False).mse is None


def test_the_reports_test_takes_scores_of_one_for_wrong():
    scores = np.array([1.0, -1.0, 2.0, -2.0, 0.0])
    assert report_test(scores, scores) == pytest.approx(3 / 5)


def test_where_there_is_no_choice_nothing_is_agreed_on(parts):
    first = parts.test.rows(np.flatnonzero(np.diff(parts.test.parent, prepend=-1)))  # one move of each
    assert agreement(first, first.score.astype(float)).parents == 0


def test_agreement_is_about_the_best_move(parts):
    test = joined_datasets([parts.training, parts.validation, parts.test])  # the last alone may be too easy
    perfect = agreement(test, test.score.astype(float))
    assert perfect.score == perfect.outcome == 1.0
    worst = agreement(test, -test.score.astype(float))
    assert worst.score < 0.9
    whole = report(test, test.score.astype(float))
    assert whole.every.r2 == 1.0 and whole.quiet.rows <= whole.every.rows


# ------------------------------------------------------------------------------------------ commands


@needs_compiler
def test_the_commands(parts, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run = CliRunner().invoke
    write_dataset(tmp_path / "data.npz", joined_datasets([parts.training, parts.validation, parts.test]))
    arguments = ["learn", "fit", "data.npz", "--model", "degree2", "--model", "net", "--rounds", "2"]
    told = run(cli, [*arguments, "--keep", "models", "--pictures", "pictures"], catch_exceptions=False)
    lines = [line.split() for line in told.stdout.splitlines()]
    assert ["Connect", "4", "report", "report", "73.41", "0.23", "0.594"] in lines
    assert {path.name for path in (tmp_path / "pictures").iterdir()} == {"degree2.svg", "net.svg", "error-by-ply.svg"}
    told = run(cli, [*arguments, "--json"], catch_exceptions=False)
    assert [model["model"] for model in json.loads(told.stdout)["models"]] == ["degree2", "net"]
    told = run(cli, ["learn", "export", "models/net.npz", "--json"], catch_exceptions=False)
    assert json.loads(told.stdout)["greatest_difference"] < 0.0051
    assert run(cli, ["learn", "fit", "none.npz"]).exception is not None


def test_unknown_models_are_named(parts):
    with pytest.raises(ModelError, match="unknown model 'oracle'; the models are degree1"):
        fitting.check_names(["oracle"])
    assert pictures.table([], parts.test.game)[1][0][0] == "Connect 4 report"
