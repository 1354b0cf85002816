"""Heuristics: evaluation functions in plain Python, which the compiled search can call. One class, so a long module.

The search calls a heuristic through a pointer to `int32(state, address of the weights)`. So a new heuristic is compiled
alone, in about 0.3 s. The search is compiled once per game and never again; it is 0 to 8% slower than with the
heuristic inlined. The weights are read from the address, so tuning them compiles nothing.
"""

import functools
import inspect
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, overload

import numba
import numpy as np
from numba import int32, types, uint64

from zermelo.core import numba_private
from zermelo.core.cache import CodeCache
from zermelo.core.compiling import JIT
from zermelo.core.evaluators import Evaluator, Written
from zermelo.core.explanations import Finding, explain
from zermelo.core.fallback import slowness, trial_of
from zermelo.core.numba_private import TypingError
from zermelo.core.numbers import MOST_POINTS, points_of
from zermelo.core.plain import plain
from zermelo.core.preparing import prepared
from zermelo.core.shells import (
    callback_shell,
    called_back,
    callee_of,
    given_shell,
    interpreted_shell,
    is_number,
    itself,
    shell_of,
    strict,
)
from zermelo.core.state import annotated_boards, annotated_classes
from zermelo.core.weights import Form, form_of, kind_of_number, weights_type
from zermelo.core.worlds import lasting_name
from zermelo.errors import HeuristicError, Message, PlainPythonWarning, ZermeloError

MOST_WEIGHT = 1e30
"""The largest weight. It leaves room for calculations."""


