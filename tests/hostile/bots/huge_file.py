"""A file as large as the disk."""
# family: resources
# verdict: none
# backends: docker

import os

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        try:
            file = os.open("/tmp/huge", os.O_CREAT | os.O_WRONLY)
            os.posix_fallocate(file, 0, 1 << 40)
            while True:
                os.write(file, bytes(1 << 20))
        except OSError:
            return view.legal[0]
        raise SystemError("it was possible")
