"""Compare two players in pairs of games on the same openings with colours swapped, and give an error bar.

    python bench/strength.py --game connect4 --first "engine(nodes=20000)" --second "engine(nodes=20000, reduce=yes)"
    python bench/strength.py --game reversi --first "engine(nodes=20000)" --second-commit HEAD~20
    python bench/strength.py --game connect4 --first "engine(nodes=20000)" --second openspiel-mcts:2000

--second-commit plays the same player text with the code of another commit, in a separate process. openspiel-mcts:N is
OpenSpiel's C++ MCTS with N simulations per move (Connect 4 only).
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import zermelo as z
from zermelo.players import Choice, Player
from zermelo.studies.games import openings, pair_rate, play_pairs

ROOT = Path(__file__).parent.parent

OLD_CODE = """
import sys
import zermelo as z
game, player = z.game(sys.argv[1]), z.player(sys.argv[2])
for line in sys.stdin:
    print(player.choose(game.position(line.strip())), flush=True)
"""


@dataclass(frozen=True)
class OldPlayer(Player):
    """The same player, run with the code of another commit."""

    text: str
    commit: str
    process: Any = None
    kind: ClassVar[str] = "old"

    def think(self, position: z.Position) -> Choice:
        began = time.perf_counter()
        self.process.stdin.write(f"{position}\n")
        self.process.stdin.flush()
        move = self.process.stdout.readline().strip()
        if not move:
            raise SystemExit(f"the player of {self.commit} died: can that commit play this?")
        return Choice(move, time.perf_counter() - began)

    def __str__(self) -> str:
        return f"{self.text} at {self.commit}"


def old_player(text: str, commit: str, game: str, folder: Path) -> OldPlayer:
    """Check out the commit, and start its player."""
    archive = subprocess.run(["git", "-C", str(ROOT), "archive", commit, "src"], capture_output=True, check=True)
    subprocess.run(["tar", "-x", "-C", str(folder)], input=archive.stdout, check=True)
    process = subprocess.Popen(
        [sys.executable, "-c", OLD_CODE, game, text],
        env={"PYTHONPATH": str(folder / "src"), "ZERMELO_CACHE_DIR": str(folder / "cache"), "PATH": "/usr/bin:/bin"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    return OldPlayer(text, commit, process)


@dataclass(frozen=True)
class OpenSpielMcts(Player):
    """OpenSpiel's C++ MCTS with random rollouts, on Connect 4."""

    simulations: int
    kind: ClassVar[str] = "openspiel-mcts"

    def think(self, position: z.Position) -> Choice:
        import pyspiel

        began = time.perf_counter()
        game = pyspiel.load_game("connect_four")
        state = game.new_initial_state()
        for move in position.line:
            state.apply_action(int(move) - 1)
        evaluator = pyspiel.RandomRolloutEvaluator(1, 7)
        bot = pyspiel.MCTSBot(
            game, evaluator, 1.4, self.simulations, 256, True, 7, False, pyspiel.ChildSelectionPolicy.UCT
        )
        return Choice(str(bot.step(state) + 1), time.perf_counter() - began)

    @property
    def is_deterministic(self) -> bool:
        return False

    def __str__(self) -> str:
        return f"openspiel-mcts:{self.simulations}"


def find(text: str, commit: str | None, game: str, folder: Path) -> Player:
    if commit:
        return old_player(text, commit, game, folder)
    kind, _, number = text.partition(":")
    return OpenSpielMcts(int(number)) if kind == OpenSpielMcts.kind else z.player(text, z.game(game))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="connect4")
    parser.add_argument("--first", default="engine(nodes=5000)")
    parser.add_argument("--second", help="the same as the first if --second-commit is given")
    parser.add_argument("--second-commit")
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--random-plies", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    second = options.second or (options.first if options.second_commit else "alphabeta(depth=4)")
    with tempfile.TemporaryDirectory() as folder:
        players = (
            find(options.first, None, options.game, Path(folder)),
            find(second, options.second_commit, options.game, Path(folder)),
        )
        starts = openings(z.game(options.game), options.pairs, options.random_plies, options.seed)
        # A process answers one question at a time, so its games are played one after another.
        scores, _ = play_pairs(*players, starts, threads=1 if options.second_commit else None)
    rate = pair_rate(scores)
    wins, draws = scores.count(1.0), scores.count(0.5)
    told = {"game": options.game, "first": str(players[0]), "second": str(players[1]), "pairs": len(starts)}
    told |= {"wins": wins, "draws": draws, "losses": len(scores) - wins - draws}
    told |= {"score": rate.value, "interval": [rate.low, rate.high]}
    if options.json:
        print(json.dumps(told))
    else:
        print(f"{options.game}: {players[0]} against {players[1]}")
        print(f"+{wins} ={draws} -{len(scores) - wins - draws} in {len(starts)} pairs of games: {rate}")


if __name__ == "__main__":
    main()
