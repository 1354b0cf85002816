"""Running a tournament from its plan to its last game, even if players or other processes fail."""

import contextlib
import dataclasses
import os
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass
from functools import partial
from queue import Empty, SimpleQueue

from zermelo.errors import FileError, PlayerError
from zermelo.games import find_game
from zermelo.games.sandboxed import limits_of
from zermelo.players import Player, find_player
from zermelo.players.external import ExternalPlayer
from zermelo.processes.sandbox import SandboxLimits
from zermelo.tournaments.guests import missing_here
from zermelo.tournaments.openings import digest, find_openings
from zermelo.tournaments.pairing import Pairing, by_groups
from zermelo.tournaments.plan import Plan
from zermelo.tournaments.referee import Abandoned, Played
from zermelo.tournaments.schedule import Pair, Schedule, meetings_expected, openings_needed
from zermelo.tournaments.store import Store
from zermelo.tournaments.tallies import scores_of
from zermelo.tournaments.task import Roster, Task, tasks_of
from zermelo.tournaments.trust import check_plan, remember_plan
from zermelo.tournaments.workers import Workers, local_workers

POLL = 0.5
"""Seconds between two looks at what other processes have done, when they hold the pairs that are left."""

BREATH = 0.005
"""Seconds for which games are collected before they are stored, so that this thread does not slow the players."""

SUMS = {points / 2: points / 2 for points in range(5)}
"""The points of a pair. A million of them are five numbers, and not a million."""

AHEAD, QUEUED = 8, 32
"""Games handed out in advance, as multiples of the workers' capacity: at first, and at most (for very short games)."""


@dataclass
class Progress:
    """What the watcher is told while the tournament runs."""

    total: int  # number of games, as far as it is known
    done: int
    done_before: int  # games that an earlier run played
    began: float
    points: dict[str, float]
    games: dict[str, int]

    @property
    def seconds_left(self) -> float | None:
        """Estimated seconds until the end, if the games go on at the same speed."""
        fresh = self.done - self.done_before
        return (time.monotonic() - self.began) / fresh * max(self.total - self.done, 0) if fresh else None

    @property
    def standings(self) -> list[tuple[str, float, int]]:
        """Rows of (name, points, games), with the best score first."""
        rows = [(name, self.points[name], self.games[name]) for name in self.points]
        return sorted(rows, key=lambda row: -(row[1] / row[2] if row[2] else 0))


Watch = Callable[[Progress], None]


def begin(store: Store, plan: Plan) -> None:
    """Enter a new tournament into a store. This generates its openings but plays no games."""
    if plan.name in store.names():
        raise FileError(
            "{where} already contains the tournament {name!r}; resume it, or choose another name",
            where=store.where,
            name=plan.name,
        )
    game = find_game(plan.game)
    store.create(plan, find_openings(game, plan.openings, openings_needed(plan), plan.seed))
    store.add_notes(plan.name, plan.notes)
    missing = missing_here()
    if plan.sources and missing:
        store.add_notes(plan.name, [missing])
    remember_plan(plan)


def run(
    store: Store,
    name: str | None = None,
    *,
    threads: int | None = None,
    workers: Workers | None = None,
    objects: Mapping[str, Player] | None = None,
    watch: Watch = lambda progress: None,
    trust: bool = False,
    schedule: Pairing | None = None,
    is_stopped: Callable[[], bool] = lambda: False,
    sandbox: bool | SandboxLimits = False,
) -> list[str]:
    """Play everything that is left of a tournament, and return the notes that its readers should see.

    threads: the number of threads, by default one per core. workers: who plays the games, instead of threads
    of this machine. trust: run the code that comes with the tournament even if the tournament was not begun here.
    schedule: who decides which pairs are played, instead of the format in the plan; it may go on without end, and
    contestants may join and leave meanwhile. is_stopped: asked every now and then; when it answers True, the games
    under way are abandoned and run returns. The next run continues.
    sandbox: run the files of contestants in a sandbox, even if the tournament was begun without one.
    """
    plan, openings = store.plan(name)
    check_plan(plan, store.where, trust)
    if sandbox:
        plan = dataclasses.replace(plan, sandbox=SandboxLimits() if sandbox is True else sandbox)
    if plan.sandbox is not None:
        check_sandbox(plan, objects or {}, is_here=workers is None or not workers.is_elsewhere)
    roster = Roster(objects)
    players = dict(zip(plan.names, roster.prepare(plan), strict=True))
    if workers is None:
        workers = local_workers(threads or os.cpu_count() or 1, plan, objects or {}, others_join=schedule is not None)
    try:
        with store.playing(plan.name):
            return _Run(store, plan, openings, players, workers, watch, schedule).go(is_stopped)
    except BaseException:
        workers.stop()
        raise
    finally:
        workers.close()


