"""A bot as everyone sees it: what it plays in, how well, against whom, and how it loses."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from bots.models import Bot, BotVersion
from bots.selectors import current_version, may_play
from pages import selectors
from pages.charts import thin
from tournaments import listings, quotas, standings
from tournaments.board import Row, lines
from tournaments.crosstable import Meeting, opponents
from tournaments.models import Entry, Match, RatingPoint, Tournament

RECENT = 10
MOST_TOLD = 50
"""Points of a course in the table behind its drawing."""


def listed(query: str = "") -> QuerySet[Bot]:
    """The bots that may play and have passed their check, by name, each with the number of its current version."""
    ready = BotVersion.objects.filter(bot=OuterRef("pk"), state=BotVersion.State.READY)
    newest = ready.order_by("-number").values("number")[:1]
    found = Bot.objects.filter(may_play(), Exists(ready)).select_related("owner")
    found = found.annotate(current_number=Coalesce(F("picked_version__number"), Subquery(newest)))
    if query:
        found = found.filter(Q(name__icontains=query) | Q(owner__username__icontains=query))
    return found.order_by("name", "id")


@dataclass(frozen=True)
class Opponent:
    """One bot against another."""

    meeting: Meeting
    name: str
    slug: str
    version: int


@dataclass(frozen=True)
class Profile:
    """Everything the page of a bot shows about its playing."""

    entries: Sequence[Entry]
    """All its entries, the newest first, with their tournaments."""
    entry: Entry | None
    """The one that the page tells about."""
    row: Row | None
    opponents: Sequence[Opponent]
    points: Sequence[RatingPoint]
    """The course of its Elo, the newest last."""
    recent: Sequence[Match]

    @property
    def course(self) -> list[float]:
        """The Elo before the first match, and after each."""
        return [self.points[0].before, *(point.after for point in self.points)] if self.points else []

    @property
    def told_points(self) -> Sequence[RatingPoint]:
        """The newest points first, for the table behind the drawing: it tells of the whole course as that does."""
        return [self.points[index] for index in reversed(thin(len(self.points), MOST_TOLD))]

    @property
    def mean_ms(self) -> float | None:
        """The mean time of a decision, in milliseconds."""
        line = self.row.standing if self.row else None
        return 1000 * line.seconds / line.decisions if line and line.decisions else None


def profile(bot: Bot, tournament: str = "") -> Profile:
    """Read a bot's playing in the tournament with a slug; without one, on the ladder, or where it entered last."""
    entries = list(
        Entry.objects.filter(bot=bot)
        .exclude(tournament__state=Tournament.State.DRAFT)
        .select_related("tournament", "version")
        .order_by("-id")
    )
    entry = _choose(entries, tournament)
    if entry is None:
        return Profile(entries, None, None, [], [], recent(bot))
    return Profile(
        entries=_one_a_tournament(entries),
        entry=entry,
        row=_row(entry),
        opponents=_opponents(entry),
        points=list(
            RatingPoint.objects.filter(entry=entry).order_by("order").select_related("match").defer("match__error")
        ),
        recent=recent(bot),
    )


def recent(bot: Bot) -> Sequence[Match]:
    """The matches that it plays now or played last."""
    return list(listings.matches(bot=bot.slug)[:RECENT])


def entry_of(bot: Bot, pk: int) -> Entry | None:
    """One entry of a bot, with its tournament; none of somebody else's, and none in a draft."""
    found = Entry.objects.filter(bot=bot, pk=pk).exclude(tournament__state=Tournament.State.DRAFT)
    return found.select_related("tournament").first()


def _choose(entries: Sequence[Entry], tournament: str) -> Entry | None:
    wanted = [entry for entry in entries if entry.tournament.slug == (tournament or selectors.LADDER)]
    playing = [entry for entry in wanted if entry.state == Entry.State.ACTIVE]
    return next(iter(playing or wanted or ([] if tournament else entries)), None)


def _one_a_tournament(entries: Sequence[Entry]) -> list[Entry]:
    """The newest entry in each tournament: on the ladder, one replaces the other."""
    newest: dict[int, Entry] = {}
    for entry in entries:
        newest.setdefault(entry.tournament_id, entry)
    return list(newest.values())


def _row(entry: Entry) -> Row | None:
    """The entry's line. Who is in no table any more still has one, without a place among the others."""
    for row in lines(standings.table(entry.tournament)):
        if row.standing.entry_id == entry.pk:
            return row
    return Row(standings.standing_of(entry), None, 0)


def _opponents(entry: Entry) -> list[Opponent]:
    met = opponents(entry)
    # Some hundred opponents: names alone, and no objects of three tables for each.
    known = Entry.objects.filter(pk__in=[meeting.opponent_id for meeting in met]).order_by()
    rows = known.values_list("pk", "bot__name", "bot__slug", "version__number")
    told = {key: (name, slug, version) for key, name, slug, version in rows}
    found = [Opponent(meeting, *told[meeting.opponent_id]) for meeting in met]
    return sorted(found, key=lambda opponent: (opponent.meeting.score, opponent.name.casefold()))


def versions(bot: Bot, *, everything: bool) -> list[BotVersion]:
    """A bot's versions, newest first; for the public those that passed, for its owner all."""
    found = bot.versions.defer("report", "progress").order_by("-number")
    if not everything:
        found = found.filter(state=BotVersion.State.READY)
    return list(found[:100])


def is_held_back(bot: Bot) -> bool:
    """Whether the version of a bot that should play has to wait before it joins the ladder. For its owner."""
    current = current_version(bot)
    if current is None or bot.is_suspended or bot.owner.is_suspended:
        return False
    there = Entry.objects.filter(version=current, tournament__slug=selectors.LADDER)
    return not there.exists() and quotas.is_held_back(bot)
