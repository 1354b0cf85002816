"""Numba's private parts: the only module of the package that touches them.

Numba promises to keep `numba`, `numba.types` and `numba.extending`, which any module may use. Everything else may
change with each release. The package needs some of it, for a code cache of its own, for functions that are chosen by
the class of their first argument, for states that compiled code can make, and for arrays on the stack. Each need is
one small function here, and tests/core/test_numba_private.py has a test for each of them. So a release of Numba that
changes something fails there, in a test whose name says what has changed. (The context and the builder that a code
generator under `@intrinsic` receives are Numba's extension interface; they are used where the generators stand.)
"""

import functools
import inspect
import itertools
from collections.abc import Iterable
from typing import Any

from numba import types
from numba.core import cgutils
from numba.core.bytecode import FunctionIdentity
from numba.core.compiler import CompileResult
from numba.core.errors import NumbaError, RequireLiteralValue, TypingError
from numba.core.imputils import RefType, impl_ret_borrowed, iternext_impl, lower_constant
from numba.core.serialize import dumps
from numba.core.typing.templates import (
    AbstractTemplate,
    AttributeTemplate,
    builtin_registry,
    infer_getattr,
    infer_global,
    make_callable_template,
)
from numba.extending import lower_getattr, models, register_model, typeof_impl
from numba.np.arrayobj import make_array, populate_array

__all__ = ["NumbaError", "RequireLiteralValue", "TypingError"]

SimpleIteratorType: Any = types.SimpleIteratorType  # type: ignore[attr-defined]
"""The base of the types of loops; (type checkers do not find it)."""

# ------------------------------------------------------------------------------------------ dispatchers


def dispatcher_type(dispatcher: Any) -> Any:
    """The Numba type of an njit function, by which other compiled code may call it."""
    return types.Dispatcher(dispatcher)


def options_of(dispatcher: Any) -> dict[str, Any]:
    """The options that an njit function is compiled with."""
    return dict(dispatcher.targetoptions)


def return_type(dispatcher: Any, arguments: tuple[Any, ...]) -> Any:
    """The Numba type that an njit function returns for arguments of these types, for which it has been compiled."""
    return dispatcher.overloads[arguments].signature.return_type


def freeze(dispatcher: Any) -> None:
    """Let an njit function keep the versions that it has, and never compile another one."""
    dispatcher.disable_compile()


class _KnownResult:
    """A compilation result that knows the addresses of its code (see `remember_addresses`)."""

    def __init__(self, result: Any):
        self.fndesc = result.fndesc
        self.library = self
        self._library = result.library
        self._addresses: dict[str, int] = {}

    def get_pointer_to_function(self, name: str) -> int:
        if name not in self._addresses:
            self._addresses[name] = self._library.get_pointer_to_function(name)
        return self._addresses[name]


def remember_addresses(dispatcher: Any, signature: Any) -> None:
    """Let a function that has been compiled for this signature alone remember the addresses of its code.

    Numba looks them up whenever the function is handed to compiled code: without this, half of the time that Python
    needs to begin a search (0.13 ms per heuristic).
    """
    known = _KnownResult(dispatcher.get_compile_result(signature))
    dispatcher.get_compile_result = lambda signature: known


def error_line(error: Exception, file: str) -> int | None:
    """The line of this file at which Numba says that compiling failed, if it says so."""
    location = getattr(error, "loc", None)
    if location is None or location.filename != file:
        return None
    return location.line or None


# ------------------------------------------------------------------------------------------ the code cache


def use_cache(dispatcher: Any, cache: Any) -> None:
    """Let an njit function ask this cache before it compiles, and hand over what it has compiled.

    Numba calls `cache.load_overload(signature, target context)` and `cache.save_overload(signature, result)`.
    """
    dispatcher._cache = cache


def cached_result(dispatcher: Any, cache: Any, signature: Any) -> Any:
    """What the cache holds of a function for this signature; None if it must be compiled."""
    return cache.load_overload(signature, dispatcher.targetctx)


def adopt(dispatcher: Any, result: Any) -> None:
    """Give an njit function a result from the cache as one of its versions, without inferring any types."""
    dispatcher.targetctx.insert_user_function(result.entry_point, result.fndesc, [result.library])
    dispatcher.add_overload(result)


