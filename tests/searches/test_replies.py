"""Moves in many games at a time are the moves of the player alone; the referee's step is the game's own."""

import itertools

import numpy as np
import pytest

import zermelo as z
from zermelo.core import JIT
from zermelo.core.packed import is_packable, words_of
from zermelo.players import find_player
from zermelo.position import random_playout
from zermelo.rules import is_over, moves_of, to_move
from zermelo.scores import Score
from zermelo.searches.replies import (
    ENDED,
    EVALUATED,
    GENERATED,
    ILLEGAL,
    MARGIN,
    MOVE,
    OUTCOME,
    SCORE,
    STATUS,
    compiled_plays,
    compiled_replies,
    new_room,
)
from zermelo.searches.workspace import workspace
from zermelo.tournaments.quick import seat_of

pytestmark = pytest.mark.skipif(not JIT, reason="nothing is compiled")

GAMES = ["connect4", "tictactoe", "reversi(columns=6, rows=6)", "hex(size=4)", "parcheckers"]


def positions_of(game):
    found = [random_playout(game.start(), seed, seed % 7) for seed in range(20)]
    return [position for position in found if not position.is_over]


@pytest.mark.parametrize("name", GAMES)
def test_replies_are_those_of_the_player_alone(name):
    game = z.game(name)
    player = find_player("alphabeta(depth=2, top_moves=5)", game)
    positions = positions_of(game)
    words = np.array([words_of(position.state) for position in positions], np.uint64)
    seat = seat_of(player, game)
    replies = np.empty((len(positions), 4), np.int64)
    like = game.start_state()
    cls = type(like)
    compiled_replies(cls)(like, words, seat.row, *seat.functions(cls), replies, workspace())
    for position, row in zip(positions, replies.tolist(), strict=True):
        choice = player.think(position)
        assert game.move_text(position.state, row[MOVE]) == choice.move
        assert Score.of_units(row[SCORE]).number == choice.score.number
        assert (row[GENERATED] + 1, row[EVALUATED]) == (choice.nodes, choice.evaluated)


@pytest.mark.parametrize("name", GAMES)
def test_the_step_plays_legal_moves_and_refuses_others(name):
    game = z.game(name)
    like = game.start_state()
    run = compiled_plays(type(like))
    for seed in range(5):
        position = game.start()
        path = random_playout(position, seed).path
        words = np.array([words_of(like)] * 2, np.uint64)
        results, room = np.empty((1, 3), np.int64), new_room()
        for before, after in itertools.pairwise(path):
            wrong = max(moves_of(before.state)) + 1
            for move, row in ((wrong, 0), (after.last_move, 1)):
                run(like, words, np.array([row]), np.array([move]), results, room)
                if move == wrong:
                    assert results[0, STATUS] == ILLEGAL
            run(like, words, np.array([0]), np.array([after.last_move]), results, room)
            assert words.tolist() == [words_of(after.state)] * 2
            if not is_over(after.state):
                assert results[0, STATUS] == to_move(after.state)
        end = path[-1]
        if is_over(end.state):
            assert results[0, STATUS] == ENDED
            assert results[0, MARGIN] == end.margin
            assert {1: 1, 0: None, -1: 2}[results[0, OUTCOME]] == end.winner


def test_states_with_arrays_cannot_be_packed():
    assert is_packable(type(z.game("connect4").start_state()))
    assert not is_packable(type(z.game("tree/course").start_state()))
