"""See why: a page that walks through a search node by node: a textbook search, or one of the workshop."""

import math
from typing import Annotated, Any

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field

from zermelo.calls import Call, parse_call
from zermelo.core.parts import part_of
from zermelo.errors import FileError, GameError, HeuristicError, PlayerError, PositionError
from zermelo.games import find_game, first_game, game_names
from zermelo.language import Message, _
from zermelo.players import AlphaBetaPlayer, MinimaxPlayer, OwnSearchPlayer, SearchPlayer
from zermelo.position import Game, Position
from zermelo.tracing.columns import MOST_NODES
from zermelo.web.notation import shown_move
from zermelo.web.pages import page
from zermelo.web.positions import NOTHING, Line, game_name_in_url, read_line, usual_game, view_of_board
from zermelo.web.settings import Settings
from zermelo.web.views import LineOfPage
from zermelo.web.why_tree import SearchTree, check_tree, explore
from zermelo.web.workbench import Own, place_of
from zermelo.web.workshop_files import WORKSHOP_NAME, heuristics_in, searches_in

router = APIRouter()

OWN = "own"
"""The name in the address of a tree that is written in the page."""

MOST_TREE_TEXT = 20_000
USUAL_DEPTH = 3
MOST_DEPTH = 20  # of a search in a game; the number of nodes is limited as well
WHOLE_TREE = 60

Text = Annotated[str, Field(max_length=200)]
Bound = Field(ge=-(1 << 29), le=1 << 29)
MINIMAX, ALPHABETA = "minimax", "alphabeta"


class Place(BaseModel):
    """A position of a game, or the root of a tree that is written in TOML."""

    game: Annotated[
        str,
        Field(
            max_length=100,
            examples=["connect4", "tree:course"],
            description="The game, as in the addresses of pages; empty for the one that the page shows first.",
        ),
    ] = ""
    setup: Annotated[str, Field(max_length=4000, description="The options of the game; '-' for the usual ones.")] = (
        NOTHING
    )
    moves: Annotated[str, Field(max_length=16_000, description="The moves to the position; '-' for none.")] = NOTHING
    start: Annotated[str, Field(max_length=4000, description="Where the game began; empty for the usual start.")] = ""
    tree: Annotated[str, Field(max_length=MOST_TREE_TEXT, description="A tree in TOML, instead of a game.")] = ""


class Wanted(Place):
    """A search to walk through."""

    search: Annotated[
        Text,
        Field(description="minimax, alphabeta, or a search of the workshop such as mine.py:my_alphabeta."),
    ] = ALPHABETA
    depth: Annotated[
        int, Field(ge=0, le=WHOLE_TREE, description="The depth of the search, in plies; 0 is for users' searches.")
    ] = 3
    alpha: Annotated[float, Bound, Field(description="Where the window of a user's search begins.")] | None = None
    beta: Annotated[float, Bound, Field(description="Where the window of a user's search ends.")] | None = None
    heuristic: Annotated[Text, Field(description="A heuristic as text; empty for the game's usual one.")] = ""
    tolerance: Annotated[float, Field(ge=0, le=1 << 29, description="Windows narrower than this are cut as well.")] = 0
    order: Annotated[Text, Field(description="The heuristic that sorts moves; empty for none.")] = ""
    order_plies: Annotated[int, Field(ge=0, le=64, description="Plies in which moves are sorted.")] | None = None
    top_moves: Annotated[int, Field(ge=1, le=1000, description="Number of best moves to search.")] | None = None


class NodeWanted(Place):
    """A node of a search tree."""

    line: Annotated[
        list[Text], Field(max_length=WHOLE_TREE, description="The moves from the position to the node.")
    ] = []


class NodeShown(BaseModel):
    """The position at a node."""

    picture: dict[str, Any]
    text: str = Field(description="The position as text.")
    to_move: str = Field(description="The player to move, as the game calls it.")
    over: bool = Field(description="Whether the game is over.")
    path: str | None = Field(description="The position as it stands in addresses; null for a tree written in the page.")


@router.get("/why", include_in_schema=False)
def why(request: Request) -> Response:
    """The page with the first example."""
    return _page(request, read_line(game_name_in_url(str(first_shown()))))


@router.get(f"/why/{OWN}", include_in_schema=False)
def why_own(request: Request) -> Response:
    """The page with the user's own tree, which stands in the address after `#`."""
    if written_kind() is None:
        raise _nothing_written()
    return _page(request, None)


