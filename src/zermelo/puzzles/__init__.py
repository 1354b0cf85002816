"""Puzzles: positions in which exactly one move wins. Each game's folder has a collection, made from exact solutions."""

from zermelo.puzzles.collection import Puzzle, daily_puzzle, find_puzzle, games_with_puzzles, puzzles_of

__all__ = ["Puzzle", "daily_puzzle", "find_puzzle", "games_with_puzzles", "puzzles_of"]
