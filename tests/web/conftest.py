"""What holds for every test of the site: nothing reaches a real broker, and passwords are hashed quickly."""

from collections.abc import Iterator

import pytest
from celery import Celery
from django.utils import translation


@pytest.fixture(autouse=True)
def quick_passwords(settings):
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture(autouse=True)
def announced(monkeypatch):
    """Catches what would be sent to the broker. Call it with a task's name for the identifiers that were sent."""
    sent: list[tuple[str, int]] = []

    def send_task(self, name, args=(), **options):
        sent.append((name, *args))

    monkeypatch.setattr(Celery, "send_task", send_task)
    return lambda task: [key for name, key in sent if name == task]


@pytest.fixture(autouse=True)
def language_of_one_test() -> Iterator[None]:
    """A request leaves its reader's language active in the thread; the next test begins without it."""
    yield
    translation.deactivate()
