"""First use: with an empty cache, a small search answers while another process compiles."""

import pytest

import waiting
import zermelo as z
from zermelo.players import find_player
from zermelo.warming.usual import ALMOST
from zermelo.web.first_use import FirstUse, Job

GAME = z.game("tictactoe")


def test_whatever_the_cache_has_is_ready():
    player = find_player("alphabeta(depth=2)")
    player.prepare(GAME)
    first_use = FirstUse(is_on=True)
    try:
        assert first_use.is_ready(GAME, player)
        assert first_use.share(GAME, player) == 1.0
    finally:
        first_use.close()


def test_a_bar_never_claims_to_be_full_before_the_end():
    job = Job(GAME, None, functions=10_000)
    assert job.share == ALMOST
    job.done.set()
    assert job.share == 1.0


@pytest.mark.slow
def test_another_process_fills_an_empty_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("ZERMELO_CACHE_DIR", str(tmp_path))
    player = find_player("alphabeta(depth=2)")
    first_use = FirstUse(is_on=True)
    try:
        job = first_use.want(GAME, player)
        assert not first_use.is_ready(GAME, player)
        waiting.until(job.done.is_set)
        assert first_use.is_ready(GAME, player) and job.functions > 10
    finally:
        first_use.close()
    assert len(list(tmp_path.glob("zermelo.*.nbc"))) > 10
