"""The few calls of the Linux kernel that Python has no name for."""

import ctypes
import os
import platform
import struct
import sys
from collections.abc import Iterable
from typing import Any

LINUX = sys.platform == "linux"

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_SECCOMP = 22
PR_CAPBSET_DROP = 24
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38
SECCOMP_MODE_FILTER = 2

_SMALL_BYTES = 4096
_CAPABILITIES = (6, 7, 18, 8)  # SETGID, SETUID, SYS_CHROOT, and last the one that it takes: SETPCAP

# What a bot may call, and nothing else: numbers on x86_64 and aarch64 (None where that machine has no such call). What
# the container's profile leaves out is missing here as well, for gVisor takes no profile; and of what the profile
# allows, whatever only the start of a container needs, the keeper, or nobody who plays.
_NUMBERS: dict[str, tuple[int | None, int | None]] = {
    "access": (21, None),
    "alarm": (37, None),
    "brk": (12, 214),
    "chdir": (80, 49),
    "clock_getres": (229, 114),
    "clock_gettime": (228, 113),
    "clock_nanosleep": (230, 115),
    "clone": (56, 220),
    "clone3": (435, 435),
    "close": (3, 57),
    "close_range": (436, 436),
    "dup": (32, 23),
    "dup2": (33, None),
    "dup3": (292, 24),
    "epoll_create1": (291, 20),
    "epoll_ctl": (233, 21),
    "epoll_pwait": (281, 22),
    "epoll_wait": (232, None),
    "exit": (60, 93),
    "exit_group": (231, 94),
    "faccessat": (269, 48),
    "faccessat2": (439, 439),
    "fchdir": (81, 50),
    "fcntl": (72, 25),
    "fork": (57, None),
    "fstat": (5, 80),
    "futex": (202, 98),
    "getcwd": (79, 17),
    "getdents": (78, None),
    "getdents64": (217, 61),
    "getegid": (108, 177),
    "geteuid": (107, 175),
    "getgid": (104, 176),
    "getgroups": (115, 158),
    "getitimer": (36, 102),
    "getpgid": (121, 155),
    "getpgrp": (111, None),
    "getpid": (39, 172),
    "getppid": (110, 173),
    "getpriority": (140, 141),
    "getrandom": (318, 278),
    "getresgid": (120, 150),
    "getresuid": (118, 148),
    "getrlimit": (97, 163),
    "getrusage": (98, 165),
    "getsid": (124, 156),
    "gettid": (186, 178),
    "gettimeofday": (96, 169),
    "getuid": (102, 174),
    "ioctl": (16, 29),
    "kill": (62, 129),
    "lseek": (8, 62),
    "lstat": (6, None),
    "madvise": (28, 233),
    "mmap": (9, 222),
    "mprotect": (10, 226),
    "mremap": (25, 216),
    "munmap": (11, 215),
    "nanosleep": (35, 101),
    "newfstatat": (262, 79),
    "open": (2, None),
    "openat": (257, 56),
    "pause": (34, None),
    "poll": (7, None),
    "ppoll": (271, 73),
    "pread64": (17, 67),
    "preadv": (295, 69),
    "prlimit64": (302, 261),
    "pselect6": (270, 72),
    "read": (0, 63),
    "readlink": (89, None),
    "readlinkat": (267, 78),
    "readv": (19, 65),
    "recvfrom": (45, 207),
    "restart_syscall": (219, 128),
    "rt_sigaction": (13, 134),
    "rt_sigpending": (127, 136),
    "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139),
    "rt_sigsuspend": (130, 133),
    "rt_sigtimedwait": (128, 137),
    "sched_get_priority_max": (146, 125),
    "sched_get_priority_min": (147, 126),
    "sched_getaffinity": (204, 123),
    "sched_getparam": (143, 121),
    "sched_getscheduler": (145, 120),
    "sched_yield": (24, 124),
    "select": (23, None),
    "sendto": (44, 206),
    "setitimer": (38, 103),
    "setrlimit": (160, 164),
    "shutdown": (48, 210),
    "sigaltstack": (131, 132),
    "stat": (4, None),
    "tgkill": (234, 131),
    "time": (201, None),
    "times": (100, 153),
    "tkill": (200, 130),
    "umask": (95, 166),
    "uname": (63, 160),
    "vfork": (58, None),
    "wait4": (61, 260),
    "waitid": (247, 95),
    "write": (1, 64),
    "writev": (20, 66),
}

