"""See why: a search of the textbooks, walked through node by node."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, Field

from zermelo.calls import parse_call
from zermelo.core.parts import part_of
from zermelo.errors import FileError, GameError, HeuristicError, PositionError
from zermelo.games import find_game, first_game, game_names
from zermelo.language import _
from zermelo.players import AlphaBetaPlayer, MinimaxPlayer
from zermelo.position import Game, Position
from zermelo.web.notation import shown_move
from zermelo.web.pages import page
from zermelo.web.positions import NOTHING, Line, game_name_in_url, read_line, view_of_board
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

Text = Annotated[str, Field(max_length=200)]


class Place(BaseModel):
    """A position: of a game, as addresses have it, or the root of a tree written in TOML. By default the page's own."""

    game: Annotated[str, Field(max_length=100, examples=["connect4", "tree:course"])] = ""
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

    picture: dict[str, Any]
    text: str = Field(description="the position as text")
    to_move: str
    over: bool
    path: str | None = Field(description="its part of an address; none for a tree written in the page")


@router.get("/why", include_in_schema=False)
def why(request: Request) -> Response:
    """The page with a tree to begin with."""
    return _page(request, read_line(game_name_in_url(str(first_shown()))))


@router.get(f"/why/{OWN}", include_in_schema=False)
def why_own(request: Request) -> Response:
    """The page with a tree of the user's own, which is in the address behind `#`."""
    if written_kind() is None:
        raise _nothing_written()
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
    kind = written_kind()
    game = line.game if line else kind
    assert game is not None
    settings: Settings = request.app.state.settings
    own = heuristics_in(settings, game) if settings.has_workshop else {}
    place = {"game": OWN, "setup": NOTHING, "moves": NOTHING, "start": ""}
    if line is not None:
        name, setup, moves = line.path.split("/")
        place = {"game": name, "setup": setup, "moves": moves, "start": line.start}
    return page(
        request,
        "why.html",
        choices=[*choices, *([{"name": OWN, "title": _("Your own tree")}] if kind else [])],
        place=place,
        line=line,
        title=_title(game) if line else _("Your own tree"),
        is_tree=game.is_explicit_tree,
        heuristics={name: (h.__doc__ or "").strip() for name, h in game.heuristics.items()} | own,
        default_heuristic=game.default_heuristic,
        position=str(line.position) if line else "",
        is_over=line is not None and line.position.is_over,
        moves=[shown_move(game, move) for move in line.moves] if line else [],
        example=_example(kind),
        most_depth=MOST_DEPTH,
    )


def first_shown() -> Game:
    """What the page shows when it is told no game: an explicit tree, if there is one, else any game."""
    found = first_game(lambda game: game.is_explicit_tree) or first_game(lambda game: True)
    if found is None:
        raise GameError(_("the catalogue has no games"))
    return found


def written_kind() -> Game | None:
    """A game of the kind that can be written in the page, if there is one."""
    return first_game(lambda game: bool(game.text_option))


def _nothing_written() -> GameError:
    return GameError(_("the catalogue has no game that can be written in the page"))


def _example(kind: Game | None) -> str:
    """What somebody who writes a tree begins with."""
    examples = part_of(type(kind).__module__, "examples") if kind else None
    return str(getattr(examples, "TREE", ""))


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
        above = read_line(_name(wanted), wanted.setup, wanted.moves, wanted.start)
        moves = above.moves + position.line[len(position.line) - len(wanted.line) :]
        path = Line(above.game, above.start, moves, len(moves)).path
    to_move = position.game.players[position.to_move - 1]
    return NodeShown(
        picture=view_of_board(position), text=str(position), to_move=to_move, over=position.is_over, path=path
    )


def _name(place: Place) -> str:
    return place.game or game_name_in_url(str(first_shown()))


def _position(place: Place, most_plies: int) -> Position:
    if not place.tree:
        return read_line(_name(place), place.setup, place.moves, place.start, most_plies=most_plies).position
    kind = written_kind()
    if kind is None:
        raise _nothing_written()
    try:
        game = find_game(kind.name, **{kind.text_option: place.tree})
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
    depth = wanted.depth if game.is_explicit_tree else min(wanted.depth, MOST_DEPTH)
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
