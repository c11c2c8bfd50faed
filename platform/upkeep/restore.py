"""A backup back into an empty database."""

from __future__ import annotations

import gzip
import hashlib
import json
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import IO, Any

from django.core.management.color import no_style
from django.db import connection, models, transaction

from upkeep import backup

MADE_BY_MIGRATIONS = frozenset({"contenttypes.contenttype", "auth.permission"})
"""Tables that are not empty after `migrate`. Their rows are replaced by the backup's, whose keys other rows name."""
_BATCH = 500


class RestoreError(Exception):
    """The backup cannot be restored here; the text says why, and what to do. Nothing has been changed."""


@dataclass(frozen=True)
class Restored:
    """What was restored."""

    made_at: str
    rows: dict[str, int]


def read(source: IO[bytes]) -> Restored:
    """Restore a backup, in one transaction.

    Raises:
        RestoreError: it is none, is damaged, was made by another version, or the database is not empty.
    """
    lines = _Lines(source)
    head = lines.next()
    if not isinstance(head, dict) or head.get("format") != backup.FORMAT:
        raise RestoreError(f"This is no backup of a site ({backup.FORMAT}).")
    _check_version(head["migrations"])
    kept = {model._meta.label_lower: model for model in backup.models_kept()}
    _check_empty(kept.values())
    rows: dict[str, int] = {}
    with transaction.atomic():
        for label in MADE_BY_MIGRATIONS:
            kept[label]._base_manager.all().delete()
        for label, fields, values in _tables(lines):
            if label not in kept:
                raise RestoreError(f"The backup has rows of {label}, which this version does not know.")
            rows[label] = _insert(kept[label], fields, values)
        _check_end(lines, rows)
        with connection.cursor() as cursor:
            for statement in connection.ops.sequence_reset_sql(no_style(), list(kept.values())):
                cursor.execute(statement)
        connection.check_constraints()
    return Restored(head["made_at"], rows)


class _Lines:
    """The lines of a backup, with the digest of those that were read."""

    def __init__(self, source: IO[bytes]) -> None:
        self._packed = gzip.GzipFile(fileobj=source, mode="rb")
        self._digest = hashlib.sha256()
        self.before = self._digest.hexdigest()
        """The digest of all lines before the last one."""
        self._again: Any = None

    def next(self) -> Any:
        """The next line's value."""
        if self._again is not None:
            value, self._again = self._again, None
            return value
        try:
            data = self._packed.readline()
            self.before = self._digest.hexdigest()
            self._digest.update(data)
            return json.loads(data)
        except (OSError, EOFError, zlib.error, ValueError) as error:
            raise RestoreError("The backup is damaged, or cut short: fetch it again, or take an older one.") from error

    def put_back(self, value: Any) -> None:
        """Have `next` give this value again."""
        self._again = value


def _tables(lines: _Lines) -> Iterator[tuple[str, Sequence[str], Iterator[list[Any]]]]:
    while "model" in (head := lines.next()):

        def values() -> Iterator[list[Any]]:
            while isinstance(value := lines.next(), list):
                yield value
            lines.put_back(value)

        yield head["model"], head["fields"], values()
    lines.put_back(head)


def _check_version(migrations: dict[str, list[str]]) -> None:
    here = backup.applied_migrations()
    if here == migrations:
        return
    names = {f"{app}.{name}" for app, found in migrations.items() for name in found}
    known = {f"{app}.{name}" for app, found in here.items() for name in found}
    differ = ", ".join(sorted(names ^ known)[:6])
    raise RestoreError(
        f"The backup was made by another version of the site (migrations that differ: {differ}). Restore it with the "
        "version that made it, then upgrade."
    )


def _check_empty(kept: Any) -> None:
    for model in kept:
        if model._meta.label_lower not in MADE_BY_MIGRATIONS and model._base_manager.exists():
            raise RestoreError(
                f"The database is not empty: it has {model._meta.verbose_name_plural} in it. Restore into a new one, "
                "so that nothing is overwritten by a slip."
            )


def _check_end(lines: _Lines, rows: dict[str, int]) -> None:
    end = lines.next()
    if end.get("sha256") != lines.before or end.get("rows") != rows:
        raise RestoreError("The backup is damaged: its rows are not those that were written.")


def _insert(model: type[models.Model], names: Sequence[str], rows: Iterator[list[Any]]) -> int:
    """Insert rows as they were: no field makes its own value, as `auto_now_add` would."""
    by_name = {field.attname: field for field in backup.fields_of(model)}
    if set(names) != set(by_name):
        raise RestoreError(f"The backup has other columns of {model._meta.label_lower} than this version.")
    fields = [by_name[name] for name in names]
    quote = connection.ops.quote_name
    columns = ", ".join(quote(str(field.column)) for field in fields)
    places = ", ".join(["%s"] * len(fields))
    statement = f"INSERT INTO {quote(model._meta.db_table)} ({columns}) VALUES ({places})"  # noqa: S608 - our own names
    count, batch = 0, []
    with connection.cursor() as cursor:
        for row in rows:
            batch.append([_stored(field, value) for field, value in zip(fields, row, strict=True)])
            count += 1
            if len(batch) == _BATCH:
                cursor.executemany(statement, batch)
                batch.clear()
        if batch:
            cursor.executemany(statement, batch)
    return count


def _stored(field: models.Field[Any, Any], value: Any) -> Any:
    # A JSON value is stored as it is read; everything else is text or a number that the field understands.
    if value is not None and not isinstance(field, models.JSONField):
        value = field.to_python(value)
    return field.get_db_prep_save(value, connection)
