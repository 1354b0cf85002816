"""Numba's private parts: the only module of the package that touches them, and therefore a long one.

Numba promises to keep `numba`, `numba.types` and `numba.extending`, which any module may use. Everything else may
change with each release. The package needs some of it, for a code cache of its own, for functions that are chosen by
the class of their first argument, for states that compiled code can make, and for arrays on the stack. Each need is
one small function here, and tests/core/test_numba_private.py has a test for each of them. So a release of Numba that
changes something fails there, in a test whose name says what has changed. (The context and the builder that a code
generator under `@intrinsic` receives are Numba's extension interface; they are used where the generators stand.)
"""

import functools
import gc
import importlib.util
import inspect
import itertools
import sys
import threading
from collections.abc import Callable, Iterable
from typing import Any
from weakref import WeakKeyDictionary

from llvmlite import ir as llvm
from llvmlite.binding import ffi, parse_bitcode
from llvmlite.ir.instructions import InsertValue
from numba import njit, types
from numba.core import analysis, cgutils, event, ir, transforms
from numba.core.base import BaseContext
from numba.core.bytecode import FunctionIdentity
from numba.core.codegen import CPUCodegen, CPUCodeLibrary
from numba.core.compiler import Compiler, CompileResult
from numba.core.compiler_lock import global_compiler_lock
from numba.core.cpu import CPUContext
from numba.core.datamodel.registry import default_manager
from numba.core.dispatcher import Dispatcher as CPUDispatcher
from numba.core.environment import lookup_environment
from numba.core.errors import NumbaError, RequireLiteralValue, TypingError
from numba.core.imputils import RefType, impl_ret_borrowed, iternext_impl, lower_constant
from numba.core.postproc import PostProcessor, VariableLifetime
from numba.core.runtime.context import NRTContext
from numba.core.serialize import dumps
from numba.core.sigutils import normalize_signature
from numba.core.targetconfig import ConfigStack, TargetConfig
from numba.core.types.functions import BaseFunction
from numba.core.typing.context import Context as TypingContext
from numba.core.typing.templates import (
    AbstractTemplate,
    AttributeTemplate,
    builtin_registry,
    infer,
    infer_getattr,
    infer_global,
    make_callable_template,
)
from numba.experimental import function_type
from numba.extending import intrinsic, lower_getattr, models, register_model, typeof_impl
from numba.np import arrayobj
from numba.np.arrayobj import make_array, populate_array

__all__ = ["NumbaError", "RequireLiteralValue", "TypingError"]

SimpleIteratorType: Any = types.SimpleIteratorType  # type: ignore[attr-defined]
"""The base of the types of loops; (type checkers do not find it)."""

# ------------------------------------------------------------------------------------------ dispatchers


def dispatcher_type(dispatcher: Any) -> Any:
    """The Numba type of an njit function, by which other compiled code may call it (see `divide`)."""
    return types.Dispatcher(getattr(dispatcher, "inner", dispatcher))


def options_of(dispatcher: Any) -> dict[str, Any]:
    """The options that an njit function is compiled with."""
    return dict(dispatcher.targetoptions)


def return_type(dispatcher: Any, arguments: tuple[Any, ...]) -> Any:
    """The Numba type that an njit function returns for arguments of these types, for which it has been compiled."""
    return dispatcher.overloads[arguments].signature.return_type


def compiled_return_type(dispatcher: Any, arguments: tuple[Any, ...]) -> Any:
    """The same, after compiling it for other compiled code alone: if it has an inner version (see `divide`), only that.

    What Python calls would be optimised and translated with all that it takes over, and again within its caller.
    """
    inner = getattr(dispatcher, "inner", dispatcher)
    inner.compile(arguments)
    return return_type(inner, arguments)


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


def addresses_of(function: Any, signature: Any) -> tuple[int, int]:
    """The addresses by which compiled code calls a compiled function: for C, and for Numba's own code (0: none)."""
    signature = types.FunctionType(signature).signature
    own = getattr(function_type, "_get_jit_address", None)
    return function_type._get_wrapper_address(function, signature), own(function, signature) if own else 0


def function_from(context: Any, builder: Any, kind: Any, address: Any, own_address: Any) -> Any:
    """The value of a type of functions with these addresses (see `addresses_of`), for code generators.

    If Python hands a function to compiled code, Numba asks Python for both addresses, each time.
    """
    parts, names = cgutils.create_struct_proxy(kind)(context, builder), default_manager.lookup(kind)._fields
    known = {"c_addr": address, "jit_addr": own_address, "addr": address}  # `addr` is the only one in older versions
    for name in known.keys() & set(names):
        setattr(parts, name, builder.inttoptr(known[name], getattr(parts, name).type))
    return parts._getvalue()


