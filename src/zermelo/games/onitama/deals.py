"""Which five cards are in play: named, or dealt from a seed."""

import difflib

import numpy as np

from zermelo.core import mix
from zermelo.errors import GameError, ZermeloError
from zermelo.games.onitama.cards import CARDS, DECKS, NUMBER
from zermelo.language import gettext

IN_PLAY = 5
DEFAULT = tuple(NUMBER[name] for name in ("crane", "monkey", "crab", "tiger", "dragon"))

Deal = tuple[int, ...]
"""Five card numbers: red's two, blue's two, the one at the side."""


def card_number(name: str) -> int:
    """The number of the card of this name; the error for an unknown name suggests another."""
    if name not in NUMBER:
        near = difflib.get_close_matches(name, NUMBER, n=1)
        raise ZermeloError(
            gettext("there is no card {name!r}").format(name=name)
            + (gettext("; did you mean {near}?").format(near=near[0]) if near else "")
        )
    return NUMBER[name]


def in_order(cards: list[int]) -> Deal:
    """The same deal with both hands sorted, as they are printed."""
    return (*sorted(cards[0:2]), *sorted(cards[2:4]), cards[4])


def parse_deal(text: str) -> Deal:
    """The deal of a text such as `boar ox elephant horse crab`."""
    names = str(text).lower().replace(",", " ").split()
    try:
        cards = [card_number(name) for name in names]
    except ZermeloError as error:
        raise GameError("onitama: cards={text!r}: {error}", text=text, error=error) from None
    if len(cards) != IN_PLAY:
        raise GameError(
            "onitama: cards={text!r} names {number} cards instead of five: red's two, blue's two, the side card",
            text=text,
            number=len(cards),
        )
    for name in names:
        if names.count(name) > 1:
            raise GameError("onitama: cards={text!r} names {name} twice", text=text, name=name)
    return in_order(cards)


def parse_decks(text: str) -> list[str]:
    """The decks of a text such as `base sensei`."""
    chosen = str(text).lower().replace(",", " ").split()
    for deck in chosen:
        if deck not in DECKS:
            raise GameError(
                "onitama: sets={text!r}: there is no set {deck!r}; the sets are {sets}",
                text=text,
                deck=deck,
                sets=", ".join(DECKS),
            )
    if not chosen:
        raise GameError("onitama: sets={text!r} names no set; the sets are {sets}", text=text, sets=", ".join(DECKS))
    return chosen


def deal(seed: int, decks: list[str]) -> Deal:
    """Five cards of these decks; the same seed always gives the same cards."""
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 1 << 64:
        raise GameError("onitama: seed={seed} is not a whole number from 0 to 2^64 - 1", seed=seed)
    pack = [number for number, card in enumerate(CARDS) if card.deck in decks]
    number = np.uint64(seed)
    dealt = []
    for _ in range(IN_PLAY):
        number = mix(np.uint64((int(number) + 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF))  # the steps of SplitMix64
        dealt.append(pack.pop(int(number) % len(pack)))
    return in_order(dealt)


def who_begins(cards: Deal) -> int:
    """0 if the side card is stamped red, 1 if blue; red where it has no stamp (nessie)."""
    return 1 if CARDS[cards[4]].stamp == "blue" else 0
