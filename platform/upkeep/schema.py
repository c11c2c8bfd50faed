"""Operations for migrations of big tables, that let everybody go on reading and writing them meanwhile.

PostgreSQL makes the index beside all other work, which takes longer and stops nobody; SQLite knows nothing like it, and
has no big tables. A migration with one has `atomic = False` and nothing else in it: should it fail half way, dropping
the invalid index that it left is all that has to be done before it runs again.
"""

from __future__ import annotations

from typing import Any

from django.contrib.postgres.operations import AddIndexConcurrently, RemoveIndexConcurrently
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations import AddIndex, RemoveIndex


def _is_postgres(editor: BaseDatabaseSchemaEditor) -> bool:
    return editor.connection.vendor == "postgresql"


class AddIndexWithoutLock(AddIndexConcurrently):
    """As AddIndex, without stopping anybody."""

    def database_forwards(self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, *states: Any) -> None:
        step = AddIndexConcurrently if _is_postgres(schema_editor) else AddIndex
        step.database_forwards(self, app_label, schema_editor, *states)

    def database_backwards(self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, *states: Any) -> None:
        step = AddIndexConcurrently if _is_postgres(schema_editor) else AddIndex
        step.database_backwards(self, app_label, schema_editor, *states)


class RemoveIndexWithoutLock(RemoveIndexConcurrently):
    """As RemoveIndex, without stopping anybody."""

    def database_forwards(self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, *states: Any) -> None:
        step = RemoveIndexConcurrently if _is_postgres(schema_editor) else RemoveIndex
        step.database_forwards(self, app_label, schema_editor, *states)

    def database_backwards(self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, *states: Any) -> None:
        step = RemoveIndexConcurrently if _is_postgres(schema_editor) else RemoveIndex
        step.database_backwards(self, app_label, schema_editor, *states)
