"""Players: a search, a heuristic and a budget; or chance; or a person at the terminal.

A player can be written as text, `alphabeta(depth=6, heuristic=centre)`, and prints itself so.
"""

import dataclasses
import functools
import random as chance
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from zermelo.calls import Call, parse_call, text_of
from zermelo.core import Heuristic, class_of
from zermelo.errors import GameError, HeuristicError, MoveError, PlayerError, ZermeloError
from zermelo.external import GtpPlayer, ProcessPlayer
from zermelo.games import find_game, find_heuristic
from zermelo.language import gettext
from zermelo.parts import part_of
from zermelo.playing import Choice, Player, Resigned, TakeBack
from zermelo.position import Game, Position
from zermelo.rules import can_repeat
from zermelo.search.deepening import MOST_DEPTH, Engine, Iteration, compiled_engine
from zermelo.search.kept import KeptTrees
from zermelo.search.mcts_run import MEMORY, Mcts
from zermelo.search.textbook import Found, run_alphabeta, run_minimax
from zermelo.search.workspace import PLIES
from zermelo.solvers import quick_solution

__all__ = ["KINDS", "Choice", "Player", "Resigned", "TakeBack", "find_player", "named_players"]

HeuristicChoice = Heuristic | str | Call | None


@dataclass(frozen=True)
class RandomPlayer(Player):
    """Any legal move. With a seed, the same position always gets the same move."""

    seed: int | None = None  #: the same seed, the same moves
    kind: ClassVar[str] = "random"

    def think(self, position: Position) -> Choice:
        began = time.perf_counter()
        generator = chance.Random() if self.seed is None else chance.Random(f"{self.seed} {position.key}")
        return Choice(generator.choice(position.moves), time.perf_counter() - began)

    @property
    def is_deterministic(self) -> bool:
        return self.seed is not None


def _ask(prompt: str) -> str:
    """A line typed at the terminal, unless it says that the player gives up or takes back."""
    try:
        text = input(prompt).strip()
    except EOFError:
        raise Resigned from None
    if text in ("q", "quit", "resign"):
        raise Resigned
    if text in ("u", "undo"):
        raise TakeBack
    return text


def _second_choice(first: str, seconds: dict[str, tuple[str, str]]) -> str:
    """The move chosen in a second step; what is not among its choices is taken as a move, and refused as one."""
    if len(seconds) == 1:
        return next(iter(seconds.values()))[0]
    width = max(map(len, seconds))
    for second, (_, effect) in seconds.items():
        print(f"  {second:<{width}}  {effect}")
    text = _ask(gettext("{first} with: ").format(first=first))
    return seconds[text][0] if text in seconds else text


@dataclass(frozen=True)
class HumanPlayer(Player):
    """A person at the terminal."""

    kind: ClassVar[str] = "human"

    def think(self, position: Position) -> Choice:
        began = time.perf_counter()
        name = position.game.players[position.to_move - 1]
        choices = position.game.first_choices(position)
        while True:
            text = _ask(gettext("{name}'s move: ").format(name=name))
            if text in ("", "?", "help"):
                print(
                    gettext("moves: {choices}   (u: take back, q: give up)").format(
                        choices=" ".join(choices or position.moves)
                    )
                )
                continue
            if text in choices:
                text = _second_choice(text, choices[text])
            try:
                move = position.game.parse_move(position.state, text)
            except MoveError as error:
                print(error)
                continue
            return Choice(position.game.move_text(position.state, move), time.perf_counter() - began)

    @property
    def is_deterministic(self) -> bool:
        return False


@functools.lru_cache(maxsize=1024)
def _resolved(heuristic: HeuristicChoice, game: Game, cls: Any) -> Heuristic:
    """The heuristic meant, compiled for this game's states."""
    text = game.default_heuristic if heuristic is None else heuristic
    found = find_heuristic(text, game)
    try:
        found.native(cls)
    except HeuristicError as error:
        if cls not in found.classes:
            raise HeuristicError(
                gettext("{error}: it does not play {title}").format(error=error, title=gettext(game.title))
            ) from None
        raise
    found.check(game.start_state())
    return found


FRACTIONS = ("seconds", "exploration", "mix", "scale")  # options that need not be whole


def _require(player: Player, name: str, low: float, high: float | None = None) -> None:
    value = getattr(player, name)
    if value is None:
        return
    whole = isinstance(value, int) and not isinstance(value, bool)
    fits = (whole or (name in FRACTIONS and isinstance(value, float))) and low <= value < float("inf")
    if not fits or (high is not None and value > high):
        most = gettext(" to {high}").format(high=high) if high is not None else gettext(" or more")
        raise PlayerError(
            gettext("{kind}: {name}={value} is not a number, {low:g}{most}").format(
                kind=player.kind, name=name, value=text_of(value), low=low, most=most
            )
        )


