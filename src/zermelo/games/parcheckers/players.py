"""Named players of Parcheckers, as data: the seven of the Parcheckers report, and three built-in opponents.

The report's players (ids 0 to 6 of its table 1) use alpha-beta to depth 8 within 3,500,000 nodes a move, generated plus
evaluated. Its ninjas played on a server of the course and are not public; these three are ours. They are deterministic;
each knows more than the one before and looks further ahead. docs/games/parcheckers.md has the scores between them.
"""

PLAYERS = {
    "report0": "alphabeta(depth=8, heuristic=test, nodes=3500000)",
    "report1": "alphabeta(depth=8, heuristic=h2, nodes=3500000)",
    "report2": "alphabeta(depth=8, heuristic=h1, nodes=3500000)",
    "report3": "alphabeta(depth=8, heuristic=h2, tolerance=5, nodes=3500000)",
    "report4": "alphabeta(depth=8, heuristic=h2, order=order, order_plies=2, nodes=3500000)",
    "report5": "alphabeta(depth=8, heuristic=h1, order=h2, order_plies=2, nodes=3500000)",
    "report6": "alphabeta(depth=8, heuristic=h1, tolerance=5, nodes=3500000)",
    "ninja1": "alphabeta(depth=2, heuristic=race)",
    "ninja2": "alphabeta(depth=4, heuristic=threats)",
    "ninja3": "alphabeta(depth=10, heuristic=combined, order=combined, order_plies=8, nodes=3500000)",
}

ABOUT = {
    "report0": "AlphaBeta: the course's own heuristic",
    "report1": "AlphaBetaH2: the report's best heuristic",
    "report2": "AlphaBetaH1: its first heuristic",
    "report3": "PodaProbH2: h2, and cuts when the window is narrower than 5",
    "report4": "OrdenacionH2: h2, the first two plies sorted by the report's ordering heuristic",
    "report5": "OrdenacionH1yH2: h1, the first two plies sorted by h2",
    "report6": "PodaProbH1: h1, and cuts when the window is narrower than 5",
    "ninja1": "runs: knows squares to go, home and goal, looks two plies ahead",
    "ninja2": "hunts: also knows what the dice of both sides can capture, looks four plies ahead",
    "ninja3": "plans: also knows the worth of each die, exact finishes and second turns, looks ten plies ahead",
}
