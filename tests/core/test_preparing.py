"""What a student writes compiles: plain helpers, lists, dictionaries, generator expressions."""

import textwrap

import pytest

from zermelo.core.failures import plain_function
from zermelo.errors import HeuristicError
from zermelo.games import find_game, load_file

START = find_game("connect4").start()

HEAD = """
import functools
import math
import numpy as np
import helper
from helper import imported
from zermelo import heuristic, njit
from zermelo.games.connect4.rules import Connect4

WEIGHTS = [[100, -20, 3], [-20, -50, 5], [7, 8, 9]]
FRACTIONS = [1, 2.5, 3]
RAGGED = [[1, 2], [3]]
CELLS = [(0, 0), (1, 2)]
ROWS = [[0, 1], [1, 2]]
MIXED = [(1, 2), (1, 2.5)]
LINES = [(0, 1, 2, 3), (4, 5, 6, 7)]
NAMED = [("corner", 5), ("edge", 2)]
DEEP = [[(0, 0), (0, 1)], [(1, 0), (1, 1)]]
ARRAY = np.array(WEIGHTS)
VALUES = {"corner": 100, "edge": 2}
BY_NUMBER = {1: 10, -1: -10, 0: 0}
SPARSE = {1: 10, 10**9: 20}
BY_CELL = {(0, 0): 5, (1, 2): 7}
LISTS = {"a": [1, 2, 3], "b": [4, 5, 6]}
NESTED = {"opening": {"x": 1}, "end": {"y": 2}}
CORNERS = {(0, 0), (1, 2)}
BONUS = 3

def deeper(a): return a * BONUS
def plain(a, b=2): return deeper(a) + b
def factorial(n): return 1 if n <= 1 else n * factorial(n - 1)
def even(n): return True if n == 0 else odd(n - 1)
def odd(n): return False if n == 0 else even(n - 1)
def with_table(i, table=[5, 6, 7]): return table[i]
def unpacks():
    first, second = ROWS[1]
    return first * 10 + second
@functools.cache
def remembered(n): return n * 2
@njit
def decorated(n): return deeper(n) + WEIGHTS[0][0]
"""

HELPER = """
import numpy as np
TABLE = [1, 2, 3]
def inner(x): return x + TABLE[2]
def imported(x): return inner(x) * 2
"""

