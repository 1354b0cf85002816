"""A player as a program that speaks the NBoard protocol, version 2, which Reversi front ends use.

The protocol is described in `Protocol.htm` of NBoard and NTest (github.com/weltyc/ntest, folder instructions). A `ping`
ends a search that is under way, and so does whatever changes the position. Lines that are not understood are ignored.
"""

import logging
from collections.abc import Callable, Iterator
from typing import Any

from zermelo.analysis import Analysis, deepen, deepen_by
from zermelo.errors import ZermeloError
from zermelo.players import EnginePlayer, SearchPlayer
from zermelo.players.nboard import GREATEST_DEPTH, SOLVED
from zermelo.players.notations import nboard_notation
from zermelo.players.player import Choice, Player, Resigned
from zermelo.position import Game, Position
from zermelo.protocols.serving import LAST_SECONDS, Server, Write
from zermelo.protocols.thinking import Thought, within
from zermelo.scores import Score
from zermelo.searches.budget import Budget

SOLVED_RESULT = "100%W"
"""How the depth is written if it is known who wins, but not by how much."""
MOST_HINTS = 64
ENDS_SEARCH = ("ping", "set", "move", "nboard", "quit")
"""The commands that end a search; what others ask for is answered after it."""

_log = logging.getLogger("zermelo")


