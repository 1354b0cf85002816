"""Tuning: known weights are found again, a spoilt weight is corrected, and only better weights are accepted."""

import dataclasses
import json

import numpy as np
import pytest
from click.testing import CliRunner

from conftest import dose
from zermelo.cli.main import cli
from zermelo.core import JIT
from zermelo.errors import FileError, HeuristicError, SearchError
from zermelo.evaluation.weight_files import WeightFile, read_weights, write_weights
from zermelo.games import find_game, find_heuristic
from zermelo.learn import texel
from zermelo.learn.arena import Arena, openings, pentanomial
from zermelo.learn.spsa import Spsa, mean_of_second_half
from zermelo.learn.tuning import Found, Settings, Tuning
from zermelo.learn.versions import Named
from zermelo.match import play_match, save_records
from zermelo.pieces.crews import Threads
from zermelo.pieces.kept import Kept
from zermelo.players import find_player
from zermelo.tournaments.openings import varied_openings
from zermelo.tournaments.sprt import Sprt

needs_compiler = pytest.mark.skipif(not JIT, reason="some hundred games, too many for the interpreter")

CONNECT4 = find_game("connect4")
PARITY = find_heuristic("connect4/parity12")


def test_texel_finds_planted_weights():
    """Results drawn by the planted weights' own chances: the fit from other weights comes back to them."""
    planted = {"one": 1.0, "two_good": 4.0, "two_bad": 2.0, "three_good": 12.0, "three_bad": 6.0}
    states = [position.state for position in varied_openings(CONNECT4, dose(6000, 1500), "planted")]
    true = PARITY.with_weights(**planted)
    shares = texel.chances(texel.raw_values(true, states, true.vector), 12.0)
    results = (np.random.default_rng(1).random(len(states)) < shares).astype(float)
    begun = PARITY.with_weights(one=2, two_good=2, two_bad=4, three_good=6, three_bad=12)
    found = texel.fit(begun, texel.Examples(states, results, np.arange(len(states))))
    assert found.new_loss < found.old_loss
    # The scale is that of the weights begun with: only ratios can be told.
    ratios = [found.weights[name] / planted[name] for name in planted]
    right = np.array([found.weights[name] for name in planted])
    aim = np.array(list(planted.values()))
    assert right @ aim / np.linalg.norm(right) / np.linalg.norm(aim) > 0.97, ratios
    assert found.weights["two_good"] > found.weights["two_bad"]
    assert found.weights["three_good"] > found.weights["three_bad"]


def test_spsa_climbs_a_noisy_hill():
    """A player nearer to (2, -1) beats one farther away, most of the time."""
    aim, chance = np.array([2.0, -1.0]), np.random.default_rng(3)
    search, way = Spsa(iterations=400, perturbation=0.3, step=0.6, seed=5), [[0.5, 0.5]]
    for iteration in range(search.iterations):
        place = np.array(way[-1])
        one, other = (np.abs(p - aim).sum() for p in search.pair(place, iteration))
        won = chance.random(10) < 1 / (1 + np.exp(one - other))
        way.append(list(search.after(place, iteration, won.mean())))
    assert np.abs(mean_of_second_half(way) - aim).max() < 0.4


@needs_compiler
def test_spsa_mends_a_wrecked_weight():
    wrecked = "connect4/lines2_diagonals(three=-8)"
    settings = Settings(
        wrecked, "connect4", "spsa", depth=1, iterations=80, pairs=10, judge_pairs=200, measure_pairs=100
    )
    verdict = Tuning(Found(settings)).run()
    assert verdict.accepted
    assert verdict.weights["three"] > 0
    assert verdict.size is not None and verdict.size.elo > 50


@needs_compiler
def test_what_is_no_better_is_not_accepted():
    """Weights that differ by nothing but their scale play alike: after all pairs, no verdict for them."""
    settings = Settings("connect4/centre", "connect4", "texel", judge_pairs=40, measure_pairs=20, games=50)
    with pytest.raises(HeuristicError, match="centre has only one weight, and tuning needs at least two"):
        Tuning(Found(settings))
    tuning = Tuning(Found(dataclasses.replace(settings, heuristic="connect4/lines2")))
    verdict = tuning._judge({"one": 4.0, "two": 8.0, "three": 16.0}, lambda what, done, of: None)
    assert not verdict.accepted and str(verdict) == "no improvement found"


