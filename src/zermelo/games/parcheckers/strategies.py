"""Table 1 of the Parcheckers report, its strategies against three ninjas: `zermelo study ninjas` plays it again."""

from zermelo.language import marked

STRATEGIES = {  # the rows of the report's table, in its order; the names of our players
    "AlphaBetaH2": "report1",
    "AlphaBetaH1": "report2",
    "PodaProbH2": "report3",
    "OrdenacionH2": "report4",
    "OrdenacionH1yH2": "report5",
    "PodaProbH1": "report6",
}
OPPONENTS = ("ninja1", "ninja2", "ninja3")
DIRECT = {"h2_against_h1": ("AlphaBetaH2", "AlphaBetaH1")}
HEADING = marked("Parcheckers: score against the ninjas over {number} starts, both sides")
