"""The process in which one contestant's files run: it loads and compiles them, and chooses their moves.

It holds nothing of any other contestant, and the tournament survives whatever happens here. It obeys these orders
(processes/orders.py), each with its answers:

    {"do": "open", "game": "connect4", "sources": {file: {name: text}}}          no answer
    {"do": "enlist", "file": "mine.py"}
                    {"heuristics": [names], "titles": [texts], "searches": [names], "players": [names],
                    "warnings": [texts]} or {"error": text}
    {"do": "seat", "player": text}
                    {"ready": where its code is, "warnings": [texts]} or {"error": text}
    {"do": "reply", "player": text, "words": base64, "width": 3, "part": 8}
                    {"replies": [moves, scores, generated, evaluated]} for each part; for a position in which the player
                    fails, {"lost": reason, "error": text}
    {"do": "think", "player": text, "places": [[start, [moves]], ...]}
                    {"choice": {...}} or {"lost": reason, "error": text} for each place; a class of players says
                    {"begun": true} before that, when it has an object for the game
    {"do": "judge", "nodes": 1000, "places": ...}
                    {"outcome": 1, 0, -1 or null} for each place
"""

import base64
import functools
import os
import traceback
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.calls import Call
from zermelo.core import class_of
from zermelo.core.searching import searching
from zermelo.errors import HeuristicError, PlainPythonWarning, PlayerError, ZermeloError
from zermelo.games import find_game
from zermelo.language import Message, gettext, speaking
from zermelo.match import Lost, Move
from zermelo.players import AlphaBetaPlayer, ClassPlayer, Player
from zermelo.players.own import searches_in
from zermelo.players.player import Fault
from zermelo.players.programs import HostedPlayer, Places, plays, programs_in
from zermelo.position import Position
from zermelo.processes.foreign import tell_of_the_end
from zermelo.processes.orders import Orders
from zermelo.searches.own.running import ready
from zermelo.searches.playing import Seat
from zermelo.searches.replies import compiled_replies
from zermelo.searches.workspace import workspace
from zermelo.tournaments.contestants import load_source, make_player, parts_of, written_folder
from zermelo.tournaments.quick import follows_root, seat_of
from zermelo.tournaments.referee import asked, proven_outcome

LONGEST_TOLD = 4000
"""Maximum number of characters of a traceback that are reported."""


def main() -> None:
    orders = Orders()
    tell_of_the_end()
    guest = Guest()
    orders.serve({name: getattr(guest, name) for name in ("open", "enlist", "seat", "reply", "think", "judge")})


