"""`manage.py lint_migrations`: would a migration lock a big table for long?"""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from upkeep import lint


class Command(BaseCommand):
    """Looks at the files of migrations; needs no database."""

    help = "Finds the migrations that would lock a big table for long."
    requires_system_checks: list[str] = []  # noqa: RUF012 - Django's name

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002
        found = list(lint.findings())
        for sentence in found:
            self.stdout.write(sentence)
        if found:
            raise CommandError(f"{len(found)} operations would stop a site with much in it.")
        self.stdout.write("No migration locks a big table for long.")
