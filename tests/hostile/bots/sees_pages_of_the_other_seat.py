"""The same bot in two seats: one maps pages of the image, the other looks whether somebody has."""
# family: between-games
# verdict: none
# backends: docker
# opponent: itself

import ctypes
import mmap
import os

from arena import Bot

PAGES = "/usr/lib/python3.11/this.py"
OF_ONESELF = ("/proc/self", "/proc/thread-self", f"/proc/{os.getpid()}", f"/proc/{os.getpid()}/task/{os.getpid()}")
TELL = ("smaps", "smaps_rollup", "numa_maps", "pagemap")
MINCORE = 27 if os.uname().machine == "x86_64" else 232
PROT_READ = 1
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long)


def told():
    """What says of a mapped page whether it is in memory, or whether somebody else has it too."""
    for folder in OF_ONESELF:
        for name in TELL:
            try:
                with open(f"{folder}/{name}", "rb") as file:
                    file.read(1)
            except OSError:
                continue
            yield f"{folder}/{name}"
    with open(PAGES, "rb") as file:
        address = libc.mmap(None, mmap.PAGESIZE, PROT_READ, mmap.MAP_PRIVATE, file.fileno(), 0)
    ctypes.string_at(address, 1)
    if libc.syscall(MINCORE, ctypes.c_void_p(address), mmap.PAGESIZE, ctypes.create_string_buffer(1)) == 0:
        yield "mincore"


class Hostile(Bot):
    def act(self, view):
        for teller in told():
            raise SystemError(f"{teller} tells of the other seat's pages")
        return view.legal[0]