def error_line(error: Exception, file: str) -> int | None:
    """The line of this file at which Numba says that compiling failed, if it says so."""
    location = getattr(error, "loc", None)
    if location is None or location.filename != file:
        return None
    return location.line or None


# ------------------------------------------------------------------------------------------ inner versions

_INNER = "zermelo.inner"  # begins the saved form of an inner version
_UNRESOLVED = ".numba.unresolved$"  # begins the name of a pointer to a function that is still being compiled


class _InnerCompiler(Compiler):
    """Numba's compiler, without what only Python needs of a function.

    Most functions are called by compiled code alone. Numba makes two wrappers for each of them, optimises each together
    with all that it calls, and translates each for the processor. But a caller takes over the code of what it calls,
    and all of that is done again for it. So an inner version stops before these steps, which are then done once, for
    the function that Python calls.
    """

    def define_pipelines(self) -> Any:
        self.state.flags.no_cpython_wrapper = self.state.flags.no_cfunc_wrapper = self.state.flags.no_compile = True
        self.state.library = _inner_library(self.state.targetctx, self.state.func_id.func_qualname)
        return super().define_pipelines()


def _inner_library(target_context: Any, name: str) -> Any:
    library = target_context.codegen().create_library(name)
    library.enable_object_caching()
    library.finalize = functools.partial(_finish_inner, library)
    return library


def _finish_inner(library: Any) -> None:
    for other in dict.fromkeys(library._linking_libraries):
        getattr(library, "_reload_init", set()).update(getattr(other, "_reload_init", ()))  # (not in Numba 0.60)
        library._final_module.link_in(other._get_module_for_linking(), preserve=True)
    library._finalize_dynamic_globals()
    library._finalized = True


def _translate(result: Any) -> None:
    """Translate an inner version after all: another one calls it through a pointer, instead of taking it over."""
    if not result.library.codegen._engine.is_symbol_defined(result.fndesc.llvm_func_name):
        result.library._optimize_final_module()
        result.library._finalize_final_module()
        _set_environments(result)


def _is_inner(result: Any) -> bool:
    return result.entry_point is None or isinstance(result.entry_point, _InnerEntry)


class _InnerEntry:
    """The place of an entry point, by which Numba finds the code of an inner version. Python cannot call it."""


def divide(dispatcher: Any, inner: Any, cache: Any) -> None:
    """Let compiled code call the njit function `inner`, made from the same function, in place of this dispatcher.

    What Python calls is then only the wrapper that turns Python's values into those of compiled code. (A function is
    compiled once in this way, whoever calls it, and functions that call each other are all inner.)
    """
    inner._compiler.pipeline_class = _InnerCompiler
    inner.compile = functools.partial(_compile_inner, inner)
    use_cache(inner, cache)
    dispatcher.inner = inner
    dispatcher._compiler.compile = functools.partial(_wrap_inner, inner, dispatcher.targetoptions.get("nogil", False))
    dispatcher.add_overload = functools.partial(_add_with_environments, dispatcher.add_overload)


def _wrap_inner(inner: Any, nogil: bool, arguments: Any, return_type: Any) -> Any:
    """The compilation result for Python of a function whose inner version is compiled."""
    inner.compile(tuple(arguments))
    result = inner.overloads[tuple(arguments)]
    context, fndesc = inner.targetctx.subtarget(enable_nrt=True), result.fndesc
    library = context.codegen().create_library(fndesc.mangled_name)
    library.enable_object_caching()
    library.add_linking_library(result.library)
    with context.push_code_library(library):
        context.create_cpython_wrapper(library, fndesc, result.environment, None, release_gil=nogil)
        context.create_cfunc_wrapper(library, fndesc, result.environment, None)
    entry_point = context.get_executable(library, fndesc, result.environment)
    return result._replace(library=library, entry_point=entry_point, metadata={})


@typeof_impl.register(CPUDispatcher)
def _type_in_compiled_code(dispatcher: Any, context: Any) -> Any:
    return dispatcher_type(dispatcher)


def _compile_inner(inner: Any, signature: Any) -> None:
    arguments, return_type = normalize_signature(signature)
    with global_compiler_lock:
        is_recursive = bool(inner._compiling_counter)
        result = inner.overloads.get(tuple(arguments))
        if result is None:
            with inner._compiling_counter:
                result = inner._cache.load_overload(signature, inner.targetctx)
                is_new = result is None
                if is_new:
                    details = {"dispatcher": inner, "args": arguments, "return_type": return_type}
                    with event.trigger_event("numba:compile", data=details):
                        result = inner._compiler.compile(arguments, return_type)
                    result.library._ensure_finalized()
            result = result._replace(entry_point=_InnerEntry())
            inner.targetctx.insert_user_function(result.entry_point, result.fndesc, [result.library])
            inner.overloads[tuple(result.signature.args)] = result
            if is_new:
                inner._cache.save_overload(signature, result)
        if is_recursive or _has_unresolved(result.library):
            _translate(result)


