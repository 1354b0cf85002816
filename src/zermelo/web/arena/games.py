"""The games of a contestant, and every game move by move.

On the ladder, a student sees the games of the own submissions. The games of rounds and of the final are for the whole
class. What a player thought about its moves, and how it failed, is only for its own student and the teacher.
"""

from dataclasses import replace
from typing import Annotated
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Depends, HTTPException, Query, Request, Response

from zermelo.arena.feedback import LADDER, Mine, without_paths
from zermelo.language import _
from zermelo.match import reason_text
from zermelo.tournaments.store import Store
from zermelo.tournaments.stored import Result
from zermelo.web.arena.showing import Titles
from zermelo.web.arena.signing import records_of, require_member, visitor_of
from zermelo.web.pages import page
from zermelo.web.replay import Replay
from zermelo.web.tournament_models import BoardShown, GameShown

router = APIRouter(dependencies=[Depends(require_member)])

ON_A_PAGE = 50
"""The number of games in one page of the list."""

WHICH = ("all", "won", "drawn", "lost", "faults")

Contestant = Annotated[str, Query(max_length=40)]
PairOf = Annotated[str, Query(max_length=200)]


def game_address(tournament: str, pair: str, swapped: bool, ply: int | None = None) -> str:
    """The address of a game, at a move if one is given."""
    at = "" if ply is None else f"?ply={ply}"
    return f"/games/{quote(tournament)}/{quote(pair, safe='/')}/{int(swapped)}{at}"


# ------------------------------------------------------------------------------------------ the list


@router.get("/games", include_in_schema=False)
def games(
    request: Request,
    contestant: Contestant,
    which: Annotated[str, Query(max_length=10)] = "all",
    against: Contestant = "",
    begin: Annotated[int, Query(ge=0, le=10_000_000)] = 0,
) -> Response:
    """The games of a contestant on the ladder, the latest first."""
    records = records_of(request)
    titles = Titles(records, request.app.state.arena, visitor_of(request))
    entrant = titles.entrant(contestant)
    if entrant is None or not titles.is_own(contestant) or which not in WHICH:
        raise HTTPException(404)
    found = [Mine(contestant, one) for one in _results(records.store, contestant)]
    opponents = sorted({one.against for one in found}, key=titles.title)
    chosen = [one for one in found if one.is_of(which) and against in ("", one.against)]
    rows = [
        {
            "address": game_address(LADDER, one.result.pair, one.result.swapped),
            "against": titles.title(one.against),
            "seat": one.seat,
            "result": {1: _("won"), 0.5: _("drawn"), 0: _("lost")}[one.score],
            "is_fault": one.is_fault,
            "reason": reason_text(reason_for(one.result.reason, one.is_fault)),
            "plies": one.result.plies,
        }
        for one in chosen[begin : begin + ON_A_PAGE]
    ]

    def address(**changed: object) -> str:
        query = {"contestant": contestant, "which": which, "against": against, "begin": 0} | changed
        return "/games?" + urlencode({name: value for name, value in query.items() if value not in ("", 0, "all")})

    return page(
        request,
        "arena/games.html",
        title=titles.title(contestant),
        submission=entrant.submission,
        rows=rows,
        number=len(chosen),
        begin=begin,
        which=which,
        kinds=[
            ("all", _("All")),
            ("won", _("Won")),
            ("drawn", _("Drawn")),
            ("lost", _("Lost")),
            ("faults", _("Faults")),
        ],
        against=against,
        contestant=contestant,
        opponents=[(name, titles.title(name)) for name in opponents],
        address=address,
        earlier=address(begin=max(0, begin - ON_A_PAGE)) if begin else "",
        later=address(begin=begin + ON_A_PAGE) if begin + ON_A_PAGE < len(chosen) else "",
    )


def _results(store: Store, contestant: str) -> list[Result]:
    if LADDER not in store.names():
        return []
    return store.results(LADDER, 1_000_000, players=(contestant,), latest=True)


def reason_for(reason: str, is_told: bool) -> str:
    """How a game ended. The details of a fault are only for those who may see them."""
    return without_paths(reason) if is_told else reason.partition(":")[0]


# ------------------------------------------------------------------------------------------ one game


@router.get("/games/{tournament}/{pair:path}/{swapped}", include_in_schema=False)
def one_game(request: Request, tournament: str, pair: str, swapped: int) -> Response:
    """The page that shows a game move by move."""
    return _replay(request, tournament, pair, swapped != 0).page(request)


@router.get("/api/games/{tournament}/game", tags=["games"])
def get_game(request: Request, tournament: str, pair: PairOf, swapped: bool = False) -> GameShown:
    """One game with its moves."""
    return _replay(request, tournament, pair, swapped).shown()


@router.get("/api/games/{tournament}/board", tags=["games"])
def get_board(
    request: Request,
    tournament: str,
    pair: PairOf,
    swapped: bool = False,
    ply: Annotated[int, Query(ge=0, le=100_000)] = 0,
) -> BoardShown:
    """The board of a game after a number of plies."""
    return _replay(request, tournament, pair, swapped).board(ply)


def _replay(request: Request, tournament: str, pair: str, swapped: bool) -> Replay:
    records = records_of(request)
    found = records.store.game(tournament[:100], pair[:200], swapped)
    titles = Titles(records, request.app.state.arena, visitor_of(request))
    if found is None:
        raise HTTPException(404)
    record = found.record
    own = (titles.is_own(record.players[0]), titles.is_own(record.players[1]))
    if tournament == LADDER and not any(own):
        raise HTTPException(404)
    loser = None if record.winner is None else 2 - record.winner  # as an index
    told = loser is not None and own[loser]
    shown = replace(
        record,
        players=(titles.title(record.players[0]), titles.title(record.players[1])),
        reason=reason_for(record.reason, told),
        error=without_paths(record.error) if told and record.error else None,
    )
    mine = next((name for name, is_own in zip(record.players, own, strict=True) if is_own), None)
    back = (f"/games?contestant={mine}", _("← All games of this version")) if mine else ("/", _("← The ladder"))
    return Replay(
        shown,
        tournament,
        pair,
        swapped,
        api=f"/api/games/{quote(tournament)}",
        back=back if tournament == LADDER else ("/rounds", _("← The rounds")),
        views=(("/analyse/", _("Analyse")),),
        tells=own,
    )
