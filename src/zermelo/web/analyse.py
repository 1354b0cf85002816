"""Analysis: the score of every move, deeper and deeper, and the whole game as a graph with its mistakes."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from zermelo.calls import parse_call
from zermelo.core import announcing
from zermelo.errors import PositionError
from zermelo.games import find_heuristic
from zermelo.judging import deepened, review
from zermelo.language import _
from zermelo.position import Game
from zermelo.searches.budget import Budget
from zermelo.web.analysis_view import analysis_view, sometimes
from zermelo.web.events import event_stream
from zermelo.web.opponents import PERSON, name_of, workshop_files
from zermelo.web.pages import page
from zermelo.web.positions import Line, first_board
from zermelo.web.searches import Report
from zermelo.web.settings import Settings
from zermelo.web.variations import Tree, read_tree
from zermelo.web.views import LineOfPage, LineOfRequest, PlayerText, TreeText, content, facts_of
from zermelo.web.workbench import Own, place_of
from zermelo.web.workshop_files import heuristics_in, searches_in

router = APIRouter()

GRAPH_NODES = 50_000
"""Positions that are searched for each unsolved position of a game: a fifth of a second in Hex, the slowest game."""

MOST_GRAPH_NODES = 10_000_000
"""Positions that are searched for the whole game, at most."""

OWN_SECONDS = 60.0
"""Time limit for one position of a graph by a heuristic from the workshop, in seconds."""

TIMES = (3, 10, 30)
"""Time limits that the page offers, in seconds."""

HeuristicText = Annotated[
    str,
    Query(max_length=200, description="A heuristic, or a search of the workshop; empty for the usual heuristic."),
]


# ------------------------------------------------------------------------------------------ one position


@router.get("/api/analyse", tags=["analysis"], response_class=Response, responses=content("text/event-stream"))
def analyse(
    request: Request,
    line: LineOfRequest,
    seconds: Annotated[float, Query(gt=0, le=60)] = 10,
    depth: Annotated[int | None, Query(ge=1, le=60)] = None,
    heuristic: HeuristicText = "",
    points: Annotated[
        bool, Query(description="Show scores in the heuristic's points, not in the game's unit.")
    ] = False,
) -> Response:
    """Analyse a position. Events: `compiling`, `analysis` (each legal move with its score, and a picture), `done`."""
    here = line.position
    if here.is_over:
        raise PositionError("the game is over")
    settings = request.app.state.settings
    own = own_heuristic(heuristic, line, settings)
    budget = min(seconds, settings.most_seconds)

    def work(report: Report) -> None:
        if own is not None:
            job = {"do": "analyse", "heuristic": heuristic, "seconds": budget, "depth": depth}
            own.ask(place_of(here) | job, budget, lambda view: report(("analysis", view)))
            return
        with announcing(lambda: report(("compiling", {"game": _(line.game.title)}))):
            for analysis in sometimes(deepened(here, Budget(depth, seconds=budget), heuristic)):
                report(("analysis", analysis_view(here, analysis, points)))

    return event_stream(request.app.state.searches, work)


def own_heuristic(text: str, line: Line, settings: Settings) -> Own | None:
    """The code of the workshop that a heuristic's text names; None for a built-in heuristic, which must exist."""
    if not text:
        return None
    files = workshop_files(parse_call(text), settings)
    if files:
        return Own.of(text, settings.workshop_folder, files)
    find_heuristic(text, line.game)
    return None


# ------------------------------------------------------------------------------------------ a whole game


@router.get("/api/graph", tags=["analysis"], response_class=Response, responses=content("text/event-stream"))
def graph(
    request: Request,
    line: LineOfRequest,
    nodes: Annotated[
        int, Query(ge=1, le=1_000_000, description="Positions searched for each unsolved position.")
    ] = GRAPH_NODES,
    heuristic: HeuristicText = "",
) -> Response:
    """Analyse a whole game. Events: `point` for each position, with what its move gave away, and `done`."""
    own = own_heuristic(heuristic, line, request.app.state.settings)
    plies = len(line.moves)
    budget = min(nodes, MOST_GRAPH_NODES // (plies + 1))

    def work(report: Report) -> None:
        if own is not None:
            job = {"do": "graph", "heuristic": heuristic, "nodes": budget, "plies": plies}
            own.ask(place_of(line.last) | job, OWN_SECONDS, lambda point: report(("point", point)))
            return
        with announcing(lambda: report(("compiling", {"game": _(line.game.title)}))):
            for point in review(line.last.path[-plies - 1 :], budget, heuristic):
                report(("point", point))

    return event_stream(request.app.state.searches, work)


# ------------------------------------------------------------------------------------------ the page


@router.get("/analyse/{name}", include_in_schema=False)
@router.get("/analyse/{name}/{setup}", include_in_schema=False)
@router.get("/analyse/{name}/{setup}/{moves}", include_in_schema=False)
def analyse_page(
    request: Request,
    line: LineOfPage,
    heuristic: HeuristicText = "",
    first: PlayerText = "",
    second: PlayerText = "",
    tree: TreeText = "",
) -> Response:
    """The page that analyses a game. Who played it may be told: a person sees his own mistakes first.

    With a tree, the line is a part of it, or one more variation.
    """
    played = [first, second]
    settings = request.app.state.settings
    own_heuristic(heuristic, line, settings)
    own = {**heuristics_in(settings, line.game), **searches_in(settings)} if settings.has_workshop else {}
    view = facts_of(line)
    known = read_tree(line.game, line.start, tree, settings.most_plies) if tree else Tree(line, ())
    data = {
        "view": view.model_dump(),
        "edit": _editing(line.game),
        "main": _facts_of_line(known.main),
        "variations": [_facts_of_line(one) for one in known.variations],
    }
    return page(
        request,
        "analyse.html",
        data=data,
        line=line,
        view=view,
        names=[name_of(text) for text in played] if all(played) else None,
        person=played.index(PERSON) + 1 if played.count(PERSON) == 1 else None,
        board=first_board(line.position),
        heuristics=list(line.game.heuristics),
        own=list(own),
        usual=line.game.default_heuristic,
        heuristic=heuristic,
        times=TIMES,
    )


def _facts_of_line(line: Line) -> dict[str, Any]:
    found = facts_of(line)
    return {"line": found.line, "moves": found.moves, "movers": found.movers}


def _editing(game: Game) -> dict[str, Any]:
    """What the editor must know to change the text of a position by clicks on the board."""
    places = dict(game.edit_places())
    return {"symbols": game.edit_symbols, "movers": game.edit_movers, "fromTop": game.edit_from_top, "places": places}
