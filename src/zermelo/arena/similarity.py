"""Similarity of submissions: which runs of tokens two students' files share, however they are named and laid out.

Each file becomes a row of tokens without comments, docstrings, line breaks and indentation, in which every name of the
author's is `name`, every number `0` and every string `''`. Two files share a run if K tokens in a row are equal. So
other names, constants, comments and layout change nothing, and functions may stand in another order. Runs that the
handout has, or many of the class, say nothing about two students, and do not count.

The method is that of MOSS (Schleimer, Wilkerson and Aiken, "Winnowing", 2003), but without winnowing, which only saves
memory: a class is small enough to keep every run. copydetect, which does the same, was not taken, because it needs
matplotlib, pygments and tqdm, and compares characters.
"""

import builtins
import heapq
import io
import keyword
import tokenize
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from itertools import pairwise

import numpy as np

from zermelo.arena.records import Records
from zermelo.arena.settings import ArenaSettings
from zermelo.errors import FileError
from zermelo.files.reading import read_text
from zermelo.tournaments.store import Store

K = 14
"""The length of the shortest run that counts, in tokens: about two lines of Python."""
MOST_CHARACTERS, MOST_TOKENS, LONGEST_LINE = 300_000, 30_000, 1000
"""What is read of one submission. The limit for lines bounds what the tokenizer's expressions can take."""
MOST_PLACES = 8
"""How many places of a repeated run are tried."""
MOST_REGIONS = 2000
"""How many equal places of two submissions are looked at, the longest first."""
FEWEST_TOKENS = 50
"""Fewer equal tokens than this are not told to anybody."""
MOST_PAIRS = 200
"""How many pairs of students are told, those that share most."""
MOST_VERSIONS = 20
"""How many versions of a student are compared, the latest ones."""
MOST_KEPT = 2000
"""How many submissions are kept in memory as tokens; each takes about 40 kB."""
HANDOUT = "handout"
"""The folder of an arena for what the class was given: Python files, which do not count."""

PLAIN = frozenset(keyword.kwlist) | frozenset(dir(builtins))
"""Names that a copier cannot change."""
LEFT_OUT = {
    *(tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT),
    *(tokenize.ENCODING, tokenize.ENDMARKER),
}
ODD = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, eq=False)
class Document:
    """A submission as tokens."""

    author: str
    name: str
    codes: np.ndarray  #: a number for each token; equal tokens have equal numbers
    lines: np.ndarray  #: the line of each token, from 1, in the joined text
    runs: np.ndarray  #: a number for each run of K tokens

    def own(self, common: np.ndarray) -> np.ndarray:
        """Which tokens are in no run that everybody has."""
        covered = np.zeros(len(self.codes) + 1, np.int64)
        starts = np.flatnonzero(np.isin(self.runs, common))
        np.add.at(covered, starts, 1)
        np.add.at(covered, starts + K, -1)
        own: np.ndarray = np.cumsum(covered)[:-1] == 0
        return own


@dataclass(frozen=True)
class Region:
    """Lines that correspond, first and last, in the joined texts of the two submissions."""

    one: tuple[int, int]
    other: tuple[int, int]


@dataclass(frozen=True)
class Likeness:
    """What two submissions share."""

    one: str
    other: str
    tokens: int  #: how many equal tokens there are that not everybody has
    share_of_one: float  #: the share of the one's own tokens that the other has, too
    share_of_other: float
    regions: tuple[Region, ...]

    def in_order(self) -> "Likeness":
        """The same, with the submission first that was handed in first."""
        if int(self.one) < int(self.other):
            return self
        regions = tuple(sorted((Region(one.other, one.one) for one in self.regions), key=lambda one: one.one))
        return Likeness(self.other, self.one, self.tokens, self.share_of_other, self.share_of_one, regions)

    @property
    def share(self) -> float:
        """The larger of the two shares: a copy may be hidden in a long file."""
        return max(self.share_of_one, self.share_of_other)


def joined(texts: Mapping[str, str]) -> str:
    """The files of a submission as one text, in the order of their names. The lines of regions count in it."""
    if len(texts) == 1:
        return next(iter(texts.values()))
    return "".join(f"# {name}\n{text.rstrip()}\n\n" for name, text in sorted(texts.items()))


