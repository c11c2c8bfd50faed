"""A site that has something of everything, and a list of all its addresses.

What has to hold on every page is tested on it: who may see it, that its markup is valid, that nothing in it runs, that
axe finds nothing, what it looks like. An address that is missing here fails `tests/web/pages/test_permissions.py`.
"""

import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.contrib.auth.models import Permission
from django.db import transaction
from django.test import Client, override_settings
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from accounts import tokens
from accounts.models import User
from bots.models import Bot
from notices import stopping
from tests.web import factories
from tournaments import lifecycle, planning
from tournaments.models import Entry, Game, GameLog, Tournament

OWNERS_SECRET = "for-the-owners-eyes-9f3a"
"""Stands in everything that only the owner of a bot (and staff) may read: code, reports, logs, failures."""
ENTRY_CODE = "kq7wxyzt"
"""The entry code of the cup, for whoever runs it."""

CODE = (
    f"from arena import Bot  # {OWNERS_SECRET}\n\n\nclass Made(Bot):\n    def act(self, view):\n        return 1 / 0\n"
)

Naming = Callable[[str], str]


@dataclass(frozen=True)
class Site:
    """Who and what is there, as far as addresses and tests name it."""

    author: User
    """Owns `bot`, which has a version in every state and plays everywhere."""
    organiser: User
    """Made the cup, what is open, and both drafts."""
    bot: Bot
    other: Bot
    """A bot of somebody else, which `bot` has met."""
    staff: User
    facts: Mapping[str, Any]
    """What stands in braces in the addresses below."""

    def path(self, template: str) -> str:
        """An address from its template: `/bots/{bot}/` for instance."""
        return template.format_map(self.facts)

    def reader(self, who: str) -> Client:
        """A browser of the visitor, the author, the organiser or the staff; the latter have just given their password.

        So they are shown the pages too that ask for it again.
        """
        client = Client()
        if who != "visitor":
            name = {"author": self.author, "organiser": self.organiser, "staff": self.staff}[who].username
            client.post(reverse("account_login"), {"login": name, "password": factories.PASSWORD})
            client.post(reverse("account_reauthenticate"), {"password": factories.PASSWORD})
            client.get(reverse("account"))  # where the greeting is shown, and so on no page that is tested
        return client


def plain(kind: str) -> str:
    """The name of a thing, as people name things."""
    named = {
        "bot": "First",
        "bot 1": "A bot with a name that is as long as any may be, so it goes",
        "bot 0": "Thrifty",
        "bot 2": "Осторожный",
        "bot 3": "Lowest",
        "bot 4": "Search",
        "bot 5": "Counter",
        "description": "Keeps its trumps, and counts what has been played.",
        "cup": "Cup of four",
        "author": "author",
        "staff": "staff",
    }
    return named.get(kind, kind if OWNERS_SECRET in kind else kind.capitalize())


def build(named: Naming = plain) -> Site:
    """Make the site: a ladder, a cup in mid-play, one that is over, one that is open, drafts; bots in every state.

    Args:
        named: gives the names that people choose, by kind. Whatever it makes of them has to be harmless.
    """
    author = factories.user(named("author"), email="author@example.org")
    organiser = factories.user(named("organiser"))
    organiser.user_permissions.add(Permission.objects.get(codename="add_tournament"))
    bot = factories.bot(author, named("bot"), ready=False, description=named("description"))
    factories.version(bot, code=CODE.encode(), report=factories.passed_report(log=named(OWNERS_SECRET)))
    others = [factories.bot(factories.user(named(f"user{n}")), named(f"bot {n}")) for n in range(6)]
    bots = [bot, *others]
    ladder = factories.ladder(bots)
    factories.play(ladder, brain=lambda one: factories.skilled(one.pk % 7 / 7, 0.02 if one == bot else 0))
    factories.rate(ladder)
    cup = _cup(bots[:6], named, organiser)
    over = factories.round_robin(bots[:3], named("finished cup"), deals=1)
    factories.play(over)
    factories.rate(over)
    lifecycle.finish(over)
    is_open = factories.round_robin(bots[:2], named("open cup"), start=False)
    fresh = lifecycle.create_round_robin(named("draft"), created_by=organiser)
    private = factories.round_robin(bots[:2], named("private cup"), deals=1)
    factories.play(private)
    Tournament.objects.filter(pk=private.pk).update(state="draft", started_at=None, finished_at=None)
    Tournament.objects.filter(pk__in=[over.pk, is_open.pk, private.pk]).update(created_by=organiser)
    _versions(bot, named)
    _logs(bot, named)
    token = tokens.make(author, named("token"), "read", 7)[0]
    staff = factories.user(named("staff"), is_staff=True, is_superuser=True)
    facts = _facts(bot, others[0], cup, over, is_open, fresh, private, token)
    return Site(author, organiser, bot, others[0], staff, facts)


