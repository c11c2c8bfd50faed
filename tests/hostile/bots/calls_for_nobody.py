"""Makes every system call there is that a bot has no use for: a kernel that took one would have looked at it."""
# family: reach
# verdict: none
# machine: x86_64

import ctypes

from arena import Bot

# By number: what a bot may call in some way or other.
LET_THROUGH = {
    *(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 19, 20, 21, 23, 24, 25, 28, 32, 33, 34, 35, 36, 37),
    *(38, 39, 44, 45, 48, 60, 61, 62, 63, 72, 78, 79, 80, 81, 89, 95, 96, 97, 98, 100, 102, 104, 107, 108, 110, 111),
    *(115, 118, 120, 121, 124, 127, 128, 130, 131, 140, 143, 145, 146, 147, 160, 186, 200, 201, 202, 204, 217, 219),
    *(228, 229, 230, 231, 232, 233, 234, 247, 257, 262, 267, 269, 270, 271, 281, 291, 292, 295, 302, 318, 436, 439),
}
OF_PROBES = (335, 336)  # uretprobe and uprobe: no filter sees them, and whoever makes them by hand dies
REFUSED = (1, 11, 38)  # EPERM, EAGAIN, ENOSYS: the filter's answers
NOT_LONG = 600
libc = ctypes.CDLL(None, use_errno=True)


def taken(number):
    ctypes.set_errno(0)
    return libc.syscall(ctypes.c_long(number), -1, -1, -1, -1, -1, -1) != -1 or ctypes.get_errno() not in REFUSED


class Hostile(Bot):
    tried = False

    def act(self, view):
        if not self.tried:
            self.tried = True
            refused = set(range(NOT_LONG)) - LET_THROUGH - set(OF_PROBES)
            found = [number for number in sorted(refused) if taken(number)]
            if found:
                raise SystemError(f"the kernel has looked at {found}")
        return view.legal[0]
