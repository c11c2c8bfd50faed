"""What the author's pages read: one's own bots with their newest versions, and the check of a version."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Prefetch

from accounts.models import User
from arena.check import CheckReport
from arena.reproduction import Reproduction
from bots import checks, selectors
from bots.models import Bot, BotVersion


@dataclass(frozen=True)
class OwnBot:
    """A bot in its author's list."""

    bot: Bot
    newest: BotVersion | None
    current: BotVersion | None
    """The version that plays; None while none has passed."""


def own(owner: User) -> list[OwnBot]:
    """The bots of one author, by name. Two queries."""
    versions = Prefetch("versions", BotVersion.objects.defer("report").order_by("-number"))
    found = []
    for bot in selectors.with_current(Bot.objects.filter(owner=owner)).prefetch_related(versions).order_by("name"):
        by_newest = list(bot.versions.all())
        current = next((version for version in by_newest if version.pk == bot.current_id), None)
        found.append(OwnBot(bot, next(iter(by_newest), None), current))
    return found


@dataclass(frozen=True)
class Check:
    """What somebody may see of the check of a version."""

    sees_report: bool
    done: int
    total: int
    """Games played so far, and in all; 0 before it began."""
    ahead: int
    """Checks that are before it while it waits."""
    waits: bool
    report: Mapping[str, Any]
    """Empty for whom it does not concern."""
    view: Sequence[tuple[str, str]]
    """The view on which the bot failed, part by part."""
    fault: str


def check_of(user: User | AnonymousUser, version: BotVersion) -> Check:
    """Read the check of a version, as far as `user` may see it."""
    report = selectors.visible_report(user, version) or {}
    progress = version.progress if isinstance(version.progress, Mapping) else {}
    waits = version.state == BotVersion.State.CHECKING and version.lease_until is None
    return Check(
        sees_report=selectors.is_owner(user, version.bot),
        done=int(progress.get("done", 0)),
        total=int(progress.get("total", 0)),
        ahead=checks.position(version) if waits else 0,
        waits=waits,
        report=report,
        view=view_lines(report.get("view")),
        fault=version.fault if getattr(user, "is_staff", False) else "",
    )


def reproduction(version: BotVersion) -> Reproduction | None:
    """The file that brings the game to its author's machine in which a version failed its check; None where it did not
    fail in one, or where an older report holds no such game."""
    report = version.report
    if version.state != BotVersion.State.REJECTED or not isinstance(report, Mapping) or not report.get("record"):
        return None
    return CheckReport.from_json(report).reproduction(version.bot.name, version.number)


def view_lines(view: object) -> list[tuple[str, str]]:
    """A view's parts as lines of text, in the order in which a player would look at them."""
    if not isinstance(view, Mapping):
        return []
    lines = []
    for part in ("hand", "legal", "clock", "game", "events"):
        value = view.get(part)
        if value is None:
            continue
        if part == "events":
            text = "\n".join(" ".join(str(word) for word in event) for event in value)
        elif isinstance(value, list):
            text = " ".join(str(item) for item in value)
        elif isinstance(value, Mapping):
            text = "\n".join(f"{name}: {item}" for name, item in value.items())
        else:
            text = str(value)
        lines.append((part, text))
    return lines