# Making a process or a thread fails the way it does at RLIMIT_NPROC (EAGAIN); what is not named is not permitted.
_NO_PROCESS = ("clone", "fork", "vfork")
_NOT_THERE = ("clone3",)  # ENOSYS: the C library then falls back to clone

# Zero is the caller itself as well: its own limits, its own group.
_ONLY_SELF = (0, (0, None))
# Number of an argument, and what it may be; None is the number of the process itself.
_ONLY_VALUES: dict[str, tuple[int, tuple[int | None, ...]]] = {
    "kill": _ONLY_SELF,
    "prlimit64": _ONLY_SELF,
    "tgkill": _ONLY_SELF,
    "tkill": _ONLY_SELF,
    # F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC. No locks: all have the null device in common. And
    # nothing that has the kernel signal whoever a descriptor is said to belong to (F_SETOWN, F_NOTIFY, FIOSETOWN).
    "fcntl": (1, (0, 1, 2, 3, 4, 1030)),
    # TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX
    "ioctl": (1, (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)),
    # WAIT, WAKE, REQUEUE, CMP_REQUEUE, WAKE_OP, WAIT_BITSET, WAKE_BITSET, and waiting by the clock on the wall. All of
    # them private: who sleeps on a word of a file of the image can be woken from another container that was made of it.
    "futex": (1, (0x80, 0x81, 0x83, 0x84, 0x85, 0x89, 0x8A, 0x180, 0x189)),
    # NORMAL, RANDOM, SEQUENTIAL, WILLNEED, DONTNEED, FREE, HUGEPAGE, NOHUGEPAGE. Nothing that lets pages be merged with
    # those of others, or has the kernel put away a page sooner that others have as well.
    "madvise": (2, (0, 1, 2, 3, 4, 8, 14, 15)),
}
# Number of an argument, and the bits that may not be set in it.
_NO_BITS: dict[str, tuple[int, int]] = {
    # GRND_RANDOM: before Linux 5.6 from a store that all share, and that can be emptied.
    "getrandom": (2, 0x2),
    # The clocks of CPU time of other processes: the keeper's would tell how it fared after the game before.
    "clock_getres": (0, 0x80000000),
    "clock_gettime": (0, 0x80000000),
    "clock_nanosleep": (0, 0x80000000),
}
# No memory to share, of which the kernel numbers the pieces, one after the other on the whole host, and tells; and none
# of the huge pages that it may have in store, one store for all.
_OWN_MEMORY = "mmap"
_FREELY = tuple(
    name for name in _NUMBERS if name not in (*_NO_PROCESS, *_NOT_THERE, *_ONLY_VALUES, *_NO_BITS, _OWN_MEMORY)
)

_NO_PROCESS_YET = 0x7FFFFFFF  # in a program that waits for its process; no process has this number
_EPERM, _EAGAIN, _ENOSYS = 1, 11, 38
_ALLOW, _ERRNO, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_AT_NUMBER, _AT_MACHINE, _AT_ARGUMENTS, _ARGUMENT_BYTES = 0, 4, 16, 8
_MAP_FLAGS, _MAP_SHARED, _MAP_ANONYMOUS, _MAP_HUGETLB = 3, 0x01, 0x20, 0x40000
_MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
_X32 = 0x40000000
_INSTRUCTION_BYTES, _VALUE_OFFSET = 8, 4


# Looked up once, in the keeper: each game's process is a copy of it.
_prctl: Any = ctypes.CDLL(None, use_errno=True).prctl if LINUX else None
if _prctl is not None:
    _prctl.argtypes = (ctypes.c_int, *[ctypes.c_ulong] * 4)


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p))


def prctl(option: int, first: int = 0, second: int = 0) -> None:
    """Call prctl(2); OSError where the kernel refuses."""
    if _prctl(option, first, second, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), f"prctl({option}) was refused")


def read_small(folder: int, name: str) -> bytes:
    """What a file of /proc says that has but a line or two. `folder`: a descriptor of /proc, which has no name here."""
    file = os.open(name, os.O_RDONLY, dir_fd=folder)
    try:
        return os.read(file, _SMALL_BYTES)
    finally:
        os.close(file)


def enter(room: str, user: int) -> None:
    """Shut this process up in a folder, and make it a user without any right, for good. Needs to be root.

    The way out of a folder is a capability or a descriptor of something outside, and a bot's process has neither.
    Raises OSError where the engine has not given what this takes.
    """
    try:
        os.chroot(room)
        os.chdir("/")
        for capability in _CAPABILITIES:
            prctl(PR_CAPBSET_DROP, capability)
        become(user)
    except OSError as error:
        raise OSError(f"it cannot shut itself up in {room}, for which it needs four capabilities: {error}") from error


