"""Why an answer is right, in the sentences of the search's own trace."""

from typing import TYPE_CHECKING

from zermelo.exercises import questions as asking
from zermelo.exercises.questions import Question
from zermelo.language import _
from zermelo.tracing import Step, Trace

if TYPE_CHECKING:
    from zermelo.exercises.exercise import Exercise


def why(exercise: "Exercise", question: Question) -> str:
    """Return why the right answer to a question is what it is."""
    match question.kind:
        case asking.MOVE:
            return exercise.trace.why_value(exercise.trace.root)
        case asking.EXACT:
            return exercise.work.minimax.why_value(exercise.work.minimax.root)
        case asking.NODES:
            return visited_text(exercise.work.alphabeta)
        case asking.BEST_NODES:
            return visited_text(exercise.work.ordered)
    assert question.node is not None
    node = question.node
    if not exercise.is_visited(node):
        return _never_visited(exercise, node)
    step = exercise.steps[node]
    parent = exercise.parents[node]
    match question.kind:
        case asking.CUTS:
            return exercise.trace.why_searched(step)
        case asking.ALPHA | asking.BETA:
            return exercise.trace.why_window(step, exercise.steps[parent] if parent else None)
        case _:
            return exercise.trace.why_value(step)


def _never_visited(exercise: "Exercise", node: str) -> str:
    """The node itself is cut, or one above it."""
    cut = node
    while cut not in exercise.steps:
        cut = exercise.parents[cut] or "A"
    parent = exercise.steps[exercise.parents[cut] or "A"]
    reason = "; ".join(exercise.trace.left_out(parent))
    return reason if cut == node else _("{node} is never visited. {reason}").format(node=node, reason=reason)


def visited_text(trace: Trace) -> str:
    """Which nodes a search visits, in their order, and how many they are."""

    def visited(step: Step) -> list[str]:
        if step.position is None:
            return []
        return [step.name, *(name for child in step.children for name in visited(child))]

    names = visited(trace.root)
    return _("the search visits {number} nodes: {names}").format(number=len(names), names=", ".join(names))
