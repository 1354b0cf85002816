"""What code with arrays or lists needs of Numba's runtime, in LLVM's assembly and for one thread: above all, memory.

Blocks have sizes that are powers of two. A block that is freed waits in the list of its size until one is needed.
The header of an array or list counts its users and is followed by the data:

    users 64 bits | destructor | its information | data | size 64 bits        (as Numba's own code expects it)
"""

ALLOCATES = ("NRT_MemInfo_alloc", "NRT_MemInfo_new", "NRT_Allocate", "NRT_MemInfo_varsize")
"""How the names begin of the functions that take memory."""

NOTHING_TO_COUNT = """
define linkonce_odr void @NRT_incref(ptr %0) alwaysinline { ret void }
define linkonce_odr void @NRT_decref(ptr %0) alwaysinline { ret void }
"""
"""In a module that takes no memory, no array needs its users counted."""

_RUNTIME = """
%info = type { i64, ptr, ptr, ptr, i64 }
@zermelo_next = internal global i32 HEAP_START
@zermelo_free = internal global [32 x i32] zeroinitializer
declare void @llvm.trap()
declare i32 @llvm.ctlz.i32(i32, i1)
declare void @llvm.memcpy.p0.p0.i32(ptr, ptr, i32, i1)

define linkonce_odr ptr @NRT_Allocate(i64 %size) {
  %small = trunc i64 %size to i32
  %with_header = add i32 %small, 15
  %zeros = call i32 @llvm.ctlz.i32(i32 %with_header, i1 false)
  %class0 = sub i32 32, %zeros
  %tiny = icmp ult i32 %class0, 5
  %class = select i1 %tiny, i32 5, i32 %class0
  %too_large = icmp ugt i64 %size, HEAP_SIZE
  br i1 %too_large, label %out, label %look
look:
  %list = getelementptr [32 x i32], ptr @zermelo_free, i32 0, i32 %class
  %head = load i32, ptr %list
  %none = icmp eq i32 %head, 0
  br i1 %none, label %fresh, label %again
again:
  %old = inttoptr i32 %head to ptr
  %old_data = getelementptr i8, ptr %old, i32 16
  %following = load i32, ptr %old_data
  store i32 %following, ptr %list
  ret ptr %old_data
fresh:
  %next = load i32, ptr @zermelo_next
  %length = shl i32 1, %class
  %end = add i32 %next, %length
  %full = icmp ugt i32 %end, HEAP_END
  br i1 %full, label %out, label %take
take:
  store i32 %end, ptr @zermelo_next
  %block = inttoptr i32 %next to ptr
  store i32 %class, ptr %block
  %data = getelementptr i8, ptr %block, i32 16
  ret ptr %data
out:
  call void @llvm.trap()
  unreachable
}

define linkonce_odr void @NRT_Free(ptr %data) {
  %nothing = icmp eq ptr %data, null
  br i1 %nothing, label %done, label %some
some:
  %block = getelementptr i8, ptr %data, i32 -16
  %class = load i32, ptr %block
  %list = getelementptr [32 x i32], ptr @zermelo_free, i32 0, i32 %class
  %head = load i32, ptr %list
  store i32 %head, ptr %data
  %address = ptrtoint ptr %block to i32
  store i32 %address, ptr %list
  br label %done
done:
  ret void
}

define linkonce_odr ptr @NRT_MemInfo_alloc_dtor_safe(i64 %size, ptr %destructor) {
  %whole = add i64 %size, 32
  %made = call ptr @NRT_Allocate(i64 %whole)
  %data = getelementptr i8, ptr %made, i32 32
  store i64 1, ptr %made
  %at1 = getelementptr %info, ptr %made, i32 0, i32 1
  store ptr %destructor, ptr %at1
  %at2 = getelementptr %info, ptr %made, i32 0, i32 2
  store ptr null, ptr %at2
  %at3 = getelementptr %info, ptr %made, i32 0, i32 3
  store ptr %data, ptr %at3
  %at4 = getelementptr %info, ptr %made, i32 0, i32 4
  store i64 %size, ptr %at4
  ret ptr %made
}

define linkonce_odr ptr @NRT_MemInfo_data_fast(ptr %made) alwaysinline {
  %at3 = getelementptr %info, ptr %made, i32 0, i32 3
  %data = load ptr, ptr %at3
  ret ptr %data
}
define linkonce_odr ptr @NRT_MemInfo_alloc_dtor(i64 %size, ptr %destructor) {
  %made = call ptr @NRT_MemInfo_alloc_dtor_safe(i64 %size, ptr %destructor)
  ret ptr %made
}
define linkonce_odr ptr @NRT_MemInfo_alloc(i64 %size) {
  %made = call ptr @NRT_MemInfo_alloc_dtor_safe(i64 %size, ptr null)
  ret ptr %made
}
define linkonce_odr ptr @NRT_MemInfo_alloc_safe(i64 %size) {
  %made = call ptr @NRT_MemInfo_alloc_dtor_safe(i64 %size, ptr null)
  ret ptr %made
}
define linkonce_odr ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 %align) {
  %made = call ptr @NRT_MemInfo_alloc_dtor_safe(i64 %size, ptr null)
  ret ptr %made
}
define linkonce_odr ptr @NRT_MemInfo_alloc_safe_aligned(i64 %size, i32 %align) {
  %made = call ptr @NRT_MemInfo_alloc_dtor_safe(i64 %size, ptr null)
  ret ptr %made
}

define internal void @zermelo_varsize_destructor(ptr %data, i64 %size, ptr %information) {
  %plain = icmp eq ptr %information, null
  br i1 %plain, label %free, label %own
own:
  call void %information(ptr %data, i64 %size, ptr null)
  br label %free
free:
  call void @NRT_Free(ptr %data)
  ret void
}

define linkonce_odr ptr @NRT_MemInfo_new_varsize_dtor(i64 %size, ptr %destructor) {
  %made = call ptr @NRT_MemInfo_alloc_dtor_safe(i64 0, ptr @zermelo_varsize_destructor)
  %at2 = getelementptr %info, ptr %made, i32 0, i32 2
  store ptr %destructor, ptr %at2
  %data = call ptr @NRT_Allocate(i64 %size)
  %at3 = getelementptr %info, ptr %made, i32 0, i32 3
  store ptr %data, ptr %at3
  %at4 = getelementptr %info, ptr %made, i32 0, i32 4
  store i64 %size, ptr %at4
  ret ptr %made
}
define linkonce_odr ptr @NRT_MemInfo_new_varsize(i64 %size) {
  %made = call ptr @NRT_MemInfo_new_varsize_dtor(i64 %size, ptr null)
  ret ptr %made
}

define linkonce_odr ptr @NRT_MemInfo_varsize_alloc(ptr %made, i64 %size) {
  %data = call ptr @NRT_Allocate(i64 %size)
  %at3 = getelementptr %info, ptr %made, i32 0, i32 3
  store ptr %data, ptr %at3
  %at4 = getelementptr %info, ptr %made, i32 0, i32 4
  store i64 %size, ptr %at4
  ret ptr %data
}

define linkonce_odr ptr @NRT_MemInfo_varsize_realloc(ptr %made, i64 %size) {
  %at3 = getelementptr %info, ptr %made, i32 0, i32 3
  %at4 = getelementptr %info, ptr %made, i32 0, i32 4
  %before = load ptr, ptr %at3
  %old_size = load i64, ptr %at4
  %fewer = icmp ult i64 %size, %old_size
  %copied = select i1 %fewer, i64 %size, i64 %old_size
  %length = trunc i64 %copied to i32
  %data = call ptr @NRT_Allocate(i64 %size)
  call void @llvm.memcpy.p0.p0.i32(ptr %data, ptr %before, i32 %length, i1 false)
  call void @NRT_Free(ptr %before)
  store ptr %data, ptr %at3
  store i64 %size, ptr %at4
  ret ptr %data
}

define linkonce_odr void @NRT_MemInfo_varsize_free(ptr %made, ptr %data) {
  call void @NRT_Free(ptr %data)
  %at3 = getelementptr %info, ptr %made, i32 0, i32 3
  %now = load ptr, ptr %at3
  %same = icmp eq ptr %now, %data
  %left = select i1 %same, ptr null, ptr %now
  store ptr %left, ptr %at3
  ret void
}

define linkonce_odr void @NRT_MemInfo_call_dtor(ptr %made) {
  %at1 = getelementptr %info, ptr %made, i32 0, i32 1
  %destructor = load ptr, ptr %at1
  %plain = icmp eq ptr %destructor, null
  br i1 %plain, label %free, label %own
own:
  %at2 = getelementptr %info, ptr %made, i32 0, i32 2
  %information = load ptr, ptr %at2
  %at3 = getelementptr %info, ptr %made, i32 0, i32 3
  %data = load ptr, ptr %at3
  %at4 = getelementptr %info, ptr %made, i32 0, i32 4
  %size = load i64, ptr %at4
  call void %destructor(ptr %data, i64 %size, ptr %information)
  br label %free
free:
  call void @NRT_Free(ptr %made)
  ret void
}

define linkonce_odr void @NRT_incref(ptr %made) alwaysinline {
  %nothing = icmp eq ptr %made, null
  br i1 %nothing, label %done, label %some
some:
  %users = load i64, ptr %made
  %more = add i64 %users, 1
  store i64 %more, ptr %made
  br label %done
done:
  ret void
}

define linkonce_odr void @NRT_decref(ptr %made) {
  %nothing = icmp eq ptr %made, null
  br i1 %nothing, label %done, label %some
some:
  %users = load i64, ptr %made
  %fewer = sub i64 %users, 1
  store i64 %fewer, ptr %made
  %unused = icmp eq i64 %fewer, 0
  br i1 %unused, label %free, label %done
free:
  call void @NRT_MemInfo_call_dtor(ptr %made)
  br label %done
done:
  ret void
}
"""