def _has_unresolved(library: Any) -> bool:
    return any(variable.name.startswith(_UNRESOLVED) for variable in library._final_module.global_variables)


def _add_with_environments(add: Any, result: Any) -> None:
    if result.metadata is not None:  # else it is from a cache, and Numba has done so
        _set_environments(result)
    add(result)


def _set_environments(result: Any) -> None:
    """Let code that has just been translated find the environments (Numba's word) of all that it took over."""
    for variable in result.library._final_module.global_variables:
        environment = lookup_environment(variable.name)
        if environment is not None:
            result.library.codegen.set_env(variable.name, environment)


def _restored_inner(target_context: Any, saved: tuple[Any, ...]) -> Any:
    name, code, *others = saved
    library = _inner_library(target_context, name)
    library._final_module = parse_bitcode(code)
    library._finalize_dynamic_globals()
    library._finalized = True
    fields: dict[str, Any] = dict.fromkeys(CompileResult._fields)
    fields |= zip(_SAVED_INNER, others, strict=True)
    fields |= {"target_context": target_context, "typing_context": target_context.typing_context, "library": library}
    return CompileResult(*fields.values())


_SAVED_INNER = ("fndesc", "environment", "signature", "objectmode", "lifted", "reload_init", "referenced_envs")


# ------------------------------------------------------------------------------------------ less work while compiling


class _WhileCompiling(event.Listener):
    """Switches Python's garbage collector off while something is compiled, and calls `at_end` afterwards.

    Compiling makes millions of small objects and few cycles, and the collector looks at all of them again and again: a
    tenth of the processor time.
    """

    def __init__(self, at_end: Callable[[], None]) -> None:
        self._at_end = at_end
        self._lock = threading.Lock()
        self._depth = 0
        self._was_on = False

    def on_start(self, event: Any) -> None:
        with self._lock:
            if not self._depth:
                self._was_on = gc.isenabled()
                gc.disable()
            self._depth += 1

    def on_end(self, event: Any) -> None:
        with self._lock:
            self._depth -= 1
            if self._depth:
                return
            self._at_end()
            if self._was_on:
                gc.enable()


def compile_quickly(at_end: Callable[[], None] = lambda: None) -> None:
    """Save a seventh of the processor time that compiling takes. Call it once.

    `at_end` is called when nothing is being compiled any more, whether it was compiled or failed.

    The flags of a compilation are keys of dictionaries, and Numba compares them by building two whole dictionaries of
    forty options each. Those whose set options are the same are equal, without that.
    """
    event.register("numba:compiler_lock", _WhileCompiling(at_end))
    compare = TargetConfig.__eq__

    def is_equal(flags: Any, other: Any) -> Any:
        if type(flags) is type(other) and flags._values == other._values:
            return True
        return compare(flags, other)

    TargetConfig.__eq__ = is_equal  # type: ignore[method-assign]
    TargetConfig.__hash__ = lambda flags: hash(type(flags))  # type: ignore[method-assign]  # Numba's is as coarse
    _remember_resolved_calls()
    _tell_nobody_of_llvm()
    _list_variables_quickly()
    _refresh_if_needed(CPUContext)
    _refresh_if_needed(TypingContext)
    _load_registries_without_scipy()
    _find_live_variables_when_needed()
    _find_live_variables_quickly()
    _optimise_what_is_defined()
    _remember_sizes()
    _keep_structures_in_registers()


MOST_REMEMBERED = 20_000

_resolved: dict[Any, tuple[Any, Any]] = {}


def _remember_resolved_calls() -> None:
    """Let Numba resolve a call of a built-in function once for the same types of arguments and the same options.

    It goes through the constraints of a function until no type changes any more, and resolves each call anew every
    time: it tries template after template, and most of them fail by exceptions. Nine calls in ten are known already.
    """
    resolve: Any = BaseFunction.get_call_type

    def get_call_type(function: Any, context: Any, arguments: Any, named: Any) -> Any:
        if named:
            return resolve(function, context, arguments, named)
        key = function, context, tuple(arguments), _options_now()
        known = _resolved.get(key)
        if known is None:
            signature = resolve(function, context, arguments, named)
            if len(_resolved) >= MOST_REMEMBERED:
                _resolved.clear()
            known = _resolved[key] = signature, function._impl_keys[signature.args]
        signature, implementation = known
        function._impl_keys[signature.args] = implementation
        return signature

    BaseFunction.get_call_type = get_call_type  # type: ignore[method-assign, assignment]
    resolve_compiled = types.Dispatcher.get_call_type

    def get_compiled_call_type(kind: Any, context: Any, arguments: Any, named: Any) -> Any:
        dispatcher = kind.dispatcher
        plain = tuple(map(types.unliteral, arguments))
        if plain != tuple(arguments) and _may_be_given_numbers(dispatcher):
            try:
                return get_compiled_call_type(kind, context, plain, named)
            except TypingError:
                dispatcher.needs_literals = True
        if named or dispatcher.is_compiling:  # it may call itself: its signature is not known yet
            return resolve_compiled(kind, context, arguments, named)
        known = dispatcher.__dict__.setdefault("_resolved", {})
        signature = known.get(tuple(arguments))
        if signature is None:
            signature = known[tuple(arguments)] = resolve_compiled(kind, context, arguments, named)
        return signature

    types.Dispatcher.get_call_type = get_compiled_call_type  # type: ignore[method-assign, assignment]


