"""The life of a tournament and of its entries: which state may follow which, and what else each step does.

    draft -> open -> running -> finished
    draft, open, running -> cancelled

An entry is active until it is withdrawn or disqualified, or, on a ladder, replaced by a newer version of its bot. What
it has played counts for ever; what it has not played is cancelled.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import structlog
from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from arena.durak import PRESETS, Ruleset
from arena.limits import Limits
from bots.models import Bot, BotVersion
from bots.names import free_slug
from bots.selectors import current_version, may_play, with_current
from tournaments import fairness, planning, queue
from tournaments.locks import lock, lock_owners
from tournaments.models import Entry, Tournament
from tournaments.models.tournament import LADDER_NAME

logger = structlog.get_logger(__name__)

State = Tournament.State

LADDER_SLUG = "ladder"

TRANSITIONS: Mapping[str, frozenset[str]] = {
    State.DRAFT: frozenset({State.OPEN, State.CANCELLED}),
    State.OPEN: frozenset({State.RUNNING, State.CANCELLED}),
    State.RUNNING: frozenset({State.FINISHED, State.CANCELLED}),
    State.FINISHED: frozenset(),
    State.CANCELLED: frozenset(),
}
"""What may follow each state. The ladder never finishes: nothing calls that for it."""

GOES_ON = frozenset({State.DRAFT, State.OPEN, State.RUNNING})
"""The states of what has not ended."""

ALLOWED: Mapping[str, frozenset[str]] = {
    "enter": frozenset({State.OPEN}),
    "leave": GOES_ON,
    "pause": frozenset({State.RUNNING}),
    "resume": frozenset({State.RUNNING}),
    "change words": frozenset(State),
    "change entrance": frozenset({State.DRAFT, State.OPEN}),
    "change play": frozenset({State.DRAFT}),
    "verify": frozenset({State.FINISHED, State.CANCELLED}),
}
"""In which states what can be done that leads to no other state. `leave` is to withdraw and to disqualify."""


def allows(tournament: Tournament, action: str) -> bool:
    """Whether the tournament's state allows one of `ALLOWED`."""
    return tournament.state in ALLOWED[action]


class LifecycleError(Exception):
    """The step is not possible now; the text is one sentence that says why, for who asked for it."""


# ---------------------------------------------------------------------------------------------------------------------
# Making


def create_round_robin(
    name: str,
    *,
    ruleset: Ruleset | str = "podkidnoy",
    players: int = 2,
    deals: int = 10,
    limits: Limits | None = None,
    created_by: User | None = None,
    description: str = "",
    slug: str = "",
) -> Tournament:
    """A round robin in state `draft`, with its secret committed to.

    Args:
        ruleset: a preset's name, or options of one's own.
        players: seats at a table.
        slug: its address; made from the name where none is given.

    Raises:
        RulesetError: the rules cannot be played by so many.
        KeyError: there is no preset of that name.
    """
    return _create(Tournament.Kind.ROUND_ROBIN, name, slug, ruleset, players, deals, limits, created_by, description)


def ensure_ladder() -> Tournament:
    """The ladder, made where there is none yet."""
    found = Tournament.objects.filter(slug=LADDER_SLUG).first()
    if found is not None:
        return found
    try:
        with transaction.atomic():
            return _create(
                Tournament.Kind.LADDER,
                LADDER_NAME,
                LADDER_SLUG,
                settings.LADDER_RULESET,
                2,
                settings.LADDER_DEALS,
                None,
                None,
                "",
                state=State.RUNNING,
                started_at=timezone.now(),
            )
    except IntegrityError:
        # Somebody else made it at the same moment.
        return Tournament.objects.get(slug=LADDER_SLUG)


@transaction.atomic
def _create(
    kind: str,
    name: str,
    slug: str,
    ruleset: Ruleset | str,
    players: int,
    deals: int,
    limits: Limits | None,
    created_by: User | None,
    description: str,
    **extra: Any,
) -> Tournament:
    rules = PRESETS[ruleset] if isinstance(ruleset, str) else ruleset
    rules.check_players(players)
    tournament = Tournament.objects.create(
        kind=kind,
        name=name,
        slug=slug or free_slug(Tournament.objects.all(), name, fallback="tournament"),
        ruleset_name=rules.name,
        ruleset=rules.to_json(),
        players=players,
        deals=deals,
        limits=(limits or Limits()).to_json(),
        created_by=created_by,
        description=description,
        **extra,
    )
    fairness.ensure_secret(tournament)
    return tournament


