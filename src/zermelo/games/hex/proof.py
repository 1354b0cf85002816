"""Who wins a position of up to 8x8 cells: a search for a proof, with prunings that only Hex allows.

Every proof comes with its *carrier*: a set of empty cells within which the winner wins, even if the loser had stones on
all other empty cells. Carriers keep the search small: if a move loses, every other move outside the carrier of that
proof loses too, because the same proof refutes it (Hayward and others, Solving 7x7 Hex, 2003).

Where to search next is decided by proof numbers, depth-first (df-pn; Nagai 2002): `success` says how many positions, at
least, must still be shown to be won or lost in order to prove that the player to move wins, `failure` the same for
losing. 0 means proven, INFINITE disproven. Only the better part of the moves is looked at until one of them is refuted
(focused df-pn; Henderson, Playing and Solving the Game of Hex, 2010).
"""

import numba
import numpy as np

from zermelo.core import ZERO, bit, count, lowest, mix, njit, without_lowest
from zermelo.games.hex import connections
from zermelo.games.hex.boards import BLACK
from zermelo.games.hex.circuit import EMPTY, STONE, WALL, add_currents, solve_band, write_equations
from zermelo.games.hex.connections import connect_across, must_play
from zermelo.games.hex.dead import filled, killers_of
from zermelo.games.hex.small import CELLS, EDGES, MOST_CELLS, MOST_SIZE, NEIGHBOUR, flooded, is_joined, rotated

INFINITE = np.int64(1 << 30)
OPEN = np.int64(1)
PROVEN, REFUTED = (np.int64(0), INFINITE), (INFINITE, np.int64(0))

ENTRY = np.dtype(
    [
        ("black", np.uint64),
        ("white", np.uint64),
        ("carrier", np.uint64),  # of the proof or, in an open position, of the proofs that rule out moves
        ("region", np.uint64),  # in an open position, the moves that are not ruled out
        ("success", np.int32),
        ("failure", np.int32),
        ("turn", np.int32),  # the player to move, plus 1; 0: the entry is free
        ("spent", np.int32),  # positions looked at to find this out
    ]
)
TABLE_SIZE = 1 << 20  # entries of 48 bytes
BUCKET = 4  # number of entries in which a position may be stored

OPTIONS = ["dead_cells", "connections", "proof_sharing", "symmetry", "vulnerable"]
"""The prunings. Each can be switched off without changing the results, which tests check."""

WORK = np.dtype(
    [
        ("stop", np.int64),  # set from outside to end the search
        ("nodes", np.int64),  # positions in which connections were looked for
        ("limit", np.int64),  # of nodes; the search stops once it is reached
        *((option, np.int64) for option in OPTIONS),
        ("moves", np.int64, (MOST_CELLS + 1) * MOST_CELLS),  # by ply: the moves to try, from the best on
        ("order", np.float64, (MOST_CELLS + 1) * MOST_CELLS),
        ("success", np.int64, (MOST_CELLS + 1) * MOST_CELLS),  # for each move, what is left to prove that it wins
        ("failure", np.int64, (MOST_CELLS + 1) * MOST_CELLS),  # and that it loses
        ("ohm", np.float64, MOST_CELLS),
        ("voltage", np.float64, MOST_CELLS),
        ("matrix", np.float64, MOST_CELLS * (MOST_SIZE + 1)),
        ("current", np.float64, MOST_CELLS),  # the current through each empty cell, of both players together
        ("winning", np.uint64),  # moves at the root that are proven to win
        ("losing", np.uint64),  # moves at the root that are proven to lose
        *connections.fields(words=1, cells=MOST_CELLS, room=16, queue=4096),
    ],
    align=True,
)
WORK_TYPE = numba.from_dtype(WORK)
TABLE_TYPE = numba.from_dtype(ENTRY)[::1]


# ------------------------------------------------------------------------------------------ the table


@njit
def place_of(work, table, black, white, turn, size):
    """Where a position may stand in the table, as the first entry of its bucket, and how it is stored: its boards, and
    whether they are turned by 180 degrees."""
    turned_black, turned_white = rotated(black, size), rotated(white, size)
    turned = turned_black < black or (turned_black == black and turned_white < white)
    if turned and work.symmetry:
        black, white = turned_black, turned_white
    else:
        turned = False
    key = mix(black ^ mix(white ^ np.uint64(turn + 1)))
    return np.int64(key & np.uint64(len(table) - 1)) & ~(BUCKET - 1), black, white, turned


@njit
def holds(entry, black, white, turn):
    return entry.black == black and entry.white == white and entry.turn == turn + 1


@njit
def recall(work, table, black, white, turn, size):
    """The entry of a position, or -1, and whether the position is stored turned."""
    first, black, white, turned = place_of(work, table, black, white, turn, size)
    for at in range(first, first + BUCKET):
        if holds(table[at], black, white, turn):
            return np.int64(at), turned
    return np.int64(-1), turned


