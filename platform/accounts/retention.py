"""Sessions that are over: nobody can use them, and they tell from which address somebody came."""

from __future__ import annotations

from datetime import timedelta

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.models import Session
from django.utils import timezone

BATCH = 500
"""Rows of one call."""


def forget_sessions() -> int:
    """Delete the next batch of sessions that are over, and what is known of them. Returns how many rows."""
    now = timezone.now()
    over = list(Session.objects.filter(expire_date__lt=now).values_list("pk", flat=True)[:BATCH])
    known = UserSession.objects.filter(last_seen_at__lt=now - timedelta(seconds=settings.SESSION_COOKIE_AGE))
    known_over = list(known.values_list("pk", flat=True)[:BATCH])
    if over:
        Session.objects.filter(pk__in=over).delete()
    if known_over:
        UserSession.objects.filter(pk__in=known_over).delete()
    return len(over) + len(known_over)
