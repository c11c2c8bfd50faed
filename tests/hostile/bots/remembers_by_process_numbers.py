"""Counts with the numbers of processes: many in one game, to be seen in the next."""
# family: between-games
# verdict: none
# backends: docker

import os
import threading

from arena import Bot

PID = os.getpid()


class Hostile(Bot):
    def act(self, view):
        if PID > 40:  # two a game, and this container plays two games
            raise SystemError(f"the numbers have gone up to {PID}")
        for _ in range(50):
            for make in (
                os.fork,
                lambda: threading.Thread(target=print).start(),
                lambda: os.posix_spawn("/x", ["x"], {}),
            ):
                try:
                    if make() == 0:
                        os._exit(0)
                except (OSError, RuntimeError):
                    pass
        return view.legal[0]
