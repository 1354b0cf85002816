"""Table 1 of seed 001, to be played again by `zermelo study ninjas`: its strategies against three ninjas."""

from zermelo.language import marked

STRATEGIES = {  # the rows of the seed's table, in its order; the names of our players
    "AlphaBetaH2": "seed1",
    "AlphaBetaH1": "seed2",
    "PodaProbH2": "seed3",
    "OrdenacionH2": "seed4",
    "OrdenacionH1yH2": "seed5",
    "PodaProbH1": "seed6",
}
OPPONENTS = ("ninja1", "ninja2", "ninja3")
DIRECT = {"h2_against_h1": ("AlphaBetaH2", "AlphaBetaH1")}
HEADING = marked("Parcheckers: score against the ninjas over {number} starts, both sides")
