"""`manage.py recompute_ratings`: Elo, its history and the sums of the table, anew from the finished matches."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from tournaments import ratings
from tournaments.management import chosen


class Command(BaseCommand):
    """Tells what differs, and sets it right."""

    help = (
        "Computes Elo, its history and the sums of entries anew from the finished matches, stores what differs, and "
        "makes the table again. Results that come meanwhile wait. Safe on a live site, and twice."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        chosen.add_argument(parser)
        chosen.add_dry_run(parser)

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002
        for tournament in chosen.chosen(options["slugs"]):
            differences = ratings.recompute_ratings(tournament, store=not options["dry_run"])
            for difference in differences:
                self.stdout.write(f"{tournament.slug}: {difference}")
            if not options["dry_run"]:
                ratings.refresh_table(tournament)
            left = ", left as they are" if differences and options["dry_run"] else ""
            self.stdout.write(f"{tournament.slug}: {len(differences)} differences{left}.")
