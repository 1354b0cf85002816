"""A user's own search: the styles of the courses give the values, moves, nodes and trees of our own searches."""

import json
import warnings
from pathlib import Path

import pytest

import zermelo as z
from zermelo.core import JIT, class_of
from zermelo.core.contents import names_in
from zermelo.errors import PlayerError, SearchError
from zermelo.players.own import find_search, searches_in
from zermelo.searches.budget import Budget
from zermelo.searches.own.running import ready, run_own
from zermelo.searches.textbook import run_alphabeta, run_minimax

FILE = Path(__file__).parent / "styles.py"
STYLES = searches_in(FILE)
PRUNING = ["negamax", "any_order", "textbook", "flagged"]
WHOLE = ["with_move", "with_array"]
POSITIONS = [("connect4", "324443"), ("connect4", "4445"), ("tictactoe", "X../.O./... x"), ("reversi", "")]


def place(game, text):
    chosen = z.game(game)
    return chosen.position(text) if text else chosen.start()


def search_of(name, game="connect4"):
    return STYLES[name]


@pytest.mark.parametrize(("game", "text"), POSITIONS)
@pytest.mark.parametrize("name", PRUNING)
def test_it_searches_what_our_alphabeta_searches(name, game, text):
    position = place(game, text)
    heuristic = position.game.heuristics[position.game.default_heuristic]
    depth = 4 if JIT else 2
    ours = run_alphabeta(position.state, heuristic, depth)
    own = run_own(search_of(name), position.state, heuristic, depth)
    counts = (ours.score, ours.move, ours.generated, ours.evaluated, ours.cutoffs)
    assert (own.score, own.move, own.generated, own.evaluated, own.cutoffs) == counts
    assert own.complete


@pytest.mark.parametrize(("game", "text"), POSITIONS)
@pytest.mark.parametrize("name", WHOLE)
def test_it_finds_what_minimax_finds(name, game, text):
    position = place(game, text)
    heuristic = position.game.heuristics[position.game.default_heuristic]
    depth = 3 if JIT else 2
    ours = run_minimax(position.state, heuristic, depth)
    own = run_own(search_of(name), position.state, heuristic, depth)
    assert (own.score, own.move) == (ours.score, ours.move)


@pytest.mark.parametrize("name", ["ordered", "deepening"])
def test_ordering_and_deepening_find_the_same_value(name):
    position = place("connect4", "324443")
    heuristic = position.game.heuristics["lines2"]
    ours = run_alphabeta(position.state, heuristic, 4)
    assert run_own(search_of(name), position.state, heuristic, 4).score == ours.score


def test_parcheckers_where_a_side_moves_twice():
    position = z.game("parcheckers").start()
    heuristic = position.game.heuristics[position.game.default_heuristic]
    depth = 3 if JIT else 2
    ours = run_alphabeta(position.state, heuristic, depth)
    own = run_own(search_of("any_order"), position.state, heuristic, depth)
    assert (own.score, own.move, own.generated) == (ours.score, ours.move, ours.generated)


@pytest.mark.skipif(not JIT, reason="it is about compiling")
def test_all_styles_are_compiled_but_the_one_that_cannot_be():
    state = z.game("connect4").start().state
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        compiled = {name: ready(search, class_of(state)).is_compiled for name, search in searches_in(FILE).items()}
    assert [name for name, done in compiled.items() if not done] == ["with_dictionary"]
    (note,) = [str(one.message) for one in warned if issubclass(one.category, z.PlainPythonWarning)]
    assert "with_dictionary cannot be compiled and runs as plain Python" in note
    assert note.splitlines()[0].startswith(str(FILE))