def check_sandbox(plan: Plan, objects: Mapping[str, Player], is_here: bool = True) -> None:
    """Raise an error unless all code of contestants can run in a sandbox. is_here: this machine needs it."""
    if is_here:
        limits_of(plan.sandbox)
    game = find_game(plan.game)
    for contestant in plan.contestants:
        if contestant.name not in objects and isinstance(find_player(contestant.player, game), ExternalPlayer):
            raise PlayerError(
                "{name} starts a program, which cannot run in the sandbox; leave it out, or play without the sandbox",
                name=contestant.name,
            )


def is_fixed(players: Mapping[str, Player]) -> Callable[[str, str], bool]:
    """Return a function that tells whether two players would repeat the same game from the same opening."""
    return lambda one, other: players[one].is_deterministic and players[other].is_deterministic


class _Run:
    def __init__(
        self,
        store: Store,
        plan: Plan,
        openings: Sequence[str],
        players: Mapping[str, Player],
        workers: Workers,
        watch: Watch,
        schedule: Pairing | None,
    ):
        self.store, self.plan, self.workers, self.watch = store, plan, workers, watch
        self.schedule: Pairing = schedule or Schedule(plan, openings, is_fixed(players), self._more_openings)
        # Of a million games, only the sums of finished pairs are kept, and single games that wait for their partner.
        self.pair_scores: dict[str, float] = {}
        self.scores: dict[tuple[str, bool], float] = {}
        self.known: dict[str, Pair] = {}  # those that had games to play when they came
        self.waiting: deque[Pair] = deque()
        self.running: dict[str, int] = {}  # pair -> number of its games under way
        self.under_way = 0  # the sum over all pairs
        # If others take pairs from the same store, we hold only a few; otherwise some games are always ready.
        self.most_under_way = workers.capacity * (1 if store.is_shared else AHEAD)
        self.others_play = False  # other processes play on the same store
        self.looked = 0.0
        self.finished: SimpleQueue[tuple[Task, Future[Played]]] = SimpleQueue()
        self.progress = Progress(
            total=2 * plan.pairs * meetings_expected(plan),
            done=0,
            done_before=0,
            began=time.monotonic(),
            points=dict.fromkeys(plan.names, 0.0),
            games=dict.fromkeys(plan.names, 0),
        )

    def go(self, is_stopped: Callable[[], bool] = lambda: False) -> list[str]:
        if not self.schedule.is_endless:
            self._read_scores()
        self._advance()
        self.progress.done_before = self.progress.done
        while not (self.schedule.ended or is_stopped()):
            self._fill()
            if self.running:
                self._collect()
            if self.others_play:
                self._look_around()
            elif not (self.running or self.waiting):
                self._advance()
                if self.schedule.is_endless and not self.waiting:
                    time.sleep(POLL)  # all is known well enough until somebody joins
        if self.running:  # an SPRT is decided, or the run was stopped: games that are being played do not matter
            self.workers.stop()
            if not self.schedule.ended:
                self._keep_finished()
        return self.store.notes(self.plan.name)

    def _read_scores(self) -> None:
        for pair, swapped, score in self.store.each_score(self.plan.name):
            self._learn(pair, swapped, score)

    def _keep_finished(self) -> None:
        """Store the games that came to their end while the others were abandoned."""
        with contextlib.suppress(Empty):
            while True:
                self._store([self.finished.get_nowait()])

    def _more_openings(self, known: Sequence[str], needed: int) -> list[str]:
        """More openings, all new, for a match that has not ended yet. They are the same in every run."""
        if self.plan.format != "sprt" or self.plan.openings.positions or self.plan.openings.count is not None:
            return []
        seed = digest(f"{self.plan.seed} {len(known)}") % 1_000_000_007
        more = find_openings(find_game(self.plan.game), self.plan.openings, needed, seed, known)
        self.store.set_openings(self.plan.name, [*known, *more])
        return more

    def _learn(self, pair: str, swapped: bool, score: float) -> None:
        other = self.scores.pop((pair, not swapped), None)
        if other is None:
            self.scores[pair, swapped] = score
        else:
            self.pair_scores[pair] = SUMS[score + other]

    def _count(self, pair: Pair, points_of_first: float, games: int = 1) -> None:
        for player, points in ((pair.first, points_of_first), (pair.second, games - points_of_first)):
            self.progress.points[player] = self.progress.points.get(player, 0.0) + points
            self.progress.games[player] = self.progress.games.get(player, 0) + games
        self.progress.done += games

    def _advance(self) -> None:
        """Take the next pairs from the schedule."""
        new = self.schedule.advance(self.pair_scores)
        if self.schedule.is_endless:
            self._forget_finished()
        if not new:
            return
        self.store.add_pairs(self.plan.name, new)
        self.store.add_notes(self.plan.name, self.schedule.notes)
        left = [pair for pair in new if pair.id not in self.pair_scores]
        for pair in new:
            if pair.id in self.pair_scores:
                self._count(pair, self.pair_scores[pair.id], 2)
        for pair in left:
            self.known[pair.id] = pair
            for swapped in (False, True):
                if (pair.id, swapped) in self.scores:
                    self._count(pair, self.scores[pair.id, swapped])
        self.waiting += left if self.schedule.is_endless else by_groups(self.plan, left, self.workers.processes)
        if self.schedule.is_endless:
            for pair in new:  # a game of an earlier run may wait for its partner
                for swapped, score in scores_of(self.store, self.plan.name, pair.id).items():
                    self._learn(pair.id, swapped, score)
            self.progress.total = self.progress.done + 2 * len(self.known)
        elif self.plan.format in ("round robin", "gauntlet"):
            self.progress.total = 2 * len(new)

    def _forget_finished(self) -> None:
        """The schedule has counted these pairs. A tournament without end must not keep them all in memory."""
        for pair in self.pair_scores:
            self.known.pop(pair, None)
            for swapped in (False, True):
                self.scores.pop((pair, swapped), None)
        self.pair_scores.clear()

    def _fill(self) -> None:
        """Hand out games until all workers are busy."""
        for _ in range(len(self.waiting)):
            if self.under_way >= self.most_under_way:
                return
            pair = self.waiting.popleft()
            if pair.id in self.pair_scores:
                continue
            if not self.store.claim(self.plan.name, pair.id):
                if self.schedule.is_endless:
                    self.known.pop(pair.id, None)
                    self.schedule.taken(pair)
                else:
                    self.waiting.append(pair)  # another process has it; we look at its result later
                    self.others_play = True
                continue
            for task in tasks_of(self.schedule.plan, pair, self.plan.sandbox):
                if (pair.id, task.swapped) not in self.scores:
                    self.running[pair.id] = self.running.get(pair.id, 0) + 1
                    self.under_way += 1
                    self.workers.submit(task).add_done_callback(partial(self._finish, task))

    def _finish(self, task: Task, future: Future[Played]) -> None:
        self.finished.put((task, future))

    def _collect(self) -> None:
        """Store the games that are finished; if there are none, wait for some."""
        batch = []
        try:
            batch.append(self.finished.get(timeout=POLL))  # the time limit lets Ctrl-C through
            time.sleep(BREATH)
            while True:
                batch.append(self.finished.get_nowait())
        except Empty:
            pass
        self._store(batch)
        if self.plan.sprt is not None or self.schedule.is_endless:
            self._advance()
        self.watch(self.progress)

    def _store(self, batch: Sequence[tuple[Task, Future[Played]]]) -> None:
        games = []
        for task, future in batch:
            with contextlib.suppress(Abandoned, CancelledError):
                games.append((task.pair, task.swapped, future.result()))
        self.store.add_games(self.plan.name, games)
        self.under_way -= len(batch)
        self.most_under_way = max(self.most_under_way, self.workers.capacity)  # more workers may have joined
        if len(batch) > self.most_under_way // 2:  # games are short: have more of them ready
            self.most_under_way = min(2 * self.most_under_way, QUEUED * self.workers.capacity)
        for task, _ in batch:
            self.running[task.pair] -= 1
            if not self.running[task.pair]:
                del self.running[task.pair]
                self.store.release(self.plan.name, task.pair)
        for pair, swapped, played in games:
            score = 1 - played.score if swapped else played.score
            self._learn(pair, swapped, score)
            self._count(self.known[pair], score)

    def _look_around(self) -> None:
        """See what the other processes have done, and wait for them if there is nothing to do here."""
        if not self.running:
            time.sleep(POLL)
        if time.monotonic() - self.looked < POLL:
            return
        self.looked = time.monotonic()
        for pair, swapped, score in self.store.each_score(self.plan.name):
            if pair not in self.pair_scores and (pair, swapped) not in self.scores:
                self._learn(pair, swapped, score)
                if pair in self.known:
                    self._count(self.known[pair], score)
        self._advance()
        self.watch(self.progress)
