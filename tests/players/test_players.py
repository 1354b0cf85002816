"""Players are written as text and read back, and they play as their texts say."""

import threading

import pytest

import zermelo as z
from zermelo.errors import HeuristicError, PlayerError, PositionError
from zermelo.players import Resigned, TakeBack, find_player
from zermelo.searches.budget import Budget
from zermelo.searches.deepening import Engine

START = z.game("connect4").start()


@pytest.mark.parametrize(
    "text",
    [
        "alphabeta",
        "alphabeta(heuristic=centre, depth=6)",
        "alphabeta(heuristic=lines2(two=5), depth=3, tolerance=5, order=centre, order_plies=2, top_moves=4)",
        "alphabeta(nodes=3500000, seconds=0.5)",
        "engine",
        "engine(heuristic=centre, nodes=1000, threads=2)",
        "minimax(depth=2)",
        "random(seed=3)",
        "random",
        "human",
    ],
)
def test_a_player_prints_itself_as_it_is_written(text):
    assert str(find_player(text)) == text
    assert find_player(str(find_player(text))) == find_player(text)


def test_a_player_made_in_python_prints_alike():
    heuristic = z.game("connect4").heuristics["centre"]
    assert str(z.alphabeta(heuristic, depth=6)) == "alphabeta(heuristic=centre, depth=6)"
    assert str(z.alphabeta("connect4/centre", depth=6)) == "alphabeta(heuristic=connect4/centre, depth=6)"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("alfabeta", "there is no player 'alfabeta'; the players are engine, mcts, alphabeta"),
        ("alphabeta(deep=3)", "alphabeta has no option 'deep' (its options: heuristic, depth, "),
        ("alphabeta(depth=0)", "depth=0 is not a whole number from 1 to 64"),
        ("alphabeta(depth=65)", "depth=65 is not a whole number from 1 to 64"),
        ("alphabeta(depth=two)", "depth=two is not a whole number"),
        ("alphabeta(depth=yes)", "depth=yes is not a whole number"),
        ("alphabeta(seconds=-1)", "seconds=-1 is not a number of at least 0.001"),
        ("alphabeta(top_moves=0)", "top_moves=0 is not a whole number of at least 1"),
        ("alphabeta(lines2, heuristic=centre)", "heuristic is given twice"),
        ("engine(solver=perhaps)", "engine: solver=perhaps is not yes or no"),
        ("engine(reduce=2)", "engine: reduce=2 is not yes or no"),
        ("minimax(tolerance=3)", "minimax has no option 'tolerance'"),
        ("chess/somebody", "there is no player 'chess/somebody'"),
    ],
)
def test_what_is_wrong_is_said(text, message):
    with pytest.raises(PlayerError) as caught:
        find_player(text)
    assert message in str(caught.value)


def test_a_heuristic_is_looked_up_before_the_game_begins():
    with pytest.raises(HeuristicError, match="has no heuristic 'corners'"):
        z.play(z.player("alphabeta(heuristic=corners)"), z.random(seed=1), START)
    with pytest.raises(HeuristicError, match="so it cannot play Connect 4"):
        z.player("alphabeta(heuristic=tictactoe/lines)").choose(START)


@pytest.mark.parametrize(
    "text", ["random", "minimax(depth=1)", "alphabeta(depth=1)", "engine(depth=1)", "mcts(seed=1)"]
)
def test_there_is_nothing_to_choose_once_the_game_is_over(text):
    with pytest.raises(PositionError, match="the game is over in 1212121"):
        z.player(text).choose(z.game("connect4").position("1212121"))


def test_random_with_a_seed_repeats_itself():
    one = [z.random(seed=5).choose(START.play(str(c))) for c in range(1, 8)]
    assert one == [z.random(seed=5).choose(START.play(str(c))) for c in range(1, 8)]
    other = [[z.random(seed=s).choose(START.play(str(c))) for c in range(1, 8)] for s in range(5)]
    assert any(moves != one for moves in other)
    assert z.random(seed=5).is_deterministic
    assert not z.random().is_deterministic


