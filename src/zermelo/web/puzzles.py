"""Puzzles in the page: find the only move that wins. One of them is the puzzle of the day."""

import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import BaseModel, Field
from starlette.responses import RedirectResponse

from zermelo.games import catalogue_game
from zermelo.language import _
from zermelo.puzzles import Puzzle, daily_puzzle, find_puzzle, games_with_puzzles, puzzles_of
from zermelo.web.notation import shown_move
from zermelo.web.pages import page
from zermelo.web.positions import Line, first_board
from zermelo.web.rules import line_of
from zermelo.web.views import PositionView, facts_of, sentence, view_of

router = APIRouter()

PuzzleId = Annotated[str, Path(max_length=60)]


class Judged(BaseModel):
    """What a move in a puzzle is worth."""

    right: bool = Field(description="Whether it is the move that wins.")
    text: str = Field(description="The same as a sentence.")
    view: PositionView | None = Field(description="The position after the move, if it wins.")


class Answer(BaseModel):
    """The answer to a puzzle."""

    move: str = Field(description="The only move that wins.")
    text: str = Field(description="The same as a sentence.")


@router.get("/api/puzzles/{id}/try", tags=["puzzles"])
def judge(id: PuzzleId, move: Annotated[str, Query(min_length=1, max_length=100)]) -> Judged:
    """Judge a move in a puzzle."""
    puzzle = find_puzzle(id)
    here = puzzle.start
    after = here.play(move)
    text = after.last_move_text or move
    shown = shown_move(here.game, text)
    if text != puzzle.move:
        return Judged(right=False, text=sentence(_("{move} does not win. Try again.").format(move=shown)), view=None)
    line = line_of(here)
    moves = (*line.moves, text)
    view = view_of(Line(line.game, line.start, moves, len(moves)))
    return Judged(right=True, text=sentence(_("Right! {move} wins.").format(move=shown)), view=view)


@router.get("/api/puzzles/{id}/answer", tags=["puzzles"])
def answer(id: PuzzleId) -> Answer:
    """Tell the answer to a puzzle."""
    puzzle = find_puzzle(id)
    shown = shown_move(puzzle.start.game, puzzle.move)
    return Answer(move=puzzle.move, text=_("The winning move is {move}.").format(move=shown))


@router.get("/puzzles", include_in_schema=False)
def today(request: Request, date: datetime.date | None = None) -> Response:
    """The puzzle of a day. Without a date it is today's; the same for everybody, since it depends on the date alone."""
    day = date or datetime.date.today()
    return _page(request, daily_puzzle(day), day)


@router.get("/puzzles/{id}", include_in_schema=False)
def one(request: Request, id: PuzzleId) -> Response:
    """Any puzzle, by its id."""
    names = games_with_puzzles()
    if id in names:
        return RedirectResponse(f"/puzzles/{puzzles_of(id)[0].id}", 303)
    return _page(request, find_puzzle(id), None)


def _page(request: Request, puzzle: Puzzle, day: datetime.date | None) -> Response:
    here = puzzle.start
    request.app.state.first_use.knows(here.game)
    line = line_of(here)
    name = here.game.name
    listed = puzzles_of(name)
    place = [one.id for one in listed].index(puzzle.id)
    view = facts_of(line)
    games: dict[str, Any] = {one: _(catalogue_game(one).title) for one in games_with_puzzles()}
    asked = _("{player} to move. One move wins. Which one?").format(player=_(here.game.players[here.to_move - 1]))
    return page(
        request,
        "puzzles.html",
        data={"id": puzzle.id, "view": view.model_dump(), "day": None if day is None else day.isoformat()},
        puzzle=puzzle,
        title=_(here.game.title),
        chosen=name,
        games=games,
        listed=listed,
        following=listed[(place + 1) % len(listed)].id,
        before=listed[place - 1].id,
        day=day,
        line=line,
        asked=sentence(asked),
        board=first_board(here),
        total=sum(len(puzzles_of(one)) for one in games),
    )
