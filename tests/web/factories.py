"""Made-up data for tests of the site, made in the ways in which real data comes about.

Bots play for real, in this process and without a sandbox, and results are recorded by `tournaments.results`: numbers on
pages are as consistent as those of a live site. Where only a row in some state is needed, it is written as it is.
"""

import itertools
import random
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

from django.utils import timezone

from accounts.models import User
from arena import Bot as ArenaBot
from arena import GameInfo, Move, View
from arena.archive import read_upload
from arena.local import LocalPlayer
from arena.match import play_match
from bots.models import Bot, BotFile, BotVersion
from bots.names import free_slug
from tournaments import fairness, lifecycle, planning, results
from tournaments.models import Entry, Match, Tournament
from tournaments.values import limits_of, ruleset_of

CODE = b"from arena import Bot\n\n\nclass Made(Bot):\n    def act(self, view):\n        return view.legal[0]\n"
PASSWORD = "correct horse battery staple"

_numbers = itertools.count(1)


def user(name: str = "", **fields: Any) -> User:
    """Somebody who can sign in with `PASSWORD`."""
    return User.objects.create_user(name or f"author-{next(_numbers)}", password=PASSWORD, **fields)


def bot(owner: User | None = None, name: str = "", *, ready: bool = True, **fields: Any) -> Bot:
    """A bot, with one version that has passed its check unless `ready` says otherwise."""
    name = name or f"Bot {next(_numbers)}"
    made = Bot.objects.create(
        owner=owner or user(), name=name, slug=free_slug(Bot.objects.all(), name, "bot"), **fields
    )
    if ready:
        version(made)
    return made


def version(of: Bot, state: str = "ready", code: bytes = CODE, filename: str = "bot.py", **fields: Any) -> BotVersion:
    """The next version of a bot, in some state."""
    upload = read_upload(filename, code)
    file, _ = BotFile.objects.get_or_create(digest=upload.digest, defaults={"content": code, "size": len(code)})
    number = of.versions.count() + 1
    return BotVersion.objects.create(bot=of, number=number, file=file, filename=filename, state=state, **fields)


def failed_report(**changes: Any) -> dict[str, Any]:
    """The report of a check in which the bot raised in a game."""
    report = {
        "ok": False,
        "stage": "play",
        "message": "ZeroDivisionError: division by zero",
        "games": 1,
        "reason": "crash",
        "file": "bot.py",
        "line": 6,
        "traceback": 'Traceback (most recent call last):\n  File "bot.py", line 6, in act\n    return 1 / 0\n'
        "ZeroDivisionError: division by zero\n",
        "view": {
            "game": {"players": 2, "seat": 0, "trump": "h", "turn_up": "9h"},
            "hand": ["6c", "7d", "9h", "Ks"],
            "legal": ["6c", "7d", "9h", "Ks"],
            "events": [["lead", 1, "6d"], ["beat", 0, "6d/8d"], ["pass", 1], ["beaten"]],
            "clock": 9.81,
        },
        "record": None,
        "seat": 0,
        "log": "thinking about 6c\n",
        "decisions": 5,
        "mean_ms": 1.25,
        "slowest_ms": 4.5,
        "start_ms": 38.0,
        "peak_memory_mb": 31.5,
        "limits": {},
    }
    return report | changes


def passed_report(**changes: Any) -> dict[str, Any]:
    """The report of a check that went well."""
    fields = {
        "ok": True,
        "stage": "done",
        "message": "The bot played 7 games in every seat without a failure.",
        "games": 7,
        "reason": None,
        "file": None,
        "line": None,
        "traceback": None,
        "view": None,
        "seat": None,
    }
    return failed_report(**fields) | changes


