"""`manage.py backup FILE`: the whole site in one file."""

import os
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from upkeep import backup


class Command(BaseCommand):
    """Writes it beside its name first, so that a file of this name is always whole."""

    help = (
        "Writes everything in the database to FILE, as it is at this moment; the site goes on meanwhile. The file "
        "holds secrets (of deals, hashes of passwords): it is readable by you alone; keep it so."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="Where to; - is standard output.")

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002
        if options["file"] == "-":
            if sys.stdout.isatty():
                raise CommandError("A backup is no text for a terminal: direct it into a file.")
            backup.write(sys.stdout.buffer)
            return
        path = Path(options["file"])
        if path.exists():
            raise CommandError(f"{path} exists already; choose another name, so that no backup is lost.")
        part = path.with_name(path.name + ".part")
        try:
            # Readable by nobody else from its first byte on.
            descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(descriptor, "wb") as target:
                os.fchmod(descriptor, 0o600)
                rows = backup.write(target)
                target.flush()
                os.fsync(descriptor)
            part.replace(path)
        except OSError as error:
            part.unlink(missing_ok=True)
            raise CommandError(f"The backup cannot be written to {path}: {error}.") from error
        self.stdout.write(f"{path}: {sum(rows.values())} rows, {path.stat().st_size} bytes.")
