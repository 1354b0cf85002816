"""What the learned heuristics are worth, measured again."""

import pytest

import zermelo as z
from zermelo.core import JIT
from zermelo.learn.opponents import against_perfect


@pytest.mark.slow
@pytest.mark.skipif(not JIT, reason="deep searches")
def test_learned_wins_connect4_against_perfect_play(record_property):
    """176 of 200 when this was written; the issue asks for 60%."""
    game = z.game("connect4")
    results = against_perfect(game, game.heuristics["learned"], 8, 200, 1)
    won = results.count(1)
    record_property(
        "figure", [9, "`learned` of Connect 4, depth 8, first, against perfect play", "60%", f"{won} of 200"]
    )
    assert won >= 120
