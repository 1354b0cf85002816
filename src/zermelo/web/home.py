"""The first page, which shows the games."""

from fastapi import APIRouter, Request, Response

from zermelo.games import broken_games, find_game, game_names
from zermelo.language import _
from zermelo.position import random_playout
from zermelo.web.pages import page
from zermelo.web.positions import game_name_in_url, game_of

router = APIRouter()

KEEP_A_DAY = {"Cache-Control": "private, max-age=86400"}


@router.get("/", include_in_schema=False)
def home(request: Request) -> Response:
    """The page with a card for each game."""
    return page(request, "home.html", cards=[_card(name) for name in game_names()], broken=broken_games())


def _card(name: str) -> dict[str, str]:
    game = find_game(name)
    about = (type(game).__doc__ or "").strip().partition("\n")[0]
    return {
        "title": _(game.title) if str(game) == game.name else f"{_(game.title)}: {str(game).partition('/')[2]}",
        "about": _(about) if about else "",
        "name": game_name_in_url(str(game)),
    }


@router.get("/picture/{game}.svg", include_in_schema=False)
def picture(request: Request, game: str) -> Response:
    """A picture of a game. It is not part of the page, which need not wait for it."""
    request.app.state.first_use.knows(game_of(game))
    start = game_of(game).start()
    shown = random_playout(start, seed=3, plies=start.game.shown_plies)
    return Response(shown.picture().svg("image"), media_type="image/svg+xml", headers=KEEP_A_DAY)
