"""Makes things that the kernel numbers one after the other on each CPU, until its next game can read the count off one."""
# family: between-games
# verdict: none
# backends: docker

import contextlib
import ctypes
import os
import socket

from arena import Bot

libc = ctypes.CDLL(None, use_errno=True)


def of(descriptor):
    if descriptor < 0:
        raise OSError(ctypes.get_errno(), "refused")
    try:
        return os.fstat(descriptor).st_ino
    finally:
        os.close(descriptor)


def pair():
    one, other = socket.socketpair()
    with one, other:
        return os.fstat(one.fileno()).st_ino


def pipe():
    reading, writing = os.pipe()
    os.close(writing)
    return of(reading)


def copy():
    """A file that was opened anew has the number that it had."""
    return of(os.dup(3))


def looked_up():
    """The kernel makes the file of a descriptor in /proc as it is looked for, and forgets it when it is missed there."""
    copied = os.dup(0)
    path = f"/proc/self/fd/{copied}"
    try:
        return os.lstat(path).st_ino
    finally:
        os.close(copied)
        os.path.exists(path)


NEW = (
    pipe,
    pair,
    copy,
    looked_up,
    lambda: of(socket.socket(socket.AF_UNIX).detach()),
    lambda: of(libc.memfd_create(b"left", 0)),
    lambda: of(libc.eventfd(0, 0)),
    lambda: of(libc.epoll_create1(0)),
    lambda: of(libc.timerfd_create(1, 0)),
    lambda: of(libc.signalfd(-1, ctypes.create_string_buffer(128), 0)),
    lambda: of(libc.inotify_init1(0)),
    lambda: of(libc.syscall(434, os.getpid(), 0)),
    lambda: of(os.open("/dev/ptmx", os.O_RDWR)),
)


class Hostile(Bot):
    def act(self, view):
        for number, new in enumerate(NEW):
            with contextlib.suppress(OSError):
                if (first := new()) != (second := new()):
                    raise SystemError(f"way {number} counts: {first}, {second}")
        return view.legal[0]
