"""Takes of what the host has in one store for all, or looks at what others have of it: huge pages, merged pages, chance."""
# family: between-games
# verdict: none
# opponent: itself

import ctypes

from arena import Bot

EPERM = 1
PRIVATE_ANONYMOUS, HUGE = 0x22, 0x40000
READ_WRITE = 3
PAGES = 16 * 4096
MERGEABLE, COLD, PAGEOUT = 12, 20, 21
FROM_THE_STORE = 2  # GRND_RANDOM, before Linux 5.6
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_ssize_t
libc.mmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_ssize_t)
libc.madvise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)


def taken(call, *arguments):
    """Whether the kernel has looked at it: it may say that the store is empty, which tells as well."""
    return call(*arguments) != -1 or ctypes.get_errno() != EPERM


def found():
    for flags in (HUGE, HUGE | 21 << 26, HUGE | 30 << 26):  # of the usual size, of 2 MB, of 1 GB
        if taken(libc.mmap, None, 1 << 21, READ_WRITE, PRIVATE_ANONYMOUS | flags, -1, 0):
            yield "huge pages"
    own = libc.mmap(None, PAGES, READ_WRITE, PRIVATE_ANONYMOUS, -1, 0)
    for advice in (MERGEABLE, COLD, PAGEOUT):
        if taken(libc.madvise, own, PAGES, advice):
            yield f"advice {advice}"
    if taken(libc.getrandom, ctypes.create_string_buffer(8), 8, FROM_THE_STORE):
        yield "random numbers"


class Hostile(Bot):
    tried = False

    def act(self, view):
        if not self.tried:
            self.tried = True
            if ways := list(found()):
                raise SystemError(f"there is one store for all of {ways}")
        return view.legal[0]