def saved_form(result: Any) -> tuple[Any, ...]:
    """A compilation result as a tuple that `pickled` can write."""
    return tuple(result._reduce())


def restored(target_context: Any, saved: tuple[Any, ...]) -> Any:
    """A compilation result from its saved form, ready to run."""
    return CompileResult._rebuild(target_context, *saved)


def pickled(value: Any) -> bytes:
    """A saved form as bytes, for pickle.loads. (Pickle alone cannot write functions that stand in functions.)"""
    return bytes(dumps(value))


def prepare(target_context: Any) -> None:
    """Let a target know all that has been registered for it so far; needed before a result is restored."""
    target_context.refresh()


def machine_of(target_context: Any) -> tuple[Any, ...]:
    """What compiled code depends on besides its source: the processor, its features and LLVM's options."""
    return tuple(target_context.codegen().magic_tuple())


def machine_of_result(result: Any) -> tuple[Any, ...]:
    """The machine that a result was compiled for, in the form of `machine_of`."""
    return tuple(result.codegen.magic_tuple())


def is_self_contained(result: Any) -> bool:
    """Can another process use this code? Not if it holds addresses, or calls a function that is still being compiled.

    The latter is one half of a mutual recursion.
    """
    module = result.library._final_module
    named = [*module.functions, *module.global_variables]
    unresolved = any(thing.name.startswith(".numba.unresolved$") for thing in named)
    liftable = all(lifted.can_cache for lifted in result.lifted)
    return not unresolved and liftable and not result.library.has_dynamic_globals


def number_functions_from(start: int) -> None:
    """Let the numbers begin here that Numba gives to functions, and that are part of the names of their code."""
    FunctionIdentity._unique_ids = itertools.count(start)


# ------------------------------------------------------------------------------------------ what code is made from

FUNCTION_ATTRIBUTES = ("py_func", "_pyfunc", "_defn")
"""Under these names a dispatcher, a C callback and an intrinsic keep the Python function that they were made from."""


def registered_templates() -> tuple[list[Any], list[Any]]:
    """The templates of all functions, and of all attributes and methods, that were registered. Both lists only grow."""
    return builtin_registry.functions, builtin_registry.attributes


def overloading_function(template: Any) -> Any:
    """The Python function that was registered with @overload or one of its relatives; None for other templates."""
    return getattr(template, "_overload_func", None)


def overloaded(template: Any) -> Any:
    """What a template stands for: the function that is overloaded, or the type that has the attribute."""
    return template.key


def overload_options(template: Any) -> tuple[str, str, Any]:
    """The name of the attribute, whether the overload is inlined, and its compiler options."""
    attribute, inlined = getattr(template, "_attr", ""), getattr(template, "_inline", "")
    return str(attribute), str(inlined), getattr(template, "_jit_options", None)


def jitclass_parts(cls: Any) -> tuple[Any, ...] | None:
    """The fields, methods, properties and static methods of a class made by numba.experimental.jitclass; else None."""
    if not isinstance(getattr(cls, "class_type", None), types.Type):
        return None
    kind: Any = cls.class_type
    return str(kind.struct), dict(kind.jit_methods), dict(kind.jit_props), dict(kind.jit_static_methods)


def tuple_class(kind: Any) -> Any:
    """The Python class of the values of a Numba type that is a named tuple or a class of them; None for other types."""
    return getattr(kind, "instance_class", None)


def argument_types(kind: Any) -> tuple[Any, ...] | None:
    """The argument types of a signature, or of the type of functions with one signature; None for anything else."""
    if isinstance(kind, types.FunctionType):
        return tuple(kind.signature.args)
    if hasattr(kind, "args") and not isinstance(kind, types.Type):
        return tuple(kind.args)
    return None


# ------------------------------------------------------------------------------------------ functions chosen by class