def _may_be_given_numbers(dispatcher: Any) -> bool:
    """Is it enough to compile this function for any number, where a call gives it a constant?

    Numba compiles it anew for each constant. Functions of ours are taken over by their callers, where LLVM sees the
    constant anyway; so that is done only for those that Numba cannot type otherwise (they choose a type by it, say).
    """
    return dispatcher._compiler.pipeline_class is _InnerCompiler and not getattr(dispatcher, "needs_literals", False)


_last_options: tuple[Any, str] = None, ""


def _options_now() -> str:
    """The options of the function that is being compiled, as a text; overloads inherit some of them."""
    global _last_options
    flags = ConfigStack.top_or_none()
    if _last_options[0] is not flags:
        _last_options = flags, repr(sorted(flags._values.items())) if flags is not None else ""
    return _last_options[1]


def _tell_nobody_of_llvm() -> None:
    """Do without Numba's events at each call of LLVM (a hundred thousand for a game), to which nobody listens."""
    for callbacks in list(ffi.lib._lock._cblist):
        ffi.unregister_lock_callback(*callbacks)


_LEAVES = {ir.Loc, ir.Scope, ir.Const, ir.Global, ir.FreeVar, ir.Arg, str, int, bool, float, type(None), type(len)}
"""The types of those parts of an instruction that are not variables and have no parts."""


def _list_variables_quickly() -> None:
    """Let Numba list the variables of an instruction in one loop, which it does a dozen times for each instruction."""

    def collect(parts: Any, found: list[Any]) -> None:
        for part in parts:
            kind = type(part)
            if kind is ir.Var:
                found.append(part)
            elif kind in _LEAVES:
                continue
            elif isinstance(part, ir.Inst):
                found += part.list_vars()
            elif isinstance(part, (list, tuple)):
                collect(part, found)
            elif isinstance(part, dict):
                collect(part.values(), found)

    def listed(instruction: Any, value: Any) -> list[Any]:
        found: list[Any] = []
        collect([value], found)
        return found

    ir.Inst._rec_list_vars = listed  # type: ignore[method-assign]


def _refresh_if_needed(kind: Any) -> None:
    """Let a context look for new registrations only if there are any. Numba does so before each function."""
    refresh = kind.refresh
    seen: WeakKeyDictionary[Any, int] = WeakKeyDictionary()

    def number_of(context: Any) -> int:
        registries = [*context._registries, *getattr(getattr(context, "typing_context", None), "_registries", ())]
        parts = (part for registry in registries for part in vars(registry).values())
        return sum(len(part) for part in parts if isinstance(part, list))

    def refresh_if_needed(context: Any) -> None:
        if seen.get(context) != number_of(context):
            refresh(context)
            seen[context] = number_of(context)

    kind.refresh = refresh_if_needed


def _load_registries_without_scipy() -> None:
    """Let Numba load its own code without importing SciPy, a tenth of a second, only to see whether it is there."""
    load = CPUContext.load_additional_registries

    def load_without_scipy(context: Any) -> None:
        CPUContext.load_additional_registries = load  # type: ignore[method-assign]
        linalg: Any = importlib.import_module("numba.np.linalg")
        ensure_blas = linalg.ensure_blas
        linalg.ensure_blas = _look_for_scipy
        try:
            importlib.import_module("numba.np.arraymath").ensure_blas = ensure_blas  # type: ignore[attr-defined]
        finally:
            linalg.ensure_blas = ensure_blas
        load(context)

    CPUContext.load_additional_registries = load_without_scipy  # type: ignore[method-assign]


def _look_for_scipy() -> None:
    if importlib.util.find_spec("scipy") is None:
        raise ImportError("SciPy is needed for linear algebra")


