"""What a model may see of a Reversi position: the terms of the Reversi report, mine and theirs apart."""

from zermelo.core import count
from zermelo.evaluation.features import features
from zermelo.games.reversi.heuristics import corner_counts, exposure_counts, move_counts, piece_counts, zone
from zermelo.games.reversi.rules import Reversi, ReversiBoard, board
from zermelo.games.reversi.stability import stable_discs

ZONES = tuple(f"{'abcd'[far]}{near + 1}" for far in range(4) for near in range(far + 1))


@features(
    *(
        f"{what}_{side}"
        for what in ("pieces", "moves", "corners", "exposures", "stable")
        for side in ("mine", "theirs")
    ),
    "empty",
    "odd",
)
def terms(state: Reversi | ReversiBoard, out):
    """The terms of the report (discs, possible moves, corners, frontier), safe discs, and empty squares."""
    out[0], out[1] = piece_counts(state)
    out[2], out[3] = move_counts(state)
    out[4], out[5] = corner_counts(state)
    out[6], out[7] = exposure_counts(state)
    out[8] = count(stable_discs(state.mine, state.theirs, board(state)))
    out[9] = count(stable_discs(state.theirs, state.mine, board(state)))
    out[10] = count(board(state) & ~(state.mine | state.theirs))
    out[11] = int(out[10]) & 1


@features(*(f"zone_{name}_{whose}" for name in ZONES for whose in ("mine", "theirs")))
def zones(state: Reversi | ReversiBoard, out):
    """Discs in each zone of the board. A zone is named after one of its squares: a1 stands for the corners."""
    place = 0
    for far in range(4):
        for near in range(far + 1):
            squares = zone(board(state), near, far)
            out[place] = count(state.mine & squares)
            out[place + 1] = count(state.theirs & squares)
            place += 2