class _ChosenByClass(AbstractTemplate):
    """In compiled code such a function *is* the implementation for the class of its first argument."""

    key: Any
    compiled: dict[Any, Any]

    def generic(self, arguments: Any, named: Any) -> Any:
        if hasattr(arguments[0], "state_class"):  # a board (see zermelo.boards) is cast to the state in it
            arguments = (arguments[0].state_class.numba, *arguments[1:])
        cls = tuple_class(arguments[0]) or arguments[0]
        try:
            dispatcher: Any = types.Dispatcher(self.key.implementation(cls))
        except TypeError as error:
            raise TypingError(str(error)) from None
        signature = dispatcher.get_call_type(self.context, arguments, named)
        self.compiled[signature.args] = dispatcher.get_overload(signature)
        return signature

    def get_impl_key(self, signature: Any) -> Any:
        return self.compiled[signature.args]


def register_choice(value: Any) -> None:
    """Let compiled code call an object: it calls the njit function `implementation(class of the first argument)` of it.

    That method may raise TypeError, which becomes a typing error of the code that made the call.
    """
    template = type(f"{value.__name__}_template", (_ChosenByClass,), {"key": value, "compiled": {}})
    infer_global(value, types.Function(template))


# ------------------------------------------------------------------------------------------ states

WORLDS = "zermelo_file_"
"""Begins the names of modules that are users' files (see worlds.py)."""


def tuple_type(fields: Iterable[Any], cls: type) -> Any:
    """The Numba type of a class of named tuples whose fields have these types.

    Numba tells types of functions apart by the names of their arguments' types alone. Users' files may have classes of
    the same name, and a file that was edited and loaded again has, so the name of such a type says where it is from.
    """
    made = types.BaseTuple.from_types(tuple(fields), cls)
    if cls.__module__.startswith(WORLDS) and WORLDS not in made.name:
        made.name = f"{made.name} of {cls.__module__}"
    return made


class _ClassOfTuples(types.NamedTupleClass):
    """The Numba type of a class of named tuples that knows the types of its fields; calling it makes a tuple."""

    def get_impl_key(self, signature: Any) -> Any:
        return types.NamedTupleClass  # whose code casts each argument to the type of the field


register_model(_ClassOfTuples)(models.OpaqueModel)


@infer_getattr
class _ClassOfTuplesAttribute(AttributeTemplate):
    key = _ClassOfTuples

    def resolve___call__(self, class_type: Any) -> Any:
        cls = class_type.instance_class
        python_signature = inspect.signature(cls)

        def typer(*arguments: Any, **named: Any) -> Any:
            given = python_signature.bind(*arguments, **named).arguments
            for field, declared in zip(cls._fields, cls.numba, strict=True):
                if field not in given:  # Numba's code for tuples knows no defaults
                    raise TypingError(f"{cls.__name__}: compiled code must also give {field}, in spite of its default")
                if getattr(given[field], "bits", None) == declared:  # a set of cells (see zermelo.boards)
                    continue
                if not self.context.can_convert(given[field], declared):
                    raise TypingError(f"{cls.__name__}({field}=...): {given[field]} is not {declared}")
            return cls.numba

        typer.pysig = python_signature  # type: ignore[attr-defined]
        return types.Function(make_callable_template(types.NamedTupleClass, typer))


def register_constant(kind: type) -> None:
    """Let compiled code name values of a Numba type that has no contents at run time (the model is OpaqueModel)."""
    lower_constant(kind)(lambda context, builder, kind, value: context.get_dummy_value())


def register_metaclass(metaclass: type) -> None:
    """Let compiled code make tuples of the classes of this metaclass, by calling the class.

    Each class has a property `numba`, its `tuple_type`: arguments are cast to the types that it declares.
    """
    typeof_impl.register(metaclass)(lambda cls, context: _ClassOfTuples(cls))


# ------------------------------------------------------------------------------------------ arrays with names

_named_elements: set[tuple[type, str]] = set()


def register_named_elements(array_type: Any, names: Iterable[str]) -> None:
    """Let the arrays of a class of array types have attributes: `names` of the type names its elements in order.

    The names of all types of the class must be registered before code is compiled that uses them.
    """
    if (array_type, "") not in _named_elements:
        _named_elements.add((array_type, ""))
        infer_getattr(type(f"{array_type.__name__}Attribute", (_NamedElement,), {"key": array_type}))
    for name in names:
        if (array_type, name) not in _named_elements:
            _named_elements.add((array_type, name))
            lower_getattr(array_type, name)(functools.partial(_load_named, name))


