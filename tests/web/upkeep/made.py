"""A small site to be backed up, and what is in a backup of it."""

import gzip
import io
import json
from typing import Any

from django.test import Client

from accounts import tokens
from tests.web import factories
from tournaments.models import Tournament
from upkeep import audit, backup, signs


def site() -> Tournament:
    """A site with something in every corner: played matches, a picked version, a session, the log. Returns its cup."""
    bots = [factories.bot(name=f"Bot {number} ü♠") for number in range(3)]
    bots[0].picked_version = bots[0].versions.get()
    bots[0].save()
    cup = factories.round_robin(bots, "Cup")
    factories.play(cup, 2, lambda _: factories.skilled(0.5, 0.02))
    tokens.make(bots[0].owner, "t", "read", 7)
    Client().force_login(bots[0].owner)
    audit.record(bots[0].owner, "look", bots[0], "a\nb")
    signs.start("worker@host", ["matches"], 1, {})
    return cup


def written() -> bytes:
    """A backup of the database of this test."""
    target = io.BytesIO()
    backup.write(target)
    return target.getvalue()


def lines(data: bytes) -> list[Any]:
    """The lines of a backup."""
    return [json.loads(line) for line in gzip.decompress(data).splitlines()]
