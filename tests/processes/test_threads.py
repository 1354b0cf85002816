"""Work for several threads."""

import itertools
import threading
import time

import pytest

from zermelo.language import language, speaking
from zermelo.processes.threads import in_order


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
    together = threading.Barrier(2, timeout=30)
    assert len(list(in_order(lambda number: together.wait(), range(2), 2))) == 2
