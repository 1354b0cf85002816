"""A process that compiles what a player needs, for the cache: `python -m zermelo.web.compiling_process`.

It obeys one order (processes/orders.py), {"do": "compile", "game": "hex(size=5)", "player": "engine(seconds=2)"}, and
answers after each function with {"functions": 12}, and at the end with {"finished": true}, or {"failed": "why"}. The
server meanwhile has its own processor time, and takes the code from the cache.
"""

import contextlib
import os
from collections.abc import Iterable
from typing import Any

from zermelo.core.cache import counting_compiled
from zermelo.errors import ZermeloError
from zermelo.games import find_game
from zermelo.players import Player, find_player
from zermelo.position import Game
from zermelo.processes.orders import Answer, Orders
from zermelo.rules import RULES
from zermelo.searches.budget import Budget

NICE = 5
"""How much more polite than the server this process is."""

TRIAL = Budget(seconds=0.05)
"""A player thinks for a moment, too: some things are compiled when they are first needed."""


def main() -> None:
    with contextlib.suppress(OSError, AttributeError):
        os.nice(NICE)
    orders = Orders()

    def compile_all(game: str, player: str | None) -> Iterable[Answer]:
        try:
            with counting_compiled(lambda number: orders.say({"functions": number})):
                compile_for(find_game(game), player)
        except ZermeloError as error:
            yield {"failed": str(error)}
        else:
            yield {"finished": True}

    orders.serve({"compile": compile_all})


def compile_for(game: Game, text: str | None) -> None:
    """Compile the rules of a game, and all that a player needs to play it."""
    start = game.start()
    compile_rules(start.state)
    if text is None:
        return
    player: Player = find_player(text, game).limited(TRIAL)
    player.prepare(game)
    if not start.is_over:
        player.think(start)


def compile_rules(state: Any) -> None:
    """Compile those questions of the rules that Python asks."""
    for question in RULES:
        question.entry(type(state))


if __name__ == "__main__":
    main()
