"""Where games begin: positions a few plies on, all different (symmetric ones count as one) and about even."""

import hashlib
import itertools
from collections.abc import Collection, Iterable, Iterator, Sequence

from zermelo.players import AlphaBetaPlayer
from zermelo.position import Game, Position, random_playout
from zermelo.rules import moves_of
from zermelo.tournaments.plan import Openings

FEWEST_PLIES, MOST_RANDOM_PLIES = 2, 12
PATIENCE, PATIENCE_EACH = 50, 5
"""So many random tries in a row that bring nothing new, and so many more for each opening found: there are no more."""

START = "-"

Identity = tuple[int, int]
"""Equal for positions that differ by a symmetry alone: key and player to move."""


def find_openings(game: Game, wanted: Openings, needed: int, seed: int, known: Sequence[str] = ()) -> list[str]:
    """Openings as moves from the start, or as the user wrote them; as many as are needed, if there are so many.

    They come in a random order that depends on the seed alone. known: those that are in use already, and are not
    given again.
    """
    taken = {_identity(game.position(text)) for text in known}
    if wanted.positions:
        text_of = {_identity(game.position(text)): text for text in reversed(wanted.positions)}
        given = _distinct((game.position(text) for text in wanted.positions), taken)
        return [text_of[_identity(position)] for position in _balanced(given, wanted, wanted.count)]
    count = needed if wanted.count is None else wanted.count
    if wanted.kind == "all":
        assert wanted.plies is not None
        everything = list(_distinct(_all_lines(game.start(), wanted.plies), taken))
        return [_line(position) for position in _shuffled(_balanced(everything, wanted, wanted.count), seed)]
    if wanted.plies is not None:
        return [_line(position) for position in _random(game, wanted, wanted.plies, count, seed, taken)]
    best: list[Position] = []
    for plies in range(FEWEST_PLIES, MOST_RANDOM_PLIES + 1):
        best = max(best, _random(game, wanted, plies, count, seed, taken), key=len)
        if len(best) >= count:
            break
    return [_line(position) for position in best] or [START] * (not known)


def _line(position: Position) -> str:
    """An opening as text: its moves, or (from another start than the game's) the position itself."""
    if position.path[0] != position.game.start():
        return str(position)
    return " ".join(position.line) or START


def _identity(position: Position) -> Identity:
    return position.game.canonical_key(position.state), position.to_move


def _distinct(positions: Iterable[Position], taken: Collection[Identity] = ()) -> Iterator[Position]:
    """Each position once, whatever its moves were and however the board is turned; none that is over."""
    seen = set(taken)
    for position in positions:
        identity = _identity(position)
        if identity not in seen and not position.is_over:
            seen.add(identity)
            yield position


def _all_lines(position: Position, plies: int) -> Iterator[Position]:
    """Every position after so many plies; symmetric ones are followed only once."""
    layer = [position]
    for _ in range(plies):
        children = (p.play_code(move) for p in layer if not p.is_over for move in moves_of(p.state))
        layer = list(_distinct(children))
    yield from layer


def _random(
    game: Game, wanted: Openings, plies: int, count: int, seed: int, taken: Collection[Identity]
) -> list[Position]:
    # Twice as many as are needed: the more even half is kept.
    candidates = 2 * count if wanted.balanced else count
    seen, in_vain = set(taken), 0
    found: list[Position] = []
    for number in itertools.count(seed * 1_000_003):
        if len(found) >= candidates or in_vain > PATIENCE + PATIENCE_EACH * len(seen):
            break
        start = _with_game(game.varied_start(number), game) if wanted.kind == "varied" else game.start()
        position = random_playout(start, number, plies)
        identity = _identity(position)
        in_vain += 1
        if identity not in seen and not position.is_over and len(position.path) == plies + 1:
            seen.add(identity)
            found.append(position)
            in_vain = 0
    return _shuffled(_balanced(found, wanted, count), seed)


def _with_game(start: Position, game: Game) -> Position:
    """A start of the same rules, as a position of this game."""
    return Position(game, start.state)


def _balanced(positions: Iterable[Position], wanted: Openings, count: int | None) -> list[Position]:
    """The most even ones by a shallow search; none in which it sees a forced win."""
    if not wanted.balanced:
        return list(positions)[:count]
    judge = AlphaBetaPlayer(depth=wanted.depth)
    judged = [(judge.think(position).score, position) for position in positions]
    undecided = [(abs(score.points), position) for score, position in judged if score and not score.is_proven]
    if count is not None and len(undecided) > count:
        undecided.sort(key=lambda item: item[0])
    return [position for _, position in undecided[:count]]


def _shuffled(positions: list[Position], seed: int) -> list[Position]:
    """In an order of chance, the same for the same seed."""
    return sorted(positions, key=lambda position: digest(f"{seed} {_line(position)}"))


def digest(text: str) -> int:
    """63 bits of chance that depend on nothing but a text: the seeds of games, too."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big") >> 1
