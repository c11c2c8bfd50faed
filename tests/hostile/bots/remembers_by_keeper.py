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


def of_the_keeper(*names):
    with open("/proc/1/status") as file:
        return [line.split()[1] for line in file if line.split(":")[0] in names]


def look():
    found = []
    if os.getpriority(os.PRIO_PROCESS, 1) or os.getpriority(os.PRIO_PROCESS, 0):
        found.append("priority")
    if os.sched_getscheduler(1) != os.SCHED_OTHER:
        found.append("scheduler")
    if any(int(word, 16) for word in of_the_keeper("SigPnd", "ShdPnd", "SigBlk", "SigCgt")):
        found.append("signals")
    if signal.sigpending() or signal.pthread_sigmask(signal.SIG_BLOCK, []):
        found.append("own signals")
    if any(signal.getitimer(which) != (0.0, 0.0) for which in (0, 1, 2)):
        found.append("timers")
    if os.path.exists("/proc/1/oom_score_adj") and open("/proc/1/oom_score_adj").read().strip() in ("777", "-1"):
        found.append("oom")
    with open("/proc/1/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    if any(int(fields[index]) for index in (8, 10, 13, 14)):  # faults and CPU time of its children
        found.append("children")
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
        lambda: os.sched_setscheduler(1, os.SCHED_BATCH, os.sched_param(0)),
        lambda: os.kill(1, signal.SIGUSR1),
        lambda: os.kill(os.getppid(), signal.SIGUSR1),
        lambda: libc.sigqueue(1, signal.SIGUSR2, None),
        lambda: open("/proc/1/oom_score_adj", "w").write("777"),
        lambda: open("/proc/1/timerslack_ns", "w").write("77777"),
        lambda: open("/proc/1/autogroup", "w").write("15"),
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
