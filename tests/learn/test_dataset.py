"""Datasets: scores are exact, no position occurs twice, and interruptions do not change the rows."""

import json
import sqlite3
import subprocess
import sys
import threading

import numpy as np
import pytest
from click.testing import CliRunner

from conftest import dose
from zermelo.cli.main import cli
from zermelo.core import JIT
from zermelo.errors import FileError, ZermeloError
from zermelo.games import find_game
from zermelo.learn import dataset as module
from zermelo.learn.columns import state_at
from zermelo.learn.dataset import Making, Plan, make_block, make_dataset
from zermelo.learn.dataset_files import joined_datasets, read_dataset, write_dataset
from zermelo.learn.labels import LabelError, Labeller, calibrated
from zermelo.learn.played import Playing, Row, label
from zermelo.learn.sampling import SampleError, Sampler, can_win, random_walk
from zermelo.learn.splitting import split
from zermelo.position import Position
from zermelo.rules import is_over, moves_of
from zermelo.solving.exact import solve

pytestmark = pytest.mark.skipif(not JIT, reason="hundreds of exact scores, too many for the interpreter")

SMALL = find_game("connect4(columns=5, rows=4)")
CONNECT4 = find_game("connect4")
ROWS = 600


def small_plan(**changes):
    given = {"examples": ROWS, "sampler": Sampler("random", 6, 16), "seed": 3} | changes
    return Plan(SMALL, **given)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    path = tmp_path_factory.mktemp("data") / "small.npz"
    return make_dataset(small_plan(), path, threads=2), path


