"""The Python face: every public function takes names, texts and objects alike, and refuses the rest in words."""

import dataclasses

import pytest

import zermelo as z
from zermelo.games.connect4.rules import Connect4
from zermelo.games.tictactoe import TicTacToeGame
from zermelo.games.tictactoe.rules import TicTacToe

GAME = z.game("connect4")
START = GAME.start()
POSITION = GAME.position("44")
TICTACTOE = z.game("tictactoe")


def stones(state: Connect4):
    return 1.0


@z.heuristic
def corners(state: TicTacToe):
    return 2.0


def plain(state: TicTacToe):
    return 3.0


PLAYERS = [
    "random",
    "alphabeta(depth=2)",
    "connect4/lines2",
    "lines2",
    "lines2(two=5)",
    z.Call("alphabeta", {"depth": 2}),
    z.alphabeta(depth=2),
    z.alphabeta("lines2", depth=1),
    z.alphabeta(stones, depth=1),
    z.alphabeta(depth=1, order=stones),
    z.minimax(stones, depth=1),
    z.engine(stones, depth=1),
    z.mcts(stones, simulations=10),
    GAME.heuristics["lines2"],
    stones,
]
STARTS = ["connect4", "connect4 44", "connect4(columns=5) 44", GAME, START, POSITION]


@pytest.mark.parametrize("player", PLAYERS, ids=lambda player: getattr(player, "__name__", str(player)))
def test_a_player_may_be_a_text_an_object_or_a_heuristic(player):
    assert isinstance(z.player(player, GAME), z.Player)
    assert len(z.play(player, "random(seed=1)", "connect4 44", most_plies=2).moves) == 2


@pytest.mark.parametrize("start", STARTS, ids=str)
def test_a_position_may_be_a_text_a_game_or_a_position(start):
    position = START if start in ("connect4", GAME) else None
    record = z.play("random(seed=1)", "random(seed=2)", start, most_plies=1)
    assert record.start == (str(position) if position else "44" if start is not START else "-")
    assert z.analyse(start, depth=1, heuristic=stones).depth == 1
    assert z.trace(start, z.alphabeta(stones, depth=1)).found.nodes > 1
    assert z.perft(start, 1) in (5, 7)
    assert z.game(start if not isinstance(start, str) else "connect4").name == "connect4"
    assert z.alphabeta(stones, depth=1).choose(start) in "1234567"
    if not isinstance(start, str):
        assert str(z.game("connect4").position(z.play("random", "random", start, most_plies=0).start))


@pytest.mark.parametrize("start", ["tictactoe x.o/.x./... o", TICTACTOE, TICTACTOE.start()], ids=str)
def test_solve_takes_the_same(start):
    assert z.solve(start).word in ("a draw", "draw", "loss", "win", "a loss", "a win")


def test_perft_still_takes_a_state_and_counts_as_the_game_does():
    assert z.perft(START.state, 3) == z.perft("connect4", 3) == 343
    reversi = z.game("reversi", columns=4, rows=4)
    assert reversi.perft_counts_ended and z.perft(reversi, 13) > z.perft(reversi, 13, ended=0)


@pytest.mark.parametrize("move", [4, "4", " 4 ", z.Choice("4", 0.0)], ids=str)
def test_a_move_may_be_a_number_or_a_choice(move):
    assert str(START.play(move)) == "4"


def test_a_move_may_be_a_line_of_an_analysis():
    line = z.analyse(START, depth=1).moves[0]
    assert str(START.play(line)) == line.move


def test_numpy_numbers_are_moves_too():
    import numpy as np

    assert str(START.play(np.int32(4))) == "4"
    assert str(GAME.position(324443)) == str(GAME.position([3, 2, "4", 4, 4, 3])) == "324443"
    assert GAME.position(POSITION) is POSITION


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: START.play(None), "None is not a move; write the text of the move"),
        (lambda: START.play(True), "True is not a move"),
        (lambda: START.play(4.0), "4.0 is not a move"),
        (lambda: START.play(["4"]), r"\['4'\] is not a move"),
        (lambda: START.play(9), "9 is illegal: the columns are 1 to 7"),
        (lambda: GAME.position(3.5), "3.5 is not the text of a position"),
        (lambda: GAME.position(TICTACTOE.start()), "is a position of tictactoe, not of connect4"),
        (lambda: z.game(7), "7 is not a game; write its name, such as 'connect4'"),
        (lambda: z.game(None), "None is not a game"),
        (lambda: z.analyse(7), "7 is not a position; write a position, a game, or a text such as 'connect4 324443'"),
        (lambda: z.analyse("chess"), "there is no game 'chess'"),
        (lambda: z.analyse("connect4 49"), "move 2, 9 is illegal"),
        (lambda: z.solve(None), "None is not a position"),
        (lambda: z.perft(3, 3), "3 is not a position"),
        (lambda: z.trace("connect4", "random"), "only minimax and alphabeta can be traced, not random"),
        (lambda: z.trace("connect4", 5), "5 is not a player; write its text, such as 'alphabeta"),
        (lambda: z.play("random", None, "connect4"), "None is not a player; .*, or derive its class from z.Player"),
        (lambda: z.play("random", "nobody", "connect4"), "there is no player 'nobody'"),
        (lambda: z.play("random", "lines2(six=5)", "connect4"), "lines2 has no weight 'six'"),
        (lambda: z.play("random", lambda state: 1, "connect4"), "does not say for which game it is"),
        (lambda: z.play("random", plain, "connect4"), "plain is for TicTacToe states, not for Connect4"),
        (lambda: z.alphabeta(5), "5 is not a heuristic; write its name, such as 'connect4/lines2', or a function"),
        (lambda: z.tournament(["random", 5], game="connect4"), "5 is not"),
        (lambda: z.tournament([stones], game=GAME), "contestants"),
        (lambda: z.tournament([stones, stones], game=GAME), "'stones'"),
        (lambda: z.tournament(["random", "random(seed=1)"], game=5), "5 is not a game"),
        (lambda: z.tournament(["random", "random(seed=1)"]), "the game is missing"),
    ],
)
def test_what_cannot_be_is_refused_in_words(call, told):
    with pytest.raises(z.ZermeloError, match=told):
        call()