class NBoardServer(Server):
    """A conversation in the NBoard protocol."""

    def __init__(self, game: Game, player: Player, write: Write):
        super().__init__(game, player, write)
        self.notation = nboard_notation(game)
        self.position: Position | None = game.start()  # None after a game that could not be read
        self.clocks: list[float] | None = None  # what each player has left, in seconds
        self.depth: int | None = None
        self._commands: dict[str, Callable[[str], None]] = {
            "nboard": lambda rest: self._tell_name(),
            "set": self._set,
            "move": self._move,
            "hint": self._hint,
            "go": lambda rest: self._start(self._go),
            "ping": self._ping,
            "learn": lambda rest: self._start(lambda thought, position: self._say(thought, "learned")),
            "analyze": lambda rest: self._start(self._analyse),
        }

    # ------------------------------------------------------------------------------------------- lines

    def overhear(self, line: str) -> None:
        if line.partition(" ")[0] in ENDS_SEARCH:
            self.thinker.abandon()  # before the line is handled: what is found until then must not be told

    def handle(self, line: str) -> bool:
        name, _blank, rest = line.partition(" ")
        if name in ENDS_SEARCH:
            self.thinker.stop()
        if name == "quit":
            return False
        if name in self._commands:
            try:
                self._commands[name](rest.strip())
            except ZermeloError as error:
                self._status(str(error))
        return True

    def end(self) -> None:
        self.thinker.finish(LAST_SECONDS)

    def _status(self, text: str = "") -> None:
        self.write(f"status {' '.join(text.split())}".rstrip())

    def _tell_name(self) -> None:
        self.write(f"set myname zermelo{self.depth or ''}")

    def _ping(self, rest: str) -> None:
        self.write(f"pong {rest}")

    def _set(self, rest: str) -> None:
        what, _blank, value = rest.partition(" ")
        if what == "depth":
            if (depth := _whole(value)) is not None:
                self.depth = min(max(depth, 1), GREATEST_DEPTH)
                self._tell_name()
        elif what == "game":
            self.position = self.clocks = None
            self.position, clocks = self.notation.read_game(self.game, value)
            self.clocks = list(clocks) if clocks else None
        # A contempt for draws of an opening book has no meaning here: the player has none, so it is ignored.

    def _move(self, rest: str) -> None:
        if self.position is None:
            return
        before, move = self.position, self.notation.read_move(rest)
        forced = self.notation.forced(before)
        if forced not in (None, move):  # not every front end tells passes
            before = before.play(forced)
        self.position = before.play(move)
        if self.clocks is not None:
            self.clocks[before.to_move - 1] -= self.notation.time_of(rest)

    # ------------------------------------------------------------------------------------------- thinking

    def _start(self, work: Callable[[Thought, Position], None]) -> None:
        """Think about the present position, in the thread. What goes wrong is told in the status line."""
        position = self.position
        if position is None:
            self._status("there is no game")
            return

        def run(thought: Thought) -> None:
            try:
                work(thought, position)
            except ZermeloError as error:
                thought.check()
                self._status(str(error))
            except Resigned:
                self._status("resigns")
            except Exception:
                _log.exception("zermelo engine")
                raise

        self.thinker.start(run)

    @property
    def _limited(self) -> Player:
        """The player with the depth that the front end wants, or its own, if that is lower."""
        if self.depth is None:
            return self.player
        budget = Budget(depth=self.depth)
        has_own = self.player.given_budget.depth is not None
        return self.player.limited(budget) if has_own else self.player.with_budget(budget)

    def _say(self, thought: Thought, text: str) -> None:
        thought.check()
        self.write(text)

    def _go(self, thought: Thought, position: Position) -> None:
        if position.is_over:
            self._say(thought, "status")
            return
        player = self._limited
        if self.clocks is not None:
            left = max(0.0, self.clocks[position.to_move - 1])
            player = within(player, left / self.notation.moves_left(position))
        self._say(thought, "status zermelo is thinking")
        choice = self._thought_aloud(thought, player, position)
        evaluation = "" if choice.score is None else f"{self.notation.discs(choice.score):.2f}"
        self._say(thought, f"=== {self.notation.move_text(choice.move)}/{evaluation}/{choice.seconds:.2f}")
        self._say(thought, "status")

    def _thought_aloud(self, thought: Thought, player: Player, position: Position) -> Choice:
        """What the player chooses. What it finds on the way is told, and what it finds in the end, each once."""
        told: list[tuple[str, ...]] = []

        def tell(found: Choice) -> None:
            lines = tuple(self._lines(found))
            if lines not in told[-1:]:
                told.append(lines)
                for line in lines:
                    self._say(thought, line)

        choice = player.think_aloud(position, tell)
        tell(choice)
        return choice

    def _lines(self, found: Choice) -> Iterator[str]:
        if found.score is not None:
            depth = SOLVED if found.solved else str(found.depth or 0)
            yield self._search_line(found.line or (found.move,), found.score, depth)
        if found.nodes is not None:
            yield f"nodestats {found.nodes} {found.seconds:.2f}"

    def _search_line(self, line: tuple[str, ...], score: Score, depth: str) -> str:
        moves = "-".join(map(self.notation.move_text, line))
        return f"search {moves} {self.notation.discs(score):.2f} 0 {SOLVED_RESULT if score.is_proven else depth}"

    def _hint(self, rest: str) -> None:
        number = min(max(_whole(rest) or 1, 1), MOST_HINTS)

        def work(thought: Thought, position: Position) -> None:
            if not position.is_over:
                self._say(thought, "status zermelo is analysing")
                self._hints(thought, position, number)
            self._say(thought, "status")

        self._start(work)

    def _hints(self, thought: Thought, position: Position, number: int) -> None:
        player = self._limited
        analyses = _analyses(player, position)
        if analyses is None:  # it does not score every move
            self._thought_aloud(thought, player, position)
            return
        for analysis in analyses:
            for move in analysis.moves[:number]:
                depth = SOLVED if analysis.depth == 0 else str(analysis.depth)
                self._say(thought, self._search_line(move.line, move.score, depth))
            self._say(thought, f"nodestats {analysis.nodes} {analysis.seconds:.2f}")

    def _analyse(self, thought: Thought, position: Position) -> None:
        """What each position of the game is worth to its player to move, from the last to the first."""
        self._say(thought, "status zermelo is analysing")
        path = position.path
        for number in range(len(path) - 1, -1, -1):
            here, score = path[number], None
            if here.is_over:
                score = Score.exact((here.margin or 0) * (1 if here.to_move == 1 else -1))
            else:
                score = self._limited.think(here).score
            if score is not None:
                self._say(thought, f"analysis {number} {self.notation.discs(score):.2f}")
        self._say(thought, "status")


def _analyses(player: Player, position: Position) -> Iterator[Analysis] | None:
    """The player's analysis of every move, depth after depth; None for a player that does not score every move."""
    if isinstance(player, EnginePlayer):
        heuristic: Any = player.heuristic or (None if player.solver else position.game.default_heuristic)
        return deepen(position, Budget(player.depth, player.nodes, player.seconds), heuristic=heuristic)
    return deepen_by(player, position) if isinstance(player, SearchPlayer) else None


def _whole(text: str) -> int | None:
    """The whole number of a text; None if it is not one."""
    word = text.partition(" ")[0]
    return int(word) if word.isascii() and word.isdecimal() and len(word) < 10 else None