class Reader:
    """Turns submissions into documents. It knows what the class was given."""

    def __init__(self, given: Iterable[str] = ()):
        texts = list(given)
        self.attributes = frozenset(
            after.string for text in texts for before, after in pairwise(_tokens(text)) if before.string == "."
        )
        documents = [self.document("", "", {"": text}) for text in texts]
        self.runs = np.unique(np.concatenate([np.zeros(0, np.uint64), *(one.runs for one in documents)]))

    def document(self, author: str, name: str, texts: Mapping[str, str]) -> Document:
        """A submission as tokens."""
        codes: list[int] = []
        lines: list[int] = []
        before = ""
        for token in _tokens(joined(texts)):
            if token.string in ("def", "class"):  # runs end here: a number that no other text has stands in between
                codes.append(zlib.crc32(f"{author} {name}".encode()) << 32 | len(codes) + 1)
                lines.append(token.start[0])
            codes.append(zlib.crc32(self._normal(token, before).encode()))
            lines.append(token.start[0])
            before = token.string
        array = np.array(codes, np.uint64)
        return Document(author, name, array, np.array(lines, np.int64), _runs(array))

    def _normal(self, token: tokenize.TokenInfo, before: str) -> str:
        if token.type == tokenize.NAME:
            if before == ".":  # attributes of the library cannot be renamed, the author's own ones can
                return token.string if token.string in self.attributes else "name"
            return token.string if token.string in PLAIN else "name"
        if token.type == tokenize.NUMBER:
            return "0"
        return "''" if token.type == tokenize.STRING else token.string


def _tokens(text: str) -> Iterator[tokenize.TokenInfo]:
    """The tokens that matter, up to the first mistake in the text. Docstrings and semicolons do not matter."""
    lines = (line[:LONGEST_LINE] for line in io.StringIO(text[:MOST_CHARACTERS]))
    begins, number = True, 0  # does a statement begin here?
    waiting: tokenize.TokenInfo | None = None
    try:
        for token in tokenize.generate_tokens(lambda: next(lines, "")):
            ends = token.type in (tokenize.NEWLINE, tokenize.ENDMARKER) or token.string == ";"
            if waiting is not None and token.type not in (tokenize.COMMENT, tokenize.NL):
                if not ends:  # the string was the beginning of a longer statement
                    yield waiting
                waiting = None
            if token.type == tokenize.STRING and begins:
                waiting = token
            elif token.type not in LEFT_OUT and token.string != ";":
                number += 1
                if number > MOST_TOKENS:
                    return
                yield token
            if token.type not in (tokenize.COMMENT, tokenize.NL):
                begins = ends or token.type in (tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING)
    except (tokenize.TokenError, SyntaxError, ValueError):
        return


def _runs(codes: np.ndarray) -> np.ndarray:
    """A number for each run of K tokens. Different runs have different numbers, but for one chance in 2**64."""
    if len(codes) < K:
        return np.zeros(0, np.uint64)
    with np.errstate(over="ignore"):
        runs = np.zeros(len(codes) - K + 1, np.uint64)
        for i in range(K):
            runs = (runs ^ codes[i : len(codes) - K + 1 + i]) * ODD
            runs ^= runs >> np.uint64(29)
    return runs


