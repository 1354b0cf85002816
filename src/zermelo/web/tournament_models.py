"""Tournaments and their games as the API answers with them."""

from typing import Any

from pydantic import BaseModel, Field

from zermelo.web.views import Pair


class Begun(BaseModel):
    """A tournament, by the name that addresses use for it."""

    id: str


class Listed(BaseModel):
    """A tournament in the list of all."""

    id: str
    name: str
    game: str = Field(description="The game and its options, as text.")
    title: str = Field(description="The name of the game.")
    format: str
    contestants: list[str]
    done: int = Field(description="The number of finished games.")
    total: int = Field(description="The number of games that are planned so far.")
    state: str = Field(description="One of preparing, playing, kept (nobody is playing it), finished and failed.")
    error: str | None = Field(description="What went wrong, if the tournament failed.")


class Found(Listed):
    """A tournament with its results so far."""

    progress: dict[str, Any]
    report: dict[str, Any]


class GameListed(BaseModel):
    """A finished game, without its moves."""

    pair: str = Field(description="The pair of games that it belongs to.")
    swapped: bool = Field(description="Whether it is the second game of its pair, with the colours swapped.")
    players: Pair
    score: float = Field(description="The score of the player who moved first: 1, 0.5 or 0.")
    reason: str = Field(description="How the game ended.")
    plies: int


class GamesListed(BaseModel):
    """Some of a tournament's finished games."""

    games: list[GameListed]
    more: bool = Field(description="Whether more games follow.")


class MoveShown(BaseModel):
    """A move of a finished game, and what its player knew about it."""

    move: str
    player: int = Field(description="The player who made the move: 1 or 2.")
    score: str | None = Field(description="The score that the player expected, from the player's own view.")
    depth: int | None
    nodes: int | None
    seconds: float | None = Field(description="The time for the move; null if the reader may not see it.")


class GameShown(BaseModel):
    """A game to look at move by move."""

    game: str = Field(description="The game and its options, as text.")
    players: Pair
    colours: Pair = Field(description="The names that the game gives to its players.")
    start: str = Field(description="The position in which the game began; '-' is the usual start.")
    moves: list[MoveShown]
    winner: int | None = Field(description="1, 2, or null for a draw.")
    reason: str = Field(description="How the game ended.")
    error: str | None = Field(description="What a program wrote about its failure, if it failed.")
    words: dict[str, str] = Field(description="Words that occur in moves, and their translations for the reader.")


class BoardShown(BaseModel):
    """A position of a game, drawn and as text."""

    picture: dict[str, Any]
    position: str