@dataclass(frozen=True)
class SearchPlayer(Player):
    """What the textbook players share."""

    heuristic: HeuristicChoice = None  #: judges positions at the horizon; the game's usual one if not said
    depth: int = 4  #: plies to look ahead

    def __post_init__(self) -> None:
        _require(self, "depth", 1, PLIES)
        _require(self, "nodes", 1)
        _require(self, "seconds", 0.001)

    def prepare(self, game: Game) -> None:
        state = game.start_state()
        _resolved(self.heuristic, game, class_of(state))

    def search(self, position: Position, trace: bool = False) -> Found:
        """Run the search and return all it found, with its tree on demand."""
        raise NotImplementedError

    def think(self, position: Position) -> Choice:
        found = self.search(position)
        texts = line_texts(position, found.line)
        return Choice(texts[0], found.seconds, found.score, texts, found.depth, found.nodes, found.evaluated)

    def evaluation(self, position: Position) -> Heuristic:
        return _resolved(self.heuristic, position.game, class_of(position.state))


@dataclass(frozen=True)
class MinimaxPlayer(SearchPlayer):
    """Minimax to a fixed depth; beyond a budget of nodes or seconds, the best so far."""

    nodes: int | None = None  #: positions generated and evaluated, at most
    seconds: float | None = None  #: at most
    kind: ClassVar[str] = "minimax"

    def search(self, position: Position, trace: bool = False) -> Found:
        evaluation = self.evaluation(position)
        with reporting(evaluation):
            return run_minimax(
                position.state, evaluation, self.depth, nodes=self.nodes, seconds=self.seconds, trace=trace
            )


@dataclass(frozen=True)
class AlphaBetaPlayer(SearchPlayer):
    """Alpha-beta to a fixed depth, with options of the seeds; beyond a budget of nodes or seconds, the best so far."""

    tolerance: int = 0  #: a position is also left once beta - alpha is below this
    order: HeuristicChoice = None  #: sorts the moves of the first plies, best first
    order_plies: int | None = None  #: how many plies are sorted: 2 if not said, all with top_moves
    top_moves: int | None = None  #: only so many moves are searched, the best by the ordering
    nodes: int | None = None  #: positions generated and evaluated, at most
    seconds: float | None = None  #: at most
    kind: ClassVar[str] = "alphabeta"

    def __post_init__(self) -> None:
        super().__post_init__()
        _require(self, "tolerance", 0)
        _require(self, "order_plies", 0, PLIES)
        _require(self, "top_moves", 1)

    def prepare(self, game: Game) -> None:
        super().prepare(game)
        if self.order is not None:
            _resolved(self.order, game, class_of(game.start_state()))

    def ordering(self, position: Position) -> Heuristic | None:
        """The heuristic that sorts the moves, if it is not the one that judges positions."""
        return _resolved(self.order, position.game, class_of(position.state)) if self.order is not None else None

    def search(self, position: Position, trace: bool = False) -> Found:
        evaluation, order = self.evaluation(position), self.ordering(position)
        with reporting(evaluation, order):
            return run_alphabeta(
                position.state,
                evaluation,
                self.depth,
                tolerance=self.tolerance,
                order=order,
                order_plies=self.order_plies,
                top_moves=self.top_moves,
                nodes=self.nodes,
                seconds=self.seconds,
                trace=trace,
            )