CASES = {
    "helper": "plain(4)",
    "default argument": "plain(1) + plain(1, b=7) + plain(b=1, a=2)",
    "list as a default": "with_table(1)",
    "recursion": "factorial(5)",
    "mutual recursion": "even(7)",
    "imported helper": "imported(1) + helper.imported(2) + helper.TABLE[0]",
    "remembered": "remembered(4)",
    "decorated": "decorated(2)",
    "list of lists": "WEIGHTS[1][2] + WEIGHTS[0][-1] + WEIGHTS[two][0] + len(WEIGHTS) + len(WEIGHTS[0])",
    "fractions": "FRACTIONS[1] * 2 + FRACTIONS[0]",
    "ragged": "RAGGED[1][0] + RAGGED[0][1] + len(RAGGED[two - 1])",
    "list of tuples": "CELLS[1][1] + sum(r * 10 + c for r, c in CELLS)",
    "rows are unpacked": "sum(r * 10 + c for r, c in ROWS) + unpacks()",
    "nested unpacking": "sum(i * (r * 10 + c) for i, (r, c) in enumerate(ROWS))",
    "tuples with a fraction": "sum(a * b for a, b in MIXED) * 2",
    "lines": "sum(a + b * c - d for a, b, c, d in LINES) + LINES[1][2]",
    "names": "sum(value for name, value in NAMED if name == 'corner')",
    "lists of lists of tuples": "sum(r + 2 * c for line in DEEP for r, c in line)",
    "array": "ARRAY[1, 2] + ARRAY[2][0]",
    "dictionary of names": "VALUES['corner'] + VALUES['edge']",
    "dictionary by a name": "VALUES[name]",
    "dictionary of numbers": "BY_NUMBER[two - 1] + BY_NUMBER[-1] * 2 + SPARSE[two - 1]",
    "get": "BY_NUMBER.get(7, 1000) + BY_NUMBER.get(1, 0) + VALUES.get('nothing', 4)",
    "dictionary of cells": "BY_CELL[(0, 0)] + BY_CELL[1, two]",
    "dictionary of lists": "LISTS['a'][1] + sum(LISTS['b'])",
    "nested dictionary": "NESTED['opening']['x'] + NESTED['end']['y']",
    "in": "((1, two) in BY_CELL) + ((1, 1) in CORNERS) * 10 + (3 in BY_NUMBER) * 100 + ('edge' in VALUES)",
    "keys": "sum(key for key in BY_NUMBER) + len(VALUES) + len(CORNERS)",
    "set": "sum(r + c for r, c in CORNERS)",
    "values": "sum(VALUES.values()) + max(BY_NUMBER.values())",
    "items": "sum(key * value for key, value in BY_NUMBER.items())",
    "sum": "sum(i * two for i in range(5) if i % 2) + sum([1, 2]) + sum((x for x in FRACTIONS), 10) * 2",
    "sum with start": "sum(FRACTIONS, start=1) * 2 + sum(map(deeper, [1, 2]))",
    "two loops": "sum(WEIGHTS[r][c] for r in range(3) for c in range(3) if (r, c) not in CORNERS)",
    "nested": "sum(sum(cell for cell in row) for row in WEIGHTS)",
    "the same name": "sum(two for two in range(two))",
    "any": "any(x > 2 for x in FRACTIONS) + all(x > 2 for x in FRACTIONS) * 10 + any([False, False]) * 100",
    "max": "max(i * j for i in range(4) for j in range(i)) + max(FRACTIONS) + min(WEIGHTS[0])",
    "max of a key": "max(CELLS, key=lambda cell: cell[0] * two)[1] + min([3, 1, 2], key=deeper)",
    "max of two": "max(3, 4) + max(3, 4, key=lambda x: -x)",
    "default": "max((i for i in range(0)), default=-1) + min([x for x in FRACTIONS if x > 9], default=5)",
    "first of equals": "max([(1, 2), (1, 3)], key=lambda p: p[0])[1] + min([(1, 2), (1, 3)], key=lambda p: p[0])[1]",
    "sorted": "sorted([3, 1, 2])[0] + 10 * sorted([3, 1, 2], key=lambda v: -v)[0] + sorted([1, 2], reverse=True)[0]",
    "comprehension": "len([x for x in range(10) if x % 3]) + [i * i for i in range(4)][3] + len({1 for _ in range(3)})",
    "list": "len(list(x for x in range(4))) + list(range(3))[2] + len(set(x % 2 for x in range(5)))",
    "enumerate": "sum(i * x for i, x in enumerate(FRACTIONS, start=1)) * 2",
    "zip": "sum(a * b for a, b in zip(FRACTIONS, [2, 4, 6], strict=True))",
    "reversed": "[x for x in reversed(range(3))][0] + [x for x in reversed(range(1, 8, 3))][0]",
    "math": "math.floor(math.sqrt(17)) + math.prod([2, 3]) + (float('inf') > math.inf / 2)",
    "numpy": "int(np.sum(ARRAY)) + np.abs(np.array([-3, 2])).max()",
    "truth": "sum(1 for x in range(5) if x in (1, 2)) + sum(x > 1 for x in range(5))",
}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "helper.py").write_text(HELPER)
    return tmp_path


def load(folder, body, head=HEAD):
    file = folder / "mine.py"
    file.write_text(head + "@heuristic(compiled=True)\ndef h(state: Connect4):\n" + textwrap.indent(body, "    "))
    return load_file(file)["h"]


@pytest.mark.parametrize("case", CASES)
def test_it_compiles_and_is_the_same_as_in_plain_python(case, folder):
    """The whole value is compared, since the function returns a whole number."""
    made = load(folder, f"two = 2 + int(state.mine)\nname = 'edge' if two == 2 else 'corner'\nreturn {CASES[case]}\n")
    assert made(START) == plain_function(made.function)(START.state)


UNSET = {
    "one branch": "if state.mine:\n    y = 1\nreturn y",
    "a loop that does not run": "for i in range(int(state.mine)):\n    y = i\nreturn y + 1",
    "a comprehension": "if state.mine:\n    y = 1\nreturn sum(y * i for i in range(3))",
}


@pytest.mark.parametrize("case", UNSET)
def test_a_variable_without_a_value_is_an_error_and_not_a_zero(case, folder):
    made = load(folder, UNSET[case])
    with pytest.raises(
        HeuristicError, match=r"mine.py:\d+: return .*\n.*y has no value here: give it one on every path"
    ):
        made(START)


def test_variables_that_have_a_value_on_every_path_are_not_checked(folder):
    made = load(
        folder,
        textwrap.dedent("""\
            for i in range(3):
                last = i
            if last > 1:
                x = 1
            elif last > 0:
                x = 2
            else:
                raise ValueError
            while True:
                y = 4
                if y > 3:
                    break
            return last + x + y
            """),
    )
    assert made(START) == 7