class _NamedElement(AttributeTemplate):
    def generic_resolve(self, kind: Any, name: str) -> Any:  # type: ignore[override]
        return kind.dtype if name in kind.names else None


def _load_named(name: str, context: Any, builder: Any, kind: Any, array: Any) -> Any:
    if name not in kind.names:  # another type has an element called `size`, say; here it is the array's own attribute
        plain = kind.copy()
        return context.get_getattr(plain, name)(context, builder, plain, array, name)
    first = first_element(context, builder, kind, array)
    return builder.load(builder.gep(first, [context.get_constant(types.intp, kind.names.index(name))]))


# ------------------------------------------------------------------------------------------ attributes


def register_attributes(kind: type, resolve: Any) -> None:
    """Let values of the types of this class have attributes: `resolve(type, name)` is the Numba type of one, or None.

    How they are read and written is registered with numba.extending.lower_getattr_generic and lower_setattr_generic.
    """

    class Attributes(AttributeTemplate):
        key = kind

        def generic_resolve(self, value: Any, name: str) -> Any:  # type: ignore[override]
            return resolve(value, name)

    infer_getattr(Attributes)


# ------------------------------------------------------------------------------------------ for code generators


def stack_room(builder: Any, kind: Any) -> Any:
    """A pointer to room for a value of this LLVM type on the stack of the function that is being generated.

    It is taken once, at the function's entry, even if the code that asks for it stands in a loop. It has arbitrary
    contents: Numba's own `alloca_once` would fill it with zeros at every call.
    """
    with builder.goto_entry_block():
        return builder.alloca(kind)


def stack_copy(builder: Any, value: Any) -> Any:
    """A pointer to a copy of a value on the stack of the function that is being generated."""
    return cgutils.alloca_once_value(builder, value)


def declared(module: Any, kind: Any, name: str) -> Any:
    """The LLVM function of this name and type, declared in a module unless it has been already."""
    return cgutils.get_or_insert_function(module, kind, name)


def array_at(context: Any, builder: Any, kind: Any, pointer: Any, length: int) -> Any:
    """A one-dimensional array of this Numba type over memory that the array does not own."""
    array = make_array(kind)(context, builder)
    size = context.get_abi_sizeof(context.get_data_type(kind.dtype))
    shape, stride = (context.get_constant(types.intp, number) for number in (length, size))
    populate_array(array, data=pointer, shape=[shape], strides=[stride], itemsize=stride, meminfo=None)
    return array._getvalue()


def first_element(context: Any, builder: Any, kind: Any, array: Any) -> Any:
    """A pointer to the first element of an array of this Numba type."""
    return make_array(kind)(context, builder, array).data


def word_at(context: Any, builder: Any, kind: Any, array: Any, row: Any, column: int) -> Any:
    """The pointer to an element of a two-dimensional array."""
    whole = make_array(kind)(context, builder, array)
    width = builder.extract_value(whole.shape, 1)
    return builder.gep(whole.data, [builder.add(builder.mul(row, width), context.get_constant(types.intp, column))])


def borrowed(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """A value of this Numba type that somebody else owns, as the result of a function: its arrays get one more user."""
    return impl_ret_borrowed(context, builder, kind, value)


def parts_of(context: Any, builder: Any, kind: Any, value: Any = None) -> Any:
    """The parts of a value of a Numba type with a StructModel, as attributes; without a value, to be filled in."""
    return cgutils.create_struct_proxy(kind)(context, builder, value=value)


def whole(parts: Any) -> Any:
    """The value with these parts."""
    return parts._getvalue()


def used_once_more(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """A value that becomes a part of another one: its arrays get one more user."""
    if context.enable_nrt:
        context.nrt.incref(builder, kind, value)
    return value


iternext = iternext_impl(RefType.BORROWED)
"""Decorator of the code that takes the next step of a loop; what the loop gets belongs to what is looped over."""

iternext_new = iternext_impl(RefType.NEW)
"""The same, where each step makes what the loop gets."""
