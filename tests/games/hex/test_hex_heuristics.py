"""The heuristics of Hex against slow second programs: Dijkstra, the definitions, dense linear algebra."""

import heapq
import itertools
import math
from collections.abc import Iterator

import numpy as np
import pytest
from test_hex import around, stone_sets

from conftest import dose
from zermelo.games import find_game
from zermelo.games.hex.circuit import flow
from zermelo.games.hex.rules import set_up
from zermelo.position import Position, random_playout

Cell = tuple[int, int]
SIZES = [2, 3, 5, 8, 11]


def positions(size: int, number: int) -> Iterator[Position]:
    """Unfinished positions of random games, early and late."""
    game = find_game("hex", size=size)
    for seed in range(number):
        path = random_playout(game.start(), seed).path[:-1]
        yield path[seed % len(path)]
        yield path[-1]


def transposed(position: Position) -> Position:
    """Colours exchanged and the board mirrored: the same game with the players' names exchanged."""
    rows, side = str(position).split()
    mirrored = ("".join(column) for column in zip(*rows.split("/"), strict=True))
    return position.game.position(
        "/".join(mirrored).translate(str.maketrans("BW", "WB")) + " " + "wb"["bw".index(side)]
    )


@pytest.mark.parametrize("name", ["distance", "two_distance", "bridges", "report", "resistance"])
def test_heuristics_change_sign_with_the_mover_and_not_with_the_colours(name: str) -> None:
    for size in (3, 5, 11):
        heuristic = find_game("hex", size=size).heuristics[name]
        for position in positions(size, dose(15, 2)):
            value = heuristic(position)
            assert heuristic(transposed(position)) == value
            passed = position.game.position(str(position)[:-1] + "wb"["bw".index(str(position)[-1])])
            assert heuristic(passed) == -value


# ------------------------------------------------------------------------------------------ distance


def dijkstra(position: Position, player: int) -> int:
    size, (mine, theirs) = int(position.state.size), stone_sets(position)[:: 1 if player == 0 else -1]
    axis = 1 - player
    best: dict[Cell, int] = {}
    waiting = [(0, cell) for cell in itertools.product(range(size), repeat=2) if cell[axis] == 0]
    waiting = [(int(cell not in mine), cell) for _, cell in waiting if cell not in theirs]
    heapq.heapify(waiting)
    while waiting:
        cost, cell = heapq.heappop(waiting)
        if cell not in best:
            best[cell] = cost
            for other in around(*cell, size):
                if other not in theirs:
                    heapq.heappush(waiting, (cost + (other not in mine), other))
    return min(cost for cell, cost in best.items() if cell[axis] == size - 1)


@pytest.mark.parametrize("size", SIZES)
def test_distance_is_what_dijkstra_finds(size: int) -> None:
    heuristic = find_game("hex", size=size).heuristics["distance"]
    for position in positions(size, dose(30, 3)):
        mover = position.to_move - 1
        assert heuristic(position) == 100 * (dijkstra(position, 1 - mover) - dijkstra(position, mover))


def test_distance_begins_at_any_cell_of_the_edge() -> None:
    """The report began only at edge cells with a stone: without any, there was no distance at all."""
    game = find_game("hex", size=5)
    assert game.heuristics["distance"](game.position("...../...../..B../...../..... w")) == -100


# ------------------------------------------------------------------------------------------ two-distance


def chains_and_neighbours(mine: set[Cell], free: set[Cell], size: int) -> tuple[list[set[Cell]], dict[Cell, set[Cell]]]:
    """The chains of stones, and the neighbours of each empty cell, directly or through a chain."""
    chains: list[set[Cell]] = []
    for stone in mine:
        touching = [chain for chain in chains if any(other in chain for other in around(*stone, size))]
        chains = [chain for chain in chains if chain not in touching] + [set.union({stone}, *touching)]
    near = {cell: {other for other in around(*cell, size) if other in free} for cell in free}
    for chain in chains:
        liberties = {other for stone in chain for other in around(*stone, size) if other in free}
        for cell in liberties:
            near[cell] |= liberties - {cell}
    return chains, near


def two_distances(mine: set[Cell], free: set[Cell], size: int, axis: int, edge: int) -> dict[Cell, float]:
    """The definition, applied until nothing changes."""
    chains, near = chains_and_neighbours(mine, free, size)
    joined = [stone for chain in chains if any(cell[axis] == edge for cell in chain) for stone in chain]
    at_edge = {cell for stone in joined for cell in around(*stone, size)} | {
        cell for cell in free if cell[axis] == edge
    }
    distance = {cell: 1 if cell in at_edge else math.inf for cell in free}
    changed = True
    while changed:
        changed = False
        for cell in free:
            two = sorted(distance[other] for other in near[cell])[:2]
            if len(two) == 2 and two[1] + 1 < distance[cell]:
                distance[cell] = two[1] + 1
                changed = True
    return distance


def potential(position: Position, player: int) -> tuple[float, int]:
    size, both = int(position.state.size), stone_sets(position)
    free = set(itertools.product(range(size), repeat=2)) - both[0] - both[1]
    ways = [two_distances(both[player], free, size, 1 - player, edge) for edge in (0, size - 1)]
    totals = [ways[0][cell] + ways[1][cell] for cell in free]
    least = min(totals)
    return (2 * size, 0) if math.isinf(least) else (min(least, 2 * size), totals.count(least))


