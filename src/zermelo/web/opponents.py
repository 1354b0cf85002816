"""Players that pages may ask for: levels from chance to the engine, and any text within the lab's limits."""

import contextlib
import dataclasses
import re
import threading

from zermelo.calls import Call, parse_call
from zermelo.errors import PlayerError, ZermeloError
from zermelo.language import _, marked
from zermelo.players import KINDS, SIMULATIONS, HumanPlayer, Player, find_player, named_players
from zermelo.position import Game
from zermelo.web.settings import Settings
from zermelo.web.workbench import Own, WorkshopPlayer
from zermelo.web.workshop_files import WORKSHOP_NAME

PERSON = "human"
LEVELS = {
    marked("Chance"): "random",
    marked("Beginner"): "alphabeta(depth=1)",
    marked("Easy"): "alphabeta(depth=2)",
    marked("Medium"): "alphabeta(depth=4, seconds=2)",
    marked("Monte Carlo"): "mcts(seconds=1)",
    marked("Strong"): "engine(seconds=0.3)",
    marked("Engine"): "engine(seconds=2)",
}
USUAL = LEVELS["Strong"]
HINTS = "engine(seconds=1)"
OUTSIDE = ("process", "gtp")  # kinds that start programs
PLAIN_NAME = re.compile(r"(\w+/)?\w+")  # of a player or heuristic: never a path
LIMITED = {"depth": "most_depth", "nodes": "most_nodes", "seconds": "most_seconds", "memory": "most_memory"}


def choices_of(game: Game) -> dict[str, dict[str, str]]:
    """What a form offers: heading -> name -> player's text."""
    named = {name: f"{game.name}/{name}" for name in named_players(game)}
    return {"": {marked("Person"): PERSON}, marked("Levels"): LEVELS} | ({game.title: named} if named else {})


def name_of(text: str) -> str:
    """A player's text as a person calls it."""
    if text == PERSON:
        return marked("You")
    return next((name for name, known in LEVELS.items() if known == text), text)


def opponent(text: str, game: Game, settings: Settings) -> Player:
    """The player of this text, if a page may ask for it; its budgets are cut to the lab's."""
    if len(text) > 500:
        raise PlayerError(_("the player's text is too long"))
    call = parse_call(text)
    if call.name in OUTSIDE:
        raise PlayerError(_("{name}: a page cannot start programs on this machine").format(name=call.name))
    own = workshop_files(call, settings)
    if own:
        return WorkshopPlayer(Own.of(text, settings.workshop_folder, own))
    try:
        player = find_player(text, game)
    except TypeError as error:
        raise PlayerError(f"{text}: {error}") from None
    return player if isinstance(player, HumanPlayer) else within_limits(player, settings)


def workshop_files(call: Call, settings: Settings) -> list[str]:
    """The workshop's files that a call names; PlayerError if it names others.

    A heuristic in a file is code, and a file of weights may name such a heuristic: so no path of any kind goes through.
    """
    own = []
    for text in [call.name, *(value for value in call.options.values() if isinstance(value, str))]:
        named = WORKSHOP_NAME.fullmatch(text)
        if named and settings.has_workshop:
            own.append(named[1])
        elif named:
            raise PlayerError(_("{text}: the workshop is off").format(text=text))
        elif not PLAIN_NAME.fullmatch(text):
            raise PlayerError(_("{text}: a page cannot name files, except those of the workshop").format(text=text))
    for value in call.options.values():
        if isinstance(value, Call):
            own += workshop_files(value, settings)
    return own


def within_limits(player: Player, settings: Settings) -> Player:
    """The same player with no more time, depth or memory than the lab gives."""
    known = {option.name for option in dataclasses.fields(player)}
    changed: dict[str, object] = {"threads": 1} if "threads" in known else {}
    for name, limit in LIMITED.items():
        if name in known:
            most, value = getattr(settings, limit), getattr(player, name)
            if value is not None and value > most and value == getattr(type(player), name, None):
                changed[name] = most  # nobody asked for so much
            elif value is not None and value > most:
                raise PlayerError(
                    _("{kind}: {name}={value} is more than the lab's {most:g}").format(
                        kind=player.kind, name=name, value=value, most=most
                    )
                )
    if "seconds" in known and getattr(player, "seconds", None) is None and not _ends_soon(player):
        changed["seconds"] = settings.most_seconds
    if player.kind == "mcts" and getattr(player, "simulations", None) is None and getattr(player, "seconds", 0) is None:
        changed["simulations"] = SIMULATIONS
    return dataclasses.replace(player, **changed)


def _ends_soon(player: Player) -> bool:
    """The engine takes a second by default; with a clock, it would no longer answer each position alike."""
    return player.kind == "engine" and getattr(player, "depth", None) is None and getattr(player, "nodes", None) is None


_prepared: set[tuple[str, Player]] = set()


def prepare_meanwhile(player: Player, game: Game) -> None:
    """Compile what a player needs while its opponent, a person, still thinks about the first move."""
    if isinstance(player, HumanPlayer) or (str(game), player) in _prepared:
        return
    _prepared.add((str(game), player))

    def prepare() -> None:
        with contextlib.suppress(ZermeloError):  # the page is told when the player is to move
            player.prepare(game)

    threading.Thread(target=prepare, daemon=True).start()


def hurried(player: Player, seconds: float | None) -> Player:
    """The same player with no more than so many seconds, on a clock."""
    own = getattr(player, "seconds", None)
    if seconds is None or not any(option.name == "seconds" for option in dataclasses.fields(player)):
        return player
    return dataclasses.replace(player, seconds=max(0.01, min(seconds, own or seconds)))


def kinds() -> list[str]:
    """The kinds of players a page may name."""
    return [name for name in KINDS if name not in (*OUTSIDE, PERSON)]


def is_person(text: str) -> bool:
    try:
        return parse_call(text).name == PERSON
    except ZermeloError:
        return False
