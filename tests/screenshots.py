"""A gallery of the site: each main page by day and by night, on a desk and on a phone, in every language.

    make screenshots                            all of it, into var/screenshots/ (open index.html there)
    make screenshots ARGS="--languages ru,uk --looks desk-light --only operations,data"

It needs no running site: pages are answered by this process, on a database of its own that `tests/web/everything.py`
fills. First the empty site is shown, then one with something of everything, at last a crowded one. Those named in
`COMMITTED` are also saved for the README and the documentation, with `--commit`.
"""

import argparse
import html
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Page, Route, ViewportSize, sync_playwright

from tests import services
from tests.browser.conftest import FLAGS

if TYPE_CHECKING:
    from django.test import Client

    from tests.web.everything import Site

ROOT = Path(__file__).resolve().parents[1]
GALLERY = ROOT / "var/screenshots"
IMAGES = ROOT / "docs/images"
ADDRESS = "http://arena.test"
TALLEST = 2400
"""Pixels of a page that are shown; what is further down looks like what is above."""


@dataclass(frozen=True)
class Look:
    """A window and a scheme."""

    name: str
    scheme: str
    size: ViewportSize


LOOKS = (
    Look("desk-light", "light", ViewportSize(width=1280, height=900)),
    Look("desk-dark", "dark", ViewportSize(width=1280, height=900)),
    Look("phone-light", "light", ViewportSize(width=390, height=844)),
    Look("phone-dark", "dark", ViewportSize(width=390, height=844)),
)
LANGUAGES = ("en", "ru", "pl", "uk")

EMPTY = {
    "empty-home": ("visitor", "/"),
    "empty-leaderboard": ("visitor", "/leaderboard/"),
    "empty-tournaments": ("visitor", "/tournaments/"),
    "empty-bots": ("visitor", "/bots/"),
}
"""Pages of a site on which nothing has happened yet: who looks, and where."""

FULL = {
    "home": ("visitor", "/"),
    "about": ("visitor", "/about/"),
    "leaderboard": ("visitor", "/leaderboard/"),
    "tournaments": ("visitor", "/tournaments/"),
    "tournament": ("visitor", "/tournaments/{cup}/"),
    "crosstable": ("visitor", "/tournaments/ladder/crosstable/"),
    "plan": ("visitor", "/tournaments/{cup}/plan/"),
    "matches": ("visitor", "/tournaments/{cup}/matches/"),
    "fairness": ("visitor", "/tournaments/{over}/fairness/"),
    "rules": ("visitor", "/tournaments/{cup}/rules/"),
    "final": ("visitor", "/tournaments/{over}/final/"),
    "match": ("visitor", "/matches/{match}/"),
    "deal": ("visitor", "/matches/{match}/deals/0/"),
    "match-running": ("visitor", "/matches/{running}/"),
    "game": ("visitor", "/games/{game}/#m=20"),
    "game-of-four": ("visitor", "/games/{four}/#m=30"),
    "bots": ("visitor", "/bots/"),
    "bot": ("visitor", "/bots/{bot}/"),
    "compare": ("visitor", "/bots/{bot}/vs/{other}/"),
    "docs": ("visitor", "/docs/"),
    "five-minutes": ("visitor", "/docs/five-minutes/"),
    "design-system": ("visitor", "/docs/design-system/"),
    "api": ("visitor", "/api/"),
    "sign-in": ("visitor", "/accounts/login/"),
    "sign-up": ("visitor", "/accounts/signup/"),
    "missing": ("visitor", "/nowhere/"),
    "own-bots": ("author", "/bots/mine/"),
    "own-bot": ("author", "/bots/{bot}/"),
    "new-bot": ("author", "/bots/new/"),
    "report": ("author", "/bots/{bot}/versions/2/"),
    "check": ("author", "/bots/{bot}/versions/3/"),
    "versions": ("author", "/bots/{bot}/versions/1/vs/2/"),
    "times": ("author", "/bots/{bot}/times/"),
    "failures": ("author", "/bots/mine/failures/"),
    "edit-bot": ("author", "/bots/{bot}/edit/"),
    "own-game": ("author", "/games/{game}/"),
    "enter": ("author", "/tournaments/{open}/enter/"),
    "account": ("author", "/account/"),
    "data": ("author", "/account/data/"),
    "deletion": ("author", "/account/delete/"),
    "tokens": ("author", "/account/tokens/"),
    "notices": ("author", "/account/notices/"),
    "sessions": ("author", "/accounts/sessions/"),
    "second-step": ("author", "/accounts/2fa/"),
    "new-tournament": ("organiser", "/tournaments/new/"),
    "organise-draft": ("organiser", "/tournaments/{fresh}/manage/"),
    "organise-open": ("organiser", "/tournaments/{open}/manage/"),
    "organise": ("organiser", "/tournaments/{cup}/manage/"),
    "disqualify": ("organiser", "/tournaments/{open}/entries/{open_entry}/disqualify/"),
    "cancel": ("organiser", "/tournaments/{cup}/manage/cancel/"),
    "operations": ("staff", "/operations/"),
    "moderation": ("staff", "/operations/moderation/"),
    "moderate-bot": ("staff", "/operations/moderation/bots/{bot}/"),
    "log-of-staff": ("staff", "/operations/log/"),
}
"""Pages of a site that has something of everything."""