@dataclass(frozen=True)
class EnginePlayer(Player):
    """The strong one: deepening principal-variation search with a table; by depth, nodes, seconds or all (1 s if none).

    Where the game's own solver has the answer at hand it is played; solver=no leaves it out, to compare heuristics.
    With a fixed depth or number of nodes and one thread, the answer depends on nothing but the position.
    """

    heuristic: HeuristicChoice = None  #: judges quiet positions; the game's usual one if not said
    depth: int | None = None  #: plies, at most
    nodes: int | None = None  #: positions visited, at most
    seconds: float | None = None  #: a move, at most
    memory: int = 16  #: megabytes of its table
    threads: int = 1  #: that search together, sharing the table
    reduce: bool = False  #: look at late moves less deeply
    solver: bool = True  #: ask the game's own solver where it is quick
    kind: ClassVar[str] = "engine"

    def __post_init__(self) -> None:
        _require(self, "depth", 1, MOST_DEPTH)
        _require(self, "nodes", 1)
        _require(self, "seconds", 0.001)
        _require(self, "memory", 1, 1 << 14)
        _require(self, "threads", 1, 64)

    @property
    def is_deterministic(self) -> bool:
        return not self._is_timed and self.threads == 1

    @property
    def _is_timed(self) -> bool:
        return self.seconds is not None or (self.depth is None and self.nodes is None)

    def prepare(self, game: Game) -> None:
        cls = class_of(game.start_state())
        _resolved(self.heuristic, game, cls)
        compiled_engine(cls)

    def iterations(self, position: Position) -> Iterator[Iteration]:
        """What it finds, depth after depth."""
        evaluation = _resolved(self.heuristic, position.game, class_of(position.state))
        engine = _engine_for(self, evaluation)
        if not self._is_timed:
            engine.forget()
        seconds = 1.0 if self._is_timed and self.seconds is None else self.seconds
        with reporting(evaluation):
            yield from engine.deepen(
                position.state, depth=self.depth, nodes=self.nodes, seconds=seconds, past=past_keys(position)
            )

    def think(self, position: Position) -> Choice:
        return self._think(position, None)

    def think_aloud(self, position: Position, tell: Callable[[Choice], None]) -> Choice:
        return self._think(position, tell)

    def _think(self, position: Position, tell: Callable[[Choice], None] | None) -> Choice:
        solved = quick_solution(position, hurry=self._is_timed) if self.solver else None
        if solved is not None and solved.moves:  # a lost position may have no best move: then search
            move = position.game.move_text(position.state, solved.moves[0])
            return Choice(move, solved.seconds, solved.score, (move,), None, solved.nodes, solved=True)
        for found in self.iterations(position):
            if tell is not None:
                tell(_choice(position, found))
        return _choice(position, found)


def _choice(position: Position, found: Iteration) -> Choice:
    texts = line_texts(position, found.line)
    return Choice(texts[0], found.seconds, found.score, texts, found.depth, found.nodes)


_engines = threading.local()


def _engine_for(player: EnginePlayer, evaluation: Heuristic) -> Engine:
    """This thread's engine for a player: its table is kept from move to move."""
    mine = _engines.__dict__.setdefault("mine", {})
    if (player, evaluation) not in mine:
        while len(mine) >= 4:  # a few tables are kept, not one for everyone who ever played
            mine.pop(next(iter(mine)))
        memory: float = player.memory
        if player.nodes is not None:  # no larger than it can be filled: emptying it costs time too
            memory = min(memory, max(0.25, player.nodes * 32 / (1 << 20)))
        mine[player, evaluation] = Engine(evaluation, memory=memory, threads=player.threads, reduce=player.reduce)
    engine: Engine = mine[player, evaluation]
    return engine


def past_keys(position: Position) -> tuple[int, ...]:
    """The keys of the positions before this one, for games in which positions can come back."""
    if not can_repeat(position.state):
        return ()
    return tuple(earlier.key for earlier in position.path[:-1])


SIMULATIONS = 10_000
_kept_trees = KeptTrees()


@dataclass(frozen=True)
class MctsPlayer(Player):
    """Monte Carlo tree search: so many simulations (10 000, if no seconds are given either) or seconds a move.

    Without a heuristic, leaves are valued by rollouts; with rollouts=0 by the heuristic alone (the game's default, if
    none is named); with both by a mixture. With reuse, what was found stays known when the game goes on. With a seed
    and no clock, the same game played again gets the same moves.
    """

    heuristic: HeuristicChoice = None
    simulations: int | None = None  #: a move, at most
    seconds: float | None = None  #: a move, at most
    rollouts: int = 1  #: random games from each leaf
    rollout_plies: int | None = None  #: a random game not over by then counts as the heuristic says, or as a draw
    decisive: bool = False  #: in random games, a player who can win at once does so
    mix: float = 0.5  #: the heuristic's part of a leaf's value, where there are rollouts too
    scale: float | None = None  #: a heuristic's value counts tanh(value / scale); its mean size if not said
    exploration: float = 1.4  #: how far moves that seem worse are tried
    rave: int = 0  #: the visits up to which a move's value when played later counts most; 0 for none
    memory: int = MEMORY  #: megabytes of the tree; when they are used up, leaves are no longer expanded
    reuse: bool = True  #: keep the tree from move to move
    seed: int | None = None  #: the same seed, the same simulations
    kind: ClassVar[str] = "mcts"

    def __post_init__(self) -> None:
        _require(self, "simulations", 1)
        _require(self, "seconds", 0.001)
        _require(self, "rollouts", 0, 1000)
        _require(self, "rollout_plies", 1)
        _require(self, "mix", 0, 1)
        _require(self, "scale", 0.001)
        _require(self, "exploration", 0)
        _require(self, "rave", 0)
        _require(self, "memory", 1, 1 << 16)
        _require(self, "seed", 0)
        for name in ("decisive", "reuse"):
            if not isinstance(getattr(self, name), bool):
                raise PlayerError(
                    gettext("{kind}: {name}={value} is not yes or no").format(
                        kind=self.kind, name=name, value=text_of(getattr(self, name))
                    )
                )

    def prepare(self, game: Game) -> None:
        self._plant(game.start(), memory=1)

    def _evaluation(self, position: Position) -> Heuristic | None:
        if self.heuristic is None and self.rollouts > 0:
            return None
        return _resolved(self.heuristic, position.game, class_of(position.state))

    def _plant(self, position: Position, memory: int) -> Mcts:
        return Mcts(
            position.state,
            heuristic=self._evaluation(position),
            rollouts=self.rollouts,
            rollout_plies=self.rollout_plies,
            decisive=self.decisive,
            mix=self.mix,
            scale=self.scale,
            exploration=self.exploration,
            rave=self.rave,
            memory=memory,
            seed=self.seed,
        )

    def think(self, position: Position) -> Choice:
        began = time.perf_counter()
        tree = _kept_trees.take(self, position) if self.reuse else None
        following = time.perf_counter() - began
        seconds = None if self.seconds is None else max(self.seconds - following, 0)
        unlimited = self.simulations is None and seconds is None
        with reporting(self._evaluation(position)):
            tree = tree or self._plant(position, self.memory)
            found = tree.run(SIMULATIONS if unlimited else self.simulations, seconds, past_keys(position))
        if self.reuse:
            _kept_trees.keep(self, position, tree)
        texts = line_texts(position, found.line)
        return Choice(texts[0], following + found.seconds, found.score, texts, len(texts), found.simulations)

    @property
    def is_deterministic(self) -> bool:
        return self.seed is not None and self.seconds is None


