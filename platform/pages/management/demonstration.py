"""What the demo puts on the site: a host, the sample bots as its uploads, and a tournament among them.

Everything goes the way that a user's bot goes, through the same services. A second run finds what the first one made.
"""

import hashlib
import secrets
from collections.abc import Sequence
from pathlib import Path

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import transaction

from accounts.models import User
from arena.limits import Limits
from arena.samples import SAMPLES, Sample
from bots.models import Bot, BotVersion
from bots.services import TooManyUploadsError, create_bot, submit_version
from tournaments import lifecycle, standings
from tournaments.models import Match, Tournament

HOST = "host"
"""Name of the account that owns the sample bots and may enter the administration."""

NAME = "Demo"

DEALS = 3
"""Deals of a match: enough to tell the strong from the weak, few enough for a minute on two cores."""

LIMITS = Limits(bank=3.0)
"""A third of the usual time: one of the samples thinks for as long as it may."""

PRIORITY = 2
"""Its matches come before those of the ladder, which the same bots have joined in the meantime."""


DESCRIPTION = "The sample bots among themselves, as the demo has them play."


class DemonstrationError(Exception):
    """The demo cannot go on; the message says why."""


def make_host() -> User:
    """The demo's account, with a password of its own that only this machine's user can read."""
    host, made = get_user_model().objects.get_or_create(
        username=HOST, defaults={"is_staff": True, "is_superuser": True}
    )
    path = password_file()
    if made or not path.exists():
        password = secrets.token_urlsafe(12)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
        path.write_text(password + "\n")
        host.set_password(password)
        host.save()
    return host


def password_file() -> Path:
    """Where the password of the demo's account stands."""
    return Path(settings.DATA_DIR, "demo-password.txt")


def upload_samples() -> list[BotVersion]:
    """The versions of the sample bots, uploaded as far as the site lets one owner have them checked at a time.

    Call it again until all are there.

    Raises:
        DemonstrationError: one was rejected, or could not be checked.
    """
    versions = []
    for sample in SAMPLES.values():
        try:
            version = _upload(make_host(), sample)
        except TooManyUploadsError:
            break
        if version.state == BotVersion.State.REJECTED:
            raise DemonstrationError(f"{version} failed its check: {(version.report or {}).get('message')}")
        if version.state == BotVersion.State.PARKED:
            raise DemonstrationError(f"{version} could not be checked: {version.fault}")
        versions.append(version)
    return versions


def _upload(host: User, sample: Sample) -> BotVersion:
    bot = Bot.objects.filter(owner=host, name=sample.title).first() or create_bot(host, sample.title, sample.idea)
    digest = hashlib.sha256(sample.source).hexdigest()
    there = bot.versions.filter(file_id=digest).order_by("-number").first()
    return there or submit_version(bot, f"{sample.module}.py", sample.source)


def ready(versions: Sequence[BotVersion]) -> int:
    """How many of the versions have passed their check."""
    return sum(version.state == BotVersion.State.READY for version in versions)


def tournament_of(versions: Sequence[BotVersion]) -> Tournament:
    """The tournament of exactly these versions, running or finished; made and started where there is none."""
    host = make_host()
    found = Tournament.objects.filter(created_by=host, kind=Tournament.Kind.ROUND_ROBIN).order_by("-id").first()
    if found is None or not _can_serve(found, versions):
        found = lifecycle.create_round_robin(NAME, deals=DEALS, limits=LIMITS, created_by=host, description=DESCRIPTION)
    # An earlier run may have been interrupted between these steps.
    if found.state == Tournament.State.DRAFT:
        found = lifecycle.open_entries(found)
    if found.state == Tournament.State.OPEN:
        for version in versions:
            lifecycle.enter(found, version.bot)
        with transaction.atomic():
            found = lifecycle.start(found)
            found.matches.update(priority=PRIORITY)
    return found


def _can_serve(tournament: Tournament, versions: Sequence[BotVersion]) -> bool:
    if tournament.state in {Tournament.State.DRAFT, Tournament.State.OPEN}:
        return True
    entered = set(tournament.entries.values_list("version_id", flat=True))
    return tournament.state != Tournament.State.CANCELLED and entered == {version.pk for version in versions}


def planned(tournament: Tournament) -> int:
    """How many matches the tournament has."""
    return tournament.matches.count()


def played(tournament: Tournament) -> int:
    """How many of its matches are finished.

    Raises:
        DemonstrationError: one was set aside, by a fault of ours.
    """
    parked = tournament.matches.filter(state=Match.State.PARKED).first()
    if parked is not None:
        raise DemonstrationError(f"Match {parked.number} was set aside: {parked.error}")
    return tournament.matches.filter(state=Match.State.FINISHED).count()


def closed(tournament: Tournament) -> int:
    """1 when the tournament has ended and its table knows every match, else 0."""
    tournament.refresh_from_db()
    return int(tournament.state == Tournament.State.FINISHED and tournament.fitted == tournament.rated)


def rows(tournament: Tournament) -> list[list[str]]:
    """The table as text: place, bot, rating, its interval, Elo, games, won, drawn, lost, score."""
    return [
        [
            "" if line.place is None else str(line.place),
            line.bot_name,
            "" if line.rating is None else f"{line.rating:.0f}",
            "" if line.low is None or line.high is None else f"{line.low:.0f}–{line.high:.0f}",
            f"{line.elo:.0f}",
            *(str(number) for number in (line.games, line.won, line.drawn, line.lost)),
            "" if line.score is None else f"{line.score:.1%}",
        ]
        for line in standings.table(tournament)
    ]
