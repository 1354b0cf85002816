"""Players that err as people do, and the ten levels."""

import itertools
import random
from pathlib import Path

import pytest

import zermelo as z
from zermelo.errors import FileError, PlayerError
from zermelo.players import FalliblePlayer, LevelPlayer, find_player
from zermelo.players.levels import NAMES, PLAYERS, _read, levels_of
from zermelo.players.stand_in import stand_in
from zermelo.tournaments.rating import strength_against

TICTACTOE = z.game("tictactoe")


def games(player, count=6):
    """The moves of some games of a player against itself."""
    found = []
    for _number in range(count):
        position = TICTACTOE.start()
        while not position.is_over:
            position = position.play(player.think(position).move)
        found.append(position.line)
    return found


def test_games_differ_unless_there_is_a_seed():
    assert len(set(games(FalliblePlayer()))) > 1
    assert len(set(games(FalliblePlayer(seed=7)))) == 1
    assert len(set(games(find_player("level(3, seed=7)")))) == 1


def test_who_overlooks_nothing_stops_a_threat_and_who_overlooks_everything_does_not_see_it():
    threat = TICTACTOE.position("a1 b2 a2")  # X threatens a3
    assert {FalliblePlayer(overlook=0, breadth=9, taste=0).think(threat).move for _ in range(20)} == {"a3"}
    blind = {FalliblePlayer(overlook=1.0, breadth=9, taste=0).think(threat).move for _ in range(40)}
    assert blind != {"a3"}


def test_breadth_limits_what_it_looks_at():
    position = TICTACTOE.start()
    assert {FalliblePlayer(breadth=1, taste=0, depth=1).think(position).move for _ in range(20)} == {"b2"}


def test_depth_and_breadth_may_be_fractions():
    player = find_player("fallible(depth=2.3, breadth=4.5)")
    chance = random.Random(1)
    moods = [player.at_a_move(chance) for _ in range(2000)]
    assert {mood.depth for mood in moods} == {2, 3} and {mood.breadth for mood in moods} == {4, 5}
    assert sum(mood.depth for mood in moods) / len(moods) == pytest.approx(2.3, abs=0.05)
    assert sum(mood.breadth for mood in moods) / len(moods) == pytest.approx(4.5, abs=0.05)
    assert FalliblePlayer(depth=2).at_a_move(chance) == FalliblePlayer(depth=2)
    position = TICTACTOE.position("a1 b2 a2")
    assert isinstance(player.think(position).depth, int) and isinstance(stand_in(player, position).move, str)
    with pytest.raises(PlayerError, match=r"depth=0\.5"):
        FalliblePlayer(depth=0.5)
    with pytest.raises(PlayerError, match=r"depth=2\.5"):
        find_player("alphabeta(depth=2.5)")


def test_bad_options_are_refused():
    with pytest.raises(PlayerError, match="overlook=2"):
        FalliblePlayer(overlook=2)
    with pytest.raises(PlayerError, match="not a level"):
        find_player("level(11)")
    with pytest.raises(PlayerError, match="child, beginner"):
        find_player("level(genius)")


def test_a_level_may_be_named():
    assert find_player("level(3)") == find_player("casual") == LevelPlayer("casual") == LevelPlayer(3)
    assert find_player("casual(seed=4)") == LevelPlayer(3, seed=4)
    assert str(LevelPlayer("casual")) == "level(level=3)" and find_player(str(LevelPlayer(3))) == LevelPlayer(3)
    assert len(NAMES) == len(set(NAMES)) == 10


@pytest.mark.parametrize("name", [name for name in z.catalogue() if not z.game(name).is_explicit_tree])
def test_every_game_has_ten_levels_that_can_be_made(name):
    game = z.game(name)
    levels = levels_of(game)
    assert len(levels.players) == 10
    for text in levels.players:
        find_player(text, game)
    assert list(levels.elo) == sorted(levels.elo) and levels.elo[0] == 0


MEASURED = ("connect4", "reversi", "hex", "onitama", "parcheckers", "tictactoe")


@pytest.mark.parametrize("name", MEASURED)
def test_the_levels_of_every_game_were_measured_and_the_guide_says_how_strong_they_are(name):
    levels = levels_of(z.game(name))
    assert levels.games >= 400 and levels.elo[-1] > 3 * levels.error[-1]
    steps = [after - before for before, after in itertools.pairwise(levels.elo)]
    mean = levels.elo[-1] / 9
    uneven = [
        step for step, error in zip(steps, levels.step_error, strict=True) if abs(step - mean) > 0.3 * mean + error
    ]
    assert not (uneven and any(levels.step_error)), (
        f"steps of {mean:.0f} are wanted, and these are farther off than chance explains: {uneven}"
    )
    guide = (Path(__file__).parents[2] / "docs/how-to/web.md").read_text(encoding="utf-8")
    column = MEASURED.index(name) + 2
    table = guide.partition("| level | name |")[2].splitlines()[2 : 2 + len(NAMES) + 1]
    told = [row.split("|")[column + 1].strip() for row in table]
    assert told[:-1] == [f"{elo} ± {error}" for elo, error in zip(levels.elo, levels.error, strict=True)]
    assert told[-1].replace(",", "") == str(levels.games)


def test_a_player_that_concentrates_searches_as_the_engine_does():
    player = FalliblePlayer(nodes=100, overlook=0)
    games = {name: z.game(name) for name in ("hex", "connect4", "onitama")}
    assert [name for name, game in games.items() if player.engine_for(game).grows_tree(game)] == ["hex"]
    assert [name for name, game in games.items() if player.engine_for(game).solver] == ["hex", "connect4"]
    assert isinstance(player.think(z.game("hex", size=3).start()).move, str)


def test_wrong_levels_are_refused(tmp_path):
    (tmp_path / "levels.json").write_text('{"players": [], "elo": [], "error": [], "step_error": [], "games": 1}')
    with pytest.raises(FileError, match="there are not 10 levels"):
        _read(tmp_path / "levels.json")
    assert _read(tmp_path / "other.json").players == PLAYERS


def test_a_strength_follows_from_results_against_known_opponents():
    equal, error = strength_against([(500, 0.5)] * 40, 500)
    assert equal == pytest.approx(500)
    better, _ = strength_against([(500, 1), (500, 1), (500, 1), (500, 0)] * 200, 500)
    assert better == pytest.approx(500 + 190.8, abs=8)  # odds of 3 to 1 are 190.8 Elo; the prior draws it in a little
    few, much_error = strength_against([(500, 1)], 500)
    assert 500 < few < better and much_error > error


@pytest.mark.parametrize("name", ["connect4", "onitama"])
def test_levels_keep_their_strength_where_the_usual_heuristic_changed_after_they_were_measured(name):
    assert all("heuristic=" in text for text in levels_of(z.game(name)).players)
