"""Sending what is to be told: each notice once, whoever else is at it."""

from __future__ import annotations

import smtplib
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

import structlog
from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.mail import EmailMessage
from django.db.models import F, Q, QuerySet
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override

from accounts.models import User
from bots.models import BotVersion
from notices import finding, stopping
from notices.models import Choice, Kind, Notice
from tournaments import standings
from tournaments.models import GameLog, Tournament

logger = structlog.get_logger(__name__)

WAITS = (timedelta(0), timedelta(minutes=10), timedelta(hours=2), timedelta(hours=12))
"""How old a notice is at least when it is tried for the first time, the second time and so on: as often as there are
any. A mail server that is away for a morning loses nothing."""
BATCH = 100
"""Notices that one call sends at most; the next call sends the next."""


_OF_ONE_MAIL = (smtplib.SMTPRecipientsRefused, smtplib.SMTPSenderRefused, smtplib.SMTPDataError)
"""What a server answers that is there, and will not have this mail."""


class MailServerAwayError(Exception):
    """The mail server does not answer, or not as one; the next mail would fare no better."""


def run() -> int:
    """Find what is to be told, and send what has not been sent. Returns how many mails went out."""
    finding.find()
    sent = 0
    for notice in _due().select_related("user").order_by("id")[:BATCH]:
        try:
            sent += send(notice)
        except MailServerAwayError:
            # Each further one would wait for it too, and hold a worker from its other work.
            break
    return sent


def _due() -> QuerySet[Notice]:
    now, due = timezone.now(), Q()
    for attempts, wait in enumerate(WAITS):
        due |= Q(attempts=attempts, created_at__lte=now - wait)
    return Notice.objects.filter(due, sent_at=None)


def send(notice: Notice) -> bool:
    """Send one notice, unless somebody else does or did. True when it went out.

    It counts as sent before it is: a worker that dies in between loses it, and nobody is told twice. Where the mail
    server refuses it, it waits for the next attempt.

    Raises:
        MailServerAwayError: it waits for the next attempt, and so had better the others.
    """
    row = Notice.objects.filter(pk=notice.pk, sent_at=None)
    if row.update(sent_at=timezone.now(), attempts=F("attempts") + 1) != 1:
        return False
    choice = Choice.objects.filter(user=notice.user).first()
    address = address_of(notice.user)
    if choice is None or not getattr(choice, notice.kind) or address is None:
        return False  # he has changed his mind, or has no address any more: it is done with
    message = compose(notice, choice, address)
    if message is None:
        return False
    try:
        message.send()
    except (smtplib.SMTPException, OSError) as error:
        Notice.objects.filter(pk=notice.pk).update(sent_at=None, error=f"{type(error).__name__}: {error}"[:1000])
        logger.warning("notice_not_sent", notice=notice.pk, reason=str(error))
        if not isinstance(error, _OF_ONE_MAIL):
            raise MailServerAwayError from error
        return False
    return True


def address_of(user: User) -> str | None:
    """Where to write to somebody: his main address, once it is confirmed, where the site has addresses confirmed."""
    if not user.is_active or not user.email:
        return None
    if settings.ACCOUNT_EMAIL_VERIFICATION == "none":
        return user.email
    confirmed = EmailAddress.objects.filter(user=user, verified=True, email__iexact=user.email)
    return user.email if confirmed.exists() else None


def compose(notice: Notice, choice: Choice, address: str) -> EmailMessage | None:
    """The mail, in the language of who gets it; None where what it tells of is gone."""
    context = _CONTEXTS[Kind(notice.kind)](notice)
    if context is None:
        return None
    site = choice.site.rstrip("/")
    stop = site + reverse("notices:stop", args=[stopping.token(notice.user)])
    context |= {"site": site, "stop": stop, "settings": site + reverse("notices:settings"), "user": notice.user}
    with override(choice.language):
        # A subject is one line, and what was named by somebody may not make it two.
        subject = " ".join(render_to_string(f"notices/{notice.kind}_subject.txt", context).split())
        body = render_to_string(f"notices/{notice.kind}.txt", context).strip() + "\n"
    headers = {
        "List-Unsubscribe": f"<{stop}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        "Auto-Submitted": "auto-generated",
    }
    return EmailMessage(subject, body, to=[address], headers=headers)


def _check_ended(notice: Notice) -> dict[str, Any] | None:
    version = BotVersion.objects.select_related("bot").filter(pk=notice.subject).first()
    if version is None:
        return None
    report = version.report if isinstance(version.report, Mapping) else {}
    return {"bot": version.bot, "version": version, "passed": version.state == "ready", "report": report}


def _version_fails(notice: Notice) -> dict[str, Any] | None:
    version = BotVersion.objects.select_related("bot").filter(pk=notice.subject).first()
    log = (
        GameLog.objects.filter(seat__version=notice.subject, failure__isnull=False, failure__forfeited=False)
        .select_related("game__match__tournament", "seat")
        .defer("game__record")
        .order_by("-pk")
        .first()
    )
    if version is None or log is None:
        return None
    return {"bot": version.bot, "version": version, "game": log.game, "failure": log.failure}


def _tournament_finished(notice: Notice) -> dict[str, Any] | None:
    tournament = Tournament.objects.filter(pk=notice.subject).first()
    if tournament is None:
        return None
    mine = set(notice.user.bots.values_list("pk", flat=True))
    table = standings.table(tournament)
    lines = [line for line in table if line.bot_id in mine]
    return {"tournament": tournament, "lines": lines, "entries": len(table)}


_CONTEXTS: Mapping[Kind, Callable[[Notice], dict[str, Any] | None]] = {
    Kind.CHECK_ENDED: _check_ended,
    Kind.VERSION_FAILS: _version_fails,
    Kind.TOURNAMENT_FINISHED: _tournament_finished,
}
