"""The questions of an exercise, and what answers look like."""

from dataclasses import dataclass
from typing import Any

from zermelo.language import _, marked

VALUE, ALPHA, BETA, CUTS, MOVE = "value", "alpha", "beta", "cut", "move"
EXACT, FIRST, NODES, BEST_NODES = "exact", "first", "nodes", "best_nodes"
"""The kinds of questions."""

Answer = int | str | bool | None
"""A number, `inf` or `-inf`, the name of a node, True for a branch that is cut, or None: nothing is to be written."""

TEXTS = {
    VALUE: marked("value of {node}"),
    ALPHA: marked("alpha on arrival at {node}"),
    BETA: marked("beta on arrival at {node}"),
    CUTS: marked("is the branch to {node} cut?"),
    MOVE: marked("MAX's move at the root"),
    EXACT: marked("value of the root without a tolerance"),
    FIRST: marked("child of {node} to search first"),
    NODES: marked("nodes visited from left to right"),
    BEST_NODES: marked("nodes visited with the best child first"),
}

FORMS = {ALPHA: "bound", BETA: "bound", CUTS: "cut", MOVE: "node", FIRST: "node"}
"""What an answer looks like: a number if nothing else is said; a bound is a number, inf or -inf."""


@dataclass(frozen=True)
class Question:
    """One thing to find out. `id` names it in answers: `value:B`, `alpha:B`, `beta:B`, `cut:F`, `move`."""

    kind: str
    node: str | None  #: the node that it is about; None for the whole search
    choices: tuple[str, ...] = ()  #: the nodes that may be named

    @property
    def id(self) -> str:
        return f"{self.kind}:{self.node}" if self.node else self.kind

    @property
    def form(self) -> str:
        """`number`, `bound` (a number, inf or -inf), `cut` (true or nothing) or `node` (one of the choices)."""
        return FORMS.get(self.kind, "number")

    @property
    def text(self) -> str:
        return _(TEXTS[self.kind]).format(node=self.node)

    def as_json(self) -> dict[str, Any]:
        """The question for programs and pages."""
        told = {"id": self.id, "kind": self.kind, "node": self.node, "form": self.form, "text": self.text}
        return told | ({"choices": list(self.choices)} if self.choices else {})