class reporting:  # noqa: N801 - used like a function
    """What goes wrong inside a heuristic while a search runs is reported under its name."""

    def __init__(self, *heuristics: Heuristic | None):
        self.names = gettext(" or ").join(str(h) for h in dict.fromkeys(heuristics) if h is not None)

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if isinstance(error, Exception) and not isinstance(error, ZermeloError):
            hint = gettext("NUMBA_DISABLE_JIT=1 runs it as plain Python and shows the line")
            raise HeuristicError(
                gettext("{names} failed: {kind}: {error} ({hint})").format(
                    names=self.names, kind=type(error).__name__, error=error, hint=hint
                )
            ) from error


def line_texts(position: Position, moves: tuple[int, ...]) -> tuple[str, ...]:
    """A line of move codes as texts."""
    texts = []
    for move in moves:
        texts.append(position.game.move_text(position.state, move))
        position = position.play_code(move)
    return tuple(texts)


KINDS: dict[str, type[Player]] = {
    cls.kind: cls
    for cls in (
        EnginePlayer,
        MctsPlayer,
        AlphaBetaPlayer,
        MinimaxPlayer,
        RandomPlayer,
        HumanPlayer,
        ProcessPlayer,
        GtpPlayer,
    )
}


def named_players(game: Game) -> dict[str, str]:
    """The players a game brings along, as texts by name."""
    module = part_of(type(game).__module__, "players")
    return dict(module.PLAYERS) if module else {}


def find_player(text: str | Player, game: Game | None = None) -> Player:
    """The player of this text: `alphabeta(depth=6, heuristic=centre)`, `random(seed=1)`, `parcheckers/ninja1`.

    A name that the given game brings along needs no `parcheckers/` before it.
    """
    if isinstance(text, Player):
        return text
    call = parse_call(text)
    cls = KINDS.get(call.name)
    if cls is None:
        return _named(call, game)
    options = [option.name for option in dataclasses.fields(cls)]
    given = {}
    for key, value in call.options.items():
        name = options[key] if isinstance(key, int) and key < len(options) else key
        if name not in options:
            raise PlayerError(
                gettext("{player} has no option {name!r} (its options: {options})").format(
                    player=call.name, name=name, options=", ".join(options) or gettext("none")
                )
            )
        if name in given:
            raise PlayerError(gettext("{call}: {name} is given twice").format(call=call, name=name))
        given[name] = value
    return cls(**given)


def _named(call: Call, game: Game | None) -> Player:
    game_name, _, name = call.name.rpartition("/")
    try:
        game = find_game(game_name) if game_name else game
    except GameError:
        game = None
    known = named_players(game) if game is not None else {}
    if name in known and not call.options:
        return find_player(known[name], game)
    others = gettext(" or {known}").format(known=", ".join(known)) if known else ""
    raise PlayerError(
        gettext("there is no player {call!r}; there are {kinds}{others}").format(
            call=str(call), kinds=", ".join(KINDS), others=others
        )
    )
