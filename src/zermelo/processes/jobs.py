"""Jobs for a process of ours that runs the code of users: lines of JSON to its standard input, and answers from it.

A job is {"job": name, "language": code, ...} with the arguments of the function that does it. The answer is
{"done": result}, or {"fault": what is wrong}. A function that yields answers with parts first, {"part": ...}; what it
returns is then the result.
"""

import json
import os
import sys
from collections.abc import Callable, Generator, Iterator, Mapping
from typing import Any

from zermelo.language import language, speaking
from zermelo.processes.lines import LineProcess

Take = Callable[[Any], None]


def take_over_streams() -> tuple[Any, Any]:
    """Standard input and output for us alone: users' code reads nothing, and what it prints goes to standard error."""
    orders, out = os.fdopen(os.dup(0), encoding="utf-8"), os.fdopen(os.dup(1), "w", encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return orders, out


def serve(jobs: Mapping[str, Callable[..., Any]], fault_of: Callable[[Exception], Any]) -> None:
    """Do jobs until standard input ends. fault_of: what the answer says about an error; None if it is a bug of ours."""
    orders, out = take_over_streams()

    def say(answer: Mapping[str, Any]) -> None:
        out.write(json.dumps(answer, ensure_ascii=False) + "\n")
        out.flush()

    for line in orders:
        order = json.loads(line)
        with speaking(order.pop("language")):
            try:
                say({"done": _result(jobs[order.pop("job")](**order), lambda part: say({"part": part}))})
            except Exception as error:
                fault = fault_of(error)
                if fault is None:
                    raise
                say({"fault": fault})


def _result(made: Any, tell: Take) -> Any:
    """The result of a job, after its parts."""
    if not isinstance(made, Iterator):
        return made
    while True:
        try:
            tell(next(made))
        except StopIteration as end:
            return end.value if isinstance(made, Generator) else None


def ask(
    process: LineProcess, job: Mapping[str, Any], limit: Callable[[], float], take: Take = lambda part: None
) -> dict[str, Any]:
    """The answer to a job, {"done": ...} or {"fault": ...}; `take` gets the parts. limit: seconds for the next line.

    TimeoutError if a line does not come in time, ProcessEnded if the process ends before it has answered.
    """
    process.send(json.dumps({**job, "language": language()}, ensure_ascii=False))
    while "part" in (answer := json.loads(process.receive(limit()))):
        take(answer["part"])
    return answer  # type: ignore[no-any-return]
