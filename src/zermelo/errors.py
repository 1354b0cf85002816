"""Errors that a user can mend. Front ends catch only ZermeloError; any other exception is a bug, and is shown as one.

An error carries its English text and its values. It is translated when it is shown:

    raise FileError("{path}: cannot be read: {reason}", path=path, reason=error)
"""

from typing import ClassVar

from zermelo.language import Message as Message  # for texts that are part of errors, in rooms that know no language
from zermelo.language import marked as marked


class ZermeloError(ValueError):
    """Something that the user wrote cannot be used; the message says which part, and why."""

    exit_status: ClassVar[int] = 2  #: of a command that ends with it
    http_status: ClassVar[int] = 400  #: of a request that it answers

    def __init__(self, text: object = "", /, **values: object):
        super().__init__(Message(text, **values) if isinstance(text, str) else text)

    def __str__(self) -> str:
        return str(self.args[0])


class GameError(ZermeloError):
    """There is no such game, or it does not take such an option."""


class PositionError(ZermeloError):
    """A text is not a position of the game."""


class MoveError(ZermeloError):
    """A text is not a move of the game in any position."""


class IllegalMoveError(MoveError):
    """A move is not legal in this position; the message names both."""


class HeuristicError(ZermeloError):
    """A heuristic cannot be found, compiled or run."""


class SearchError(ZermeloError):
    """A user's search cannot be found, compiled or run."""


class PlayerError(ZermeloError):
    """The text of a player cannot be read, or the player cannot play here."""


class PublishError(ZermeloError):
    """A game or a player cannot be published as a WebAssembly module."""


class FileError(ZermeloError):
    """A file cannot be read or written, or its contents are not what they should be."""

    http_status = 500  # whoever asks a server did not choose its files


class UntrustedError(FileError):
    """A file brings code that the user has not agreed to run; the message says what would run."""


class ResourceError(FileError):
    """A disk, network, database or program cannot be used now, although nothing is wrong with the input."""

    exit_status = 1


class PlainPythonWarning(UserWarning):
    """A note: a heuristic cannot be compiled, so it runs as plain Python. The text says where, why and how slowly."""

    def __str__(self) -> str:
        return str(self.args[0])
