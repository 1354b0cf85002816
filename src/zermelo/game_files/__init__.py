"""A game in one file: its rules are a class of plain methods, or generic functions of a state. No package is needed."""

from zermelo.game_files.game import FileGame
from zermelo.game_files.reading import game_in_file, game_of_class, games_in, holds_game, is_game_file

__all__ = ["FileGame", "game_in_file", "game_of_class", "games_in", "holds_game", "is_game_file"]
