"""Playing games whose players must be kept apart: each file runs in its own process, and the referee runs here.

A driver (a thread) takes positions of many games in which the same player is to move, sends them to a process of that
player, and plays the moves that it answers. A process that hangs, dies or gives a wrong answer is ended. The player
whose move was asked for loses that game, and a new process is started for its next one.

The rules of a game under way are the same as in match.play_out, and tables.py says how they are shared. What is here is
only who asks whom, and when: the loop of match.py waits for one player at a time, which would leave processes idle.
"""

import contextlib
import threading
import time
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError

from zermelo.core import class_of
from zermelo.core.clock import stop_thread
from zermelo.core.packed import is_packable
from zermelo.errors import HeuristicError
from zermelo.language import language, speaking
from zermelo.pieces.sources import files_of
from zermelo.players import ClassPlayer, Player
from zermelo.position import Position
from zermelo.processes.foreign import ProcessFault
from zermelo.searches.replies import compiled_replies
from zermelo.tournaments.asking import Question, think_here
from zermelo.tournaments.guests import GuestProcess
from zermelo.tournaments.homes import Home, Homes, sources_of
from zermelo.tournaments.quick import depths_of, is_quick
from zermelo.tournaments.referee import Abandoned, Played
from zermelo.tournaments.tables import MOST_ROWS, QuickRows, QuickTable, Seat, SlowTable, Table
from zermelo.tournaments.task import Roster, Task, for_this_game, game_of, opening_of, play_task

MOST_TIMEOUTS, MOST_DEATHS = 3, 20
"""A contestant whose process hung or died this many times loses its remaining games without playing them."""

MISSES = 200
"""A player that has waited this many times for its busy process gets another one, unless there are already too many."""

MOST_SEATS = 512
"""If there are more seats than this, those without a game are forgotten. Each seed of a random player has its own."""

QUICK_GAME, SLOW_GAME = 0.5, 4.0
"""Seconds. If games take less than the first, more are played at a time; if they take more than the second, fewer."""


