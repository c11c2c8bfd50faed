"""What a run says."""

import time


class Log:
    """Lines with the seconds since the beginning."""

    def __init__(self) -> None:
        self._began = time.monotonic()

    @property
    def seconds(self) -> float:
        """Since the beginning."""
        return time.monotonic() - self._began

    def say(self, text: str) -> None:
        """Print a line, at once: who looks on wants to know what it waits for."""
        print(f"[{self.seconds:6.1f} s] {text}", flush=True)