def _cup(bots: list[Bot], named: Naming, organiser: User) -> Tournament:
    """A cup of four at a table, half played, with a match in every state."""
    cup = factories.round_robin(bots, named("cup"), players=4, deals=1, description=named("description"))
    factories.play(cup, 3)
    factories.rate(cup)
    running, parked = cup.matches.filter(state="queued").order_by("id")[:2]
    factories.move_to(running, "running", progress=1)
    factories.move_to(parked, "parked", error=named("No engine answers."))
    Tournament.objects.filter(pk=cup.pk).update(created_by=organiser, entry_rule="code", entry_code=ENTRY_CODE)
    return cup


def _versions(bot: Bot, named: Naming) -> None:
    """Versions 2 to 5 of the author's bot: refused, being checked, set aside by our fault, waiting."""
    refused = factories.failed_report(
        log=named(OWNERS_SECRET),
        message=named(f"ZeroDivisionError: {OWNERS_SECRET}"),
        traceback=named(f"Traceback: {OWNERS_SECRET}"),
        file=named(f"{OWNERS_SECRET}.py"),
    )
    factories.version(bot, "rejected", code=CODE.encode() + b"# 2\n", report=refused)
    factories.version(
        bot, "checking", progress={"done": 3, "total": 7}, lease_until="2100-01-01T00:00Z", worker="host/2"
    )
    factories.version(bot, "parked", fault=named("No engine answers."))
    factories.version(bot, "checking")


def _logs(bot: Bot, named: Naming) -> None:
    """What the author's bot printed in all its games, and how it failed in some."""
    detail = {"file": named(f"{OWNERS_SECRET}.py"), "line": 6, "traceback": named(f"Traceback: {OWNERS_SECRET}")}
    failure = {"reason": "crash", "at": 3, "message": named(OWNERS_SECRET), "detail": detail, "view": {"hand": ["6c"]}}
    GameLog.objects.filter(seat__entry__bot=bot).update(log=named(OWNERS_SECRET))
    GameLog.objects.filter(seat__entry__bot=bot, failure__isnull=False).update(failure=failure)
    for game in Game.objects.filter(match__seats__entry__bot=bot).prefetch_related("match__seats__entry"):
        seat = next(seat for seat in game.match.seats.all() if seat.entry.bot_id == bot.pk)
        GameLog.objects.get_or_create(game=game, seat=seat, defaults={"log": named(OWNERS_SECRET), "failure": failure})


def _facts(bot: Bot, other: Bot, cup: Tournament, over: Tournament, *more: Any) -> dict[str, Any]:
    is_open, fresh, private, token = more
    matches = {state: cup.matches.filter(state=state).earliest("pk").pk for state in ("queued", "running", "parked")}
    ladder = Tournament.objects.get(slug="ladder")
    game = Game.objects.filter(match__tournament=ladder, match__seats__entry__bot=bot).earliest("pk")
    hidden = Game.objects.filter(match__tournament=private).earliest("pk")
    return {
        "bot": bot.slug,
        "author": bot.owner_id,
        "file": bot.versions.earliest("number").file_id,
        "other": other.slug,
        "cup": cup.slug,
        "over": over.slug,
        "open": is_open.slug,
        "fresh": fresh.slug,
        "private": private.slug,
        "match": game.match_id,
        "game": game.pk,
        "seat": _seat_of(game, bot),
        "four_match": cup.matches.filter(state="finished").earliest("pk").pk,
        "four": Game.objects.filter(match__tournament=cup).earliest("pk").pk,
        **matches,
        "private_match": hidden.match_id,
        "private_game": hidden.pk,
        "parked_check": bot.versions.get(state="parked").pk,
        "entry": cup.entries.get(bot=bot).pk,
        "open_entry": is_open.entries.get(bot=bot).pk,
        "private_entry": private.entries.get(bot=bot).pk,
        "token": token.pk,
        "stop": stopping.token(bot.owner),
        "nobody": 10**9,
    }


def _seat_of(game: Game, bot: Bot) -> int:
    """Where a bot sat in a game."""
    return list(game.seating).index(game.match.seats.get(entry__bot=bot).index)


