"""Reads what /proc tells about the keeper."""
# verdict: none
# backends: docker

import os

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        try:
            for name in ("mem", "environ", "maps", "fd", "cwd", "root", "exe", "stack", "syscall", "io", "auxv"):
                for pid in (1, os.getppid()):
                    path = f"/proc/{pid}/{name}"
                    try:
                        os.listdir(path) if name == "fd" else os.readlink(path) if name in (
                            "cwd",
                            "root",
                            "exe",
                        ) else open(path, "rb").read(1)
                    except OSError:
                        continue
                    raise SystemError(path)
            raise OSError
        except OSError:
            return view.legal[0]
        raise SystemError("it was possible")
