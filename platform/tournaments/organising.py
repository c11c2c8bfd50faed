"""Organisers: who they are, and what they do to a tournament beside its steps (those are `lifecycle`'s).

An organiser is staff, or has the permission to add tournaments (`tournaments.add_tournament`), which staff gives to an
account or to a group in the admin. Staff runs every tournament, an organiser those that he made.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from accounts.models import User
from arena.durak import Ruleset
from arena.limits import Limits
from bots.models import Bot
from bots.selectors import may_play, with_current
from tournaments import lifecycle
from tournaments.lifecycle import LifecycleError
from tournaments.locks import lock, lock_owners
from tournaments.models import Entry, Tournament

PERMISSION = "tournaments.add_tournament"
CODE_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Of an entry code: none that is taken for another when it is read out or written on a board."""


def may_organise(user: User | AnonymousUser) -> bool:
    """Whether somebody may make tournaments."""
    return user.is_authenticated and (user.is_staff or user.has_perm(PERMISSION))


def may_run(user: User | AnonymousUser, tournament: Tournament) -> bool:
    """Whether somebody may change a tournament: staff, and the organiser who made it. The ladder is staff's alone."""
    if not user.is_authenticated:
        return False
    if user.is_staff:
        return True
    return not tournament.is_ladder and tournament.created_by_id == user.pk and user.has_perm(PERMISSION)


def may_see(user: User | AnonymousUser, tournament: Tournament) -> bool:
    """Whether somebody may look at a tournament: everybody, but for drafts."""
    return tournament.state != Tournament.State.DRAFT or may_run(user, tournament)


@dataclass(frozen=True)
class Entrance:
    """Who may enter a tournament, and when."""

    rule: str = Tournament.EntryRule.ANYONE
    code: str = ""
    """Asked for where the rule says so; made up where it is left empty."""
    bots_a_user: int = 1
    opens_at: datetime | None = None
    closes_at: datetime | None = None
    starts_at: datetime | None = None
    """When it starts by itself; None: when its organiser starts it."""

    def values(self) -> dict[str, Any]:
        """As the fields of a tournament."""
        asks = self.rule == Tournament.EntryRule.CODE
        return {
            "entry_rule": self.rule,
            "entry_code": (self.code.strip() or new_code()) if asks else "",
            "bots_a_user": self.bots_a_user,
            "opens_at": self.opens_at,
            "closes_at": self.closes_at,
            "starts_at": self.starts_at,
        }


def new_code() -> str:
    """An entry code that can be written on a board and not be guessed in the time that a form answers in."""
    return "".join(secrets.choice(CODE_LETTERS) for _letter in range(8))


@transaction.atomic
def create(
    organiser: User,
    name: str,
    *,
    ruleset: Ruleset | str,
    players: int,
    deals: int,
    limits: Limits,
    entrance: Entrance,
    description: str = "",
) -> Tournament:
    """A round robin of an organiser, in state `draft`.

    Raises:
        RulesetError: the rules cannot be played by so many.
        LifecycleError: he has a draft of this name: the form was sent twice, or he forgot.
    """
    # The second of two forms at the same moment waits here, and then finds the draft of the first.
    User.objects.select_for_update(no_key=True).get(pk=organiser.pk)
    if Tournament.objects.filter(created_by=organiser, name=name, state=Tournament.State.DRAFT).exists():
        raise LifecycleError(_("You have a draft of this name already. Choose another name, or go on with that one."))
    made = lifecycle.create_round_robin(
        name,
        ruleset=ruleset,
        players=players,
        deals=deals,
        limits=limits,
        created_by=organiser,
        description=description,
    )
    return _change(made, entrance.values())


@transaction.atomic
def change(
    tournament: Tournament,
    *,
    name: str,
    description: str,
    entrance: Entrance,
    play: Mapping[str, Any] | None = None,
) -> Tournament:
    """Change what may still be changed: the words always, the entrance until the start, the play while it is a draft.

    Args:
        play: `ruleset`, `players`, `deals` and `limits`, or None to leave them.

    Raises:
        LifecycleError: the play of a tournament that is no draft any more was to be changed.
    """
    locked = lock(tournament.pk)
    values: dict[str, Any] = {"name": name, "description": description}
    if lifecycle.allows(locked, "change entrance"):
        values |= entrance.values()
        if entrance.starts_at != locked.starts_at:
            values["start_missed_at"] = None
    if play is not None:
        if not lifecycle.allows(locked, "change play"):
            raise LifecycleError(_("Rules, seats, deals and limits are fixed once entries are open."))
        rules: Ruleset = play["ruleset"]
        rules.check_players(play["players"])
        values |= {
            "ruleset": rules.to_json(),
            "ruleset_name": rules.name,
            "players": play["players"],
            "deals": play["deals"],
            "limits": play["limits"].to_json(),
        }
    return _change(locked, values)


def _change(tournament: Tournament, values: Mapping[str, Any]) -> Tournament:
    for field, value in values.items():
        setattr(tournament, field, value)
    tournament.save(update_fields=list(values))
    return tournament


@transaction.atomic
def enter_bots(tournament: Tournament, bots: list[Bot]) -> list[Entry]:
    """Enter bots of whomever, by the organiser; all of them or none.

    Raises:
        LifecycleError: it is not open, or one of them cannot play or has been disqualified.
    """
    lock_owners(bots)
    return [lifecycle.enter(tournament, bot) for bot in bots]


def candidates(tournament: Tournament, query: str = "") -> Any:
    """The bots that an organiser could enter: ready to play, and neither entered nor disqualified.

    Args:
        query: only those whose name, or whose owner's, has this in it.
    """
    inside = Entry.objects.filter(tournament=tournament, state__in=["active", "disqualified"]).values("bot")
    ready = with_current(Bot.objects.filter(may_play())).filter(current_id__isnull=False)
    if query:
        ready = ready.filter(Q(name__icontains=query) | Q(owner__username__icontains=query))
    return ready.exclude(pk__in=inside).select_related("owner").order_by("name", "id")
