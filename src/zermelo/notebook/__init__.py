"""In a notebook: a position is a board to play on, and a search a tree to walk through. The kernel knows the rules."""

from typing import TYPE_CHECKING

from zermelo.errors import PlayerError, ZermeloError
from zermelo.games import PositionLike, find_position
from zermelo.players import PlayerLike, SearchPlayer, find_player

if TYPE_CHECKING:
    from zermelo.notebook.widgets import BoardWidget, TreeWidget

__all__ = ["explore", "widget"]


def widget(position: PositionLike, opponent: PlayerLike | None = None, side: int | None = None) -> "BoardWidget":
    """A board to play on, in a notebook. Its `position` is always the one that is shown.

    Without an opponent you move for both sides. With one, you play `side` (1 or 2; by default the player to move), and
    the opponent answers from the kernel: `z.widget(z.game("reversi").start(), opponent="engine(seconds=1)")`.
    """
    start = find_position(position)
    if side not in (None, 1, 2):
        raise PlayerError("a side is 1 or 2, not {side}", side=side)
    player = None if opponent is None else find_player(opponent, start.game)
    _needs_anywidget()
    from zermelo.notebook.widgets import BoardWidget

    return BoardWidget(start, player, side or start.to_move)


def explore(player: PlayerLike, position: PositionLike) -> "TreeWidget":
    """The tree that a search looks at, in a notebook: step by step, with windows, values and cut-offs.

    The player is one whose search can be traced, minimax or alphabeta, or a search of your own, with a small depth:
    `z.explore(z.alphabeta(depth=3), z.game("connect4").position("44"))`. Choose a node to see its position.
    """
    start = find_position(position)
    chosen = find_player(player, start.game)
    if not isinstance(chosen, SearchPlayer):
        raise PlayerError("only minimax and alphabeta can be traced, not {player}", player=chosen)
    _needs_anywidget()
    from zermelo.notebook.widgets import TreeWidget

    return TreeWidget(start, chosen)


def _needs_anywidget() -> None:
    """Say what to install if there are no widgets."""
    try:
        import anywidget  # noqa: F401
    except ModuleNotFoundError:
        raise ZermeloError(
            "boards to play on need the package anywidget; install it with pip install 'zermelo[notebook]'"
        ) from None
