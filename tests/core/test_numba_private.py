"""What the package relies on in Numba beyond its promises, one test for each thing: a new release fails here first."""

import gc
import importlib.util
import pickle
import re
import subprocess
import sys
from typing import Any, NamedTuple

import numba
import numpy as np
import pytest
from llvmlite import ir
from numba import types
from numba.core import caching, event
from numba.core import ir as numba_ir
from numba.core.compiler import Flags, run_frontend
from numba.core.runtime import _nrt_python
from numba.extending import (
    intrinsic,
    lower_builtin,
    lower_getattr_generic,
    models,
    overload,
    overload_attribute,
    overload_method,
    register_model,
)

from zermelo.core import JIT, njit, numba_private, state
from zermelo.core.cache import CodeCache

compiles = pytest.mark.skipif(not JIT, reason="nothing is compiled")


@state
class Pair(NamedTuple):
    """Two numbers of different types."""

    small: np.uint8
    large: np.uint64 = 5


def add_one(number):
    return number + 1


def compiled_for_int64(function=add_one):
    dispatcher = numba.njit(function)
    dispatcher.compile((types.int64,))
    return dispatcher


class Kept:
    """A cache of one result in memory, which writes down what Numba asks of it."""

    def __init__(self, result=None):
        self.result = result
        self.asked, self.saved = [], []

    def load_overload(self, signature, target_context):
        self.asked.append((signature, target_context))
        return self.result

    def save_overload(self, signature, result):
        self.saved.append((signature, result))


# ------------------------------------------------------------------------------------------ inner versions


def divided(function):
    """An njit function whose code compiled code takes over from an inner version; with the caches of both."""
    dispatcher, inner = numba.njit(function), numba.njit(function)
    caches = Kept(), Kept()
    numba_private.use_cache(dispatcher, caches[0])
    numba_private.divide(dispatcher, inner, caches[1])
    return dispatcher, inner, caches


@compiles
def test_an_inner_version_is_what_compiled_code_calls():
    dispatcher, inner, _ = divided(lambda number: number + 1)

    @numba.njit
    def caller(number):
        return dispatcher(number) * 2

    assert caller(3) == 8
    assert not dispatcher.overloads
    (version,) = inner.overloads.values()
    assert not version.library.codegen._engine.is_symbol_defined(version.fndesc.llvm_func_name)  # not translated
    assert dispatcher(3) == 4, "Python calls the shell"
    assert len(inner.overloads) == 1


@compiles
def test_for_other_compiled_code_only_the_inner_version_is_compiled():
    dispatcher, inner, _ = divided(lambda number: number + 1)
    assert numba_private.compiled_return_type(dispatcher, (types.int64,)) == types.int64
    assert inner.overloads and not dispatcher.overloads
    plain = numba.njit(lambda number: number + 0.5)
    assert numba_private.compiled_return_type(plain, (types.int64,)) == types.float64


@compiles
def test_inner_versions_may_call_themselves_and_have_defaults():
    def factorial(number, step=1):
        return 1 if number <= 1 else number * dispatcher(number - step)

    dispatcher, inner, _ = divided(factorial)
    assert dispatcher(5) == 120
    assert dispatcher(5, 2) == 5 * 6
    assert inner.overloads


@compiles
def test_an_inner_version_can_be_kept_and_restored():
    _, inner, caches = divided(add_one)
    inner.compile((types.int64,))
    ((signature, result),) = caches[1].saved
    assert numba_private.is_self_contained(result)
    saved = pickle.loads(numba_private.pickled(numba_private.saved_form(result)))

    dispatcher, inner, caches = divided(add_one)
    caches[1].result = numba_private.restored(inner.targetctx, saved)
    assert dispatcher(41) == 42
    assert caches[1].asked[0][0] == signature
    assert caches[1].saved == []


@compiles
def test_code_that_takes_over_an_inner_version_raises_its_errors():
    def checked(number):
        if number < 0:
            raise ValueError("it is negative", number)
        return number

    dispatcher, _, _ = divided(checked)
    with pytest.raises(ValueError, match="it is negative"):
        dispatcher(-3)


# ------------------------------------------------------------------------------------------ errors


@compiles
def test_the_garbage_collector_rests_while_something_is_compiled():
    states = []

    def body(x):
        return x + 1

    class Watching(event.Listener):
        def on_start(self, event):
            states.append(gc.isenabled())

        def on_end(self, event):
            states.append(gc.isenabled())

    gc.enable()
    with event.install_listener("numba:compile", Watching()):
        numba.njit(body)(1)
    assert states == [False, False] and gc.isenabled()
    gc.disable()
    try:
        numba.njit(body)(1)
        assert not gc.isenabled(), "it was off before"
    finally:
        gc.enable()


