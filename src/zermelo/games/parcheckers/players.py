"""Named players of Parcheckers, as data: the seven of seed 001, and three built-in opponents.

The seed's (ids 0 to 6 of its table 1) are alpha-beta to depth 8 within 3,500,000 nodes a move, generated plus
evaluated. Its ninjas played on a server of the course and are not public; these three are ours. They are deterministic,
each knows more than the one before and looks further; docs/games/parcheckers.md has the scores between them.
"""

PLAYERS = {
    "seed0": "alphabeta(depth=8, heuristic=test, nodes=3500000)",
    "seed1": "alphabeta(depth=8, heuristic=h2, nodes=3500000)",
    "seed2": "alphabeta(depth=8, heuristic=h1, nodes=3500000)",
    "seed3": "alphabeta(depth=8, heuristic=h2, tolerance=5, nodes=3500000)",
    "seed4": "alphabeta(depth=8, heuristic=h2, order=order, order_plies=2, nodes=3500000)",
    "seed5": "alphabeta(depth=8, heuristic=h1, order=h2, order_plies=2, nodes=3500000)",
    "seed6": "alphabeta(depth=8, heuristic=h1, tolerance=5, nodes=3500000)",
    "ninja1": "alphabeta(depth=2, heuristic=race)",
    "ninja2": "alphabeta(depth=4, heuristic=threats)",
    "ninja3": "alphabeta(depth=10, heuristic=combined, order=combined, order_plies=8, nodes=3500000)",
}

ABOUT = {
    "seed0": "AlphaBeta: the course's own heuristic",
    "seed1": "AlphaBetaH2: the seed's best heuristic",
    "seed2": "AlphaBetaH1: its first heuristic",
    "seed3": "PodaProbH2: h2, and cuts when the window is narrower than 5",
    "seed4": "OrdenacionH2: h2, the first two plies sorted by the seed's ordering heuristic",
    "seed5": "OrdenacionH1yH2: h1, the first two plies sorted by h2",
    "seed6": "PodaProbH1: h1, and cuts when the window is narrower than 5",
    "ninja1": "runs: knows squares to go, home and goal, looks two plies ahead",
    "ninja2": "hunts: also knows what the dice of both sides can capture, looks four plies ahead",
    "ninja3": "plans: also knows the worth of each die, exact finishes and second turns, looks ten plies ahead",
}
