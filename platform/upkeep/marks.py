"""How far slow pieces of upkeep have come."""

from __future__ import annotations

from upkeep.models import Mark


def get(name: str) -> int:
    """How far the piece of upkeep with this name has come; 0 before it began."""
    return Mark.objects.filter(pk=name).values_list("done_to", flat=True).first() or 0


def put(name: str, done_to: int) -> None:
    """Note how far it has come."""
    Mark.objects.update_or_create(name=name, defaults={"done_to": done_to})
