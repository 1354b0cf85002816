"""Who wins a position of up to 8x8 cells: depth-first search for a proof, with prunings that only Hex allows.

Every proof comes with its *carrier*: a set of empty cells within which the winner wins, even if the loser had stones on
all other empty cells. Carriers keep the search small: if a move loses, every other move outside the carrier of that
proof loses too, because the same proof refutes it (Hayward and others, Solving 7x7 Hex, 2003).
"""

import numba
import numpy as np

from zermelo.core import ZERO, bit, count, lowest, mix, njit, without_lowest
from zermelo.games.hex import connections
from zermelo.games.hex.boards import BLACK
from zermelo.games.hex.circuit import EMPTY, STONE, WALL, add_currents, solve_band, write_equations
from zermelo.games.hex.connections import connect_across, must_play, smallest_across
from zermelo.games.hex.dead import filled, killers_of
from zermelo.games.hex.small import CELLS, EDGES, MOST_CELLS, MOST_SIZE, NEIGHBOUR, flooded, is_joined, rotated

LOST, WON, OPEN = 0, 1, 2  # for the player to move

ENTRY = np.dtype([("black", np.uint64), ("white", np.uint64), ("carrier", np.uint64), ("result", np.int64)])
TABLE_SIZE = 1 << 20  # entries of 32 bytes

OPTIONS = ["dead_cells", "connections", "proof_sharing", "symmetry", "vulnerable"]
"""The prunings. Each can be switched off without changing the results, which tests check."""

WORK = np.dtype(
    [
        ("stop", np.int64),  # set from outside to end the search
        ("nodes", np.int64),  # positions looked at
        ("limit", np.int64),  # of nodes; the search stops once it is reached
        *((option, np.int64) for option in OPTIONS),
        ("moves", np.int64, (MOST_CELLS + 1) * MOST_CELLS),  # by ply: the moves to try, best first
        ("order", np.float64, (MOST_CELLS + 1) * MOST_CELLS),
        ("ohm", np.float64, MOST_CELLS),
        ("voltage", np.float64, MOST_CELLS),
        ("matrix", np.float64, MOST_CELLS * (MOST_SIZE + 1)),
        ("current", np.float64, MOST_CELLS),  # the current through each empty cell, of both players together
        ("winning", np.uint64),  # moves at the root that are proven to win
        ("losing", np.uint64),  # moves at the root that are proven to lose
        *connections.fields(words=1, cells=MOST_CELLS, room=12, queue=4096),
    ],
    align=True,
)
WORK_TYPE = numba.from_dtype(WORK)
TABLE_TYPE = numba.from_dtype(ENTRY)[::1]


# ------------------------------------------------------------------------------------------ the table


@njit
def place_of(work, black, white, turn, size):
    """The place of a position in the table, and whether it is stored turned by 180 degrees."""
    turned_black, turned_white = rotated(black, size), rotated(white, size)
    turned = turned_black < black or (turned_black == black and turned_white < white)
    if turned and work.symmetry:
        black, white = turned_black, turned_white
    else:
        turned = False
    key = mix(black ^ mix(white ^ np.uint64(turn + 1)))
    return np.int64(key & np.uint64(TABLE_SIZE - 1)), black, white, turned


@njit
def recall(work, table, black, white, turn, size):
    """The result stored for a position and the carrier of its proof; OPEN if there is none."""
    place, black, white, turned = place_of(work, black, white, turn, size)
    entry = table[place]
    if entry.black == black and entry.white == white and entry.result >> 1 == turn + 1:
        carrier = rotated(entry.carrier, size) if turned else entry.carrier
        return entry.result & 1, carrier
    return OPEN, ZERO


@njit
def note(work, table, black, white, turn, size, result, carrier):
    place, black, white, turned = place_of(work, black, white, turn, size)
    entry = table[place]
    entry.black = black
    entry.white = white
    entry.carrier = rotated(carrier, size) if turned else carrier
    entry.result = (turn + 1) << 1 | result


# ------------------------------------------------------------------------------------------ one position


