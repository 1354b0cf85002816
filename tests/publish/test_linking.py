"""The linker for one object."""

import random

import numpy as np
import pytest

from zermelo.players.modules import read_number
from zermelo.publish.linking import LinkError, Segment, _with_packed, _without_zeros, link
from zermelo.publish.lowering import lowered
from zermelo.publish.packing import HEAD, PLACE, leb, packed, unpack_all

HEAP = 1 << 16, 1 << 10
CALLER = """
@numbers = constant [3 x i32] [i32 5, i32 7, i32 11]
define i32 @twice(i32 %x) { %y = add i32 %x, %x ret i32 %y }
define i32 @thrice(i32 %x) { %y = mul i32 %x, 3 ret i32 %y }
@table = constant [2 x ptr] [ptr @twice, ptr @thrice]
define i32 @call(i32 %which, i32 %place) {
  %slot = getelementptr [2 x ptr], ptr @table, i32 0, i32 %which
  %function = load ptr, ptr %slot
  %at = getelementptr [3 x i32], ptr @numbers, i32 0, i32 %place
  %number = load i32, ptr %at
  %value = call i32 %function(i32 %number)
  ret i32 %value
}
define i32 @fixed() { %value = load i32, ptr inttoptr (i32 2048 to ptr) ret i32 %value }
"""


def test_data_tables_and_exports():
    wasmtime = pytest.importorskip("wasmtime")
    data = lowered([CALLER], ["call", "fixed"], HEAP)
    fixed = (Segment(2048, (123).to_bytes(4, "little")),)
    module = link(data, {"call": "call", "fixed": "fixed"}, 4096, 1024, fixed=fixed, room=1 << 20)
    store = wasmtime.Store()
    exports = wasmtime.Instance(store, wasmtime.Module(store.engine, module), []).exports(store)
    assert [exports["call"](store, which, place) for which in (0, 1) for place in (0, 1, 2)] == [10, 14, 22, 15, 21, 33]
    assert exports["fixed"](store) == 123
    assert exports["memory"].data_len(store) >= 1 << 20


def test_zeros_are_not_stored():
    """Memory is zero at the beginning, so a module has only what is not, and the pieces stand where they stood."""
    data = bytes(40) + b"first" + bytes(15) + b"still the first" + bytes(16) + b"second" + bytes(3)
    pieces = _without_zeros(Segment(1000, data), 16)
    assert [(one.address, one.data) for one in pieces] == [
        (1040, b"first" + bytes(15) + b"still the first"),
        (1091, b"second"),
    ]


def test_what_is_missing_has_a_name():
    text = "declare i32 @nowhere(i32)\ndefine i32 @f(i32 %x) { %y = call i32 @nowhere(i32 %x) ret i32 %y }"
    with pytest.raises(LinkError, match="not defined: nowhere") as caught:
        link(lowered([text], ["f"], HEAP), {"f": "f"}, 4096, 1024)
    assert caught.value.missing == ("nowhere",)


@pytest.mark.parametrize("number", [0, 1, 63, 64, 127, 128, 300, 1 << 20, (1 << 31) - 1])
def test_numbers_are_read_as_they_were_written(number):
    assert read_number(leb(number), 0) == (number, len(leb(number)))


OVERFLOW = """
declare {i64, i1} @llvm.smul.with.overflow.i64(i64, i64)
define i32 @f(i64 %a, i64 %b) {
  %both = call {i64, i1} @llvm.smul.with.overflow.i64(i64 %a, i64 %b)
  %is_too_large = extractvalue {i64, i1} %both, 1
  %number = zext i1 %is_too_large to i32
  ret i32 %number
}
"""


def test_products_that_do_not_fit_are_noticed():
    wasmtime = pytest.importorskip("wasmtime")
    store = wasmtime.Store()
    module = wasmtime.Module(store.engine, link(lowered([OVERFLOW], ["f"], HEAP), {"f": "f"}, 4096, 1024))
    exports = wasmtime.Instance(store, module, []).exports(store)
    for a, b in [(3, 4), (-3, 4), (1 << 62, 2), (1 << 40, 1 << 22), (-(1 << 40), 1 << 23), (-(1 << 40), (1 << 23) + 1)]:
        assert exports["f"](store, a, b) == (not -(1 << 63) <= a * b < 1 << 63)


def test_packed_pieces_are_unpacked_where_they_belong():
    chance = random.Random(1)
    words = [chance.randbytes(40) for _ in range(30)]
    repeating = b"".join(chance.choice(words) for _ in range(100))
    for pieces in ([repeating], [repeating, bytes(5000), b"x"], [chance.randbytes(3000), repeating[:-3] + b"end"]):
        memory, places = np.zeros(60_000, np.uint8), [PLACE + 20_000 + 6000 * i for i in range(len(pieces))]
        data = b"".join(map(packed, places, pieces)) + bytes(HEAD)
        memory[: len(data)] = list(data)
        unpack_all(memory, PLACE)
        for place, piece in zip(places, pieces, strict=True):
            assert memory[place - PLACE :][: len(piece)].tobytes() == piece
    assert len(packed(0, repeating)) < len(repeating) // 2


def test_large_constants_are_packed_if_that_saves_much():
    repeating, chance = Segment(1 << 20, b"0123456789" * 5000), Segment(1 << 21, random.Random(1).randbytes(50_000))
    made, has_packed = _with_packed([repeating, chance], 1 << 20)
    assert has_packed and made[0] == chance and made[1].address == PLACE and len(made[1].data) < 200
    assert _with_packed([chance], 1 << 20) == ([chance], False)
