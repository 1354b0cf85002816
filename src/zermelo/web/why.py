"""See why: a search of the textbooks, walked through node by node."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, Field

from zermelo.calls import parse_call
from zermelo.errors import FileError, HeuristicError, PositionError
from zermelo.games import find_game, game_names
from zermelo.language import _
from zermelo.players import AlphaBetaPlayer, MinimaxPlayer
from zermelo.position import Game, Position
from zermelo.web.pages import page
from zermelo.web.positions import NOTHING, Line, game_name_in_url, picture_of, read_line
from zermelo.web.settings import Settings
from zermelo.web.why_tree import SearchTree, check_tree, explore
from zermelo.web.workbench import Own, place_of
from zermelo.web.workshop_files import WORKSHOP_NAME, heuristics_in

router = APIRouter()

OWN = "own"
"""What a tree written in the page is called where others have a game's name."""

MOST_TREE_TEXT = 20_000
MOST_DEPTH = 20  # of a game; the number of nodes is limited anyway
WHOLE_TREE = 60

EXAMPLE = """\
[children]
A = ["B", "C", "D"]
B = ["E", "F", "G"]
C = ["H", "I", "J"]
D = ["K", "L", "M"]

[scores]
E = 3
F = 12
G = 8
H = 2
I = 4
J = 6
K = 14
L = 5
M = 2
"""

Text = Annotated[str, Field(max_length=200)]


class Place(BaseModel):
    """A position: of a game, as addresses have it, or the root of a tree written in TOML."""

    game: Annotated[str, Field(max_length=100, examples=["connect4", "tree:course"])] = "tree:course"
    setup: Annotated[str, Field(max_length=4000)] = NOTHING
    moves: Annotated[str, Field(max_length=16_000)] = NOTHING
    start: Annotated[str, Field(max_length=4000)] = ""
    tree: Annotated[str, Field(max_length=MOST_TREE_TEXT)] = ""


class Wanted(Place):
    """A search to walk through."""

    search: Literal["minimax", "alphabeta"] = "alphabeta"
    depth: Annotated[int, Field(ge=1, le=WHOLE_TREE)] = 3
    heuristic: Text = ""
    tolerance: Annotated[int, Field(ge=0, le=1 << 29)] = 0
    order: Text = ""
    order_plies: Annotated[int, Field(ge=0, le=64)] | None = None
    top_moves: Annotated[int, Field(ge=1, le=1000)] | None = None


class NodeWanted(Place):
    """A node below the position: the moves that lead to it."""

    line: Annotated[list[Text], Field(max_length=WHOLE_TREE)] = []


class NodeShown(BaseModel):
    """What stands on the board there."""

    svg: str
    text: str = Field(description="the position as text")
    to_move: str
    over: bool
    path: str | None = Field(description="its part of an address; none for a tree written in the page")


@router.get("/why", include_in_schema=False)
def why(request: Request) -> Response:
    """The page with a tree to begin with."""
    return _page(request, read_line("tree:course"))


@router.get(f"/why/{OWN}", include_in_schema=False)
def why_own(request: Request) -> Response:
    """The page with a tree of the user's own, which is in the address behind `#`."""
    return _page(request, None)


@router.get("/why/{game}", include_in_schema=False)
@router.get("/why/{game}/{setup}", include_in_schema=False)
@router.get("/why/{game}/{setup}/{moves}", include_in_schema=False)
def why_position(
    request: Request,
    game: str,
    setup: str = NOTHING,
    moves: str = NOTHING,
    start: Annotated[str, Query(alias="from")] = "",
    at: int | None = None,
) -> Response:
    """The page for a position."""
    line = read_line(game, setup, moves, start, at, request.app.state.settings.most_plies)
    return _page(request, Line(line.game, line.start, line.moves[: line.at], line.at))


