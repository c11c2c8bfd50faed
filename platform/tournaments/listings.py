"""What the pages list: tournaments, matches, games, and the one match with everything about it.

Each function makes a fixed number of queries however long the list is. Numbers of the table are not made here but in
`standings`; these are states, names and results as they were stored.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, F, IntegerField, OuterRef, Prefetch, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from accounts.models import User
from arena.durak import Ending, Outcome, Ruleset
from arena.rating import seat_points
from bots.models import Bot
from tournaments import organising, queue
from tournaments.models import Entry, Game, Match, RatingPoint, Seat, Tournament
from tournaments.values import ruleset_of

SEATS = Prefetch(
    "seats",
    Seat.objects.select_related("entry", "version__bot__owner")
    # Reports of checks are long, and a list of matches shows none.
    .defer("version__report", "version__progress", "version__bot__description")
    .order_by("index"),
)


def _count(queryset: QuerySet[Entry] | QuerySet[Match]) -> Coalesce:
    """How many rows belong to the tournament of the outer query; a subquery, so that counts do not multiply."""
    counted = queryset.filter(tournament=OuterRef("pk")).order_by().values("tournament").annotate(n=Count("pk"))
    return Coalesce(Subquery(counted.values("n"), output_field=IntegerField()), Value(0))


def tournaments(viewer: User | AnonymousUser | None = None, state: str = "") -> QuerySet[Tournament]:
    """The tournaments that somebody may see, newest first, each with `entry_count`, `match_count` and
    `finished_count`.

    Drafts are for staff, and for the organiser who made them. The ladder stands first: it always runs.
    """
    unfinished = [Match.State.QUEUED, Match.State.RUNNING, Match.State.PARKED]
    found = Tournament.objects.annotate(
        entry_count=_count(Entry.objects.filter(state=Entry.State.ACTIVE)),
        # Finished matches are counted as they are rated: to count 100,000 of them for each reader would take long.
        match_count=F("rated") + _count(Match.objects.filter(state__in=unfinished)),
        finished_count=F("rated"),
    ).order_by(F("kind").asc(), "-id")
    if viewer is None or not viewer.is_staff:
        seen = ~Q(state=Tournament.State.DRAFT)
        if viewer is not None and organising.may_organise(viewer):
            seen |= Q(created_by=viewer.pk)
        found = found.filter(seen)
    if state in Tournament.State.values:
        found = found.filter(state=state)
    return found


PLAYED = Match.PLAYED
"""What a list of matches shows unless another state is asked for: not the plan, but what came of it."""


def matches(
    tournament: Tournament | None = None, *, state: str = "", bot: str = "", against: str = "", drafts: bool = False
) -> QuerySet[Match]:
    """Matches with their seats; of one tournament, with one bot or two (by slug).

    Args:
        state: one state; `all`; anything else means those of `PLAYED`. What is being played comes first, what was
            played last comes next, and of those that wait the one that is played next.
        drafts: whether matches of drafts are among them.
    """
    # The tournament comes by a query of its own: joined, its options would be carried through every sort.
    found = Match.objects.prefetch_related("tournament", SEATS)
    if tournament is not None:
        found = found.filter(tournament=tournament)
    elif not drafts:
        # Not a join: the rows are read in the order of an index, and these few are left out.
        found = found.exclude(tournament__in=Tournament.objects.filter(state=Tournament.State.DRAFT).values("pk"))
    if state != "all":
        found = found.filter(state__in=[state] if state in Match.State.values else PLAYED)
    for slug in filter(None, (bot, against)):
        found = found.filter(pk__in=Seat.objects.filter(entry__bot__slug=slug).values("match"))
    if state == Match.State.QUEUED:
        return found.order_by("-priority", "id")
    # By the letters of the states, from behind: running, queued, parked, finished, cancelled. The index has that order.
    return found.order_by("-state", "-id")


def newest_matches(limit: int) -> Sequence[Match]:
    """The matches that ended last."""
    found = matches(state=Match.State.FINISHED).order_by(F("finished_at").desc())
    return list(found[:limit])


@dataclass(frozen=True)
class Cell:
    """One game on its match's page."""

    game: Game
    seats: Sequence[Seat]
    """By seat of this game: the seat of the match that sat there."""
    last: Seat | None
    """Who lost: the fool, or the one who failed; None where nobody or more than one did."""
    first: Seat | None
    """Who won where a single one did."""
    failed: Sequence[tuple[Seat, str]]
    """Who failed, and why."""


@dataclass(frozen=True)
class Deal:
    """The games of one deal, by rotation: the same cards with the bots on other seats."""

    number: int
    cells: Sequence[Cell]
    points: Sequence[float]
    """By seat of the match: its points of all these games, at most one for each opponent and game."""


@dataclass(frozen=True)
class Line:
    """One bot at the table: its seat, and what the match did to its Elo (None until it has been rated)."""

    seat: Seat
    elo: float | None
    change: float | None


