"""Hex against Wolve (benzene), with solver nodes and simulations counted, so that a busy machine does not matter.

    python bench/_hex_sparring.py 7 --depth 3 --games 60 --solver 45000 --simulations 32000 --wolve PATH/wolve

From openings of one random stone without swap, each played with both colours. On a quiet core, 45,000 nodes and 32,000
simulations took about half a second each on 7x7; a second is 60,000 simulations on 9x9 and 43,000 on 11x11. A crash of
Wolve is a loss.
"""

import argparse
import random
import time
from dataclasses import dataclass, field
from typing import Any, ClassVar

from zermelo.core import class_of
from zermelo.games import find_game
from zermelo.games.hex.solver import solve, worth_solving
from zermelo.match import play_match
from zermelo.players import find_player
from zermelo.players.common import resolved
from zermelo.players.player import Choice, Player
from zermelo.position import Position
from zermelo.searches.kept import KeptTrees
from zermelo.searches.mcts_run import Mcts


@dataclass(frozen=True)
class Counted(Player):
    """The engine with counted work: proofs and tree are kept from move to move, as with a limit of seconds."""

    solver: int = 45_000
    simulations: int = 32_000
    proofs: dict[str, Any] = field(default_factory=dict, compare=False)
    trees: KeptTrees = field(default_factory=KeptTrees, compare=False)
    spent: list[float] = field(default_factory=list, compare=False)
    kind: ClassVar[str] = "counted"

    def think(self, position: Position) -> Choice:
        began = time.process_time()
        move = self._proven(position) or self._searched(position)
        self.spent.append(time.process_time() - began)
        return Choice(move, self.spent[-1])

    def _proven(self, position: Position) -> str | None:
        if not worth_solving(position.state, seconds=1.0):
            return None
        found = solve(position.state, nodes=self.solver, kept=self.proofs)
        return position.game.move_text(position.state, found.moves[0]) if found.complete and found.moves else None

    def _searched(self, position: Position) -> str:
        tree = self.trees.take(self, position)
        if tree is None:
            game = position.game
            options: Any = {name: value for name, value in game.engine_options.items() if name != "search"}
            judge = resolved(None, game, class_of(position.state))
            tree = Mcts(position.state, heuristic=judge, seed=0, **options)
        found = tree.run(self.simulations)
        self.trees.keep(self, position, tree)
        assert found.move is not None
        return position.game.move_text(position.state, found.move)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("size", type=int)
    parser.add_argument("--depth", type=int, default=1, help="of Wolve's search")
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1, help="of the openings")
    parser.add_argument("--solver", type=int, default=45_000, help="nodes a move")
    parser.add_argument("--simulations", type=int, default=32_000, help="a move")
    parser.add_argument("--wolve", default="wolve", help="the command")
    given = parser.parse_args()
    ours = Counted(solver=given.solver, simulations=given.simulations)
    limits = [f"param_wolve {name}_depth {given.depth}" for name in ("max", "min")]
    wolve = find_player(f'gtp(command="{given.wolve}", init={[*limits, "param_wolve max_time 60"]})'.replace("'", '"'))
    start = find_game("hex", size=given.size).start()
    openings, won = list(start.moves), 0
    random.Random(given.seed).shuffle(openings)
    for number in range(given.games):
        first = start.play(openings[number // 2 % len(openings)])
        is_black = number % 2 == 0
        result = play_match(ours, wolve, first) if is_black else play_match(wolve, ours, first)
        won += (result.winner == 1) == is_black
        seconds = sum(ours.spent) / max(len(ours.spent), 1)
        moves = " ".join([openings[number // 2 % len(openings)], *(move.move for move in result.moves)])
        side = "black" if is_black else "white"
        print(f"{won} of {number + 1}, {seconds:.2f} s of processor time a move; {side}: {moves}", flush=True)


if __name__ == "__main__":
    main()
