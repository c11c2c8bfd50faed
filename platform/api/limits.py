"""How much may be asked of the interface: counted in the database, so that all web processes count together.

An allowance is so many requests in a span of time that begins with the first of them. Counting is one UPDATE that
changes a row or does not, so it is right however many processes count at once.
"""

from __future__ import annotations

import ipaddress
import math
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F
from django.http import HttpRequest
from django.utils import timezone

from api.models import Usage


@dataclass(frozen=True)
class Allowance:
    """What one caller may do in a span of time."""

    name: str
    requests: int
    """How many requests."""
    seconds: int
    """The length of the span, in seconds."""


VISITORS = Allowance("visitor", 60, 60)
"""Requests without a token, by address; and those with a token that opens nothing."""
ACCOUNTS = Allowance("account", 300, 60)
"""Requests with a token, by its owner: more tokens do not make more requests."""
UPLOADS = Allowance("upload", 60, 60 * 60)
"""Bots made and versions uploaded, by account."""
EXPORTS = Allowance("export", 30, 60 * 60)
"""Whole tournaments taken away, by account or address."""

KEPT = timedelta(hours=1)
"""How long a count that is over stays before it is cleared away."""


class OverLimitError(Exception):
    """The caller has used up an allowance, and may go on after `wait` seconds."""

    def __init__(self, allowance: Allowance, wait: int) -> None:
        super().__init__(f"More than {allowance.requests} requests in {allowance.seconds} seconds.")
        self.allowance = allowance
        self.wait = wait


def spend(allowance: Allowance, who: str) -> None:
    """Count one request of a caller. One query, but for the first request of a span.

    Args:
        who: the account or the address, as `account_key` and `address_key` name them.

    Raises:
        OverLimitError: the allowance was used up before; this request is not counted.
    """
    key = f"{allowance.name}:{who}"
    now = timezone.now()
    ends_at = now + timedelta(seconds=allowance.seconds)
    row = Usage.objects.filter(pk=key)
    if row.filter(ends_at__gt=now, count__lt=allowance.requests).update(count=F("count") + 1):
        return
    if row.filter(ends_at__lte=now).update(ends_at=ends_at, count=1):
        return
    running = row.values_list("ends_at", flat=True).first()
    if running is None:
        try:
            with transaction.atomic():
                Usage.objects.create(key=key, ends_at=ends_at)
        except IntegrityError:
            # Its first two requests came at the same moment; the other one made the row.
            spend(allowance, who)
        else:
            Usage.objects.filter(ends_at__lte=now - KEPT).delete()
        return
    raise OverLimitError(allowance, max(1, math.ceil((running - now).total_seconds())))


def account_key(user_id: int) -> str:
    """Names an account."""
    return f"account {user_id}"


def address_key(request: HttpRequest) -> str:
    """Names the address that a request came from. Of IPv6, the network that one customer gets (/64)."""
    remote: str = request.META.get("REMOTE_ADDR", "")
    if settings.PROXY:
        # The proxy in front puts the address that it saw last; what stands before it, anyone may have written.
        remote = request.META.get("HTTP_X_FORWARDED_FOR", remote).rpartition(",")[2].strip()
    try:
        address = ipaddress.ip_address(remote)
    except ValueError:
        return "address unknown"
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return f"address {address.ipv4_mapped}"
        return f"address {ipaddress.ip_network((address, 64), strict=False)}"
    return f"address {address}"
