"""How an author's bots fail: games lost by reason, and the failures that are one and the same, grouped by traceback."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Count, Max, Q, QuerySet, TextField, Value
from django.db.models.fields.json import KT
from django.db.models.functions import Cast, Coalesce

from accounts.models import User
from bots.author_pages import view_lines
from bots.models import Bot
from tournaments import standings
from tournaments.models import Entry, GameLog, Tournament

READ = 2000
"""The newest so many failed games are grouped: older ones tell of code that is gone."""
GROUPS = 50
PAGE_SIZE = 30

Key = tuple[str, str]
"""What makes two failures the same: their reason and their traceback, which is empty where nothing was raised."""


@dataclass(frozen=True)
class Filters:
    """Which failures."""

    bot: Bot | None = None
    version: int | None = None
    reason: str = ""


@dataclass(frozen=True)
class FailedGame:
    """One game in which a bot failed, as its owner sees it."""

    log: GameLog
    seat: int
    """Where the bot sat in that game."""

    @property
    def failure(self) -> dict[str, Any]:
        """Why, when, and what is known of it."""
        return self.log.failure or {}

    @property
    def view(self) -> Sequence[tuple[str, str]]:
        """What it was asked, part by part."""
        return view_lines(self.failure.get("view"))

    @property
    def fragment(self) -> str:
        """Where the replay shows the table that it was asked about, as its bot saw it."""
        return f"#m={self.failure.get('at', 0)}&seat={self.seat}"

    @property
    def opponents(self) -> list[str]:
        """Who else sat at the table."""
        return [seat.version.bot.name for seat in self.log.game.match.seats.all() if seat.pk != self.log.seat_id]


@dataclass(frozen=True)
class Group:
    """Failures of one reason with one traceback."""

    key: str
    """Names the group in an address."""
    reason: str
    traceback: str
    count: int
    newest: FailedGame

    @property
    def where(self) -> str:
        """File and line of the newest, as far as they are known."""
        detail = self.newest.failure.get("detail") or {}
        name, line = detail.get("file"), detail.get("line")
        return f"{name}:{line}" if name and line else str(name or "")


@dataclass(frozen=True)
class GroupPage:
    """One group, and a page of its games."""

    group: Group
    games: Sequence[FailedGame]
    """The newest first."""
    page: Page[int]


@dataclass(frozen=True)
class Failures:
    """What the page shows."""

    lost: Sequence[tuple[str, int]]
    """Lost games by cause, the most frequent first: `play`, or the reason of a failure."""
    groups: Sequence[Group]
    """The most frequent first; not more than `GROUPS`."""
    more: bool
    """Whether there are older failures, or more groups, than are shown."""


def own_bots(user: User) -> list[Bot]:
    """The bots to choose from."""
    return list(Bot.objects.filter(owner=user).order_by("name"))


def read(bots: Sequence[Bot], filters: Filters) -> Failures:
    """Read how some bots fail. Four queries."""
    logs = _logs(bots, filters)
    counted = _counted(logs)
    groups: list[dict[str, Any]] = list(counted.order_by("-count", "-newest")[: GROUPS + 1])
    newest = {game.log.pk: game for game in _games(GameLog.objects.filter(pk__in=[row["newest"] for row in groups]))}
    return Failures(
        lost=_lost(bots, filters),
        groups=[
            Group(_digest((row["why"], row["trace"])), row["why"], row["trace"], row["count"], newest[row["newest"]])
            for row in groups[:GROUPS]
        ],
        more=len(groups) > GROUPS or _failed(bots, filters)[READ : READ + 1].exists(),
    )


def games_of(bots: Sequence[Bot], filters: Filters, group: str, page: str | None) -> GroupPage | None:
    """One group with a page of its games, the newest first; None where there is no such group."""
    logs = _logs(bots, filters)
    for row in _counted(logs).order_by("-count"):
        key = (row["why"], row["trace"])
        if _digest(key) == group:
            members = logs.filter(why=key[0], trace=key[1]).order_by("-pk").values_list("pk", flat=True)
            shown = Paginator(members, PAGE_SIZE).get_page(page)
            found = _games(GameLog.objects.filter(pk__in=list(shown.object_list)))
            return GroupPage(Group(group, key[0], key[1], row["count"], found[0]), found, shown)
    return None


def _failed(bots: Sequence[Bot], filters: Filters) -> QuerySet[GameLog]:
    """The games in which the bots failed and were started, the newest first."""
    started = Q(failure__forfeited=False) | Q(failure__forfeited__isnull=True)
    found = GameLog.objects.filter(started, seat__entry__bot__in=bots, failure__isnull=False)
    if filters.version is not None:
        found = found.filter(seat__version__number=filters.version)
    if filters.reason:
        found = found.filter(failure__reason=filters.reason)
    return found.order_by("-pk")


def _logs(bots: Sequence[Bot], filters: Filters) -> QuerySet[Any]:
    newest = _failed(bots, filters).values("pk")[:READ]
    # As plain text: a lookup on a key of JSON would compare it as JSON.
    why = Cast(KT("failure__reason"), TextField())
    trace = Coalesce(Cast(KT("failure__detail__traceback"), TextField()), Value(""), output_field=TextField())
    return GameLog.objects.filter(pk__in=newest).annotate(why=why, trace=trace)


def _counted(logs: QuerySet[Any]) -> Any:
    """The groups as rows of `why`, `trace`, `count` and `newest`."""
    return logs.order_by().values("why", "trace").annotate(count=Count("pk"), newest=Max("pk"))


def _games(logs: QuerySet[GameLog]) -> list[FailedGame]:
    """The games of some logs, the newest first, with what a page says of them. Three queries."""
    read = (
        logs.select_related("game__match__tournament", "seat__version__bot")
        .prefetch_related("game__match__seats__version__bot")
        .defer("game__record", "seat__version__report", "game__match__error")
    )
    return [FailedGame(log, list(log.game.seating).index(log.seat.index)) for log in read.order_by("-pk")]


def _lost(bots: Sequence[Bot], filters: Filters) -> list[tuple[str, int]]:
    entries = Entry.objects.filter(bot__in=bots).exclude(tournament__state=Tournament.State.DRAFT)
    if filters.version is not None:
        entries = entries.filter(version__number=filters.version)
    causes: Counter[str] = Counter()
    for lost, failures in entries.values_list("lost", "failures"):
        causes.update(standings.lost_by(lost, failures))
    return [(cause, count) for cause, count in causes.most_common() if count]


def _digest(key: Key) -> str:
    return hashlib.sha256("\0".join(key).encode("utf-8", "replace")).hexdigest()[:16]
