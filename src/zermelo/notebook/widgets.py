"""The widgets. The page shows pictures and sends what its reader chooses; positions and players are in the kernel."""

from typing import Any

import anywidget
import traitlets

from zermelo.errors import MoveError, ZermeloError
from zermelo.language import _, gettext, language
from zermelo.notebook.scripts import script, style
from zermelo.players import Player, SearchPlayer
from zermelo.position import Position
from zermelo.tracing.columns import explored
from zermelo.web.notation import shown_move, words_of


class _Widget(anywidget.AnyWidget):
    """A widget whose page sends orders."""

    _css = style()
    kind = traitlets.Unicode().tag(sync=True)

    def __init__(self, **traits: Any):
        self._esm = script(language())
        super().__init__(**traits)
        self.on_msg(self._received)

    def _received(self, _widget: Any, order: Any, _buffers: Any) -> None:
        if isinstance(order, dict):
            try:
                self.obey(order)
            except ZermeloError as error:
                self.send({"refused": str(error)})

    def obey(self, order: dict[str, Any]) -> None:
        raise NotImplementedError

    def picture(self) -> str:
        """HTML for pages on which there are no widgets, such as a notebook that is read without a kernel."""
        raise NotImplementedError

    def _repr_mimebundle_(self, **options: Any) -> Any:
        found = super()._repr_mimebundle_(**options)
        data, *more = found if isinstance(found, tuple) else (found,)
        data = {**(data or {}), "text/html": self.picture()}
        return (data, *more) if more else data


class BoardWidget(_Widget):
    """A board to play on. `position` is the position that is shown, `opponent` the player that answers."""

    view = traitlets.Dict().tag(sync=True)

    def __init__(self, position: Position, opponent: Player | None = None, side: int = 1):
        self.position, self.opponent, self.side, self._first = position, opponent, side, position
        super().__init__(kind="board", view=self._view(False))
        self._answer()

    def play(self, move: object) -> None:
        """Play a move, as a click on the board does; the opponent answers."""
        self._go(self.position.play(move))
        self._answer()

    def undo(self) -> None:
        """Take back the last move, and with it the opponent's answer."""
        here = self.position
        while here.parent is not None and here != self._first:
            here = here.parent
            if self.opponent is None or here.to_move == self.side:
                break
        self._go(here)
        self._answer()

    def restart(self) -> None:
        """Begin again with the first position."""
        self._go(self._first)
        self._answer()

    def obey(self, order: dict[str, Any]) -> None:
        """Do what the page asks for."""
        if order.get("do") == "move" and order.get("position") == str(self.position):
            self.play(str(order.get("move"))[:100])
        elif order.get("do") == "undo":
            self.undo()
        elif order.get("do") == "again":
            self.restart()
        elif order.get("do") == "why":
            self._explain(str(order.get("move"))[:100])

    def picture(self) -> str:
        return self.position._repr_html_()

    def _go(self, position: Position, thinking: bool = False) -> None:
        self.position = position
        self.view = self._view(thinking)

    def _answer(self) -> None:
        """Let the opponent move until it is the reader's turn."""
        while self.opponent is not None and not self.position.is_over and self.position.to_move != self.side:
            self.view = self._view(True)
            self._go(self.position.play(self.opponent.choose(self.position)))

    def _explain(self, move: str) -> None:
        here = self.position
        try:
            here.game.parse_move(here.state, here.game.normal_move_text(move))
        except MoveError as error:
            self.send({"refused": str(error)})

    def _view(self, thinking: bool) -> dict[str, Any]:
        here, first = self.position, self._first
        label = _("{title} board").format(title=_(here.game.title))
        return {
            "picture": here.picture().to_json("board", label),
            "position": str(here),
            "said": said_about(here),
            "enabled": not thinking and not here.is_over,
            "thinking": thinking,
            "undo": not thinking and here != first,
            "moves": [shown_move(here.game, move) for move in here.line],
        }


class TreeWidget(_Widget):
    """The tree of a search. `tree` has its columns, as the lab's page *See why* gets them."""

    tree = traitlets.Dict().tag(sync=True)

    def __init__(self, position: Position, player: SearchPlayer):
        self.position, self.player = position, player
        super().__init__(kind="tree", tree=explored(position, player) | {"words": words_of(position.game)})

    def obey(self, order: dict[str, Any]) -> None:
        """Show the position of a node; the order has the moves that lead to it."""
        line = order.get("line")
        if order.get("do") == "show" and isinstance(line, list):
            here = self.position
            for move in line[:1000]:
                here = here.play(str(move)[:100])
            self.send({"picture": here.picture().to_json("view"), "said": said_about(here)})

    def picture(self) -> str:
        return self.position._repr_html_()


def said_about(position: Position) -> str:
    """The player to move, or how the game ended, as a sentence."""
    names = [gettext(name) for name in position.game.players]
    if not position.is_over:
        text = _("{player} to move.").format(player=names[position.to_move - 1])
    elif position.winner is None:
        text = _("A draw") + "."
    else:
        text = _("{player} wins").format(player=names[position.winner - 1]) + "."
    return text[:1].upper() + text[1:]
