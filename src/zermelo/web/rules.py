"""How a game is played: the text of its folder, with pictures, and lessons that the reader plays."""

from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request, Response
from markdown_it import MarkdownIt

from zermelo.games.how_to_play import HowToPlay, Part, how_to_play
from zermelo.language import _
from zermelo.position import Position
from zermelo.web.pages import page
from zermelo.web.positions import NOTHING, Line, first_board, game_name_in_url, game_of
from zermelo.web.views import facts_of

router = APIRouter()

markdown = MarkdownIt("commonmark", {"html": False})


@router.get("/rules/{name}", include_in_schema=False)
def rules_page(request: Request, name: str, setup: str = NOTHING) -> Response:
    """The page that explains a game."""
    found = how_to_play(game_of(name, setup))
    parts = [_shown(part) for part in found.parts]
    lessons = [part["lesson"] for part in parts if part["kind"] == "lesson"]
    return page(
        request,
        "rules.html",
        title=_(found.game.title),
        about=_about(found),
        game=game_name_in_url(Line(found.game, "", (), 0).game_name),
        parts=parts,
        data={"lessons": lessons},
        has_text=found.is_written,
    )


def _about(found: HowToPlay) -> str:
    """The sentence that stands for the game in lists."""
    first = (type(found.game).__doc__ or "").strip().partition("\n")[0]
    return _(first) if first else ""


def _shown(part: Part) -> dict[str, Any]:
    """A part of the text, for the template."""
    if part.position is None:
        return {"kind": part.kind, "html": markdown.render(part.text)}
    line = line_of(part.position)
    query = urlencode({"line": line.text, "from": line.start})
    shown: dict[str, Any] = {"kind": part.kind, "caption": part.text, "label": part.position.label, "query": query}
    if part.kind == "lesson":
        steps = [
            {"ask": step.ask, "moves": list(step.moves), "said": step.said, "replies": list(step.replies)}
            for step in part.steps
        ]
        shown["lesson"] = {"view": facts_of(line).model_dump(), "steps": steps}
        shown["board"] = first_board(part.position)
    return shown


def line_of(position: Position) -> Line:
    """A position as an address tells it: by its moves from the start of the game, or by its text."""
    game = position.game
    if position.path[0] == game.start():
        return Line(game, "", position.line, len(position.line))
    return Line(game, str(position), (), 0)