def _page(request: Request, line: Line | None) -> Response:
    games = [find_game(name) for name in game_names()]
    choices = [{"name": game_name_in_url(str(game)), "title": _title(game)} for game in games]
    game = line.game if line else find_game("tree/course")
    settings: Settings = request.app.state.settings
    own = heuristics_in(settings, game) if settings.has_workshop else {}
    place = {"game": OWN, "setup": NOTHING, "moves": NOTHING, "start": ""}
    if line is not None:
        name, setup, moves = line.path.split("/")
        place = {"game": name, "setup": setup, "moves": moves, "start": line.start}
    return page(
        request,
        "why.html",
        choices=[*choices, {"name": OWN, "title": _("A tree of your own")}],
        place=place,
        line=line,
        title=_title(game) if line else _("A tree of your own"),
        is_tree=game.name == "tree",
        heuristics={name: (h.__doc__ or "").strip() for name, h in game.heuristics.items()} | own,
        default_heuristic=game.default_heuristic,
        position=str(line.position) if line else "",
        is_over=line is not None and line.position.is_over,
        moves=list(line.moves) if line else [],
        example=EXAMPLE,
        most_depth=MOST_DEPTH,
    )


def _title(game: Game) -> str:
    variant = getattr(game, "variant", "")
    return f"{_(game.title)}: {variant}" if variant else _(game.title)


@router.post("/api/tree", tags=["see why"])
async def search_tree(request: Request, wanted: Wanted) -> SearchTree:
    """Run a search of the textbooks and give its whole tree, up to 20 000 nodes."""

    settings: Settings = request.app.state.settings

    def work() -> SearchTree:
        position = _position(wanted, settings.most_plies)
        own = _own_files(wanted, settings)
        player = _player(wanted, position.game, own)
        if not own:
            return explore(position, player)
        job = place_of(position) | {"job": "tree", "player": str(player)}
        return SearchTree(**Own.of(str(player), settings.workshop_folder, own).ask(job, settings.most_seconds))

    found: SearchTree = await request.app.state.searches.run(work)
    return found


@router.post("/api/tree/node", tags=["see why"])
def search_tree_node(request: Request, wanted: NodeWanted) -> NodeShown:
    """The board at a node."""
    position = _position(wanted, request.app.state.settings.most_plies)
    for move in wanted.line:
        position = position.play(move)
    path = None
    if not wanted.tree:
        above = read_line(wanted.game, wanted.setup, wanted.moves, wanted.start)
        moves = above.moves + position.line[len(position.line) - len(wanted.line) :]
        path = Line(above.game, above.start, moves, len(moves)).path
    to_move = position.game.players[position.to_move - 1]
    return NodeShown(svg=picture_of(position), text=str(position), to_move=to_move, over=position.is_over, path=path)


def _position(place: Place, most_plies: int) -> Position:
    if not place.tree:
        return read_line(place.game, place.setup, place.moves, place.start, most_plies=most_plies).position
    try:
        game = find_game("tree", toml=place.tree)
    except FileError as error:  # no file, but what the user wrote
        raise PositionError(str(error)) from None
    check_tree(game)
    return game.start()


def _own_files(wanted: Wanted, settings: Settings) -> list[str]:
    """The files of the workshop that a search needs. Trees written in the page have scores, and no heuristics."""
    texts = [text for text in (wanted.heuristic, wanted.order) if text and not wanted.tree]
    named = [WORKSHOP_NAME.fullmatch(parse_call(text).name) for text in texts]
    return [found[1] for found in named if found and settings.has_workshop]


def _player(wanted: Wanted, game: Game, own: list[str]) -> MinimaxPlayer | AlphaBetaPlayer:
    heuristic, order = (_heuristic(text, game, own) for text in (wanted.heuristic, wanted.order))
    depth = wanted.depth if game.name == "tree" else min(wanted.depth, MOST_DEPTH)
    if wanted.search == "minimax":
        return MinimaxPlayer(heuristic, depth)
    return AlphaBetaPlayer(heuristic, depth, wanted.tolerance, order, wanted.order_plies, wanted.top_moves)


def _heuristic(text: str, game: Game, own: list[str]) -> str | None:
    """One of the game's own or of the workshop's files, with weights perhaps: a page cannot have others read."""
    if not text:
        return None
    name = parse_call(text).name
    if name not in game.heuristics and name.rpartition(":")[0] not in own:
        raise HeuristicError(
            _("{title} has no heuristic {text!r}; it has {heuristics}").format(
                title=_(game.title), text=text, heuristics=", ".join(game.heuristics)
            )
        )
    return text
