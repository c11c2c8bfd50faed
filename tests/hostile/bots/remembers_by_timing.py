"""Keeps the process that starts its next game busy, whose CPU time it reads there."""
# family: between-games
# verdict: none
# backends: docker
# limits: slow

import os

from arena import Bot


def keeper_ticks():
    with open("/proc/1/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return sum(int(field) for field in fields[11:15])  # its own, and that of its children


TICKS = keeper_ticks()
LOAD_TICKS = 90
"""Hundredths of a second: several times what loading everything takes, and less than what is burnt in a game."""


class Hostile(Bot):
    def act(self, view):
        if TICKS > LOAD_TICKS:
            raise SystemError(f"the keeper has worked for {TICKS} ticks")
        if not hasattr(self, "kept"):
            self.kept = [bytearray(4096) for _ in range(15_000)]  # all of it is to be taken back when the game ends
            self.burnt = 0
            for _ in range(4_000):
                os.write(1, b"x" * 200)  # and read, and kept in part
        if self.burnt < 5:
            self.burnt += 1
            end = sum(os.times()[:2]) + 0.2
            while sum(os.times()[:2]) < end:
                pass
        return view.legal[0]
