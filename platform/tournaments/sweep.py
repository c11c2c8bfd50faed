"""The sweep: every few seconds it looks at the tables and starts what is to be done.

Nothing is told to anybody in this house: that a version became ready, that a worker died, that the last match was
played, is found here. So everything heals that is written down, and two sweeps at once do no harm.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from datetime import timedelta

import structlog
from django.conf import settings
from django.core.cache import cache
from django.db.models import Exists, F, OuterRef
from django.utils import timezone

from accounts.retention import forget_sessions
from bots import announce, checks
from bots.models import Bot, BotVersion
from bots.selectors import may_play, with_current
from tournaments import (
    dates,
    fairness,
    lifecycle,
    planning,
    queue,
    quotas,
    ratings,
    retention,
    suspending,
    verification,
)
from tournaments.models import Entry, Match, Tournament
from tournaments.values import limits_of

logger = structlog.get_logger(__name__)

PLAY_TASK = "tournaments.tasks.play_match"
NEWCOMERS = 20
"""Versions that one sweep takes onto the ladder: each plans a match against everyone, and the sweep shall be short."""
STALL_SECONDS = 600
"""With matches waiting and none ending for so long, somebody has to look."""
FIT_SHARE = 20.0
"""A table is made again after so many times the time that it took: a twentieth of one worker at most goes there."""


def steps() -> tuple[Callable[[], object], ...]:
    """What one sweep does, in this order."""
    return (
        checks.sweep,
        suspending.settle,
        grow_ladder,
        dates.start_due,
        make_plans,
        queue.expire,
        announce_matches,
        refresh_tables,
        finish_tournaments,
        fairness.reveal_past_days,
        verification.advance,
        ring_alarm,
        retention.prune,
        forget_sessions,
    )


def sweep() -> None:
    """Do all of it; what fails does not keep the rest from being done.

    Raises:
        ExceptionGroup: what failed.
    """
    failed = []
    for step in steps():
        try:
            step()
        except Exception as error:  # noqa: BLE001 - raised below, when the other steps have had their turn
            failed.append(error)
    if failed:
        raise ExceptionGroup("The sweep could not do all of its work.", failed)


def grow_ladder() -> None:
    """Give every bot's current version its place on the ladder."""
    ladder = lifecycle.ensure_ladder()
    if ladder.state != Tournament.State.RUNNING:
        return
    fairness.ensure_secret(ladder)
    joined = 0
    held_back: set[int] = set()
    for version in newcomers(ladder):
        owner = version.bot.owner_id
        if owner in held_back or quotas.is_held_back(version.bot):
            held_back.add(owner)
            continue
        lifecycle.join_ladder(ladder, version)
        joined += 1
        if joined == NEWCOMERS:
            break


def newcomers(ladder: Tournament) -> list[BotVersion]:
    """The versions that should play on a ladder and do not, in the order in which they became ready."""
    entries = Entry.objects.filter(tournament=ladder, bot=OuterRef("pk"))
    settled = entries.filter(version=OuterRef("current_id"), state__in=[Entry.State.ACTIVE, Entry.State.WITHDRAWN])
    bots = (
        with_current(Bot.objects.filter(may_play()))
        .filter(~Exists(settled), ~Exists(entries.filter(state=Entry.State.DISQUALIFIED)), current_id__isnull=False)
        .values("current_id")
    )
    return list(BotVersion.objects.filter(pk__in=bots).select_related("bot__owner").order_by("checked_at", "pk"))


def make_plans() -> None:
    """Write down another piece of each plan that is being made."""
    unfinished = Tournament.objects.filter(state=Tournament.State.RUNNING, planning=True)
    for pk in unfinished.order_by("started_at", "pk").values_list("pk", flat=True):
        planning.make_piece(pk)


def announce_matches() -> None:
    """Tell workers which matches wait, as many as they will soon play."""
    due = queue.take_due()
    by_tournament: dict[int, list[int]] = defaultdict(list)
    rows: Iterable[tuple[int, int]] = Match.objects.filter(pk__in=due).values_list("pk", "tournament_id")
    tournament_of = dict(rows)
    for match_id in due:
        by_tournament[tournament_of[match_id]].append(match_id)
    for tournament in Tournament.objects.filter(pk__in=by_tournament):
        limit = limits_of(tournament).match_seconds(tournament.players, tournament.deals)
        if not announce.announce(PLAY_TASK, by_tournament[tournament.pk], int(limit) + 60):
            queue.forget_announcement(by_tournament[tournament.pk])
            continue
        for match_id in by_tournament[tournament.pk]:
            logger.info("match_announced", match=match_id, tournament=tournament.slug)


def refresh_tables() -> None:
    """Make the likelihood tables again that matches have been rated since, each as often as it can be afforded."""
    now = timezone.now()
    for tournament in Tournament.objects.filter(rated__gt=F("fitted")):
        last = tournament.fitted_at
        pause = max(settings.SWEEP_SECONDS, FIT_SHARE * tournament.fit_seconds)
        if last is not None and (now - last).total_seconds() < pause:
            continue
        # A sweep that comes while this one computes leaves it alone.
        if Tournament.objects.filter(pk=tournament.pk, fitted_at=last).update(fitted_at=now):
            ratings.refresh_table(tournament)


def finish_tournaments() -> None:
    """End the round robins that have nothing left to play, with a table over all of their games."""
    open_matches = Match.objects.filter(tournament=OuterRef("pk"), state__in=[Match.State.QUEUED, Match.State.RUNNING])
    over = Tournament.objects.filter(
        ~Exists(open_matches), kind=Tournament.Kind.ROUND_ROBIN, state=Tournament.State.RUNNING, planning=False
    )
    for tournament in over:
        if tournament.rated > tournament.fitted:
            ratings.refresh_table(tournament)
        try:
            lifecycle.finish(tournament)
        except lifecycle.LifecycleError as error:
            # Another sweep was quicker, or staff had a match tried again in this moment.
            logger.info("tournament_not_finished", tournament=tournament.slug, reason=str(error))


def ring_alarm() -> bool:
    """Log an error when matches wait and none has ended for `STALL_SECONDS`; once in that time. True when it rang."""
    since = timezone.now() - timedelta(seconds=STALL_SECONDS)
    waiting = Match.objects.filter(state=Match.State.QUEUED, queued_at__lt=since).filter(queue.MAY_BEGIN)
    ended = Match.objects.filter(state=Match.State.FINISHED, finished_at__gt=since)
    if ended.exists() or not waiting.exists() or not cache.add("tournaments.alarm", True, STALL_SECONDS):
        return False
    logger.error("no_match_ends", seconds=STALL_SECONDS, hint="Is a worker running, and can it open sandboxes?")
    return True
