"""Runs a program out of memory."""
# family: reach
# verdict: none
# backends: docker

import os

from arena import Bot


class Hostile(Bot):
    def act(self, view):
        try:
            file = os.memfd_create("x")
            os.write(file, b"#!/bin/sh")
            os.execve(file, ["x"], {})
        except OSError:
            return view.legal[0]
        raise SystemError("it was possible")
