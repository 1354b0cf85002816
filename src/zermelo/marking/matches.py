"""Matches of a student's work against a rung: pairs of games on hidden openings, until the result is clear.

The teacher's process plays the games. For a heuristic it also searches, to a fixed depth, and the student's process
only evaluates the positions at the horizon. So nobody can search deeper than the rubric says.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from zermelo.calls import call_of
from zermelo.core.numbers import units_of
from zermelo.games import read_game
from zermelo.language import _, speaking
from zermelo.marking.heuristic_items import evaluated
from zermelo.marking.results import Look, Result
from zermelo.marking.rubric import Item
from zermelo.marking.search_items import case_of
from zermelo.marking.submission import MOST_DEATHS, Submission, Tell
from zermelo.match import ENDINGS, Record, play_out
from zermelo.players import KINDS, AlphaBetaPlayer, Choice, Player, find_player
from zermelo.players.player import Crashed
from zermelo.position import Game, Position
from zermelo.rules import end_score, is_over, moves_of, play, to_move
from zermelo.tournaments.intervals import paired_rate
from zermelo.tournaments.openings import find_openings
from zermelo.tournaments.plan import Openings
from zermelo.tournaments.referee import Limits, Referee
from zermelo.tournaments.sprt import Running, Sprt

STRONGER = 150.0
"""The test decides between "no stronger" and "stronger by this much", in normalised Elo."""
MOST_PLIES = 400
PLAYED_OUT = ENDINGS[0]


@dataclass(frozen=True)
class HeuristicAtWork(Player):
    """Searches here, with values from the student's process. Minimax needs no more than the values at the horizon."""

    work: Submission
    game: str
    depth: int
    known: dict[Any, int] = field(default_factory=dict, compare=False)
    kind = "student"

    def think(self, position: Position) -> Choice:
        leaves = [state for state in _horizon(position.state, self.depth) if state not in self.known]
        if leaves:
            values, faults = evaluated(self.work, self.game, leaves, lambda done, of: None)
            for state, value in zip(leaves, values, strict=True):
                if value is None:
                    raise Crashed((faults or [_("it gave no value")])[0])
                self.known[state] = int(units_of(value))
        moves = moves_of(position.state)
        best = max(moves, key=lambda move: self._worth(position.state, move, self.depth - 1, 1))
        return Choice(position.game.move_text(position.state, best), 0.0)

    def _worth(self, state: Any, move: int, depth: int, ply: int) -> int:
        """What a move is worth to the player who makes it."""
        after = play(state, move)
        value = self._value(after, depth, ply)
        return value if to_move(after) == to_move(state) else -value

    def _value(self, state: Any, depth: int, ply: int) -> int:
        if is_over(state):
            return int(end_score(state, ply))
        if depth == 0:
            return self.known[state]
        return max(self._worth(state, move, depth - 1, ply + 1) for move in moves_of(state))


def _horizon(state: Any, depth: int) -> list[Any]:
    """The states that are evaluated, each once."""
    now = {state: None}
    for _ply in range(depth):
        now = {play(one, move): None for one in now if not is_over(one) for move in moves_of(one)}
    return [one for one in now if not is_over(one)]


@dataclass(frozen=True)
class SearchAtWork(Player):
    """The student's search or player, which chooses its moves in the student's process."""

    work: Submission
    game: str
    depth: int
    heuristic: str | None
    kind = "student"

    def think(self, position: Position) -> Choice:
        case = case_of(position, self.depth, heuristic=self.heuristic)
        [answer] = self.work.answers("play", [case], game=self.game)
        if "fault" in answer:
            raise Crashed(str(answer["fault"]))
        return Choice(str(answer.get("move")), 0.0)


def rung_of(text: str, depth: int, game: Game) -> Player:
    """The player that a rubric names: a player, or a heuristic, with which alpha-beta plays at the same depth."""
    named = call_of(text)
    player = find_player(text, game) if named.name in KINDS else AlphaBetaPlayer(heuristic=text, depth=depth)
    player.prepare(game)
    return player


def beats(work: Submission, item: Item, tell: Tell) -> Result:
    """Is it stronger than the rung? All points if the test says so, half of them if the games end undecided."""
    game = read_game(item["game"])
    rung = rung_of(item["rung"], item["depth"], game)
    student: Player = (
        HeuristicAtWork(work, item["game"], item["depth"])
        if work.rubric.kind == "heuristic"
        else SearchAtWork(work, item["game"], item["depth"], item["heuristic"])
    )
    error = 1 - item["confidence"]
    test = Sprt(0.0, STRONGER, error, error)
    running = Running(test)
    scores: list[float] = []
    losses: list[str] = []
    openings = find_openings(game, Openings(), item["pairs"], item.seed)[: item["pairs"]]
    for pair, opening in enumerate(openings):
        tell(pair, len(openings))
        for score, record in _pair(student, rung.seeded(item.seed + pair), game.position(opening)):
            scores.append(score)
            if record.reason != PLAYED_OUT and score == 0:
                losses.append(record.reason)
        running.add(sum(scores[-2:]))
        if running.verdict is not None or work.deaths >= MOST_DEATHS:
            break
    verdict = running.verdict if work.deaths < MOST_DEATHS else "elo0"
    rate = paired_rate(scores)
    facts = {"games": len(scores), "score": rate.value, "interval": [rate.low, rate.high], "verdict": verdict}
    said = {
        "elo1": _("it is stronger: {score:.0%} of the points in {games} games"),
        "elo0": _("it is not stronger: {score:.0%} of the points in {games} games"),
        None: _("it is not clear after all {games} games whether it is stronger: it got {score:.0%} of the points"),
    }[verdict]
    lines = [said.format(score=rate.value, games=len(scores))]
    if losses:
        lines.append(_("it lost {number} games by a failure: {reason}").format(number=len(losses), reason=losses[0]))
    return Result({"elo1": 1.0, "elo0": 0.0, None: 0.5}[verdict] if scores else 0.0, tuple(lines), facts)


def _pair(student: Player, rung: Player, start: Position) -> Iterator[tuple[float, Record]]:
    """Two games from one opening, in which the student's work moves first and second; its scores."""
    host = Referee(Limits(most_plies=MOST_PLIES))
    with speaking("en"):
        for first in (True, False):
            players = (student, rung) if first else (rung, student)
            names = ("student", "rung") if first else ("rung", "student")
            record = play_out(players, names, start, host)
            yield (record.score if first else 1 - record.score), record


def check_rung(item: Item) -> None:
    """Raise ZermeloError if there is no such rung."""
    rung_of(item["rung"], item["depth"], read_game(item["game"]))


LOOKS: dict[str, Look] = {"beats": beats}