class Hall:
    """All games under way, and the drivers that serve them."""

    def __init__(self, number: int, roster: Roster, everyone: bool = False):
        """everyone: players without files also think in processes; otherwise this process plays games between them."""
        self.number, self.roster, self.everyone = number, roster, everyone
        self.most_homes = max(8, 2 * number)
        self.spectator: Callable[[Task], Callable[[Position], None] | None] = lambda task: None
        self._changed = threading.Condition()
        self._entered: deque[tuple[Task, Future[Played]]] = deque()  # tasks that have not begun
        self._own: deque[tuple[Task, Future[Played]]] = deque()  # tasks between players without files
        self._seats: dict[tuple[str, str, bool], Seat] = {}
        self._turn: deque[Seat] = deque()  # seats with games that wait for a move
        self._tables: set[Table] = set()
        self._homes = Homes()
        self._rows: dict[str, QuickRows] = {}
        self._most_tables = 4 * number
        self._ended: Counter[tuple[str, str]] = Counter()  # (contestant, kind of fault) -> how often
        self._out: dict[str, str] = {}  # contestants who lose all other games -> the reason
        self._all: set[GuestProcess] = set()
        self._is_stopped = False
        self._language = language()
        self._drivers = [
            threading.Thread(target=self._drive, name=f"zermelo-driver-{i}", daemon=True) for i in range(number)
        ]
        for driver in self._drivers:
            driver.start()

    # -------------------------------------------------------------------------------- from outside

    def enter(self, task: Task) -> "Future[Played]":
        """Have a game played."""
        future: Future[Played] = Future()
        with self._changed:
            if self._is_stopped:
                future.set_exception(Abandoned())
                return future
            own = not self.everyone and not any(files_of(player.player) for player in task.players)
            (self._own if own else self._entered).append((task, future))
            self._changed.notify()
        return future

    def stop(self) -> None:
        """Abandon all games and end all processes."""
        left = self._end()
        for driver in self._drivers:
            while driver.is_alive() and driver is not threading.current_thread():
                if driver.ident is not None:
                    stop_thread(driver.ident)
                driver.join(0.05)
        self._tell(Abandoned(), left)

    def _end(self) -> "list[Future[Played]]":
        """Begin no more games, and end all processes. Returns the futures of games that have not begun."""
        with self._changed:
            self._is_stopped = True
            left = [future for _, future in (*self._own, *self._entered)]
            self._own.clear()
            self._entered.clear()
            processes = list(self._all)
            self._changed.notify_all()
        for process in processes:
            process.kill()
        return left

    def _tell(self, error: BaseException, left: "list[Future[Played]]") -> None:
        """Tell whoever still waits for a game that it will not be played to its end."""
        for future in (*left, *(table.future for table in list(self._tables))):
            with contextlib.suppress(InvalidStateError):  # it has come to its end
                future.set_exception(error)

    # -------------------------------------------------------------------------------- the drivers

    def _drive(self) -> None:
        with speaking(self._language):
            while not self._is_stopped:
                try:
                    job = self._next_job()
                    if job is not None:
                        job()
                except BaseException as error:  # a fault of ours: nobody must wait for ever
                    self._tell(error, self._end())

    def _next_job(self) -> Callable[[], None] | None:
        with self._changed:
            self._admit()
            for _ in range(len(self._turn)):
                seat = self._turn.popleft()
                if seat.here is None and not self._can_sit(seat):
                    self._turn.append(seat)
                    continue
                batch = seat.take()
                if seat.waiting:
                    self._turn.append(seat)
                    self._changed.notify()
                home = self._homes[seat.home]
                home.busy += 1
                process = self._idle_process(home, seat)
                return lambda: self._serve(seat, batch, home, process)
            if self._own:
                task, future = self._own.popleft()
                return lambda: self._play_own(task, future)
            self._changed.wait(1.0)
            return None

    def _can_sit(self, seat: Seat) -> bool:
        """Is there a free process for this player, or should another be started?"""
        home = self._homes[seat.home]
        if home.idle or not home.busy:
            return True
        home.missed += 1
        if not home.is_single and home.missed > MISSES and len(self._all) < self.most_homes:
            home.missed = 0
            return True
        return False

    def _idle_process(self, home: Home, seat: Seat) -> GuestProcess | None:
        """An idle process of this home, if possible one that already knows the player; None if all are busy."""
        known = [process for process in home.idle if seat.player in process.seated]
        if not home.idle:
            return None
        process = (known or home.idle)[-1]
        home.idle.remove(process)
        return process

    def _play_own(self, task: Task, future: "Future[Played]") -> None:
        """Play a game between players without files in this thread, from start to end."""
        try:
            future.set_result(play_task(task, self.roster, lambda: self._is_stopped, self.spectator(task)))
        except BaseException as error:
            future.set_exception(error)

    # -------------------------------------------------------------------------------- games begin and end

    def _admit(self) -> None:
        """Begin games, as long as they do not need too many processes."""
        for _ in range(len(self._entered)):
            if len(self._tables) >= self._most_tables:
                return
            task, future = self._entered.popleft()
            try:
                homes = {self._homes.name_of(task, index) for index in (0, 1)}
                in_use = {name for name, home in self._homes.items() if home.games}
                if in_use and len(in_use | homes) > self.most_homes:
                    self._entered.append((task, future))
                    continue
                table = self._table(task)
            except Exception as error:
                future.set_exception(error)
                continue
            table.future = future
            self._tables.add(table)
            for home in homes:
                self._homes[home].games += 1
            self._forget_idle()
            for over in self._move_on([table]):  # the player to move has been excluded
                over.future.set_result(over.played())

    def _forget_idle(self) -> None:
        """Forget the seats and homes of players who have left, so that a ladder does not fill the memory."""
        if len(self._seats) > MOST_SEATS:
            used = {seat for table in self._tables for seat in table.asked}
            self._seats = {place: seat for place, seat in self._seats.items() if seat in used}
            self._homes.forget_empty({seat.home for seat in used})

    def _seat(self, task: Task, index: int, player: Player, is_quick: bool, is_object: bool) -> Seat:
        home = self._homes.name_of(task, index)
        place = home, player.full_text, is_quick  # all games of a batch are of one kind
        known = self._seats.get(place)
        if known is None:
            known = Seat(task.game, player.full_text, sources_of(task, index), home, player if is_object else None)
            known.has_objects = isinstance(player, ClassPlayer)
            known.sandbox = task.sandbox if known.is_foreign else None
            if known.is_foreign and not is_quick:
                player.compile_search(game_of(task.game))  # so that the processes find the code in the cache
            self._seats[place] = known
        return known

    def _table(self, task: Task) -> Table:
        game, tell = game_of(task.game), self.spectator(task)
        given = [self.roster.given.get(contestant.name) for contestant in task.players]
        named = [
            one or self.roster.named(contestant, game) for one, contestant in zip(given, task.players, strict=True)
        ]
        first, second = (for_this_game(named[index], task, task.players[index].name) for index in (0, 1))
        start = opening_of(game, task.opening)
        cls = class_of(start.state)
        quick = is_quick((first, second), game, task.limits) and is_packable(cls) and not any(given)
        both = (
            self._seat(task, 0, first, quick, given[0] is not None),
            self._seat(task, 1, second, quick, given[1] is not None),
        )
        if quick:
            if task.game not in self._rows:
                compiled_replies(cls)  # so that the processes find the code in the cache
                self._rows[task.game] = QuickRows(game)
            table = QuickTable(task, both, start, tell, depths_of((first, second)))  # type: ignore[arg-type]
            self._rows[task.game].add(table)
            return table
        judge = None
        if task.limits.prove_nodes is not None:
            self._homes.setdefault(task.game, Home([]))
            judge = self._seats.setdefault((task.game, "", False), Seat(task.game, "", {}, task.game))
        return SlowTable(task, both, start, tell, judge)

    def _move_on(self, tables: list[Table]) -> list[Table]:
        """Pass games on to the player to move, and return those that are over. The caller must hold the lock."""
        over = []
        for table in tables:
            while (seat := table.next_seat()) is not None:
                why = self._out.get(table.names[table.mover]) if seat in table.seats else None
                if why is None:
                    if not seat.waiting:
                        self._turn.append(seat)
                    seat.waiting.append(table)
                    break
                table.lose(why)
            else:
                self._tables.discard(table)
                if isinstance(table, QuickTable):
                    self._rows[table.task.game].remove(table)
                for home in {seat.home for seat in table.seats}:
                    self._homes[home].games -= 1
                over.append(table)
        self._changed.notify_all()
        return over

    def _handled(self, tables: list[Table]) -> None:
        """Continue these games, whose moves have been chosen."""
        with self._changed:
            over = self._move_on(tables)
            for table in over:
                seconds = time.monotonic() - table.began
                if seconds < QUICK_GAME:
                    self._most_tables = min(self._most_tables + 1, MOST_ROWS)
                elif seconds > SLOW_GAME:
                    self._most_tables = max(self._most_tables - 1, 2 * self.number)
        for table in over:
            table.future.set_result(table.played())

    # -------------------------------------------------------------------------------- moves

    def _serve(self, seat: Seat, batch: list[Table], home: Home, process: GuestProcess | None) -> None:
        """Have the player choose its moves in a batch of games."""
        waiting = deque(batch)
        try:
            if seat.here is not None:
                think_here(seat.here, waiting, self._handled, lambda: self._is_stopped)
            else:
                process = process or self._new_process(seat)
                limits = batch[0].task.limits
                if seat.player:
                    process.seat(seat.player, limits.load_limit)
                began = time.perf_counter()
                question = Question(process, seat, waiting, self._handled)
                if batch[0].is_quick:
                    question.reply(self._rows[seat.game])
                elif seat.player:
                    question.think()
                else:
                    question.judge()
                seat.took(time.perf_counter() - began, len(batch))
        except ProcessFault as fault:
            if not self._is_stopped:
                self._blame(seat, waiting, fault, is_loading=process is None or seat.player not in process.seated)
            self._forget(process)
            process = None
        except HeuristicError as error:  # the file can no longer be used, although it could when the tournament began
            for table in waiting:
                table.lose(f"crash: {error}")
        except BaseException as error:
            self._forget(process)
            process = None
            for table in waiting:
                table.future.set_exception(Abandoned() if self._is_stopped else error)
            waiting.clear()
        finally:
            with self._changed:
                home.busy -= 1
                worn = process if process is not None and _may_go(home, process) else None
                if process is not None and worn is None:
                    home.idle.append(process)
            self._forget(worn)
            if waiting and not self._is_stopped:
                self._handled(list(waiting))

    def _new_process(self, seat: Seat) -> GuestProcess:
        with self._changed:  # at the limit, an idle process goes, preferably one whose games are over
            spare = None
            if len(self._all) >= self.most_homes:
                may_go = [home for home in self._homes.values() if home.idle and not (home.is_single and home.games)]
                homes = sorted(may_go, key=lambda home: home.games)
                spare = homes[0].idle.pop(0) if homes else None
        if spare is not None:
            self._forget(spare)
        process = GuestProcess(seat.game, seat.sources, seat.sandbox)
        with self._changed:
            self._all.add(process)
            if not self._is_stopped:
                return process
        process.kill()
        raise Abandoned

    def _forget(self, process: GuestProcess | None) -> None:
        if process is not None:
            process.kill()
            with self._changed:
                self._all.discard(process)

    def _blame(self, seat: Seat, waiting: "deque[Table]", fault: ProcessFault, is_loading: bool) -> None:
        """Decide which games are lost after a process was ended.

        The game that the process was asked about is lost. If there were several, they are tried again one by
        one, and the one that ends a process again is lost.
        """
        seat.size = 1
        if is_loading:
            guilty = list(waiting)
        elif waiting[0].is_quick and len(waiting) > 1:
            guilty = []
            for table in waiting:
                table.is_suspect = True
        else:
            guilty = [waiting[0]]
        for table in guilty:
            table.lose(fault.reason, fault.errors or None)
        if guilty:
            self._count_fault(guilty[0], seat, fault)

    def _count_fault(self, table: Table, seat: Seat, fault: ProcessFault) -> None:
        """Count a fault of a contestant. After too many, nobody waits for it again."""
        name = table.names[0 if table.seats[0] is seat else 1]
        with self._changed:
            self._ended[name, fault.kind] += 1
            number = self._ended[name, fault.kind]
            lost: list[Table] = []
            if number >= (MOST_TIMEOUTS if fault.kind == "timeout" else MOST_DEATHS):
                # Other processes may be at work on its games: what the first of them said is kept.
                self._out.setdefault(name, f"{fault.reason} (not played: that happened {number} times before)")
                lost = [table for seat in self._turn for table in seat.give_up(name)]
                self._turn = deque(seat for seat in self._turn if seat.waiting)
        self._handled(lost)


def _may_go(home: Home, process: GuestProcess) -> bool:
    """Should another process take the place of this one? It may hold objects of games under way."""
    try:
        return process.is_worn and not (home.is_single and home.games)
    except OSError:  # it has just ended
        return False
