"""The 43 cards of Onitama: 16 of the base box, 16 of Sensei's Path, 11 promotional ones.

A card's moves are steps (right, forward) as its holder sees them; the other player sits opposite, so both steps are
reversed. A card's stamp names the colour that begins when the card is dealt to the side.

Source: the founders' `onitama-cards.json` (copied to tests/golden). Its base cards agree in six independent public
programs and those of Sensei's Path in three or more; for the promotional ones the evidence is thinner. Where a
program dissents (jcalixte/onitama has twelve cards of Sensei's Path mirrored, maxbennedich/onitama the turtle upside
down), the file gives the majority's card.
"""

from typing import NamedTuple

from zermelo.language import marked


class Card(NamedTuple):
    """A card, as printed."""

    name: str
    deck: str  # one of DECKS
    stamp: str | None  # who begins when it lies at the side: red, blue, or (one card only) not stated
    moves: tuple[tuple[int, int], ...]  # (right, forward), as its holder sees them


DECKS = ("base", "sensei", "promo")

# fmt: off
CARDS = (
    Card(marked("boar"), "base", "red", ((0, 1), (-1, 0), (1, 0))),
    Card(marked("cobra"), "base", "red", ((1, 1), (-1, 0), (1, -1))),
    Card(marked("crab"), "base", "blue", ((0, 1), (-2, 0), (2, 0))),
    Card(marked("crane"), "base", "blue", ((0, 1), (-1, -1), (1, -1))),
    Card(marked("dragon"), "base", "red", ((-2, 1), (2, 1), (-1, -1), (1, -1))),
    Card(marked("eel"), "base", "blue", ((-1, 1), (1, 0), (-1, -1))),
    Card(marked("elephant"), "base", "red", ((-1, 1), (1, 1), (-1, 0), (1, 0))),
    Card(marked("frog"), "base", "red", ((-1, 1), (-2, 0), (1, -1))),
    Card(marked("goose"), "base", "blue", ((-1, 1), (-1, 0), (1, 0), (1, -1))),
    Card(marked("horse"), "base", "red", ((0, 1), (-1, 0), (0, -1))),
    Card(marked("mantis"), "base", "red", ((-1, 1), (1, 1), (0, -1))),
    Card(marked("monkey"), "base", "blue", ((-1, 1), (1, 1), (-1, -1), (1, -1))),
    Card(marked("ox"), "base", "blue", ((0, 1), (1, 0), (0, -1))),
    Card(marked("rabbit"), "base", "blue", ((1, 1), (2, 0), (-1, -1))),
    Card(marked("rooster"), "base", "red", ((1, 1), (-1, 0), (1, 0), (-1, -1))),
    Card(marked("tiger"), "base", "blue", ((0, 2), (0, -1))),
    Card(marked("bear"), "sensei", "blue", ((-1, 1), (0, 1), (1, -1))),
    Card(marked("dog"), "sensei", "blue", ((-1, 1), (-1, 0), (-1, -1))),
    Card(marked("fox"), "sensei", "red", ((1, 1), (1, 0), (1, -1))),
    Card(marked("giraffe"), "sensei", "blue", ((-2, 1), (2, 1), (0, -1))),
    Card(marked("iguana"), "sensei", "red", ((-2, 1), (0, 1), (1, -1))),
    Card(marked("kirin"), "sensei", "red", ((-1, 2), (1, 2), (0, -2))),
    Card(marked("mouse"), "sensei", "blue", ((0, 1), (1, 0), (-1, -1))),
    Card(marked("otter"), "sensei", "red", ((-1, 1), (2, 0), (1, -1))),
    Card(marked("panda"), "sensei", "red", ((0, 1), (1, 1), (-1, -1))),
    Card(marked("phoenix"), "sensei", "blue", ((-1, 1), (1, 1), (-2, 0), (2, 0))),
    Card(marked("rat"), "sensei", "red", ((0, 1), (-1, 0), (1, -1))),
    Card(marked("sable"), "sensei", "blue", ((1, 1), (-2, 0), (-1, -1))),
    Card(marked("seasnake"), "sensei", "blue", ((0, 1), (2, 0), (-1, -1))),
    Card(marked("tanuki"), "sensei", "blue", ((0, 1), (2, 1), (-1, -1))),
    Card(marked("turtle"), "sensei", "red", ((-2, 0), (2, 0), (-1, -1), (1, -1))),
    Card(marked("viper"), "sensei", "red", ((0, 1), (-2, 0), (1, -1))),
    Card(marked("butterfly"), "promo", "red", ((-2, 1), (2, 1), (0, -1))),
    Card(marked("cat"), "promo", "red", ((0, 1), (-1, 0), (2, 0), (0, -2))),
    Card(marked("centipede"), "promo", "red", ((0, 1), (-1, 0), (2, -2))),
    Card(marked("goat"), "promo", "red", ((1, 1), (-1, 0), (0, -1))),
    Card(marked("hornet"), "promo", "blue", ((0, 1), (1, 0), (-2, -2))),
    Card(marked("lobster"), "promo", "red", ((-1, 1), (1, 1), (-1, -2), (1, -2))),
    Card(marked("moth"), "promo", "blue", ((0, 1), (-2, -1), (2, -1))),
    Card(marked("nessie"), "promo", None, ((-2, 1), (2, 0), (-1, -1), (1, -1))),
    Card(marked("serow"), "promo", "blue", ((0, 1), (-2, 0), (1, 0), (0, -2))),
    Card(marked("sheep"), "promo", "blue", ((-1, 1), (1, 0), (0, -1))),
    Card(marked("steer"), "promo", "blue", ((-1, 0), (1, 0), (-1, -1), (1, -1))),
)
# fmt: on

NUMBER = {card.name: number for number, card in enumerate(CARDS)}
"""Name of a card -> its number, its place in CARDS; the rules know cards by number."""
