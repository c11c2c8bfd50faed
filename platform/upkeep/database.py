"""What the database says of itself."""

from __future__ import annotations

from pathlib import Path

from django.db import connection


def size() -> int:
    """How much room the database takes on its disk, in bytes."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_database_size(current_database())")
            row = cursor.fetchone()
            return int(row[0]) if row else 0
    path = Path(str(connection.settings_dict["NAME"]))
    return sum(file.stat().st_size for file in (path, path.with_name(path.name + "-wal")) if file.exists())