@njit
def judge(work, table, black, white, turn, size):
    """Judge a position without a search.

    Return WON, LOST or OPEN for the player to move; the carrier of the proof or, if it is open, the carrier of the
    proofs that moves outside the must-play region lose; that region; and both boards, filled in.
    """
    work.nodes += 1
    if work.nodes >= work.limit:
        work.stop = 1
    first_black, first_white = black, white
    if work.dead_cells:
        black, white = filled(black, white, size)
    mine, theirs = (black, white) if turn == BLACK else (white, black)
    if is_joined(mine, turn, size):
        result, carrier = WON, ZERO
    elif is_joined(theirs, 1 - turn, size):
        result, carrier = LOST, ZERO
    else:
        result, carrier = recall(work, table, black, white, turn, size)
    region = CELLS[size] & ~(black | white)
    if result == OPEN and work.connections:
        result, carrier, region = look_for_connections(work, mine, theirs, turn, size)
    if result != OPEN:
        carrier |= fill_of_winner(result, turn, first_black, first_white, black, white)
    return result, carrier, region, black, white


@njit
def look_for_connections(work, mine, theirs, turn, size):
    """The same as judge, but with virtual connections only."""
    found, carrier = connect_across(work, (mine,), (theirs,), turn, size)
    if found:
        return WON, carrier[0], ZERO
    if work.across_number > 0:
        return WON, smallest_across(work, carrier)[0], ZERO
    found, carrier = connect_across(work, (theirs,), (mine,), 1 - turn, size)
    if found:
        return LOST, carrier[0], ZERO
    region, needed = must_play(work, (work.free[0],))
    return OPEN, needed[0], region[0]


@njit
def fill_of_winner(result, turn, first_black, first_white, black, white):
    """The cells that were filled in for the winner. A proof needs them, since they had to be captured.

    A proof does not need the cells filled in for the loser: it holds even if they are the loser's stones.
    """
    black_wins = (result == WON) == (turn == BLACK)
    return black & ~first_black if black_wins else white & ~first_white


# ------------------------------------------------------------------------------------------ the order of moves


