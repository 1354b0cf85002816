"""Openings: different positions a few plies from the start that are about even. Symmetric positions count as one."""

import hashlib
import itertools
import math
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any

from zermelo.players import AlphaBetaPlayer
from zermelo.position import Game, Position, random_playout
from zermelo.tournaments.plan import Openings

FEWEST_PLIES, MOST_RANDOM_PLIES = 2, 12
PATIENCE, PATIENCE_EACH = 50, 5
"""The search for openings stops after 50 random tries in a row, plus 5 per opening known, that give nothing new."""

START = "-"

Identity = tuple[int, int]
"""The key of a position and its player to move. It is equal for positions that differ only by a symmetry."""


def find_openings(game: Game, wanted: Openings, needed: int, seed: int, known: Sequence[str] = ()) -> list[str]:
    """Return openings as moves from the start, or as the user wrote them: as many as needed, if there are that many.

    They come in a random order that depends only on the seed. Openings in `known` are in use already and are not
    returned again.
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
        return [opening_text(position) for position in _shuffled(_balanced(everything, wanted, wanted.count), seed)]
    if wanted.plies is not None:
        return [opening_text(position) for position in _random(game, wanted, wanted.plies, count, seed, taken)]
    best: list[Position] = []
    for plies in range(FEWEST_PLIES, MOST_RANDOM_PLIES + 1):
        best = max(best, _random(game, wanted, plies, count, seed, taken), key=len)
        if len(best) >= count:
            break
    return [opening_text(position) for position in best] or [START] * (not known)


def opening_text(position: Position) -> str:
    """Return an opening as text: its moves, or the position itself if it does not begin at the game's usual start."""
    if position.path[0] != position.game.start():
        return str(position)
    return " ".join(position.line) or START


def _identity(position: Position) -> Identity:
    return position.game.canonical_key(position.state), position.to_move


def _distinct(positions: Iterable[Position], taken: Collection[Identity] = ()) -> Iterator[Position]:
    """Yield each position once, whatever moves led to it, without symmetric ones and positions that are over."""
    seen = set(taken)
    for position in positions:
        identity = _identity(position)
        if identity not in seen and not position.is_over:
            seen.add(identity)
            yield position


def _all_lines(position: Position, plies: int) -> Iterator[Position]:
    """Yield every position after this many plies. Of symmetric positions, only one is continued."""
    layer = [position]
    for _ in range(plies):
        children = (p.play_code(move) for p in layer if not p.is_over for move in p.codes)
        layer = list(_distinct(children))
    yield from layer


def varied_openings(game: Game, number: int, seed: str) -> Iterator[Position]:
    """Random positions, some near the start and some far from it. Two may be alike, and none is over."""
    for i in range(number):
        chance = digest(f"{seed} {i}")
        position = random_playout(game.varied_start(chance >> 32), chance, 2 + chance % (MOST_RANDOM_PLIES - 1))
        while position.is_over and position.parent is not None:
            position = position.parent
        yield position


def draw(
    start_of: Callable[[int], Position],
    playouts: Iterable[int],
    plies: int,
    count: int,
    *,
    taken: Collection[Any] = (),
    identity: Callable[[Position], Any] = _identity,
    patience: Callable[[int], float] = lambda seen: math.inf,
) -> list[Position]:
    """Different positions, each a number of random plies from a start, in none of which the game is over.

    Each playout has a number, which decides its start and its moves. Positions with the same identity count as one, and
    those in `taken` are left out. There may be fewer than `count`: the playouts may come to an end, or, after so many
    identities have been seen, more playouts in a row than `patience` may bring nothing new.
    """
    seen, in_vain = set(taken), 0
    found: list[Position] = []
    for playout in playouts:
        if len(found) >= count or in_vain > patience(len(seen)):
            break
        position = random_playout(start_of(playout), playout, plies)
        own = identity(position)
        in_vain += 1
        if own not in seen and not position.is_over:
            seen.add(own)
            found.append(position)
            in_vain = 0
    return found


def _random(
    game: Game, wanted: Openings, plies: int, count: int, seed: int, taken: Collection[Identity]
) -> list[Position]:
    # Collect twice as many openings as needed, so that the more even half can be kept.
    candidates = 2 * count if wanted.balanced else count

    def start_of(playout: int) -> Position:
        return _with_game(game.varied_start(playout), game) if wanted.kind == "varied" else game.start()

    def patience(seen: int) -> float:
        return PATIENCE + PATIENCE_EACH * seen

    playouts = itertools.count(seed * 1_000_003)
    found = draw(start_of, playouts, plies, candidates, taken=taken, patience=patience)
    return _shuffled(_balanced(found, wanted, count), seed)


def _with_game(start: Position, game: Game) -> Position:
    """Return a start that has the same rules as a position of this game."""
    return Position(game, start.state)


def _balanced(positions: Iterable[Position], wanted: Openings, count: int | None) -> list[Position]:
    """Return the most even positions by a shallow search, without those in which it sees a forced win."""
    if not wanted.balanced:
        return list(positions)[:count]
    judge = AlphaBetaPlayer(depth=wanted.depth)
    judged = [(judge.think(position).score, position) for position in positions]
    undecided = [(abs(score.points), position) for score, position in judged if score and not score.is_proven]
    if count is not None and len(undecided) > count:
        undecided.sort(key=lambda item: item[0])
    return [position for _, position in undecided[:count]]


def _shuffled(positions: list[Position], seed: int) -> list[Position]:
    """Return the positions in a random order, which is the same for the same seed."""
    return sorted(positions, key=lambda position: digest(f"{seed} {opening_text(position)}"))


def digest(text: str) -> int:
    """Return 63 random bits that depend only on a text, for example as the seed of a game."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big") >> 1
