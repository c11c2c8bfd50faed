"""What was uploaded, between the database and the values of `arena`."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from arena.archive import BotFiles, read_upload
from arena.failure import clean
from bots.models import BotFile, BotVersion


def store(digest: str, content: bytes) -> BotFile:
    """Keep an upload that has been read without complaint; the same bytes are kept once."""
    return BotFile.objects.get_or_create(digest=digest, defaults={"content": content, "size": len(content)})[0]


def load(version: BotVersion) -> BotFiles:
    """The files of a version."""
    return _load(version.file_id, version.filename.lower().endswith(".zip"))


@lru_cache(maxsize=32)
def _load(digest: str, zipped: bool) -> BotFiles:
    # Bytes with this digest never change, so a worker reads the bots that it plays again and again only once.
    content = BotFile.objects.values_list("content", flat=True).get(pk=digest)
    return read_upload("bot.zip" if zipped else "bot.py", bytes(content))


def storable(value: Any) -> Any:
    """A JSON value as every database takes it: without null bytes and lone surrogates, which a bot may print."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return {clean(str(key)): storable(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [storable(item) for item in value]
    return value
