"""Finds the migrations that would stop a site with much in it: those that hold a lock on a big table for long.

PostgreSQL locks a table for each change of its structure. Most changes take a moment, whatever is in the table. What is
found here does not: it reads or writes every row, or is refused to others while it works.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.apps import apps
from django.db.migrations import operations as ops
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.migration import Migration
from django.db.models import NOT_PROVIDED

from upkeep.schema import AddIndexWithoutLock, RemoveIndexWithoutLock

BIG = frozenset(
    {
        *(
            "tournaments.match",
            "tournaments.seat",
            "tournaments.game",
            "tournaments.gamelog",
            "tournaments.ratingpoint",
        ),
        *("bots.botversion", "bots.botfile", "notices.notice", "upkeep.auditentry"),
    }
)
"""Tables that grow with every match and upload. All others fit into a moment, whatever is done to them."""


def apps_of_the_house() -> frozenset[str]:
    """The apps whose migrations are ours: those that stand beside this one."""
    here = Path(__file__).resolve().parents[1]
    return frozenset(app.label for app in apps.get_app_configs() if Path(app.path).resolve().parent == here)


def findings(loader: MigrationLoader | None = None) -> Iterator[str]:
    """A sentence for each operation that would lock a big table for long, in the order of the migrations' names."""
    loader = loader or MigrationLoader(None)
    house = apps_of_the_house()
    for (app, name), migration in sorted(loader.disk_migrations.items()):
        if app in house:
            for sentence in findings_of(migration):
                yield f"{app}.{name}: {sentence}"


def findings_of(migration: Migration) -> Iterator[str]:
    """The same of one migration.

    A migration that makes a table may do with it what it likes: nothing is in it. One that says in `locks_briefly`, an
    attribute of its class, why its locks are short all the same is believed: the sentence is there to be reviewed.
    """
    if getattr(migration, "locks_briefly", ""):
        return
    made = {operation.name_lower for operation in migration.operations if isinstance(operation, ops.CreateModel)}
    without_lock = [op for op in migration.operations if isinstance(op, (AddIndexWithoutLock, RemoveIndexWithoutLock))]
    if without_lock and (migration.atomic or len(without_lock) < len(migration.operations)):
        yield "an operation without lock needs a migration of its own, with `atomic = False`."
    for operation in migration.operations:
        if isinstance(operation, (ops.RunPython, ops.RunSQL)):
            if migration.atomic:
                yield (
                    f"{type(operation).__name__} in one transaction holds every row that it writes until its end. Set "
                    "`atomic = False` and write in batches, or say in `locks_briefly` how few rows it writes."
                )
            continue
        model = getattr(operation, "model_name_lower", None) or getattr(operation, "name_lower", "")
        if model in made or f"{migration.app_label}.{model}" not in BIG:
            continue
        if sentence := _slow(operation):
            yield f"{type(operation).__name__} on {model}: {sentence}"


def _slow(operation: Any) -> str:
    """Why an operation on a big table locks it for long; empty where it does not."""
    if isinstance(operation, (AddIndexWithoutLock, RemoveIndexWithoutLock)):
        return ""
    if isinstance(operation, ops.AddIndex):
        return "nobody writes while the index is made. Use upkeep.schema.AddIndexWithoutLock."
    if isinstance(operation, ops.AddConstraint):
        return "every row is checked while nobody reads or writes. Add it to a table that is new, or check in the code."
    if isinstance(operation, ops.AddField):
        field = operation.field
        if field.unique or getattr(field, "db_index", False) or field.remote_field is not None:
            return "an index is made with it while nobody writes. Add the plain column first, then the index."
        default: Any = field.default
        if callable(default) and default is not NOT_PROVIDED and default not in {dict, list, str}:
            return "the default is computed, so every row is written. Give it a constant, or null."
        return ""
    if isinstance(operation, ops.AlterField):
        return "it may write every row anew. Say in `locks_briefly` why this one does not (only words or choices, say)."
    if isinstance(operation, (ops.RenameField, ops.RenameModel, ops.AlterModelTable)):
        return "processes that still run the version before ask for the old name and fail. Add, copy, then remove."
    return ""
