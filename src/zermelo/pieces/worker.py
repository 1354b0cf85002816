"""A process that does pieces for its owner (see crews.py).

{"do": "begin", "function": "...", "settings": "...", "data": "base64"}    {"done": true}
{"do": "piece", "piece": ...}                                              {"done": "base64"}
"""

import base64
from typing import Any, NoReturn

from zermelo.pieces.job import Job, fault_of
from zermelo.processes.jobs import serve


class Worker:
    """The job that this process works at."""

    job: Job

    def begin(self, function: str, settings: str, data: str) -> bool:
        self.job = Job(function, settings, base64.b64decode(data))
        return True

    def piece(self, piece: Any) -> str:
        return base64.b64encode(self.job.do(piece)).decode()


def main() -> NoReturn:
    worker = Worker()
    serve({"begin": worker.begin, "piece": worker.piece}, fault_of)
