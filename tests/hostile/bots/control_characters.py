"""Writes to its log what a terminal or a page might obey."""
# family: output
# verdict: none

import os

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        os.write(1, bytes(range(256)) + b"\x1b]0;owned\x07\x1b[2J<script>alert(1)</script>" + "\u202e".encode())
        return view.legal[0]
