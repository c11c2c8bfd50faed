"""`manage.py check_integrity`: does everything that was played and rated add up?"""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments import integrity
from tournaments.management import chosen


class Command(BaseCommand):
    """Looks and tells; changes nothing."""

    help = "Checks matches, points, ratings, decks and records of tournaments. Changes nothing; may run on a live site."

    def add_arguments(self, parser: ArgumentParser) -> None:
        chosen.add_argument(parser)
        parser.add_argument("--no-records", action="store_true", help="Do not replay the games: much faster.")

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002
        count = 0
        for tournament in chosen.chosen(options["slugs"]):
            for finding in integrity.check_tournament(tournament, records=not options["no_records"]):
                self.stdout.write(f"{tournament.slug}: {finding}")
                count += 1
            self.stdout.write(f"{tournament.slug}: {tournament.rated} rated matches looked at.")
        if count:
            raise CommandError(f"{count} things do not add up.")
        self.stdout.write(self.style.SUCCESS("Everything adds up."))