def become(user: int) -> None:
    """Be this user and this group and no other from now on. Needs to be root."""
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


def can_filter() -> bool:
    """Whether `filter_calls` knows this machine's system calls."""
    return LINUX and platform.machine() in _MACHINES


def filter_program(machine: str, own_pid: int) -> list[tuple[int, int, int, int]]:
    """The filter as classic BPF, one (code, jump if true, jump if false, value) an instruction.

    The layout of what it reads is `struct seccomp_data` of linux/seccomp.h: number, machine, address, arguments.
    """
    column, audit = _MACHINES[machine]

    def numbers(names: Iterable[str]) -> list[int]:
        return [number for name in names if (number := _NUMBERS[name][column]) is not None]

    def argument(which: int) -> tuple[int, int, int, int]:
        return (_LOAD, 0, 0, _AT_ARGUMENTS + which * _ARGUMENT_BYTES)  # its lower half: no bit counts of the upper one

    allow, refuse = (_RETURN, 0, 0, _ALLOW), (_RETURN, 0, 0, _ERRNO | _EPERM)
    program = [
        (_LOAD, 0, 0, _AT_MACHINE),
        (_EQUAL, 1, 0, audit),
        (_RETURN, 0, 0, _KILL),  # a call by another machine's numbers: nothing here would mean what it says
        (_LOAD, 0, 0, _AT_NUMBER),
    ]
    if machine == "x86_64":
        program += [(_AT_LEAST, 0, 1, _X32), (_RETURN, 0, 0, _ERRNO | _ENOSYS)]
    freely = numbers(_FREELY)
    program += [(_EQUAL, len(freely) - place, 0, number) for place, number in enumerate(freely)]
    program += [(_EQUAL, 0, 1, freely[0]), allow]  # what none of them has led to the second of these skips it
    for names, answer in ((_NO_PROCESS, _EAGAIN), (_NOT_THERE, _ENOSYS)):
        for number in numbers(names):
            program += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _ERRNO | answer)]
    for name, (which, values) in _ONLY_VALUES.items():
        for number in numbers([name]):
            program += [
                (_EQUAL, 0, len(values) + 3, number),
                argument(which),
                *(
                    (_EQUAL, len(values) - place, 0, own_pid if value is None else value)
                    for place, value in enumerate(values)
                ),
                refuse,
                allow,
            ]
    for name, (which, bits) in _NO_BITS.items():
        for number in numbers([name]):
            program += [(_EQUAL, 0, 4, number), argument(which), (_ANY_BIT, 0, 1, bits), refuse, allow]
    for number in numbers([_OWN_MEMORY]):
        program += [
            (_EQUAL, 0, 6, number),
            argument(_MAP_FLAGS),
            (_ANY_BIT, 2, 0, _MAP_HUGETLB),
            (_ANY_BIT, 0, 2, _MAP_SHARED),
            (_ANY_BIT, 0, 1, _MAP_ANONYMOUS),
            refuse,
            allow,
        ]
    program.append(refuse)
    return program


class CallFilter:
    """Takes from a process, for good, what a bot has no use for: processes, threads, sockets, signals to others.

    It is the second wall behind the container's profile, and the only one under gVisor and in the `process` backend.
    Made once by the keeper, laid by each game's process on itself.
    """

    def __init__(self) -> None:
        program = filter_program(platform.machine(), _NO_PROCESS_YET)
        code = b"".join(struct.pack("=HBBI", *instruction) for instruction in program)
        self._code = ctypes.create_string_buffer(code, len(code))
        self._own_pids = [
            _INSTRUCTION_BYTES * index + _VALUE_OFFSET
            for index, (code, _, _, value) in enumerate(program)
            if code == _EQUAL and value == _NO_PROCESS_YET
        ]
        self._header = _Program(len(program), ctypes.cast(self._code, ctypes.c_void_p))

    def lay(self) -> None:
        """Lay the filter on this process; it can never be taken off."""
        pid = os.getpid()
        for offset in self._own_pids:
            struct.pack_into("=I", self._code, offset, pid)
        prctl(PR_SET_NO_NEW_PRIVS, 1)
        # It takes prctl as well: a process that can be dumped again owns its files in /proc, and has the host write its
        # core when it crashes; one that lays filters can have the kernel write each of its calls into the host's log.
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.addressof(self._header))
