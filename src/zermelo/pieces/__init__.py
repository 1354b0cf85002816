"""Long work in numbered pieces, done by threads, by processes or by the machines of a Dask cluster, with one result.

A command describes its work as a job: the name of a function, its settings as JSON, and perhaps an array that all
pieces need (`job.py`). Each piece has a number, from which its random numbers follow, so it does not matter who does
it, when, or how often. A crew does the pieces (`crews.py`, `cluster.py`), each result is kept as soon as it is there
(`kept.py`), and the command takes the results in their order (`results.py`).
"""
