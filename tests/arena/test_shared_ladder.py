"""Two workers play one ladder in a shared database."""

import threading
from collections import Counter

import pytest
from quick_class import hand_in, quick_settings

from servers import PROGRAMS, postgres_server
from zermelo.arena.ladder import Ladder, play_ladder
from zermelo.arena.records import Records
from zermelo.arena.roster import LADDER
from zermelo.tournaments.store import open_store
from zermelo.tournaments.tallies import open_pairs, tallies


@pytest.mark.slow
def test_two_workers_on_one_database_play_no_game_twice():
    pytest.importorskip("psycopg")
    if PROGRAMS is None:
        pytest.skip("there is no PostgreSQL server on this machine (no initdb)")
    with postgres_server() as server:
        where = server.new_database()
        store = open_store(where)
        records, settings = Records(store), quick_settings()
        for number in range(4):
            student, _ = records.add_student(f"S{number}")
            hand_in(records, student, f"random(seed={number + 50})")
        Ladder(store, records, settings)
        told, failures = Counter(), []

        def work(name):
            try:
                mine = open_store(where)
                ladder = Ladder(mine, Records(mine), settings)
                play_ladder(
                    ladder,
                    threads=1,
                    watch=lambda progress: told.update({name: progress.done - told[name]}),
                    is_stopped=lambda: mine.counts(LADDER)[0] >= 200,
                )
                mine.close()
            except BaseException as error:
                failures.append(error)

        workers = [threading.Thread(target=work, args=(name,)) for name in ("one", "other")]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join(300)
        assert not failures and not any(worker.is_alive() for worker in workers)
        finished = store.counts(LADDER)[0]
        assert finished >= 200 and all(told.values()) and len(told) == 2
        # Every game was played by one of them: together they played as many as there are.
        assert sum(told.values()) <= finished
        assert sum(tally.games for tally in tallies(store, LADDER)) == finished
        # Whoever comes next plays what was left.
        left = {pair.id for pair in open_pairs(store, LADDER)}
        play_ladder(
            Ladder(store, records, settings), threads=1, is_stopped=lambda: store.counts(LADDER)[0] >= finished + 60
        )
        assert not left & {pair.id for pair in open_pairs(store, LADDER)}
        store.close()