def _find_live_variables_when_needed() -> None:
    """Let Numba find out which variables are alive where when it needs to know: once per function, not ten times.

    (Only generators and code that runs as Python need to know it in between.)
    """
    original = PostProcessor.run

    def run(processor: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
        function = processor.func_ir
        if function.is_generator:
            original(processor, emit_dels, extend_lifetimes)
            return
        function.blocks = transforms.canonicalize_cfg(function.blocks)
        function.variable_lifetime = VariableLifetime(function.blocks)
        function.block_entry_vars = _AliveAtEntry(function.blocks, function.variable_lifetime)
        function.generator_info = None
        if emit_dels:
            processor._insert_var_dels(extend_lifetimes=extend_lifetimes)

    PostProcessor.run = run  # type: ignore[method-assign, assignment]


class _AliveAtEntry(dict[Any, Any]):
    """Block of a function -> the variables that are alive when it is entered; found when somebody asks."""

    def __init__(self, blocks: dict[Any, Any], lifetime: Any) -> None:
        super().__init__()
        self.blocks, self.lifetime = blocks, lifetime

    def __missing__(self, block: Any) -> Any:
        known = self.lifetime
        alive = analysis.compute_live_variables(known.cfg, self.blocks, known.usedefs.defmap, known.deadmaps.combined)
        self.update((inner, alive[place]) for place, inner in self.blocks.items())
        if block not in self:
            raise KeyError(block)
        return self[block]


def _find_live_variables_quickly() -> None:
    """Let Numba find the variables that are alive in each block with sets of bits."""

    def find(graph: Any, blocks: dict[Any, Any], used: dict[Any, set[str]], made: dict[Any, set[str]]) -> Any:
        names: dict[str, int] = {}

        def bits(variables: Iterable[str]) -> int:
            total = 0
            for variable in variables:
                total |= 1 << names.setdefault(variable, len(names))
            return total

        used_bits = {place: bits(used[place]) for place in blocks}
        made_bits = {place: bits(made[place]) for place in blocks}
        order = list(graph.topo_order())
        after = {place: [block for block, _ in graph.successors(place)] for place in order}
        before = {place: [block for block, _ in graph.predecessors(place)] for place in order}
        reaching = dict.fromkeys(blocks, 0)
        changed = True
        while changed:
            changed = False
            for place in order:
                reached = reaching[place] = reaching[place] | used_bits[place] | made_bits[place]
                for block in after[place]:
                    if reached & ~reaching[block]:
                        reaching[block] |= reached
                        changed = True
        alive = dict(used_bits)
        changed = True
        while changed:
            changed = False
            for place in reversed(order):
                for block in before[place]:
                    more = alive[place] & reaching[block] & ~made_bits[block] & ~alive[block]
                    if more:
                        alive[block] |= more
                        changed = True
        listed = list(names)
        return {place: _named(alive[place], listed) for place in blocks}

    analysis.compute_live_map = find


def _named(bits: int, names: list[str]) -> set[str]:
    """The names whose bits are set."""
    found = set()
    while bits:
        lowest = bits & -bits
        found.add(names[lowest.bit_length() - 1])
        bits ^= lowest
    return found


def _optimise_what_is_defined() -> None:
    """Let Numba make a pipeline of LLVM's passes for the functions of a module, and not for all that they call."""
    if not hasattr(CPUCodegen, "_pass_builder"):  # older versions have one pipeline for all
        return
    optimise = CPUCodeLibrary._optimize_functions

    def optimise_defined(library: Any, module: Any) -> None:
        optimise(library, _Defined(module))

    CPUCodeLibrary._optimize_functions = optimise_defined  # type: ignore[method-assign]


class _Defined:
    """A module whose functions are only those that have code in it."""

    _module: Any

    def __init__(self, module: Any) -> None:
        object.__setattr__(self, "_module", module)

    @property
    def functions(self) -> list[Any]:
        return [function for function in self._module.functions if not function.is_declaration]

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._module, name, value)


def _remember_sizes() -> None:
    """Let Numba ask LLVM for the size of a type once. Each time, it writes, parses and drops a module for it."""
    for name in ("get_abi_sizeof", "get_abi_alignment"):
        setattr(BaseContext, name, _remembering(getattr(BaseContext, name)))


def _remembering(ask: Any) -> Any:
    known: dict[tuple[str, str], int] = {}

    def remembered(context: Any, kind: Any) -> int:
        text = str(kind)
        if "%" in text:  # a type with a name, whose contents are not in its text
            return int(ask(context, kind))
        key = str(context.target_data), text
        if key not in known:
            known[key] = ask(context, kind)
        return known[key]

    return remembered


# ------------------------------------------------------------------------------------------ structures in registers


