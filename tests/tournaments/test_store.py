"""The store: games are written once, read back and never counted twice, and unknown databases are refused."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor

import pytest

import zermelo as z
from zermelo.errors import FileError
from zermelo.match import Record
from zermelo.tournaments import store as module
from zermelo.tournaments.importing import import_games
from zermelo.tournaments.plan import make_plan
from zermelo.tournaments.referee import Played
from zermelo.tournaments.schedule import Pair
from zermelo.tournaments.store import open_store

PLAN = make_plan(["random", "lines"], "tictactoe", name="cup")[0]
PAIR = Pair("1/0-1/0", 1, "random", "lines", 0, "a1 b2", 0, 12345678901234567)


def record(first="random", second="lines", seed=1, start="-"):
    played = z.play(z.random(seed=seed), z.random(seed=seed + 1), z.game("tictactoe").position(start))
    played.players = (first, second)
    return played


def filled(path):
    store = open_store(path)
    store.create(PLAN, ["a1 b2"])
    store.add_pairs("cup", [PAIR])
    return store


def test_what_is_written_is_read(tmp_path):
    store = filled(tmp_path / "cup.db")
    one, other = record(), record("lines", "random", 5)
    store.add_games("cup", [(PAIR.id, False, Played.of(one)), (PAIR.id, True, Played.of(other))])
    store.add_notes("cup", ["beware", "beware"])
    store.close()
    again = open_store(tmp_path / "cup.db", must_exist=True)
    assert again.names() == ["cup"]
    assert again.plan() == again.plan("cup") == (PLAN, ["a1 b2"])
    assert again.pairs("cup") == [PAIR]
    assert again.notes("cup") == ["beware"]
    assert again.scores("cup") == {(PAIR.id, False): one.score, (PAIR.id, True): 1 - other.score}
    games = list(again.games("cup"))
    assert [game.record for game in games] == [one, other]
    assert [game.pair for game in games] == [PAIR, PAIR]


def test_games_are_listed_without_their_moves():
    store = filled(None)
    other_pair = Pair("1/0-1/1", 1, "lines", "random", 1, "c1", 0, 7)
    store.add_pairs("cup", [other_pair])
    one, other, third = record(), record("lines", "random", 5), record("lines", "random", 7)
    store.add_games("cup", [(PAIR.id, False, Played.of(one)), (other_pair.id, False, Played.of(third))])
    store.add_games("cup", [(PAIR.id, True, Played.of(other))])
    listed = store.results("cup", limit=9)
    assert [(r.pair, r.swapped, r.players, r.score, r.plies) for r in listed] == [
        (PAIR.id, False, ("random", "lines"), one.score, len(one.moves)),
        (PAIR.id, True, ("lines", "random"), other.score, len(other.moves)),
        (other_pair.id, False, ("lines", "random"), third.score, len(third.moves)),
    ]
    assert store.results("cup", limit=1, latest=True) == listed[1:2]
    assert store.results("cup", limit=9, offset=2, players=("lines", "random")) == listed[2:]
    assert store.results("cup", limit=9, players=("nobody",)) == []
    assert store.counts("cup") == (3, 4)
    assert store.game("cup", PAIR.id, True).record == other
    assert store.game("cup", other_pair.id, True) is None
    assert [game.record for game in store.games_of("cup", "lines", 2)] == [other, third]  # the latest first
    assert list(store.games_of("cup", "nobody", 2)) == []


def test_a_row_is_written_once(tmp_path):
    store = filled(tmp_path / "cup.db")
    first = record()
    store.add_games("cup", [(PAIR.id, False, Played.of(first))])
    store.add_games("cup", [(PAIR.id, False, Played.of(record(seed=9)))])
    store.add_pairs("cup", [PAIR])
    store.create(PLAN, ["other"])
    assert [game.record for game in store.games("cup")] == [first]
    assert len(store.pairs("cup")) == 1
    assert store.plan("cup")[1] == ["a1 b2"]


def test_several_tournaments_in_one_store(tmp_path):
    store = filled(tmp_path / "cup.db")
    with pytest.raises(FileError, match="there is no tournament 'league' here; the tournaments are cup"):
        store.plan("league")
    store.create(make_plan(["random", "lines"], "tictactoe", name="league")[0], [])
    with pytest.raises(FileError, match="there are several tournaments here; choose one of cup, league"):
        store.plan()
    store.remove("cup")
    assert store.names() == ["league"]
    assert store.plan()[0].name == "league"
    assert store.pairs("cup") == []


def test_an_empty_store():
    with pytest.raises(FileError, match="there are no tournaments here"):
        open_store(None).plan()


def test_a_store_of_a_newer_program_is_refused(tmp_path):
    filled(tmp_path / "cup.db").execute("UPDATE zermelo SET value = '99'")
    with pytest.raises(FileError, match=r"cup.db was made by a newer version of zermelo: its schema is 99"):
        open_store(tmp_path / "cup.db")


def test_an_old_store_is_brought_up_to_date_or_refused(tmp_path, monkeypatch):
    store = filled(tmp_path / "cup.db")
    store.add_games("cup", [(PAIR.id, False, Played.of(record()))])
    store.close()
    monkeypatch.setattr(module, "SCHEMA", module.SCHEMA + 1)
    with pytest.raises(FileError, match="too old to be updated"):
        open_store(tmp_path / "cup.db")
    statements = ["ALTER TABLE games ADD COLUMN referee TEXT", "UPDATE games SET referee = 'nobody'"]
    monkeypatch.setattr(module, "MIGRATIONS", {module.SCHEMA - 1: statements})
    migrated = open_store(tmp_path / "cup.db")
    assert migrated.execute("SELECT referee FROM games") == [("nobody",)]
    assert migrated.execute("SELECT value FROM zermelo") == [(str(module.SCHEMA),)]
    migrated.close()
    assert len(open_store(tmp_path / "cup.db").scores("cup")) == 1, "and only once"


def test_a_migration_that_fails_changes_nothing(tmp_path, monkeypatch):
    filled(tmp_path / "cup.db").close()
    monkeypatch.setattr(module, "SCHEMA", module.SCHEMA + 1)
    statements = ["ALTER TABLE games ADD COLUMN referee TEXT", "nonsense"]
    monkeypatch.setattr(module, "MIGRATIONS", {module.SCHEMA - 1: statements})
    with pytest.raises(FileError, match="not a tournament store: near"):
        open_store(tmp_path / "cup.db")
    monkeypatch.undo()
    assert open_store(tmp_path / "cup.db").names() == ["cup"]


def test_what_is_no_store_is_refused(tmp_path):
    (tmp_path / "text.db").write_text("this is no database, however long one makes it " * 99)
    with pytest.raises(FileError, match=r"text.db is not a tournament store"):
        open_store(tmp_path / "text.db")
    sqlite3.connect(tmp_path / "other.db").execute("CREATE TABLE recipes (cake)").connection.close()
    with pytest.raises(FileError, match="a database of another program"):
        open_store(tmp_path / "other.db")
    with pytest.raises(FileError, match="there is no tournament store"):
        open_store(tmp_path / "none.db", must_exist=True)
    with pytest.raises(FileError, match="not a tournament store"):
        open_store(tmp_path / "no" / "folder.db")


def test_only_one_process_plays_a_file_at_a_time(tmp_path):
    one, two = filled(tmp_path / "cup.db"), open_store(tmp_path / "cup.db")
    with one.playing("cup"), pytest.raises(FileError, match="another process is already playing"), two.playing("cup"):
        pass
    with two.playing("cup"):
        pass
    assert not (tmp_path / "cup.db.lock").exists()


def test_a_new_file_may_be_opened_by_several_at_once(tmp_path):
    with ThreadPoolExecutor(8) as pool:
        stores = list(pool.map(lambda _: open_store(tmp_path / "cup.db"), range(8)))
    assert all(store.names() == [] for store in stores)
    for store in stores:
        store.close()


def test_imported_games_become_pairs_and_are_not_counted_twice(tmp_path):
    store = filled(tmp_path / "cup.db")
    games = [record("A", "B", 1), record("B", "A", 2), record("A", "B", 3), record("A", "C", 4), record("A", "B", 1)]
    lines = "\n".join(game.to_json() for game in games)
    assert import_games(store, "cup", games) == 5
    assert import_games(store, "cup", [Record.from_json(line) for line in lines.splitlines()]) == 0
    pairs = [(pair.first, pair.second) for pair in store.pairs("cup") if pair.round == 0]
    assert sorted(pairs) == [("A", "B"), ("A", "B"), ("A", "B"), ("A", "C")]
    assert sum(swapped for _, swapped in store.scores("cup")) == 1
