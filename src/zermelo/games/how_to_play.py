"""How a game is played, for people who have never seen it: text, pictures, and a first lesson of a few moves.

A game tells it in its own folder, `help/en.md` and `help/es.md`; a game in one file, in a folder beside it:
`breakthrough.help/en.md`. The text is Markdown. Two kinds of code blocks are special. The first line of both is a
position of the game, with options in parentheses before it if need be; an empty game is `-`.

    ```position                     ```lesson
    (size=5) c3 b2                  (size=5) -
    What the picture shows.         ? What the reader is asked to do.
    ```                             ! c3 d3         the moves that are accepted, or * for any
                                    : What is said after the move.
                                    < b2            what the opponent replies, if anything
                                    ```
"""

import inspect
import re
from dataclasses import dataclass, field
from pathlib import Path

from zermelo.calls import parse_call
from zermelo.errors import FileError, ZermeloError
from zermelo.game_files import is_game_file
from zermelo.games import find_game
from zermelo.language import LANGUAGES, language
from zermelo.position import Game, Position

ANY = "*"
_BLOCK = re.compile(r"^```(position|lesson)\n(.*?)^```\n?", re.MULTILINE | re.DOTALL)
_OPTIONS = re.compile(r"(\(.*?\))?\s*(.*)")


@dataclass(frozen=True)
class Step:
    """One move of a lesson."""

    ask: str  #: what the reader is asked to do
    moves: tuple[str, ...]  #: the moves that are accepted
    said: str  #: what is said after one of them
    replies: tuple[str, ...] = ()  #: the moves that the opponent makes then


@dataclass(frozen=True)
class Part:
    """A part of the text: Markdown, a picture with a caption, or a lesson."""

    kind: str  #: text, position or lesson
    text: str = ""  #: Markdown, or the caption
    position: Position | None = None  #: what is drawn, or where the lesson begins
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True)
class HowToPlay:
    """How a game is played."""

    game: Game
    language: str  #: the language of the text
    parts: tuple[Part, ...] = field(repr=False)
    is_written: bool = True  #: False if the game has no such text, and this is only what its code says about it

    @property
    def lesson(self) -> Part | None:
        """The first lesson, if there is one."""
        return next((part for part in self.parts if part.kind == "lesson"), None)


def how_to_play(game: Game, code: str | None = None) -> HowToPlay:
    """How a game is played, in this language if the game's folder has it, else in English.

    A game without such a text is described by what its code says.
    """
    folder = help_folder(game)
    for wanted in dict.fromkeys((code or language(), *LANGUAGES)):
        path = folder / f"{wanted}.md"
        if path.is_file():
            return HowToPlay(game, wanted, tuple(_parts(game, path)))
    about = inspect.cleandoc(type(game).__doc__ or "")
    return HowToPlay(game, "en", (Part("text", about), Part("position", "", game.start())), is_written=False)


def help_folder(game: Game) -> Path:
    """The folder in which a game may have such texts."""
    file = Path(game.name if is_game_file(game.name) else inspect.getfile(type(game)))
    return file.parent / "help" if file.stem == "__init__" else file.with_suffix(".help")


def _parts(game: Game, path: Path) -> list[Part]:
    text = path.read_text(encoding="utf-8")
    parts, done = [], 0
    for block in _BLOCK.finditer(text):
        parts.append(Part("text", text[done : block.start()].strip()))
        try:
            parts.append(_block(game, block[1], block[2].strip("\n").split("\n")))
        except (ZermeloError, ValueError) as error:
            line = text.count("\n", 0, block.start()) + 1
            raise FileError("{path}, line {line}: {error}", path=path, line=line, error=error) from None
        done = block.end()
    parts.append(Part("text", text[done:].strip()))
    return [part for part in parts if part.kind != "text" or part.text]


def _block(game: Game, kind: str, lines: list[str]) -> Part:
    given = _OPTIONS.fullmatch(lines[0].strip())
    assert given is not None
    options, text = given.groups()
    if options:
        game = find_game(game.name.partition("/")[0] + options) if parse_call(f"game{options}").options else game
    position = game.position(text)
    if kind == "position":
        return Part(kind, " ".join(lines[1:]), position)
    steps: list[dict[str, str]] = []
    for line in lines[1:]:
        mark, _space, rest = line.partition(" ")
        if mark == "?":
            steps.append({"?": rest})
        elif steps and mark in ("!", ":", "<"):
            steps[-1][mark] = rest
        else:
            raise ValueError(f"{line!r} does not begin with ?, !, : or <")
    return Part(kind, "", position, tuple(_checked(position, [_step(step) for step in steps])))


def _step(found: dict[str, str]) -> Step:
    return Step(found["?"], tuple(found.get("!", ANY).split()), found.get(":", ""), tuple(found.get("<", "").split()))


def _checked(here: Position, steps: list[Step]) -> list[Step]:
    """The same steps, with every move that is accepted written out. An error if a move of the lesson is illegal."""
    if not steps:
        return []
    step, following = steps[0], []
    moves = here.moves if step.moves == (ANY,) else step.moves
    for move in moves:
        after = here.play(move)
        for reply in step.replies:
            after = after.play(reply)
        following.append(_checked(after, steps[1:]))
    return [Step(step.ask, moves, step.said, step.replies), *following[0]]