def common_runs(documents: Iterable[Document], given: np.ndarray) -> np.ndarray:
    """Runs that say nothing about two students: those that were given, and those that many authors have."""
    by_author: dict[str, list[np.ndarray]] = {}
    for document in documents:
        by_author.setdefault(document.author, []).append(document.runs)
    if not by_author:
        return given
    each = [np.unique(np.concatenate(runs)) for runs in by_author.values()]
    runs, authors = np.unique(np.concatenate(each), return_counts=True)
    return np.union1d(given, runs[authors > max(5, len(by_author) // 5)])


def alike(documents: Sequence[Document], given: np.ndarray, most: int = MOST_PAIRS) -> list[Likeness]:
    """The pairs of authors who share most, each by the two of their submissions that are most alike."""
    common = common_runs(documents, given)
    own = {one.name: np.setdiff1d(one.runs, common) for one in documents}
    works: dict[str, list[Document]] = {}
    for document in documents:
        works.setdefault(document.author, []).append(document)
    # All runs of an author at once find out who is worth a closer look: a class of 100 has 4950 pairs of authors.
    whole = {author: np.unique(np.concatenate([own[one.name] for one in theirs])) for author, theirs in works.items()}
    authors = sorted(works)
    wanted = []
    for i, one in enumerate(authors):
        for other in authors[i + 1 :]:
            shared = _number_shared(whole[one], whole[other])
            if shared + K > FEWEST_TOKENS:
                wanted.append((shared / min(len(whole[one]), len(whole[other])), one, other))
    found = []
    for _share, one, other in sorted(wanted, reverse=True)[: 2 * most]:
        pairs = ((a, b) for a in works[one] for b in works[other])
        likeness = compare(*max(pairs, key=lambda pair: _closeness(own, *pair)), common)
        if likeness.tokens >= FEWEST_TOKENS:
            found.append(likeness)
    return sorted(found, key=lambda likeness: -likeness.share)[:most]


def _closeness(own: Mapping[str, np.ndarray], one: Document, other: Document) -> tuple[float, int]:
    """How much of the smaller one is in the other. Of equals, the later submissions are told."""
    mine, theirs = own[one.name], own[other.name]
    return _number_shared(mine, theirs) / max(K, min(len(mine), len(theirs))), len(mine) + len(theirs)


def _number_shared(one: np.ndarray, other: np.ndarray) -> int:
    """How many numbers two sorted arrays share; each has every number once."""
    if not len(one) or not len(other):
        return 0
    places = np.searchsorted(other, one)
    places[places == len(other)] = 0
    return int(np.count_nonzero(other[places] == one))


def compare(one: Document, other: Document, common: np.ndarray) -> Likeness:
    """What two submissions share, with the regions."""
    mine, theirs = one.own(common), other.own(common)
    shared = np.setdiff1d(np.intersect1d(one.runs, other.runs), common)
    places: dict[int, list[int]] = {}
    for place in np.flatnonzero(np.isin(other.runs, shared)).tolist():
        known = places.setdefault(int(other.runs[place]), [])
        if len(known) < MOST_PLACES:
            known.append(place)
    taken_one, taken_other = np.zeros(len(one.codes), bool), np.zeros(len(other.codes), bool)
    regions = []
    for length, i, j in heapq.nlargest(MOST_REGIONS, _matches(one, places)):  # the longest first
        free = ~(taken_one[i : i + length] | taken_other[j : j + length])
        edges = np.flatnonzero(np.diff(np.concatenate([[False], free, [False]])))
        for first, last in edges.reshape(-1, 2).tolist():
            if last - first >= K // 2:
                taken_one[i + first : i + last] = taken_other[j + first : j + last] = True
                regions.append(Region(_lines(one, i + first, last - first), _lines(other, j + first, last - first)))
    regions.sort(key=lambda region: region.one)
    equal = int((taken_one & mine).sum()), int((taken_other & theirs).sum())
    shares = [number / max(1, int(all_own.sum())) for number, all_own in zip(equal, (mine, theirs), strict=True)]
    return Likeness(one.name, other.name, min(equal), shares[0], shares[1], tuple(regions))


def _matches(one: Document, places: Mapping[int, list[int]]) -> Iterator[tuple[int, int, int]]:
    """Where equal tokens begin that go on as far as they can: how many they are, and both places."""
    after: dict[int, int] = {}  # for the next token of the one: place in the other -> length
    for i in range(len(one.runs) - 1, -1, -1):
        here = {j: after.pop(j + 1, K - 1) + 1 for j in places.get(int(one.runs[i]), ())}
        for j, length in after.items():  # nothing that is equal goes before these
            yield length, i + 1, j
        after = here
    for j, length in after.items():
        yield length, 0, j


def _lines(document: Document, first: int, length: int) -> tuple[int, int]:
    return int(document.lines[first]), int(document.lines[first + length - 1])


# ------------------------------------------------------------------------------------------ the chore


def similarity_chore(records: Records, store: Store, settings: ArenaSettings) -> bool:
    """Publish which submissions are alike, if any has come or gone. Returns whether there was anything to do."""
    works: dict[str, dict[str, int]] = {}  # student -> content -> the latest submission with it
    for student, digest, number in records.valid_contents():
        works.setdefault(student, {})[digest] = number
    latest = {student: dict(list(theirs.items())[-MOST_VERSIONS:]) for student, theirs in works.items()}
    given = _given(settings)
    mark = sha256(repr((sorted(latest.items()), given)).encode()).hexdigest()
    if records.published("similarity")[1].get("mark") == mark:
        return False
    reader = Reader(given)
    documents = [
        _document(records, reader, given, student, number)
        for student, theirs in latest.items()
        for number in theirs.values()
    ]
    pairs = [
        asdict(pair) | {"one": int(pair.one), "other": int(pair.other), "share": pair.share}
        for pair in (pair.in_order() for pair in alike(documents, reader.runs))
    ]
    about = {"mark": mark, "students": len(latest), "submissions": len(documents), "given": len(given)}
    records.publish("similarity", about | {"pairs": pairs})
    return True


_read: dict[tuple[str, str, int], Document] = {}
"""What was read before: a submission never changes, and reading takes five times as long as comparing."""


def _document(records: Records, reader: Reader, given: list[str], student: str, number: int) -> Document:
    key = sha256(repr(given).encode()).hexdigest(), student, number
    if key not in _read:
        if len(_read) >= MOST_KEPT:
            _read.clear()
        _read[key] = reader.document(student, str(number), records.texts(number))
    return _read[key]


def _given(settings: ArenaSettings) -> list[str]:
    """What the class was given."""
    found = []
    for path in sorted((settings.folder / HANDOUT).glob("**/*.py")):
        try:
            found.append(read_text(path))
        except FileError:  # it is not UTF-8, for example; the others count all the same
            continue
    return found
