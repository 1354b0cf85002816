"""Onitama: five pieces each, five cards, the way of the stone and the way of the stream."""

import contextlib
import random
from collections.abc import Mapping
from typing import Any, ClassVar

from zermelo.drawing.picture import Picture
from zermelo.errors import GameError, PositionError
from zermelo.games.onitama import drawing, endgame_index, notation
from zermelo.games.onitama.cards import CARDS
from zermelo.games.onitama.deals import DEFAULT, deal, parse_deal, parse_decks, who_begins
from zermelo.games.onitama.notation import SIDES, card_name
from zermelo.games.onitama.rules import ARCH, HOME, Onitama, make_state
from zermelo.language import _, marked
from zermelo.position import Game, Position

__all__ = ["Onitama", "endgame_index", "game"]  # endgame_index: what a search asks the tables

MOST_PLIES = 200
MOST_TIMES = 3
SQUARES = 25
ENDGAME_DEALS = 6
"""Deals of the puzzles' endgames."""


class OnitamaGame(Game):
    """Move a piece by one of your two cards, then pass the card on. Capture the master or reach its arch to win."""

    name = "onitama"
    title = "Onitama"
    marked_moves = 0
    players = SIDES
    edit_symbols, edit_movers = ".rRbB", "rb"
    edit_from_top = True
    default_heuristic = "learned_quiet"
    engine_options: ClassVar = {"reduce": True, "probcut": 1.0}
    first_glance = "material"
    levels_ask_solver = False
    shown_plies = 6
    replaced_by_seed = ("cards",)
    moves_stand_alone = True
    option_examples: ClassVar = {
        "cards": marked("crane monkey crab tiger dragon"),
        "seed": marked("any number"),
        "sets": marked("base, sensei, promo"),
    }
    notation_words = (marked("swap"), *(card.name for card in CARDS))

    def __init__(self, cards: str = "", seed: int | None = None, sets: str = "", first: str = ""):
        if cards and seed is not None:
            raise GameError(
                "onitama: cards={cards!r} and seed={seed} both say which cards are in play; give only one of them",
                cards=cards,
                seed=seed,
            )
        if sets and seed is None:
            raise GameError(
                "onitama: sets={sets!r} says which cards are dealt from a seed; give a seed too, such as seed=7",
                sets=sets,
            )
        self.deal = parse_deal(cards) if cards else DEFAULT if seed is None else deal(seed, parse_decks(sets or "base"))
        if first and first not in SIDES:
            raise GameError("onitama: first={first} is neither red nor blue", first=first)
        self.beginner = SIDES.index(first) if first else who_begins(self.deal)
        names = " ".join(map(card_name, self.deal))
        given = {"cards": names} if self.deal != DEFAULT else {}
        super().__init__(**given, **({"first": first} if self.beginner != who_begins(self.deal) else {}))

    def new_game_options(self) -> dict[str, Any]:
        """Other cards for every game."""
        return {"seed": random.randrange(100_000)}

    def start_state(self) -> Any:
        masters = sum(1 << int(square) for square in ARCH)
        return make_state(HOME, masters, (self.deal[0:2], self.deal[2:4]), self.deal[4], self.beginner)

    def varied_start(self, seed: int) -> Position:
        """A deal of its own for every seed."""
        return OnitamaGame(seed=seed & 0xFFFFFFFFFFFFFFFF).start()

    def endgame(self, seed: int) -> Position:
        """Both masters and two students on random squares. Only a few deals occur, for each needs a table."""
        chance = random.Random(f"{seed} endgame")
        deal = OnitamaGame(seed=chance.randrange(ENDGAME_DEALS))
        while True:
            red, blue, *students = chance.sample(range(SQUARES), 4)
            men = [1 << red, 1 << blue]
            for square in students:
                men[chance.randrange(2)] |= 1 << square
            cards = chance.sample(deal.deal, len(deal.deal))
            state = make_state(men, 1 << red | 1 << blue, (cards[0:2], cards[2:4]), cards[4], chance.randrange(2))
            with contextlib.suppress(PositionError):  # the player to move has won already
                position = deal.position(notation.state_text(state))
                if not position.is_over:
                    return position

    def move_text(self, state: Any, move: int) -> str:
        return notation.move_text(move)

    def why_not(self, state: Any, text: str) -> str | None:
        return notation.why_not(state, text)

    def parse_board(self, text: str) -> Any:
        return notation.parse_state(text)

    def position_text(self, position: Position) -> str:
        return notation.state_text(position.state)

    def is_drawn_by_history(self, position: Position) -> bool:
        """The same position for the third time, or 200 plies: the lab's rule, since the box has none."""
        times, plies = 1, 0
        before = position.parent
        while before is not None:
            plies += 1
            times += before.state == position.state
            before = before.parent
        return times >= MOST_TIMES or plies >= MOST_PLIES

    def how_it_ended(self, position: Position) -> str:
        """The two ways to win have names in the rules."""
        if position.winner is None or position.last_move is None:
            return _("the position is repeated, or the game is too long")
        target = notation.move_parts(position.last_move)[2]
        arrived = target == ARCH[2 - position.winner] and notation.man_at(position.state, target).isupper()
        return (
            _("the Way of the Stream: the master is in the temple")
            if arrived
            else _("the Way of the Stone: the master is taken")
        )

    def board(self, position: Position) -> str:
        return drawing.text_board(position.state)

    def picture(self, position: Position, marks: Mapping[str, str]) -> Picture:
        return drawing.draw(position, marks)


game = OnitamaGame
