"""The site that has something of everything, made once for all tests of a module that only look at it."""

from collections.abc import Iterator

import pytest

from tests.web import everything
from tests.web.everything import Site


@pytest.fixture(scope="module")
def whole_site(django_db_setup, django_db_blocker) -> Iterator[Site]:
    with everything.standing(django_db_blocker) as site:
        yield site
