"""The record of a game as it is stored, and what stands there once it is no longer kept (`tournaments.retention`)."""

from __future__ import annotations

from django.utils.translation import gettext as _

from arena.durak import GameRecord, RecordError

DROPPED = b""
"""What stands in place of a record that is no longer kept."""


class RecordDroppedError(RecordError):
    """The record was kept for as long as the operator wanted, and then deleted. Nothing is damaged."""


def unpack(packed: bytes) -> GameRecord:
    """The record of a game from its compact form.

    Raises:
        RecordDroppedError: it is no longer kept.
        RecordError: it is damaged.
    """
    if bytes(packed) == DROPPED:
        raise RecordDroppedError(_("The moves of this game are no longer kept. Its result stays."))
    return GameRecord.from_compact(bytes(packed))
