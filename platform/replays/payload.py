"""The frames of a game as bytes to send: made once a language, compressed, kept in the cache.

The address of the frames carries their tag, so that a browser keeps them for good; the tag changes with everything that
they are made from: the row of the game, the names at the table, the language, the code and translations of sentences.
"""

import gzip
import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

import structlog
from django.conf import settings
from django.utils.translation import get_language, gettext, ngettext, pgettext

from arena.durak import RecordError
from arena.replay import ASSETS
from arena.replay.frames import frames
from arena.replay.words import Words
from replays.games import ShownGame
from tournaments.records import RecordDroppedError
from upkeep.kept import keep, kept

log = structlog.get_logger(__name__)

KEEP_SECONDS = 24 * 60 * 60
_SOURCES = ("letters.py", "replay/frames.py", "replay/interface.py", "replay/words.py")


def reader_words() -> Words:
    """The sentences in the language that is active."""
    return Words(gettext, ngettext, pgettext, get_language() or settings.LANGUAGE_CODE)


def note_unreadable(pk: int, error: RecordError) -> None:
    """Log that the record of a game is damaged. One that is no longer kept is nothing to be looked into."""
    if not isinstance(error, RecordDroppedError):
        log.error("record_unreadable", game=pk, error=str(error))


def frames_of(shown: ShownGame) -> dict[str, Any]:
    """The frames of a game in the language that is active. Raises `arena.durak.RecordError`."""
    packed = packed_frames(shown)
    found: dict[str, Any] = json.loads(gzip.decompress(packed))
    return found


def packed_frames(shown: ShownGame) -> bytes:
    """The same as gzipped JSON."""
    key = f"replays:{tag_of(shown)}"
    packed: bytes | None = kept(key)
    if packed is None:
        made = frames(shown.record, shown.seat_cards(), reader_words(), shown.result)
        text = json.dumps(made, ensure_ascii=False, separators=(",", ":"))
        packed = gzip.compress(text.encode(), compresslevel=6, mtime=0)
        keep(key, packed, KEEP_SECONDS)
    return packed


def tag_of(shown: ShownGame) -> str:
    """Names the frames of a game in the language that is active, and changes when they would."""
    game = shown.game
    told = [
        game.pk,
        game.created_at.isoformat(),
        game.ending,
        game.places,
        game.failures,
        [[seat["name"], seat["version"], seat["url"]] for seat in shown.seat_cards()],
        get_language(),
        _code(get_language() or settings.LANGUAGE_CODE),
    ]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:20]


@cache
def _code(language: str) -> str:
    """What the sentences are made by, in short: their code and the translations of a language."""
    digest = hashlib.sha256()
    translations = [Path(folder) / language / "LC_MESSAGES" / "django.mo" for folder in settings.LOCALE_PATHS]
    for path in [*(ASSETS.parents[1] / name for name in _SOURCES), *translations]:
        if path.exists():
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
