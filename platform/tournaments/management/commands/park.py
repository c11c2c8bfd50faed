"""`manage.py park`: waiting matches are set aside, for instance because something is wrong with them."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments import queue
from tournaments.management import chosen
from tournaments.models import Match


class Command(BaseCommand):
    """Sets waiting matches aside; `requeue` takes it back."""

    help = (
        "Sets waiting matches of a tournament aside: they are not played until `requeue`, and the tournament goes on "
        "and ends without them. What is being played is left alone. Safe on a live site, and twice."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", metavar="tournament", help="Address of the tournament.")
        chosen.add_matches(parser)
        parser.add_argument("--reason", required=True, help="One sentence for staff; it stands beside the match.")
        chosen.add_dry_run(parser)

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002
        if not options["numbers"]:
            raise CommandError("Say which matches: --match 12 13.")
        if not options["reason"].strip():
            raise CommandError("Give a reason: staff reads it on the operations page.")
        tournament = chosen.chosen([options["slug"]]).get()
        count = 0
        for match in chosen.matches_of(tournament, options["numbers"]):
            if match.state != Match.State.QUEUED:
                self.stderr.write(f"{match} is not waiting, so it is left as it is ({match.get_state_display()}).")
                continue
            if not options["dry_run"]:
                try:
                    queue.park(match, options["reason"].strip())
                except queue.QueueError as error:
                    # A worker took it in this moment.
                    self.stderr.write(str(error))
                    continue
            self.stdout.write(str(match))
            count += 1
        self.stdout.write(f"{count} matches {'would be' if options['dry_run'] else 'are'} set aside.")
