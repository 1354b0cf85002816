"""Budgets: what is left of them, and their shares."""

from zermelo.searches.budget import NO_LIMIT, Budget


def test_a_budget_lists_the_limits_that_are_set():
    assert dict(Budget(depth=3, seconds=0.5)) == {"depth": 3, "seconds": 0.5}
    assert dict(NO_LIMIT) == {}


def test_memory_alone_does_not_end_a_search():
    assert Budget(memory=16).is_endless
    assert not Budget(depth=1).is_endless
    assert not Budget(nodes=1).is_endless
    assert not Budget(seconds=1).is_endless


def test_what_is_left():
    left = Budget(depth=8, nodes=100, seconds=1.0).after(nodes=60, seconds=0.25)
    assert left == Budget(depth=8, nodes=40, seconds=0.75)
    assert not left.is_spent
    assert left.after(nodes=40).is_spent
    assert left.after(seconds=2).is_spent
    assert not NO_LIMIT.after(10**9, 10**9).is_spent


def test_a_share_has_at_least_one_node():
    assert Budget(nodes=1000, seconds=2.0).share(1, 4) == Budget(nodes=250, seconds=0.5)
    assert Budget(nodes=3).share(1, 4) == Budget(nodes=1)
    assert NO_LIMIT.share(1, 4) == NO_LIMIT
