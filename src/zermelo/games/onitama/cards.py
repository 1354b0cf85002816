"""The 43 cards of Onitama: 16 of the base box, 16 of Sensei's Path, 11 promotional ones.

A card's moves are steps (right, forward) as its holder sees them; sitting opposite, the other player steps the other
way in both. Its stamp names the colour that begins when the card is dealt to the side.

Source: the founders' `onitama-cards.json` (copied to tests/golden). Its base cards agree in six independent public
programs and those of Sensei's Path in three or more; for the promotional ones the evidence is thinner. Where a
program dissents (jcalixte/onitama has twelve cards of Sensei's Path mirrored, maxbennedich/onitama the turtle upside
down), the file gives the majority's card.
"""

from typing import NamedTuple


class Card(NamedTuple):
    """A card, as printed."""

    name: str
    deck: str  # one of DECKS
    stamp: str | None  # who begins when it lies at the side: red, blue, or (one card only) nobody says
    moves: tuple[tuple[int, int], ...]  # (right, forward), as its holder sees them


DECKS = ("base", "sensei", "promo")

# fmt: off
CARDS = (
    Card("boar", "base", "red", ((0, 1), (-1, 0), (1, 0))),
    Card("cobra", "base", "red", ((1, 1), (-1, 0), (1, -1))),
    Card("crab", "base", "blue", ((0, 1), (-2, 0), (2, 0))),
    Card("crane", "base", "blue", ((0, 1), (-1, -1), (1, -1))),
    Card("dragon", "base", "red", ((-2, 1), (2, 1), (-1, -1), (1, -1))),
    Card("eel", "base", "blue", ((-1, 1), (1, 0), (-1, -1))),
    Card("elephant", "base", "red", ((-1, 1), (1, 1), (-1, 0), (1, 0))),
    Card("frog", "base", "red", ((-1, 1), (-2, 0), (1, -1))),
    Card("goose", "base", "blue", ((-1, 1), (-1, 0), (1, 0), (1, -1))),
    Card("horse", "base", "red", ((0, 1), (-1, 0), (0, -1))),
    Card("mantis", "base", "red", ((-1, 1), (1, 1), (0, -1))),
    Card("monkey", "base", "blue", ((-1, 1), (1, 1), (-1, -1), (1, -1))),
    Card("ox", "base", "blue", ((0, 1), (1, 0), (0, -1))),
    Card("rabbit", "base", "blue", ((1, 1), (2, 0), (-1, -1))),
    Card("rooster", "base", "red", ((1, 1), (-1, 0), (1, 0), (-1, -1))),
    Card("tiger", "base", "blue", ((0, 2), (0, -1))),
    Card("bear", "sensei", "blue", ((-1, 1), (0, 1), (1, -1))),
    Card("dog", "sensei", "blue", ((-1, 1), (-1, 0), (-1, -1))),
    Card("fox", "sensei", "red", ((1, 1), (1, 0), (1, -1))),
    Card("giraffe", "sensei", "blue", ((-2, 1), (2, 1), (0, -1))),
    Card("iguana", "sensei", "red", ((-2, 1), (0, 1), (1, -1))),
    Card("kirin", "sensei", "red", ((-1, 2), (1, 2), (0, -2))),
    Card("mouse", "sensei", "blue", ((0, 1), (1, 0), (-1, -1))),
    Card("otter", "sensei", "red", ((-1, 1), (2, 0), (1, -1))),
    Card("panda", "sensei", "red", ((0, 1), (1, 1), (-1, -1))),
    Card("phoenix", "sensei", "blue", ((-1, 1), (1, 1), (-2, 0), (2, 0))),
    Card("rat", "sensei", "red", ((0, 1), (-1, 0), (1, -1))),
    Card("sable", "sensei", "blue", ((1, 1), (-2, 0), (-1, -1))),
    Card("seasnake", "sensei", "blue", ((0, 1), (2, 0), (-1, -1))),
    Card("tanuki", "sensei", "blue", ((0, 1), (2, 1), (-1, -1))),
    Card("turtle", "sensei", "red", ((-2, 0), (2, 0), (-1, -1), (1, -1))),
    Card("viper", "sensei", "red", ((0, 1), (-2, 0), (1, -1))),
    Card("butterfly", "promo", "red", ((-2, 1), (2, 1), (0, -1))),
    Card("cat", "promo", "red", ((0, 1), (-1, 0), (2, 0), (0, -2))),
    Card("centipede", "promo", "red", ((0, 1), (-1, 0), (2, -2))),
    Card("goat", "promo", "red", ((1, 1), (-1, 0), (0, -1))),
    Card("hornet", "promo", "blue", ((0, 1), (1, 0), (-2, -2))),
    Card("lobster", "promo", "red", ((-1, 1), (1, 1), (-1, -2), (1, -2))),
    Card("moth", "promo", "blue", ((0, 1), (-2, -1), (2, -1))),
    Card("nessie", "promo", None, ((-2, 1), (2, 0), (-1, -1), (1, -1))),
    Card("serow", "promo", "blue", ((0, 1), (-2, 0), (1, 0), (0, -2))),
    Card("sheep", "promo", "blue", ((-1, 1), (1, 0), (0, -1))),
    Card("steer", "promo", "blue", ((-1, 0), (1, 0), (-1, -1), (1, -1))),
)
# fmt: on

NUMBER = {card.name: number for number, card in enumerate(CARDS)}
"""Name of a card -> its number, its place in CARDS; the rules know cards by number."""
