"""The two ways in which running a bot goes wrong: by our fault, and by its own."""

from typing import Final, Literal, get_args

Reason = Literal["time", "crash", "protocol", "memory", "output"]
"""Why a bot failed: late, ended, out of turn or unreadable, out of memory, wrote too much."""

REASONS: Final[tuple[Reason, ...]] = get_args(Reason)


class SandboxError(Exception):
    """Something on our side is broken: engine, image, container, box folder, disk.

    The text is one sentence for the operator that says what to do. No bot is ever charged for it.
    """


class SessionFailed(Exception):  # noqa: N818 - an outcome of a game, told apart from the errors of the house
    """The bot failed, by its own fault, for `reason`; `message` says how, in a sentence for its owner."""

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(message)
        self.reason: Reason = reason
        self.message = message

    def __str__(self) -> str:
        return f"{self.reason}: {self.message}"
