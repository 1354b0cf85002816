"""The types of compiled code in the words of Python: `Literal[int](3)` is a whole number."""

import re

from zermelo.errors import Message

OPERATORS = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "truediv": "/",
    "floordiv": "//",
    "mod": "%",
    "pow": "**",
    "matmul": "@",
    "iadd": "+=",
    "isub": "-=",
    "imul": "*=",
    "itruediv": "/=",
    "ifloordiv": "//=",
    "imod": "%=",
    "and_": "&",
    "or_": "|",
    "xor": "^",
    "lshift": "<<",
    "rshift": ">>",
    "invert": "~",
    "neg": "-",
    "pos": "+",
    "eq": "==",
    "ne": "!=",
    "lt": "<",
    "le": "<=",
    "gt": ">",
    "ge": ">=",
    "contains": "in",
    "not_": "not",
    "iand": "&=",
    "ior": "|=",
    "ixor": "^=",
    "ilshift": "<<=",
    "irshift": ">>=",
    "is_": "is",
    "is_not": "is not",
}
"""The signs of Python's operators, by the names of their functions."""

_KINDS: list[tuple[str, Message]] = [
    (r"Literal\[str\]|unicode_type|\[unichr|StringLiteral", Message("a text")),
    (r"Literal\[bool\]|bool", Message("True or False")),
    (r"Literal\[int\]|u?int\d*|IntegerLiteral|intp", Message("a whole number")),
    (r"float\d*", Message("a fraction")),
    (r"complex\d*", Message("a complex number")),
    (r"none|NoneType", Message("None")),
    (r"(?:reflected )?list|List|LiteralList|ListType", Message("a list")),
    (r"(?:reflected )?set\b", Message("a set")),
    (r"Tuple|UniTuple|StarArgTuple", Message("a tuple")),
    (r"DictType|LiteralStrKey|InitialValueDict|dict|table_", Message("a dictionary")),
    (r"array|Array|readonly array|unaligned array", Message("an array")),
    (r"Module", Message("a module")),
    (r"range", Message("a range")),
    (r"class\(|Class|NumberClass", Message("a class")),
    (r"type\(CPUDispatcher|Function|recursive|Dispatcher|UndefinedFunction", Message("a function")),
]


def kind_of(text: str) -> Message:
    """What a Numba type is in Python, from the text of the type."""
    text = text.strip()
    optional = re.match(r"OptionalType\((.*)\)$", text)
    if optional:
        return Message("{kind} or None", kind=kind_of(optional[1]))
    for pattern, words in _KINDS:
        if re.match(pattern, text):
            return words
    named = re.match(r"([A-Z]\w+)\(\w+ x \d+\)", text)  # a state
    return Message("a state of the class {name}", name=named[1]) if named else Message("a value of this kind")


def kinds_of(text: str) -> list[Message]:
    """The same for a list of types, as in `int64, UniTuple(int64 x 2)`."""
    parts, depth, start = [], 0, 0
    for place, letter in enumerate(text):
        depth += letter in "([<{"
        depth -= letter in ")]>}"
        if letter == "," and depth == 0:
            parts.append(text[start:place])
            start = place + 1
    return [kind_of(part) for part in [*parts, text[start:]] if part.strip()]
