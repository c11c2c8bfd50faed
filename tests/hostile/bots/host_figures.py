"""Reads figures of the whole machine."""
# family: reach
# verdict: none
# backends: docker
# runtimes: default

import os

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        try:
            for path in (
                "/proc/stat",
                "/proc/meminfo",
                "/proc/loadavg",
                "/proc/uptime",
                "/proc/vmstat",
                "/sys/fs/cgroup/memory.peak",
            ):
                try:
                    text = open(path).read()
                except OSError:
                    continue
                if text:
                    raise SystemError(path)
            raise OSError
        except OSError:
            return view.legal[0]
        raise SystemError("it was possible")
