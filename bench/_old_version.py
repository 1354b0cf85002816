"""The engine of another version of zermelo as a player, `process(command="...")`: it asks that version's code.

    PYTHONPATH=OLD/src ZERMELO_CACHE_DIR=CACHE python bench/_old_version.py "engine(seconds=0.1)"

OLD is a checkout, for example of version 0.1 (commit 9a39b80), and CACHE a folder of its own. The first answer
comes when everything is compiled.
"""

import json
import sys
from typing import Any

from zermelo.games import find_game
from zermelo.players import find_player


def main() -> None:
    player, known, answers = find_player(sys.argv[1]), "", sys.stdout
    sys.stdout = sys.stderr  # only answers may go to standard output
    game: Any = None
    for line in sys.stdin:
        question = json.loads(line)
        if question["game"] != known:
            known, game = question["game"], find_game(question["game"])
            player.think(game.start())
        position = game.start() if question["start"] == "-" else game.position(question["start"])
        for move in question["line"]:
            position = position.play(move)
        answers.write(json.dumps({"id": question["id"], "move": player.think(position).move}) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