@contextmanager
def standing(blocker: Any, named: Naming = plain) -> Iterator[Site]:
    """The site, for all tests of a module. What a test changes is taken back at its end, as ever.

    Args:
        blocker: the fixture `django_db_blocker`; `django_db_setup` has to have come before.
    """
    quick = override_settings(PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"])
    with quick, blocker.unblock(), transaction.atomic():
        yield build(named)
        transaction.set_rollback(True)


PUBLIC_PAGES = (
    "/",
    "/about/",
    "/leaderboard/",
    "/leaderboard/?q=nobody-of-that-name",
    "/docs/",
    "/bots/",
    "/bots/?q=nobody-of-that-name",
    "/bots/{bot}/",
    "/bots/{bot}/?in={cup}",
    "/bots/{other}/",
    "/bots/{bot}/vs/{other}/",
    "/bots/{bot}/versions/1/",
    "/bots/{bot}/times/",
    "/tournaments/",
    "/tournaments/?state=cancelled",
    *(
        f"/tournaments/{{{cup}}}/{part}"
        for cup in ("cup", "over", "open")
        for part in ("", "crosstable/", "plan/", "matches/", "fairness/", "rules/", "final/")
    ),
    "/matches/{match}/",
    "/matches/{queued}/",
    "/matches/{running}/",
    "/matches/{parked}/",
    "/matches/{match}/deals/0/",
    "/matches/{four_match}/deals/0/",
    "/games/{game}/",
    "/games/{four}/",
    "/games/{game}/embed/",
    "/api/",
    "/accounts/login/",
    "/accounts/signup/",
    "/accounts/password/reset/",
    "/accounts/password/reset/done/",
    "/accounts/password/reset/key/done/",
    "/accounts/password/reset/key/1-not-a-key/",
    "/accounts/confirm-email/",
    "/accounts/confirm-email/not-a-key/",
    "/accounts/inactive/",
)
"""Pages that everybody can look at, beside those of the documentation."""

OWN_PAGES = (
    "/bots/mine/",
    "/bots/mine/failures/",
    "/bots/{bot}/versions/1/vs/2/",
    "/bots/new/",
    "/bots/{bot}/",
    "/bots/{bot}/upload/",
    "/bots/{bot}/edit/",
    *(f"/bots/{{bot}}/versions/{number}/" for number in range(1, 6)),
    "/games/{game}/",
    "/tournaments/{cup}/",
    "/tournaments/{open}/enter/",
    "/tournaments/{cup}/entries/{entry}/withdraw/",
    "/account/",
    "/account/data/",
    "/account/delete/",
    "/account/tokens/",
    "/account/notices/",
    "/notices/stop/{stop}/",
    "/accounts/logout/",
    "/accounts/email/",
    "/accounts/password/change/",
    "/accounts/reauthenticate/",
    "/accounts/sessions/",
    "/accounts/2fa/",
    "/accounts/2fa/totp/activate/",
    "/accounts/2fa/webauthn/",
    "/accounts/2fa/webauthn/add/",
)
"""Pages for the author."""

ORGANISERS_PAGES = (
    "/tournaments/new/",
    "/tournaments/?state=draft",
    "/tournaments/{fresh}/",
    *(
        f"/tournaments/{{{cup}}}/manage/{part}"
        for cup in ("cup", "over", "open", "fresh", "private")
        for part in ("", "edit/", "cancel/")
        if (cup, part) != ("over", "cancel/")  # what is over cannot be cancelled
    ),
    "/tournaments/{open}/manage/start/",
    "/tournaments/{open}/entries/{open_entry}/disqualify/",
)
"""Pages for who organises."""

STAFFS_PAGES = (
    "/operations/",
    "/operations/log/",
    "/operations/moderation/",
    "/operations/moderation/bots/{bot}/",
    "/operations/moderation/accounts/{author}/",
    "/tournaments/ladder/manage/",
    "/admin/",
)
"""Pages for staff."""


def pages(site: Site) -> dict[str, list[str]]:
    """Every page of the site, by who looks at it: "visitor", "author", "organiser", "staff"."""
    from pages import docs

    documents = [reverse("docs:page", args=[slug]) for slug in docs.slugs()]
    return {
        "visitor": [*map(site.path, PUBLIC_PAGES), *documents],
        "author": list(map(site.path, OWN_PAGES)),
        "organiser": list(map(site.path, ORGANISERS_PAGES)),
        "staff": list(map(site.path, STAFFS_PAGES)),
    }


@cache
def routes() -> frozenset[str]:
    """Every route that the site answers, as the resolver writes it."""
    return frozenset(_walk(get_resolver(), ""))


def _walk(resolver: URLResolver, before: str) -> Iterator[str]:
    for pattern in resolver.url_patterns:
        here = before + str(pattern.pattern).removeprefix("^")
        if isinstance(pattern, URLPattern):
            yield here
        else:
            yield from _walk(pattern, here)


def nothing() -> Site:
    """A site on which nothing has happened yet: its readers have accounts, and that is all."""
    author, organiser = factories.user("newcomer"), factories.user("teacher")
    organiser.user_permissions.add(Permission.objects.get(codename="add_tournament"))
    staff = factories.user("operator", is_staff=True, is_superuser=True)
    return Site(author, organiser, Bot(owner=author), Bot(owner=author), staff, {})


def crowd(bots: int = 70) -> None:
    """Fill the ladder of a built site until every list of it goes on for pages. Most of it is made up, not played."""
    rng = random.Random(7)
    ladder = Tournament.objects.get(slug="ladder")
    for number in range(1, bots + 1):
        bot = factories.bot(name=f"One of many, number {number}")
        elo = 1500 + rng.gauss(0, 150)
        entry = Entry.objects.create(
            tournament=ladder, bot=bot, version=bot.versions.get(), elo=elo, games=80, matches=4, won=40, lost=40
        )
        if number <= 8:
            planning.plan_newcomer(ladder, entry, list(ladder.entries.exclude(pk=entry.pk)[:8]))
    factories.rate(ladder)
    for match in ladder.matches.filter(state="queued")[:12]:
        factories.move_to(match, "parked", error="The engine did not answer within 30 seconds: " + "socket " * 20)
