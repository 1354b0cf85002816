"""Finding the features of a game by their names."""

from collections.abc import Sequence

from zermelo.core import class_of
from zermelo.evaluation.features import FeatureError, FeatureSet, feature_sets, joined
from zermelo.language import Message, _
from zermelo.position import Game


def known_features(game: Game) -> dict[str, FeatureSet]:
    """Return the feature sets of a game, by name."""
    return feature_sets(type(game).__module__, class_of(game.start_state()))


def find_features(game: Game, names: Sequence[str]) -> FeatureSet:
    """Return the feature sets with these names, joined into one."""
    known = known_features(game)
    for name in names:
        if name not in known:
            raise FeatureError(
                "{title} has no feature set {name!r}; it has: {known}",
                title=Message(game.title),
                name=name,
                known=", ".join(known) or _("none"),
            )
    return joined([known[name] for name in names])
