"""The control connection: an order is a line of words, its answer a line of JSON; strictly in turn, both ends ours."""

import socket

_LONGEST = 4096


def send(control: socket.socket, text: str) -> None:
    """Send an answer. Its JSON is put together by hand: in a fresh fork each module that is used costs page faults."""
    control.sendall(text.encode() + b"\n")


def receive(control: socket.socket) -> list[str]:
    """Read an order as its words; none when the other end has hung up.

    The ends speak in turn, so there is never a byte behind the newline, and no buffer to hand from the minder of
    one game to the next.
    """
    line = b""
    while not line.endswith(b"\n"):
        data = control.recv(_LONGEST)
        if not data or len(line) > _LONGEST:
            return []
        line += data
    return line.decode().split()
