"""Analysing: every move's score on the board, deeper and deeper; the whole game as a graph, and its mistakes."""

import time
from collections.abc import Iterator
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from zermelo.analysis import Analysis, deepen
from zermelo.calls import parse_call
from zermelo.core import announcing
from zermelo.errors import HeuristicError, PositionError
from zermelo.games import find_heuristic
from zermelo.language import _
from zermelo.position import Position
from zermelo.web.events import event_stream
from zermelo.web.judging import AS_GOOD, chance_of, mark_of, quality_of, scale_for, word_for
from zermelo.web.opponents import workshop_files
from zermelo.web.pages import page
from zermelo.web.positions import NOTHING, Line, board_of, position_of, read_line
from zermelo.web.searches import Report
from zermelo.web.settings import Settings
from zermelo.web.views import LineOfRequest, content, view_of

router = APIRouter()

AT_LEAST_APART = 0.15  # seconds between reports: shallow depths come by the hundred
MOST_GRAPH_SECONDS = 60.0
LINES, LINE_MOVES = 5, 8
TIMES = (3, 10, 30)

HeuristicText = Annotated[str, Query(max_length=200, description="the game's usual one if empty")]


# ------------------------------------------------------------------------------------------ one position


@router.get("/api/analyse", tags=["analysis"], response_class=Response, responses=content("text/event-stream"))
def analyse(
    request: Request,
    line: LineOfRequest,
    seconds: Annotated[float, Query(gt=0, le=60)] = 10,
    depth: Annotated[int | None, Query(ge=1, le=60)] = None,
    heuristic: HeuristicText = "",
) -> Response:
    """Events: `compiling`, `analysis` (each legal move with its score, and the board with all of them), `done`."""
    here = line.position
    if here.is_over:
        raise PositionError(_("the game is over"))
    settings = request.app.state.settings
    checked_heuristic(heuristic, line, settings)
    budget = min(seconds, settings.most_seconds)

    def work(report: Report) -> None:
        with announcing(lambda: report(("compiling", {"game": _(line.game.title)}))):
            found = deepen(here, seconds=budget, depth=depth, heuristic=heuristic or None)
            for analysis in sometimes(found):
                report(("analysis", analysis_view(here, analysis)))

    return event_stream(request.app.state.searches, work)


def checked_heuristic(text: str, line: Line, settings: Settings) -> None:
    if text:
        if workshop_files(parse_call(text), settings):
            raise HeuristicError(_("{text}: a heuristic of the workshop can play, but not analyse").format(text=text))
        find_heuristic(text, line.game)


def sometimes(found: Iterator[Analysis]) -> Iterator[Analysis]:
    """Not every analysis, if they come too fast to be seen; but always the last."""
    last, waiting = 0.0, None
    for analysis in found:
        now = time.monotonic()
        if now - last >= AT_LEAST_APART:
            last, waiting = now, None
            yield analysis
        else:
            waiting = analysis
    if waiting is not None:
        yield waiting


def analysis_view(here: Position, analysis: Analysis) -> dict[str, Any]:
    """An analysis for the page; chances are player 1's, scores the mover's."""
    scale = scale_for(analysis, here.game)
    board = board_of(here, {move.move: mark_of(move) for move in analysis.moves})
    chance = chance_of(analysis.best, scale)
    return {
        "depth": analysis.depth,
        "nodes": analysis.nodes,
        "seconds": round(analysis.seconds, 3),
        "heuristic": analysis.heuristic,
        "exact": all(move.exact for move in analysis.moves),
        "chance": round(chance if here.to_move == 1 else 1 - chance, 4),
        "text": analysis.best.text,
        "side": _(here.game.players[here.to_move - 1]),
        "qualities": {move.move: quality_of(move, analysis.best, scale) for move in analysis.moves},
        "lines": [
            {"move": move.move, "text": move.text, "line": list(move.line[:LINE_MOVES]), "exact": move.exact}
            for move in analysis.moves[:LINES]
        ],
        "svg": board.svg,
        "style": board.style,
    }


# ------------------------------------------------------------------------------------------ a whole game


@router.get("/api/graph", tags=["analysis"], response_class=Response, responses=content("text/event-stream"))
def graph(
    request: Request,
    line: LineOfRequest,
    seconds: Annotated[float, Query(gt=0, le=5, description="for each position")] = 0.2,
    heuristic: HeuristicText = "",
) -> Response:
    """Events: `point` for every position of the game, with what the move played there gave away; then `done`."""
    checked_heuristic(heuristic, line, request.app.state.settings)
    budget = min(seconds, MOST_GRAPH_SECONDS / (len(line.moves) + 1))

    def work(report: Report) -> None:
        with announcing(lambda: report(("compiling", {"game": _(line.game.title)}))):
            for ply in range(len(line.moves) + 1):
                report(("point", point_of(line, ply, budget, heuristic)))

    return event_stream(request.app.state.searches, work)


def point_of(line: Line, ply: int, seconds: float, heuristic: str) -> dict[str, Any]:
    """A position of the game on the graph: player 1's chance, and what is known of the move played there."""
    here = position_of(line.game, line.start, line.moves[:ply])
    if here.is_over:
        return {"ply": ply, "chance": {1: 1.0, 2: 0.0, None: 0.5}[here.winner], "text": "", "over": True}
    *_, analysis = deepen(here, seconds=seconds, heuristic=heuristic or None)
    scale = scale_for(analysis, line.game)
    chances = {move.move: round(chance_of(move, scale), 4) for move in analysis.moves}
    best = chances[analysis.best.move]
    point: dict[str, Any] = {
        "ply": ply,
        "chance": best if here.to_move == 1 else round(1 - best, 4),
        "text": analysis.best.text,
        "over": False,
        "mover": here.to_move,
        "best": analysis.best.move,
    }
    if ply < len(line.moves):
        lost = best - chances[line.moves[ply]]
        point |= {"played": line.moves[ply], "lost": round(lost, 4), "word": word_for(lost)}
        if point["word"]:
            point["as_good"] = [move for move, chance in chances.items() if chance >= best - AS_GOOD]
            point["better"] = [move for move, chance in chances.items() if chance > chances[line.moves[ply]] + AS_GOOD]
    return point


# ------------------------------------------------------------------------------------------ the page


@router.get("/analyse/{name}", include_in_schema=False)
@router.get("/analyse/{name}/{setup}", include_in_schema=False)
@router.get("/analyse/{name}/{setup}/{moves}", include_in_schema=False)
def analyse_page(
    request: Request,
    name: str,
    setup: str = NOTHING,
    moves: str = NOTHING,
    from_: Annotated[str, Query(alias="from")] = "",
    at: int | None = None,
    heuristic: HeuristicText = "",
) -> Response:
    """A game to look at closely."""
    settings = request.app.state.settings
    line = read_line(name, setup, moves, from_, at, settings.most_plies)
    checked_heuristic(heuristic, line, settings)
    view = view_of(line)
    return page(
        request,
        "analyse.html",
        data={"view": view.model_dump(exclude={"svg", "style"})},
        line=line,
        view=view,
        heuristics=list(line.game.heuristics),
        usual=line.game.default_heuristic,
        heuristic=heuristic,
        times=TIMES,
    )
