"""A player as a program that speaks GTP, version 2 (lysator.liu.se/~gunnar/gtp, draft 2 of the specification).

A command may begin with a number, which the answer repeats. An answer is `= text` or `? reason`, and an empty line.
"""

import math
import time
from collections.abc import Callable

from zermelo import __version__
from zermelo.errors import IllegalMoveError, ZermeloError
from zermelo.players.notations import COLOURS, gtp_notation, told_games
from zermelo.players.player import Player, Resigned
from zermelo.position import Game, Position
from zermelo.protocols.clocks import Clocks
from zermelo.protocols.serving import LAST_SECONDS, Server, Write
from zermelo.protocols.thinking import within

INTERRUPT = "# interrupt"
"""A comment with which GoGui asks for an answer at once; programs that list the command gogui-interrupt understand."""
MOST_SECONDS = 1e9


class Refused(Exception):
    """A command cannot be obeyed; the text says why, in the words of the specification."""


class GtpServer(Server):
    """A conversation in GTP."""

    def __init__(self, game: Game, player: Player, write: Write):
        super().__init__(game, player, write)
        self.notation = gtp_notation(game)
        self.clocks = Clocks()
        self.past = [game.start()]  # the positions of this game; the last one is on the board
        self.commands: dict[str, Callable[[list[str]], str]] = {
            "protocol_version": lambda words: "2",
            "name": lambda words: "zermelo",
            "version": lambda words: __version__,
            "known_command": lambda words: "true" if _word(words) in (*self.commands, "quit") else "false",
            "list_commands": lambda words: "\n".join([*self.commands, "quit"]),
            "boardsize": self._boardsize,
            "clear_board": self._clear_board,
            "komi": self._komi,
            "play": self._play,
            "genmove": self._genmove,
            "reg_genmove": self._reg_genmove,
            "undo": self._undo,
            "time_settings": self._time_settings,
            "time_left": self._time_left,
            "final_score": self._final_score,
            "showboard": self._showboard,
            "all_legal_moves": lambda words: " ".join(map(self.notation.vertex_of, self.position.moves)),
            "gogui-interrupt": lambda words: "",
            "list_games": lambda words: "\n".join(gtp_notation(one).NAME for one in told_games("gtp")),
            "set_game": self._set_game,
        }

    @property
    def position(self) -> Position:
        return self.past[-1]

    # ------------------------------------------------------------------------------------------- lines

    def overhear(self, line: str) -> None:
        if line == INTERRUPT:
            self.thinker.hurry()

    def handle(self, line: str) -> bool:
        number, words = _words(line)
        if not words:
            return True
        name, *rest = words
        try:
            if name == "quit":
                answer = ""
            elif name in self.commands:
                answer = self.commands[name](rest)
            else:
                raise Refused("unknown command")
        except Refused as refused:
            self._say(f"?{number} {refused}")
        except ZermeloError as error:  # for example, a heuristic that fails
            self._say(f"?{number} {error}")
        else:
            self._say(f"={number}{answer if answer.startswith(chr(10)) else ' ' + answer}".rstrip())
        return name != "quit"

    def _say(self, answer: str) -> None:
        """Write an answer. An empty line ends it, so there is none inside."""
        self.write("\n".join(line for line in answer.splitlines() if line.strip()) + "\n")

    def end(self) -> None:
        self.thinker.finish(LAST_SECONDS)

    # ------------------------------------------------------------------------------------------- the board

    def _boardsize(self, words: list[str]) -> str:
        if not (_word(words).isascii() and words[0].isdecimal() and len(words[0]) < 6):
            raise Refused("syntax error")
        try:
            game = self.notation.resized(self.game, int(words[0]))
            self.player.prepare(game)
        except ZermeloError:
            raise Refused("unacceptable size") from None
        self._begin(game)
        return ""

    def _set_game(self, words: list[str]) -> str:
        """Of the program Quarry, which plays several games."""
        wanted = _word(words).lower()
        for game in told_games("gtp"):
            if gtp_notation(game).NAME.lower() == wanted:
                self.player.prepare(game)
                self.notation = gtp_notation(game)
                self._begin(game)
                return ""
        raise Refused("unknown game")

    def _begin(self, game: Game) -> None:
        self.game, self.past = game, [game.start()]
        self.clocks.begin()

    def _clear_board(self, words: list[str]) -> str:
        self._begin(self.game)
        return ""

    def _play(self, words: list[str]) -> str:
        if len(words) != 2:
            raise Refused("syntax error")
        here = self._with_to_move(_player(words[0]))
        if here.is_over:
            raise Refused("illegal move")
        try:
            self.past.append(here.play(self.notation.move_of(words[1].lower())))
        except IllegalMoveError:
            raise Refused("illegal move") from None
        except ZermeloError:
            raise Refused("invalid color or coordinate") from None
        return ""

    def _with_to_move(self, player: int) -> Position:
        """The position on the board, with this player to move."""
        if self.position.to_move == player or self.position.is_over:
            return self.position
        try:
            turned = self.notation.with_other_to_move(self.position)
        except ZermeloError:
            turned = None
        if turned is None:
            raise Refused("illegal move: it is the other player's turn")
        return turned

    def _undo(self, words: list[str]) -> str:
        if len(self.past) == 1:
            raise Refused("cannot undo")
        self.past.pop()
        return ""

    def _showboard(self, words: list[str]) -> str:
        return "\n" + self.position.board()

    def _komi(self, words: list[str]) -> str:
        """Points for the second player, which only Go has."""
        _number(words)
        return ""

    def _final_score(self, words: list[str]) -> str:
        if not self.position.is_over:
            raise Refused("cannot score")
        return self.notation.final_score(self.position)

    # ------------------------------------------------------------------------------------------- thinking

    def _genmove(self, words: list[str]) -> str:
        player = _player(_word(words))
        here, began = self._with_to_move(player), time.monotonic()
        vertex, after = self._chosen(here)
        self.clocks.spend(player, time.monotonic() - began)
        if after is not None:
            self.past.append(after)
        return vertex

    def _reg_genmove(self, words: list[str]) -> str:
        return self._chosen(self._with_to_move(_player(_word(words))))[0]

    def _chosen(self, here: Position) -> tuple[str, Position | None]:
        """The player's move, and the position after it; None if nothing is played."""
        if here.is_over:
            return self.notation.AFTER_THE_END, None
        seconds = self.clocks.for_move(here.to_move, self.notation.moves_left(here))
        player = within(self.player, seconds)
        try:
            move = self.thinker.result_of(self.thinker.start(lambda thought: player.think(here).move))
            return self.notation.vertex_of(move), here.play(move)
        except Resigned:
            return "resign", None

    # ------------------------------------------------------------------------------------------- time

    def _time_settings(self, words: list[str]) -> str:
        if len(words) != 3:
            raise Refused("syntax error")
        main, period, stones = (_number([word]) for word in words)
        self.clocks = Clocks(main, period, int(stones), is_set=True)
        return ""

    def _time_left(self, words: list[str]) -> str:
        if len(words) != 3:
            raise Refused("syntax error")
        self.clocks.left[_player(words[0])] = _number(words[1:2]), int(_number(words[2:]))
        return ""


def _words(line: str) -> tuple[str, list[str]]:
    """The number of a command, and its words, without a comment."""
    words = line.partition("#")[0].split()
    if words and words[0].isdecimal() and words[0].isascii():
        return words[0], words[1:]
    return "", words


def _word(words: list[str]) -> str:
    """The only argument of a command."""
    if len(words) != 1:
        raise Refused("syntax error")
    return words[0]


def _number(words: list[str]) -> float:
    """The only argument of a command, which is a number."""
    try:
        number = float(_word(words))
    except ValueError:
        raise Refused("syntax error") from None
    if not math.isfinite(number) or abs(number) > MOST_SECONDS:
        raise Refused("syntax error")
    return number


def _player(colour: str) -> int:
    """1 or 2."""
    for player, name in enumerate(COLOURS, 1):
        if colour.lower() in (name, name[0]):
            return player
    raise Refused("invalid color or coordinate")
