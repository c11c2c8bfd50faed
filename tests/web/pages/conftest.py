"""The site that has something of everything, made once for all tests of a module that only look at it."""

from collections.abc import Iterator

import pytest
from django.db import transaction
from django.test import override_settings

from tests.web import everything
from tests.web.everything import Site


@pytest.fixture(scope="module")
def whole_site(django_db_setup, django_db_blocker) -> Iterator[Site]:
    """What a test changes is taken back at its end, as ever: its transaction stands inside the one of this site."""
    quick = override_settings(PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"])
    with quick, django_db_blocker.unblock(), transaction.atomic():
        yield everything.build()
        transaction.set_rollback(True)
