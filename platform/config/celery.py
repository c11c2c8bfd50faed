"""The Celery application: workers, and the clock that starts the sweep.

    celery -A config.celery worker -Q upkeep,checks,matches
    celery -A config.celery beat

Bots run in sandboxes that a worker process keeps warm. A worker that starts removes what dead ones left behind; a
worker process that ends closes its own.
"""

import logging.config
import os
from typing import Any

from celery import Celery
from celery.signals import setup_logging, worker_init, worker_process_shutdown, worker_shutdown
from django.conf import settings
from django_structlog.celery.steps import DjangoStructLogInitStep

from config import broker
from config.pulse import Pulse
from config.signs import SignsOfLife

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
broker.register()

app = Celery("durak-arena")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.steps["worker"].add(DjangoStructLogInitStep)
app.steps["worker"].add(SignsOfLife)
app.steps["consumer"].add(Pulse)


@setup_logging.connect
def configure_logs(**_: Any) -> None:
    """Log as the site does, instead of as Celery would."""
    logging.config.dictConfig(settings.LOGGING)


@worker_init.connect
def remove_leftovers(**_: Any) -> None:
    """Before the first task: remove the sandboxes of workers that died."""
    from bots import sandboxes

    sandboxes.reap()


@worker_process_shutdown.connect
@worker_shutdown.connect
def close_sandboxes(**_: Any) -> None:
    """Close the sandboxes of a process that ends: of each child of a worker, or of the worker that has no children."""
    from bots import sandboxes

    sandboxes.close()
