"""An arena whose games are played by the workers of a Dask cluster, in the sandbox there."""

import pytest
from mishaps import PLAYER, Arena, guests_of, waited

from servers import dask_cluster
from zermelo.arena.roster import LADDER
from zermelo.processes.sandbox import missing

pytest.importorskip("distributed", reason='Dask is not installed: pip install "zermelo[cluster]"')


@pytest.mark.slow
@pytest.mark.skipif(missing() is not None, reason=f"there is no sandbox here: {missing()}")
def test_the_ladder_is_played_on_a_cluster(tmp_path):
    (tmp_path / "dask").mkdir()
    address, scheduler, worker = dask_cluster(tmp_path / "dask")
    arena = Arena(tmp_path / "arena")
    try:
        students = [arena.add_student(name) for name in ("Ada", "Eva")]
        arena.start("--scheduler", address)
        waited(lambda: arena.listen() or arena.address, "the server is there")
        for number, student in enumerate(students, 1):
            arena.hand_in(student, PLAYER.format(number=number))
            arena.sending.join()
        waited(lambda: {one.state for one in arena.records.submissions()} == {"valid"}, "both are accepted")
        waited(lambda: guests_of(worker.pid), "a student's code runs below the worker of the cluster")
        code = {one.contestant for one in arena.records.submissions()}

        def theirs():
            if LADDER not in arena.store.names():
                return []
            return [game for game in arena.store.games(LADDER) if code & {game.pair.first, game.pair.second}]

        waited(lambda: len(theirs()) >= 8, "games of students on the ladder")
        games = theirs()
        assert len({(game.pair.id, game.swapped) for game in games}) == len(games)
        assert not any(game.reason.startswith(("crash", "illegal", "timeout", "wrong")) for game in games)
        arena.stop()
    finally:
        arena.close()
        for process in (worker, scheduler):
            process.kill()
            process.wait()
