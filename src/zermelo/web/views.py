"""A line of play as pages and the API show it."""

from typing import Annotated, Any

from fastapi import Depends, Query, Request
from pydantic import BaseModel, Field, WithJsonSchema

from zermelo.errors import PositionError
from zermelo.language import gettext, marked
from zermelo.position import Position
from zermelo.web.notation import shown_move, words_of
from zermelo.web.positions import NOTHING, Line, board_of, read_line

# The schema has a plain array. A tuple would become `prefixItems`, which some readers of schemas do not know.
Pair = Annotated[
    tuple[str, str], WithJsonSchema({"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2})
]


def content(media_type: str) -> dict[int | str, dict[str, Any]]:
    """The part of the schema for a route whose answer is not JSON."""
    return {200: {"content": {media_type: {}}}}


ENDINGS = {"resigned": marked("{loser} resigned: {winner} wins"), "time": marked("{loser}'s time is up: {winner} wins")}
AGREED = "0-agreed"
"""The ending of a game in which both players agreed to a draw."""


class Ending(BaseModel):
    """How a game ended."""

    winner: int | None = Field(description="1, 2, or null for a draw.")
    reason: str = Field(description="One of played out, resigned, time and agreed.")
    text: str = Field(description="The result as a sentence.")
    how: str = Field(description="What decided it, such as `Four in a line`; may be empty.")


class PositionFacts(BaseModel):
    """A position within its game."""

    line: str = Field(description="The game as game/set-up/moves.")
    path: str = Field(description="The same, escaped, as it stands in the addresses of pages.")
    start: str = Field(description="The position in which the game began; empty for the usual start.")
    moves: list[str] = Field(description="All moves of the game.")
    movers: list[int] = Field(description="The player who made each of the moves, 1 or 2.")
    at: int = Field(description="How many of the moves lead to the position that is shown.")
    position: str = Field(description="The position as text.")
    players: Pair = Field(description="The names that the game gives to its players.")
    to_move: int = Field(description="The player to move, 1 or 2.")
    legal: list[str] = Field(description="The legal moves.")
    last: str | None = Field(description="The last move, if there is one.")
    spoken: str = Field(description="What happened, in a sentence for a screen reader.")
    opening: str = Field(description="The name of the opening, if it has one; otherwise empty.")
    ending: Ending | None = Field(description="How the game ended, or null if it did not.")
    words: dict[str, str] = Field(description="Words that occur in moves, and their translations for the reader.")


class PositionView(PositionFacts):
    """A position within its game, with its picture."""

    picture: dict[str, Any] = Field(description="A background, places, and the glyphs at the places.")


def line_of_request(
    request: Request,
    line: Annotated[
        str, Query(description="The game as game/set-up/moves.", max_length=20_000, examples=["hex/4x4/b3a1"])
    ],
    from_: Annotated[str, Query(alias="from", max_length=4000, description="Where the game began, if elsewhere.")] = "",
    at: Annotated[
        int | None, Query(ge=0, le=10_000, description="How many of the moves to show; all by default.")
    ] = None,
) -> Line:
    """The line that a request of the API is about."""
    parts = line.split("/")
    if len(parts) > 3:
        raise PositionError("{line!r} is not of the form game/set-up/moves", line=line[:200])
    name, setup, moves = [*parts, NOTHING, NOTHING][:3]
    return read_line(name, setup, moves, from_, at, request.app.state.settings.most_plies)


def line_of_page(
    request: Request,
    name: str,
    setup: str = NOTHING,
    moves: str = NOTHING,
    from_: Annotated[str, Query(alias="from")] = "",
    at: int | None = None,
) -> Line:
    """The line in the address of a page, /name/setup/moves."""
    return read_line(name, setup, moves, from_, at, request.app.state.settings.most_plies)


LineOfRequest = Annotated[Line, Depends(line_of_request)]
LineOfPage = Annotated[Line, Depends(line_of_page)]
PlayerText = Annotated[str, Query(max_length=500)]
TreeText = Annotated[str, Query(max_length=4000, description="The game with variations: `a1 b1 (c2 a3 (b3)) b2`.")]


def ending_of(position: Position, end: str = "") -> Ending | None:
    """How the game ended, on the board or as `end` says, such as `1-resigned` or `2-time`; None if it did not."""
    names = [gettext(name) for name in position.game.players]
    if position.is_over:
        winner = position.winner
        margin = position.margin
        if winner is None:
            text = gettext("A draw")
        else:
            by = margin and abs(margin) > 1
            text = gettext("{player} wins by {margin}") if by else gettext("{player} wins")
            text = text.format(player=names[winner - 1], margin=abs(margin or 0))
        how = sentence(position.game.how_it_ended(position))
        return Ending(winner=winner, reason="played out", text=sentence(text), how=how)
    loser, _, reason = end.partition("-")
    if loser in ("1", "2") and reason in ENDINGS:
        winner = 3 - int(loser)
        text = gettext(ENDINGS[reason]).format(loser=names[int(loser) - 1], winner=names[winner - 1])
        return Ending(winner=winner, reason=reason, text=sentence(text), how="")
    if end == AGREED:
        return Ending(winner=None, reason="agreed", text=gettext("A draw by agreement"), how="")
    if end:
        raise PositionError(
            "{end!r} is not an ending; write 1-resigned, 2-resigned, 1-time, 2-time or 0-agreed", end=end
        )
    return None


def sentence(text: str) -> str:
    """The text with a capital first letter."""
    return text[:1].upper() + text[1:]


def spoken(position: Position, ending: Ending | None) -> str:
    """The last move and the player to move, as sentences."""
    names = [gettext(name) for name in position.game.players]
    words = []
    if position.parent is not None:
        said = gettext("{player} played {move}.")
        move = shown_move(position.game, position.last_move_text or "")
        words.append(said.format(player=names[position.parent.to_move - 1], move=move))
    words.append(
        f"{ending.text}." if ending else gettext("{player} to move.").format(player=names[position.to_move - 1])
    )
    return " ".join(map(sentence, words))


def facts_of(line: Line, end: str = "") -> PositionFacts:
    """The position of a line that is shown."""
    position = line.position
    ending = ending_of(position, end if line.at == len(line.moves) else "")
    return PositionFacts(
        line=line.text,
        path=line.path,
        start=line.start,
        moves=list(line.moves),
        movers=[before.to_move for before in line.last.path[:-1]],
        at=line.at,
        position=str(position),
        players=position.game.players,
        to_move=position.to_move,
        legal=list(position.moves),
        last=position.last_move_text,
        spoken=spoken(position, ending),
        opening=position.game.opening_name(position),
        ending=ending,
        words=words_of(position.game),
    )


def view_of(line: Line, end: str = "") -> PositionView:
    """The position of a line that is shown, with its picture."""
    return PositionView(**dict(facts_of(line, end)), picture=board_of(line.position))
