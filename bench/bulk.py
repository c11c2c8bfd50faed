"""Rows in bulk: COPY and INSERT ... SELECT by a model's fields, what is not given being the field's default."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from django.db.models import Model


def copy(model: type[Model], rows: Iterable[Mapping[str, Any]]) -> None:
    """Write rows by COPY. What a row does not say is the field's default, so that a new field breaks nothing here."""
    from django.db import connection

    defaults = _defaults(model)
    names = list(defaults)
    columns = ", ".join(f'"{name}"' for name in names)
    with connection.cursor() as cursor, cursor.copy(f'COPY "{model._meta.db_table}" ({columns}) FROM STDIN') as lines:
        for row in rows:
            merged = {**defaults, **row}
            if len(merged) != len(defaults):
                raise KeyError(f"{model.__name__} has no {set(merged) - set(defaults)}.")
            lines.write_row([merged[name] for name in names])


def insert(model: type[Model], values: Mapping[str, str], rest: str) -> None:
    """INSERT ... SELECT of expressions by column, the others with the field's default."""
    from django.db import connection
    from psycopg import sql

    plain = {name: sql.SQL("{}").format(sql.Literal(value)) for name, value in _defaults(model).items()}
    given = {name: sql.SQL(expression) for name, expression in values.items()}
    merged: dict[str, Any] = {**plain, **given}
    statement = sql.SQL("INSERT INTO {} ({}) SELECT {} ").format(
        sql.Identifier(model._meta.db_table),
        sql.SQL(", ").join(sql.Identifier(name) for name in merged),
        sql.SQL(", ").join(merged.values()),
    )
    with connection.cursor() as cursor:
        cursor.execute(statement + sql.SQL(rest))


def _defaults(model: type[Model]) -> dict[str, Any]:
    """The default of each column as COPY takes it. Keys of what nothing refers to are left to their sequence."""
    from django.db.models import AutoField, JSONField

    found: dict[str, Any] = {}
    for one in model._meta.concrete_fields:
        if isinstance(one, AutoField):
            if model.__name__ in {"RatingPoint", "Game", "GameLog"}:
                continue
            found[str(one.column)] = None
            continue
        value = one.get_default()
        if getattr(one, "auto_now_add", False):
            value = now()
        found[str(one.column)] = json.dumps(value) if isinstance(one, JSONField) and value is not None else value
    return found


def reset_sequences(cursor: Any) -> None:
    from django.apps import apps
    from django.core.management.color import no_style
    from django.db import connection

    models = [model for name in ("accounts", "bots", "tournaments") for model in apps.get_app_config(name).get_models()]
    for statement in connection.ops.sequence_reset_sql(no_style(), models):
        cursor.execute(statement)


def now() -> datetime:
    """This moment."""
    return datetime.now(UTC)
