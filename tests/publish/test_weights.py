"""The weights of a heuristic in a module: small integers, where they say the same."""

import numpy as np
import pytest

from zermelo.evaluation.models import Learned, Model
from zermelo.games import find_game, find_heuristic
from zermelo.publish.memory import Memory
from zermelo.publish.weights import as_integers, place_weights


def stored(matrix, greatest=127):
    """A matrix as `zermelo learn export --bits 8` rounds it."""
    scale = (np.abs(matrix).max(axis=0) / greatest).astype(np.float32)
    return np.round(matrix / scale).astype(np.int16) * scale


@pytest.fixture
def matrix():
    return np.random.default_rng(1).normal(size=(400, 30)).astype(np.float32)


def test_rounded_matrices_are_integers_times_scales(matrix):
    rounded = stored(matrix)
    rounded[:, 7] = 0
    integers, scales = as_integers(rounded)
    assert integers.dtype == np.int8 and np.abs(integers).max() == 127
    assert (integers.astype(np.float32) * scales).tobytes() == rounded.tobytes()


def test_other_matrices_are_left_as_they_are(matrix):
    assert as_integers(matrix) is None
    assert as_integers(stored(matrix, 32767)) is None
    assert as_integers(stored(matrix).astype(np.float64)) is None
    one_wrong = stored(matrix)
    one_wrong[3, 5] = np.nextafter(one_wrong[3, 5], np.float32(9))
    assert as_integers(one_wrong) is None


def test_a_module_holds_the_net_of_connect_4_as_integers():
    """What the module multiplies when it begins, and what stands there as it is, are the weights together."""
    game = find_game("connect4")
    learned = find_heuristic("learned", game)
    assert isinstance(learned.evaluator, Learned) and isinstance(learned.evaluator.model, Model)
    memory = Memory()
    address = place_weights(learned, memory)
    numbers = np.frombuffer(memory.contents["weights"], np.float32).copy()
    held = {place: memory.contents[name] for name, (place, _) in memory.places.items()}
    for one in memory.scaled:
        integers, scales = np.frombuffer(held[one.integers], np.int8), np.frombuffer(held[one.scales], np.float32)
        assert (len(integers), len(scales)) == (one.number, one.columns)
        first = (one.address - address) // 4
        numbers[first : first + one.number] = integers * np.resize(scales, one.number)
    assert numbers.tobytes() == learned.vector.tobytes()
    assert len(memory.scaled) == 2 and sum(one.number for one in memory.scaled) > 480_000
