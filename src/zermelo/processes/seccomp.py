"""A filter of system calls (seccomp) for a process that runs the code of somebody else.

A game needs memory, files in `/tmp`, time and threads. The filter refuses what has no place in one: to start programs
or processes, to look into other processes, to mount, to make namespaces, sockets and keys, to load code into the kernel
and to set clocks. It is a second wall: most of this is impossible in the sandbox (sandbox.py) anyway, but each refused
call is a part of the kernel in which a mistake does no harm.

The process puts on the filter itself, before it reads any file of a user, because bubblewrap would have to do so before
the interpreter starts: then the filter could not forbid to start programs. It can never be taken off again, not even
by another program, and every thread gets it.

Since there can be only one process, the limit on its memory is the limit on all memory of the sandbox. For the same
reason memory is refused that no process has to hold (memfd_create, shared memory of System V).
"""

import ctypes
import errno
import os
import platform
import struct
from collections.abc import Iterator

X86_64, AARCH64 = "x86_64", "aarch64"
MACHINES = {X86_64: 0xC000003E, AARCH64: 0xC00000B7}
"""The machines whose calls we know, with the number by which the kernel names them (AUDIT_ARCH)."""

REFUSED: dict[str, tuple[int | None, int | None]] = {
    # programs and processes
    "execve": (59, 221),
    "execveat": (322, 281),
    "fork": (57, None),
    "vfork": (58, None),
    # other processes
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "process_mrelease": (448, 448),
    "kcmp": (312, 272),
    "pidfd_open": (434, 434),
    "pidfd_getfd": (438, 438),
    "pidfd_send_signal": (424, 424),
    # keys
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    # files elsewhere
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "statmount": (457, 457),
    "listmount": (458, 458),
    "open_tree_attr": (467, 467),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "fanotify_init": (300, 262),
    "fanotify_mark": (301, 263),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    # namespaces
    "unshare": (272, 97),
    "setns": (308, 268),
    # the kernel
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "create_module": (174, None),
    "query_module": (178, None),
    "get_kernel_syms": (177, None),
    "reboot": (169, 142),
    "syslog": (103, 116),
    "acct": (163, 89),
    "personality": (135, 92),
    "iopl": (172, None),
    "ioperm": (173, None),
    "modify_ldt": (154, None),
    "lookup_dcookie": (212, 18),
    "nfsservctl": (180, 42),
    "uselib": (134, None),
    "ustat": (136, None),
    "sysfs": (139, None),
    "_sysctl": (156, None),
    "vhangup": (153, 58),
    # clocks and names of the machine
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "adjtimex": (159, 171),
    "clock_adjtime": (305, 266),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    # memory that no process has to hold
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "shmctl": (31, 195),
    "shmat": (30, 196),
    "msgget": (68, 186),
    "msgsnd": (69, 189),
    "semget": (64, 190),
    "mq_open": (240, 180),
    "mbind": (237, 235),
    "set_mempolicy": (238, 237),
    "migrate_pages": (256, 238),
    "move_pages": (279, 239),
    # the network; pairs of sockets that are connected to each other remain
    "socket": (41, 198),
}
"""The numbers of refused calls on the two machines; None where a machine has no such call."""

CLONE, CLONE3, SOCKETPAIR, IOCTL = (56, 220), (435, 435), (53, 199), (16, 29)
CLONE_THREAD = 0x00010000
NEW_NAMESPACES = 0x7E020080
"""All flags of clone() that make namespaces."""
AF_UNIX = 1
TERMINAL = (0x5412, 0x541C)
"""TIOCSTI, which types in a terminal, and TIOCLINUX, which pastes."""
X32 = 0x40000000
"""From this number on, calls belong to the x32 system, which has numbers of its own on the same machine."""

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _MACHINE, _FIRST, _SECOND = 0, 4, 16, 24  # where the kernel puts the call, the machine and the arguments
_ALLOW, _KILL, _ERROR = 0x7FFF0000, 0x80000000, 0x00050000

_NO_NEW_PRIVILEGES, _SET_FILTER, _FILTER = 38, 22, 2

Instruction = tuple[int, int, int, int]


def machine() -> str | None:
    """The machine on which we are, if its calls are known here."""
    name = {"AMD64": X86_64, "arm64": AARCH64}.get(platform.machine(), platform.machine())
    return name if name in MACHINES and struct.calcsize("P") == 8 else None


def program(name: str) -> bytes:
    """The filter for a machine, in the form that the kernel reads (classic BPF, eight bytes for each instruction)."""
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in _instructions(name))


def _instructions(name: str) -> Iterator[Instruction]:
    at = list(MACHINES).index(name)
    refuse = (_RETURN, 0, 0, _ERROR | errno.EPERM)
    unknown = (_RETURN, 0, 0, _ERROR | errno.ENOSYS)
    allow = (_RETURN, 0, 0, _ALLOW)
    yield _LOAD, 0, 0, _MACHINE
    yield _EQUAL, 1, 0, MACHINES[name]
    yield _RETURN, 0, 0, _KILL  # a call in the manner of another machine has other numbers
    yield _LOAD, 0, 0, _NUMBER
    if name == X86_64:
        yield _AT_LEAST, 0, 1, X32
        yield refuse
    for numbers in REFUSED.values():
        if numbers[at] is not None:
            yield _EQUAL, 0, 1, numbers[at]  # type: ignore[misc]
            yield refuse
    yield _EQUAL, 0, 1, CLONE3[at]  # its flags are in memory, where no filter can look; the library then uses clone
    yield unknown
    yield _EQUAL, 0, 5, CLONE[at]
    yield _LOAD, 0, 0, _FIRST
    yield _ANY_BIT, 1, 0, NEW_NAMESPACES
    yield _ANY_BIT, 1, 0, CLONE_THREAD
    yield refuse
    yield allow
    yield _EQUAL, 0, 4, SOCKETPAIR[at]
    yield _LOAD, 0, 0, _FIRST
    yield _EQUAL, 1, 0, AF_UNIX
    yield refuse
    yield allow
    yield _EQUAL, 0, 5, IOCTL[at]
    yield _LOAD, 0, 0, _SECOND
    yield _EQUAL, 1, 0, TERMINAL[0]
    yield _EQUAL, 0, 1, TERMINAL[1]
    yield refuse
    yield allow
    yield allow


def put_on() -> None:
    """Put the filter on this process, for good. OSError if that is not possible."""
    name = machine()
    if name is None:
        raise OSError(errno.ENOSYS, f"no filter of system calls for {platform.machine()}")
    code = program(name)
    kept = ctypes.create_string_buffer(code, len(code))

    class Program(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_void_p))

    system = ctypes.CDLL(None, use_errno=True)
    whole = Program(len(code) // 8, ctypes.cast(kept, ctypes.c_void_p))
    for step in ((_NO_NEW_PRIVILEGES, 1, 0), (_SET_FILTER, _FILTER, ctypes.byref(whole))):
        if system.prctl(step[0], step[1], step[2], 0, 0) != 0:
            number = ctypes.get_errno()
            raise OSError(number, f"the filter of system calls cannot be put on: {os.strerror(number)}")
