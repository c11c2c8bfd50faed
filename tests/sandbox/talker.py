"""The bot's side in these tests: loads bot.py and lets it answer lines. Runs inside the sandbox."""

import socket
import sys
from pathlib import Path


def serve(connection: socket.socket, root: Path) -> None:
    """Answer each line by `bot.answer(line)`, or hand the connection over to `bot.serve`."""
    sys.path.insert(0, str(root))
    import bot  # type: ignore[import-not-found]

    bot.connection = connection
    if hasattr(bot, "serve"):
        bot.serve(connection)
        return
    waiting = b""
    while data := connection.recv(65536):
        waiting += data
        while b"\n" in waiting:
            line, _, waiting = waiting.partition(b"\n")
            connection.sendall(bot.answer(line) + b"\n")
