"""A trace is the tree of the real search."""

import json
from xml.etree import ElementTree

import pytest

from conftest import dose
from zermelo.errors import PlayerError, PositionError, ZermeloError
from zermelo.games import find_game, game_names
from zermelo.players import AlphaBetaPlayer, MinimaxPlayer, OwnSearchPlayer, RandomPlayer
from zermelo.position import random_playout
from zermelo.scores import Score
from zermelo.searches.own.search import search
from zermelo.searches.recording import CUT, DROPPED, TOLERATED
from zermelo.tracing import trace_search

COURSE = """\
A: [-inf, inf]
  B: [-inf, inf]
    E = 4
  B: [-inf, 4]
    F = 3
  B = 3
A: [3, inf]
  C: [3, inf]
    G: [3, inf]
      K = 2
      L = 1
    G = 2
  C: H cut: MIN gets 2 here, and MAX has 3 elsewhere (2 <= 3)
  C = 2
  D: [3, inf]
    I = 5
  D: [3, 5]
    J: [3, 5]
      M = 4
    J: [4, 5]
      N = 2
      O = 6
    J: P cut: MAX gets 6 here, and MIN has 5 elsewhere (6 >= 5)
    J = 6
  D = 5
A = 5
best D, value 5; 14 nodes, 0 evaluated, 2 cut-offs"""  # followed by hand on the tree of the Reversi report


def walk(step):
    yield step
    for child in step.children:
        yield from walk(child)


def test_the_course_tree_is_traced_as_by_hand():
    assert str(trace_search(find_game("tree/course").start(), AlphaBetaPlayer(depth=10))) == COURSE


@pytest.mark.parametrize("name", game_names())
@pytest.mark.parametrize(
    "player",
    [
        MinimaxPlayer(depth=2),
        AlphaBetaPlayer(depth=3),
        AlphaBetaPlayer(depth=3, tolerance=4),
        AlphaBetaPlayer(depth=2, top_moves=2),
    ],
    ids=["minimax", "alphabeta", "tolerance", "top_moves"],
)
def test_the_trace_has_every_node_of_the_search(name, player):
    game = find_game("hex(size=4)" if name == "hex" else name)  # 121 moves a ply make too large a tree
    length = len(random_playout(game.start(), 3).path)
    position = random_playout(game.start(), 3, length // 2)
    plain, traced = player.search(position), trace_search(position, player)
    steps = list(walk(traced.root))
    visited = [step for step in steps if step.position is not None]
    assert len(visited) == plain.nodes == traced.found.nodes
    assert Score.of_units(traced.root.node.value) == plain.score
    assert traced.found.cutoffs == plain.cutoffs
    for step in visited:
        names = {child.name for child in step.children}
        if step.children:
            assert len(step.children) == len(step.position.moves), "every legal move is visited or accounted for"
            assert len(names) == len(step.children)
    fates = {step.node.fate for step in steps if step.position is None}
    allowed = {CUT}
    if isinstance(player, AlphaBetaPlayer) and player.tolerance:
        allowed.add(TOLERATED)
    if isinstance(player, AlphaBetaPlayer) and player.top_moves:
        allowed.add(DROPPED)
    assert fates <= allowed
    assert not (isinstance(player, MinimaxPlayer) and fates)
    json.dumps(traced.to_dict())
    assert str(traced).count("\n") >= len(visited) - 1


def test_the_picture_shows_windows_values_and_cut_branches():
    picture = trace_search(find_game("tree/course").start(), AlphaBetaPlayer(depth=10)).svg()
    ElementTree.fromstring(picture)
    assert "[3, inf]" in picture
    assert "= 5" in picture
    assert picture.count("stroke-dasharray") == 2, "two branches are cut"


def test_what_cannot_be_traced_is_refused():
    start = find_game("connect4").start()
    with pytest.raises(PlayerError, match="only minimax and alphabeta"):
        trace_search(start, RandomPlayer(1))
    with pytest.raises(PositionError, match="over"):
        trace_search(find_game("connect4").position("1212121"), AlphaBetaPlayer())
    if dose(1, 0):
        with pytest.raises(ZermeloError, match="too many to record"):
            trace_search(start, MinimaxPlayer(depth=7))
        with pytest.raises(PositionError, match="too many to draw"):
            trace_search(start, MinimaxPlayer(depth=4)).svg()


@search
def first_only(node, depth, alpha, beta):
    if node.is_over or depth == 0:
        return node.value
    for child in node.children():
        return -first_only(child, depth - 1, -beta, -alpha)
    return 0


def test_what_a_users_search_leaves_out_without_a_reason_is_told():
    """A search that returns inside its loop: nothing was cut there, and the trace does not pretend so."""
    traced = trace_search(find_game("tree/course").start(), OwnSearchPlayer(depth=2, function=first_only))
    assert traced.has_windows and "cut:" not in str(traced)
    assert "A: C, D left out, although the window [-inf, inf] is still open" in str(traced)
