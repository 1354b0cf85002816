"""A made-up class whose ladder has really been played, for the screenshots of docs/how-to/arena.md."""

import threading
import time
from pathlib import Path

import uvicorn

from zermelo.arena.feedback import LADDER, feedback_chore
from zermelo.arena.records import Records
from zermelo.arena.settings import read_settings
from zermelo.arena.standings import Publisher
from zermelo.tournaments.plan import make_plan
from zermelo.tournaments.run import Progress, begin, run
from zermelo.tournaments.store import open_store
from zermelo.web.arena.app import create_arena_app
from zermelo.web.arena.settings import ServerSettings
from zermelo.web.frame import server_options

SETTINGS = """
title = "Search, spring 2027"
game = "connect4"
[budget]
depth = 3
[class]
time_zone = "Europe/Madrid"
deadline = 2027-05-28 23:59:00
"""
# Student, pseudonym, and what plays for each version handed in.
STUDENTS = [
    ("Ana Ruiz", "Vega", ["alphabeta(depth=2, heuristic=lines2)", "alphabeta(depth=4, heuristic=parity12)"]),
    ("Bruno Gil", "Rigel", ["alphabeta(depth=3, heuristic=parity12)"]),
    ("Carla Soto", "Deneb", ["alphabeta(depth=3, heuristic=directions)"]),
    ("Daniel Vidal", "Altair", ["alphabeta(depth=2, heuristic=centre)"]),
    ("Elena Mora", "Sirius", ["alphabeta(depth=1, heuristic=parity12)"]),
    ("Fabio Luna", "Mizar", ["alphabeta(depth=1, heuristic=lines2)"]),
]
RUNGS = {
    "Random": "random",
    "Centre, depth 2": "alphabeta(depth=2, heuristic=centre)",
    "Parity, depth 4": "alphabeta(depth=4, heuristic=parity12)",
}
CODE = '''import zermelo as z


@z.heuristic
def mine(board: z.Connect4):
    """My threats minus the opponent's."""
    return len(board.my_threats) - len(board.their_threats)
'''
PAIRS, BETWEEN = 5, 20  # pairs of games of each two, and games between two looks at the ratings


class MadeUpClass:
    """An arena on a port of its own, with a class and its games."""

    def __init__(self, folder: str):
        place = Path(folder)
        (place / "arena.toml").write_text(SETTINGS, encoding="utf-8")
        self.settings = read_settings(place)
        self.store = open_store(place / "arena.db")
        self.records = Records(self.store)
        self.keys: dict[str, str] = {}
        self.submissions: dict[str, int] = {}
        self._play(self._enrol())
        self._serve(place)

    def _enrol(self) -> dict[str, str]:
        """Let everybody hand in, and return the players by the names of their contestants."""
        players = {}
        for number, (title, text) in enumerate(RUNGS.items(), 1):
            self.records.add_contestant(f"rung-{number}", text, {}, "rung", title=title)
            players[f"rung-{number}"] = text
        for name, pseudonym, versions in STUDENTS:
            student, self.keys[pseudonym] = self.records.add_student(name, pseudonym)
            for version, text in enumerate(versions, 1):
                code = CODE + f"\n# {text}\n"
                one = self.records.add_submission(student.id, "mine.py", {"mine.py": code}, f"{pseudonym} {version}")
                self.records.next_waiting()
                contestant = self.records.contestant_name(one)
                self.records.decide(one.id, "valid", {"findings": []}, contestant)
                self.records.add_contestant(contestant, text, {}, "student", one.id)
                self.submissions[pseudonym] = one.id
                players[contestant] = text
        self.keys["teacher"] = self.records.make_key("teacher")
        return players

    def _play(self, players: dict[str, str]) -> None:
        contestants = [{"name": name, "player": text} for name, text in players.items()]
        plan, objects = make_plan(contestants, self.settings.game, name=LADDER, pairs=PAIRS, format="round robin")
        begin(self.store, plan)
        publisher = Publisher(self.store, self.records, self.settings)
        published = 0

        def watch(progress: Progress) -> None:
            nonlocal published
            if progress.done >= published + BETWEEN:
                published = progress.done
                publisher.publish()  # which notes down the ratings

        run(self.store, LADDER, objects=objects, threads=1, watch=watch)
        publisher.publish()
        while feedback_chore(self.records, self.store, self.settings):
            pass

    def _serve(self, folder: Path) -> None:
        settings = ServerSettings(data=folder)
        app = create_arena_app(self.settings, self.records, settings)
        config = uvicorn.Config(app, port=0, log_level="error", timeout_graceful_shutdown=1, **server_options(settings))
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.server.run, daemon=True)
        self.thread.start()
        while not self.server.started:
            time.sleep(0.05)
        port = self.server.servers[0].sockets[0].getsockname()[1]
        self.address = f"http://127.0.0.1:{port}"

    def end(self) -> None:
        """Stop the server."""
        self.server.should_exit = True
        self.thread.join(10)
        self.store.close()