def _keep_structures_in_registers() -> None:
    """Let Numba take a structure apart, or put it together, without room for it on the stack.

    A structure is an array, a tuple, a range and the like. For each access to one, Numba takes room, fills it with
    zeros twice, stores the structure, and loads one member. LLVM removes all of that, but before it must be written,
    read and looked at.

    Room is taken only if somebody asks where the structure is, or reads or changes it in another block than where it
    was made: in a loop, the block that reads it may come before the one that changes it.
    """
    proxy: Any = cgutils.ValueStructProxy
    base: Any = cgutils._StructProxy

    def begin(self: Any, context: Any, builder: Any, value: Any = None, ref: Any = None) -> None:
        self._at = None
        if ref is not None or type(self)._make_refs is not base._make_refs:
            base.__init__(self, context, builder, value, ref)
            return
        self._context, self._builder = context, builder
        self._datamodel = context.data_model_manager[self._fe_type]
        self._be_type = self._get_be_type(self._datamodel)
        if value is not None and value.type != self._be_type:
            raise AssertionError(f"bad value type: expected {self._be_type}, got {value.type}")
        self._first, self._members = value, {}
        self._at = _Place(builder)

    def get(self: Any, index: int) -> Any:
        if self._at is not None and not self._at.is_here(self._builder):
            _take_room(self)
        if self._at is None:
            return base.__getitem__(self, index)
        kind = self._be_type.elements[index]  # (an IndexError ends loops over a structure)
        if index in self._members:
            return self._members[index]
        if self._first is None:
            return kind(None)
        return self._builder.extract_value(self._first, index)

    def put(self: Any, index: int, value: Any) -> None:
        if self._at is not None:
            if value.type == self._be_type.elements[index] and self._at.is_here(self._builder):
                self._members[index] = value
                self._at = _Place(self._builder)
                return
            _take_room(self)
        base.__setitem__(self, index, value)

    def get_whole(self: Any) -> Any:
        if self._at is not None and not self._at.is_here(self._builder):
            _take_room(self)
        if self._at is None:
            return base._getvalue(self)
        whole, members = self._first, self._members
        if whole is None:
            is_complete = len(members) == len(self._be_type.elements)
            whole = llvm.Constant(self._be_type, llvm.Undefined if is_complete else None)
        for index in sorted(members):
            whole = self._builder.insert_value(whole, members[index], index)
        return whole

    def put_whole(self: Any, value: Any) -> None:
        if self._at is not None:
            if value.type == self._be_type and self._at.is_here(self._builder):
                self._first, self._members, self._at = value, {}, _Place(self._builder)
                return
            _take_room(self)
        base._setvalue(self, value)

    proxy.__init__, proxy.__getitem__, proxy.__setitem__ = begin, get, put
    proxy._getvalue, proxy._setvalue = get_whole, put_whole
    proxy._value, proxy._outer_ref = _Room("_value"), _Room("_outer_ref")
    _take_arrays_apart_likewise()
    _extract_what_was_inserted()
    _count_users_of_what_has_owners()


def _take_arrays_apart_likewise() -> None:
    """Let Numba take an array apart like any other structure.

    It makes a class for each access, looks for subclasses of NumPy's arrays, and marks lengths as positive while it
    loads them, which by its own comment improves nothing.
    """
    original: Any = arrayobj.make_array

    def make_plain_array(kind: Any) -> Any:
        if isinstance(kind, types.Array) and kind.ndim:
            return cgutils.create_struct_proxy(kind.as_array)
        return original(kind)

    for name, module in list(sys.modules.items()):
        is_known = name.partition(".")[0] in ("numba", __name__.partition(".")[0])
        if is_known and vars(module).get("make_array") is original:
            vars(module)["make_array"] = make_plain_array


class _Place:
    """The last instruction of a block at some moment."""

    def __init__(self, builder: Any) -> None:
        self.block = builder.basic_block
        self.last = self.block.instructions[-1] if self.block.instructions else None

    def is_here(self, builder: Any) -> bool:
        return builder.basic_block is self.block


class _Room:
    """The address of a structure: room on the stack for it is taken when somebody asks for it."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, structure: Any, owner: Any) -> Any:
        if structure._at is not None:
            _take_room(structure)
        return structure.__dict__[self.name]

    def __set__(self, structure: Any, value: Any) -> None:
        structure.__dict__[self.name] = value


def _take_room(structure: Any) -> None:
    """Give a structure room on the stack, and fill it where it was last changed."""
    place, whole, members = structure._at, structure._first, structure._members
    builder, current = llvm.IRBuilder(place.block), structure._builder
    before = len(current.basic_block.instructions)
    if place.block is not builder.function.entry_basic_block:
        with builder.goto_entry_block():
            room = builder.alloca(structure._be_type)
    if place.last is None:
        builder.position_at_start(place.block)
    else:
        builder.position_after(place.last)
    if place.block is builder.function.entry_basic_block:
        room = builder.alloca(structure._be_type)
    builder.store(structure._be_type(None) if whole is None else whole, room)
    for index, member in members.items():
        builder.store(member, cgutils.gep_inbounds(builder, room, 0, index))
    current._anchor += len(current.basic_block.instructions) - before  # what was added stands in front of it
    structure._at = None
    structure._value = structure._outer_ref = room


def _extract_what_was_inserted() -> None:
    """Let LLVM's builder take a member of a structure from where it was put together, if that can be seen."""
    extract = llvm.IRBuilder.extract_value

    def extract_value(builder: Any, whole: Any, index: Any, name: str = "") -> Any:
        if isinstance(index, (list, tuple)) and len(index) == 1:
            index = index[0]
        if isinstance(index, int):
            inner = whole
            while isinstance(inner, InsertValue) and inner.indices[0] != index:
                inner = inner.operands[0]
            if isinstance(inner, InsertValue) and len(inner.indices) == 1:
                return inner.operands[1]
        return extract(builder, whole, index, name)

    llvm.IRBuilder.extract_value = extract_value