@router.get("/why/{name}", include_in_schema=False)
@router.get("/why/{name}/{setup}", include_in_schema=False)
@router.get("/why/{name}/{setup}/{moves}", include_in_schema=False)
def why_position(request: Request, line: LineOfPage) -> Response:
    """The page with a search of the position in its address."""
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
        searches=searches_in(settings) if settings.has_workshop else {},
        position=str(line.position) if line else "",
        is_over=line is not None and line.position.is_over,
        moves=[shown_move(game, move) for move in line.moves] if line else [],
        example=_example(kind),
        most_depth=MOST_DEPTH,
        depth=_usual_depth(line.position) if line else USUAL_DEPTH,
    )


def _usual_depth(position: Position) -> int:
    """The depth of a search that a visitor has not chosen: as many plies as alpha-beta can probably show."""
    moves = max(2, len(position.moves))
    return max(1, min(USUAL_DEPTH, int(math.log(MOST_NODES) / math.log(moves))))


def first_shown() -> Game:
    """The game that the page shows if its address names none: an explicit tree, if the catalogue has one."""
    return first_game(lambda game: game.is_explicit_tree) or usual_game()


def written_kind() -> Game | None:
    """The first game that can be written in the page as text; None if there is none."""
    return first_game(lambda game: bool(game.text_option))


def _nothing_written() -> GameError:
    return GameError(_("the catalogue has no game that can be written in the page"))


def _example(kind: Game | None) -> str:
    """The text of a first tree, for users to change."""
    examples = part_of(type(kind).__module__, "examples") if kind else None
    return str(getattr(examples, "TREE", ""))


def _title(game: Game) -> str:
    variant = getattr(game, "variant", "")
    return f"{_(game.title)}: {variant}" if variant else _(game.title)


@router.post("/api/tree", tags=["see why"])
async def search_tree(request: Request, wanted: Wanted) -> SearchTree:
    """Run a search and answer with its whole tree, which may have up to 20,000 nodes."""
    settings: Settings = request.app.state.settings

    def work() -> SearchTree:
        position = _position(wanted, settings.most_plies)
        own = _own_files(wanted, settings)
        player = _player(wanted, position.game, own)
        if not own:
            return explore(position, player)
        window = [wanted.alpha, wanted.beta]
        job = place_of(position) | {"do": "tree", "player": player.full_text, "depth": wanted.depth, "window": window}
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
    except FileError as error:  # there is no file: the fault is in the text that the user wrote
        raise PositionError(str(error)) from None
    check_tree(game)
    return game.start()


def _own_files(wanted: Wanted, settings: Settings) -> list[str]:
    """The files of the workshop that a search needs. A tree that is written in the page needs no heuristic."""
    texts = [wanted.search, *(text for text in (wanted.heuristic, wanted.order) if text and not wanted.tree)]
    named = [WORKSHOP_NAME.fullmatch(parse_call(text).name) for text in texts]
    return [found[1] for found in named if found and settings.has_workshop]


def _player(wanted: Wanted, game: Game, own: list[str]) -> SearchPlayer:
    heuristic, order = (_heuristic(text, game, own) for text in (wanted.heuristic, wanted.order))
    depth = wanted.depth if game.is_explicit_tree else min(wanted.depth, MOST_DEPTH)
    if wanted.search not in (MINIMAX, ALPHABETA):
        return _own_search(wanted, heuristic, max(depth, 1), own)
    if depth == 0:
        raise PlayerError("the depth of this search must be at least 1")
    if wanted.search == MINIMAX:
        return MinimaxPlayer(heuristic, depth)
    return AlphaBetaPlayer(heuristic, depth, wanted.tolerance, order, wanted.order_plies, wanted.top_moves)


def _own_search(wanted: Wanted, heuristic: str | None, depth: int, own: list[str]) -> SearchPlayer:
    """A search of the workshop, perhaps with weights. It is never run here; a page cannot name other files."""
    call = parse_call(wanted.search)
    if call.name.rpartition(":")[0] not in own:
        raise PlayerError(
            "there is no search {text!r}; name minimax, alphabeta, or a search of the workshop such as mine.py:search",
            text=wanted.search,
        )
    if any(isinstance(value, (str, Call)) for value in call.options.values()):
        raise PlayerError("{text}: only weights can follow the name of a search here", text=wanted.search)
    return OwnSearchPlayer(heuristic, depth, function=call if call.options else call.name)


def _heuristic(text: str, game: Game, own: list[str]) -> str | None:
    """A heuristic of the game or of the workshop, perhaps with weights; a page cannot name other files."""
    if not text:
        return None
    name = parse_call(text).name
    if name not in game.heuristics and name.rpartition(":")[0] not in own:
        raise HeuristicError(
            "{title} has no heuristic {text!r}; it has {heuristics}",
            title=Message(game.title),
            text=text,
            heuristics=", ".join(game.heuristics),
        )
    return text