@needs_compiler
def test_a_tuning_goes_on_where_it_was_left(tmp_path):
    settings = Settings(
        "connect4/lines2", "connect4", depth=1, games=40, iterations=30, pairs=3, judge_pairs=60, measure_pairs=20
    )
    whole = Found(settings)
    straight = Tuning(whole).run()
    state = tmp_path / "state.json"

    class Enough(Exception):
        pass

    def stop_at(part, number):
        def progress(what, done, of):
            if what == part and done == number:
                raise Enough

        return progress

    Found(settings).save(state)
    for part, number in (("games to learn from", 20), ("iterations of SPSA", 25), ("pairs of games of the test", 7)):
        with pytest.raises(Enough):
            Tuning(Found.load(state), state).run(stop_at(part, number))
    found = Found.load(state)
    assert Tuning(found, state).run() == straight
    assert found.way == whole.way and found.judged == whole.judged


def test_the_same_pairs_with_threads_and_without():
    named, starts = Named("connect4/parity12", "connect4", 1), openings(CONNECT4, 6, 1)
    old, new = PARITY.weights, PARITY.weights | {"one": 9.0}

    def scores(crew, known=0):
        with crew:
            return list(named.pair_scores(crew, new, old, starts, Kept(), "test", known))

    alone = scores(Threads(1))
    assert alone == list(Arena(CONNECT4, 1).pair_scores(PARITY.with_weights(**new), PARITY, starts))
    assert scores(Threads(2)) == alone
    assert scores(Threads(1), known=3) == alone[3:]
    assert sum(pentanomial(alone)) == 6 and {round(2 * score) for score in alone} <= {0, 1, 2, 3, 4}


def test_an_arena_plays_as_the_players_do():
    start = openings(CONNECT4, 1, 3)[0]
    other = find_heuristic("connect4/lines2")
    moves, result = Arena(CONNECT4, 2).game_played(PARITY, other, start)
    record = play_match(
        find_player("alphabeta(depth=2, heuristic=parity12)"),
        find_player("alphabeta(depth=2, heuristic=lines2)"),
        start,
    )
    assert [CONNECT4.move_text(start.state, move) for move in moves] == [move.move for move in record.moves]
    assert result == {1: 1, 2: -1, None: 0}[record.winner]


# ------------------------------------------------------------------------------------------ files


def test_a_file_of_weights_is_a_heuristic(tmp_path):
    path = tmp_path / "tuned.json"
    write_weights(path, WeightFile("connect4/lines2", {"two": 5, "three": 9.5}))
    found = find_heuristic(str(path))
    assert found.weights == {"one": 2, "two": 5, "three": 9.5}
    assert str(found) == str(path)
    assert find_player(f"alphabeta(depth=1, heuristic={path})").think(CONNECT4.start()).move in CONNECT4.start().moves


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("not json", "is not a file of weights"),
        ("[]", "it does not name a heuristic"),
        ('{"heuristic": "connect4/lines2"}', "has format None"),
        ('{"format": 1, "heuristic": "connect4/lines2"}', "contains no weights"),
        ('{"format": 1, "heuristic": "connect4/lines2", "weights": {"two": "x"}}', 'weight two is "x"'),
    ],
)
def test_a_wrong_file_of_weights_is_refused(tmp_path, text, message):
    path = tmp_path / "tuned.json"
    path.write_text(text)
    with pytest.raises(FileError, match=r"tuned\.json") as caught:
        read_weights(path)
    assert message in str(caught.value)


def test_weights_of_another_heuristic_are_refused(tmp_path):
    path = tmp_path / "tuned.json"
    write_weights(path, WeightFile("connect4/lines2", {"four": 5}))
    with pytest.raises(HeuristicError, match=r"tuned.json: lines2 has no weight 'four'"):
        find_heuristic(str(path))


def test_a_damaged_state_is_refused(tmp_path):
    path = tmp_path / "state.json"
    for text in ("", "{}", '{"format": 1, "settings": {"sprt": {}}}'):
        path.write_text(text)
        with pytest.raises(FileError, match=r"state.json is not a state file of tuning, or it is damaged"):
            Found.load(path)