def _count_users_of_what_has_owners() -> None:
    """Let Numba take a value apart to count its users only if it has an owner.

    It takes out all members to see whether memory stands in one of them, and counts users of an array in a record,
    which nobody owns.
    """
    owned: dict[Any, bool] = {}

    def get_meminfos(runtime: Any, builder: Any, kind: Any, value: Any) -> list[tuple[Any, Any]]:
        model = runtime._context.data_model_manager[kind]
        if kind not in owned:
            owned[kind] = model.contains_nrt_meminfo()
        if not owned[kind]:
            return []
        found = []
        if model.has_nrt_meminfo():
            owner = model.get_nrt_meminfo(builder, value)
            if not (isinstance(owner, llvm.Constant) and owner.constant is None):
                found.append((kind, owner))
        for member, get in model.traverse(builder):
            if owned.get(member, True):
                found += get_meminfos(runtime, builder, member, get(value))
        return found

    NRTContext.get_meminfos = get_meminfos  # type: ignore[method-assign]


# ------------------------------------------------------------------------------------------ the code cache


def use_cache(dispatcher: Any, cache: Any) -> None:
    """Let an njit function ask this cache before it compiles, and hand over what it has compiled.

    Numba calls `cache.load_overload(signature, target context)` and `cache.save_overload(signature, result)`.
    """
    dispatcher._cache = cache


compiling = global_compiler_lock
"""Only one thread at a time compiles or restores code. Numba holds this lock itself when it is asked to compile."""


def cached_result(dispatcher: Any, cache: Any, signature: Any) -> Any:
    """What the cache holds of a function for this signature; None if it must be compiled."""
    return cache.load_overload(signature, dispatcher.targetctx)


def adopt(dispatcher: Any, result: Any) -> None:
    """Give an njit function a result from the cache as one of its versions, without inferring any types."""
    dispatcher.targetctx.insert_user_function(result.entry_point, result.fndesc, [result.library])
    dispatcher.add_overload(result)


def saved_form(result: Any) -> tuple[Any, ...]:
    """A compilation result as a tuple that `pickled` can write."""
    if not _is_inner(result):
        return tuple(result._reduce())
    result.fndesc.typemap = result.fndesc.calltypes = None  # as Numba does: they are not needed, and may not be written
    name, _, code = result.library.serialize_using_bitcode()
    environments = tuple(result._find_referenced_environments())
    values = result._replace(referenced_envs=environments)
    return (_INNER, name, code, *(getattr(values, field) for field in _SAVED_INNER))


def restored(target_context: Any, saved: tuple[Any, ...]) -> Any:
    """A compilation result from its saved form, ready to run."""
    if saved[0] == _INNER:
        return _restored_inner(target_context, saved[1:])
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
    unresolved = any(thing.name.startswith(_UNRESOLVED) for thing in named)
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
            dispatcher = dispatcher_type(self.key.implementation(cls))
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


class _ChosenByTypes(AbstractTemplate):
    """In compiled code such a function *is* the intrinsic or the njit function that its arguments' types choose."""

    key: Any
    _overload_func: Any
    compiled: dict[Any, Any]

    def generic(self, arguments: Any, named: Any) -> Any:
        chosen = self._overload_func(*arguments, **named)
        if chosen is None:
            return None
        kind = self.context.resolve_value_type(chosen)
        signature = kind.get_call_type(self.context, arguments, named)
        self.compiled[signature.args] = kind.get_impl_key(signature)
        return signature

    def get_impl_key(self, signature: Any) -> Any:
        return self.compiled[signature.args]


