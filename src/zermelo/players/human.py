"""A person at the terminal as a player."""

import time
from dataclasses import dataclass
from typing import ClassVar

from zermelo.errors import MoveError
from zermelo.language import _
from zermelo.players.player import Choice, Player, Resigned, TakeBack
from zermelo.position import Position


def _ask(prompt: str) -> str:
    """Return a line typed at the terminal. Raise Resigned or TakeBack if the player gives up or takes a move back."""
    try:
        text = input(prompt).strip()
    except EOFError:
        raise Resigned from None
    if text in ("q", "quit", "resign"):
        raise Resigned
    if text in ("u", "undo"):
        raise TakeBack
    return text


def _second_choice(first: str, seconds: dict[str, tuple[str, str]]) -> str:
    """Return the move chosen in a second step. Text that is not one of the choices is returned as it is.

    The caller then reads that text as a move and, if it is not one, refuses it.
    """
    if len(seconds) == 1:
        return next(iter(seconds.values()))[0]
    width = max(map(len, seconds))
    for second, (_move, effect) in seconds.items():
        print(f"  {second:<{width}}  {effect}")
    text = _ask(_("{first} with: ").format(first=first))
    return seconds[text][0] if text in seconds else text


@dataclass(frozen=True)
class HumanPlayer(Player):
    """A person at the terminal."""

    kind: ClassVar[str] = "human"

    def think(self, position: Position) -> Choice:
        began = time.perf_counter()
        name = position.game.players[position.to_move - 1]
        choices = position.game.first_choices(position)
        while True:
            text = _ask(_("{name}'s move: ").format(name=name))
            if text in ("", "?", "help"):
                print(
                    _("moves: {choices}   (u: take a move back, q: resign)").format(
                        choices=" ".join(choices or position.moves)
                    )
                )
                continue
            if text in choices:
                text = _second_choice(text, choices[text])
            try:
                move = position.game.parse_move(position.state, text)
            except MoveError as error:
                print(error)
                continue
            return Choice(position.game.move_text(position.state, move), time.perf_counter() - began)

    @property
    def is_deterministic(self) -> bool:
        return False
