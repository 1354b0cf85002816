"""A small class with submissions, rungs, and games that random players have played, for tests of the desk."""

import random
from pathlib import Path

from planted_copies import COPIES, HANDOUT, HONEST, ORIGINAL
from zermelo.arena.records import Records
from zermelo.arena.settings import ArenaSettings, read_settings
from zermelo.arena.tables import Student
from zermelo.games import find_game
from zermelo.match import Record, play_match
from zermelo.players import find_player
from zermelo.tournaments.contestants import Contestant
from zermelo.tournaments.openings import digest
from zermelo.tournaments.plan import Plan
from zermelo.tournaments.referee import Played
from zermelo.tournaments.schedule import Pair
from zermelo.tournaments.store import open_store

TOML = """\
title = "Reversi 2026 <b>&"
game = "tictactoe"

[class]
time_zone = "Europe/Madrid"
deadline = "2027-01-15 23:59"

[ladder]
rungs = ["random", "alphabeta(depth=2)"]
"""

WORKS = {
    "=Ana": [HONEST["elena"], ORIGINAL],
    "Bruno Muñoz": [COPIES["all at once"](ORIGINAL)],
    "Carla <script>alert(1)</script>": [HONEST["carla"]],
    "Dario": [HONEST["dario"]],
    "Zoe": [],
}
"""Student -> versions, the oldest first."""


HEURISTIC = "alphabeta(heuristic={file}:mine, depth=1)"


class DeskClass:
    """The records and settings of the class."""

    def __init__(self, folder: Path, games: int = 4):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "arena.toml").write_text(TOML, encoding="utf-8")
        (folder / "handout").mkdir()
        (folder / "handout" / "start.py").write_text(HANDOUT, encoding="utf-8")
        self.arena: ArenaSettings = read_settings(folder)
        self.store = open_store(self.arena.database)
        self.records = Records(self.store)
        self.teacher = self.records.make_key("teacher")
        self.keys: dict[str, str] = {}
        self.students: dict[str, Student] = {}
        for number, rung in enumerate(self.arena.ladder.rungs, 1):
            self.records.add_contestant(f"rung-{number}", rung, {}, "rung", title=rung)
        for name, works in WORKS.items():
            student, self.keys[name] = self.records.add_student(name)
            self.students[name] = student
            for text in works:
                self.hand_in(name, text)
        self.play("ladder", games)

    def hand_in(
        self, name: str, text: str, state: str = "valid", player: str = "alphabeta(heuristic={file}:mine, depth=1)"
    ) -> int:
        """Add a submission with its verdict."""
        records, student = self.records, self.students[name]
        one = records.add_submission(student.id, "mine.py", {"mine.py": text}, f"{digest(text):x}")
        claimed = records.next_waiting()
        assert claimed is not None and claimed.id == one.id
        contestant = records.contestant_name(one) if state == "valid" else None
        reason = {} if state == "valid" else {"reason": "it does not compile <i>"}
        records.decide(one.id, state, reason, contestant)
        if contestant is not None:
            file = f"{contestant}/mine.py"
            records.add_contestant(contestant, player.format(file=file), {file: {"mine.py": text}}, "student", one.id)
        return one.id

    @property
    def playing(self) -> list[str]:
        current = [one.contestant or "" for one in self.records.current().values()]
        return [*current, *(one.name for one in self.records.contestants("rung"))]

    def play(self, tournament: str, each: int) -> None:
        """Let everybody play everybody, with moves of chance: those with a smaller number win more often."""
        names = self.playing
        contestants = tuple(Contestant(name, "random") for name in names)
        self.store.create(Plan(tournament, self.arena.game, contestants, pairs=each), [""])
        pairs, games = [], []
        for i, one in enumerate(names):
            for j, other in enumerate(names[i + 1 :], i + 1):
                for number in range(each):
                    pair = Pair(f"{one}-{other}-{number}", 0, one, other, number, "", 0, 0)
                    pairs.append(pair)
                    for swapped in (False, True):
                        players = (other, one) if swapped else (one, other)
                        games.append(
                            (pair.id, swapped, self._game(f"{pair.id} {swapped}", players, 2 if swapped else 1, j - i))
                        )
        self.store.add_pairs(tournament, pairs)
        self.store.add_games(tournament, games)
        self.publish(tournament, names)

    def _game(self, seed: str, players: tuple[str, str], better: int, lead: int) -> Played:
        game = find_game(self.arena.game)
        for attempt in range(100):
            seeds = [find_player(f"random(seed={digest(f'{seed} {attempt} {i}') % 10**6})", game) for i in (0, 1)]
            record = play_match(seeds[0], seeds[1], game.start())
            record.players = players
            if record.winner == better or random.Random(f"{seed}{attempt}").random() < 0.3 / lead:
                break
        if "rung" not in seed and digest(seed) % 11 == 0 and record.winner is not None:
            record.reason = "crash: ZeroDivisionError: <division> by zero"
        return Played.of(record)

    def publish(self, tournament: str, names: list[str]) -> None:
        """Publish standings in the form that the pages know."""
        titles = {one.name: one for one in self.records.contestants()}
        rows = [
            {
                "contestant": name,
                "student": titles[name].student,
                "name": titles[name].title or name,
                "is_rung": titles[name].kind == "rung",
                "rank": str(place) if place > 2 else "1-2",
                "elo": 300.0 - 100 * place,
                "error": 20.0,
                "games": 40,
                "points": 20.0,
                "version": 1,
                "change": 0,
                "faults": place % 3,
            }
            for place, name in enumerate(names, 1)
        ]
        published = "standings" if tournament == "ladder" else tournament
        self.records.publish(published, {"games": 40 * len(names), "rows": rows, "updated": 0.0})


def games_in(text: str) -> list[Record]:
    """The games of a JSONL file."""
    return [Record.from_json(line) for line in text.splitlines()]
