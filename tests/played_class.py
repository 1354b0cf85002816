"""A small class whose ladder has really been played: Ada with two versions, Bob with one that fails, and two rungs."""

from dataclasses import dataclass

from zermelo.arena.records import Records
from zermelo.players import Player
from zermelo.tournaments.plan import make_plan
from zermelo.tournaments.run import begin, run

SECRET = "the secret of Bob"
CODE = {
    "old.py": "# the first version of Ada\n",
    "new.py": "# the second version of Ada\nx = 1\n",
    "bob.py": f"# {SECRET}\n",
}


class First(Player):
    """Always plays the first legal move."""

    def choose(self, position):
        return position.moves[0]


class Clumsy(Player):
    """Crashes as soon as three moves have been played."""

    def choose(self, position):
        if len(position.path) > 3:
            raise ValueError(f"/home/server/bob.py: {SECRET}")
        return position.moves[0]


@dataclass
class PlayedClass:
    records: Records
    ada: object
    bob: object
    keys: dict[str, str]
    old: int  # the submissions
    new: int
    bobs: int

    @property
    def store(self):
        return self.records.store


def played_class(store, pairs=4) -> PlayedClass:
    """Make the class in a new store, and play the ladder."""
    records = Records(store)
    (ada, adas_key), (bob, bobs_key) = records.add_student("Ada Lovelace", "Vega"), records.add_student("Bob", "Rigel")
    ids = {}
    for student, file in ((ada, "old.py"), (ada, "new.py"), (bob, "bob.py")):
        one = records.add_submission(student.id, file, {file: CODE[file]}, file)
        name = f"v{one.id}"
        records.next_waiting()
        finding = {"level": "warning", "text": f"something about {file}", "file": file, "line": 1}
        records.decide(one.id, "valid", {"state": "valid", "findings": [finding]}, name)
        records.add_contestant(name, file, {}, "student", one.id)
        ids[file] = one.id
    records.add_contestant("rung-1", "random", {}, "rung", title="Random")
    records.add_contestant("rung-2", "alphabeta(depth=9)", {}, "rung", title="Perfect play")
    players = {
        f"v{ids['old.py']}": First(),
        f"v{ids['new.py']}": "alphabeta(depth=2)",
        f"v{ids['bob.py']}": Clumsy(),
        "rung-1": "random",
        "rung-2": "alphabeta(depth=9)",
    }
    play(records, players, pairs)
    keys = {
        "ada": adas_key,
        "bob": bobs_key,
        "teacher": records.make_key("teacher"),
        "watch": records.make_key("watch"),
    }
    return PlayedClass(records, ada, bob, keys, ids["old.py"], ids["new.py"], ids["bob.py"])


def play(records, players, pairs, game="tictactoe"):
    """Play everybody against everybody, and note down ratings as the ladder does."""
    contestants = [{"name": name, "player": player} for name, player in players.items()]
    plan, objects = make_plan(contestants, game, name="ladder", pairs=pairs)
    begin(records.store, plan)
    run(records.store, "ladder", threads=1, objects=objects)
    for number, (elo, error) in enumerate([(-40, 90), (10, 60), (35, 45)], 1):
        for name in players:
            records.remember_rating(name, 1000.0 * number, 10 * number, elo, error)