CROWDED = {
    "crowded-home": ("visitor", "/"),
    "crowded-leaderboard": ("visitor", "/leaderboard/"),
    "crowded-crosstable": ("visitor", "/tournaments/ladder/crosstable/"),
    "crowded-bots": ("visitor", "/bots/"),
    "crowded-matches": ("visitor", "/tournaments/ladder/matches/"),
    "crowded-operations": ("staff", "/operations/"),
}
"""Pages on which lists go on and on."""

COMMITTED = {
    "replay": ("en", "game", "desk-light", "#replay"),
    "leaderboard": ("en", "leaderboard", "desk-light", ""),
    "deal": ("en", "deal", "desk-light", ""),
    "bot": ("en", "bot", "desk-dark", ""),
    "report": ("en", "report", "desk-light", ""),
    "phone": ("uk", "game", "phone-dark", ""),
}
"""What README and documentation show, by name of its file: language, page, look, and which part of the page."""


def readable(kind: str) -> str:
    """The name of a thing for people who look at pictures: what tests search for by a mark is a bot's usual mistake."""
    from tests.web.everything import OWNERS_SECRET, plain

    said = "ZeroDivisionError: division by zero"
    told = {
        OWNERS_SECRET: said,
        f"ZeroDivisionError: {OWNERS_SECRET}": said,
        f"{OWNERS_SECRET}.py": "bot.py",
        f"Traceback: {OWNERS_SECRET}": (
            'Traceback (most recent call last):\n  File "bot.py", line 6, in act\n'
            f"    share = len(view.hand) / view.talon_count\n{said}"
        ),
    }
    return told.get(kind) or plain(kind)


class Answering:
    """Answers a browser with what Django's test client is answered; static files come from where they are found."""

    def __init__(self, client: "Client", language: str) -> None:
        self.client, self.language = client, language

    def __call__(self, route: Route) -> None:
        """Answer one request."""
        from django.contrib.staticfiles import finders

        parts = urlsplit(route.request.url)
        if parts.path.startswith("/static/"):
            found = finders.find(parts.path.removeprefix("/static/"))
            route.fulfill(path=found) if isinstance(found, str) else route.fulfill(status=404)
            return
        answer: Any = self.client.get(
            f"{parts.path}?{parts.query}", headers={"accept-language": self.language, "host": "arena.test"}, follow=True
        )
        body = b"".join(answer.streaming_content) if answer.streaming else answer.content
        route.fulfill(status=answer.status_code, body=body, content_type=answer["Content-Type"])


def shoot(page: Page, url: str, file: Path, part: str = "") -> None:
    """One picture of a page, from its head down, once everything has arrived and nothing moves."""
    page.goto(url)
    page.wait_for_load_state("networkidle")
    file.parent.mkdir(parents=True, exist_ok=True)
    if part:
        page.locator(part).screenshot(path=file)
        return
    width = page.evaluate("innerWidth")
    height = min(TALLEST, page.evaluate("document.documentElement.scrollHeight"))
    page.screenshot(path=file, full_page=True, clip={"x": 0, "y": 0, "width": width, "height": height})


