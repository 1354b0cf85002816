"""Exercises for students: small random trees with questions, their solutions, and marking with hints."""

from zermelo.exercises.exercise import Exercise, exercise
from zermelo.exercises.kinds import KINDS
from zermelo.exercises.marking import Hint, Marking
from zermelo.exercises.questions import Question
from zermelo.exercises.trees import DIFFICULTIES

__all__ = ["DIFFICULTIES", "KINDS", "Exercise", "Hint", "Marking", "Question", "exercise"]