class Guest:
    """What this process holds: the files, and the players that were made from them."""

    def __init__(self) -> None:
        self.sources: dict[str, dict[str, str]] = {}

    def open(self, game: str, sources: dict[str, dict[str, str]]) -> Iterator[dict[str, Any]]:
        self.game, self.sources = find_game(game), sources
        self.places = Places()
        self.player = functools.lru_cache(maxsize=1024)(self._made)
        return iter(())

    def _made(self, text: str) -> Player:
        player = make_player(text, self.game, self.sources)
        if isinstance(player, ClassPlayer) and player.file in self.sources:
            return player.hosted(written_folder(self.sources[player.file]) / Path(player.file).name)
        return player

    # -------------------------------------------------------------------------------- what the files hold

    def enlist(self, file: str) -> Iterator[dict[str, Any]]:
        """Load a file and compile its heuristics for this game."""
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            try:
                found = self._names(file)
            except BaseException as error:  # including SystemExit
                yield {"error": self._told(error)}
                return
        yield found | {"warnings": [*found.get("warnings", []), *self._warnings(warned)]}

    def _names(self, file: str) -> dict[str, list[str]]:
        state = self.game.start_state()
        known = load_source(self.sources[file], Path(file).name).values()
        found = [heuristic for heuristic in known if class_of(state) in heuristic.classes]
        path = written_folder(self.sources[file]) / Path(file).name
        searches = searches_in(path)
        players, left_out = self._players(path, file)
        if not (found or searches or players):
            if left_out:
                raise HeuristicError("\n".join(left_out))
            raise HeuristicError(
                "{name} contains no heuristics, searches or players for {title}",
                name=file,
                title=Message(self.game.title),
            )
        for heuristic in found:
            with warnings.catch_warnings():
                if heuristic.evaluator.plain is not None:  # everybody knows that homework is not compiled
                    warnings.simplefilter("ignore", PlainPythonWarning)
                heuristic.native(class_of(state))
            heuristic.check(state)
        for search in searches.values():
            ready(search, class_of(state))
        told = [gettext("left out: {error}").format(error=error) for error in left_out]
        names = [heuristic.name for heuristic in found]
        titles = [heuristic.evaluator.title for heuristic in found]
        return {"heuristics": names, "titles": titles, "searches": list(searches), "players": players, "warnings": told}

    def _players(self, path: Path, file: str) -> tuple[list[str], list[str]]:
        """The names of the classes in a file that can play this game, and why others cannot."""
        names, left_out = [], []
        for name in programs_in(path):
            try:
                if plays(path, name, self.game):
                    HostedPlayer(path, Call(f"{file}:{name}")).prepare(self.game)
                    names.append(name)
            except (PlayerError, HeuristicError) as error:  # including what the class itself raises
                left_out.append(self._here(str(error)))
        return names, left_out

    def seat(self, player: str) -> Iterator[dict[str, Any]]:
        """Make a player and compile what it needs."""
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            try:
                made = self.player(player)
                made.prepare(self.game)
                self._warm_up()
                where = " or ".join(_places(made))
            except BaseException as error:
                yield {"error": self._told(error)}
                return
        yield {"ready": self._here(where), "warnings": self._warnings(warned)}

    def _warm_up(self) -> None:
        """Compile what positions need, so that no player loses by the time that this takes."""
        start = self.game.start()
        for move in start.moves[:1]:
            str(start.play(move))

    def _warnings(self, warned: list[warnings.WarningMessage]) -> list[str]:
        texts = [str(one.message) for one in warned if issubclass(one.category, UserWarning)]
        return [self._here(text) for text in dict.fromkeys(texts)]

    def _told(self, error: BaseException) -> str:
        """What went wrong, with the last line of the contestant's files in the traceback."""
        if isinstance(error, ZermeloError):
            return self._here(str(error))
        folders = {str(written_folder(texts)) for texts in self.sources.values()}
        frames = [f for f in traceback.extract_tb(error.__traceback__) if str(Path(f.filename).parent) in folders]
        place = f"{frames[-1].filename}:{frames[-1].lineno}" if frames else " or ".join(self.sources)
        return self._here(f"{place}: {type(error).__name__}: {error}")

    def _here(self, text: str) -> str:
        """The text, in which the files have the names that the tournament knows them by."""
        for file, texts in self.sources.items():
            folder = os.path.dirname(file)
            text = text.replace(f"{written_folder(texts)}{os.sep}", f"{folder}/" if folder else "")
        return text[-LONGEST_TOLD:]

    # -------------------------------------------------------------------------------- moves

    def reply(self, player: str, words: str, width: int, part: int) -> Iterator[dict[str, Any]]:
        """The moves of an alpha-beta player in many positions. Each answer covers as many of them as `part` says."""
        rows = np.frombuffer(base64.b64decode(words), np.uint64).reshape(-1, width)
        for begin in range(0, len(rows), part):
            few = rows[begin : begin + part]
            try:
                yield {"replies": self._replies(player, few).T.tolist()}
            except BaseException:
                for row in few:
                    yield self._reply_to_one(player, row)

    def _reply_to_one(self, player: str, row: Any) -> dict[str, Any]:
        """The move in one position, or the reason why there is none."""
        try:
            return {"replies": self._replies(player, row[None]).T.tolist()}
        except BaseException as error:
            try:
                asked(self.player(player), Position(self.game, self._state(row)))  # its error says more
            except Lost as lost:
                return self._lost(lost)
            return {"lost": f"crash: {self._told(error)}", "error": self._here(traceback.format_exc())}

    def _lost(self, lost: Lost) -> dict[str, Any]:
        return {"lost": self._here(str(lost)), "error": self._here(lost.error) if lost.error else None}

    def _replies(self, player: str, rows: Any) -> Any:
        row, functions, seat = self._seated(player)
        like = self.game.start_state()
        replies = np.empty((len(rows), 4), np.int64)
        run = compiled_replies(class_of(like))
        if any(map(follows_root, seat.heuristics)):
            for one, reply in zip(rows, replies, strict=True):
                with searching(self._state(one)):
                    run(like, np.array(one[None]), row, *functions, reply[None], self._work)
        else:
            run(like, np.array(rows), row, *functions, replies, self._work)
        return replies

    def _state(self, row: Any) -> Any:
        """The state that a row of words holds."""
        cls = class_of(self.game.start_state())
        return cls(*(row[i : i + 1].astype(kind)[0] for i, kind in enumerate(cls.kinds)))

    @functools.cached_property
    def _work(self) -> Any:
        return workspace()

    @functools.lru_cache(maxsize=1024)  # noqa: B019 - it lives as long as the process
    def _seated(self, text: str) -> tuple[Any, tuple[Any, Any], Seat]:
        """A player as compiled code takes it. The seat keeps its heuristics alive."""
        player = self.player(text)
        assert isinstance(player, AlphaBetaPlayer)
        seat = seat_of(player, self.game)
        return seat.row, seat.functions(class_of(self.game.start_state())), seat

    def think(self, player: str, places: list[tuple[str, list[str]]]) -> Iterator[dict[str, Any]]:
        """What a player chooses in these positions."""
        with speaking("en"):  # the language of records
            for start, line in places:
                try:
                    made, position = self.player(player), self._position(start, line)
                    if isinstance(made, HostedPlayer):
                        made.begin(position)
                        yield {"begun": True}
                    choice = asked(made, position)
                    yield {"choice": vars(Move.of(choice))}
                except Lost as lost:
                    yield self._lost(lost)
                except Fault as fault:
                    yield self._lost(Lost.by(fault))
                except BaseException as error:
                    text = self._here("".join(traceback.format_exception(error)))
                    yield {"lost": f"crash: {self._told(error)}", "error": text}

    def judge(self, nodes: int, places: list[tuple[str, list[str]]]) -> Iterator[dict[str, Any]]:
        """The outcome of these positions, where it can be proven."""
        for start, line in places:
            yield {"outcome": proven_outcome(self._position(start, line), nodes)}

    def _position(self, start: str, line: list[str]) -> Position:
        return self.places.position(self.game, start, line)


def _places(player: Player) -> Iterator[str]:
    """Where the code of a player is."""
    if isinstance(player, HostedPlayer):
        yield f"{player.path}: {player.name}"
    for part in parts_of(player):
        yield _place(part.function, part.name)


def _place(function: Any, name: str) -> str:
    code = getattr(function, "__code__", None)
    return f"{code.co_filename}:{code.co_firstlineno}: {name}" if code is not None else name


if __name__ == "__main__":
    main()
