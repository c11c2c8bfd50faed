"""What was uploaded, between the database and the values of `arena`."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Any

from arena.archive import BotFiles, read_upload
from arena.failure import clean
from bots.models import BotFile, BotVersion

# Bytes with a digest never change, so a process reads the bots that it plays or shows again and again only once. A zip
# of a few KB may unpack to 20 MB, so what is kept is bounded by its size as well.
_MOST_KEPT = 32
_MOST_BYTES = 64 * 1024 * 1024
_kept: OrderedDict[tuple[str, bool], BotFiles] = OrderedDict()
_lock = threading.Lock()


def store(digest: str, content: bytes) -> BotFile:
    """Keep an upload that has been read without complaint; the same bytes are kept once."""
    return BotFile.objects.get_or_create(digest=digest, defaults={"content": content, "size": len(content)})[0]


def load(version: BotVersion) -> BotFiles:
    """The files of a version."""
    key = version.file_id, version.filename.lower().endswith(".zip")
    with _lock:
        if (files := _kept.get(key)) is not None:
            _kept.move_to_end(key)
            return files
    files = _read(*key)
    with _lock:
        _kept[key] = files
        while len(_kept) > _MOST_KEPT or sum(kept.size for kept in _kept.values()) > _MOST_BYTES:
            _kept.popitem(last=False)
    return files


def _read(digest: str, zipped: bool) -> BotFiles:
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