MULTIPLIED = "mul.with.overflow.i64"
"""The intrinsic of LLVM, in assembly, for which it calls `__multi3`."""

MULTIPLY = """
define void @__multi3(ptr %out, i64 %a, i64 %a_high, i64 %b, i64 %b_high) noinline optnone {
  %a0 = and i64 %a, 4294967295
  %a1 = lshr i64 %a, 32
  %b0 = and i64 %b, 4294967295
  %b1 = lshr i64 %b, 32
  %p00 = mul i64 %a0, %b0
  %p01 = mul i64 %a0, %b1
  %p10 = mul i64 %a1, %b0
  %p11 = mul i64 %a1, %b1
  %p00_high = lshr i64 %p00, 32
  %p01_low = and i64 %p01, 4294967295
  %middle0 = add i64 %p00_high, %p01_low
  %p10_low = and i64 %p10, 4294967295
  %middle = add i64 %middle0, %p10_low
  %carry = lshr i64 %middle, 32
  %p01_high = lshr i64 %p01, 32
  %p10_high = lshr i64 %p10, 32
  %h0 = add i64 %p11, %carry
  %h1 = add i64 %h0, %p01_high
  %h2 = add i64 %h1, %p10_high
  %cross0 = mul i64 %a_high, %b
  %cross1 = mul i64 %a, %b_high
  %h3 = add i64 %h2, %cross0
  %high = add i64 %h3, %cross1
  %low = mul i64 %a, %b
  store i64 %low, ptr %out
  %second = getelementptr i8, ptr %out, i32 8
  store i64 %high, ptr %second
  ret void
}
"""
"""The product of two numbers of 128 bits, which compilers expect to find under this name. It is not optimised, since
LLVM would see that it multiplies, and let it call itself."""


