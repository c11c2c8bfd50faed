"""Orders and answers on the control connection: one JSON object a line, strictly in turn, both ends our own code."""

import json
import socket
from typing import Any

_LONGEST = 256 * 1024


def send(control: socket.socket, message: dict[str, Any]) -> None:
    """Send one message."""
    control.sendall(json.dumps(message).encode() + b"\n")


def receive(control: socket.socket) -> dict[str, Any] | None:
    """Read one message; None when the other end has hung up.

    The ends speak in turn, so there is never a byte behind the newline, and no buffer to hand from the minder of
    one game to the next.
    """
    line = bytearray()
    while not line.endswith(b"\n"):
        data = control.recv(_LONGEST)
        if not data or len(line) > _LONGEST:
            return None
        line += data
    message: dict[str, Any] = json.loads(line)
    return message