@compiles
def test_flags_of_compilations_are_equal_if_their_options_are():
    one, other = Flags(), Flags()
    assert one == other and hash(one) == hash(other)
    one.nrt = True
    assert one != other
    other.nrt = True
    assert one == other and one == one.copy()
    del other.nrt
    one.nrt = Flags.options["nrt"].default
    assert one == other, "an option that is set to its default is as good as one that is not set"
    assert one != "flags"


@compiles
def test_a_call_is_resolved_once_for_the_same_types_and_options():
    asked = []

    def doubled(number):
        return number * 2

    @overload(doubled)
    def _(number):
        asked.append(number)
        return lambda number: number * 2

    def body(number):
        total = 0
        for _ in range(3):
            total += doubled(number)
        return total + doubled(number)

    assert numba.njit(body)(3) == 24
    assert asked == [types.int64]
    assert numba.njit(body, boundscheck=True)(3) == 24
    assert asked == [types.int64, types.int64], "an overload inherits some options of the function that calls it"


@compiles
def test_a_call_of_a_compiled_function_is_resolved_once():
    compiled = compiled_for_int64()
    templates = []
    find = compiled.get_call_template
    compiled.get_call_template = lambda *arguments: templates.append(arguments) or find(*arguments)
    assert numba.njit(lambda number: compiled(number) + compiled(number + 1))(3) == 9
    assert len(templates) == 1


@compiles
def test_nobody_is_told_of_calls_of_llvm():
    told = []

    class Listening(event.Listener):
        def on_start(self, event):
            told.append(event)

        on_end = on_start

    with event.install_listener("numba:llvm_lock", Listening()):
        compiled_for_int64(lambda number: number + 5)
    assert not told


def test_the_variables_of_an_instruction_are_listed():
    scope, place = numba_ir.Scope(None, numba_ir.unknown_loc), numba_ir.unknown_loc
    one, two, three, four = (numba_ir.Var(scope, name, place) for name in ("one", "two", "three", "four"))
    call = numba_ir.Expr.call(one, [two], [("named", three)], place)
    assert call.list_vars() == [one, two, three]
    assert numba_ir.Assign(call, four, place).list_vars() == [one, two, three, four]
    assert numba_ir.Assign(numba_ir.Const(1, place), four, place).list_vars() == [four]


@compiles
def test_what_is_registered_later_is_found():
    def late(number):
        return number

    compiled_for_int64(lambda number: number + 6)
    overload(late)(lambda number: lambda number: number + 7)
    assert numba.njit(lambda number: late(number))(1) == 8


SCIPY = """
import sys
import zermelo.core
from numba import njit
assert njit(lambda number: number + 1)(1) == 2
assert "numba.np.arraymath" in sys.modules and "scipy.linalg" not in sys.modules, "it is not needed"
"""


