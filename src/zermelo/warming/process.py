"""A process that compiles what players need, for the cache: `python -m zermelo.warming.process`.

It obeys one order (processes/orders.py), {"do": "compile", "game": "hex(size=5)", "player": "engine(seconds=2)"}, where
the player may be null for the rules alone. It answers after each function with {"functions": 12}, and at the end with
{"finished": 31, "seconds": 4.2}, the number of functions and the processor time, or {"failed": "why"}. Its owner
meanwhile has its own processor time, and takes the code from the cache.
"""

import contextlib
import os
import time
from collections.abc import Iterable

from zermelo.core.cache import counting_compiled, finish_writing
from zermelo.errors import ZermeloError
from zermelo.games import read_game
from zermelo.processes.orders import Answer, Orders
from zermelo.warming.usual import compile_for

NICE = 5
"""How much more polite than its owner this process is."""


def main() -> None:
    with contextlib.suppress(OSError, AttributeError):
        os.nice(NICE)
    orders = Orders(at_end=finish_writing)

    def compile_all(game: str, player: str | None) -> Iterable[Answer]:
        numbers, began = [0], time.process_time()

        def tell(number: int) -> None:
            numbers.append(number)
            orders.say({"functions": number})

        try:
            with counting_compiled(tell):
                compile_for(read_game(game), player)
        except ZermeloError as error:
            yield {"failed": str(error)}
        else:
            yield {"finished": numbers[-1], "seconds": round(time.process_time() - began, 2)}

    orders.serve({"compile": compile_all})


if __name__ == "__main__":
    main()
