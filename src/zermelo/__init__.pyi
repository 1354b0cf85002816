"""The public names of zermelo and their types. Made by tools/stub.py (`make stub`); do not edit."""

from zermelo import games as games
from zermelo.analysis import Analysis as Analysis
from zermelo.analysis import analyse as analyse
from zermelo.analysis import perft as perft
from zermelo.analysis import solve as solve
from zermelo.boards import EMPTY as EMPTY
from zermelo.boards import MINE as MINE
from zermelo.boards import THEIRS as THEIRS
from zermelo.boards import Board as Board
from zermelo.boards import CellSet as CellSet
from zermelo.boards import cells as cells
from zermelo.calls import Call as Call
from zermelo.core import Heuristic as Heuristic
from zermelo.core import bit as bit
from zermelo.core import count as count
from zermelo.core import heuristic as heuristic
from zermelo.core import highest as highest
from zermelo.core import lowest as lowest
from zermelo.core import njit as njit
from zermelo.core import state as state
from zermelo.core import without_lowest as without_lowest
from zermelo.core.grids import DRAW as DRAW
from zermelo.errors import PlainPythonWarning as PlainPythonWarning
from zermelo.errors import ZermeloError as ZermeloError
from zermelo.exercises import Exercise as Exercise
from zermelo.exercises import exercise as exercise
from zermelo.games import find_game as game
from zermelo.games import game_names as catalogue
from zermelo.games.connect4.board import Connect4 as Connect4
from zermelo.games.hex.board import Hex as Hex
from zermelo.games.onitama.board import Onitama as Onitama
from zermelo.games.parcheckers.board import Parcheckers as Parcheckers
from zermelo.games.reversi import ReversiBoard as ReversiBoard
from zermelo.games.reversi.board import Reversi as Reversi
from zermelo.games.tictactoe.board import TicTacToe as TicTacToe
from zermelo.games.tree.board import Tree as Tree
from zermelo.match import Record as Record
from zermelo.match import play_match as play
from zermelo.notebook import explore as explore
from zermelo.notebook import widget as widget
from zermelo.players import AlphaBetaPlayer as alphabeta
from zermelo.players import Choice as Choice
from zermelo.players import EnginePlayer as engine
from zermelo.players import HumanPlayer as human
from zermelo.players import MctsPlayer as mcts
from zermelo.players import MinimaxPlayer as minimax
from zermelo.players import Player as Player
from zermelo.players import RandomPlayer as random
from zermelo.players import find_player as player
from zermelo.position import Game as Game
from zermelo.position import Position as Position
from zermelo.research.environments import environment as environment
from zermelo.research.frames import records_frame as records_frame
from zermelo.research.self_play import self_play as self_play
from zermelo.scores import Score as Score
from zermelo.scores import score_text as score_text
from zermelo.searches.own.nodes import MAX as MAX
from zermelo.searches.own.nodes import MIN as MIN
from zermelo.searches.own.search import search as search
from zermelo.solving.solution import Solution as Solution
from zermelo.tournaments import tournament as tournament
from zermelo.tracing import trace_search as trace

__version__: str

__all__ = [
    "DRAW",
    "EMPTY",
    "MAX",
    "MIN",
    "MINE",
    "THEIRS",
    "Analysis",
    "Board",
    "Call",
    "CellSet",
    "Choice",
    "Connect4",
    "Exercise",
    "Game",
    "Heuristic",
    "Hex",
    "Onitama",
    "Parcheckers",
    "PlainPythonWarning",
    "Player",
    "Position",
    "Record",
    "Reversi",
    "ReversiBoard",
    "Score",
    "Solution",
    "TicTacToe",
    "Tree",
    "ZermeloError",
    "__version__",
    "alphabeta",
    "analyse",
    "bit",
    "catalogue",
    "cells",
    "count",
    "engine",
    "environment",
    "exercise",
    "explore",
    "game",
    "games",
    "heuristic",
    "highest",
    "human",
    "lowest",
    "mcts",
    "minimax",
    "njit",
    "perft",
    "play",
    "player",
    "random",
    "records_frame",
    "score_text",
    "search",
    "self_play",
    "solve",
    "state",
    "tournament",
    "trace",
    "widget",
    "without_lowest",
]
