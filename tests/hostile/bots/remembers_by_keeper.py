"""Changes what it can of the process that starts its next game."""
# family: between-games
# verdict: none
# backends: docker

import ctypes
import os
import resource
import signal

from arena import Bot

libc = ctypes.CDLL(None)


def look():
    found = []
    if os.getpriority(os.PRIO_PROCESS, 1) or os.getpriority(os.PRIO_PROCESS, 0):
        found.append("priority")
    if os.sched_getscheduler(1) != os.SCHED_OTHER:
        found.append("scheduler")
    if os.sched_getaffinity(1) != os.sched_getaffinity(0):
        found.append("affinity")
    if signal.sigpending() or signal.pthread_sigmask(signal.SIG_BLOCK, []):
        found.append("own signals")
    if any(signal.getitimer(which) != (0.0, 0.0) for which in (0, 1, 2)):
        found.append("timers")
    if resource.getrlimit(resource.RLIMIT_NOFILE)[0] == 21 or libc.personality(0xFFFFFFFF) > 0:
        found.append("limits")
    return found


FOUND = look()


def leave():
    for change in (
        lambda: resource.prlimit(1, resource.RLIMIT_NOFILE, (21, 21)),
        lambda: resource.prlimit(os.getppid(), resource.RLIMIT_NOFILE, (21, 21)),
        lambda: os.setpriority(os.PRIO_PROCESS, 1, 19),
        lambda: os.setpriority(os.PRIO_PGRP, 0, 19),
        lambda: os.sched_setaffinity(1, {min(os.sched_getaffinity(0))}),
        lambda: os.sched_setscheduler(1, os.SCHED_BATCH, os.sched_param(0)),
        lambda: os.kill(1, signal.SIGUSR1),
        lambda: os.kill(os.getppid(), signal.SIGUSR1),
        lambda: libc.sigqueue(1, signal.SIGUSR2, None),
        lambda: libc.personality(0x0040000),
        lambda: signal.setitimer(signal.ITIMER_PROF, 1000.0),
        lambda: signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1]),
    ):
        try:
            change()
        except OSError:
            pass


class Hostile(Bot):
    def act(self, view):
        if FOUND:
            raise SystemError(f"left by the game before: {FOUND}")
        leave()
        return view.legal[0]