# ------------------------------------------------------------------------------------------ tournaments


def test_contestants_may_be_heuristics_functions_and_players():
    contestants = [corners, plain, z.Call("random", {"seed": 1}), z.minimax(depth=1), {"name": "Ada", "player": plain}]
    report = z.tournament(contestants, game=TICTACTOE, pairs=1, depth=1)
    names = {line.name for line in report.lines}
    assert names == {"corners", "plain", "random(seed=1)", "minimax(depth=1)", "Ada"}
    assert report.games == 20


def test_the_settings_of_the_search_hold_for_objects_too():
    from zermelo.tournaments.plan import make_plan

    plan, objects = make_plan([corners, z.random(seed=1)], TICTACTOE, search="minimax", depth=3)
    assert objects["corners"] == z.minimax(corners, depth=3)
    assert plan.contestants[0].player == "minimax(heuristic=corners, depth=3)"


def test_the_game_is_that_of_the_heuristics():
    assert z.tournament([corners, plain], pairs=1, depth=1).plan.game == "tictactoe"


class Mine(TicTacToeGame):
    """A game that is not in the catalogue."""

    name = "mine"
    title = "My own game"


def test_a_game_object_that_is_in_no_catalogue():
    game = Mine()
    record = z.play("random(seed=1)", "random(seed=2)", game)
    assert record.game == "mine" and record.final_position().is_over
    report = z.tournament(["random(seed=1)", "random(seed=2)"], game=game, pairs=1, openings={"balanced": False})
    assert report.games == 2


# ------------------------------------------------------------------------------------------ players of one's own


class First(z.Player):
    """No dataclass, and no more than this."""

    def choose(self, position):
        return position.moves[0]


class Deep(z.Player):
    """With an __init__ of its own."""

    def __init__(self, depth, heuristic=None, seed=None, *, quiet=True):
        self.depth, self.heuristic, self.seed = depth, heuristic, seed
        self.inner = z.alphabeta(heuristic, depth=2)

    def think(self, position):
        return self.inner.think(position)


class Careful(z.alphabeta):
    """A subclass of a dataclass that is none itself."""

    def __init__(self, care):
        super().__init__(depth=2)
        object.__setattr__(self, "care", care)


def test_a_player_need_be_no_dataclass():
    from zermelo.searches.budget import Budget

    assert str(First()) == "First" and First().kind == "First" and First.options() == ()
    assert First().seeded(3).limited(Budget(seconds=1)).heuristics == {}
    deep = Deep(6, heuristic=corners)
    assert str(deep) == "Deep(depth=6, heuristic=corners)"
    assert deep.budget == Budget(depth=6) and deep.heuristics == {"heuristic": corners}
    limited = deep.limited(Budget(depth=3)).seeded(5)
    assert (limited.depth, limited.seed, deep.depth, deep.seed) == (3, 5, 6, None)
    careful = Careful(3)
    assert str(careful) == "Careful(care=3)" and careful.seeded(2) is careful
    report = z.tournament([First(), deep, careful, "random(seed=1)"], game="tictactoe", pairs=1)
    assert report.games == 12
    assert z.play(First(), Careful(1), "tictactoe").reason == "played out"


def test_a_player_without_a_method_is_refused_in_words():
    class Nothing(z.Player):
        pass

    with pytest.raises(z.ZermeloError, match="Nothing has neither a method choose nor a method think"):
        z.play(Nothing(), "random", "tictactoe")


def test_a_player_that_is_a_dataclass_is_as_before():
    @dataclasses.dataclass(frozen=True)
    class Fixed(z.Player):
        depth: int = 3

        def choose(self, position):
            return position.moves[-1]

    assert str(Fixed(5)) == "Fixed(depth=5)" and Fixed(5) == Fixed(5)
    assert z.play(Fixed(), Fixed(4), TICTACTOE).players == ("Fixed", "Fixed(depth=4)")


# ------------------------------------------------------------------------------------------ what a prompt shows


def test_repr_shows_the_position():
    lines = repr(POSITION).splitlines()
    assert lines[0] == "<connect4 44: red to move>"
    assert lines[1:] == POSITION.board().splitlines()
    assert repr(GAME.position("1212121")).startswith("<connect4 1212121: red wins>\n")
    assert repr(TICTACTOE.position("xox/xox/oxo o")).startswith("<tictactoe XOX/XOX/OXO o: a draw>")


@pytest.mark.parametrize("name", z.catalogue())
def test_every_game_shows_its_positions(name):
    start = z.game(name).start()
    assert repr(start).startswith(f"<{name} ") and start.board() in repr(start)
    assert start._repr_html_().startswith("<img alt=")
