"""Asking a player for its moves in a batch of games, either in the player's process or in this one."""

import base64
import json
import time
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from zermelo.language import speaking
from zermelo.match import Lost
from zermelo.players import Player
from zermelo.processes.foreign import ProcessFault
from zermelo.tournaments.guests import GuestProcess
from zermelo.tournaments.referee import Referee, check_time
from zermelo.tournaments.tables import QuickRows, QuickTable, Seat, SlowTable, Table, choice_of

Handled = Callable[[list[Table]], None]
"""A function that is called with games as soon as they can continue."""


def think_here(player: Player, waiting: "deque[Table]", handled: Handled, is_stopped: Callable[[], bool]) -> None:
    """Let a player that was given in Python choose its moves, in this process."""
    while waiting:
        table = waiting[0]
        assert isinstance(table, SlowTable)
        try:
            with speaking("en"):
                choice, following = Referee(table.task.limits, is_stopped).choose(player, table.position)
            table.play(choice, following)
        except Lost as lost:
            table.lose(str(lost), lost.error)
        handled([waiting.popleft()])


class Question:
    """A batch of games to ask a process about. Answered games leave `waiting`; ProcessFault if no answer comes."""

    def __init__(self, process: GuestProcess, seat: Seat, waiting: "deque[Table]", handled: Handled):
        self.process, self.seat, self.waiting, self.handled = process, seat, waiting, handled

    def think(self) -> None:
        """Ask a player of any kind for its moves."""
        process, seat, waiting = self.process, self.seat, self.waiting
        process.order("think", player=seat.player, places=self._places())
        while waiting:
            table = waiting[0]
            assert isinstance(table, SlowTable)
            if seat.has_objects:  # it may have to make an object for this game first
                answer = process.answer(table.task.limits.load_limit, process.seated.get(seat.player, ""))
            began = time.perf_counter()
            if not seat.has_objects or "begun" in answer:
                answer = self._answer()
            seconds = time.perf_counter() - began
            try:
                check_time(seconds, table.task.limits)
                table.take(choice_of(answer, seconds))
            except Lost as lost:
                table.lose(str(lost), lost.error)
            except ValueError:
                raise _nonsense(answer) from None
            self.handled([waiting.popleft()])

    def judge(self) -> None:
        """Ask the judge, which proves the results of positions."""
        nodes = self.waiting[0].task.limits.prove_nodes
        self.process.order("judge", nodes=nodes, places=self._places())
        while self.waiting:
            table = self.waiting[0]
            assert isinstance(table, SlowTable)
            table.judged(self._answer()["outcome"])
            self.handled([self.waiting.popleft()])

    def reply(self, rows: QuickRows) -> None:
        """Ask a plain alpha-beta player about all positions at once."""
        seat, waiting = self.seat, self.waiting
        tables = [table for table in waiting if isinstance(table, QuickTable)]
        words, width = base64.b64encode(rows.packed(tables)).decode(), rows.words.shape[1]
        self.process.order("reply", player=seat.player, words=words, width=width, part=len(tables))
        while waiting:
            began = time.perf_counter()
            answer = self._answer()
            left = tables[-len(waiting) :]
            number = 1
            try:
                if "lost" in answer:
                    choice_of(answer, 0.0)
                number = rows.step(left, answer, time.perf_counter() - began)
            except Lost as lost:
                left[0].lose(str(lost), lost.error)
            except ValueError:
                raise _nonsense(answer) from None
            served: list[Table] = [waiting.popleft() for _ in range(number)]
            for table in served:
                table.is_suspect = False
            self.handled(served)

    def _places(self) -> list[tuple[str, list[str]]]:
        return [table.place for table in self.waiting if isinstance(table, SlowTable)]

    def _answer(self) -> dict[str, Any]:
        """The next answer, within the time limit for a move. Our own code has no limit, because it always ends."""
        limits = self.waiting[0].task.limits
        limit = limits.move_limit if limits.seconds is None else limits.seconds + limits.grace
        where = self.process.seated.get(self.seat.player, "")
        return self.process.answer(limit if self.seat.is_foreign else None, where)


def _nonsense(answer: Mapping[str, Any]) -> ProcessFault:
    return ProcessFault("wrong answer", f"its process answered {json.dumps(answer)[:200]}")
