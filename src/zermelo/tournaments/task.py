"""One game as a task that can be sent anywhere: it takes plain data and gives a record."""

import dataclasses
import functools
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from zermelo.games import find_game
from zermelo.pieces.sources import files_of
from zermelo.players import Player, find_player
from zermelo.position import Game, Position
from zermelo.processes.sandbox import SandboxLimits
from zermelo.searches.budget import Budget
from zermelo.searches.workspace import PLIES
from zermelo.tournaments.contestants import Contestant, make_player
from zermelo.tournaments.guests import Sources
from zermelo.tournaments.openings import digest
from zermelo.tournaments.plan import Plan
from zermelo.tournaments.quick import is_quick, play_quickly
from zermelo.tournaments.referee import Limits, Played, play_game
from zermelo.tournaments.schedule import Pair


@dataclass(frozen=True)
class Task:
    """One game of a pair, with everything that is needed to play it elsewhere."""

    pair: str
    swapped: bool  # the pair's second player moves first
    game: str
    players: tuple[Contestant, Contestant]  # the one who moves first, and the other
    opening: str
    depth_step: int
    seed: int
    limits: Limits
    sources: Sources
    sandbox: SandboxLimits | None = None  # of the processes in which files run; None: they run with our rights

    def to_json(self) -> str:
        return json.dumps(dataclasses.asdict(self), ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> "Task":
        data = json.loads(text)
        data["players"] = tuple(Contestant(**player) for player in data["players"])
        data["limits"] = Limits(**data["limits"])
        data["sandbox"] = SandboxLimits(**data["sandbox"]) if data["sandbox"] is not None else None
        return cls(**data)


def tasks_of(plan: Plan, pair: Pair, sandbox: SandboxLimits | None = None) -> tuple[Task, Task]:
    """Both games of a pair. sandbox: the limits of the contestants' sandbox, if the plan itself sets none."""
    known = {contestant.name: contestant for contestant in plan.contestants}
    one, other = known[pair.first], known[pair.second]
    # Only the files of these two players travel.
    files = {*files_of(one.player), *files_of(other.player)}
    sources = {file: texts for file, texts in plan.sources.items() if file in files}
    opening, step, seed = pair.opening, pair.depth_step, pair.seed
    first, second = (
        Task(pair.id, swapped, plan.game, players, opening, step, seed, plan.limits, sources, plan.sandbox or sandbox)
        for swapped, players in ((False, (one, other)), (True, (other, one)))
    )
    return first, second


class Roster:
    """Players by name. Each is made once from its text, unless it was given in Python."""

    def __init__(self, objects: Mapping[str, Player] | None = None):
        self.given: Mapping[str, Player] = dict(objects or {})
        self.known: dict[str, Player] = dict(self.given)

    def player(self, contestant: Contestant, game: Game, sources: Sources) -> Player:
        known = self.known.get(contestant.name)
        if known is None:
            mine = {file: sources[file] for file in files_of(contestant.player) if file in sources}
            known = self.known[contestant.name] = _made(contestant.player, game, json.dumps(mine))
        return known

    def named(self, contestant: Contestant, game: Game) -> Player:
        """The player that a text describes, without loading its files: it cannot think, but its options can be read."""
        return self.given.get(contestant.name) or _named(contestant.player, game)

    def prepare(self, plan: Plan) -> list[Player]:
        """Make all players, and compile those without files, so that errors appear before the first game."""
        game = find_game(plan.game)
        for contestant in plan.contestants:
            if not files_of(contestant.player):
                self.player(contestant, game, plan.sources).prepare(game)
        return [self.named(contestant, game) for contestant in plan.contestants]


@functools.lru_cache(maxsize=1024)
def _made(text: str, game: Game, sources: str) -> Player:
    player = make_player(text, game, json.loads(sources))
    player.prepare(game)
    return player


@functools.lru_cache(maxsize=4096)
def _named(text: str, game: Game) -> Player:
    return find_player(text, game)


@functools.lru_cache(maxsize=16)
def game_of(text: str) -> Game:
    return find_game(text)


@functools.lru_cache(maxsize=4096)
def opening_of(game: Game, text: str) -> Position:
    return game.position(text)


def play_task(
    task: Task,
    roster: Roster | None = None,
    is_stopped: Callable[[], bool] = lambda: False,
    on_position: Callable[[Position], None] | None = None,
) -> Played:
    """Play the game. If its players use a fixed depth or fixed nodes, its course depends on nothing but the task.

    on_position: called as in play_game; the game then takes longer, because Python sees every move.
    """
    roster, game = roster or Roster(), game_of(task.game)
    seats = []
    for contestant in task.players:
        player = roster.player(contestant, game, task.sources)
        seats.append(for_this_game(player, task, contestant.name))
    players, names = (seats[0], seats[1]), (task.players[0].name, task.players[1].name)
    start = opening_of(game, task.opening)
    if on_position is None and is_quick(players, game, task.limits):
        played = play_quickly(players, names, start, task.limits, is_stopped)  # type: ignore[arg-type]
        if played is not None:
            return played
    return Played.of(play_game(players, names, start, task.limits, is_stopped, on_position))


def for_this_game(player: Player, task: Task, name: str) -> Player:
    """The player for this game: with a larger depth if the task asks for it, and with a seed if it takes one."""
    if task.depth_step and (depth := player.budget.depth) is not None:
        player = player.with_budget(Budget(depth=min(depth + task.depth_step, PLIES)))
    # A contestant has the same seed in both games of a pair, and its opponent has another.
    return player.seeded(digest(f"{task.seed} {name}"))
