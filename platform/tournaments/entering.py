"""Who may enter a bot of his own into a tournament, and when. Organisers and staff are bound by none of it."""

from __future__ import annotations

import hmac

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from bots.models import Bot
from tournaments import lifecycle
from tournaments.lifecycle import LifecycleError
from tournaments.locks import lock, lock_owners
from tournaments.models import Entry, Tournament


class EntryCodeError(LifecycleError):
    """The entry code is missing or is another."""


@transaction.atomic
def enter_own(tournament: Tournament, bot: Bot, user: User, code: str = "") -> Entry:
    """Enter a bot for its owner, as far as the tournament lets him; twice is as good as once.

    Raises:
        EntryCodeError: the tournament asks for a code, and it is not this one.
        LifecycleError: the bot is not his, entries are not open (to him) now, he has as many bots in it as he may
            have, or the bot cannot play.
    """
    # Under the lock, or two entries at the same moment would both be the last that is allowed.
    lock_owners([bot])
    locked = lock(tournament.pk)
    if bot.owner_id != user.pk:
        raise LifecycleError(_("Only its owner can enter “%(bot)s”.") % {"bot": bot.name})
    why = closed_to_authors(locked)
    if why:
        raise LifecycleError(why)
    if locked.entry_rule == Tournament.EntryRule.CODE and not hmac.compare_digest(
        code.strip().casefold().encode(), locked.entry_code.casefold().encode()
    ):
        raise EntryCodeError(_("That is not this tournament's entry code. Ask the organiser for it."))
    others = Entry.objects.filter(tournament=locked, bot__owner=user, state=Entry.State.ACTIVE).exclude(bot=bot)
    if others.count() >= locked.bots_a_user:
        raise LifecycleError(
            _("You have as many bots in it as one user may have (%(count)d). Withdraw one to enter another.")
            % {"count": locked.bots_a_user}
        )
    return lifecycle.enter(locked, bot)


def closed_to_authors(tournament: Tournament) -> str:
    """Why nobody enters a bot of his own now, in a sentence; empty when entries are open."""
    now = timezone.now()
    if tournament.is_ladder or tournament.state != Tournament.State.OPEN:
        return _("Entries to this tournament are closed.")
    if tournament.entry_rule == Tournament.EntryRule.ORGANISER:
        return _("The organiser enters the bots of this tournament.")
    if tournament.opens_at is not None and now < tournament.opens_at:
        return _("Entries have not begun yet.")
    if tournament.closes_at is not None and now >= tournament.closes_at:
        return _("The time for entries is over.")
    return ""
