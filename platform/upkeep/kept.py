"""What can be made again at any time and is kept in the cache for a while. A cache that is away keeps nothing."""

from typing import Any

import structlog
from django.core.cache import cache

from upkeep.away import CACHE_AWAY

log = structlog.get_logger(__name__)


def kept(key: str) -> Any:
    """What is kept under a key; None where nothing is, or the cache is away."""
    try:
        return cache.get(key)
    except CACHE_AWAY as error:
        log.warning("cache_away", reason=str(error))
        return None


def keep(key: str, value: Any, seconds: int) -> None:
    """Keep something for some seconds."""
    try:
        cache.set(key, value, seconds)
    except CACHE_AWAY as error:
        log.warning("cache_away", reason=str(error))