def test_scores_are_exact(made):
    data, _ = made
    assert data.exact.all()
    columns, cls = data.states, data.state_class
    for i in range(0, len(data), max(len(data) // 30, 1)):
        state = state_at(columns, cls, i)
        assert bool(is_over(state)) == data.over[i]
        if not data.over[i]:
            assert solve(Position(SMALL, state)).score == data.score[i]


def test_all_moves_of_a_parent_are_there_and_no_parent_twice(made):
    data, _ = made
    assert (np.diff(data.parent) >= 0).all()
    _, firsts = np.unique(data.parent, return_index=True)
    assert len(np.unique(data.parent_key[firsts])) == len(firsts)
    best = np.minimum.reduceat(data.score, firsts)
    for start, end, least in zip(firsts, [*firsts[1:], len(data)], best, strict=True):
        assert len(set(data.move[start:end])) == end - start
        assert least == data.score[start:end].min()
    assert ROWS <= len(data) < ROWS + 5
    assert (data.plies >= 7).all() and (data.plies <= 17).all()


def test_a_file_comes_back_as_it_was(made, tmp_path):
    data, path = made
    parquet = tmp_path / "small.parquet"
    write_dataset(parquet, data)
    for again in (read_dataset(path), read_dataset(parquet)):
        assert again.game == SMALL
        assert again.about["sampler"]["least"] == 6
        for name, column in data.columns.items():
            assert (again.columns[name] == column).all() and again.columns[name].dtype == column.dtype


def test_threads_change_nothing(made, tmp_path):
    _, path = made
    make_dataset(small_plan(), tmp_path / "alone.npz", threads=1)
    assert (tmp_path / "alone.npz").read_bytes() == path.read_bytes()


def test_interrupted_it_goes_on(tmp_path, monkeypatch):
    """Stopped after two blocks: they are kept, not made again, and the result is the same."""
    path = tmp_path / "resumed.npz"
    done = []

    def failing(plan, number, stopped):
        if number >= 2:
            raise KeyboardInterrupt
        done.append(number)
        return make_block(plan, number, stopped)

    monkeypatch.setattr(module, "BLOCK", 16)
    whole = make_dataset(small_plan(), tmp_path / "whole.npz", threads=1)
    monkeypatch.setattr(module, "make_block", failing)
    with pytest.raises(KeyboardInterrupt):
        make_dataset(small_plan(), path, threads=1)
    assert not path.exists()
    with sqlite3.connect(tmp_path / "resumed.npz.parts") as kept:
        assert kept.execute("SELECT count(*) FROM pieces WHERE step = 'block'").fetchone() == (2,)
    kept.close()

    def counting(plan, number, stopped):
        assert number >= 2
        return make_block(plan, number, stopped)

    monkeypatch.setattr(module, "make_block", counting)
    resumed = make_dataset(small_plan(), path, threads=1)
    assert path.read_bytes() == (tmp_path / "whole.npz").read_bytes()
    assert len(resumed) == len(whole)
    assert not (tmp_path / "resumed.npz.parts").exists()
    with pytest.raises(FileError, match="already exists"):
        make_dataset(small_plan(), path, threads=1)


def test_other_settings_are_not_mixed(tmp_path):
    path = tmp_path / "mixed.npz"
    Making(small_plan(), path).kept.close()
    with pytest.raises(FileError, match="contains unfinished work with other settings"):
        Making(small_plan(seed=4), path)


def test_it_says_when_there_is_nothing_new(tmp_path):
    with pytest.raises(ZermeloError, match="there are no more new positions"):
        make_dataset(small_plan(sampler=Sampler("random", 0, 1)), tmp_path / "few.npz", threads=1)


@pytest.mark.parametrize("kind", ["random", "careful", "noisy", "best"])
def test_samplers(kind):
    sampler = Sampler(kind, 4, 12, noise=0.5, player="random(seed=1)")
    block = make_block(small_plan(sampler=sampler), 0, threading.Event())
    assert len(block) and set(block.plies) <= set(range(5, 14))
    again = make_block(small_plan(sampler=sampler), 0, threading.Event())
    assert (block.key == again.key).all()


def test_careful_players_leave_no_win_if_they_can_help_it():
    """After random moves most positions have a win in one move; after careful ones, only where every move gives one."""
    moves = np.empty(64, np.int32)

    def share_with_a_win(careful):
        walks = [random_walk(CONNECT4, 20, seed, careful) for seed in range(200)]
        found = [can_win(position.state, moves, 0) for position, plies in walks if plies == 20]
        assert len(found) > 20
        return sum(found) / len(found)

    assert share_with_a_win(careful=True) < share_with_a_win(careful=False) / 3


def test_the_reports_positions_are_cut_short_before_a_win():
    lengths = [random_walk(CONNECT4, 35, seed)[1] for seed in range(300)]
    assert min(lengths) < 20 < max(lengths)
    assert all(not is_over(random_walk(CONNECT4, 35, seed)[0].state) for seed in range(10))


def test_search_scores_and_their_scale():
    reversi = find_game("reversi(columns=4, rows=4)")
    position = reversi.start()
    for move in ("a2", "a3"):
        if move in position.moves:
            position = position.play(move)
    labeller = Labeller("search", depth=2, heuristic="pieces")
    scores, exact = labeller.scores(position)
    assert not exact and set(scores) == set(moves_of(position.state))
    auto = Labeller("auto", depth=2, heuristic="pieces")
    assert auto.scores(position)[1]
    scaled = calibrated(auto, [random_walk(reversi, 4, seed)[0] for seed in range(5)])
    assert scaled.scale > 0
    assert calibrated(labeller, []) is labeller


def test_misuse_is_named():
    with pytest.raises(SampleError, match="unknown sampler 'wild'"):
        Sampler("wild")
    with pytest.raises(SampleError, match="plies from 9 to 4"):
        Sampler("random", 9, 4)
    with pytest.raises(SampleError, match="noise=2"):
        Sampler(noise=2)
    with pytest.raises(LabelError, match="unknown labels 'guess'"):
        Labeller("guess")


def test_damaged_files_are_refused(tmp_path, made):
    data, path = made
    with pytest.raises(FileError, match="there is no file"):
        read_dataset(tmp_path / "none.npz")
    bad = tmp_path / "bad.npz"
    bad.write_bytes(path.read_bytes()[:200])
    with pytest.raises(FileError, match="is not a zermelo dataset"):
        read_dataset(bad)
    bad = tmp_path / "bad.parquet"
    bad.write_bytes(b"nothing")
    with pytest.raises(FileError, match="is not a zermelo dataset"):
        read_dataset(bad)
    other = make_block(Plan(CONNECT4, 5, Sampler("random", 30, 35)), 0, threading.Event())
    with pytest.raises(FileError, match="datasets of different games cannot be joined"):
        joined_datasets([data, other])


def test_the_split_keeps_families_together_and_judges_unseen_positions(made):
    data, _ = made
    parts = split(data, data)
    for part in (parts.validation, parts.test):
        assert 0.04 * len(data) < len(part) < 0.18 * len(data), "a tenth of the parents"
    for part in (parts.validation, parts.test):
        assert not np.isin(part.key, parts.training.key).any()
    assert not set(parts.validation.parent_key) & set(parts.test.parent_key)
    assert not parts.training.over.any()


def test_a_plan_knows_what_its_game_says_of_quiet_positions():
    """They stand in a module of their own, which must be there before the first question, in a new process too."""
    code = (
        "from zermelo.games import find_game; from zermelo.learn.dataset import Plan; game = find_game('connect4');"
        "Plan(game); from zermelo.evaluation.features import is_quiet, move_chance;"
        "state = game.position('112233').state;"
        "assert not is_quiet(state) and move_chance(state, 0) == 4"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_command(tmp_path):
    run = CliRunner().invoke
    out = tmp_path / "a.parquet"
    arguments = ["learn", "dataset", "connect4(columns=4, rows=4)", "--examples", "60", "--plies", "6", "12"]
    told = run(cli, [*arguments, "--out", str(out), "--json"], catch_exceptions=False)
    about = json.loads(told.stdout)
    assert about["examples"] >= 60 and about["game"] == "connect4(columns=4, rows=4)"
    assert len(read_dataset(out)) == about["examples"]
    listed = run(cli, ["learn", "features", "connect4", "--json"], catch_exceptions=False)
    assert len(json.loads(listed.stdout)["report"]["features"]) == 11


# ------------------------------------------------------------------------------------------ games that are played

REVERSI = find_game("reversi")


@pytest.fixture(scope="module")
def played():
    """Sixty-four games of Reversi."""
    plan = Plan(REVERSI, 10, Sampler("played", 8, 60, noise=0.2), Labeller("auto", 2, "mobility", trace_decay=0.5), 4)
    return make_block(plan, 0, threading.Event()), plan


def test_played_games_have_exact_scores_at_their_ends(played):
    data, _ = played
    assert len(np.unique(data.parent)) == 64 and 0.1 < data.exact.mean() < 0.4
    states, cls = data.states, data.state_class
    for i in np.flatnonzero(data.exact)[::97]:
        assert solve(Position(REVERSI, state_at(states, cls, int(i)))).score == data.score[i]
    empty = np.array([64 - int(mine | theirs).bit_count() for mine, theirs in zip(states[0], states[1], strict=True)])
    assert (data.exact == (empty <= 12)).all()


def test_played_games_can_be_solved_from_any_ply_on():
    """The positions from this ply on are exact, and those before learn from them."""
    sampler = Sampler("played", 8, 46, noise=0)

    def block(trace_decay, exact_from=None):
        labeller = Labeller("auto", 1, "mobility", trace_decay=trace_decay, exact_from=exact_from)
        rows = Playing(REVERSI, sampler, labeller).rows
        return [row for draw in range(dose(12, 2)) for row in rows(draw)]

    solved = block(0.5, exact_from=46)
    last = [row for row in solved if row.plies == 46]
    assert last and [row.exact for row in solved] == [row.plies == 46 for row in solved]
    for row in last:
        assert solve(Position(REVERSI, row.state)).score == row.score
    assert len(block(1.0)) == 0 and len(block(1.0, exact_from=46)) > 20 * len(last)


def test_played_games_are_the_same_every_time_and_other_seeds_play_others(played):
    data, plan = played
    again = make_block(plan, 0, threading.Event())
    assert all((data.columns[name] == again.columns[name]).all() for name in data.columns)
    other = make_block(plan, 1, threading.Event())
    assert len(np.intersect1d(data.parent_key, other.parent_key)) < 10


def test_openers_play_between_the_random_moves_and_the_game():
    def walked(**more):
        plan = Plan(REVERSI, 10, Sampler("played", 30, 60, noise=0, **more), Labeller("auto", 1, "mobility"), 4)
        rows = Playing(REVERSI, plan.sampler, plan.labeller).rows
        return [found[0] for found in map(rows, range(dose(60, 20))) if found]

    alone, opened = walked(), walked(openers=("pieces",))
    assert all(row.plies <= 30 and row.move == -1 for row in opened) and max(row.plies for row in opened) > 20

    def margins(rows):  # those who want discs and nothing else have more of them, at first
        return [abs(int(row.state.mine).bit_count() - int(row.state.theirs).bit_count()) for row in rows]

    assert np.mean([row.plies for row in opened]) == pytest.approx(np.mean([row.plies for row in alone]), abs=5)
    assert np.mean(margins(opened)) > np.mean(margins(alone))


def test_the_score_of_a_played_position_is_that_of_the_next_up_to_a_random_move():
    def row(found, explored=False, exact=False, player=0):
        return Row(REVERSI.start_state()._replace(player=np.uint8(player)), 0, 0, found, exact, explored)

    rows = [row(8.0), row(-2.0, player=1), row(5.0, explored=True), row(None, player=1), row(40.0, exact=True)]
    label(rows, -6.0, 1, 0.5)  # the player to move at the end, who is not the last one here, loses by 6
    assert [one.score for one in rows] == [0.5 * 3.5 + 4.0, -3.5, 5.0, -40.0, 40.0]
    rows = [row(8.0), row(7.0, explored=True), row(6.0)]
    label(rows, 64.0, 0, 1.0)
    assert [one.score for one in rows] == [None, None, 64.0], "with 1 no search counts"
    label(rows, 64.0, 0, 0.0)
    assert [one.score for one in rows] == [8.0, 7.0, 6.0]


def test_played_games_without_a_solver_are_scored_by_their_results():
    game = find_game("tictactoe")
    plan = Plan(game, 10, Sampler("played", 2, 9, noise=0.3), Labeller("auto", 1, None, trace_decay=1.0), 4)
    data = make_block(plan, 0, threading.Event())
    assert len(data) > 100 and not data.exact.any() and set(np.unique(data.score)) == {-1.0, 0.0, 1.0}


def test_played_datasets_by_command(tmp_path):
    out = tmp_path / "played.npz"
    given = "learn dataset tictactoe --sampler played --plies 3 9 --lambda 1 --depth 1 --examples 300 --json --out"
    made = CliRunner().invoke(cli, [*given.split(), str(out), "--reduce", "--openers", "lines, lines"])
    assert made.exit_code == 0, made.output
    about = json.loads(made.stdout)
    assert about["labels"]["trace_decay"] == 1 and about["examples"] >= 300 and about["labels"]["reduce"]
    assert about["sampler"]["openers"] == ["lines", "lines"]
    assert len(read_dataset(out)) == about["examples"]