# ---------------------------------------------------------------------------------------------------------------------
# Steps of a tournament


def _move(tournament: Tournament, to: str, **fields: Any) -> None:
    """Take a step, under the lock.

    Raises:
        LifecycleError: this state does not lead there.
    """
    if to not in TRANSITIONS[tournament.state]:
        raise LifecycleError(
            _("“%(name)s” is %(state)s; from there it cannot become %(to)s.")
            % {"name": tournament.name, "state": tournament.get_state_display(), "to": State(to).label}
        )
    tournament.state = to
    for field, value in fields.items():
        setattr(tournament, field, value)
    tournament.save(update_fields=["state", *fields])
    logger.info("tournament_moved", tournament=tournament.slug, state=to)


@transaction.atomic
def open_entries(tournament: Tournament) -> Tournament:
    """Let bots enter.

    Raises:
        LifecycleError: it is no draft, or it was to start by itself before now.
    """
    locked = lock(tournament.pk)
    if locked.state == State.DRAFT and locked.starts_at is not None and locked.starts_at <= timezone.now():
        raise LifecycleError(_("The date on which it starts by itself has passed. Choose another, or none."))
    _move(locked, State.OPEN)
    return locked


@transaction.atomic
def start(tournament: Tournament) -> Tournament:
    """Freeze the entries to their bots' current versions, fix the plan, and begin.

    A large plan is written down by the sweep, piece by piece, and its first match is begun when all of it is there.

    Raises:
        LifecycleError: it is not open, or has too few entries for a table.
    """
    locked = lock(tournament.pk)
    _move(locked, State.RUNNING, started_at=timezone.now())
    found = Entry.objects.filter(tournament=locked, state=Entry.State.ACTIVE).select_related("bot")
    entries = list(found.order_by("id"))
    if len(entries) < locked.players:
        raise LifecycleError(
            _("“%(name)s” has too few bots to fill a table of %(seats)d.")
            % {"name": locked.name, "seats": locked.players}
        )
    for entry in entries:
        version = current_version(entry.bot)
        if version is not None and version.pk != entry.version_id:
            entry.version = version
            entry.save(update_fields=["version"])
    planning.begin_round_robin(locked, entries)
    return locked


@transaction.atomic
def finish(tournament: Tournament) -> Tournament:
    """End a tournament whose matches are all played or set aside, and publish its secret.

    Raises:
        LifecycleError: it is not running, or some match waits or is being played.
    """
    locked = lock(tournament.pk)
    if locked.is_ladder:
        raise LifecycleError(_("A ladder has no end; it can only be cancelled."))
    if has_open_matches(locked):
        raise LifecycleError(_("“%(name)s” still has matches to play.") % {"name": locked.name})
    _move(locked, State.FINISHED, finished_at=timezone.now())
    fairness.reveal(locked)
    return locked


@transaction.atomic
def cancel(tournament: Tournament) -> Tournament:
    """End a tournament now. What has been played stays; what has not will not be. Its secret is published.

    Raises:
        LifecycleError: it has ended already.
    """
    locked = lock(tournament.pk)
    _move(locked, State.CANCELLED, finished_at=timezone.now(), planning=False)
    queue.cancel_all(locked)
    fairness.reveal(locked)
    return locked


def has_open_matches(tournament: Tournament) -> bool:
    """Whether a match waits or is being played, or has yet to be planned."""
    return tournament.planning or tournament.matches.filter(state__in=["queued", "running"]).exists()


# ---------------------------------------------------------------------------------------------------------------------
# Entries


