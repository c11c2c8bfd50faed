"""Makes itself dumpable: its files of /proc are its own then, and a crash of it is worth a core to the host."""
# family: reach
# verdict: none
# backends: docker

import ctypes

from arena import Bot

PR_SET_DUMPABLE, PR_GET_DUMPABLE = 4, 3


class Hostile(Bot):
    def act(self, view):
        libc = ctypes.CDLL(None)
        libc.prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)
        if libc.prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 1:
            raise SystemError("it is dumpable")
        try:
            with open("/proc/self/oom_score_adj", "w") as file:
                file.write("500")
        except OSError:
            return view.legal[0]
        raise SystemError("the kernel will end the keeper before it")
