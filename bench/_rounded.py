"""The tuned heuristics, rounded to whole points as in version 0.1, for matches that show what fractions are worth.

zermelo tournament run connect4 parity12_tuned bench/_rounded.py:parity12 --depth 2 --pairs 300
"""

import json
from pathlib import Path
from typing import Any

import numpy as np

import zermelo as z
from zermelo.games.connect4 import heuristics as connect4
from zermelo.games.connect4.rules import Connect4
from zermelo.games.hex import heuristics as hexes
from zermelo.games.hex.rules import Hex
from zermelo.games.onitama import heuristics as onitama
from zermelo.games.onitama.rules import Onitama
from zermelo.games.parcheckers import heuristics as parcheckers
from zermelo.games.parcheckers.rules import Parcheckers


def tuned(module: Any, name: str) -> Any:
    """The weights that are shipped beside a game."""
    path = Path(module.__file__).parent / "weights" / f"{name}_tuned.json"
    return json.loads(path.read_text(encoding="utf-8"))["weights"]


four_parity12, hex_report = connect4.parity12, hexes.report
onitama_combined, onitama_squares, parcheckers_h1 = onitama.combined, onitama.piece_square, parcheckers.h1


@z.heuristic(weights=tuned(connect4, "parity12"))
def parity12(state: Connect4, w):
    return np.rint(four_parity12(state, w))


@z.heuristic(weights=tuned(hexes, "report"))
def report(state: Hex, w):
    return np.rint(hex_report(state, w))


@z.heuristic(weights=tuned(onitama, "combined"))
def combined(state: Onitama, w):
    return np.rint(onitama_combined(state, w))


@z.heuristic(weights=tuned(onitama, "piece_square"))
def piece_square(state: Onitama, w):
    return np.rint(onitama_squares(state, w))


@z.heuristic(weights=tuned(parcheckers, "h1"))
def h1(state: Parcheckers, w):
    return np.rint(parcheckers_h1(state, w))