RESHAPE = "numba_attempt_nocopy_reshape"

RESHAPED = """
define linkonce_odr i32 @numba_attempt_nocopy_reshape(
    i64 %number, ptr %lengths, ptr %steps, i64 %new_number, ptr %new_lengths, ptr %new_steps, i64 %size, i32 %columns) {
start:
  br label %old
old:
  %i = phi i64 [ %number, %start ], [ %place, %next_old ]
  %expected = phi i64 [ %size, %start ], [ %whole, %next_old ]
  %place = sub i64 %i, 1
  %end = icmp eq i64 %i, 0
  br i1 %end, label %new, label %look
look:
  %at_length = getelementptr i64, ptr %lengths, i64 %place
  %length = load i64, ptr %at_length
  %at_step = getelementptr i64, ptr %steps, i64 %place
  %step = load i64, ptr %at_step
  %as_expected = icmp eq i64 %step, %expected
  %single = icmp eq i64 %length, 1
  %fine = or i1 %as_expected, %single
  br i1 %fine, label %next_old, label %scattered
next_old:
  %whole = mul i64 %expected, %length
  br label %old
new:
  %j = phi i64 [ %new_number, %old ], [ %new_place, %write ]
  %stride = phi i64 [ %size, %old ], [ %longer, %write ]
  %new_place = sub i64 %j, 1
  %new_end = icmp eq i64 %j, 0
  br i1 %new_end, label %done, label %write
write:
  %at_new_step = getelementptr i64, ptr %new_steps, i64 %new_place
  store i64 %stride, ptr %at_new_step
  %at_new_length = getelementptr i64, ptr %new_lengths, i64 %new_place
  %new_length = load i64, ptr %at_new_length
  %longer = mul i64 %stride, %new_length
  br label %new
done:
  ret i32 1
scattered:
  ret i32 0
}
"""
"""The strides of an array in another shape (Numba's `reshape`), if its elements lie side by side; 0 if they do not."""


def runtime(heap: tuple[int, int]) -> str:
    """The runtime with a heap at this address and of this size."""
    start, size = heap
    text = _RUNTIME
    for name, value in (("HEAP_START", start), ("HEAP_END", start + size), ("HEAP_SIZE", size)):
        text = text.replace(name, str(value))
    return text
