"""The few calls of the Linux kernel that Python has no name for."""

import ctypes
import os
import platform
import struct
import sys
from collections.abc import Sequence
from typing import Any

LINUX = sys.platform == "linux"

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_SECCOMP = 22
PR_CAPBSET_DROP = 24
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38
SECCOMP_MODE_FILTER = 2

_CAPABILITIES = (6, 7, 18, 8)  # SETGID, SETUID, SYS_CHROOT, and last the one that it takes: SETPCAP

# Numbers of the system calls, x86_64 and aarch64 (None where that machine has no such call).
_NUMBERS: dict[str, tuple[int | None, int | None]] = {
    "add_key": (248, 217),
    "bind": (49, 200),
    "bpf": (321, 280),
    "cachestat": (451, 451),
    "chroot": (161, 51),
    "clone": (56, 220),
    "clone3": (435, 435),
    "connect": (42, 203),
    "execve": (59, 221),
    "execveat": (322, 281),
    "fadvise64": (221, 223),
    "fanotify_init": (300, 262),
    "fcntl": (72, 25),
    "flock": (73, 32),
    "fork": (57, None),
    "fstatfs": (138, 44),
    "futex": (202, 98),
    "futex_requeue": (456, 456),
    "futex_wait": (455, 455),
    "futex_waitv": (449, 449),
    "futex_wake": (454, 454),
    "futimesat": (261, None),
    "getsockopt": (55, 209),
    "inotify_init": (253, None),
    "inotify_init1": (294, 26),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "io_uring_setup": (425, 425),
    "ioctl": (16, 29),
    "ioprio_set": (251, 30),
    "kcmp": (312, 272),
    "keyctl": (250, 219),
    "kill": (62, 129),
    "listen": (50, 201),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "migrate_pages": (256, 238),
    "mincore": (27, 232),
    "mknod": (133, None),
    "mknodat": (259, 33),
    "mount": (165, 40),
    "mmap": (9, 222),
    "move_pages": (279, 239),
    "mq_getsetattr": (245, 185),
    "mq_notify": (244, 184),
    "mq_open": (240, 180),
    "mq_timedreceive": (243, 183),
    "mq_timedsend": (242, 182),
    "mq_unlink": (241, 181),
    "msgctl": (71, 187),
    "msgget": (68, 186),
    "msgrcv": (70, 188),
    "msgsnd": (69, 189),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "perf_event_open": (298, 241),
    "pidfd_getfd": (438, 438),
    "pidfd_open": (434, 434),
    "pidfd_send_signal": (424, 424),
    "pipe": (22, None),
    "pipe2": (293, 59),
    "pivot_root": (155, 41),
    "prctl": (157, 167),
    "preadv2": (327, 286),
    "prlimit64": (302, 261),
    "process_madvise": (440, 440),
    "process_mrelease": (448, 448),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "ptrace": (101, 117),
    "pwritev2": (328, 287),
    "readahead": (187, 213),
    "recvmmsg": (299, 243),
    "recvmsg": (47, 212),
    "request_key": (249, 218),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    "sched_setaffinity": (203, 122),
    "sched_setattr": (314, 274),
    "sched_setparam": (142, 118),
    "sched_setscheduler": (144, 119),
    "seccomp": (317, 277),
    "semctl": (66, 191),
    "semget": (64, 190),
    "semop": (65, 193),
    "semtimedop": (220, 192),
    "sendmmsg": (307, 269),
    "sendmsg": (46, 211),
    "setns": (308, 268),
    "setgroups": (116, 159),
    "setpgid": (109, 154),
    "setpriority": (141, 140),
    "setresgid": (119, 149),
    "setresuid": (117, 147),
    "setsid": (112, 157),
    "setsockopt": (54, 208),
    "shmat": (30, 196),
    "shmctl": (31, 195),
    "shmget": (29, 194),
    "socket": (41, 198),
    "socketpair": (53, 199),
    "statfs": (137, 43),
    "sysinfo": (99, 179),
    "syslog": (103, 116),
    "tgkill": (234, 131),
    "tkill": (200, 130),
    "umount2": (166, 39),
    "unshare": (272, 97),
    "userfaultfd": (323, 282),
    "utime": (132, None),
    "utimensat": (280, 88),
    "utimes": (235, None),
    "vfork": (58, None),
}

