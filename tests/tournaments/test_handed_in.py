"""Homework as it was handed in takes part in tournaments, beside ordinary heuristics and players."""

import shutil
import warnings
from pathlib import Path

import pytest

from zermelo.core import JIT
from zermelo.errors import PlainPythonWarning
from zermelo.games import find_game
from zermelo.match import Record
from zermelo.players import find_player
from zermelo.tournaments.plan import Plan, make_plan
from zermelo.tournaments.run import begin, run
from zermelo.tournaments.store import open_store

pytestmark = pytest.mark.skipif(not JIT, reason="what is compiled is the hard case")

HEX = Path(__file__).parent.parent / "games" / "hex" / "handed_in" / "Player.py"

SOLUTION = """\ufefffrom tournament import StudentHeuristic
print("hola")
class Solution1(StudentHeuristic):
    def get_name(self):
        return "{name}"
    def evaluation_function(self, state):
        print(state.board)
        return {value}
"""
INVERSE = "64 - state.scores[0 if state.is_player_max(state.player1) else 1]"
ORDINARY = """
import zermelo as z
@z.heuristic
def mine(board: z.Reversi):
    return len(board.mine) - len(board.theirs)
"""


def played(contestants: list[str], game: str) -> tuple[Plan, list[Record]]:
    plan, _ = make_plan(contestants, game, pairs=1, depth=1, openings={"plies": 1, "balanced": False})
    store = open_store(None)
    begin(store, plan)
    run(store, threads=1)
    records = [game.record for game in store.games(plan.name)]
    assert {record.reason for record in records} == {"played out"}
    return plan, records


def test_reversi(tmp_path, monkeypatch):
    """Names that are unique are used, others not; what is wrong is told in three lines; values are for the searcher."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "handed-in"
    folder.mkdir()
    texts = {
        "1312_p2_01_uno.py": SOLUTION.format(name="Marcia Ana", value=INVERSE),
        "1312_p2_02_dos.py": SOLUTION.format(name="igual", value="state.scores[0]")
        + "class Otra(Solution1):\n    pass\n",
        "mala.py": SOLUTION.format(name="mala", value="state.bord"),
        "mine.py": ORDINARY,
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    plan, records = played(["handed-in/"], "reversi(columns=4, rows=4)")
    assert plan.names == [
        "Marcia Ana",
        "handed-in/1312_p2_02_dos.py:Solution1",
        "handed-in/1312_p2_02_dos.py:Otra",
        "handed-in/mine.py:mine",
    ]
    *told, named = plan.notes
    assert named == "Marcia Ana is handed-in/1312_p2_01_uno.py:Solution1"
    assert len(told) == 1 and len(told[0].splitlines()) <= 3
    assert told[0].startswith("left out: handed-in/mala.py:8: return state.bord\n")
    assert "has no 'bord'; did you mean board?" in told[0]
    player = find_player("alphabeta(depth=1, heuristic=handed-in/1312_p2_01_uno.py:Solution1)")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PlainPythonWarning)
        for record in (record for record in records if "Marcia Ana" in record.players):
            position = find_game(record.game).position(record.start)
            for move in record.moves:
                if record.players[position.to_move - 1] == "Marcia Ana":
                    assert move.move == player.choose(position)
                position = position.play(move.move)


def test_hex(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "handed-in").mkdir()
    shutil.copy(HEX, "handed-in/Player.py")
    plan, records = played(["handed-in/Player.py:MiniMaxPlayer(depth=1)", "distance"], "hex(size=3)")
    assert plan.names == ["handed-in/Player.py:MiniMaxPlayer(depth=1)", "distance"]
    assert not plan.notes
    assert len(records) == 2
