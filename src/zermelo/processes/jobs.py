"""Jobs for a process of ours that runs the code of users: orders (see orders.py) that have a result.

The answer to a job is {"done": result}, or {"fault": what is wrong}. A function that yields answers with parts
first, {"part": ...}; what it returns is then the result.
"""

from collections.abc import Callable, Generator, Iterator, Mapping
from functools import partial
from typing import Any, NoReturn

from zermelo.processes.orders import Answer, Orders, OwnProcess

Take = Callable[[Any], None]
FaultOf = Callable[[Exception], Any]


def serve(jobs: Mapping[str, Callable[..., Any]], fault_of: FaultOf) -> NoReturn:
    """Do jobs until there is nobody to order them.

    fault_of: what the answer says about an error; None if it is a bug of ours.
    """
    Orders().serve({name: partial(_answers, job, fault_of) for name, job in jobs.items()})


def _answers(job: Callable[..., Any], fault_of: FaultOf, **arguments: Any) -> Iterator[Answer]:
    """The parts of a job, and its result or fault."""
    try:
        result = job(**arguments)
        if isinstance(result, Iterator):
            result = yield from _parts(result)
        yield {"done": result}
    except Exception as error:
        fault = fault_of(error)
        if fault is None:
            raise
        yield {"fault": fault}


def _parts(made: Iterator[Any]) -> Generator[Answer, None, Any]:
    while True:
        try:
            part = next(made)
        except StopIteration as end:
            return end.value if isinstance(made, Generator) else None
        yield {"part": part}


def ask(
    process: OwnProcess, job: Mapping[str, Any], limit: Callable[[], float], take: Take = lambda part: None
) -> Answer:
    """The answer to a job, {"done": ...} or {"fault": ...}; `take` gets the parts. limit: seconds for the next line.

    The job is an order, {"do": name, ...}. TimeoutError if a line does not come in time, ProcessEnded if the process
    ends before it has answered.
    """
    process.order(**job)
    while "part" in (answer := process.answer(limit())):
        take(answer["part"])
    return answer
