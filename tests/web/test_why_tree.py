"""The tree that the page walks through is that of the real search."""

import pytest
from tests.conftest import dose

from zermelo.errors import ZermeloError
from zermelo.games import find_game
from zermelo.players import find_player
from zermelo.web.why_tree import MOST_NODES, check_tree, explore


def explored(game, player, position="-"):
    found = find_game(game)
    return explore(found.position(position), find_player(player, found))


def names(tree, nodes):
    return [tree.texts[tree.name[node]] for node in nodes]


def test_what_is_cut_and_why_as_worked_out_in_the_report():
    """The Reversi report works the course's tree out by hand: H and P are cut, and D is best with 5."""
    tree = explored("tree/course", "alphabeta(depth=64)")
    assert names(tree, [node for node, fate in enumerate(tree.fate) if fate]) == ["H", "P"]
    assert sorted(tree.reasons.values()) == [
        "cut: MAX gets 6 here, and MIN has 5 elsewhere (6 >= 5)",
        "cut: MIN gets 2 here, and MAX has 3 elsewhere (2 <= 3)",
    ]
    assert (tree.best, tree.value, tree.visited, tree.cutoffs) == ("D", "5", 14, 2)
    assert names(tree, tree.line) == ["A", "D", "I"]


@pytest.mark.parametrize("options", ["", ", order=centre", ", tolerance=3", ", top_moves=3"])
def test_a_nodes_window_is_what_its_elder_sibling_left(options):
    depth = dose(4, 2)
    tree = explored("connect4", f"alphabeta(depth={depth}, heuristic=lines2{options})", "4443")
    last = {}
    checked = 0
    for node in range(1, len(tree.parent)):
        if tree.fate[node]:
            continue
        elder = last.get(tree.parent[node])
        if elder is not None:
            assert (tree.low[node], tree.high[node]) == (tree.low_after[elder], tree.high_after[elder])
            checked += 1
        last[tree.parent[node]] = node
    assert checked > dose(10, 3)


def test_it_counts_what_the_search_counts():
    player = f"alphabeta(depth={dose(4, 2)}, heuristic=lines2)"
    tree = explored("connect4", player, "44")
    found = find_player(player).search(find_game("connect4").position("44"))
    assert tree.visited == found.nodes == tree.fate.count(0)
    assert (tree.evaluated, tree.cutoffs) == (found.evaluated, found.cutoffs)
    plain = explored("connect4", player.replace("alphabeta", "minimax"), "44")
    assert plain.value == tree.value
    assert plain.visited > tree.visited and plain.fate.count(0) == len(plain.fate)


def test_the_top_moves_leave_the_others_out():
    tree = explored("connect4", "alphabeta(depth=1, top_moves=2, heuristic=centre)")
    assert tree.fate.count(3) == 5 and tree.fate.count(0) == 3
    assert list(tree.reasons.values()) == ["left out: not among the best 2"]


@pytest.mark.skipif(dose(0, 1), reason="20 000 nodes of plain Python")
def test_too_large_a_tree_is_refused_in_words():
    assert explored("connect4", "minimax(depth=5)").visited == 19_608 < MOST_NODES  # 1 + 7 + 49 + ... + 16807
    with pytest.raises(
        ZermeloError, match="the tree has more than 20000 nodes, too many to record; choose a smaller depth"
    ):
        explored("connect4", "minimax(depth=9)")


def test_a_written_tree_that_cannot_be_drawn_is_refused():
    chain = "\n".join(f'n{i} = ["n{i + 1}"]' for i in range(80))
    with pytest.raises(ZermeloError, match="the tree is 80 plies deep; the page can show at most 60"):
        check_tree(find_game("tree", toml=f"[children]\n{chain}\n[scores]\nn80 = 1"))
    check_tree(find_game("connect4"))
