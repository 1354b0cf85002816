"""How strong the visitor is: an estimate from games against the levels. The browser keeps the results."""

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from zermelo.errors import PlayerError
from zermelo.language import _
from zermelo.players.levels import NAMES, levels_of
from zermelo.tournaments.intervals import Z95
from zermelo.tournaments.rating import strength_against
from zermelo.web.positions import game_of

router = APIRouter()

LEAST_GAMES = 3
"""An estimate from fewer games would say more about luck than about strength."""


class Strength(BaseModel):
    """How strong somebody is, on the scale of the levels."""

    games: int = Field(description="The number of games that count.")
    elo: float | None = Field(description="Elo on the scale of the game's levels, on which level 1 is 0.")
    error: float | None = Field(description="Half the width of the 95% interval.")
    level: int | None = Field(description="The level that is closest.")
    text: str = Field(description="The estimate as a sentence; empty after too few games.")


@router.get("/api/strength", tags=["players"])
def strength(
    game: Annotated[str, Query(max_length=60)],
    results: Annotated[str, Query(max_length=4000, pattern=r"^(\d+:[012](,\d+:[012])*)?$")] = "",
) -> Strength:
    """Estimate a strength from games against levels: `3:2,4:0` is a win (2) against level 3 and a loss (0) to level 4.

    A 1 is a draw. The mathematics are those of tournaments.
    """
    levels = levels_of(game_of(game))
    elo = levels.elo
    played = [(int(level), int(points)) for level, points in (one.split(":") for one in results.split(",") if one)]
    if any(not 1 <= level <= len(NAMES) for level, _points in played):
        raise PlayerError("the levels are 1 to {most}", most=len(NAMES))
    if len(played) < LEAST_GAMES or not levels.is_measured:  # strengths that nobody measured say nothing
        return Strength(games=len(played), elo=None, error=None, level=None, text="")
    middle = (elo[0] + elo[-1]) / 2
    found, error = strength_against([(elo[level - 1], points / 2) for level, points in played], middle)
    level = min(range(1, len(NAMES) + 1), key=lambda number: abs(elo[number - 1] - found))
    told = _("After {games} games you are about as strong as level {level}, {name} (Elo {elo:.0f} ± {error:.0f}).")
    text = told.format(games=len(played), level=level, name=_(NAMES[level - 1]), elo=found, error=Z95 * error)
    return Strength(games=len(played), elo=round(found, 1), error=round(Z95 * error, 1), level=level, text=text)