@pytest.mark.parametrize("size", SIZES)
def test_two_distance_is_queenbees(size: int) -> None:
    heuristic = find_game("hex", size=size).heuristics["two_distance"]
    for position in positions(size, dose(10, 2)):
        mover = position.to_move - 1
        (mine, my_cells), (theirs, their_cells) = potential(position, mover), potential(position, 1 - mover)
        assert heuristic(position) == 100 * (theirs - mine) + my_cells - their_cells


# ------------------------------------------------------------------------------------------ bridges


def bridges_of(position: Position, player: int) -> tuple[list[set[Cell]], list[set[Cell]]]:
    """The pairs of cells of all bridges between two stones, and of those to the edges."""
    size, both = int(position.state.size), stone_sets(position)
    free = set(itertools.product(range(size), repeat=2)) - both[0] - both[1]
    near = {stone: set(around(*stone, size)) for stone in both[player]}
    apart = [(one, other) for one, other in itertools.combinations(both[player], 2) if one not in near[other]]
    between = [near[one] & near[other] for one, other in apart]
    to_edges = [
        {cell for cell in near[stone] & free if cell[1 - player] == edge}
        for stone, edge in itertools.product(both[player], (0, size - 1))
        if stone[1 - player] != edge
    ]
    return [pair for pair in between if len(pair) == 2 and pair <= free], [pair for pair in to_edges if len(pair) == 2]


def bridge_counts(position: Position, player: int) -> tuple[int, int]:
    pairs, edges = bridges_of(position, player)
    return len(pairs), len(edges)


@pytest.mark.parametrize("size", SIZES)
def test_bridges_are_pairs_with_two_empty_common_neighbours(size: int) -> None:
    heuristic = find_game("hex", size=size).heuristics["bridges"].with_weights(bridge=100, edge=1)
    for position in positions(size, dose(30, 5)):
        mover = position.to_move - 1
        mine, theirs = bridge_counts(position, mover), bridge_counts(position, 1 - mover)
        assert heuristic(position) == 100 * (mine[0] - theirs[0]) + mine[1] - theirs[1]


def test_the_reports_mix_is_its_two_parts() -> None:
    found = find_game("hex", size=8).heuristics
    for position in positions(8, dose(10, 2)):
        parts = found["distance"](position) + found["bridges"].with_weights(bridge=20, edge=20)(position)
        assert found["report"](position) == parts


# ------------------------------------------------------------------------------------------ resistance


def exact_resistance(position: Position, player: int) -> float:
    """Chains and edges contracted to single nodes, the rest by numpy's dense solver."""
    size, both = int(position.state.size), stone_sets(position)
    mine, theirs = both[player], both[1 - player]
    free = set(itertools.product(range(size), repeat=2)) - mine - theirs
    chains, _ = chains_and_neighbours(mine, free, size)
    node: dict[Cell, int] = {}
    for number, cells in enumerate([*chains, *({cell} for cell in free)], 2):
        touched = [edge for edge in (0, 1) if cells <= mine and any(c[1 - player] == edge * (size - 1) for c in cells)]
        node |= dict.fromkeys(cells, touched[0] if touched else number)
    wires = np.zeros((max(node.values()) + 1,) * 2)
    for cell in free:
        for edge in (0, 1):
            wires[node[cell], edge] += cell[1 - player] == edge * (size - 1)
        for other in around(*cell, size):
            if other in node:
                # a wire between empty cells is met twice, once from either end
                wires[node[cell], node[other]] += 1 if other in mine else 0.25
    wires += wires.T
    leak = 1e-10 * np.eye(len(wires))  # grounds the pockets that no wire leads into
    laplacian = np.diag(wires.sum(axis=0)) - wires + leak
    voltage = np.linalg.solve(laplacian[2:, 2:], wires[2:, 0])
    flow = wires[1, 0] + wires[1, 2:] @ voltage
    return 1 / float(flow)


@pytest.mark.parametrize("size", [2, 3, 5, 8, 11])
def test_resistance_solves_kirchhoffs_laws(size: int) -> None:
    for position in positions(size, dose(15, 2)):
        for player in (0, 1):
            assert 1 / flow(position.state, player, 1.0) == pytest.approx(exact_resistance(position, player), rel=1e-6)


@pytest.mark.parametrize("size", [2, 5, 11])
def test_the_cells_of_bridges_conduct_as_stones_do(size: int) -> None:
    for position in positions(size, dose(15, 2)):
        for player in (0, 1):
            bridged = set().union(*itertools.chain(*bridges_of(position, player)))
            stones = stone_sets(position)
            stones[player] |= bridged
            black, white = ([y * size + x for x, y in cells] for cells in stones)
            with_stones = set_up(size, black, white, 0, False)
            assert flow(position.state, player, 0.0) == pytest.approx(flow(with_stones, player, 1.0), rel=1e-6)


def test_resistance_of_circuits_small_enough_to_do_by_hand() -> None:
    """On the empty 2x2 board a1 has u volt, b1 v, and by symmetry b2 has 1 - u, a2 1 - v. At a1 Kirchhoff asks
    (1 - u) + (v - u) / 2 + (1 - v - u) / 2 = 0, so u = 3/4; at b1 likewise v = 2/3; 1/4 + 1/3 ampere flow.
    """
    empty = find_game("hex", size=2).start()
    assert 1 / flow(empty.state, 0, 1.0) == pytest.approx(12 / 7)
    one_way = find_game("hex", size=3).position("W.W/W.W/W.W b")
    assert 1 / flow(one_way.state, 0, 1.0) == pytest.approx(1 + 2 + 2 + 1), "edge, two wires between cells, edge"
