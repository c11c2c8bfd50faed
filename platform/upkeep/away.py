"""What stands behind the site may be away for a moment: a database that restarts, a cache that is moved."""

from django.db import InterfaceError, OperationalError
from redis.exceptions import ConnectionError as CacheConnectionError
from redis.exceptions import TimeoutError as CacheTimeoutError

CACHE_AWAY: tuple[type[Exception], ...] = (CacheConnectionError, CacheTimeoutError)
"""What a cache raises that does not answer."""

AWAY: tuple[type[Exception], ...] = (OperationalError, InterfaceError, *CACHE_AWAY)
"""What a request ends with then. Nothing is wrong with it, and in a moment it can be made again."""

RETRY_AFTER_SECONDS = 5
"""When to come again."""
