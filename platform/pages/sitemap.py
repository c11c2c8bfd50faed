"""The addresses that search engines should know, as `sitemap.xml`: pages, documentation, tournaments, bots."""

from collections.abc import Iterator
from datetime import datetime
from itertools import chain, islice

from django.db.models import Exists, OuterRef
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import mark_safe

from bots.models import Bot, BotVersion
from bots.selectors import may_play
from pages import docs
from tournaments.models import Tournament

MOST = 50_000
"""More addresses than this no sitemap may have."""


def addresses() -> Iterator[tuple[str, datetime | None]]:
    """Paths, the important ones first, each with the moment of its last change where that is known. Two queries."""
    for name in ("home", "leaderboard", "tournaments:list", "bots:list", "docs:index", "about"):
        yield reverse(name), None
    for slug in docs.slugs():
        yield reverse("docs:page", args=[slug]), None
    tournaments = Tournament.objects.exclude(state=Tournament.State.DRAFT).order_by("-id")
    for slug, ended in tournaments.values_list("slug", "finished_at")[:MOST]:
        yield reverse("tournaments:detail", args=[slug]), ended
    ready = BotVersion.objects.filter(bot=OuterRef("pk"), state=BotVersion.State.READY)
    for slug in Bot.objects.filter(may_play(), Exists(ready)).order_by("id").values_list("slug", flat=True)[:MOST]:
        yield reverse("bots:detail", args=[slug]), None


def render(root: str) -> str:
    """The sitemap. `root` is the site's own address, without a slash at its end."""
    lines = (
        format_html(
            "<url><loc>{}{}</loc>{}</url>",
            root,
            path,
            format_html("<lastmod>{}</lastmod>", changed.date().isoformat()) if changed else "",
        )
        for path, changed in islice(addresses(), MOST)
    )
    head = '<?xml version="1.0" encoding="UTF-8"?>'
    start = mark_safe('<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">')
    return "\n".join(chain((head, start), lines, ("</urlset>", "")))
