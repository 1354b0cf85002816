"""Sharing: a position as a picture, a game as a file, and an address as a code that a telephone reads."""

import base64
import io
from html import escape
from typing import Annotated

import segno
from fastapi import APIRouter, Query, Request, Response
from starlette.responses import PlainTextResponse

from zermelo.language import _
from zermelo.match import Move, Record
from zermelo.web.game_store import record_text
from zermelo.web.positions import Line
from zermelo.web.saved import record_of
from zermelo.web.variations import read_tree
from zermelo.web.views import LineOfRequest, TreeText, content

router = APIRouter()

FileName = Annotated[str, Query(max_length=60, pattern=r"^[\w.-]*$", description="Name of the file to save it as.")]
Follow = Annotated[bool, Query(description="Dark colours for readers who have chosen dark pages.")]
Players = Annotated[str, Query(max_length=500, description="A player, as text.")]
End = Annotated[str, Query(max_length=20, description="How it ended off the board, such as 1-resigned or 2-time.")]


def _saved_as(name: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{name}"'} if name else {}


@router.get("/api/picture.svg", tags=["sharing"], response_class=Response, responses=content("image/svg+xml"))
def picture_of_line(line: LineOfRequest, save: FileName = "", follow: Follow = False) -> Response:
    """A picture of a position, as SVG."""
    headers = {"Cache-Control": "private, max-age=3600"} | _saved_as(save)
    drawn = line.position.picture().svg("image" if follow else "view")
    return Response(drawn, media_type="image/svg+xml", headers=headers)


@router.get("/api/game.txt", tags=["sharing"], response_class=Response, responses=content("text/plain"))
def game_as_text(
    request: Request,
    line: LineOfRequest,
    first: Players = "human",
    second: Players = "human",
    end: End = "",
    tree: TreeText = "",
) -> Response:
    """The game as text, as `zermelo` and the list of saved games read it. A tree adds a line with the variations."""
    if tree:
        most_plies = request.app.state.settings.most_plies
        line = read_tree(line.game, line.start, tree, most_plies).main
    text = record_text(_record(line, first, second, end), tree)
    return PlainTextResponse(text, headers=_saved_as("game.txt"))


@router.get("/api/game.jsonl", tags=["sharing"], response_class=Response, responses=content("application/jsonl"))
def game_as_json(line: LineOfRequest, first: Players = "human", second: Players = "human", end: End = "") -> Response:
    """The game as one line of JSON, in the format of `zermelo match --save`."""
    text = _record(line, first, second, end).to_json() + "\n"
    return PlainTextResponse(text, media_type="application/jsonl", headers=_saved_as("game.jsonl"))


def _record(line: Line, first: str, second: str, end: str) -> Record:
    return record_of(line, (first, second), [Move(move, 0.0) for move in line.moves], end)


@router.get("/api/embed.html", tags=["sharing"], response_class=Response, responses=content("text/plain"))
def embed(line: LineOfRequest) -> Response:
    """A piece of HTML that shows a position in any page. It needs nothing from this server, or from any other."""
    return PlainTextResponse(embedded(line))


def embedded(line: Line) -> str:
    """The HTML of a picture with its caption; the picture is inside."""
    here = line.position
    data = base64.b64encode(here.picture().svg("view").encode()).decode()
    opening = here.game.opening_name(here)
    caption = " · ".join(filter(None, [_(here.game.title), opening, str(here)]))
    return (
        f'<figure class="zermelo"><img alt="{escape(here.label)}" style="max-width: 100%" '
        f'src="data:image/svg+xml;base64,{data}"><figcaption>{escape(caption)}</figcaption></figure>\n'
    )


@router.get("/api/qr.svg", tags=["sharing"], response_class=Response, responses=content("image/svg+xml"))
def code_of(address: Annotated[str, Query(min_length=1, max_length=1500, pattern="^https?://")]) -> Response:
    """An address as a QR code."""
    file = io.BytesIO()
    segno.make(address, error="l", micro=False).save(file, kind="svg", border=3, scale=4, light="white")
    return Response(file.getvalue(), media_type="image/svg+xml")