@transaction.atomic
def enter(tournament: Tournament, bot: Bot) -> Entry:
    """Enter a bot into a tournament that is open; twice is as good as once.

    Raises:
        LifecycleError: it is not open, the bot has no version that is ready, or it has been disqualified.
    """
    lock_owners([bot])
    locked = lock(tournament.pk)
    if not allows(locked, "enter"):
        raise LifecycleError(_("“%(name)s” is not open for entries.") % {"name": locked.name})
    if not Bot.objects.filter(may_play(), pk=bot.pk).exists():
        raise LifecycleError(_("“%(bot)s” is suspended, so it cannot enter.") % {"bot": bot.name})
    version = current_version(bot)
    if version is None:
        raise LifecycleError(_("“%(bot)s” has no version that has passed its check.") % {"bot": bot.name})
    entry = Entry.objects.filter(tournament=locked, bot=bot).order_by("-id").first()
    if entry is None:
        return Entry.objects.create(tournament=locked, bot=bot, version=version)
    if entry.state == Entry.State.DISQUALIFIED:
        raise LifecycleError(_("“%(bot)s” has been disqualified here.") % {"bot": bot.name})
    entry.state, entry.version, entry.reason = Entry.State.ACTIVE, version, ""
    entry.save(update_fields=["state", "version", "reason"])
    return entry


@transaction.atomic
def withdraw(entry: Entry) -> Entry:
    """Take a bot out of a tournament, by its owner.

    Raises:
        LifecycleError: the tournament has ended, or the entry does not play.
    """
    return _leave(entry, Entry.State.WITHDRAWN, "")


@transaction.atomic
def disqualify(entry: Entry, reason: str) -> Entry:
    """Take a bot out of a tournament, by staff; the reason is shown in the table.

    Raises:
        LifecycleError: the tournament has ended, or the entry does not play.
    """
    return _leave(entry, Entry.State.DISQUALIFIED, reason)


def _leave(entry: Entry, state: str, reason: str) -> Entry:
    tournament = lock(entry.tournament_id)
    locked = Entry.objects.get(pk=entry.pk)
    if not allows(tournament, "leave") or locked.state != Entry.State.ACTIVE:
        raise LifecycleError(_("This bot does not play in “%(name)s” (any more).") % {"name": tournament.name})
    locked.state, locked.reason = state, reason
    locked.save(update_fields=["state", "reason"])
    queue.cancel_waiting(locked)
    return locked


@transaction.atomic
def join_ladder(ladder: Tournament, version: BotVersion) -> Entry | None:
    """Give a version its place on a ladder, where it replaces what its bot had there, and plan its matches.

    None when there is nothing to do: it is there already, or its bot is not wanted there.
    """
    lock_owners([version.bot])
    locked = lock(ladder.pk)
    if locked.state != State.RUNNING:
        return None
    # Whoever found this version may have found it a while ago: the newer one has its place, or the account is closed.
    if not with_current(Bot.objects.filter(may_play(), pk=version.bot_id)).filter(current_id=version.pk).exists():
        return None
    mine = Entry.objects.filter(tournament=locked, bot=version.bot_id)
    settled = Q(version=version, state__in=[Entry.State.ACTIVE, Entry.State.WITHDRAWN])
    if mine.filter(settled | Q(state=Entry.State.DISQUALIFIED)).exists():
        return None
    # An earlier version that was suspended has no place to come back to.
    for old in mine.filter(state__in=[Entry.State.ACTIVE, Entry.State.SUSPENDED]).exclude(version=version):
        old.state = Entry.State.REPLACED
        old.save(update_fields=["state"])
        queue.cancel_waiting(old)
    others = list(Entry.objects.filter(tournament=locked, state=Entry.State.ACTIVE))
    entry, made = Entry.objects.get_or_create(
        tournament=locked, version=version, defaults={"bot_id": version.bot_id, "state": Entry.State.ACTIVE}
    )
    if made:
        planning.plan_newcomer(locked, entry, others)
    else:
        # The owner went back to an earlier version: it has its results already, and plays whom it has not met.
        entry.state = Entry.State.ACTIVE
        entry.save(update_fields=["state"])
        met = Entry.objects.filter(seats__match__in=entry.seats.exclude(match__state="cancelled").values("match"))
        known = set(met.values_list("pk", flat=True))
        planning.plan_newcomer(locked, entry, [other for other in others if other.pk not in known])
    logger.info("ladder_joined", bot=version.bot.slug, version=version.number, others=len(others))
    return entry
