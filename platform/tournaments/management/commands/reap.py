"""`manage.py reap`: what dead workers left, in the database and on this host."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from bots import sandboxes
from sandbox import SandboxError
from tournaments import queue
from tournaments.management import chosen
from tournaments.models import Match


class Command(BaseCommand):
    """Does at once what the sweep and the next start of a worker would do."""

    help = (
        "Takes matches from workers whose lease ran out, and removes the containers and folders that dead workers of "
        "this host left. Living workers lose nothing. Safe on a live site, and twice."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--no-sandboxes", action="store_true", help="Only the leases: where no engine is at hand.")
        chosen.add_dry_run(parser)

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002
        dry_run = options["dry_run"]
        now = timezone.now()
        lost = Match.objects.filter(state=Match.State.RUNNING, lease_until__lte=now).select_related("tournament")
        for match in lost.order_by("pk"):
            self.stdout.write(f"{match}: its worker {match.worker} has given no sign since its lease ran out")
        count = lost.count() if dry_run else queue.expire(now)
        self.stdout.write(f"{count} leases {'have run out' if dry_run else 'taken back'}.")
        if options["no_sandboxes"]:
            return
        try:
            removed = sandboxes.backend().reap(dry_run=dry_run)
        except SandboxError as error:
            raise CommandError(f"{error} The leases are done; --no-sandboxes leaves this step out.") from error
        finally:
            sandboxes.close()
        for what in removed:
            self.stdout.write(f"{what}: its worker is dead")
        self.stdout.write(f"{len(removed)} leftovers {'found' if dry_run else 'removed'}.")