@compiles
def test_linear_algebra_is_not_imported_to_see_whether_it_is_there():
    done = subprocess.run([sys.executable, "-c", SCIPY], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr


def test_errors_are_numba_errors():
    assert issubclass(numba_private.TypingError, numba_private.NumbaError)
    assert issubclass(numba_private.RequireLiteralValue, numba_private.NumbaError)


@compiles
def test_error_line_is_where_compiling_failed():
    def wrong(number):
        return number.nothing

    with pytest.raises(numba_private.NumbaError) as caught:
        numba.njit(wrong).compile((types.int64,))
    assert numba_private.error_line(caught.value, __file__) == wrong.__code__.co_firstlineno + 1
    assert numba_private.error_line(caught.value, "another.py") is None
    assert numba_private.error_line(ValueError("of somebody else"), __file__) is None


# ------------------------------------------------------------------------------------------ dispatchers


@compiles
def test_dispatcher_type_lets_an_object_stand_for_a_compiled_function():
    class Caller:
        @property
        def _numba_type_(self):
            return numba_private.dispatcher_type(inner)

    inner = numba.njit(add_one)
    stand_in = Caller()
    assert numba.njit(lambda number: stand_in(number))(4) == 5


@compiles
def test_options_of_a_dispatcher_are_those_it_was_made_with():
    options = numba_private.options_of(numba.njit(add_one, nogil=True, boundscheck=True, error_model="numpy"))
    assert options["nogil"] is True
    assert options["boundscheck"] is True
    assert options["error_model"] == "numpy"


@compiles
def test_return_type_is_known_after_compiling():
    assert numba_private.return_type(compiled_for_int64(), (types.int64,)) == types.int64


@compiles
def test_a_frozen_dispatcher_compiles_nothing_more():
    dispatcher = compiled_for_int64()
    numba_private.freeze(dispatcher)
    assert dispatcher(1) == 2
    with pytest.raises(TypeError, match="No matching definition"):
        dispatcher("a text")


@compiles
def test_remembered_addresses_are_those_of_the_code():
    signature = types.int64(types.int64)
    dispatcher = compiled_for_int64()
    right = dispatcher.get_compile_result(signature)
    name = right.fndesc.llvm_cpython_wrapper_name
    numba_private.remember_addresses(dispatcher, signature)
    known = dispatcher.get_compile_result(signature)
    assert known.library.get_pointer_to_function(name) == right.library.get_pointer_to_function(name)
    take = types.FunctionType(signature)
    apply = numba.njit([types.int64(take, types.int64)])(lambda function, number: function(number))
    assert apply(dispatcher, 4) == 5
    assert known._addresses.keys() > {name}, "Numba asks the result for the address when it hands the function over"


# ------------------------------------------------------------------------------------------ the code cache


def test_our_cache_has_all_that_numba_demands_of_one():
    missing = {name for name in caching._Cache.__abstractmethods__ if not hasattr(CodeCache, name)}
    assert not missing


@compiles
def test_numba_asks_the_cache_before_it_compiles_and_hands_over_what_it_compiled():
    dispatcher, cache = numba.njit(add_one), Kept()
    numba_private.use_cache(dispatcher, cache)
    dispatcher.compile((types.int64,))
    ((asked, context),) = cache.asked
    ((saved, result),) = cache.saved
    assert numba_private.argument_types(asked) in (None, (types.int64,))
    assert tuple(getattr(saved, "args", saved)) == (types.int64,)
    assert numba_private.machine_of(context) == numba_private.machine_of_result(result)


@compiles
def test_a_result_survives_being_saved_and_restored():
    first, cache = numba.njit(add_one), Kept()
    numba_private.use_cache(first, cache)
    first.compile((types.int64,))
    content = numba_private.pickled(numba_private.saved_form(cache.saved[0][1]))
    second, signature = numba.njit(add_one), types.int64(types.int64)
    context = cache.asked[0][1]
    numba_private.prepare(context)
    result = numba_private.restored(context, pickle.loads(content))
    assert numba_private.cached_result(second, Kept(result), signature) is result
    numba_private.adopt(second, result)
    numba_private.freeze(second)
    assert second(41) == 42


def test_pickled_writes_functions_inside_functions():
    offset = 3
    again = pickle.loads(numba_private.pickled(lambda number: number + offset))
    assert again(4) == 7


@compiles
def test_plain_code_is_self_contained():
    assert numba_private.is_self_contained(compiled_for_int64().overloads[(types.int64,)])


@compiles
def test_code_with_an_address_in_it_is_not_self_contained():
    address_of = types.ExternalFunctionPointer(types.int64(types.int64), get_pointer=lambda function: 4096)

    class Pointer:
        _numba_type_ = address_of

    pointer = Pointer()
    dispatcher = compiled_for_int64(lambda number: pointer(number))
    assert not numba_private.is_self_contained(dispatcher.overloads[(types.int64,)])


MUTUAL = """
import numba
from numba import types
from zermelo.core import numba_private

class Kept:
    def load_overload(self, signature, context): return None
    def save_overload(self, signature, result): print(name, numba_private.is_self_contained(result))

@numba.njit
def even(n):
    return True if n == 0 else odd(n - 1)

@numba.njit
def odd(n):
    return False if n == 0 else even(n - 1)

class Named(Kept):
    def __init__(self, name): self.name = name
    def save_overload(self, signature, result): print(self.name, numba_private.is_self_contained(result))

numba_private.use_cache(even, Named("even"))
numba_private.use_cache(odd, Named("odd"))
even.compile((types.int64,))
"""


@compiles
def test_half_of_a_mutual_recursion_is_not_self_contained():
    """In a separate process, because its modules stay linked."""
    told = subprocess.run([sys.executable, "-c", MUTUAL], check=True, capture_output=True, text=True).stdout
    assert "odd False" in told


@compiles
def test_functions_are_numbered_from_where_we_say():
    from numba.core.bytecode import FunctionIdentity

    before = FunctionIdentity._unique_ids
    try:
        numba_private.number_functions_from(7_000_000_000_000)
        name = compiled_for_int64().overloads[(types.int64,)].fndesc.mangled_name
    finally:
        FunctionIdentity._unique_ids = before
    assert re.search(r"70000000000\d\d", name), name


# ------------------------------------------------------------------------------------------ what code is made from


def overloaded_function(value: Any) -> Any:
    return value


@overload(overloaded_function, inline="always", jit_options={"boundscheck": True})
def overloading(value):
    return lambda value: value


class Token(types.Type):
    def __init__(self):
        super().__init__(name="token of test_numba_private")


@overload_attribute(Token, "colour")
def attribute(token):
    return lambda token: 1


@overload_method(Token, "shine")
def method(token):
    return lambda token: 2


def templates_of(functions: set[Any]) -> dict[Any, Any]:
    registered = [template for templates in numba_private.registered_templates() for template in templates]
    found = {numba_private.overloading_function(template): template for template in registered}
    return {function: found[function] for function in functions}


def test_registered_templates_name_the_overload_and_what_it_stands_for():
    functions, attributes = numba_private.registered_templates()
    assert isinstance(functions, list)
    assert isinstance(attributes, list)
    found = templates_of({overloading, attribute, method})
    assert found[overloading] in functions
    assert {found[attribute], found[method]} <= set(attributes)
    assert numba_private.overloaded(found[overloading]) is overloaded_function
    assert numba_private.overloaded(found[attribute]) is Token


def test_options_of_an_overload_are_found():
    found = templates_of({overloading, attribute, method})
    named, inlined, options = numba_private.overload_options(found[overloading])
    assert named == ""
    assert "always" in inlined
    assert options["boundscheck"] is True
    assert numba_private.overload_options(found[attribute])[0] == "colour"
    assert numba_private.overload_options(found[method])[0] == "shine"


def test_made_objects_keep_their_function_under_the_known_names():
    def generator(typing_context, number):
        return types.int64(types.int64), lambda context, builder, signature, arguments: arguments[0]

    made = [intrinsic(generator)]
    functions = [generator]
    if JIT:
        made += [numba.njit(add_one), numba.cfunc(types.int64(types.int64))(add_one)]
        functions += [add_one, add_one]
    for one, function in zip(made, functions, strict=True):
        assert function in [getattr(one, name, None) for name in numba_private.FUNCTION_ATTRIBUTES], one


def test_the_parts_of_a_jitclass_are_known():
    if not JIT:
        assert numba_private.jitclass_parts(Pair) is None
        return

    @numba.experimental.jitclass([("x", types.int64)])
    class Counter:
        def __init__(self):
            self.x = 0

        def step(self):
            return self.x

        @property
        def twice(self):
            return 2 * self.x

        @staticmethod
        def zero():
            return 0

    fields, methods, properties, static = numba_private.jitclass_parts(Counter)
    assert "int64" in fields
    assert methods["step"].py_func.__name__ == "step"
    assert "twice" in properties
    assert "zero" in static
    assert numba_private.jitclass_parts(Pair) is None


def test_the_class_of_a_tuple_type_is_known():
    assert numba_private.tuple_class(Pair.numba) is Pair
    assert numba_private.tuple_class(numba.typeof(Pair)) is Pair
    assert numba_private.tuple_class(types.int64) is None


def test_argument_types_of_signatures_and_of_function_types():
    signature = types.int64(types.int32, types.uint8)
    assert numba_private.argument_types(signature) == (types.int32, types.uint8)
    assert numba_private.argument_types(types.FunctionType(signature)) == (types.int32, types.uint8)
    assert numba_private.argument_types(types.int64) is None


# ------------------------------------------------------------------------------------------ functions chosen by class


class Choice:
    """A function that doubles Pairs."""

    __name__ = "choice"

    def implementation(self, cls):
        if cls is not Pair:
            raise TypeError(f"only for pairs, not for {cls}")
        return doubled


@numba.njit
def doubled(pair, factor):
    return pair.large * factor


choice = Choice()


@compiles
def test_a_registered_choice_is_called_from_compiled_code():
    numba_private.register_choice(choice)

    @numba.njit
    def call(pair):
        return choice(pair, np.uint64(2))

    assert call(Pair(1, 21)) == 42
    with pytest.raises(numba_private.TypingError, match="only for pairs, not for int64"):
        numba.njit(lambda number: choice(number, 2)).compile((types.int64,))


def sign(number):
    return (number > 0) - (number < 0)


@compiles
def test_types_choose_what_compiled_code_calls():
    @intrinsic
    def of_float(typing_context, number):
        return types.float64(types.float64), lambda context, builder, signature, arguments: arguments[0]

    of_integer = numba.njit(lambda number: number + 100)

    @numba_private.chosen_by_types(sign)
    def _(number):
        if isinstance(number, types.Integer):
            return of_integer
        return of_float if isinstance(number, types.Float) else None

    call = numba.njit(lambda number: sign(number))
    assert (call(5), call(2.5)) == (105, 2.5)
    with pytest.raises(numba_private.TypingError):
        call("text")


# ------------------------------------------------------------------------------------------ states


def test_tuple_type_has_the_class_and_the_types_of_its_fields():
    kind = numba_private.tuple_type([types.uint8, types.uint64], Pair)
    assert kind == Pair.numba
    assert list(kind) == [types.uint8, types.uint64]
    assert kind.fields == ("small", "large")


@compiles
def test_compiled_code_makes_tuples_of_a_registered_metaclass():
    @numba.njit
    def make(number):
        return Pair(number, 5), Pair(large=7, small=number)

    assert make(44) == (Pair(44), Pair(44, 7))
    assert numba.typeof(make(1)[0]) == Pair.numba
    with pytest.raises(numba_private.TypingError, match=r"Pair\(small=\.\.\.\): unicode_type is not uint8"):
        numba.njit(lambda text: Pair(text, 1)).compile((types.unicode_type,))
    with pytest.raises(numba_private.TypingError, match="Pair: compiled code must also give large"):
        numba.njit(lambda number: Pair(number)).compile((types.int64,))


# ------------------------------------------------------------------------------------------ arrays with names


class Row(types.Array):
    """Arrays of integers whose elements have names."""

    def __init__(self, *names):
        self.names = names
        super().__init__(types.int64, 1, "C", name=f"row{names}")

    @property
    def key(self):
        return self.names


register_model(Row)(models.ArrayModel)


@intrinsic(prefer_literal=True)
def as_row(typing_context, array, names):
    kind = Row(*names.literal_value.split())
    numba_private.register_named_elements(Row, kind.names)

    def generate(context, builder, signature, arguments):
        return numba_private.borrowed(context, builder, kind, arguments[0])

    return kind(array, names), generate


@compiles
def test_elements_of_arrays_have_names():
    """A name comes before an attribute that arrays have, and only in the types that have it."""

    @numba.njit
    def read(array):
        first, second = as_row(array, "width size"), as_row(array, "left width right")
        return first.width, first.size, second.width, second.right, second.size, second[0], len(first)

    assert read(np.array([5, 6, 7])) == (5, 6, 6, 7, 3, 5, 3)


class Spot(types.Type):
    """A number with attributes."""


register_model(Spot)(lambda manager, kind: models.StructModel(manager, kind, [("number", types.int64)]))
numba_private.register_attributes(Spot, lambda kind, name: types.int64 if name in ("half", "twice") else None)


@lower_getattr_generic(Spot)
def _(context, builder, kind, value, name):
    number = numba_private.parts_of(context, builder, kind, value).number
    by = context.get_constant(types.int64, 1)
    return builder.ashr(number, by) if name == "half" else builder.shl(number, by)


@intrinsic
def spot(typing_context, number):
    kind = Spot("spot")

    def generate(context, builder, signature, arguments):
        filled = numba_private.parts_of(context, builder, kind)
        filled.number = arguments[0]
        return numba_private.whole(filled)

    return kind(types.int64), generate


@compiles
def test_a_type_may_have_attributes_of_any_name():
    assert numba.njit(lambda number: (spot(number).half, spot(number).twice))(6) == (3, 12)
    with pytest.raises(numba_private.TypingError, match="third"):
        numba.njit(lambda number: spot(number).third)(6)


# ------------------------------------------------------------------------------------------ for code generators


@intrinsic
def on_the_stack(typing_context, number):
    """The number, by way of an array of three on the stack, of which it is the middle."""
    kind = types.Array(types.int64, 1, "C")

    def generate(context, builder, signature, arguments):
        word = ir.IntType(64)
        room = numba_private.stack_room(builder, ir.ArrayType(word, 3))
        array = numba_private.array_at(context, builder, kind, builder.bitcast(room, word.as_pointer()), 3)
        data = numba_private.first_element(context, builder, kind, array)
        copy = numba_private.stack_copy(builder, arguments[0])
        for place in range(3):
            builder.store(builder.load(copy), builder.gep(data, [ir.Constant(word, place)]))
        return array

    return kind(types.int64), generate


@compiles
def test_arrays_on_the_stack():
    @numba.njit
    def total(number):
        array = on_the_stack(number)
        return array[0], array.sum(), len(array), array.strides[0], array.itemsize

    assert total(7) == (7, 21, 3, 8, 8)


@intrinsic
def bits_set(typing_context, number):
    def generate(context, builder, signature, arguments):
        word = ir.IntType(64)
        kind = ir.FunctionType(word, [word])
        declared = numba_private.declared(builder.module, kind, "llvm.ctpop.i64")
        assert numba_private.declared(builder.module, kind, "llvm.ctpop.i64") is declared
        return builder.call(declared, arguments)

    return types.int64(types.int64), generate


@compiles
def test_a_function_is_declared_once():
    assert numba.njit(lambda number: bits_set(number))(255) == 8


@intrinsic
def same(typing_context, value):
    def generate(context, builder, signature, arguments):
        return numba_private.borrowed(context, builder, signature.return_type, arguments[0])

    return value(value), generate


@compiles
def test_a_borrowed_array_has_one_more_user():
    @numba.njit
    def first_of_all(number):
        total = 0
        for i in range(number):
            array = np.full(8, i)
            total += same(array)[0] + array[1]
        return total

    assert first_of_all(1000) == 999 * 1000


@compiles
def test_the_pointer_to_an_element_of_a_table():
    @intrinsic
    def second_word(typing_context, words, row):
        def generate(context, builder, signature, arguments):
            return builder.load(numba_private.word_at(context, builder, words, arguments[0], arguments[1], 1))

        return types.uint64(words, types.intp), generate

    take = numba.njit(lambda words, row: second_word(words, row))
    words = np.arange(6, dtype=np.uint64).reshape(2, 3)
    assert [take(words, 0), take(words, 1)] == [1, 4]


@compiles
def test_a_constant_without_contents():
    class Kind(types.Type):
        pass

    class Value:
        _numba_type_ = Kind("a constant")

    numba_private.register_constant(Kind)
    register_model(Kind)(models.OpaqueModel)
    overload_method(Kind, "seven")(lambda value: lambda value: 7)
    constant = Value()
    assert numba.njit(lambda: constant.seven())() == 7


class _Doubled(numba_private.SimpleIteratorType):
    """The type of a loop over twice each number of an array, from the last to the first."""

    def __init__(self):
        super().__init__("doubled", types.int64)


@register_model(_Doubled)
class _DoubledModel(models.StructModel):
    def __init__(self, manager, kind):
        members = [("numbers", types.int64[::1]), ("left", types.EphemeralPointer(types.int64))]
        super().__init__(manager, kind, members)


@intrinsic
def twice_each(typing_context, numbers):
    def generate(context, builder, signature, arguments):
        filled = numba_private.parts_of(context, builder, signature.return_type)
        filled.numbers = numba_private.used_once_more(context, builder, signature.args[0], arguments[0])
        filled.left = numba_private.stack_copy(builder, ir.Constant(ir.IntType(64), 3))
        return numba_private.whole(filled)

    return _Doubled()(numbers), generate


@numba_private.iternext
def _next_doubled(context, builder, signature, arguments, result):
    parts = numba_private.parts_of(context, builder, signature.args[0], arguments[0])
    left = builder.load(parts.left)
    result.set_valid(builder.icmp_signed(">", left, ir.Constant(left.type, 0)))
    before = builder.sub(left, ir.Constant(left.type, 1))
    builder.store(before, parts.left)
    data = numba_private.first_element(context, builder, types.int64[::1], parts.numbers)
    place = builder.select(
        builder.icmp_signed(">", before, ir.Constant(left.type, 0)), before, ir.Constant(left.type, 0)
    )
    result.yield_(builder.mul(builder.load(builder.gep(data, [place])), ir.Constant(left.type, 2)))


lower_builtin("iternext", _Doubled)(_next_doubled)


@compiles
def test_a_loop_over_a_structure_with_an_array():
    @numba.njit
    def told(number):
        total = 0
        for i in range(number):
            for value in twice_each(np.array([1, 20, 300])):
                total = (total * 7 + value + i) % 1_000_003
        return total

    total = 0
    for i in range(50):
        for value in (600, 40, 2):
            total = (total * 7 + value + i) % 1_000_003
    assert told(50) == total


# ------------------------------------------------------------------------------------------ code for other machines

TEXTS = """
from zermelo.core import numba_private
numba_private.keep_texts()
import numba, numpy as np
from numba import types

TABLE = np.arange(300_000)  # larger than what Numba writes into code of its own accord

@numba.njit
def inner(number):
    return number + TABLE[number]

function = numba_private.bare_njit(lambda number: inner(number) * 2)
function.compile((types.int64,))
name, texts = numba_private.texts_of(function, (types.int64,))
defined = [text for text in texts if any(line.startswith("define") and name in line for line in text.splitlines())]
assert len(defined) == 1, "the function itself"
assert "cpython" not in defined[0] and "cfunc" not in defined[0], "no code for Python or C"
assert any("define" in text and "inner" in text for text in texts), "what it calls"
assert "300000 x i64" in "".join(texts) or "2400000 x i8" in "".join(texts), "the whole array"
"""


@compiles
def test_texts_of_all_that_a_function_needs():
    done = subprocess.run([sys.executable, "-c", TEXTS], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr


@compiles
def test_array_of_several_dimensions_at_an_address():
    numbers = np.arange(12, dtype=np.int64).reshape(3, 4)
    kind = types.Array(types.int64, 2, "C")

    @intrinsic
    def view(typing_context, address):
        def generate(context, builder, signature, arguments):
            word = ir.IntType(64)
            pointer = builder.inttoptr(arguments[0], word.as_pointer())
            made = numba_private.array_of_shape(context, builder, kind, pointer, [word(3), 4])
            lengths = numba_private.array_lengths(context, builder, kind, made)
            second = builder.load(builder.gep(pointer, [lengths[1]]))  # the first element of the second row
            return context.make_tuple(builder, signature.return_type, [second, lengths[0], lengths[1]])

        return types.UniTuple(types.int64, 3)(types.int64), generate

    @intrinsic
    def element(typing_context, address):
        def generate(context, builder, signature, arguments):
            pointer = builder.inttoptr(arguments[0], ir.IntType(64).as_pointer())
            return numba_private.array_of_shape(context, builder, kind, pointer, [3, 4])

        return kind(types.int64), generate

    assert numba.njit(lambda address: view(address))(numbers.ctypes.data) == (4, 3, 4)
    assert numba.njit(lambda address: element(address)[2, 1])(numbers.ctypes.data) == 9


@compiles
def test_a_compiled_function_is_a_value_in_compiled_code():
    dispatcher = compiled_for_int64()
    if numba.__version__.startswith("0.60."):
        with pytest.raises(numba_private.TypingError, match="newer version of Numba"):
            numba_private.function_value(dispatcher, types.int64(types.int64))
        return
    value = numba_private.function_value(dispatcher, types.int64(types.int64))

    @numba.njit
    def call(number):
        function = value()
        return function(number) * 2

    assert call(20) == 42


@compiles
def test_structures_in_registers_are_what_they_are_on_the_stack():
    """Loops over a structure end; a structure changed in one of two branches has its value from the branch taken."""

    @numba.njit
    def sums(first, second):
        total = 0
        for a, b in zip(first, second):  # noqa: B905  (compiled code has no `strict`)
            total += a * b
        for place, (a, b) in enumerate(((1, 2), (3, 4))):
            total += place * a + b
        return total, first[1:].sum() + second[::-1][0], first.reshape(2, 2)[1, 0]

    first, second = np.arange(4), np.arange(4, 8)
    assert sums(first, second) == (int((first * second).sum()) + 6 + 3, 6 + 7, 2)
    assert sums.inspect_llvm(sums.signatures[0])  # LLVM accepts it


@compiles
def test_a_structure_has_room_where_it_was_made_and_changed_in_another_block():
    kind = types.Tuple((types.int32, types.int64))

    @intrinsic
    def changed(typing_context, chosen):
        def generate(context, builder, signature, arguments):
            pair = numba.core.cgutils.create_struct_proxy(kind)(context, builder)
            pair.f0, pair.f1 = context.get_constant(types.int32, 1), context.get_constant(types.int64, 2)
            with builder.if_then(arguments[0]):
                pair.f1 = context.get_constant(types.int64, 5)
                inner = numba.core.cgutils.create_struct_proxy(kind)(context, builder, value=pair._getvalue())
                assert inner._getpointer().type == inner._getvalue().type.as_pointer()
            return pair._getvalue()

        return kind(types.boolean), generate

    @numba.njit
    def both(count):
        return [changed(number % 2 == 0) for number in range(count)]

    assert both(3) == [(1, 5), (1, 2), (1, 5)]


@compiles
def test_a_structure_that_a_loop_changes_has_its_new_value_at_the_loops_head():
    """The head is generated before the body that changes what it reads."""
    kind = types.UniTuple(types.int64, 2)

    @intrinsic
    def counted(typing_context, most):
        def generate(context, builder, signature, arguments):
            pair = numba.core.cgutils.create_struct_proxy(kind)(context, builder)
            pair[0], pair[1] = context.get_constant(types.int64, 0), context.get_constant(types.int64, 7)
            head, body, end = (builder.append_basic_block(name) for name in ("head", "body", "end"))
            builder.branch(head)
            builder.position_at_end(head)
            builder.cbranch(builder.icmp_signed("<", pair[0], arguments[0]), body, end)
            builder.position_at_end(body)
            pair[0] = builder.add(pair[0], context.get_constant(types.int64, 1))
            builder.branch(head)
            builder.position_at_end(end)
            return pair._getvalue()

        return kind(types.int64), generate

    @numba.njit
    def count_to(most):
        return counted(most)

    assert count_to(5) == (5, 7)
    assert count_to(0) == (0, 7)


@compiles
def test_only_owned_memory_is_counted():
    """An array in a record belongs to nobody, and what an njit function makes is freed."""
    record = np.dtype([("numbers", np.int64, (3,))], align=True)

    @numba.njit
    def total(records):
        made = np.zeros(3, np.int64)
        for place in range(len(records)):
            made += records[place].numbers
        return made.sum()

    records = np.zeros(2, record)
    records["numbers"] = [[1, 2, 3], [4, 5, 6]]
    assert total(records) == 21
    _nrt_python.memsys_enable_stats()
    before = numba.core.runtime.rtsys.get_allocation_stats()
    assert total(records) == 21
    after = numba.core.runtime.rtsys.get_allocation_stats()
    assert after.alloc - before.alloc == after.free - before.free


@compiles
def test_live_variables_are_those_that_numba_itself_finds():
    """Ours are sets of bits, and asked for when they are needed."""

    def loops(first, last):
        total = 0
        while first < last:
            for number in range(first):
                if number % 3:
                    total += number
                    break
            else:
                last -= 1
            first += 1
        return total

    function_ir = run_frontend(loops)
    lifetime = function_ir.variable_lifetime
    graph, uses = lifetime.cfg, lifetime.usedefs
    original = analysis_module_without_ours()
    found = original.compute_live_map(graph, function_ir.blocks, uses.usemap, uses.defmap)
    assert found == lifetime.livemap and any(found.values())
    entered = original.compute_live_variables(graph, function_ir.blocks, uses.defmap, lifetime.deadmaps.combined)
    for place, block in function_ir.blocks.items():
        assert function_ir.get_block_entry_vars(block) == entered[place]


def analysis_module_without_ours():
    """Numba's module as it is in its file."""
    spec = importlib.util.find_spec("numba.core.analysis")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@compiles
def test_a_function_of_ours_is_compiled_once_for_all_constants(monkeypatch, tmp_path):
    """Except one whose types depend on the constant."""
    monkeypatch.setenv("ZERMELO_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr("zermelo.core.compiling.is_ours", lambda function: True)

    @njit
    def add(number, other):
        return number + other

    @njit
    def member(pair, place):
        return pair[place]

    @njit
    def both(number):
        pair = number, 0.5
        return add(number, 1) + add(number, 2) + add(number, number) + member(pair, 0) + member(pair, 1)

    assert both(3) == 4 + 5 + 6 + 3.5
    assert len(add.inner.overloads) == 1 and len(member.inner.overloads) == 2


@compiles
def test_a_function_made_from_its_addresses_is_called_and_its_errors_are_raised():
    signature = types.int64(types.int64)

    @numba.njit(signature)
    def inverse(number):
        if number == 0:
            raise ValueError("no inverse")
        return 100 // number

    @intrinsic
    def function_at(typing_context, address, own_address):
        kind = types.FunctionType(signature)

        def generate(context, builder, signature, arguments):
            return numba_private.function_from(context, builder, kind, *arguments)

        return kind(address, own_address), generate

    @numba.njit
    def call(addresses, number):
        return function_at(addresses[0], addresses[1])(number)

    addresses = np.array(numba_private.addresses_of(inverse, signature), np.uint64)
    assert addresses[0] and call(addresses, 4) == 25
    if addresses[1]:  # older versions of Numba lose the errors of functions that are values
        with pytest.raises(ValueError, match="no inverse"):
            call(addresses, 0)
