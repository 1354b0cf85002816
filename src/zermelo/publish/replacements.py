"""What translated Python finds in a page in place of our functions, of built-in ones and of the standard library.

The values are expressions: `$` is static/python.js, and `$z` is what a page knows of a game (static/game.js).
"""

import builtins
import functools
import heapq
import html
import math
import re
from collections import defaultdict
from typing import Any

import numpy as np

from zermelo import language, rules
from zermelo.core import bits, grids
from zermelo.drawing.svg import Element
from zermelo.position import Position

BUILTINS = (
    *("abs", "all", "any", "bool", "chr", "divmod", "enumerate", "filter", "float", "getattr", "hasattr", "int"),
    *("isinstance", "iter", "len", "list", "map", "max", "min", "next", "ord", "range", "repr", "reversed", "round"),
    *("set", "sorted", "str", "sum", "tuple", "zip", "type"),
)
NUMBERS = (np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32)
QUESTIONS = ("is_over", "outcome", "to_move", "moves_of", "play", "key")
MATHEMATICS = ("sqrt", "cos", "sin", "tan", "atan2", "floor", "ceil", "hypot", "exp", "log", "pow", "fabs")


@functools.cache
def replacements() -> dict[int, str]:
    """Expressions by the identity of what they stand for. All of these things live as long as the program."""
    found: dict[Any, str] = {id(getattr(builtins, name)): f"$.{name}" for name in BUILTINS}
    found |= {id(dict): "$.dictionary", id(frozenset): "$.set", id(set): "$.set"}
    found |= {id(kind): "$.int" for kind in NUMBERS}
    found |= {id(np.uint64): "$.uint64", id(np.float64): "$.float", id(np.array): "$.list", id(np.ndarray): "$.list"}
    found |= {id(getattr(math, name)): f"Math.{name}" for name in MATHEMATICS if name != "fabs"}
    found |= {id(math.radians): "((degrees) => degrees * (Math.PI / 180))", id(math.fabs): "Math.abs"}
    found |= {id(html.escape): "$.escape", id(html.unescape): "$.unescape"}
    found |= {id(getattr(re, name)): f"$.{name}" for name in ("fullmatch", "match", "search", "findall")}
    found |= {id(getattr(heapq, name)): f"$.{name}" for name in ("heapify", "heappush", "heappop")}
    found |= {id(getattr(rules, name)): f"$z.{name}" for name in QUESTIONS}
    found |= {id(language.gettext): "$z.gettext", id(language.marked): "$z.marked", id(language.Message): "$z.message"}
    found |= {id(Element): "$z.Element", id(Position): "$z.Position", id(grids.numbers_of): "$z.numbers_of"}
    found |= {id(bits.count): "$z.count", id(bits.lowest): "$z.lowest", id(defaultdict): "$z.defaultdict"}
    return found
