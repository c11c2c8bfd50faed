"""Ignores every signal and hangs."""
# family: protocol
# verdict: time

import signal

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        for number in signal.valid_signals():
            try:
                signal.signal(number, signal.SIG_IGN)
            except (OSError, ValueError):
                pass
        while True:
            try:
                signal.pause()
            except BaseException:
                pass
