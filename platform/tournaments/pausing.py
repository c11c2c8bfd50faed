"""A pause of a running tournament: no match of it is begun; what is being played ends, and counts.

It is no state of its own: all that holds for a running tournament (who may leave it, that it can be cancelled, that it
ends with its last match) holds in a pause as well.
"""

from __future__ import annotations

import structlog
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.lifecycle import LifecycleError, allows
from tournaments.locks import lock
from tournaments.models import Tournament

logger = structlog.get_logger(__name__)


@transaction.atomic
def pause(tournament: Tournament) -> Tournament:
    """Begin no more matches until `resume`. Twice is as good as once.

    Raises:
        LifecycleError: it is not running.
    """
    locked = _running(tournament, "pause")
    if locked.paused_at is None:
        locked.paused_at = timezone.now()
        locked.save(update_fields=["paused_at"])
        logger.info("tournament_paused", tournament=locked.slug)
    return locked


@transaction.atomic
def resume(tournament: Tournament) -> Tournament:
    """Go on where the plan stopped.

    Raises:
        LifecycleError: it is not running.
    """
    locked = _running(tournament, "resume")
    if locked.paused_at is not None:
        locked.paused_at = None
        locked.save(update_fields=["paused_at"])
        logger.info("tournament_resumed", tournament=locked.slug)
    return locked


def _running(tournament: Tournament, action: str) -> Tournament:
    locked = lock(tournament.pk)
    if not allows(locked, action):
        raise LifecycleError(
            _("“%(name)s” is %(state)s; only what is running can be paused.")
            % {"name": locked.name, "state": locked.get_state_display()}
        )
    return locked
