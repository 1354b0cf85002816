"""The collections of puzzles: in each position exactly one move wins. Some are proved here, all in the slow run."""

import datetime
import json

import pytest
from click.testing import CliRunner

import zermelo as z
from zermelo.cli.puzzle import puzzle as command
from zermelo.errors import GameError
from zermelo.puzzles import daily_puzzle, find_puzzle, games_with_puzzles, puzzles_of
from zermelo.puzzles.making import Order, make_puzzles, only_win

ALL = [puzzle for name in games_with_puzzles() for puzzle in puzzles_of(name)]
NODES = 200_000
SLOW = ("onitama", "reversi")  # their proofs take too long for every run
CHEAP = [puzzle for name in games_with_puzzles() if name not in SLOW for puzzle in puzzles_of(name)[::10][:4]]


def test_the_collection_is_large_and_every_puzzle_is_different():
    assert len(ALL) >= 300
    assert len({puzzle.id for puzzle in ALL}) == len({(puzzle.game, puzzle.position) for puzzle in ALL}) == len(ALL)
    assert {"connect4", "reversi", "hex", "onitama", "parcheckers", "tictactoe"} <= set(games_with_puzzles())


@pytest.mark.parametrize("name", games_with_puzzles())
def test_every_puzzle_can_be_set_up_and_its_move_played(name):
    for puzzle in puzzles_of(name):
        assert puzzle.move in puzzle.start.moves and len(puzzle.start.moves) >= 3
        assert 0 <= puzzle.fails <= 1 and puzzle.depth >= 1


@pytest.mark.parametrize("puzzle", CHEAP, ids=lambda puzzle: puzzle.id)
def test_exactly_one_move_wins(puzzle):
    assert only_win(puzzle.start, NODES) == puzzle.move


@pytest.mark.slow
@pytest.mark.parametrize("puzzle", ALL, ids=lambda puzzle: puzzle.id)
def test_exactly_one_move_wins_in_all(puzzle):
    assert only_win(puzzle.start, NODES) == puzzle.move


def test_a_position_with_two_wins_or_none_is_no_puzzle():
    game = z.game("tictactoe")
    assert only_win(game.position("a1 b1 b2 c3"), NODES) is None  # a2 and a3 both win
    assert only_win(game.start(), NODES) is None


def test_an_endgame_of_onitama_has_four_pieces_and_is_not_over():
    game = z.game("onitama")
    found = [game.endgame(seed) for seed in range(40)]
    assert found == [game.endgame(seed) for seed in range(40)] and len(set(map(str, found))) == 40
    for position in found:
        assert len(position.moves) > 0 and not position.is_over
        assert (int(position.state.mine) | int(position.state.theirs)).bit_count() == 4
    assert z.game("hex").endgame(1) is None


def test_no_game_has_easy_puzzles_only():
    for name in games_with_puzzles():
        ratings = [puzzle.rating for puzzle in puzzles_of(name)]
        assert ratings == sorted(ratings) and ratings[-1] - ratings[0] >= 600


def test_the_same_seed_makes_the_same_puzzles():
    first, again = (make_puzzles(z.game("tictactoe"), Order(count=3, seed=5)) for _ in range(2))
    assert first == again and len(first) == 3
    assert make_puzzles(z.game("tictactoe"), Order(count=3, seed=6)) != first


def test_the_puzzle_of_the_day_depends_on_the_date_alone():
    day = datetime.date(2026, 11, 18)
    assert daily_puzzle(day) == daily_puzzle(day)
    days = [daily_puzzle(day + datetime.timedelta(number)) for number in range(60)]
    assert len({puzzle.id for puzzle in days}) == 60 and len({puzzle.game for puzzle in days}) >= 4
    count = len(puzzles_of("connect4"))
    own = [daily_puzzle(day + datetime.timedelta(number), "connect4") for number in range(count)]
    assert len({puzzle.id for puzzle in own}) == len(own)
    with pytest.raises(GameError, match="has no puzzles"):
        daily_puzzle(day, "tree/course")


def test_the_command_shows_lists_and_makes():
    run = CliRunner().invoke
    shown = json.loads(run(command, ["--date", "2026-11-18", "--json", "--answer"], catch_exceptions=False).output)
    assert shown["move"] == find_puzzle(shown["id"]).move
    told = run(command, ["connect4"], catch_exceptions=False).output
    assert "One move wins" in told and "winning move is" not in told
    assert len(json.loads(run(command, ["connect4", "--list", "--json"]).output)) == len(puzzles_of("connect4"))
    made = run(command, ["tictactoe", "--make", "2", "--seed", "5"], catch_exceptions=False).stdout.splitlines()
    assert [json.loads(line)["game"] for line in made] == ["tictactoe"] * 2
    assert run(command, ["--list"]).exit_code == 2
