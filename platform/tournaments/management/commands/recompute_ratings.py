"""`manage.py recompute_ratings`: Elo, its history and the sums of the table, anew from the finished matches."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from tournaments import ratings
from tournaments.management import chosen


class Command(BaseCommand):
    """Tells what differed, and sets it right."""

    help = "Computes the ratings of tournaments anew and stores what differs. May run on a live site, and twice."

    def add_arguments(self, parser: ArgumentParser) -> None:
        chosen.add_argument(parser)

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002
        for tournament in chosen.chosen(options["slugs"]):
            differences = ratings.recompute_ratings(tournament)
            for difference in differences:
                self.stdout.write(f"{tournament.slug}: {difference}")
            ratings.refresh_table(tournament)
            self.stdout.write(f"{tournament.slug}: {len(differences)} differences.")
