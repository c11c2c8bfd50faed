"""A site in one file: everything in the database, as it was at one moment, whatever database it is.

The file is gzip over lines of JSON:

    {"format": "durak-backup/1", "made_at": ..., "migrations": {app: [names]}}
    {"model": "bots.bot", "fields": ["id", "owner_id", ...]}     then a line with the values of each row
    ...
    {"rows": {"bots.bot": 12, ...}, "sha256": digest of all bytes before this line}

It needs neither the database's own tools nor the same kind of database on the other side: SQLite and PostgreSQL give
the same file. What is worth nothing elsewhere is left out (`LEFT_OUT`).
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime
from typing import IO, Any

from django.apps import apps
from django.db import connection, models, transaction
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

FORMAT = "durak-backup/1"
LEFT_OUT = frozenset({"sessions.session", "usersessions.usersession", "api.usage", "upkeep.workersign"})
"""Open sessions (whoever has the file could use them; everybody signs in again), counts of requests, signs of life."""
_CHUNK = 500


def models_kept() -> list[type[models.Model]]:
    """The models whose rows are in a backup: all but `LEFT_OUT`, the tables between two models among them."""
    found = apps.get_models(include_auto_created=True)
    return [model for model in found if model._meta.managed and model._meta.label_lower not in LEFT_OUT]


def fields_of(model: type[models.Model]) -> list[models.Field[Any, Any]]:
    """The columns of a model, in the order of a backup's rows."""
    return list(model._meta.concrete_fields)


def applied_migrations() -> dict[str, list[str]]:
    """The migrations that the database has, by app."""
    found: dict[str, list[str]] = {}
    for app, name in sorted(MigrationRecorder(connection).applied_migrations()):
        found.setdefault(app, []).append(name)
    return found


def write(target: IO[bytes]) -> dict[str, int]:
    """Write a backup of one moment. Readers and writers of the site go on meanwhile. Returns the rows of each model."""
    digest = hashlib.sha256()
    rows: dict[str, int] = {}
    with gzip.GzipFile(fileobj=target, mode="wb", compresslevel=6) as packed:

        def line(value: Any) -> None:
            data = json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_plain).encode() + b"\n"
            digest.update(data)
            packed.write(data)

        with _snapshot():
            migrations = applied_migrations()
            line({"format": FORMAT, "made_at": timezone.now().isoformat(), "migrations": migrations})
            for model in models_kept():
                fields = fields_of(model)
                names = [field.attname for field in fields]
                line({"model": model._meta.label_lower, "fields": names})
                count = 0
                values = model._base_manager.order_by("pk").values_list(*names)
                for row in values.iterator(chunk_size=_CHUNK):
                    line(row)
                    count += 1
                rows[model._meta.label_lower] = count
        end = {"rows": rows, "sha256": digest.hexdigest()}
        packed.write(json.dumps(end, separators=(",", ":")).encode() + b"\n")
    return rows


def _plain(value: Any) -> Any:
    if isinstance(value, (bytes, bytearray, memoryview)):
        return base64.b64encode(bytes(value)).decode()
    if isinstance(value, (datetime, date)):
        return value.isoformat()
    return str(value)


@contextmanager
def _snapshot() -> Iterator[None]:
    """All reads in it see the database at one moment."""
    if connection.in_atomic_block:
        yield  # the caller's transaction, which is his snapshot
        return
    if connection.vendor == "postgresql":
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
        return
    # Not `atomic`: with the settings of this house it would lock writers out, which a reader need not.
    with connection.cursor() as cursor:
        cursor.execute("BEGIN DEFERRED")
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")
