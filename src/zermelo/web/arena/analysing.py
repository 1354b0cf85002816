"""The lab's own page of analysis, for the game of the arena. The number of its searches at once is limited."""

from fastapi import APIRouter, Depends, HTTPException, Request

from zermelo.games import find_game
from zermelo.web import analyse, position_answers
from zermelo.web.arena.signing import require_member
from zermelo.web.positions import Line


def only_this_game(request: Request) -> None:
    """A dependency: other games are not analysed here, because their rules would have to be compiled first."""
    asked = request.path_params.get("name") or request.query_params.get("line", "").partition("/")[0]
    if asked != Line(find_game(request.app.state.arena.game), "", (), 0).parts[0]:
        raise HTTPException(404)


router = APIRouter(dependencies=[Depends(require_member), Depends(only_this_game)])
router.include_router(analyse.router)
router.include_router(position_answers.router)
