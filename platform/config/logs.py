"""Logs: key and value on standard error. JSON for programs, lines for people, colours for a terminal alone."""

import sys
from typing import Any

import structlog


def configure(level: str, form: str) -> dict[str, Any]:
    """Set structlog up, and return the `LOGGING` of Django that goes with it.

    Args:
        level: the least that is logged.
        form: `console` or `json`.
    """
    shared: list[Any] = [
        # What a request, a task or a match has bound (request_id, match, attempt ...) is in each line of it.
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.stdlib.PositionalArgumentsFormatter(),
        structlog.processors.TimeStamper(fmt="iso"),
        structlog.processors.StackInfoRenderer(),
    ]
    if form == "json":
        renderers: list[Any] = [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
    else:
        renderers = [
            structlog.dev.ConsoleRenderer(
                colors=sys.stderr.isatty(),  # not in files, where their codes hide what is searched for
                # Plain: the coloured traceback prints every local variable, a whole request among them, and takes
                # minutes for it.
                exception_formatter=structlog.dev.plain_traceback,
            )
        ]
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "structlog": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": shared,
                "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, *renderers],
            }
        },
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "structlog"}},
        "root": {"handlers": ["console"], "level": level},
        "loggers": {
            # Its own lines are repeated, better, by the request middleware.
            "django.server": {"handlers": ["console"], "level": "WARNING", "propagate": False},
            "celery.worker.strategy": {"level": "WARNING"},
            "celery.app.trace": {"level": "WARNING"},
            "celery.beat": {"level": "WARNING"},
        },
    }
