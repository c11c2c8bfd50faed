"""`manage.py restore FILE`: a backup into an empty database, and a look at whether everything adds up."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import IO, Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from upkeep import restore


class Command(BaseCommand):
    """Makes the tables, fills them, and replays every game."""

    help = "Restores a backup into an empty database: makes the tables, fills them, then replays and checks every game."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="The backup; - is standard input.")
        parser.add_argument("--no-check", action="store_true", help="Do not replay the games afterwards.")

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002
        call_command("migrate", verbosity=0, interactive=False)
        if options["file"] == "-":
            self._restore(sys.stdin.buffer)
        else:
            try:
                with Path(options["file"]).open("rb") as source:
                    self._restore(source)
            except OSError as error:
                raise CommandError(f"{options['file']} cannot be read: {error}.") from error
        if not options["no_check"]:
            call_command("check_integrity", stdout=self.stdout, stderr=self.stderr)

    def _restore(self, source: IO[bytes]) -> None:
        try:
            restored = restore.read(source)
        except restore.RestoreError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{sum(restored.rows.values())} rows of {restored.made_at} are restored.")
