"""The process in which one contestant's files run: it loads and compiles them, and chooses their moves.

It holds nothing of any other contestant, and the tournament survives whatever happens here. It obeys these orders
(processes/orders.py), each with its answers:

    {"do": "open", "game": "connect4", "sources": {file: {name: text}}}          no answer
    {"do": "enlist", "file": "mine.py"}
                    {"heuristics": [names], "searches": [names], "warnings": [texts]} or {"error": text}
    {"do": "seat", "player": text}
                    {"ready": where its heuristics are defined, "warnings": [texts]} or {"error": text}
    {"do": "reply", "player": text, "words": base64, "width": 3, "part": 8}
                    {"replies": [moves, scores, generated, evaluated]} for each part; for a position in which the player
                    fails, {"lost": reason, "error": text}
    {"do": "think", "player": text, "places": [[start, [moves]], ...]}
                    {"choice": {...}} or {"lost": reason, "error": text} for each place
    {"do": "judge", "nodes": 1000, "places": ...}
                    {"outcome": 1, 0, -1 or null} for each place
"""

import base64
import contextlib
import faulthandler
import functools
import os
import signal
import traceback
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.core import class_of
from zermelo.errors import HeuristicError, ZermeloError
from zermelo.games import find_game
from zermelo.language import Message, speaking
from zermelo.match import Lost, Move
from zermelo.players import AlphaBetaPlayer, Player
from zermelo.players.own import searches_in
from zermelo.position import Position
from zermelo.processes.orders import Orders
from zermelo.searches.own.running import ready
from zermelo.searches.playing import Seat
from zermelo.searches.replies import compiled_replies
from zermelo.searches.workspace import workspace
from zermelo.tournaments.contestants import load_source, make_player, parts_of, written_folder
from zermelo.tournaments.quick import seat_of
from zermelo.tournaments.referee import asked, proven_outcome

KNOWN_POSITIONS = 4096
"""Number of positions that are kept, because the next one of a game is only two moves after the last."""

LONGEST_TOLD = 4000
"""Maximum number of characters of a traceback that are reported."""


def main() -> None:
    orders = Orders()
    _tell_of_the_end()
    guest = Guest()
    orders.serve({name: getattr(guest, name) for name in ("open", "enlist", "seat", "reply", "think", "judge")})


def _tell_of_the_end() -> None:
    """Make standard error show which line of the files was running, whatever ends this process."""
    faulthandler.enable()
    if hasattr(faulthandler, "register"):  # not on Windows
        faulthandler.register(signal.SIGUSR1, all_threads=True)  # the tournament asks where the code hangs
    leave = os._exit

    def told(status: int) -> None:
        faulthandler.dump_traceback(all_threads=False)
        leave(status)

    os._exit = told  # type: ignore[assignment]
    with contextlib.suppress(OSError):  # if memory runs out, the system should end this process
        Path("/proc/self/oom_score_adj").write_text("1000")


class Guest:
    """What this process holds: the files, and the players that were made from them."""

    def __init__(self) -> None:
        self.sources: dict[str, dict[str, str]] = {}

    def open(self, game: str, sources: dict[str, dict[str, str]]) -> Iterator[dict[str, Any]]:
        self.game, self.sources = find_game(game), sources
        self.positions: dict[tuple[str, tuple[str, ...]], Position] = {}
        self.player = functools.lru_cache(maxsize=1024)(self._made)
        return iter(())

    def _made(self, text: str) -> Player:
        return make_player(text, self.game, self.sources)

    # -------------------------------------------------------------------------------- what the files hold

    def enlist(self, file: str) -> Iterator[dict[str, Any]]:
        """Load a file and compile its heuristics for this game."""
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            try:
                names, searches = self._names(file)
            except BaseException as error:  # including SystemExit
                yield {"error": self._told(error)}
                return
        yield {"heuristics": names, "searches": searches, "warnings": self._warnings(warned)}

    def _names(self, file: str) -> tuple[list[str], list[str]]:
        state = self.game.start_state()
        known = load_source(self.sources[file], Path(file).name).values()
        found = [heuristic for heuristic in known if class_of(state) in heuristic.classes]
        searches = searches_in(written_folder(self.sources[file]) / Path(file).name)
        if not (found or searches):
            raise HeuristicError("{name} contains no heuristics for {title}", name=file, title=Message(self.game.title))
        for heuristic in found:
            heuristic.native(class_of(state))
            heuristic.check(state)
        for search in searches.values():
            ready(search, class_of(state))
        return [heuristic.name for heuristic in found], list(searches)

    def seat(self, player: str) -> Iterator[dict[str, Any]]:
        """Make a player and compile what it needs."""
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            try:
                made = self.player(player)
                made.prepare(self.game)
                where = " or ".join(_place(part.function, part.name) for part in parts_of(made))
            except BaseException as error:
                yield {"error": self._told(error)}
                return
        yield {"ready": self._here(where), "warnings": self._warnings(warned)}

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
            kinds = class_of(self.game.start_state()).kinds
            state = class_of(self.game.start_state())(*(row[i : i + 1].astype(kinds[i])[0] for i in range(len(kinds))))
            try:
                asked(self.player(player), Position(self.game, state))  # its error says more about what is wrong
            except Lost as lost:
                return self._lost(lost)
            return {"lost": f"crash: {self._told(error)}", "error": self._here(traceback.format_exc())}

    def _lost(self, lost: Lost) -> dict[str, Any]:
        return {"lost": self._here(str(lost)), "error": self._here(lost.error) if lost.error else None}

    def _replies(self, player: str, rows: Any) -> Any:
        row, functions, _ = self._seated(player)
        like = self.game.start_state()
        replies = np.empty((len(rows), 4), np.int64)
        compiled_replies(class_of(like))(like, np.array(rows), row, *functions, replies, self._work)
        return replies

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
                    choice = asked(self.player(player), self._position(start, line))
                    yield {"choice": vars(Move.of(choice))}
                except Lost as lost:
                    yield self._lost(lost)
                except BaseException as error:
                    text = self._here("".join(traceback.format_exception(error)))
                    yield {"lost": f"crash: {self._told(error)}", "error": text}

    def judge(self, nodes: int, places: list[tuple[str, list[str]]]) -> Iterator[dict[str, Any]]:
        """The outcome of these positions, where it can be proven."""
        for start, line in places:
            yield {"outcome": proven_outcome(self._position(start, line), nodes)}

    def _position(self, start: str, line: list[str]) -> Position:
        """The position after these moves, played from the latest known position of the game, or from the start."""
        moves = tuple(line)
        for known in range(len(moves), -1, -1):
            position = self.positions.get((start, moves[:known]))
            if position is not None:
                break
        else:
            known, position = 0, self.game.position(start)
        for move in moves[known:]:
            position = position.play(move)
        if len(self.positions) >= KNOWN_POSITIONS:
            self.positions.clear()
        self.positions[start, moves] = position
        return position


def _place(function: Any, name: str) -> str:
    code = getattr(function, "__code__", None)
    return f"{code.co_filename}:{code.co_firstlineno}: {name}" if code is not None else name


if __name__ == "__main__":
    main()
