"""Which tournaments a command looks at."""

from argparse import ArgumentParser

from django.core.management.base import CommandError
from django.db.models import QuerySet

from tournaments.models import Tournament


def add_argument(parser: ArgumentParser) -> None:
    """Let the caller name tournaments by their addresses."""
    parser.add_argument(
        "slugs", nargs="*", metavar="tournament", help="Address of a tournament; all where none is given."
    )


def chosen(slugs: list[str]) -> QuerySet[Tournament]:
    """The tournaments of these addresses, or all.

    Raises:
        CommandError: there is none of that address.
    """
    found = Tournament.objects.order_by("id")
    if not slugs:
        return found
    missing = sorted(set(slugs) - set(found.filter(slug__in=slugs).values_list("slug", flat=True)))
    if missing:
        raise CommandError(f"There is no tournament {missing[0]!r}; see /tournaments/ for their addresses.")
    return found.filter(slug__in=slugs)
