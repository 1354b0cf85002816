"""A game for a page: the functions that draw its boards and write its moves, translated, and their words."""

import functools
import json
from dataclasses import dataclass
from typing import Any

from zermelo import rules
from zermelo.core import class_of
from zermelo.core.packed import is_packable
from zermelo.errors import PublishError
from zermelo.language import LANGUAGES, catalogue
from zermelo.position import Game
from zermelo.publish.expressions import Untranslatable
from zermelo.publish.translating import Program

NEEDED = ("picture", "move_text", "position_text", "is_drawn_by_history", "to_json")
"""The methods without which there is no page."""
ASKED = (*NEEDED, "why_not", "normal_move_text", "title", "players")


@dataclass(frozen=True)
class DrawnGame:
    """A game's own part of a page."""

    script: str
    """A function of `$` and `$z` (see replacements.py)."""
    texts: frozenset[str]
    """The texts in it, some of which are shown to people."""


@functools.lru_cache(maxsize=32)
def drawn_game(game: Game) -> DrawnGame:
    """The game's own part of a page. PublishError if something in its drawing has no counterpart in a page."""
    if game.is_explicit_tree:
        raise PublishError("{game} is a tree, and a page for two players needs a game", game=game)
    cls = class_of(game.start_state())
    if not is_packable(cls):
        raise PublishError("{game} cannot be published: its states hold arrays", game=game)
    program = Program(cls, ASKED)
    offered = {"game": game, "State": cls, "can_repeat": rules.can_repeat.implementation(cls)}
    try:
        text = program.text(offered, NEEDED)
    except Untranslatable as error:
        raise PublishError("{game} cannot be drawn in a page: {reason}", game=game, reason=str(error)) from None
    grid = getattr(cls, "layout", None)
    shape = None if grid is None else {"words": grid.words, "cells": grid.cells}
    script = f"($, $z) => {{\n$z.grid = {json.dumps(shape)};\n{text}\n}}"
    words = {game.title, *game.players, *game.notation_words}
    return DrawnGame(script, frozenset(program.texts | words))


def words_for(texts: Any) -> dict[str, dict[str, str]]:
    """The translations of those texts that have one, for each language but English."""
    found: dict[str, dict[str, str]] = {}
    for code in LANGUAGES:
        if code != "en":
            known = catalogue(code)
            pairs = {text: known.gettext(text) for text in sorted(texts) if text}
            found[code] = {text: other for text, other in pairs.items() if other != text}
    return found
