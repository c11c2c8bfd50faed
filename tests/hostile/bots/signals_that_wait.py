"""Sends itself signals that it does not take: the kernel keeps each of them, beyond the memory that a bot has."""
# family: resources
# verdict: none
# backends: docker

import os
import signal

from arena import Bot

SENT, KEPT = 10_000, 64
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGRTMIN])


class Hostile(Bot):
    tried = False

    def act(self, view):
        if not self.tried:
            self.tried = True
            try:
                for _ in range(SENT):
                    os.kill(os.getpid(), signal.SIGRTMIN)
            except BlockingIOError:
                pass
            came = 0
            while signal.sigtimedwait([signal.SIGRTMIN], 0) is not None:
                came += 1
            if came > KEPT:
                raise SystemError(f"{came} were kept")
        return view.legal[0]