def pictures(
    browser: Browser, site: "Site", pages: dict[str, tuple[str, str]], chosen: argparse.Namespace
) -> Iterator[tuple[str, str, str]]:
    """Take the pictures of some pages; yields name, language and look of each."""
    for language in chosen.languages:
        for look in LOOKS:
            if look.name not in chosen.looks:
                continue
            for who in ("visitor", "author", "organiser", "staff"):
                wanted = {name: path for name, (reader, path) in pages.items() if reader == who}
                if chosen.only:
                    wanted = {name: path for name, path in wanted.items() if name in chosen.only}
                if not wanted:
                    continue
                context = browser.new_context(
                    viewport=look.size,
                    color_scheme=look.scheme,  # type: ignore[arg-type]
                    locale=language,
                    reduced_motion="reduce",
                )
                context.route("**/*", Answering(site.reader(who), language))
                page = context.new_page()
                for name, path in wanted.items():
                    file = GALLERY / f"{name}-{language}-{look.name}.png"
                    shoot(page, ADDRESS + site.path(path), file)
                    yield name, language, look.name
                    for saved, (spoken, of, seen, part) in COMMITTED.items():
                        if chosen.commit and (spoken, of, seen) == (language, name, look.name):
                            if part:
                                shoot(page, ADDRESS + site.path(path), IMAGES / f"{saved}.png", part)
                            else:
                                page.screenshot(path=IMAGES / f"{saved}.png")
                context.close()


def contact_sheet(taken: Sequence[tuple[str, str, str]]) -> None:
    """A page with all the pictures, small; each leads to itself."""
    names = list(dict.fromkeys(name for name, _, _ in taken))
    rows = []
    for name in names:
        figures = "".join(
            f'<a href="{name}-{language}-{look}.png"><img loading="lazy" alt="" src="{name}-{language}-{look}.png">'
            f"<br>{language} {look}</a>"
            for other, language, look in taken
            if other == name
        )
        rows.append(f"<section><h2>{html.escape(name)}</h2><div>{figures}</div></section>")
    style = "div{display:flex;flex-wrap:wrap;gap:12px;align-items:start}img{height:300px;border:1px solid #999}"
    text = f"<!doctype html><meta charset=utf-8><title>Gallery</title><style>{style}</style>{''.join(rows)}"
    (GALLERY / "index.html").write_text(text)
    print(f"{len(taken)} pictures: {GALLERY / 'index.html'}")


def prepare(folder: str) -> None:
    """Set Django up on an empty database in a folder."""
    os.environ |= {"DATA_DIR": folder, "DJANGO_SETTINGS_MODULE": "config.settings", "DJANGO_ALLOW_ASYNC_UNSAFE": "1"}
    os.environ |= {"SANDBOX": "docker", "CELERY_BROKER_URL": "memory://", "LOG_LEVEL": "ERROR"}
    os.environ["ALLOWED_HOSTS"] = "testserver,arena.test"
    sys.path.insert(0, str(ROOT / "platform"))
    import django
    from django.conf import settings
    from django.core.management import call_command

    django.setup()
    settings.DEBUG = False  # readers' own pages of errors, not the developer's
    call_command("migrate", verbosity=0)


def main() -> None:
    """Take the pictures that were asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    words = lambda text: text.split(",")  # noqa: E731
    parser.add_argument("--languages", type=words, default=list(LANGUAGES))
    parser.add_argument("--looks", type=words, default=[look.name for look in LOOKS])
    parser.add_argument("--only", type=words, default=[], help="names of pages")
    parser.add_argument("--commit", action="store_true", help="save those of README and documentation too")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        prepare(folder)
        from tests.web import everything

        browser = playwright.chromium.launch(executable_path=services.CHROMIUM, args=FLAGS)
        taken = []
        for pages, fill in ((EMPTY, everything.nothing), (FULL, everything.build), (CROWDED, everything.crowd)):
            if chosen.only and not set(chosen.only) & set(pages):
                if fill is everything.build:
                    site = fill(readable)
                continue
            made = fill(readable) if fill is everything.build else fill()
            site = made if made is not None else site
            taken += list(pictures(browser, site, pages, chosen))
        contact_sheet(taken)
        browser.close()


if __name__ == "__main__":
    main()
