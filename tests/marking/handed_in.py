"""Ten made-up submissions for one assignment, right and wrong, and two heuristics."""

HEAD = "import zermelo as z\n\n\n"

PERFECT = f"""{HEAD}@z.search
def my_alphabeta(node, depth, alpha, beta):
    if node.is_over or depth == 0:
        return node.value
    best = float("-inf")
    for child in sorted(node.children(), key=lambda child: child.value):
        best = max(best, -my_alphabeta(child, depth - 1, -beta, -alpha))
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best
"""

UNORDERED = PERFECT.replace("sorted(node.children(), key=lambda child: child.value)", "node.children()")

MINIMAX = f"""{HEAD}@z.search
def my_minimax(node, depth):
    if node.is_over or depth == 0:
        return node.value
    return max(-my_minimax(child, depth - 1) for child in node.children())
"""

SWAPPED = f"""{HEAD}@z.search
def my_alphabeta(node, depth, alpha, beta):
    if node.is_over or depth == 0:
        return node.value
    for child in node.children():
        alpha = max(alpha, -my_alphabeta(child, depth - 1, alpha, beta))
        if alpha >= beta:
            break
    return alpha
"""

PRINTS = UNORDERED.replace(
    "    best = float", '    print("searching", depth, alpha, beta, "." * 1000)\n    best = float'
)

READS_RUBRIC = f"""import os
from pathlib import Path

FOUND = [file for folder in (RUBRICS, Path.cwd()) for file in Path(folder).glob("*.toml")]
FOUND += [name for name in os.environ if "SECRET" in name]
assert not FOUND, f"found: {{FOUND}}"

{UNORDERED}"""

CHEATS = f"""import zermelo.searches.textbook as textbook
from zermelo.check.search_trees import value_heuristic

{HEAD}@z.search
def borrowed(node, depth):
    if node.is_over or depth == 0:
        return node.value
    return textbook.run_minimax(node.state, value_heuristic(), depth).score.number
"""

SUBMISSIONS = {
    "ana": PERFECT,
    "bruno": UNORDERED,
    "carla": MINIMAX,
    "david": SWAPPED,
    "elena": UNORDERED.replace("depth == 0", "depth <= 1"),
    "fidel": UNORDERED.replace("    best = float", "    second = node.moves()[1]\n    best = float"),
    "gema": UNORDERED.replace("    best = float", "    while depth > 1:\n        alpha = alpha + 0\n    best = float"),
    "hugo": PRINTS,
    "irene": UNORDERED.replace("return best\n", "return best]\n"),
    "jorge": READS_RUBRIC,
    "kiko": CHEATS,
}
"""By the student's name."""

RUBRIC = """\
title = "Alpha-beta"
kind = "search"
secret = 20261116
seconds = 4
game = "tictactoe"

[[group]]
title = "Right values"

[[group.item]]
check = "values"
points = 30
trees = 60

[[group.item]]
check = "moves"
points = 10
trees = 40

[[group]]
title = "Pruning"

[[group.item]]
check = "windows"
points = 10
trees = 40

[[group.item]]
check = "prunes"
points = 20
trees = 40

[[group.item]]
check = "ordering"
points = 10
trees = 10
visibility = "after_due_date"

[[group]]
title = "In a game"

[[group.item]]
check = "games"
points = 5
positions = 6

[[group.item]]
check = "quick_wins"
points = 5
depth = 2
positions = 5

[[group.item]]
check = "ends"
points = 5

[[group.item]]
check = "twice"
points = 3

[[group.item]]
check = "budget"
points = 2
nodes = 100
"""

GOOD_HEURISTIC = """import zermelo as z


@z.heuristic
def corners(board: z.TicTacToe):
    score = 0.0
    for row in range(3):
        for column in range(3):
            worth = 1 + (row != 1) + (column != 1) if row + column != 2 or row != column else 4
            if board[row, column] == z.MINE:
                score += worth
            elif board[row, column] == z.THEIRS:
                score -= worth
    return score
"""

WEAK_HEURISTIC = """import zermelo as z


@z.heuristic
def mine(board: z.TicTacToe):
    return len(board.mine)
"""

HEURISTIC_RUBRIC = """\
title = "A heuristic"
kind = "heuristic"
secret = "hidden"
game = "tictactoe"

[[group]]
title = "It works"

[[group.item]]
check = "compiles"
points = 20

[[group.item]]
check = "works"
points = 20
positions = 40

[[group.item]]
check = "signs"
points = 20
positions = 40

[[group]]
title = "Strength"

[[group.item]]
check = "beats"
rung = "random"
depth = 2
pairs = 20
confidence = 0.9
points = 40
"""
