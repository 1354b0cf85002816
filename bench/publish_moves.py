"""Published players against native ones, move by move: 200 random positions of every game with every kind of player.

    python bench/publish_moves.py out.json [part of a game or player]

Each module searches the positions in Node and in Chromium, with the budget of the native player, and must give the same
answer: move, score, depth, line and number of nodes. The results are written to the file, one after the other; what it
has already is not done again, so a run that was ended can be taken up again. --table prints them as Markdown.
"""

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from _common import tell
from _lab import chromium
from _published import OWN, PUBLISHED, both_answers, in_chromium
from zermelo.publish.module import published

POSITIONS = 200


def shown(player: str) -> str:
    """A player's text without the folder of its file."""
    return player.replace(str(OWN), "mine.py")


def compared(game: str, player: str, page: Any) -> dict[str, Any]:
    """How many answers are equal, and the size of the module."""
    module = published(game, player)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "player.wasm"
        file.write_bytes(module.data)
        answers = list(both_answers(file, game, player, POSITIONS, page))
    weights = sum(module.weights.values())
    counted = {name: sum(one[name] == one["native"] for one in answers) for name in ("node", "chromium")}
    return {"game": game, "player": shown(player), "bytes": module.size, "weights": weights, **counted}


def print_table(results: list[dict[str, Any]]) -> None:
    print("| game | player | module, kB | weights, kB | equal in Node | equal in Chromium |")
    print("|---|---|---:|---:|---:|---:|")
    for one in results:
        sizes = f"{one['bytes'] / 1000:.0f} | {one['weights'] / 1000:.1f}"
        equal = " | ".join(f"{one[name]} of {POSITIONS}" for name in ("node", "chromium"))
        print(f"| {one['game']} | `{one['player']}` | {sizes} | {equal} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, help="JSON file with the results")
    parser.add_argument("part", nargs="?", default="", help="compare only players whose game or text has this in it")
    parser.add_argument("--table", action="store_true", help="print the results as a table, and compare nothing")
    options = parser.parse_args()
    results = json.loads(options.file.read_text()) if options.file.exists() else []
    if not options.table:
        done = {(one["game"], one["player"]) for one in results}
        with in_chromium(chromium()) as page:
            for game, player in PUBLISHED:
                if (game, shown(player)) not in done and options.part in f"{game} {player}":
                    tell(f"{game}: {shown(player)}")
                    results.append(compared(game, player, page))
                    options.file.write_text(json.dumps(results, indent=1))
    print_table(results)
    sys.exit(any(one[name] != POSITIONS for one in results for name in ("node", "chromium")))


if __name__ == "__main__":
    main()