def test_what_cannot_be_compiled_runs_as_plain_python():
    position = place("connect4", "324443")
    heuristic = position.game.heuristics["lines2"]
    ours = run_minimax(position.state, heuristic, 3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", z.PlainPythonWarning)
        own = run_own(search_of("with_dictionary"), position.state, heuristic, 3)
    assert (own.score, own.move) == (ours.score, ours.move)


@pytest.mark.parametrize("name", ["negamax", "any_order", "textbook", "flagged"])
@pytest.mark.parametrize(("game", "text", "depth"), [("tree/course", "", 8), ("connect4", "4445", 3)])
def test_its_tree_is_the_one_that_our_alphabeta_records(name, game, text, depth):
    position = place(game, text)
    heuristic = position.game.heuristics[position.game.default_heuristic]
    own = run_own(search_of(name), position.state, heuristic, depth, trace=True)
    ours = run_alphabeta(position.state, heuristic, depth, trace=True)

    def rows(node):
        # A textbook minimum has no window at the root; bounds of a billion stand for infinite ones.
        children = [rows(child) for child in node.children]
        return node.move, node.mover, node.value, node.fate, children

    assert rows(own.tree) == rows(ours.tree)
    assert own.cutoffs == ours.cutoffs == ours.tree.cutoffs

    def windows(node):
        return [node.window, *(window for child in node.children for window in windows(child))]

    if name == "negamax":
        assert windows(own.tree) == windows(ours.tree)


def test_a_budget_of_nodes_is_kept_and_can_be_repeated():
    position = place("connect4", "324443")
    heuristic = position.game.heuristics["lines2"]
    found = [run_own(search_of("negamax"), position.state, heuristic, 8, budget=Budget(nodes=500)) for _ in range(2)]
    for one in found:
        assert not one.complete
        assert one.generated + one.evaluated <= 500
        assert one.move is not None
    assert found[0].generated == found[1].generated
    assert found[0].move == found[1].move


def test_a_stopped_search_plays_the_move_of_the_last_finished_iteration():
    position = place("connect4", "324443")
    heuristic = position.game.heuristics["lines2"]
    whole = run_own(search_of("negamax"), position.state, heuristic, 2)
    spent = sum(
        one.generated + one.evaluated
        for one in (run_own(search_of("negamax"), position.state, heuristic, depth) for depth in (1, 2))
    )
    stopped = run_own(search_of("deepening"), position.state, heuristic, 9, budget=Budget(nodes=spent + 3))
    assert not stopped.complete
    assert (stopped.move, stopped.score) == (whole.move, whole.score)


@pytest.mark.skipif(not JIT, reason="it would take long")
def test_time_is_kept():
    position = place("connect4", "324443")
    player = z.player(f'"{FILE}:slow"(depth=3, seconds=0.2)')
    choice = player.think(position)
    assert choice.move in position.moves
    assert choice.seconds < 5


def test_weights_are_given_at_run_time():
    position = place("tictactoe", "X../.O./... x")
    heuristic = position.game.heuristics[position.game.default_heuristic]
    search = search_of("weighted")
    usual = run_own(search, position.state, heuristic, 1).score.number
    assert run_own(search.with_weights(bonus=0.5), position.state, heuristic, 1).score.number == usual + 2
    with pytest.raises(SearchError, match="has no weight corner; its weights are: bonus"):
        search.with_weights(corner=1)


def test_a_line_without_end_is_an_error_in_words():
    position = z.game("hex", size=11).start()
    heuristic = position.game.heuristics["bridges"]
    with pytest.raises(SearchError, match="followed a line of 64 moves: does it pass depth - 1 on"):
        run_own(search_of("endless"), position.state, heuristic, 3)


def test_as_a_player():
    game = z.game("connect4")
    player = z.player(f'"{FILE}:negamax"(depth=3, heuristic=lines2)')
    assert str(player) == str(z.player(str(player)))
    assert player.choose(game.position("324443")) == z.alphabeta("lines2", depth=3).choose(game.position("324443"))
    deeper = z.player(f'"{FILE}:negamax"(nodes=3000)')
    assert deeper.think(game.position("324443")).depth > 2
    trace = z.trace(game.position("44"), z.player(f'"{FILE}:negamax"(depth=2)'))
    assert trace.to_dict() == json.loads(json.dumps(trace.to_dict()))


def test_a_search_object_is_a_player():
    record = z.play(STYLES["negamax"], "random(seed=1)", "tictactoe")
    assert record.moves


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("@z.search\ndef f():\n    return 1", "f takes no arguments: write def f\\(node, depth\\)"),
        ("@z.search\ndef f(node, depth, alpha):\n    return 1", "only one of alpha and beta"),
        ("@z.search\ndef f(node, depth, colour):\n    return 1", "cannot know what 'colour' is"),
        ("@z.search(perspective='min')\ndef f(node, depth):\n    return 1", "perspective='min': write 'max'"),
    ],
)
def test_searches_that_cannot_be_called(tmp_path, text, told):
    file = tmp_path / "wrong.py"
    file.write_text(f"import zermelo as z\n\n{text}\n")
    with pytest.raises((SearchError, z.ZermeloError), match=told):
        find_search(f"{file}:f")


def test_what_a_search_may_not_return(tmp_path):
    file = tmp_path / "wrong.py"
    file.write_text("import zermelo as z\n\n@z.search\ndef f(node, depth):\n    return 'left'\n")
    position = z.game("tictactoe").start()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", z.PlainPythonWarning)
        with pytest.raises(SearchError, match="returned 'left': it must return a value, or a value and a move"):
            z.player(f'"{file}:f"').think(position)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("node.is_ovr", "Node has no 'is_ovr'; did you mean is_over\\?"),
        ("node.childern()", "Node has no 'childern'; did you mean children\\?"),
        ("node.moves()[0].cod", "Move has no 'cod'; did you mean code\\?"),
    ],
)
def test_a_misspelt_name_is_told_with_its_line_and_the_nearest_one(tmp_path, line, told):
    file = tmp_path / "wrong.py"
    file.write_text(f"import zermelo as z\n\n@z.search\ndef f(node, depth):\n    {line}\n    return node.value\n")
    with pytest.raises(SearchError, match=f"wrong.py:5: .*\n.*{told}"):
        z.player(f'search(function="{file}:f", depth=1)').think(z.game("tictactoe").start())


def test_names_are_found_without_running_the_file():
    assert "negamax" in names_in(FILE.read_text(), "search")
    assert "max_value" not in names_in(FILE.read_text(), "search")
    with pytest.raises(PlayerError, match="say which one"):
        z.player("search")


NAMED = """
import zermelo as z


@z.search(weights={weights})
def weighed(node, depth, w):
    if node.is_over or depth == 0:
        return helped(w)
    return max(-weighed(child, depth - 1, w) for child in node.children())


def helped(w):
    return w.wide + 2 * w.deep
"""


@pytest.mark.parametrize(
    ("weights", "value"), [({"wide": 1.0, "deep": 10.0}, 21), ({"deep": 10.0, "wide": 1.0}, 21), ({"deep": 1.5}, None)]
)
def test_weights_have_names(tmp_path, weights, value):
    """The same function with its weights in another order is other code."""
    (tmp_path / "named.py").write_text(NAMED.replace("{weights}", repr(weights)))
    search = searches_in(tmp_path / "named.py")["weighed"]
    position = place("tictactoe", "")
    heuristic = position.game.heuristics[position.game.default_heuristic]
    if value is None:
        error = SearchError if JIT else AttributeError  # in plain Python it is the player who tells of it
        with pytest.raises(error, match="wide"):
            run_own(search, position.state, heuristic, 1)
        return
    assert run_own(search, position.state, heuristic, 1).score == -value
    assert run_own(search.with_weights(wide=2), position.state, heuristic, 2).score == 22