@dataclass(frozen=True)
class MatchPage:
    """Everything the page of a match shows."""

    match: Match
    lines: Sequence[Line]
    deals: Sequence[Deal]
    rotations: Sequence[Sequence[Seat]]
    """By rotation: who sits at each seat."""
    total: int
    """How many games the match has when it is finished."""
    ahead: int | None
    """How many matches are before it in the queue; None unless it waits."""


def match_page(match: Match) -> MatchPage:
    """Read one match with its games, and its place in the queue while it waits."""
    seats = list(match.seats.all())
    ruleset = ruleset_of(match.tournament)
    by_index = {seat.index: seat for seat in seats}
    rows: dict[int, list[Cell]] = {}
    games = match.games.defer("record").order_by("deal", "rotation")
    for game in games:
        rows.setdefault(game.deal, []).append(_cell(game, by_index))
    points = {point.entry_id: point for point in RatingPoint.objects.filter(match=match)}
    lines = []
    for seat in seats:
        point = points.get(seat.entry_id)
        lines.append(Line(seat, point.after if point else None, point.after - point.before if point else None))
    return MatchPage(
        match=match,
        lines=lines,
        deals=[Deal(number, cells, _points(cells, ruleset, len(seats))) for number, cells in rows.items()],
        rotations=[[seats[(seat - turn) % len(seats)] for seat in range(len(seats))] for turn in range(len(seats))],
        total=match.tournament.games_a_match,
        ahead=queue.position(match) if match.state == Match.State.QUEUED else None,
    )


def _points(cells: Sequence[Cell], ruleset: Ruleset, count: int) -> list[float]:
    total = [0.0] * count
    for cell in cells:
        outcome = Outcome(Ending(cell.game.ending), tuple(cell.game.places), None)
        for seat, points in zip(cell.seats, seat_points(outcome, ruleset), strict=True):
            total[seat.index] += points / 2
    return total


def _cell(game: Game, by_index: Mapping[int, Seat]) -> Cell:
    seats = [by_index[index] for index in game.seating]
    places = list(game.places)
    best, worst = min(places), max(places)
    firsts = [seat for seat, place in zip(seats, places, strict=True) if place == best]
    lasts = [seat for seat, place in zip(seats, places, strict=True) if place == worst]
    apart = best != worst
    return Cell(
        game=game,
        seats=seats,
        first=firsts[0] if apart and len(firsts) == 1 else None,
        last=lasts[0] if apart and len(lasts) == 1 else None,
        failed=[(seats[failure["seat"]], str(failure["reason"])) for failure in game.failures],
    )


@dataclass(frozen=True)
class ShownSecret:
    """What may be shown of a secret of the deals."""

    day: date | None
    commitment: str
    shown: str
    """The secret in hex once it is revealed; before that, nothing."""


def secrets(tournament: Tournament) -> Sequence[ShownSecret]:
    """The commitments of a tournament, newest first, with the secrets that have been revealed."""
    return [
        ShownSecret(secret.day, secret.commitment, bytes(secret.secret).hex() if secret.revealed_at else "")
        for secret in tournament.secrets.order_by("-id")
    ]


def bot_choices(tournament: Tournament) -> Sequence[tuple[str, str]]:
    """The bots that have played in a tournament, by name, as (slug, name)."""
    found = Bot.objects.filter(entries__tournament=tournament).distinct().order_by("name", "id")
    return list(found.values_list("slug", "name")[:500])


def plan(tournament: Tournament) -> QuerySet[Match]:
    """All matches of a tournament in the order of its plan, with their seats; what will not be played is left out."""
    found = Match.objects.filter(tournament=tournament).exclude(state=Match.State.CANCELLED)
    return found.prefetch_related("tournament", SEATS).order_by("number")


def next_number(tournament: Tournament) -> int | None:
    """The number of the match that is played next; None where nothing waits."""
    waiting = Match.objects.filter(tournament=tournament, state=Match.State.QUEUED)
    return waiting.order_by("-priority", "id").values_list("number", flat=True).first()


def plan_page(tournament: Tournament, size: int, number: int | None) -> int:
    """The page of the plan, of `size` matches each, that has the match with a `number`; the first without one."""
    if number is None:
        return 1
    # Numbers have no gaps, so those that the plan does not show are all that has to be counted.
    hidden = Match.objects.filter(tournament=tournament, state=Match.State.CANCELLED, number__lt=number)
    return 1 + (number - 1 - hidden.count()) // size


def entries_of(tournament: Tournament, owner: int | None) -> Sequence[Entry]:
    """The entries of one user that still play in a tournament; none for a visitor."""
    if owner is None:
        return []
    found = Entry.objects.filter(tournament=tournament, bot__owner=owner, state=Entry.State.ACTIVE)
    return list(found.select_related("bot", "version").order_by("id"))