class Heuristic:
    """An evaluation of positions for the player to move, with its named weights.

    Call it with a state or a position. `native` is what a search calls.
    """

    def __init__(
        self,
        evaluator: Evaluator,
        name: str,
        classes: tuple[type, ...],
        weights: Mapping[str, float] | None = None,
        *,
        python: bool = False,
        compiled: bool = False,
        doc: str | None = None,
        module: str = __name__,
    ):
        """weights: those that have names; module: the name of the module that it comes from."""
        self.evaluator = evaluator
        self.name = self.label = name  # label: what users call it, its name or `mine.py:corners`
        self.classes = classes
        self.weights = self.defaults = dict(weights or {})
        self.python = python
        self.compiled = compiled  # it must not run as plain Python
        self.__doc__ = doc
        self.__module__ = module

    def _copy(self, **weights: float) -> "Heuristic":
        """The same heuristic with other weights. Both share the evaluator, and so the compiled code."""
        other = Heuristic(
            self.evaluator,
            self.name,
            self.classes,
            self.weights | weights,
            python=self.python,
            compiled=self.compiled,
            doc=self.__doc__,
            module=self.__module__,
        )
        other.defaults, other.label = self.defaults, self.label
        return other

    @property
    def takes_weights(self) -> bool:
        """Does its function take the state and w, or the state alone?"""
        return self.evaluator.takes_weights

    @functools.cached_property
    def function(self) -> Any:
        """The Python function that evaluates. That of a model is made when it is first needed."""
        return self.evaluator.function_of(self.label)

    @property
    def written(self) -> Any:
        """The code object that its author wrote."""
        return self.evaluator.written(self.function)

    @functools.cached_property
    def vector(self) -> np.ndarray[Any, Any]:
        """The numbers that the function is given as w."""
        numbers = self.evaluator.numbers
        return np.array(list(self.weights.values()) or [0], np.float64) if numbers is None else numbers

    @property
    def form(self) -> Form | None:
        """What compiled code must know about its weights; None if its function takes none."""
        return form_of(self.weights, len(self.vector)) if self.takes_weights else None

    @functools.cached_property
    def _compiled(self) -> dict[type, Any]:
        return self.evaluator.code_of(self.function)

    # -------------------------------------------------------------------------------- as a user sees it

    def __call__(self, state: Any, weights: Any = None) -> float:
        """The value of a state or position in points, for the player to move. A HeuristicError says where it failed."""
        where, state = state, getattr(state, "state", state)
        vector = self.vector if weights is None else np.asarray(weights, kind_of_number(self.form or 0))
        judge = self.native(type(state))
        try:
            return points_of(judge(state, vector.ctypes.data))
        except ZermeloError:
            raise
        except Exception as error:
            from zermelo.core.failures import failure_text  # here, since it imports this module

            raise HeuristicError(failure_text(self, state, str(where), error)) from error

    def with_weights(self, **weights: float) -> "Heuristic":
        """The same heuristic with other weights. Nothing is compiled again."""
        unknown = [name for name in weights if name not in self.weights]
        if unknown:
            raise HeuristicError(self.evaluator.refusal(self.label, unknown[0], ", ".join(self.weights)))
        for name, value in weights.items():
            if not abs(value) <= MOST_WEIGHT:
                raise HeuristicError(
                    "{name}: the weight {weight}={value} must be a number between -1e30 and 1e30",
                    name=self.name,
                    weight=name,
                    value=value,
                )
        return self._copy(**weights)

    def labelled(self, label: str) -> "Heuristic":
        """The same heuristic, printed under this name."""
        other = self._copy()
        other.label = label
        return other

    def renamed(self, name: str) -> "Heuristic":
        """The same heuristic under another name, with its present weights as its default weights."""
        other = self._copy()
        other.name = other.label = name
        other.defaults = other.weights
        return other

    def check(self, state: Any) -> None:
        """Raise HeuristicError if it cannot evaluate positions of the game that begins with this state."""
        self.evaluator.check(state, self.label)

    def __str__(self) -> str:
        """Its name, and the weights that differ from its default weights: `mixed(corner=80)`."""
        changed = [f"{name}={value:g}" for name, value in self.weights.items() if value != self.defaults[name]]
        return f"{self.label}({', '.join(changed)})" if changed else self.label

    def __repr__(self) -> str:
        return f"<heuristic {self}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Heuristic):
            return NotImplemented
        return self.evaluator.identity is other.evaluator.identity and self.weights == other.weights

    def __hash__(self) -> int:
        return hash((id(self.evaluator.identity), *self.weights.items()))

    # -------------------------------------------------------------------------------- as compiled code sees it

    @property
    def address(self) -> int:
        """The address of its weights. The heuristic must be alive while a search uses it."""
        return int(self.vector.ctypes.data)

    @property
    def py_func(self) -> Any:
        return self.function

    @functools.cached_property
    def _dispatcher(self) -> Any:
        return prepared(self.function)

    @property
    def _numba_type_(self) -> Any:
        """Numba asks for this property. Because of it, one heuristic may call another."""
        return numba_private.dispatcher_type(self._callee)

    @functools.cached_property
    def _callee(self) -> Any:
        return callee_of(self._dispatcher, self.form, self.evaluator.boards)

    def inlined(self, cls: type) -> Any:
        """The function as other compiled code calls it: of a state of this class, and of its weights if it takes any.

        Its value is neither checked nor rounded. As in a search, a function that wants a board gets one. If it
        cannot be compiled, it is called back, always with the heuristic's own weights.
        """
        if not JIT:
            return given_shell(self.function, self.form, self.evaluator.given)
        return self._callee if self.note(cls) is None else called_back(self, self.form)

    def native(self, cls: type) -> Any:
        """The function `int32(state, address of the weights)` for states of this class, as a search takes it."""
        made = self._compiled.get(cls)
        if made is None:
            if cls not in self.classes:
                known = ", ".join(c.__name__ for c in self.classes)
                raise HeuristicError(
                    "{name} is for {known} states, not for {cls}", name=self.name, known=known, cls=cls.__name__
                )
            made = self._compiled[cls] = self._compile(cls) if JIT else self._interpreted()
        return made

    def _interpreted(self) -> Any:
        return interpreted_shell(self.function, self.form, self.evaluator.given)

    def as_python(self, state: Any) -> float:
        """The value of a state in points, computed by plain Python: slowly, but without waiting for the compiler."""
        if self._python is None:
            self._python = interpreted_shell(plain(self.function), self.form, self.evaluator.given, float)
        with np.errstate(over="ignore"):
            value: float = self._python(state, self.address)
        return max(-MOST_POINTS, min(MOST_POINTS, value))

    _python: Any = None

    def unrounded(self, state: Any, weights: "np.ndarray[Any, Any]") -> float:
        """The value of a state with these weights, not checked and not rounded to thousandths of a point."""
        vector, cls = np.ascontiguousarray(weights, self.vector.dtype), type(state)
        if cls not in self._unrounded:
            self._unrounded[cls] = self._unrounded_code(cls)
        return float(self._unrounded[cls](state, vector.ctypes.data))

    @functools.cached_property
    def _unrounded(self) -> dict[type, Any]:
        return {}

    def _unrounded_code(self, cls: Any) -> Any:
        if not JIT or self.python:
            return interpreted_shell(self.function, self.form, self.evaluator.given, float)
        around = getattr(self.evaluator.given_type(cls), "around", itself)
        return numba.njit(shell_of(self._dispatcher, self.form, around, float))

    def _compile(self, cls: Any) -> Any:
        signature = int32(cls.numba, uint64)
        if self.evaluator.plain is not None:
            place = self.written.co_filename, self.written.co_firstlineno
            return self._plain(cls, signature, Finding(*place, self.evaluator.plain, name=self.name))
        given = self.evaluator.given_type(cls)  # a state or a board
        arguments = (given,) if self.form is None else (given, weights_type(self.form))
        try:
            with numba_private.compiling:
                return self._native_code(signature, arguments)
        except HeuristicError:
            raise
        except Exception as error:  # Numba raises not only its own errors: AttributeError of a module, for example
            (
                self.__dict__.pop("_dispatcher", None),
                self.__dict__.pop("_callee", None),
            )  # a name that is missing now may be defined later
            finding = explain(self.function, error)
        return self._plain(cls, signature, finding)

    def _plain(self, cls: Any, signature: Any, finding: Finding) -> Any:
        """The native function of a heuristic that cannot be compiled, with a note; HeuristicError if it is wrong."""
        call = self._interpreted() if self.evaluator.plain is not None else strict(self._interpreted())
        made = self._compiled[cls] = callback_shell(call, signature)
        trial = trial_of(cls)
        try:
            self._judge(made, finding, trial.states if trial else ())
            speed: object = slowness(self, cls, trial) if trial else Message("its speed was not measured")
        except HeuristicError:
            del self._compiled[cls]
            raise
        made.note = Message(
            "{place}\n    {name} runs as plain Python: {reason}\n    {speed}",
            place=finding.place,
            name=self.name,
            reason=finding.reason,
            speed=speed,
        )
        warnings.warn_explicit(PlainPythonWarning(made.note), None, finding.file, finding.line)
        return made

    def _judge(self, native: Any, finding: Finding, states: Sequence[Any]) -> None:
        """Raise HeuristicError if the function is wrong as plain Python, too, or if it must be compiled."""
        from zermelo.core.failures import failure_text  # here, since it imports this module

        mistake = HeuristicError("{place}\n    {reason}", place=finding.place, reason=finding.reason)
        for state in states:
            try:
                native(state, self.address)
            except ZermeloError:
                raise
            except Exception as error:  # Python knows more about missing attributes, such as names that are like them
                if finding.is_mistake and not isinstance(error, AttributeError):
                    raise mistake from None
                raise HeuristicError(failure_text(self, state, "", error)) from error
        if finding.is_mistake:
            raise mistake
        if self.compiled:
            raise HeuristicError(
                "{place}\n    {name} cannot be compiled: {reason}",
                place=finding.place,
                name=self.name,
                reason=finding.reason,
            )

    def note(self, cls: type) -> Message | None:
        """Why it runs as plain Python for states of this class, and how slowly; None if it is compiled."""
        found: Message | None = getattr(self.native(cls), "note", None)
        return found

    def _native_code(self, signature: Any, arguments: Any) -> Any:
        inner = self._dispatcher
        native = shell_of(inner, self.form, getattr(arguments[0], "around", itself))
        # The shell is named after the heuristic, so that the cache can tell the shells of different heuristics apart.
        native.__qualname__ = native.__name__ = f"native_{lasting_name(self.function.__module__)}_{self.name}"
        shell = numba.njit(native, nogil=True)
        options = numba_private.options_of(shell) | {"of": self.function.__code__.co_filename}
        cache = CodeCache(native, options)
        numba_private.use_cache(shell, cache)
        saved = numba_private.cached_result(shell, cache, signature)
        if saved is not None:  # it spares the type inference of the inner function
            numba_private.adopt(shell, saved)
        else:
            result = numba_private.compiled_return_type(inner, arguments)
            if not is_number(result):
                ends_without = isinstance(result, (types.Optional, types.NoneType))
                hint = " (does it end somewhere without return?)" if ends_without else ""
                raise TypingError(f"it must return a number, not {result}{hint}")
            shell.compile(signature)
        numba_private.freeze(shell)
        numba_private.remember_addresses(shell, signature)
        return shell