# What the bot may not do, although the keeper must, or the runtime in use lays no profile of the container's on it.
# Making a process or a thread fails the way it does at RLIMIT_NPROC (EAGAIN); the rest is simply not permitted.
_NO_PROCESS = ("clone", "fork", "vfork")
_NOT_THERE = ("clone3",)  # ENOSYS: the C library then falls back to clone
_ONLY_SELF = ("kill", "prlimit64", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "tgkill", "tkill")
# The others would have the kernel signal whoever a descriptor is said to belong to (F_SETOWN, F_NOTIFY, FIOSETOWN).
_ONLY_COMMANDS = {
    # F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC. No locks: all have the null device in common.
    "fcntl": (0, 1, 2, 3, 4, 1030),
    # TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX
    "ioctl": (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451),
}
# Who sleeps on a word of a file of the image can be woken from another container that was made of it.
_ONLY_PRIVATE = ("futex",)
# The kernel numbers the pieces of memory that could be shared, one after the other on the whole host, and tells.
_NOT_SHARED = ("mmap",)
_FORBIDDEN = tuple(
    name
    for name in _NUMBERS
    if name not in (*_NO_PROCESS, *_NOT_THERE, *_ONLY_SELF, *_ONLY_COMMANDS, *_ONLY_PRIVATE, *_NOT_SHARED)
)

_EPERM, _EAGAIN, _ENOSYS = 1, 11, 38
_ALLOW, _ERRNO, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_AT_NUMBER, _AT_MACHINE, _AT_FIRST_ARGUMENT, _AT_SECOND_ARGUMENT, _AT_FOURTH_ARGUMENT = 0, 4, 16, 24, 40
_FUTEX_PRIVATE, _MAP_SHARED, _MAP_ANONYMOUS = 0x80, 0x01, 0x20
_MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
_X32 = 0x40000000
_OWN_PID = 0x7FFFFFFF  # in a program that waits for its process; no process has this number
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

    def numbers(names: Sequence[str]) -> list[int]:
        return [number for name in names if (number := _NUMBERS[name][column]) is not None]

    program = [
        (_LOAD, 0, 0, _AT_MACHINE),
        (_EQUAL, 1, 0, audit),
        (_RETURN, 0, 0, _KILL),  # a call by another machine's numbers: nothing here would mean what it says
        (_LOAD, 0, 0, _AT_NUMBER),
    ]
    if machine == "x86_64":
        program += [(_AT_LEAST, 0, 1, _X32), (_RETURN, 0, 0, _ERRNO | _ENOSYS)]
    for names, answer in (
        (_NO_PROCESS, _ERRNO | _EAGAIN),
        (_NOT_THERE, _ERRNO | _ENOSYS),
        (_FORBIDDEN, _ERRNO | _EPERM),
    ):
        for number in numbers(names):
            program += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, answer)]
    for number in numbers(_ONLY_SELF):
        program += [
            (_EQUAL, 0, 5, number),
            (_LOAD, 0, 0, _AT_FIRST_ARGUMENT),
            (_EQUAL, 2, 0, 0),  # zero is the caller itself: its own limits, its own group
            (_EQUAL, 1, 0, own_pid),
            (_RETURN, 0, 0, _ERRNO | _EPERM),
            (_RETURN, 0, 0, _ALLOW),
        ]
    for name, commands in _ONLY_COMMANDS.items():
        for number in numbers([name]):
            program += [
                (_EQUAL, 0, len(commands) + 3, number),
                (_LOAD, 0, 0, _AT_SECOND_ARGUMENT),
                *((_EQUAL, len(commands) - index, 0, command) for index, command in enumerate(commands)),
                (_RETURN, 0, 0, _ERRNO | _EPERM),
                (_RETURN, 0, 0, _ALLOW),
            ]
    for number in numbers(_ONLY_PRIVATE):
        program += [
            (_EQUAL, 0, 4, number),
            (_LOAD, 0, 0, _AT_SECOND_ARGUMENT),
            (_ANY_BIT, 1, 0, _FUTEX_PRIVATE),
            (_RETURN, 0, 0, _ERRNO | _EPERM),
            (_RETURN, 0, 0, _ALLOW),
        ]
    for number in numbers(_NOT_SHARED):
        program += [
            (_EQUAL, 0, 5, number),
            (_LOAD, 0, 0, _AT_FOURTH_ARGUMENT),
            (_ANY_BIT, 0, 2, _MAP_SHARED),
            (_ANY_BIT, 0, 1, _MAP_ANONYMOUS),
            (_RETURN, 0, 0, _ERRNO | _EPERM),
            (_RETURN, 0, 0, _ALLOW),
        ]
    program.append((_RETURN, 0, 0, _ALLOW))
    return program


class CallFilter:
    """Takes from a process, for good, what a bot has no use for: processes, threads, sockets, signals to others.

    It is the second wall behind the container's profile, and the only one in the `process` backend. Made once by the
    keeper, laid by each game's process on itself.
    """

    def __init__(self) -> None:
        program = filter_program(platform.machine(), _OWN_PID)
        code = b"".join(struct.pack("=HBBI", *instruction) for instruction in program)
        self._code = ctypes.create_string_buffer(code, len(code))
        self._own_pids = [
            _INSTRUCTION_BYTES * index + _VALUE_OFFSET
            for index, (code, _, _, value) in enumerate(program)
            if code == _EQUAL and value == _OWN_PID
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
