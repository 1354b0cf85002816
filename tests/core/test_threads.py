"""Work for several threads."""

import itertools
import threading
import time

import pytest

from zermelo.core.clock import run_stoppable
from zermelo.core.threads import Pool, in_order
from zermelo.language import language, speaking


@pytest.mark.parametrize("threads", [1, 2, 5, None])
def test_results_come_in_the_order_of_the_items(threads):
    def slow(number):
        time.sleep(0.01 * (number % 3))
        return number * number

    assert list(in_order(slow, range(20), threads)) == [number * number for number in range(20)]


def test_whoever_stops_asking_waits_only_for_what_is_under_way():
    begun = []
    results = in_order(begun.append, itertools.count(), 2)
    for _ in range(3):
        next(results)
    results.close()
    assert len(begun) <= 3 + 2 * 2


def test_an_error_comes_where_its_item_stands():
    results = in_order(lambda number: 1 // number, [2, 1, 0, 5], 2)
    assert [next(results), next(results)] == [0, 1]
    with pytest.raises(ZeroDivisionError):
        next(results)


def test_the_threads_speak_the_callers_language():
    with speaking("es"):
        assert list(in_order(lambda number: language(), range(4), 2)) == ["es"] * 4


def test_several_threads_work_at_the_same_time():
    together = threading.Barrier(2, timeout=240)
    assert len(list(in_order(lambda number: together.wait(), range(2), 2))) == 2


def test_whoever_stops_asking_stops_the_searches_too():
    """The items under way are told by the event, and their searches as at Ctrl-C; nothing runs on afterwards."""
    stopped, ended = threading.Event(), []

    def search(number):
        asked = threading.Event()
        if number:
            run_stoppable(lambda: asked.wait(300), asked.set)
            ended.append(stopped.is_set())

    results = in_order(search, itertools.count(), 2, stopped)
    next(results)
    while threading.active_count() < 3:
        time.sleep(0.001)
    began = time.monotonic()
    results.close()
    assert stopped.is_set() and all(ended) and time.monotonic() - began < 200
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("zermelo-work")]


def test_a_pool_that_is_stopped_stops_its_own_searches_only():
    begun, own, others = threading.Event(), threading.Event(), threading.Event()

    def search(stop):
        begun.set()
        return stop.wait(300)

    one, other = Pool(1), Pool(1)
    there = other.submit(run_stoppable, lambda: others.wait(300), others.set)
    here = one.submit(run_stoppable, lambda: search(own), own.set)
    begun.wait(60)
    one.stop()
    assert here.result() and not others.is_set() and not there.done()
    others.set()
    assert there.result()
    other.close()
