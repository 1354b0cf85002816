"""A finished game to look at, move by move: the page and its answers. The lab's tournaments and the arena use it."""

from dataclasses import dataclass

from fastapi import Request, Response

from zermelo.games import stored_game
from zermelo.match import Record, reason_text
from zermelo.scores import score_text
from zermelo.web.notation import words_of
from zermelo.web.pages import page
from zermelo.web.positions import NOTHING, Line, position_of, view_of_board
from zermelo.web.tournament_models import BoardShown, GameShown, MoveShown


@dataclass(frozen=True)
class Replay:
    """A game of a tournament, and where its page finds everything."""

    record: Record
    tournament: str  # for error messages
    pair: str
    swapped: bool
    api: str  # the address of the tournament in the API, under which are `game` and `board`
    back: tuple[str, str]  # the page to return to: its address, and the words of the link
    views: tuple[tuple[str, str], ...]  # other pages for the same position: what stands before its path, and the words
    tells: tuple[bool, bool] = (True, True)  # whether the reader may see what each player knew about its moves

    def page(self, request: Request) -> Response:
        """The page that shows the game."""
        record = self.record
        game = stored_game(record.game, self.tournament)
        moves = tuple(move.move for move in record.moves)
        start = "" if record.start == NOTHING else record.start
        return page(
            request,
            "tournament_game.html",
            replay=self,
            record=record,
            path=Line(game, start, moves, len(moves)).path,
            start=start,
            colours=game.players,
            reason_text=reason_text,
        )

    def shown(self) -> GameShown:
        """The game with its moves."""
        record = self.record
        game = stored_game(record.game, self.tournament)
        movers = [position.to_move for position in record.final_position().path]
        moves = []
        for move, mover in zip(record.moves, movers[-len(record.moves) - 1 :], strict=False):
            tells = self.tells[mover - 1]
            moves.append(
                MoveShown(
                    move=move.move,
                    player=mover,
                    score=score_text(move.score) if tells and move.score is not None else None,
                    depth=move.depth if tells else None,
                    nodes=move.nodes if tells else None,
                    seconds=move.seconds if tells else None,
                )
            )
        return GameShown(
            game=record.game,
            players=record.players,
            colours=game.players,
            start=record.start,
            moves=moves,
            winner=record.winner,
            reason=record.reason,
            error=record.error,
            words=words_of(game),
        )

    def board(self, ply: int) -> BoardShown:
        """The board after a number of plies."""
        moves = tuple(move.move for move in self.record.moves[:ply])
        position = position_of(stored_game(self.record.game, self.tournament), self.record.start, moves)
        return BoardShown(picture=view_of_board(position), position=str(position))
