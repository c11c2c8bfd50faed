"""`manage.py ensure_ladder`: the ladder, before the first sweep makes it."""

from typing import Any

from django.core.management.base import BaseCommand

from tournaments import lifecycle


class Command(BaseCommand):
    """Makes it, or finds it."""

    help = "Makes the ladder where there is none yet. May be run twice."

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002
        self.stdout.write(f"The ladder is /tournaments/{lifecycle.ensure_ladder().slug}/.")
