"""`manage.py requeue`: what was set aside by a fault of the site is tried again."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments import queue
from tournaments.management import chosen
from tournaments.models import Match, Tournament


class Command(BaseCommand):
    """Gives parked matches all their attempts again."""

    help = (
        "Has matches that were set aside tried again, with all their attempts, in tournaments that still run. A match "
        "whose secret is public by now gets new decks. Safe on a live site, and twice."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        chosen.add_argument(parser)
        chosen.add_matches(parser)
        parser.add_argument("--all", action="store_true", help="Those of every tournament that runs.")
        chosen.add_dry_run(parser)

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002
        slugs, numbers = options["slugs"], options["numbers"]
        if bool(slugs) == options["all"]:
            raise CommandError("Name tournaments, or say --all.")
        if numbers and len(slugs) != 1:
            raise CommandError("Numbers of matches mean something in one tournament: name one.")
        count = 0
        for tournament in chosen.chosen(slugs).filter(state=Tournament.State.RUNNING):
            parked = Match.objects.filter(tournament=tournament, state=Match.State.PARKED).order_by("number")
            for match in chosen.matches_of(tournament, numbers) if numbers else parked:
                count += self._retry(match, options["dry_run"])
        self.stdout.write(f"{count} matches {'would be tried again' if options['dry_run'] else 'wait again'}.")

    def _retry(self, match: Match, dry_run: bool) -> bool:
        if dry_run and match.state != Match.State.PARKED:
            self.stderr.write(f"{match} has not been set aside.")
            return False
        if not dry_run:
            try:
                queue.retry(match)
            except queue.QueueError as error:
                # Somebody else was quicker, or its tournament has just ended.
                self.stderr.write(str(error))
                return False
        self.stdout.write(f"{match}: {match.error or 'no reason is known'}")
        return True
