"""`manage.py verify_records`: does every stored game replay to its result, from the deck that its secret gives?"""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments import integrity
from tournaments.management import chosen
from tournaments.models import Game
from tournaments.records import DROPPED


class Command(BaseCommand):
    """Looks and tells; changes nothing. The slow part of `check_integrity`, alone."""

    help = (
        "Replays the stored games of tournaments, about a thousand a second, and compares each with its result and its "
        "deck. Changes nothing; may run on a live site."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        chosen.add_argument(parser)
        chosen.add_matches(parser)

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002
        slugs, numbers = options["slugs"], options["numbers"]
        if numbers and len(slugs) != 1:
            raise CommandError("Numbers of matches mean something in one tournament: name one.")
        count = 0
        for tournament in chosen.chosen(slugs):
            # What is not kept any more cannot be replayed, and is not counted as if it had been.
            games = Game.objects.filter(match__tournament=tournament).exclude(record=DROPPED)
            if numbers:
                games = games.filter(match__in=chosen.matches_of(tournament, numbers))
            for finding in integrity.check_records(tournament, games):
                self.stdout.write(f"{tournament.slug}: {finding}")
                count += 1
            self.stdout.write(f"{tournament.slug}: {games.count()} games replayed.")
        if count:
            raise CommandError(f"{count} games do not hold.")
        self.stdout.write(self.style.SUCCESS("Every record holds."))
