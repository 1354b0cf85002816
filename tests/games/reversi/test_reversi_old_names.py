"""Files of version 0.1 name the heuristics `seed` and `seed_tuned`: they are still read, and tournaments go on."""

import json

import pytest

import zermelo as z
from zermelo.evaluation.weight_files import WeightFile, write_weights
from zermelo.games import find_heuristic
from zermelo.match import load_records
from zermelo.tournaments.plan import make_plan
from zermelo.tournaments.run import begin, run
from zermelo.tournaments.store import open_store

GAME = z.game("reversi", columns=4, rows=4)


def test_a_file_of_weights(tmp_path):
    write_weights(tmp_path / "mine.json", WeightFile("reversi/seed", {"corners": 70.0}))
    with pytest.warns(DeprecationWarning, match="'seed' is now 'report'"):
        found = find_heuristic(str(tmp_path / "mine.json"), GAME)
    assert found.weights == GAME.heuristics["report"].with_weights(corners=70.0).weights


def test_a_database_is_resumed(tmp_path):
    with pytest.warns(DeprecationWarning, match="is now 'report"):
        plan, _ = make_plan(["seed", "reversi/seed_tuned", "alphabeta(depth=1, heuristic=seed)"], str(GAME), depth=1)
    store = open_store(tmp_path / "cup.db")
    begin(store, plan)
    store.close()
    store = open_store(tmp_path / "cup.db")
    with pytest.warns(DeprecationWarning, match="is now 'report"):
        run(store, threads=1)
    games = list(store.games(plan.name))
    store.close()
    assert games and all(game.reason != "error" for game in games)
    assert {name for game in games for name in game.record.players} == set(plan.names)


def test_a_saved_game(tmp_path):
    said = {
        "format": 1,
        "game": str(GAME),
        "players": ["alphabeta(heuristic=seed(corners=71))", "random"],
        "start": "-",
    }
    path = tmp_path / "games.jsonl"
    path.write_text(json.dumps(said | {"moves": [], "winner": None, "margin": None, "reason": "unfinished"}) + "\n")
    (record,) = load_records(path)
    with pytest.warns(DeprecationWarning, match="'seed' is now 'report'"):
        assert z.player(record.players[0]).think(GAME.position(record.start)).move in GAME.start().moves
