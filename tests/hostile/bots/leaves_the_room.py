"""Looks for a way out of the folder that it is shut up in, to where /proc, /sys and the devices are."""
# family: reach
# verdict: none
# backends: docker

import ctypes
import os

from arena import Bot

OUTSIDE = ("proc", "sys", "room", ".dockerenv", "dev/zero", "dev/tty", "dev/shm", "dev/mqueue", "dev/pts")
OPEN_TREE, OPENAT2 = 428, 437
HERE = -100  # AT_FDCWD
libc = ctypes.CDLL(None, use_errno=True)


def seen(folder=None):
    """What can be seen of the outside from a folder (None: where this process is)."""
    for name in OUTSIDE:
        for way in ("", "/", "../", "../../../../", "/../", "/../../", "/box/../../", "/usr/../../"):
            try:
                os.stat(way + name, dir_fd=folder)
            except (OSError, NotImplementedError):
                continue
            yield way + name


def ways_out():
    yield "as it is", None
    for place in ("/", "/usr", "/box/bot", "/dev"):
        os.chdir(place)
        yield f"from {place}", None
        # The old way out: a root below the folder that one stands in.
        for room in ("/usr", "/box", "/tmp"):
            try:
                os.chroot(room)
            except OSError:
                continue
            for _ in range(64):
                os.chdir("..")
            os.chroot(".")
            yield f"by another root, {room}", None
    for number in range(64):
        yield f"from descriptor {number}", number
        try:
            os.fchdir(number)
        except OSError:
            continue
        yield f"by changing to descriptor {number}", None
    for number in (OPEN_TREE, OPENAT2):
        descriptor = libc.syscall(number, HERE, b"../../..", 0, 0)
        if descriptor >= 0:
            yield f"by system call {number}", descriptor
    for call in (libc.setuid, libc.setgid):
        call(0)
    yield "as root", None


class Hostile(Bot):
    tried = False

    def act(self, view):
        if not self.tried:
            self.tried = True
            for way, folder in ways_out():
                for found in seen(folder):
                    raise SystemError(f"{way}: {found}")
            if sorted(os.listdir("/")) != sorted(os.listdir("/..")):
                raise SystemError("there is something above")
        return view.legal[0]
