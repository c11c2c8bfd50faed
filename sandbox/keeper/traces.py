"""Traces that reading alone would leave for the next game, taken before any game can leave them.

Writing nothing is not enough. The kernel makes the objects of /proc when somebody first looks at them, and their times
tell when that was; listing /dev, or following a link, moves the time at which that was last done. A game could look at
some names and not at others, and the next one read off which. So whatever there is to be looked at has been looked at,
and is held, from before the first game on; and what moves whenever it is read is read at the start of every game.
"""

import contextlib
import os

_DEEPEST = 4  # /proc/1/task/1/net: nothing that a bot may enter lies deeper
_NOTING = ("/dev", "/dev/pts", "/box", "/box/bot", "/box/host", "/box/link", "/proc", "/proc/1", "/proc/1/task/1")
_MOST = 900  # descriptors; below the container's limit
_links: list[str] = []
"""The links in those folders: nothing else notes when it was followed. They are the same for every game."""


def hold() -> list[int]:
    """Descriptors of everything in /proc that outlives a game. While they are open the kernel forgets none of it, even
    when a bot makes it short of memory."""
    held: list[int] = []
    for name in _names("/proc"):
        if not name.isdigit():
            _hold(f"/proc/{name}", held)
    own = f"/proc/{os.getpid()}"
    _hold(own, held)
    waiting = [(own, 1)]
    while waiting:
        folder, depth = waiting.pop()
        for name in _names(folder):
            path = f"{folder}/{name}"
            if _hold(path, held) and depth < _DEEPEST and os.path.isdir(path) and not os.path.islink(path):  # noqa: PTH112, PTH114
                waiting.append((path, depth + 1))
    paths = (f"{folder}/{name}" for folder in _NOTING for name in _names(folder))
    _links[:] = [path for path in paths if os.path.islink(path)]  # noqa: PTH114 - as below
    refresh()
    return held


def refresh() -> None:
    """Read once what notes when it was read last: from now on it says when this game began."""
    for folder in _NOTING:
        _names(folder)
    for path in _links:
        _read_link(path)


def _read_link(path: str) -> None:
    """Also where it is refused, which is decided behind the noting."""
    with contextlib.suppress(OSError):
        os.readlink(path)  # noqa: PTH115 - at every game's start, so cheap


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)  # noqa: PTH208 - at every game's start, so cheap
    except OSError:
        return []


def _hold(path: str, held: list[int]) -> bool:
    if len(held) >= _MOST:
        return False
    with contextlib.suppress(OSError):
        held.append(os.open(path, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC))
        _read_link(path)
        return True
    return False