def chosen_by_types(function: Any, prefer_literal: bool = False) -> Any:
    """Decorator: for compiled code, `function` is what the decorated function returns for the types of the arguments.

    That is an intrinsic, an njit function, or None if the types do not fit. It does what Numba's @overload does, but
    that compiles a function of its own for each combination of types, and if it is inlined, two for each call.
    """

    def register(choose: Any) -> Any:
        parts = {"key": staticmethod(function), "_overload_func": staticmethod(choose), "compiled": {}}
        name = f"{function.__name__}_chosen"
        template = type(name, (_ChosenByTypes,), {**parts, "prefer_literal": prefer_literal})
        infer(template)
        infer_global(function, types.Function(template))
        return choose

    return register


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


def array_at(context: Any, builder: Any, kind: Any, pointer: Any, length: Any) -> Any:
    """A one-dimensional array of this Numba type over memory that the array does not own.

    The length is a number, or a value that compiled code has computed.
    """
    return array_of_shape(context, builder, kind, pointer, [length])


def array_of_shape(context: Any, builder: Any, kind: Any, pointer: Any, shape: list[Any]) -> Any:
    """The same with several dimensions, in C order."""
    array = make_array(kind)(context, builder)
    size = context.get_abi_sizeof(context.get_data_type(kind.dtype))
    itemsize = stride = context.get_constant(types.intp, size)
    lengths = [context.get_constant(types.intp, one) if isinstance(one, int) else one for one in shape]
    strides = [stride]
    for length in lengths[:0:-1]:
        stride = builder.mul(stride, length)
        strides.insert(0, stride)
    populate_array(array, data=pointer, shape=lengths, strides=strides, itemsize=itemsize, meminfo=None)
    return array._getvalue()


def array_lengths(context: Any, builder: Any, kind: Any, array: Any) -> list[Any]:
    """The length of each dimension of an array of this Numba type."""
    shape = make_array(kind)(context, builder, array).shape
    return [builder.extract_value(shape, place) for place in range(kind.ndim)]


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


# ------------------------------------------------------------------------------------------ code for other machines

_texts: "WeakKeyDictionary[Any, list[str]]" = WeakKeyDictionary()


def keep_texts() -> None:
    """From now on, keep what is compiled as LLVM assembly, before it is optimised for this machine.

    Needed before anything is compiled whose text is wanted (see `texts_of`). Arrays are then always written into the
    code: for large ones, Numba would write their addresses in this process.
    """
    add = CPUCodeLibrary.add_ir_module

    def add_and_keep(library: Any, module: Any) -> None:
        _texts.setdefault(library, []).append(cgutils.normalize_ir_text(str(module)))
        add(library, module)

    write_array = CPUContext.make_constant_array

    def write_whole_array(context: Any, *arguments: Any) -> Any:
        context.allow_dynamic_globals = False
        try:
            return write_array(context, *arguments)
        finally:
            context.allow_dynamic_globals = True

    CPUCodeLibrary.add_ir_module = add_and_keep  # type: ignore[method-assign]
    CPUContext.make_constant_array = write_whole_array  # type: ignore[method-assign]


def texts_of(dispatcher: Any, arguments: tuple[Any, ...]) -> tuple[str, list[str]]:
    """The name of an njit function in LLVM's assembly, compiled for these types, and the texts of all that it needs."""
    result = dispatcher.overloads[arguments]
    texts: dict[Any, list[str]] = {}
    waiting = [result.library]
    while waiting:
        library = waiting.pop()
        if library not in texts:
            texts[library] = _texts.get(library, [])
            waiting += library._linking_libraries
    return result.fndesc.llvm_func_name, [text for each in texts.values() for text in each]


def bare_njit(function: Any, **options: Any) -> Any:
    """numba.njit without the code by which Python and C call the function."""
    bare = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "nogil": True, "error_model": "numpy"}
    compiling: Any = njit
    return compiling(function, **(bare | options))


def function_value(dispatcher: Any, signature: Any) -> Any:
    """An intrinsic without arguments: a compiled function as a value of the type of functions with this signature.

    The function must have been compiled for it. Numba's own way to such a value asks Python for the address.
    """
    kind = types.FunctionType(signature)
    if "jit_addr" not in default_manager.lookup(kind)._fields:  # as in Numba 0.60
        raise TypingError("functions as values need a newer version of Numba")
    result = dispatcher.overloads[tuple(signature.args)]

    @intrinsic
    def value(typing_context: Any) -> Any:
        def generate(context: Any, builder: Any, given: Any, arguments: Any) -> Any:
            wanted = context.call_conv.get_function_type(signature.return_type, signature.args)
            function = declared(builder.module, wanted, result.fndesc.llvm_func_name)
            context.active_code_library.add_linking_library(result.library)
            parts = cgutils.create_struct_proxy(kind)(context, builder)
            address = builder.bitcast(function, parts.jit_addr.type)
            parts.c_addr = parts.py_addr = parts.jit_addr = address
            return parts._getvalue()

        return kind(), generate

    return value
