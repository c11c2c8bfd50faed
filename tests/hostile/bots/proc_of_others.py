"""Reads what /proc tells about the keeper."""
# family: reach
# verdict: none
# backends: docker

import os

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        try:
            public = ("PATH=", "HOSTNAME=", "HOME=", "LC_CTYPE=")
            for pid in (1, os.getppid()):
                for name in ("mem", "fd", "cwd", "root", "exe", "stack", "io", "environ"):
                    path = f"/proc/{pid}/{name}"
                    try:
                        if name == "fd":
                            found = [number for number in os.listdir(path) if os.open(f"{path}/{number}", os.O_RDONLY)]
                        elif name in ("cwd", "root", "exe"):
                            found = os.readlink(path)
                        elif name == "environ":
                            said = open(path).read().split("\0")
                            found = [line for line in said if line and not line.startswith(public)]
                        else:
                            found = open(path, "rb").read(1)
                    except OSError:
                        continue
                    if found:
                        raise SystemError(f"{path}: {found!r}")
            raise OSError
        except OSError:
            return view.legal[0]
        raise SystemError("it was possible")
