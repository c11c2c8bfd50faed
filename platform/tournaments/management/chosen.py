"""Which tournaments and matches a command looks at, and whether it changes anything."""

from argparse import ArgumentParser

from django.core.management.base import CommandError
from django.db.models import QuerySet

from tournaments.models import Match, Tournament


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


def add_matches(parser: ArgumentParser) -> None:
    """Let the caller name matches of one tournament by their numbers."""
    parser.add_argument(
        "--match",
        type=int,
        nargs="+",
        metavar="N",
        dest="numbers",
        help="Numbers of matches, as the plan of the tournament shows them.",
    )


def add_dry_run(parser: ArgumentParser) -> None:
    """Let the caller look before he leaps."""
    parser.add_argument("--dry-run", action="store_true", help="Say what would be done, and do nothing.")


def matches_of(tournament: Tournament, numbers: list[int]) -> list[Match]:
    """The matches of a tournament with these numbers, in their order.

    Raises:
        CommandError: there is none of that number.
    """
    found = {match.number: match for match in Match.objects.filter(tournament=tournament, number__in=numbers)}
    for number in numbers:
        if number not in found:
            raise CommandError(f"{tournament.slug} has no match {number}; its plan shows the numbers.")
    return [found[number] for number in sorted(set(numbers))]
