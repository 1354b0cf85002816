"""Moves in the reader's language. Some notations hold words, `tiger:c1-c3`; pages translate them when they show a move.

Records, addresses and requests always keep the English notation.
"""

import re

from zermelo.language import gettext
from zermelo.position import Game


def words_of(game: Game) -> dict[str, str]:
    """The words of the game's notation that the reader's language calls differently, with their translations."""
    return {word: text for word in game.notation_words if (text := gettext(word)) != word}


def shown_move(game: Game, move: str) -> str:
    """A move as a page shows it, with its words translated."""
    words = words_of(game)
    return re.sub("[a-z]{2,}", lambda found: words.get(found[0], found[0]), move)
