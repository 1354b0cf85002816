"""One game on two devices: moves, offers, clocks and the end. A room knows no network and no file."""

from dataclasses import dataclass, field
from typing import Any

from zermelo.errors import ZermeloError, marked
from zermelo.games import catalogue_game
from zermelo.position import Game, Position
from zermelo.web.positions import Line, position_of
from zermelo.web.together.clocks import Clocks, TimeControl

OFFERS = ("takeback", "draw", "again")
NO_DRAWS = marked("a game of {title} cannot end in a draw")


class NotNow(ZermeloError):
    """What a player asks for is not possible at this moment."""

    http_status = 409


@dataclass
class Seat:
    """A place at the board. Whoever knows its key may sit down there; only the digest of the key is kept."""

    digest: str = ""  #: empty while nobody has taken the seat
    holder: str | None = None  #: under which name the games of this player are saved
    invite: str = ""  #: the code that gives this seat to the first who uses it; empty if nobody is invited

    @property
    def is_taken(self) -> bool:
        return bool(self.digest)


@dataclass(frozen=True)
class Offer:
    """What one player asks the other to agree to."""

    what: str  #: one of OFFERS
    by: Seat


@dataclass
class Room:
    """A game of two people. Each change returns nothing, or raises an error that says why it is not possible."""

    code: str
    game: Game
    start: str  #: the position in which the game began, as text; empty for the usual start
    begun: tuple[str, ...] = ()  #: moves that were played before the room was opened
    clocks: Clocks | None = None
    seats: list[Seat] = field(default_factory=lambda: [Seat(), Seat()])  #: of player 1 and player 2
    moves: tuple[str, ...] = ()
    end: str = ""  #: how it ended off the board: `1-resigned`, `2-time`, `0-agreed`
    offer: Offer | None = None

    # -------------------------------------------------------------------------------- what is known

    @property
    def position(self) -> Position:
        return position_of(self.game, self.start, self.moves)

    @property
    def line(self) -> Line:
        return Line(self.game, self.start, self.moves, len(self.moves))

    @property
    def is_over(self) -> bool:
        return bool(self.end) or self.position.is_over

    @property
    def is_full(self) -> bool:
        return all(seat.is_taken for seat in self.seats)

    @property
    def invited(self) -> Seat | None:
        """The seat to which somebody is invited."""
        return next((seat for seat in self.seats if seat.invite), None)

    def player_of(self, seat: Seat | None) -> int:
        """The player that sits here, 1 or 2; 0 for a spectator. The seats change sides from game to game."""
        return next((number for number, one in enumerate(self.seats, 1) if one is seat), 0)

    # -------------------------------------------------------------------------------- what players do

    def play(self, seat: Seat, move: str, ply: int, now: float, most_plies: int) -> None:
        """Play a move. A page that lost its connection may send a move twice; then the second one changes nothing."""
        if ply < len(self.moves) and self.moves[ply] == move:
            return
        self._must_go_on()
        if not self.is_full:
            raise NotNow("the other player is not here yet")
        player = self.player_of(seat)
        if ply != len(self.moves):
            raise NotNow("the board has changed in the meantime")
        if self.position.to_move != player:
            raise NotNow("it is not your turn")
        if ply >= most_plies:
            raise NotNow("this game has as many moves as this lab allows")
        after = self.position.play(move)
        if self.look_at_clocks(now):
            return
        self.moves, self.offer = (*self.moves, after.line[-1]), None
        if self.clocks is not None:
            self.clocks.stop(now)
            self.clocks.add(player)
            if not after.is_over:
                self.clocks.start(after.to_move, now)

    def resign(self, seat: Seat, now: float) -> None:
        self._must_go_on()
        self._finish(f"{self.player_of(seat)}-resigned", now)

    def ask(self, seat: Seat, what: str, now: float) -> None:
        """Offer something. If the other player has offered the same, both agree."""
        if what == "again":
            if not self.is_over:
                raise NotNow("the game is not over yet")
        else:
            self._must_go_on()
        if what == "takeback" and self._before_last_move(seat) is None:
            raise NotNow("you have not moved yet")
        if what == "draw" and not self.game.can_be_drawn:
            raise NotNow(NO_DRAWS, title=self.game.title)
        if self.offer is not None and self.offer.what == what and self.offer.by is not seat:
            self.answer(seat, True, now)
        else:
            self.offer = Offer(what, seat)

    def answer(self, seat: Seat, agrees: bool, now: float) -> None:
        """Agree to what the other player has offered, or decline it, or withdraw one's own offer."""
        offer = self.offer
        if offer is None or (agrees and offer.by is seat):
            raise NotNow("there is nothing to agree to")
        self.offer = None
        if not agrees or self.look_at_clocks(now):
            return
        if offer.what == "draw":
            self._finish("0-agreed", now)
        elif offer.what == "again":
            self._begin_again()
        else:
            self._take_back(offer.by, now)

    def look_at_clocks(self, now: float) -> bool:
        """End the game if a player's time is up. True if that is so."""
        if self.clocks is None or not self.clocks.is_late(now):
            return False
        self._finish(f"{self.clocks.runs}-time", now)
        return True

    # -------------------------------------------------------------------------------- how it is done

    def _must_go_on(self) -> None:
        if self.is_over:
            raise NotNow("the game is over")

    def _finish(self, end: str, now: float) -> None:
        self.end, self.offer = end, None
        if self.clocks is not None:
            self.clocks.stop(now)

    def _before_last_move(self, seat: Seat) -> int | None:
        """The number of moves before the last one that this player has made here."""
        player, before = self.player_of(seat), self.position.path[-len(self.moves) - 1 : -1]
        own = [ply for ply in range(len(self.begun), len(self.moves)) if before[ply].to_move == player]
        return own[-1] if own else None

    def _take_back(self, seat: Seat, now: float) -> None:
        ply = self._before_last_move(seat)
        if ply is None:
            raise NotNow("you have not moved yet")
        self.moves = self.moves[:ply]
        if self.clocks is not None and self.clocks.runs:
            self.clocks.start(self.position.to_move, now)

    def _begin_again(self) -> None:
        """A new game of the same kind; the players change sides."""
        self.seats.reverse()
        self.moves, self.end = self.begun, ""
        if self.clocks is not None:
            self.clocks.reset()

    # -------------------------------------------------------------------------------- as it is kept

    def to_json(self, now: float) -> dict[str, Any]:
        """The room as it is kept in a file."""
        clocks = self.clocks
        return {
            "code": self.code,
            "game": str(self.game),
            "start": self.start,
            "begun": len(self.begun),
            "moves": list(self.moves),
            "end": self.end,
            "seats": [[seat.digest, seat.holder, seat.invite] for seat in self.seats],
            "offer": None if self.offer is None else [self.offer.what, self.player_of(self.offer.by)],
            "clock": None if clocks is None else [str(clocks.control), *clocks.left_at(now), clocks.runs],
        }

    @classmethod
    def from_json(cls, kept: dict[str, Any], now: float) -> "Room":
        """The room of to_json. Its clock goes on from now: the time while no server ran does not count."""
        moves = tuple(kept["moves"])
        room = cls(kept["code"], catalogue_game(kept["game"]), kept["start"], moves[: kept["begun"]], moves=moves)
        room.end, room.seats = kept["end"], [Seat(*seat) for seat in kept["seats"]]
        if kept["offer"] is not None:
            room.offer = Offer(kept["offer"][0], room.seats[kept["offer"][1] - 1])
        if kept["clock"] is not None:
            text, first, second, runs = kept["clock"]
            control = TimeControl.parse(text)
            assert control is not None
            room.clocks = Clocks(control, [first, second], runs, now)
        return room
