"""The names of an earlier version: each still works, says what it is called now, and is not listed."""

from pathlib import Path

import numpy as np
import pytest

from zermelo.core import class_of
from zermelo.core.parts import Named, old_fields, old_names
from zermelo.evaluation.features import feature_sets
from zermelo.games import find_game, find_heuristic, game_names
from zermelo.learn.dataset_files import Dataset, field_types, read_dataset, write_dataset
from zermelo.players import find_player, named_players
from zermelo.position import Game


def offered(game: Game) -> list[Named]:
    package = type(game).__module__
    return [game.heuristics, named_players(game), feature_sets(package, class_of(game.start_state()))]


OLD = [(name, old) for name in game_names() for old in old_names(type(find_game(name)).__module__)]


@pytest.mark.parametrize(("name", "old"), OLD)
def test_an_old_name_answers_with_a_warning(name: str, old: str) -> None:
    new = old_names(type(find_game(name)).__module__)[old]
    holders = [known for known in offered(find_game(name)) if old in known]
    assert holders
    for known in holders:
        assert old not in list(known) and new in list(known)
        with pytest.warns(DeprecationWarning, match=f"'{old}' is now '{new}'"):
            assert known[old] is known[new]


@pytest.mark.parametrize(("name", "old"), OLD)
def test_texts_may_use_it(name: str, old: str) -> None:
    game, new = find_game(name), old_names(type(find_game(name)).__module__)[old]
    heuristics, players, _ = offered(game)
    for known, find in ((heuristics, find_heuristic), (players, find_player)):
        if old in known:
            for text in (old, f"{name}/{old}"):
                with pytest.warns(DeprecationWarning, match=new):
                    assert find(text, game) == find(new, game)


def test_other_names_are_unknown_as_before() -> None:
    known = Named({"one": 1}, "zermelo.games")
    assert "two" not in known and known.get("two") is None and known.get("one") == 1
    with pytest.raises(KeyError, match="two"):
        known["two"]


@pytest.mark.parametrize("name", [name for name in game_names() if old_fields(type(find_game(name)).__module__)])
def test_a_dataset_may_name_the_fields_of_a_state_as_before(name: str, tmp_path: Path) -> None:
    game = find_game(name)
    old = {f"state_{new}": f"state_{old}" for old, new in old_fields(type(game).__module__).items()}
    types = field_types(game)
    columns = {old.get(column, column): np.ones(2, kind) for column, kind in types.items()}
    assert not old.keys() & columns.keys()
    write_dataset(tmp_path / "old.npz", Dataset(game, columns, {}))
    assert set(read_dataset(tmp_path / "old.npz").columns) == set(types)