def round_robin(bots: Sequence[Bot], name: str = "", *, start: bool = True, **options: Any) -> Tournament:
    """A round robin that the bots have entered; started, with its whole plan, unless `start` says otherwise."""
    name = name or f"Tournament {next(_numbers)}"
    tournament = lifecycle.open_entries(lifecycle.create_round_robin(name, **({"deals": 2} | options)))
    for one in bots:
        lifecycle.enter(tournament, one)
    if not start:
        return tournament
    started = lifecycle.start(tournament)
    while started.planning and not planning.make_piece(started.pk):
        pass  # as one sweep after the other does
    started.refresh_from_db()
    return started


def ladder(bots: Sequence[Bot] = (), **options: Any) -> Tournament:
    """The ladder, with everybody in it and everybody's matches planned."""
    made = lifecycle.ensure_ladder()
    Tournament.objects.filter(pk=made.pk).update(**({"deals": 2} | options))
    made.refresh_from_db()
    inside: list[Entry] = []
    for one in bots:
        current = one.versions.filter(state="ready").latest("number")
        entry = Entry.objects.create(tournament=made, bot=one, version=current)
        planning.plan_newcomer(made, entry, inside)
        inside.append(entry)
    return made


class Skilled(ArenaBot):
    """Plays its cheapest legal move, or, the more often the less skilled it is, any."""

    skill = 1.0
    clumsiness = 0.0

    def __init__(self, game: GameInfo) -> None:
        super().__init__(game)
        self.random = random.Random(f"{game.seat} {game.turn_up} {type(self).__name__}")

    def act(self, view: View) -> Move:
        if self.random.random() < self.clumsiness:
            raise ZeroDivisionError("division by zero")
        return view.legal[0] if self.random.random() < self.skill else self.random.choice(view.legal)


def skilled(skill: float, clumsiness: float = 0.0) -> type[Skilled]:
    """A bot of some skill from 0 to 1, that raises in some of its decisions."""
    return type("Skilled", (Skilled,), {"skill": skill, "clumsiness": clumsiness})


def play(tournament: Tournament, limit: int | None = None, brain: Callable[[Bot], type[ArenaBot]] | None = None) -> int:
    """Play waiting matches of a tournament, oldest first, and record them. Returns how many.

    Args:
        brain: what plays for a bot; by default, bots made later are the more skilled.
    """
    brain = brain or (lambda one: skilled(min(1.0, (one.pk % 10) / 10)))
    played = 0
    waiting = tournament.matches.filter(state=Match.State.QUEUED).order_by("id")
    for match in waiting.select_related("tournament", "secret")[:limit]:
        finish(match, brain)
        played += 1
    return played


def finish(match: Match, brain: Callable[[Bot], type[ArenaBot]]) -> Match:
    """Play one match in this process and record it."""
    lease = timezone.now() + timedelta(minutes=5)
    Match.objects.filter(pk=match.pk).update(state=Match.State.RUNNING, attempt=1, lease_until=lease)
    seats = match.seats.select_related("version__bot").order_by("index")
    players = [LocalPlayer(brain(seat.version.bot), seat.version.bot.name, seat.version.number) for seat in seats]
    tournament = match.tournament
    result = play_match(players, ruleset_of(tournament), fairness.decks_of(match), limits_of(tournament))
    assert results.record(match.pk, 1, result)
    match.refresh_from_db()
    return match


def rate(tournament: Tournament) -> None:
    """Give every entry that has played a rating with an interval, near its Elo and the narrower the more it played.

    The likelihood table itself is tested where it is made; pages only show it.
    """
    for entry in Entry.objects.filter(tournament=tournament, games__gt=0):
        half = 600 / entry.games**0.5
        entry.rating, entry.rating_low, entry.rating_high = entry.elo, entry.elo - half, entry.elo + half
        entry.save(update_fields=["rating", "rating_low", "rating_high"])


def move_to(match: Match, state: str, **fields: Any) -> Match:
    """Put a match into a state in which pages find it."""
    needs: dict[str, Any] = {"lease_until": None}
    if state == "running":
        needs = {"lease_until": timezone.now() + timedelta(minutes=5), "attempt": 1, "worker": "host"}
    Match.objects.filter(pk=match.pk).update(state=state, **(needs | fields))
    match.refresh_from_db()
    return match
