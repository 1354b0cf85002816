"""From the assembly that Numba writes to an object file for WebAssembly.

Numba's text is taken before it is optimised for this machine, and is then optimised for the other one.
"""

import re
from collections.abc import Iterable
from typing import Any

import llvmlite.binding as llvm

from zermelo.publish.allocating import ALLOCATES, MULTIPLIED, MULTIPLY, NOTHING_TO_COUNT, RESHAPE, RESHAPED, runtime
from zermelo.publish.mathematics import library, renamed

TRIPLE = "wasm32-unknown-unknown"
FEATURES = "+bulk-memory,+bulk-memory-opt,+sign-ext,+nontrapping-fptoint,+mutable-globals,+simd128"
"""What all browsers can do since 2021 (Safari: 2023)."""

_REWRITES = [
    (re.compile(r'target triple = ".*"'), f'target triple = "{TRIPLE}"'),
    # The destructor of a list takes less than it is given, which is an error here.
    (re.compile(r'(define [^\n]*@"\.dtor\.list\.[^"]*"\(i8\*[^),]*)\)'), r'\1, i64 %"size.", i8* %"information.")'),
    (re.compile(r'"target-cpu"="[^"]*"|"target-features"="[^"]*"'), ""),
    (re.compile(r"= (\w+ )*common (\w+ )*global"), "= internal global"),  # not possible here; they are never read
]
_UNRESOLVED = re.compile(r'@("?)\.numba\.unresolved\$([^" =]+)\1 = [^\n]*')
_FOR_PYTHON = re.compile(r'; ModuleID = "(nrt_module|wrapper|cfunc_wrapper)"')
"""Pieces of assembly by which Python calls the code, and Numba's counting of the users of an array."""

_PYTHON = ("Py", "_Py", "numba_gil", "numba_unpickle", "numba_do_raise", "numba_recreate", "numba_native", "NRT_adapt")
"""How the names of functions begin that need Python."""

_LAYOUT = re.compile(r'target datalayout = ".*"')


def machine() -> Any:
    """LLVM's description of the machine that the module is for."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    return llvm.Target.from_triple(TRIPLE).create_target_machine(opt=3, features=FEATURES)


def lowered(texts: Iterable[str], exports: Iterable[str], heap: tuple[int, int]) -> bytes:
    """An object file with these pieces of assembly, of which only the exports can be reached from outside.

    A piece stands after one that needs it: what nobody has asked for yet is left out. heap: the address and the size
    of the memory that the code may take while it runs.
    """
    made, kept = machine(), set(exports)
    whole = llvm.parse_assembly("")
    whole.triple, whole.data_layout = TRIPLE, str(made.target_data)
    for text in dict.fromkeys(texts):
        if not _FOR_PYTHON.match(text):
            whole.link_in(_retargeted(text, str(made.target_data), kept))
    for text in dict.fromkeys(library(_undefined(whole))):
        if not _FOR_PYTHON.match(text):
            whole.link_in(_retargeted(text, str(made.target_data), kept))
    allocates = any(name.startswith(ALLOCATES) for name in _undefined(whole))
    whole.link_in(llvm.parse_assembly(runtime(heap) if allocates else NOTHING_TO_COUNT))
    if RESHAPE in _undefined(whole):
        whole.link_in(llvm.parse_assembly(RESHAPED))
    if MULTIPLIED in str(whole):
        whole.link_in(llvm.parse_assembly(MULTIPLY))
        kept.add("__multi3")
    refused = [name for name in _undefined(whole) if name.startswith(_PYTHON)]
    whole.link_in(llvm.parse_assembly(_traps(whole, refused)))
    for function in whole.functions:
        if not function.is_declaration:
            function.linkage = "external" if function.name in kept else "internal"
    for variable in whole.global_variables:
        if not variable.is_declaration:
            variable.linkage = "internal"
    whole.verify()
    _optimise(whole, made)
    return bytes(made.emit_object(whole))


def _undefined(module: Any) -> list[str]:
    """The names of the functions that are called but not defined."""
    return [one.name for one in module.functions if one.is_declaration and not one.name.startswith("llvm.")]


def _traps(module: Any, names: list[str]) -> str:
    """Functions that end the module with a trap: parts of Python, which code for errors calls and nothing else."""
    written = ["declare void @llvm.trap()"]
    for name in names:
        kind = str(module.get_function(name)).strip()
        found = re.search(r"declare (.*?)@.*?\((.*)\)", kind)
        assert found is not None, kind
        result = found[1].split()[-1]
        arguments = found[2]
        written.append(
            f'define linkonce_odr {result} @"{name}"({arguments}) {{\n  call void @llvm.trap()\n  unreachable\n}}'
        )
    return "\n".join(written)


def _retargeted(text: str, layout: str, kept: set[str]) -> Any:
    text = _LAYOUT.sub(f'target datalayout = "{layout}"', text)
    for pattern, instead in _REWRITES:
        text = pattern.sub(instead, text)
    named = [found[2] for found in _UNRESOLVED.finditer(text)]
    # Numba leaves recursive calls to its own linker: a pointer, filled in at load time. Here it is filled in at once.
    text = _UNRESOLVED.sub(r"@\1.numba.unresolved$\2\1 = internal constant ptr @\1\2\1", text)
    for name in dict.fromkeys(named):  # two functions that call each other: the other one stands in another piece
        if not re.search(rf'^(?:define|declare) [^\n]*@"?{re.escape(name)}"?\(', text, re.MULTILINE):
            text += f'\ndeclare void @"{name}"()\n'
    module = llvm.parse_assembly(renamed(text))
    for function in module.functions:
        if not function.is_declaration and function.linkage == llvm.Linkage.external and function.name not in kept:
            function.linkage = "linkonce_odr"
    return module


def _optimise(module: Any, made: Any) -> None:
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = options.slp_vectorization = True
    builder = llvm.create_pass_builder(made, options)
    passes = builder.getModulePassManager()
    passes.run(module, builder)
