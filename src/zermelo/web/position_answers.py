"""What pages ask about positions: the position after some moves, and why a move is not possible."""

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from zermelo.errors import MoveError, PositionError
from zermelo.language import Message, _
from zermelo.web.notation import shown_move
from zermelo.web.positions import Line
from zermelo.web.views import LineOfRequest, PositionView, view_of

router = APIRouter()


class Reason(BaseModel):
    """The answer to why a move is not possible."""

    reason: str | None = Field(description="A sentence, or null if the move is legal.")


@router.get("/api/position", tags=["positions"])
def position(
    line: LineOfRequest,
    play: Annotated[list[str], Query(max_length=50, description="Moves to play in the position that is shown.")] = [],  # noqa: B006
    end: Annotated[
        str, Query(max_length=20, description="How the game ended off the board, such as 1-resigned or 2-time.")
    ] = "",
) -> PositionView:
    """A position with its picture, or the position after some moves, which replace the moves that followed."""
    after = line.position
    for move in play:
        after = after.play(move[:100])
    if play:
        moves = (*line.moves[: line.at], *after.line[-len(play) :])
        line = Line(line.game, line.start, moves, len(moves))
    return view_of(line, end)


class Edited(BaseModel):
    """A position after a click in the editor."""

    text: str = Field(description="The position as text.")
    held: str = Field(description="The place whose piece the next click moves; empty if there is none.")


@router.get("/api/edited", tags=["positions"])
def edited(
    line: LineOfRequest,
    place: Annotated[str, Query(min_length=1, max_length=60, description="The place that was clicked.")],
    held: Annotated[str, Query(max_length=60, description="What the last click answered as `held`.")] = "",
) -> Edited:
    """What a click in the editor makes of a position, in games that have places to click."""
    game = line.game
    if place != "turn" and place not in game.edit_places():
        raise PositionError("{place!r} is not a place to click in {title}", place=place, title=Message(game.title))
    text, now_held = game.edited(line.position.state, place, held)
    return Edited(text=text, held=now_held)


@router.get("/api/why-not", tags=["positions"])
def why_not(line: LineOfRequest, move: Annotated[str, Query(min_length=1, max_length=100)]) -> Reason:
    """Why a move is not possible in a position."""
    here = line.position
    if here.is_over:
        return Reason(reason=_("the game is over"))
    try:
        here.game.parse_move(here.state, move)
    except MoveError as error:
        known = here.game.why_not(here.state, here.game.normal_move_text(move)) is not None
        return Reason(
            reason=str(error) if known else _("no legal move leads to {move}").format(move=shown_move(here.game, move))
        )
    return Reason(reason=None)
