"""Kalah against a second program: the rules once more, in plain lists and loops."""

import pytest

import zermelo as z
from zermelo.errors import ZermeloError
from zermelo.position import random_playout


def sow(houses, stores, mover, house):
    """The same rules, written anew: houses of both players, stores, who moves; gives them after the move."""
    houses, stores = [list(side) for side in houses], list(stores)
    stones, houses[mover][house] = houses[mover][house], 0
    side, place, again = mover, house, False
    while stones:
        place += 1
        again = False
        if place == len(houses[0]):
            if side == mover:
                stores[mover] += 1
                stones -= 1
                again = True
            side, place = 1 - side, -1
            continue
        houses[side][place] += 1
        stones -= 1
    if not again and side == mover and houses[side][place] == 1:
        opposite = houses[1 - mover][-1 - place]
        if opposite:
            houses[1 - mover][-1 - place], houses[mover][place] = 0, 0
            stores[mover] += opposite + 1
    if not any(houses[0]) or not any(houses[1]):
        for player in (0, 1):
            stores[player] += sum(houses[player])
            houses[player] = [0] * len(houses[0])
    return houses, stores, mover if again else 1 - mover


def text_of(houses, stores, mover):
    sides = [",".join(map(str, side)) + f":{store}" for side, store in zip(houses, stores, strict=True)]
    return f"{' '.join(sides)} {('first', 'second')[mover]}"


def count(houses, stores, mover, depth):
    """Sequences of so many plies."""
    if depth == 0:
        return 1
    return sum(
        count(*sow(houses, stores, mover, house), depth - 1) for house, stones in enumerate(houses[mover]) if stones
    )


@pytest.mark.parametrize(("houses", "stones"), [(6, 4), (4, 3), (3, 6), (1, 2)])
def test_random_games_agree_with_the_second_program(houses, stones):
    game = z.game("kalah", houses=houses, stones=stones)
    for seed in range(20):
        other = [[stones] * houses, [stones] * houses], [0, 0], 0
        for position in random_playout(game.start(), seed).path[1:]:
            other = sow(*other, position.last_move)
            assert str(position) == text_of(*other)
        assert position.is_over
        assert position.margin == other[1][0] - other[1][1]


def test_perft_agrees_with_the_second_program():
    from zermelo.searches.perft import perft

    for depth in range(1, 6):
        assert perft(z.game("kalah").start().state, depth) == count([[4] * 6] * 2, [0, 0], 0, depth)


def test_the_search_finds_the_value_of_a_small_game():
    game = z.game("kalah", houses=2, stones=2)

    def value(houses, stores, mover):
        moves = [house for house, stones in enumerate(houses[mover]) if stones]
        if not moves:
            return (stores[0] > stores[1]) - (stores[0] < stores[1])
        values = [value(*sow(houses, stores, mover, house)) for house in moves]
        return max(values) if mover == 0 else min(values)

    expected = {1: "win", 0: "draw", -1: "loss"}[value([[2, 2], [2, 2]], [0, 0], 0)]
    assert z.solve(game.start()).word == expected


def test_another_turn_and_a_capture():
    start = z.game("kalah").start()
    assert start.play("c").to_move == 1, "the last of four stones from c falls into the store"
    position = z.game("kalah").position("1,0,0,0,0,4:0 4,4,4,4,5,4:0 first").play("a")
    assert str(position) == "0,0,0,0,0,4:6 4,4,4,4,0,4:0 second", "five from opposite b, and the stone itself"


def test_the_better_heuristic_wins():
    report = z.tournament(["harvest", "stones"], "kalah", depth=3, pairs=30)
    assert report.score("harvest", "stones") > 0.5


@pytest.mark.parametrize("text", ["4,4:0 4,4,4:0 first", "99,1:0 1,1:0 first", "0,0:1 1,1:0 first", "a:b c:d first"])
def test_bad_positions_are_refused_in_words(text):
    with pytest.raises(ZermeloError):
        z.game("kalah", houses=2).position(text)


def test_bad_games_are_refused_in_words():
    with pytest.raises(ZermeloError, match="houses=9"):
        z.game("kalah", houses=9)
    with pytest.raises(ZermeloError, match="the house is empty"):
        z.game("kalah").start().play("c").play("c")
