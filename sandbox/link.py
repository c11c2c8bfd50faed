"""The host's end of the control connection: orders to the keeper, each with its answer."""

import json
import select
import socket
import time
from typing import Any

from sandbox.errors import SandboxError

_LONGEST = 256 * 1024


class Link:
    """The control connection to one keeper. Every failure here is ours, never the bot's."""

    def __init__(self, connection: socket.socket) -> None:
        connection.setblocking(False)
        self._connection = connection
        self._poll = select.poll()
        self._poll.register(connection, select.POLLIN)
        self.broken: str | None = None
        self._awaits = False
        """An order was sent whose answer has not been read."""

    def send(self, *words: object) -> None:
        """Send an order, a line of words; its answer is read by `receive`."""
        if self.broken is not None:
            raise SandboxError(self.broken)
        if self._awaits:
            # Whoever sent it was interrupted; its answer would be taken for that of the next order.
            raise self._break("A conversation with the keeper of a sandbox was cut short.")
        try:
            self._connection.sendall(" ".join(map(str, words)).encode() + b"\n")
        except OSError as error:
            raise self._break("The keeper of a sandbox is gone; its container was removed or has died.") from error
        self._awaits = True

    def receive(self, timeout: float) -> dict[str, Any]:
        """Read the answer to an order."""
        deadline = time.monotonic() + timeout
        line = bytearray()
        while not line.endswith(b"\n"):
            left = deadline - time.monotonic()
            if left <= 0 or not self._poll.poll(left * 1000 + 1):
                raise self._break(
                    f"The keeper of a sandbox did not answer within {timeout:g} s; is the host overloaded?"
                )
            try:
                data = self._connection.recv(_LONGEST)
            except BlockingIOError:
                continue
            except OSError:
                data = b""
            if not data or len(line) + len(data) > _LONGEST:
                raise self._break("The keeper of a sandbox is gone; its container was removed or has died.")
            line += data
        self._awaits = False
        answer: dict[str, Any] = json.loads(line)
        if "failed" in answer:
            raise self._break(f"The keeper of a sandbox failed: {answer['failed']}")
        return answer

    def request(self, *words: object, timeout: float) -> dict[str, Any]:
        """Send an order and read its answer."""
        self.send(*words)
        return self.receive(timeout)

    @property
    def alive(self) -> bool:
        """Whether the keeper still holds its end (it never speaks unasked)."""
        return self.broken is None and not self._poll.poll(0)

    def fileno(self) -> int:
        """The descriptor of the connection: readable when an answer is there, or the keeper gone."""
        return self._connection.fileno()

    def close(self) -> None:
        """Hang up: the keeper kills what it has and exits."""
        if self.broken is None:
            self.broken = "The sandbox is closed."
        self._connection.close()

    def _break(self, sentence: str) -> SandboxError:
        self.broken = sentence
        return SandboxError(sentence)