def test_games_of_a_file_are_examples(tmp_path):
    path = tmp_path / "games.jsonl"
    records = []
    for start in openings(CONNECT4, 4, 1, plies=4):
        records.append(play_match(find_player("random(seed=1)"), find_player("random(seed=2)"), start))
    save_records(records, path)
    examples = texel.examples_of_records(CONNECT4, records, 1)
    assert set(examples.games) == {0, 1, 2, 3}
    for state, result, number in zip(examples.states, examples.results, examples.games, strict=True):
        mover = 1 + int(bin(int(state.stones)).count("1") % 2)
        winner = records[number].winner
        assert result == (0.5 if winner is None else float(winner == mover))
    with pytest.raises(FileError, match="record 1 is a game of connect4, not of tictactoe"):
        texel.examples_of_records(find_game("tictactoe"), records, 1)


# ------------------------------------------------------------------------------------------ the command


def run(*arguments):
    return CliRunner().invoke(cli, ["learn", "tune", *arguments])


@needs_compiler
def test_the_command_ends_with_a_verdict_and_writes_weights_that_play(tmp_path):
    out, state = tmp_path / "tuned.json", tmp_path / "state.json"
    small = ["--depth", "1", "--games", "60", "--iterations", "60", "--judge-pairs", "200", "--measure-pairs", "60"]
    wrecked = "connect4/lines2_diagonals(three=-8)"
    result = run(wrecked, *small, "--out", str(out), "--state", str(state))
    assert result.exit_code == 0, result.output
    assert "accepted: more than +" in result.output and "Elo over the old weights" in result.output
    assert find_heuristic(str(out)).weights["three"] > 0
    assert run(wrecked, "--state", str(state)).exit_code == 2, "a state is not overwritten"
    again = run(wrecked, "--state", str(state), "--resume", "--json")
    data = json.loads(again.output)
    assert data["accepted"] is True and data["verdict"] in result.output and data["games"] == 120


def test_misuse_is_named():
    for arguments, message in [
        (["lines2"], "lines2 does not say which game it is for"),
        (["connect4/lines2", "--resume"], "name it with --state"),
        (["connect4/lines2", "--out", "tuned.txt"], "the name must end in .json"),
    ]:
        result = run(*arguments)
        assert result.exit_code == 2 and message in result.output


def test_the_test_is_the_tournaments_own():
    assert Settings("connect4/lines2", "connect4").sprt == Sprt(0, 20)


NOISY = """
import zermelo as z


@z.search(weights={"trust": 1.0, "noise": 1.0})
def noisy(node, depth, w):
    if node.is_over or depth == 0:
        return w.trust * node.value + w.noise * (node.key % 29)
    return max(-noisy(child, depth - 1, w) for child in node.children())


@z.search
def plain(node, depth):
    return node.value
"""


@needs_compiler
def test_the_weights_of_a_search_are_tuned_by_play(tmp_path, monkeypatch):
    """Noise spoils the search, so the tuner turns it down, and the file that it writes is a player."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.py").write_text(NOISY)
    settings = Settings(
        "own.py:noisy(heuristic=lines2)", "connect4", depth=1, iterations=60, pairs=4, judge_pairs=300, measure_pairs=60
    )
    tuning = Tuning(Found(settings))
    verdict = tuning.run()
    assert verdict.accepted and verdict.size is not None and verdict.size.elo_interval[0] > 0
    new = verdict.weights
    assert abs(new["noise"] / new["trust"]) < 0.8
    write_weights(tmp_path / "tuned.json", tuning.weight_file(verdict))
    player = find_player("tuned.json(depth=1, heuristic=lines2)", CONNECT4)
    assert play_match(player, find_player("random(seed=1)"), CONNECT4.start()).winner is not None
    assert f"noise={new['noise']:g}" in str(player)


def test_what_cannot_be_tuned_is_said(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.py").write_text(NOISY)
    with pytest.raises(SearchError, match=r"own\.py:noisy: texel cannot tune a search"):
        Tuning(Found(Settings("own.py:noisy", "connect4", method="texel")))
    with pytest.raises(SearchError, match=r"own\.py:plain has no weights, so there is nothing to tune"):
        Tuning(Found(Settings("own.py:plain", "connect4")))
