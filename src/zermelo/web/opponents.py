"""The players that pages may ask for: levels from a child to the engine, and any player within the lab's limits."""

import contextlib
import dataclasses
import re
import threading

from zermelo.calls import Call, parse_call
from zermelo.errors import PlayerError, ZermeloError
from zermelo.language import gettext, marked
from zermelo.players import KINDS, EnginePlayer, HumanPlayer, Player, find_player, named_players
from zermelo.players.levels import NAMES
from zermelo.players.levels import USUAL as USUAL_LEVEL
from zermelo.players.stand_in import has_stand_in
from zermelo.position import Game
from zermelo.searches.budget import Budget
from zermelo.web.first_use import FirstUse
from zermelo.web.settings import Settings
from zermelo.web.workbench import Own, WorkshopPlayer
from zermelo.web.workshop_files import WORKSHOP_NAME, heuristics_in, players_in, searches_in

PERSON = "human"
SEARCHES = {
    marked("Random"): "random",
    marked("Alpha-beta"): "alphabeta(depth=4, seconds=2)",
    marked("Monte Carlo"): "mcts(seconds=1)",
    marked("Engine, 2 seconds"): "engine(seconds=2)",
}
LEVEL = re.compile(r"level\((\d+)\)")
USUAL = f"level({USUAL_LEVEL})"
HINTS = "engine(seconds=1)"
OWN_DEPTH = 4  # of players that use a file of the workshop, unless their texts say otherwise
OUTSIDE = ("process", "gtp", "nboard")  # kinds of players that start programs
PLAIN_NAME = re.compile(r"(\w+/)?\w+")  # of a player or heuristic, but never a path


def choices_of(game: Game, settings: Settings) -> dict[str, dict[str, str]]:
    """The players that a form offers: heading -> name -> text."""
    named = {name: f"{game.name}/{name}" for name in named_players(game)}
    levels = {f"{number}. {gettext(name).capitalize()}": f"level({number})" for number, name in enumerate(NAMES, 1)}
    found = {"": {marked("Person"): PERSON}, marked("Levels"): levels, marked("Searches"): SEARCHES}
    if named:
        found[game.title] = named
    own = workshop_players(game, settings)
    return found | ({marked("Workshop"): own} if own else {})


def workshop_players(game: Game, settings: Settings) -> dict[str, str]:
    """The players that the files of the workshop make for a game: name -> text."""
    if not settings.has_workshop:
        return {}
    searches = {name: f"{name}(depth={OWN_DEPTH})" for name in searches_in(settings)}
    heuristics = {name: f"alphabeta(depth={OWN_DEPTH}, heuristic={name})" for name in heuristics_in(settings, game)}
    return searches | {name: name for name in players_in(settings)} | heuristics


def name_of(text: str) -> str:
    """The name by which pages call a player, given its text."""
    if text == PERSON:
        return marked("You")
    level = LEVEL.fullmatch(text)
    if level and 1 <= int(level[1]) <= len(NAMES):
        return gettext("level {number}, {name}").format(number=level[1], name=gettext(NAMES[int(level[1]) - 1]))
    return next((name for name, known in SEARCHES.items() if known == text), text)


def opponent(text: str, game: Game, settings: Settings) -> Player:
    """The player that a text describes, limited to what the lab allows. An error if a page may not ask for it."""
    if len(text) > 500:
        raise PlayerError("the player's text is too long")
    call = parse_call(text)
    if call.name in OUTSIDE:
        raise PlayerError("{name}: a page cannot start programs on this machine", name=call.name)
    own = workshop_files(call, settings)
    if own:
        return WorkshopPlayer(Own.of(text, settings.workshop_folder, own))
    try:
        player = find_player(text, game)
    except TypeError as error:
        raise PlayerError(f"{text}: {error}") from None
    return player if isinstance(player, HumanPlayer) else within_limits(player, settings)


def workshop_files(call: Call, settings: Settings) -> list[str]:
    """The files of the workshop that a call names. PlayerError if it names other files.

    A file with a heuristic is code, and a file of weights may name such a file, so no path of any kind is allowed.
    """
    own = []
    for text in [call.name, *(value for value in call.options.values() if isinstance(value, str))]:
        named = WORKSHOP_NAME.fullmatch(text)
        if named and settings.has_workshop:
            own.append(named[1])
        elif named:
            raise PlayerError("{text}: the workshop is switched off", text=text)
        elif not PLAIN_NAME.fullmatch(text):
            raise PlayerError("{text}: a page cannot name files, except those of the workshop", text=text)
    for value in call.options.values():
        if isinstance(value, Call):
            own += workshop_files(value, settings)
    return own


def within_limits(player: Player, settings: Settings) -> Player:
    """The same player with no more time, depth or memory than the lab gives; an error if somebody asked for more."""
    most = Budget(settings.most_depth, settings.most_nodes, settings.most_seconds, settings.most_memory)
    own, usual = dict(player.budget), dict(type(player)().budget)
    for name, limit in most:
        if own.get(name, 0) > limit and own[name] != usual.get(name):
            raise PlayerError(
                "{kind}: {name}={value} is more than this lab allows, which is {most:g}",
                kind=player.kind,
                name=name,
                value=own[name],
                most=limit,
            )
    if isinstance(player, EnginePlayer):
        player = dataclasses.replace(player, threads=1)
    return player.limited(Budget(seconds=most.seconds, memory=most.memory))


_prepared: set[tuple[str, Player]] = set()


def prepare_meanwhile(player: Player, game: Game, first_use: FirstUse) -> None:
    """Compile what a player needs while the person who plays against it thinks about the first move."""
    if isinstance(player, HumanPlayer) or (str(game), player) in _prepared:
        return
    _prepared.add((str(game), player))
    if first_use.is_on and has_stand_in(player):
        if not first_use.is_ready(game, player):
            first_use.want(game, player)
        return

    def prepare() -> None:
        with contextlib.suppress(ZermeloError):  # the page is told when the player is to move
            player.prepare(game)

    threading.Thread(target=prepare, daemon=True).start()


def hurried(player: Player, seconds: float | None) -> Player:
    """The same player with at most this many seconds for a move, as its clock demands."""
    return player if seconds is None else player.limited(Budget(seconds=max(0.01, seconds)))


def kinds() -> list[str]:
    """The kinds of players that a page may name."""
    return [name for name in KINDS if name not in (*OUTSIDE, PERSON)]


def is_person(text: str) -> bool:
    try:
        return parse_call(text).name == PERSON
    except ZermeloError:
        return False