@overload
def heuristic(
    function: Callable[..., Any],
    *,
    of: Any = None,
    weights: Mapping[str, float] | None = None,
    python: bool = False,
    compiled: bool = False,
) -> Heuristic: ...


@overload
def heuristic(
    function: None = None,
    *,
    of: Any = None,
    weights: Mapping[str, float] | None = None,
    python: bool = False,
    compiled: bool = False,
) -> Callable[[Callable[..., Any]], Heuristic]: ...


def heuristic(
    function: Any = None,
    *,
    of: Any = None,
    weights: Mapping[str, float] | None = None,
    python: bool = False,
    compiled: bool = False,
) -> Any:
    """Make a heuristic of a function of a state, or of a state and its weights.

        @heuristic
        def centre(state: Connect4): ...

        @heuristic(weights={"corner": 70, "mobility": 15})
        def mixed(state: Reversi, w): ...          # w.corner or w[0], w.mobility or w[1]

    The function returns any finite number for the player to move; a search counts in thousandths of a point. `of` is
    the state class, if the function has no annotation. A function that cannot be compiled runs as plain Python, which
    is slow, and a PlainPythonWarning says why; with compiled=True that is an error. (python=True, which asked for it in
    version 0.1, has no effect any more.)
    """
    if function is None:
        return functools.partial(heuristic, of=of, weights=weights, python=python, compiled=compiled)
    name, weights = function.__name__, weights or {}
    try:
        parameters = list(inspect.signature(function, eval_str=True).parameters.values())
    except Exception as error:
        raise HeuristicError("{name}: its annotations cannot be read: {error}", name=name, error=error) from None
    wanted = 2 if weights else 1
    if len(parameters) != wanted:
        boards = annotated_boards(parameters[0].annotation) if parameters else {}
        board = f"board: z.{next((one.__name__ for one in boards.values()), 'Connect4')}"
        hint = (
            Message("a heuristic with weights={...} takes the board and w")
            if weights
            else Message("a heuristic with weights needs @heuristic(weights={...})")
        )
        raise HeuristicError(
            "{name} has the wrong number of parameters: write for example {form}; {hint}",
            name=name,
            form=f"def {name}({board}, w)" if weights else f"def {name}({board})",
            hint=hint,
        )
    annotation = of if of is not None else parameters[0].annotation
    classes = annotated_classes(annotation)
    if not classes:
        raise HeuristicError(
            "{name} does not say for which game it is: write for example def {name}({form})",
            name=name,
            form=", ".join([f"{parameters[0].name}: z.Connect4", *(one.name for one in parameters[1:])]),
        )
    evaluator = Written(function, bool(weights), annotated_boards(annotation))
    told = {"doc": function.__doc__, "module": function.__module__}
    return Heuristic(evaluator, name, classes, weights, python=python, compiled=compiled, **told)
