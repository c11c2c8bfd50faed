"""Leaves times, modes, links and attributes of files for its next game to read."""
# family: between-games
# verdict: none
# backends: docker

import os
import socket

from arena import Bot

PATHS = "/ /box /box/bot /box/bot/bot.py /box/host /tmp /etc/passwd /dev /dev/null /usr/lib/python3.11/this.py".split()
LONG_AGO = 86_400 * 365


def look():
    found = []
    for path in PATHS:
        facts = os.stat(path)
        if facts.st_nlink > 40 and path != "/" or LONG_AGO in (int(facts.st_atime), int(facts.st_mtime)):
            found.append(path)
    for number in range(4, 64):
        try:
            os.fstat(number)
        except OSError:
            continue
        found.append(f"descriptor {number}")
    return found


FOUND = look()


def leave():
    for path in PATHS:
        for change in (
            lambda: os.utime(path, (LONG_AGO, LONG_AGO)),
            lambda: os.chmod(path, 0o777),
            lambda: os.link(path, "/tmp/left"),
            lambda: os.setxattr(path, "user.left", b"1"),
            lambda: os.listdir(path) if os.path.isdir(path) else open(path, "rb").read(),
        ):
            try:
                change()
            except OSError:
                pass
    for name in ("\0left", "/tmp/left", "/box/link/left"):
        try:
            socket.socket(socket.AF_UNIX).bind(name)
        except OSError:
            pass


class Hostile(Bot):
    def act(self, view):
        if FOUND:
            raise SystemError(f"left by the game before: {FOUND}")
        leave()
        return view.legal[0]
