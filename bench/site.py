"""A database of its own for a bench of the site: made on the server that the tests use, dropped in the end.

Everything here must happen before Django's settings are read, because they name the database; so no module of the site
is imported at the top of a bench, but inside the functions that need it.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import psycopg
from psycopg import sql

from tests import services


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options that say which database a bench uses."""
    parser.add_argument("--keep", metavar="NAME", help="make the database under this name and leave it there")
    parser.add_argument("--database", metavar="NAME", help="use the database that an earlier run left with --keep")


def clear_up_when_told_to_end() -> None:
    """Have SIGTERM end the bench as Ctrl-C does, so that servers and databases of its own do not outlive it."""

    def end(_number: int, _frame: object) -> None:
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, end)


def server() -> str:
    """The address of the PostgreSQL server. Ends the program with a sentence where there is none."""
    missing: str | None = services.missing("postgres")
    if missing:
        sys.exit(f"This bench needs PostgreSQL: {missing}.")
    return services.address("TEST_DATABASE_URL") or ""


def address_of(name: str) -> str:
    """The address of a database on that server."""
    return urlsplit(server())._replace(path=f"/{name}").geturl()


@contextmanager
def made(name: str, *, new: bool = True, keep: bool = False) -> Iterator[None]:
    """An empty database for as long as this lasts; one that is not `new` or to `keep` is not made or dropped."""
    with psycopg.connect(server(), autocommit=True) as admin:
        if new:
            admin.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    try:
        yield
    finally:
        if new and not keep:
            with psycopg.connect(server(), autocommit=True) as admin:
                admin.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@contextmanager
def database(options: argparse.Namespace, **environment: str) -> Iterator[bool]:
    """A migrated database that Django uses in this process and in its children. Yields whether it is a new, empty one.

    Args:
        options: as `add_options` made them.
        environment: further variables of the site's settings.
    """
    name = options.database or options.keep or f"durak_bench_{os.getpid()}"
    new = options.database is None
    with made(name, new=new, keep=bool(options.keep)):
        set_up(DATABASE_URL=address_of(name), **environment)
        from django.core.management import call_command
        from django.db import connections

        call_command("migrate", verbosity=0)
        try:
            yield new
        finally:
            connections.close_all()


def set_up(**environment: str) -> None:
    """Have Django read its settings with these variables."""
    os.environ.update({"DJANGO_SETTINGS_MODULE": "config.settings", "LOG_LEVEL": "ERROR", **environment})
    import django

    django.setup()
