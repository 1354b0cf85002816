"""The text of a new file in the workshop: a first heuristic, for users to change."""

from zermelo.core.parts import part_of
from zermelo.position import Game

ANY_GAME = '''\
import zermelo as z
from {package} import {cls}

# A state holds: {fields}


@z.heuristic
def mine(state: {cls}):
    """What a position is worth for the player to move."""
    return 0
'''


def starter(game: Game) -> str:
    """A first heuristic for a game."""
    cls = type(game.start_state())
    package = type(game).__module__
    general = ANY_GAME.format(package=package, cls=cls.__name__, fields=", ".join(cls._fields))
    examples = part_of(package, "examples")
    return str(getattr(examples, "HEURISTIC", general))
