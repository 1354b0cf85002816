"""What a solver finds out."""

from dataclasses import dataclass, field

from zermelo.scores import Score


@dataclass(frozen=True)
class Solution:
    """The exact value of a position for the player to move, and the moves that keep it."""

    score: int  #: in the game's own points, if it has any (see in_points); otherwise 1, 0 or -1
    moves: tuple[int, ...] = ()  #: one best move, or all of them if all were asked for
    scores: dict[int, int] = field(default_factory=dict)  #: by move, for the player to move, if all were asked for
    plies: int | None = None  #: plies to the end of the game, if the solver knows
    distances: dict[int, int] = field(default_factory=dict)  #: plies to the end by move, if the solver knows
    in_points: bool = False  #: is the score in points of the game, or just win, draw and loss?
    nodes: int = 0
    seconds: float = 0.0
    complete: bool = True  #: False if the budget was used up; then nothing is known for certain

    @property
    def outcome(self) -> int:
        """1 won, 0 drawn, -1 lost."""
        return (self.score > 0) - (self.score < 0)

    def as_score(self, player: int, move: int | None = None) -> Score:
        """The value of the position, or of a move, as a score for the player to move."""
        points = self.score if move is None else self.scores[move]
        plies = self.plies if move is None else self.distances.get(move)
        if self.in_points:
            return Score.exact(points, plies, player)
        return Score(outcome=(points > 0) - (points < 0), plies=plies, player=player)

    @property
    def word(self) -> str:
        """win, draw or loss."""
        return {1: "win", 0: "draw", -1: "loss"}[self.outcome]

    @property
    def value(self) -> str:
        """The score in points, or win, draw or loss; `?` if it is not known."""
        if not self.complete:
            return "?"
        return str(self.score) if self.in_points else self.word