@njit
def measure_currents(work, black, white, size):
    """Write to work.current the current of both players through each empty cell, with the board as a circuit."""
    ohm, voltage, matrix = work.ohm, work.voltage, work.matrix
    free = CELLS[size] & ~(black | white)
    for cell in range(size * size):
        work.current[cell] = 0.0
    for player in range(2):
        mine = black if player == BLACK else white
        reached = flooded(EDGES[0, player, size], mine | free, size)
        for cell in range(size * size):
            own_cell = bit(cell if player == BLACK else cell % size * size + cell // size)
            ohm[cell] = (STONE if mine & own_cell else EMPTY) if reached & own_cell else WALL
        write_equations(ohm, size, matrix, voltage)
        solve_band(size, matrix, voltage)
        add_currents(ohm, size, player, voltage, work.current)


@njit
def insert_move(work, first, end, move, order):
    """Sort a move into work.moves[first:end], the smallest order first."""
    at = end
    while at > first and work.order[at - 1] > order:
        work.moves[at] = work.moves[at - 1]
        work.order[at] = work.order[at - 1]
        at -= 1
    work.moves[at] = move
    work.order[at] = order


@njit
def without_vulnerable(black, white, turn, size, region):
    """The region without vulnerable cells, and the cells that prove that they need not be tried.

    A cell is vulnerable if the opponent can kill a stone there by a single stone next to it. A player who moves there
    has in effect passed, while the opponent has gained a stone. So if that wins, another move wins, too; and where all
    others lose, the opponent's proofs against those also hold after the killing stone.
    """
    needed, cells = ZERO, region
    while cells:
        cell = lowest(cells)
        cells = without_lowest(cells)
        killers = killers_of(black, white, cell, size) >> (6 if turn == BLACK else 0) & 63
        if killers:
            killer = NEIGHBOUR[size, cell, lowest(np.uint64(killers))]
            needed |= bit(cell) | killer
            region &= ~bit(cell)
    return region, needed


@njit
def rank_moves(work, table, black, white, turn, size, region, first, every):
    """Judge every move of the region without a search, and sort those that stay open into work.moves[first:].

    Return the end of these moves; the region without the moves now known to lose; the union of the carriers of the
    proofs against those; the moves that win; and the carrier of the last proof of a win. Without every, stop at the
    first winning move.

    The best moves leave the opponent few moves in the must-play region; after that, the current through the cell
    decides. With current alone, the opening a3 on 6x6 takes 2,300,000 nodes instead of 15,000.
    """
    end, winning, proof = first, ZERO, ZERO
    against = ZERO
    if work.vulnerable and not every:
        region, against = without_vulnerable(black, white, turn, size, region)
    measure_currents(work, black, white, size)
    by_current = first + MOST_CELLS  # the next ply's part of the array is used for the first sort
    last = by_current
    cells = region
    while cells:
        insert_move(work, by_current, last, lowest(cells), -work.current[lowest(cells)])
        last += 1
        cells = without_lowest(cells)
    for i in range(by_current, last):
        move, order = work.moves[i], work.order[i]
        stone = bit(move)
        if work.stop:
            break
        if not region & stone:
            continue
        after_black, after_white = (black | stone, white) if turn == BLACK else (black, white | stone)
        result, carrier, replies, _, _ = judge(work, table, after_black, after_white, 1 - turn, size)
        if result == LOST:
            winning |= stone
            proof = carrier | stone
            if not every:
                break
        elif result == WON:
            against |= carrier
            region &= carrier if work.proof_sharing else ~stone
        else:
            insert_move(work, first, end, move, count(replies) + order)
            end += 1
    return end, region, against, winning, proof


# ------------------------------------------------------------------------------------------ the search


@njit
def prove(work, table, first_black, first_white, turn, size, ply):
    """WON or LOST for the player to move, and the carrier of the proof. Once work.stop is set, they mean nothing."""
    # 1. Judge the position without a search.
    result, carrier, region, black, white = judge(work, table, first_black, first_white, turn, size)
    if result != OPEN:
        return result, carrier
    # 2. List the moves that matter, best first.
    first = ply * MOST_CELLS
    end, region, against, winning, proof = rank_moves(work, table, black, white, turn, size, region, first, np.int64(0))
    if work.stop:
        return OPEN, ZERO
    # 3. Search every move until one wins; a proof that one loses can rule out others too.
    result, carrier = LOST, carrier | against
    if winning:
        result, carrier = WON, proof
        end = first
    for i in range(first, end):
        stone = bit(work.moves[i])
        if not region & stone:
            continue
        after_black, after_white = (black | stone, white) if turn == BLACK else (black, white | stone)
        reply, proof = prove(work, table, after_black, after_white, 1 - turn, size, ply + 1)
        if work.stop:
            return OPEN, ZERO
        if reply == LOST:
            result, carrier = WON, proof | stone
            break
        carrier |= proof
        region &= proof if work.proof_sharing else ~stone
    # 4. Store the result.
    note(work, table, black, white, turn, size, result, carrier)
    return result, carrier | fill_of_winner(result, turn, first_black, first_white, black, white)


@njit
def prove_moves(work, table, black, white, turn, size, every):
    """Find one winning move, or every one; write work.winning and work.losing until work.stop is set.

    Dead and captured cells are not filled in at the root, so that moves to them are judged as well.
    """
    ply = np.int64(0)  # with a plain 0, everything below would be compiled once more
    mine, theirs = (black, white) if turn == BLACK else (white, black)
    free = CELLS[size] & ~(black | white)
    region = free
    if work.connections:
        found, _ = connect_across(work, (theirs,), (mine,), 1 - turn, size)
        region = ZERO if found else must_play(work, (free,))[0][0]
    end, region, _, winning, _ = rank_moves(work, table, black, white, turn, size, region, ply, every)
    work.winning, work.losing = winning, free & ~region
    for i in range(end):
        stone = bit(work.moves[i])
        if work.losing & stone:
            continue
        if (work.winning and not every) or work.stop:
            return
        after_black, after_white = (black | stone, white) if turn == BLACK else (black, white | stone)
        reply, proof = prove(work, table, after_black, after_white, 1 - turn, size, ply + 1)
        if work.stop:
            return
        if reply == LOST:
            work.winning |= stone
        else:
            work.losing |= free & ~proof if work.proof_sharing else stone
