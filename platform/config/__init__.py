"""Settings, addresses and the ways in: web server, worker, management command."""

# Tasks are declared with `shared_task` and must find this application in every process, also in those that only send.
from config.celery import app as celery_app

__all__ = ["celery_app"]