@njit
def note(work, table, black, white, turn, size, success, failure, carrier, region, spent):
    """Store a position over its own earlier entry, or over the entry in its bucket that cost least."""
    first, black, white, turned = place_of(work, table, black, white, turn, size)
    place = first
    for at in range(first, first + BUCKET):
        if holds(table[at], black, white, turn):
            place = at
            spent += table[at].spent
            break
        if table[at].spent < table[place].spent:
            place = at
    entry = table[place]
    entry.black, entry.white, entry.turn = black, white, turn + 1
    entry.carrier = rotated(carrier, size) if turned else carrier
    entry.region = rotated(region, size) if turned else region
    entry.success, entry.failure, entry.spent = success, failure, min(spent, INFINITE)


# ------------------------------------------------------------------------------------------ one position


@njit
def judge(work, table, first_black, first_white, turn, size):
    """What is known about a position without a search: from the table or, if it is new, from virtual connections.

    Return its numbers; the carrier of the proof or, if it is open, of the proofs that moves outside the region lose;
    that region; both boards, filled in; and the cells that were captured for each player, which a proof for that
    player needs.
    """
    black, white, dead = first_black, first_white, ZERO
    if work.dead_cells:
        black, white, dead = filled(black, white, size)
    captured = black & ~first_black & ~dead, white & ~first_white
    mine, theirs = (black, white) if turn == BLACK else (white, black)
    carrier, region = ZERO, CELLS[size] & ~(black | white)
    if is_joined(mine, turn, size):
        success, failure = PROVEN
    elif is_joined(theirs, 1 - turn, size):
        success, failure = REFUTED
    else:
        place, turned = recall(work, table, black, white, turn, size)
        if place >= 0:
            entry = table[place]
            success, failure = np.int64(entry.success), np.int64(entry.failure)
            carrier = rotated(entry.carrier, size) if turned else entry.carrier
            region = rotated(entry.region, size) if turned else entry.region
        else:
            is_lost, carrier, region = look_for_connections(work, black, white, turn, size, region)
            success, failure = REFUTED
            if not is_lost:
                success, failure = np.int64(1), np.int64(count(region))
                note(work, table, black, white, turn, size, success, failure, carrier, region, 1)
    if success == 0 or failure == 0:
        carrier |= captured[turn if success == 0 else 1 - turn]
    return success, failure, carrier, region, black, white, captured


@njit
def look_for_connections(work, black, white, turn, size, region):
    """Whether the player to move has lost, by the opponent's virtual connections and vulnerable cells; the carrier of
    the proofs; and the region of the moves that are not ruled out.

    The player's own connections are not looked for: they would have been seen before the opponent's last move, which
    had to break them. (It happens, since not all connections are kept, but in fewer than one position of a hundred,
    and doubles the time.)
    """
    work.nodes += 1
    if work.nodes >= work.limit:
        work.stop = 1
    mine, theirs = (black, white) if turn == BLACK else (white, black)
    needed = ZERO
    if work.connections:
        found, carrier = connect_across(work, (theirs,), (mine,), 1 - turn, size)
        if found:
            return True, carrier[0], ZERO
        (region,), (needed,) = must_play(work, (region,))
    if work.vulnerable:
        region, more = without_vulnerable(black, white, turn, size, region)
        needed |= more
    return region == ZERO, needed, region


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
def sort_by_current(work, black, white, size, region, first):
    """Write the moves of the region to work.moves[first:], those first through which most current flows, and return
    their end."""
    measure_currents(work, black, white, size)
    end = first
    while region:
        insert_move(work, first, end, lowest(region), -work.current[lowest(region)])
        end += 1
        region = without_lowest(region)
    return end


@njit
def sort_by_success(work, region, first, end):
    """Leave out the moves that are no longer in the region, and sort the others: what is nearest to success comes
    first. Return their end."""
    kept = first
    for i in range(first, end):
        move, success, failure = work.moves[i], work.success[i], work.failure[i]
        if region & bit(move):
            at = kept
            while at > first and work.success[at - 1] > success:
                work.moves[at] = work.moves[at - 1]
                work.success[at] = work.success[at - 1]
                work.failure[at] = work.failure[at - 1]
                at -= 1
            work.moves[at], work.success[at], work.failure[at] = move, success, failure
            kept += 1
    return kept


@njit
def after(black, white, turn, stone):
    return (black | stone, white) if turn == BLACK else (black, white | stone)


# ------------------------------------------------------------------------------------------ the search


