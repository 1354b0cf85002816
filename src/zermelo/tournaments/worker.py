"""A process that plays games for another one: `python -m zermelo.tournaments.worker`.

One task a line on standard input, as JSON. On standard output, for each: `move 1 POSITION` or `move 2 POSITION` before
every move (so that it is known who was thinking when the worse comes to the worst, and that one can watch), then
`record {...}`; or `error ...`.
"""

import sys

from zermelo.errors import ZermeloError
from zermelo.position import Position
from zermelo.tournaments.task import Task, play_task


def main() -> None:
    out = sys.stdout
    sys.stdout = sys.stderr  # what players print is not for the referee

    def tell(line: str) -> None:
        print(line, file=out, flush=True)

    def show(position: Position) -> None:
        tell(f"move {position.to_move} {position}")

    for line in sys.stdin:
        try:
            played = play_task(Task.from_json(line), on_position=show)
        except ZermeloError as error:
            tell(f"error {error}".replace("\n", " "))
        else:
            tell(f"record {played.json}")


if __name__ == "__main__":
    main()
