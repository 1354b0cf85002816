"""The functions that a module offers, as compiled code: the rules, and what they stand on.

Every function takes and returns 64-bit numbers; a host sees 32-bit ones, which are addresses, moves or small numbers.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numba
from numba import int32, int64, types

from zermelo.core.numba_private import bare_njit, texts_of
from zermelo.players.modules import AGAIN, DONE, GO_ON
from zermelo.publish.memory import CONTROL, Memory, array_reader, record_reader, state_reader, state_writer
from zermelo.rules import MOST_MOVES, end_score, is_over, key, legal_moves, margin, outcome, play, to_move

__all__ = ["AGAIN", "DONE", "GO_ON"]

CONTROL_TYPE = numba.from_dtype(CONTROL)


@dataclass(frozen=True)
class Entry:
    """A function that the module exports."""

    name: str
    function: Callable[..., Any]
    arguments: int  # how many
    result: str = "i32"  # or i64, or void

    def compiled(self, failed: int) -> tuple[str, list[str]]:
        """The name of its function in assembly, and the assembly of all that it needs.

        failed: the address of the word that says that an exception has ended the function.
        """
        dispatcher = bare_njit(self.function)
        given = (int64,) * self.arguments
        dispatcher.compile(given)
        inner, texts = texts_of(dispatcher, given)
        symbol = f"zermelo_{self.name}"
        return symbol, [self._shell(symbol, inner, failed), *texts]

    def _shell(self, symbol: str, inner: str, failed: int) -> str:
        """The function as a host calls it: with 32-bit numbers, and with a trap where Python has an exception."""
        taken = ", ".join(f"i32 %a{i}" for i in range(self.arguments))
        wide = "\n".join(f"  %w{i} = sext i32 %a{i} to i64" for i in range(self.arguments))
        given = "".join(f", i64 %w{i}" for i in range(self.arguments))
        last = {
            "i64": "  ret i64 %value",
            "i32": "  %low = trunc i64 %value to i32\n  ret i32 %low",
            "void": "  ret void",
        }[self.result]
        return f"""
declare i32 @"{inner}"(ptr, ptr{", i64" * self.arguments})
declare void @llvm.trap()
define {self.result} @{symbol}({taken}) {{
  %result = alloca i64
  %exception = alloca ptr
  store ptr null, ptr %exception
{wide}
  %status = call i32 @"{inner}"(ptr %result, ptr %exception{given})
  %good = icmp eq i32 %status, 0
  br i1 %good, label %fine, label %bad
bad:
  store i64 1, ptr inttoptr (i32 {failed} to ptr)
  call void @llvm.trap()
  unreachable
fine:
  %value = load i64, ptr %result
{last}
}}
"""


def control_at(memory: Memory) -> tuple[Any, int]:
    """What makes the control record of its address, and the address."""
    return record_reader(CONTROL_TYPE), memory.places["control"][0]


def rule_entries(cls: Any) -> list[Entry]:
    """The rules of a game with states of this class."""
    read, write, moves_at = state_reader(cls), state_writer(cls), array_reader(int32)

    def moves(state, out):
        return int64(legal_moves(read(state), moves_at(out, int64(MOST_MOVES)), int64(0)))

    def play_move(state, move, out):
        write(out, play(read(state), move))
        return int64(0)

    def over(state):
        return int64(is_over(read(state)))

    def result(state):
        return int64(outcome(read(state)))

    def points(state):
        return int64(margin(read(state)))

    def ended(state, ply):
        return int64(end_score(read(state), ply))

    def mover(state):
        return int64(to_move(read(state)))

    def hashed(state):
        return int64(key(read(state)))

    return [
        Entry("moves", moves, 2),
        Entry("play", play_move, 3),
        Entry("is_over", over, 1),
        Entry("outcome", result, 1),
        Entry("margin", points, 1),
        Entry("end_score", ended, 2),
        Entry("mover", mover, 1),
        Entry("key", hashed, 1, "i64"),
    ]


def evaluate_entry(cls: Any, evaluate: Any, weights: int) -> Entry:
    """A heuristic's value of a state, in units."""
    read, address = state_reader(cls), types.uint64(weights)

    def value(state):
        return int64(evaluate(read(state), address))

    return Entry("evaluate", value, 1)