@njit
def judge_moves(work, table, black, white, turn, size, region, carrier, first):
    """Judge every move of the region without a search, and write those that stay open to work.moves[first:].

    Return their end; what is left of the region; a move that wins, or no cell; and the carrier of that proof or of all
    proofs that rule out moves.
    """
    kept, end = first, sort_by_current(work, black, white, size, region, first)
    for i in range(first, end):
        stone = bit(work.moves[i])
        if work.stop:
            break
        if not region & stone:
            continue
        next_black, next_white = after(black, white, turn, stone)
        success, failure, proof, _, _, _, _ = judge(work, table, next_black, next_white, 1 - turn, size)
        if failure == 0:
            return kept, region, stone, proof | stone
        if success == 0:
            carrier |= proof
            region &= proof if work.proof_sharing else ~stone
        else:
            work.moves[kept], work.success[kept], work.failure[kept] = work.moves[i], failure, success
            kept += 1
    return kept, region, ZERO, carrier


@njit
def prove(work, table, first_black, first_white, turn, size, ply, most_success, most_failure):
    """Search a position until one of its numbers reaches its limit.

    Return both numbers and, if one is 0, the carrier of the proof. Once work.stop is set, the position may stay open
    below its limits. At ply 0, write work.winning and work.losing, too.
    """
    # 1. What is known without a search. At the root nothing is filled in, so that all moves are judged.
    began, first = work.nodes, ply * MOST_CELLS
    if ply > 0:
        success, failure, carrier, region, black, white, captured = judge(
            work, table, first_black, first_white, turn, size
        )
        if success == 0 or failure == 0:
            return success, failure, carrier
    else:
        success, failure, carrier, black, white, captured = OPEN, OPEN, ZERO, first_black, first_white, (ZERO, ZERO)
        region = must_play_region(work, black, white, turn, size)
    end, region, stone, carrier = judge_moves(work, table, black, white, turn, size, region, carrier, first)
    while not stone and not work.stop:
        # 2. The player wins if one move wins, and loses if all moves lose.
        end = sort_by_success(work, region, first, end)
        if end == first:
            success, failure = REFUTED
            break
        width = min(end - first, 1 + (end - first + 3) // 4)
        success, failure = work.success[first], np.int64(0)
        for i in range(first, first + width):
            failure += work.failure[i]
        failure = min(failure, INFINITE - 1)
        if success >= most_success or failure >= most_failure:
            break
        # 3. Search the best move until it is clearly behind the second one, so that the search does not go to and fro.
        second = work.success[first + 1] if width > 1 else INFINITE
        move = bit(work.moves[first])
        next_black, next_white = after(black, white, turn, move)
        their_most_success = most_failure - (failure - work.failure[first])
        their_most_failure = min(most_success, second + second // 4 + 1)
        their_success, their_failure, proof = prove(
            work, table, next_black, next_white, 1 - turn, size, ply + 1, their_most_success, their_most_failure
        )
        # 4. A proof that it loses can rule out others, too.
        if their_failure == 0:
            stone, carrier = move, proof | move
        elif their_success == 0:
            carrier |= proof
            region &= proof if work.proof_sharing else ~move
        else:
            work.success[first], work.failure[first] = their_failure, their_success
    # 5. Store the result.
    if stone:
        success, failure = PROVEN
    note(work, table, black, white, turn, size, success, failure, carrier, region, work.nodes - began)
    if ply == 0:
        work.winning, work.losing = stone, CELLS[size] & ~(black | white | region)
    if success == 0 or failure == 0:
        carrier |= captured[turn if success == 0 else 1 - turn]
    return success, failure, carrier


@njit
def must_play_region(work, black, white, turn, size):
    """The moves at the root that the opponent's virtual connections do not rule out."""
    mine, theirs = (black, white) if turn == BLACK else (white, black)
    free = CELLS[size] & ~(black | white)
    if not work.connections:
        return free
    found, _ = connect_across(work, (theirs,), (mine,), 1 - turn, size)
    return ZERO if found else must_play(work, (free,))[0][0]


@njit
def prove_moves(work, table, black, white, turn, size, every):
    """Find one winning move, or every one; write work.winning and work.losing until work.stop is set."""
    first = np.int64(0)  # with a plain 0, everything below would be compiled once more
    if not every:
        prove(work, table, black, white, turn, size, first, INFINITE, INFINITE)
        return
    free = CELLS[size] & ~(black | white)
    region = must_play_region(work, black, white, turn, size)
    work.winning, work.losing = ZERO, free & ~region
    for i in range(first, sort_by_current(work, black, white, size, region, first)):
        stone = bit(work.moves[i])
        if work.losing & stone:
            continue
        next_black, next_white = after(black, white, turn, stone)
        success, failure, proof = prove(
            work, table, next_black, next_white, 1 - turn, size, first + 1, INFINITE, INFINITE
        )
        if failure == 0:
            work.winning |= stone
        elif success == 0:
            work.losing |= free & ~proof if work.proof_sharing else stone
        if work.stop:
            return