def test_a_person_at_the_terminal(monkeypatch, capsys):
    answers = iter(["?", "9", "x", " 4 "])
    monkeypatch.setattr("builtins.input", lambda prompt: next(answers))
    assert z.human().choose(START) == "4"
    said = capsys.readouterr().out
    assert "moves: 1 2 3 4 5 6 7" in said
    assert "the columns are 1 to 7" in said
    assert "'x' is not a move of Connect 4" in said


def test_a_move_in_two_steps(monkeypatch, capsys):
    """Parcheckers: the die, then the piece, with what each would do."""
    start = z.game("parcheckers").start()
    answers = iter(["?", "5", "red0", "5", "green1"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(answers))
    assert z.human().choose(start) == "green1:5"
    said = capsys.readouterr().out
    assert "moves: * 6 5 4 2 1" in said
    assert "yellow0  4 to 14" in said
    assert "'red0' is not a move of Parcheckers" in said
    monkeypatch.setattr("builtins.input", lambda prompt: "yellow0:*")
    assert z.human().choose(start) == "yellow0:*"


@pytest.mark.parametrize(("answer", "what"), [("q", Resigned), ("u", TakeBack)])
def test_a_person_may_give_up_or_take_back(monkeypatch, answer, what):
    monkeypatch.setattr("builtins.input", lambda prompt: answer)
    with pytest.raises(what):
        z.human().choose(START)


def test_the_end_of_the_input_is_giving_up(monkeypatch):
    def closed(prompt):
        raise EOFError

    monkeypatch.setattr("builtins.input", closed)
    with pytest.raises(Resigned):
        z.human().choose(START)


def test_an_engine_may_leave_the_solver_alone():
    start = z.game("connect4").start()
    assert z.player("engine(nodes=200)").think(start).solved
    alone = z.player("engine(nodes=200, solver=no)").think(start)
    assert not alone.solved and alone.depth is not None


@pytest.mark.parametrize("player", ["alphabeta(h, depth=1)", "minimax(h, depth=1)", "engine(h, depth=1, solver=no)"])
def test_a_heuristic_is_that_of_its_file_as_it_is_now(player, tmp_path, monkeypatch):
    """In a notebook: the same text, the file edited in between; then the file that it imports."""
    monkeypatch.chdir(tmp_path)
    text = "import zermelo as z\nfrom zermelo.games.connect4 import Connect4\nfrom helper import SCALE\n"
    text += "@z.heuristic\ndef h(state: Connect4):\n    return SCALE * {value}\n"
    chosen = find_player(player.replace("(h", "(mine.py:h"))
    scores = []
    for scale, value in [(1, 1), (1, 2), (2, 2)]:
        (tmp_path / "helper.py").write_text(f"SCALE = {scale}\n")
        (tmp_path / "mine.py").write_text(text.format(value=value))
        scores.append(abs(chosen.think(START).score))
    assert scores == [1, 2, 4]


def test_a_tree_is_not_kept_for_an_edited_heuristic(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = "import zermelo as z\nfrom zermelo.games.connect4 import Connect4\n"
    text += "@z.heuristic\ndef h(state: Connect4):\n    return {value}\n"
    scores = []
    for reuse in ("yes", "no"):
        player = find_player(f"mcts(mine.py:h, simulations=50, rollouts=0, scale=100, seed=1, reuse={reuse})")
        (tmp_path / "mine.py").write_text(text.format(value=90))
        move = player.think(START).move
        (tmp_path / "mine.py").write_text(text.format(value=-90))
        scores.append(player.think(START.play(move).play("1")).score)
    assert scores[0] == scores[1]


def test_tables_are_kept_where_only_the_time_changes(monkeypatch):
    """A program with a clock has another limit at each move; two players never share a table."""
    made = []

    def counted(*arguments, **options):
        made.append(Engine(*arguments, **options))
        return made[-1]

    monkeypatch.setattr("zermelo.players.engine.Engine", counted)
    monkeypatch.setattr("zermelo.players.engine._engines", threading.local())
    position = z.game("tictactoe").start()
    player = z.engine("tictactoe/lines", solver=False)
    for seconds in (0.002, 0.003, 0.004):
        player.with_budget(Budget(seconds=seconds)).think(position)
    assert len(made) == 1
    z.engine("tictactoe/lines", solver=False, seconds=0.003).think(position)
    player.with_budget(Budget(nodes=50)).think(position)
    assert len(made) == 3
