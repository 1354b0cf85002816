"""From an object file of LLVM to a WebAssembly module: a linker for a single object that needs nothing from outside.

A general linker (wasm-ld) comes with 400 MB of a compiler on PyPI. One object without undefined symbols needs far less:
no index changes, so all that is left to do is to place the data in memory, to add the memory's and the stack's
definitions, and to write the exports. The format: https://github.com/WebAssembly/tool-conventions (Linking.md).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from zermelo.players.modules import read_number, sections
from zermelo.publish.packing import HEAD, PLACE, leb, packed

PAGE = 1 << 16
WORTH_PACKING = 1 << 14
"""The number of bytes from which on a constant is packed."""

_TYPE, _IMPORT, _FUNCTION, _TABLE, _MEMORY, _GLOBAL, _EXPORT, _START, _ELEMENT, _CODE, _DATA, _COUNT = range(1, 13)
_FUNCTION_IMPORT, _TABLE_IMPORT, _MEMORY_IMPORT, _GLOBAL_IMPORT = range(4)
_FUNCTION_SYMBOL, _DATA_SYMBOL = 0, 1
_UNDEFINED, _EXPLICIT_NAME = 0x10, 0x40
_SYMBOL_TABLE, _SEGMENT_INFO = 8, 5

_FUNCTION_REFERENCE = b"\x70"

_ADDRESS_LEB, _ADDRESS_SLEB, _ADDRESS_I32 = 3, 4, 5
_UNCHANGED = {0, 1, 2, 6, 7, 20}  # indices of functions, table slots, types, globals and tables
_WITH_ADDEND = {_ADDRESS_LEB, _ADDRESS_SLEB, _ADDRESS_I32, 8, 9}


class LinkError(Exception):
    """The object needs something that is not in it. `missing`: the names of functions that are not defined."""

    def __init__(self, text: str, missing: tuple[str, ...] = ()):
        super().__init__(text)
        self.missing = missing


@dataclass
class Segment:
    """Bytes that stand at an address when the module begins."""

    address: int
    data: bytes


@dataclass
class _Reader:
    data: bytes
    at: int = 0
    end: int = field(default=-1)

    def __post_init__(self) -> None:
        self.end = len(self.data) if self.end < 0 else self.end

    @property
    def more(self) -> bool:
        return self.at < self.end

    def number(self) -> int:
        """An unsigned LEB128 number."""
        value, self.at = read_number(self.data, self.at)
        return value

    def signed(self) -> int:
        start = self.at
        value = self.number()
        bits = 7 * (self.at - start)
        return value - (1 << bits) if value >> (bits - 1) else value

    def bytes(self, size: int) -> bytes:
        self.at += size
        return self.data[self.at - size : self.at]

    def text(self) -> str:
        return self.bytes(self.number()).decode()


def sleb(value: int) -> bytes:
    """A signed number in LEB128."""
    out = bytearray()
    while True:
        byte, value = value & 0x7F, value >> 7
        last = (value == 0 and not byte & 0x40) or (value == -1 and byte & 0x40)
        out.append(byte | (0 if last else 0x80))
        if last:
            return bytes(out)


def _padded(value: int) -> bytes:
    """A number in five bytes of LEB128, as objects reserve them; signed and unsigned ones look alike below 2^31."""
    return bytes((value >> 7 * i & 0x7F) | (0x80 if i < 4 else 0) for i in range(5))


def _text(text: str) -> bytes:
    return leb(len(text.encode())) + text.encode()


def _section(number: int, content: bytes) -> bytes:
    return bytes([number]) + leb(len(content)) + content


def _vector(items: list[bytes]) -> bytes:
    return leb(len(items)) + b"".join(items)


@dataclass
class _Symbol:
    kind: int
    flags: int
    name: str
    index: int = 0  # of a function, or of the data segment
    offset: int = 0  # in the segment


@dataclass
class _Object:
    """What is in an object file."""

    sections: dict[int, bytes] = field(default_factory=dict)
    numbers: list[int] = field(default_factory=list)  # the kinds of all sections in order; relocations name a place
    missing: tuple[str, ...] = ()
    has_table: bool = False
    has_stack: bool = False
    symbols: list[_Symbol] = field(default_factory=list)
    segments: list[bytes] = field(default_factory=list)
    alignments: list[int] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)  # where each segment's bytes stand in the data section
    relocations: dict[int, list[tuple[int, int, int, int]]] = field(default_factory=dict)


def _read(data: bytes) -> _Object:
    if data[:8] != b"\0asm\x01\0\0\0":
        raise LinkError("this is not an object file of WebAssembly")
    found = _Object()
    for kind, content in sections(data):
        found.numbers.append(kind)
        if kind:
            found.sections[kind] = content
        else:
            _read_custom(found, content)
        if kind == _IMPORT:
            _read_imports(found, content)
        elif kind == _DATA:
            _read_data(found, content)
    return found


def _read_imports(found: _Object, content: bytes) -> None:
    reader, missing = _Reader(content), []
    for _ in range(reader.number()):
        reader.text()
        name, kind = reader.text(), reader.bytes(1)[0]
        if kind == _FUNCTION_IMPORT:
            reader.number()
            missing.append(name)
        elif kind == _GLOBAL_IMPORT:
            reader.bytes(2)
            if name != "__stack_pointer":
                raise LinkError(f"the global {name} is not defined", (name,))
            found.has_stack = True
        else:
            if kind == _TABLE_IMPORT:
                reader.bytes(1)
                found.has_table = True
            limits = reader.number()
            reader.number()
            if limits & 1:
                reader.number()
    found.missing = tuple(missing)


def _read_data(found: _Object, content: bytes) -> None:
    reader = _Reader(content)
    for _ in range(reader.number()):
        if reader.number() != 0:
            raise LinkError("a data segment is not of the simple kind")
        reader.bytes(1)  # i32.const
        reader.signed()
        reader.bytes(1)  # end
        size = reader.number()
        found.starts.append(reader.at)
        found.segments.append(reader.bytes(size))


def _read_custom(found: _Object, content: bytes) -> None:
    reader = _Reader(content)
    name = reader.text()
    if name == "linking":
        reader.number()  # the version
        while reader.more:
            kind, size = reader.number(), reader.number()
            part = _Reader(content, reader.at, reader.at + size)
            reader.at += size
            if kind == _SYMBOL_TABLE:
                _read_symbols(found, part)
            elif kind == _SEGMENT_INFO:
                for _ in range(part.number()):
                    part.text()
                    found.alignments.append(1 << part.number())
                    part.number()
    elif name.startswith("reloc."):
        section = found.numbers[reader.number()]
        entries = found.relocations.setdefault(section, [])
        for _ in range(reader.number()):
            kind, offset, symbol = reader.bytes(1)[0], reader.number(), reader.number()
            entries.append((kind, offset, symbol, reader.signed() if kind in _WITH_ADDEND else 0))


def _read_symbols(found: _Object, reader: _Reader) -> None:
    for _ in range(reader.number()):
        kind, flags = reader.bytes(1)[0], reader.number()
        symbol = _Symbol(kind, flags, "")
        if kind == _DATA_SYMBOL:
            symbol.name = reader.text()
            if not flags & _UNDEFINED:
                symbol.index, symbol.offset = reader.number(), reader.number()
                reader.number()
        elif kind == 3:  # a section
            reader.number()
        else:
            symbol.index = reader.number()
            if not flags & _UNDEFINED or flags & _EXPLICIT_NAME:
                symbol.name = reader.text()
        found.symbols.append(symbol)


def _slots(found: _Object) -> int:
    """The size of the table of functions that are called through pointers; slot 0 is the null pointer."""
    reader, slots = _Reader(found.sections.get(_ELEMENT, b"\0")), 1
    for _ in range(reader.number()):
        if reader.number() != 0:
            raise LinkError("an element segment is not of the simple kind")
        reader.bytes(1)  # i32.const
        first = reader.signed()
        reader.bytes(1)  # end
        count = reader.number()
        for _ in range(count):
            reader.number()
        slots = max(slots, first + count)
    return slots


def _placed(found: _Object, base: int) -> list[int]:
    """The address of each segment; the last number is where free memory begins."""
    addresses = []
    for data, alignment in zip(found.segments, found.alignments, strict=True):
        base = -(-base // alignment) * alignment
        addresses.append(base)
        base += len(data)
    return [*addresses, base]


def _relocated(found: _Object, section: int, addresses: list[int]) -> bytes:
    content = bytearray(found.sections.get(section, b""))
    for kind, offset, number, addend in found.relocations.get(section, ()):
        if kind in _UNCHANGED:
            continue
        symbol = found.symbols[number]
        if kind not in (_ADDRESS_LEB, _ADDRESS_SLEB, _ADDRESS_I32) or symbol.flags & _UNDEFINED:
            raise LinkError(f"cannot relocate {symbol.name} (kind {kind})", (symbol.name,))
        value = addresses[symbol.index] + symbol.offset + addend
        if kind == _ADDRESS_I32:
            content[offset : offset + 4] = value.to_bytes(4, "little")
        else:
            content[offset : offset + 5] = _padded(value)
    return bytes(content)


def _without_zeros(segment: Segment, gap: int) -> list[Segment]:
    """The parts of a segment between so many zeros. Memory is zero at the beginning, and a part costs eight bytes."""
    parts, start = [], 0
    gaps = [(found.start(), found.end()) for found in re.finditer(rb"\0{%d,}|\0+\Z" % gap, segment.data)]
    for begin, end in [*gaps, (len(segment.data), 0)]:
        if begin > start:
            parts.append(Segment(segment.address + start, segment.data[start:begin]))
        start = end
    return parts


def _with_packed(segments: list[Segment], stack_top: int) -> tuple[list[Segment], bool]:
    """The segments, the large ones packed if that saves much and there is room for it; and whether any is packed."""
    small, pieces, size = [], [], HEAD
    for one in segments:
        piece = packed(one.address, one.data) if len(one.data) >= WORTH_PACKING else one.data
        if 2 * len(piece) < len(one.data) and PLACE + size + len(piece) < stack_top // 2:
            pieces.append(piece)
            size += len(piece)
        else:
            small.append(one)
    if pieces:
        small.append(Segment(PLACE, b"".join([*pieces, bytes(HEAD)])))
    return small, bool(pieces)


def link(
    data: bytes,
    exports: Mapping[str, str],
    base: int,
    stack_top: int,
    *,
    fixed: tuple[Segment, ...] = (),
    room: int = 0,
    custom: Mapping[str, bytes] | None = None,
    unpacked_by: str = "",
    always: bool = False,
) -> bytes:
    """A module from an object file.

    exports: the function for each exported name. base: the address from which on the object's data may stand.
    stack_top: the stack grows from there down to 0, and then the module ends with a trap. fixed: other data, with its
    addresses. room: free memory behind everything, in bytes; it begins at the exported global __heap_base. unpacked_by:
    the function that unpacks large constants when the module begins (see packing.py); without it, none is packed.
    always: it is called even if none is packed.
    """
    found = _read(data)
    if found.missing:
        raise LinkError("not defined: " + ", ".join(found.missing), found.missing)
    addresses = _placed(found, base)
    code, moved = (_relocated(found, section, addresses) for section in (_CODE, _DATA))
    segments = [
        Segment(address, moved[start : start + len(content)])
        for address, start, content in zip(addresses[:-1], found.starts, found.segments, strict=True)
    ]
    has_start = False
    if unpacked_by:
        segments, is_any_packed = _with_packed(segments, stack_top)
        has_start = is_any_packed or always
    segments = [part for one in segments for part in _without_zeros(one, 16)]
    segments += [part for one in fixed for part in _without_zeros(one, 256)]  # weights: a few parts, not thousands
    heap = -(-addresses[-1] // 16) * 16
    pages = -(-(heap + room) // PAGE)
    functions = {one.name: one.index for one in found.symbols if one.kind == _FUNCTION_SYMBOL}
    constant = b"\x41"  # i32.const
    values = [b"\x7f\x01" + constant + sleb(stack_top) + b"\x0b", b"\x7f\x00" + constant + sleb(heap) + b"\x0b"]
    named = [_text("memory") + b"\x02" + leb(0), _text("__heap_base") + b"\x03" + leb(1 if found.has_stack else 0)]
    named += [_text(name) + b"\x00" + leb(functions[symbol]) for name, symbol in exports.items()]
    parts = {
        _TYPE: found.sections[_TYPE],
        _FUNCTION: found.sections[_FUNCTION],
        _TABLE: _vector([_FUNCTION_REFERENCE + b"\x00" + leb(_slots(found))]) if found.has_table else b"",
        _MEMORY: _vector([b"\x00" + leb(pages)]),
        _GLOBAL: _vector(values if found.has_stack else values[1:]),
        _EXPORT: _vector(named),
        _START: leb(functions[unpacked_by]) if has_start else b"",
        _ELEMENT: found.sections.get(_ELEMENT, b""),
        _COUNT: leb(len(segments)),
        _CODE: code,
        _DATA: _vector([b"\x00" + constant + sleb(s.address) + b"\x0b" + leb(len(s.data)) + s.data for s in segments]),
    }
    written = b"".join(_section(kind, content) for kind, content in parts.items() if content)
    for name, content in (custom or {}).items():
        written += _section(0, _text(name) + content)
    return b"\0asm\x01\0\0\0" + written
