"""A small class for the tests of similarity: a handout, what honest students made of it, and ways to copy."""

import ast
import random

HANDOUT = '''\
"""Write your evaluation in this file."""
import zermelo as z

SIZE = 8


def inside(row, column):
    """Is this square on the board?"""
    return 0 <= row < SIZE and 0 <= column < SIZE


def neighbours(row, column):
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            if (down, right) != (0, 0) and inside(row + down, column + right):
                yield row + down, column + right


@z.heuristic
def mine(board: z.Reversi):
    """What the position is worth for the player to move."""
    score = 0
    for row in range(board.rows):
        for column in range(board.columns):
            if board[row, column] == z.MINE:
                score += 1
            elif board[row, column] == z.THEIRS:
                score -= 1
    return score
'''

HEAD = HANDOUT[: HANDOUT.index("@z.heuristic")]

ORIGINAL = (
    HEAD
    + '''
CORNERS = ((0, 0), (0, 7), (7, 0), (7, 7))


def corner_score(board):
    """Corners can never be turned, and the squares beside an empty corner give it away."""
    total = 0
    for row, column in CORNERS:
        owner = board[row, column]
        if owner == z.MINE:
            total += 25
        elif owner == z.THEIRS:
            total -= 25
        else:
            for near_row, near_column in neighbours(row, column):
                if board[near_row, near_column] == z.MINE:
                    total -= 8
                elif board[near_row, near_column] == z.THEIRS:
                    total += 8
    return total


def frontier(board, who):
    """How many discs of a player touch an empty square."""
    number = 0
    for row in range(SIZE):
        for column in range(SIZE):
            if board[row, column] != who:
                continue
            if any(board[r, c] == z.EMPTY for r, c in neighbours(row, column)):
                number += 1
    return number


def stage(board):
    empty = len(board.empty)
    return 0 if empty > 40 else 1 if empty > 12 else 2


@z.heuristic
def mine(board: z.Reversi):
    # the weights were found by trying
    weights = ((1, -2, 5), (2, -3, 4), (8, -1, 1))[stage(board)]
    discs = len(board.mine) - len(board.theirs)
    edge = frontier(board, z.MINE) - frontier(board, z.THEIRS)
    moves = len(board.moves())
    return weights[0] * discs + weights[1] * edge + weights[2] * moves + corner_score(board)
'''
)

HONEST = {
    "carla": HEAD
    + """
TABLE = [[20, -3, 11, 8, 8, 11, -3, 20], [-3, -7, -4, 1, 1, -4, -7, -3], [11, -4, 2, 2, 2, 2, -4, 11]]


@z.heuristic
def mine(board: z.Reversi):
    value = 0
    for row in range(board.rows):
        line = TABLE[min(row, 7 - row, 2)]
        for column in range(board.columns):
            if board[row, column] == z.MINE:
                value += line[column]
            elif board[row, column] == z.THEIRS:
                value -= line[column]
    return value
""",
    "dario": HEAD
    + '''
def mobility(board):
    return len(board.moves())


def stable(board, who):
    """Discs in unbroken lines along the edges, counted from the corners."""
    found = set()
    for top in (0, 7):
        for start, step in ((0, 1), (7, -1)):
            place = start
            while 0 <= place < SIZE and board[top, place] == who:
                found.add((top, place))
                place += step
    for side in (0, 7):
        row = 0
        while row < SIZE and board[row, side] == who:
            found.add((row, side))
            row += 1
    return len(found)


@z.heuristic
def mine(board: z.Reversi):
    return 10 * (stable(board, z.MINE) - stable(board, z.THEIRS)) + 3 * mobility(board)
''',
    "elena": HEAD
    + '''
@z.heuristic
def mine(board: z.Reversi):
    """Few discs early, many late."""
    late = len(board.mine) + len(board.theirs) > 44
    difference = len(board.mine) - len(board.theirs)
    corners = z.cells("a1 a8 h1 h8")
    held = len(board.mine & corners) - len(board.theirs & corners)
    if late:
        return difference + 30 * held
    return 2 * len(board.moves()) - difference + 30 * held
''',
    "felix": HEAD
    + """
class Weights:
    def __init__(self, corner, edge, other):
        self.corner = corner
        self.edge = edge
        self.other = other

    def of(self, row, column):
        sides = (row in (0, 7)) + (column in (0, 7))
        return (self.other, self.edge, self.corner)[sides]


WEIGHTS = Weights(corner=16, edge=4, other=1)


@z.heuristic
def mine(board: z.Reversi):
    mine_total = sum(WEIGHTS.of(row, column) for row, column in board.mine)
    their_total = sum(WEIGHTS.of(row, column) for row, column in board.theirs)
    return mine_total - their_total
""",
    "gema": HANDOUT.replace("score += 1", "score += 2"),
}


# ------------------------------------------------------------------------------------------ ways to copy


def renamed(text: str) -> str:
    """The same with other names for everything that the author named, and other docstrings."""
    tree = ast.parse(text)
    own = {node.name for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    own |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    own |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    new = {name: f"{'xyzw'[i % 4]}{i}_thing" for i, name in enumerate(sorted(own))}
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            node.name = new[node.name]
            if ast.get_docstring(node):
                node.body[0] = ast.Expr(ast.Constant("Computes something else entirely."))
        elif isinstance(node, ast.Name):
            node.id = new.get(node.id, node.id)
        elif isinstance(node, ast.arg):
            node.arg = new[node.arg]
    return ast.unparse(tree)


def reordered(text: str, seed: int = 3) -> str:
    """The same with its functions in another order."""
    tree = ast.parse(text)
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    rest = [node for node in tree.body if not isinstance(node, ast.FunctionDef)]
    random.Random(seed).shuffle(functions)
    tree.body = [*rest, *functions]
    return ast.unparse(tree)


def reformatted(text: str) -> str:
    """The same with comments, blank lines, wider indentation, and lines broken inside brackets."""
    lines = []
    for line in ast.unparse(ast.parse(text)).splitlines():
        code = line.lstrip()
        wide = " " * 3 * (len(line) - len(code))
        end = "   ;" if wide and not code.endswith(":") else ""
        lines += [f"{wide}# here we go on", wide + code.replace("(", "(\n      ") + end, ""]
    return "\n".join(lines)


def retuned(text: str) -> str:
    """The same with other numbers."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, int) and not isinstance(node.value, bool):
            node.value += 3
    return ast.unparse(tree)


COPIES = {
    "renamed": renamed,
    "reordered": reordered,
    "reformatted": reformatted,
    "retuned": retuned,
    "all at once": lambda text: renamed(retuned(reordered(text))),
}
