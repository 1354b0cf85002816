"""What a user can mend. Front ends catch ZermeloError alone; anything else is a bug, and shows.

An error carries its English text and its values. It is translated when it is shown:

    raise FileError("{path}: cannot be read: {reason}", path=path, reason=error)
"""

from typing import ClassVar

from zermelo.language import Message


class ZermeloError(ValueError):
    """Something the user wrote cannot be used; the message says which part, and why."""

    exit_status: ClassVar[int] = 2  #: of a command that ends with it
    http_status: ClassVar[int] = 400  #: of a request that it answers

    def __init__(self, text: object = "", /, **values: object):
        super().__init__(Message(text, **values) if isinstance(text, str) else text)

    def __str__(self) -> str:
        return str(self.args[0])


class GameError(ZermeloError):
    """No such game, or an option it does not take."""


class PositionError(ZermeloError):
    """A text that is no position of the game."""


class MoveError(ZermeloError):
    """A text that is no move of the game at all."""


class IllegalMoveError(MoveError):
    """A move of the game, but not in this position; the message holds both."""


class HeuristicError(ZermeloError):
    """A heuristic that cannot be found, compiled or run."""


class PlayerError(ZermeloError):
    """A player's text that cannot be read, or a player that cannot play here."""


class FileError(ZermeloError):
    """A file that cannot be read or written, or whose contents are not what they should be."""

    http_status = 500  # whoever asks a server did not choose its files


class UntrustedError(FileError):
    """A file that brings code which nobody has said to trust; the message tells what would run."""


class ResourceError(FileError):
    """A disk, a network, a database or a program that cannot be used now, although nothing is wrong with the input."""

    exit_status = 1
