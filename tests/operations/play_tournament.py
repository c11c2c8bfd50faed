"""Run beside a site (`RunningSite.run`): plays a small tournament on it and prints what came of it as JSON.

The bots are deterministic and the secret is fixed, so everything but times and the order of rating must come out the
same on every database, broker and number of workers.
"""

import json
import os
import time
from collections.abc import Callable
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.contrib.auth import get_user_model  # noqa: E402 - Django must be ready first

from arena.deal import commitment  # noqa: E402
from arena.durak import GameRecord  # noqa: E402
from arena.samples import SAMPLES  # noqa: E402
from bots.models import BotVersion  # noqa: E402
from bots.services import create_bot, submit_version  # noqa: E402
from tournaments import lifecycle, standings  # noqa: E402
from tournaments.models import DealSecret, Match, Tournament  # noqa: E402

BOTS = ("random", "easy", "hoarder", "lowest", "thrifty")
SECRET = b"of the tournament of the two stacks"[:32]
DEALS = 2
WAIT_SECONDS = 120


def main() -> None:
    """Everything from the upload to the table."""
    owner = get_user_model().objects.create_user("author")
    bots = {}
    for name in BOTS:
        bots[name] = create_bot(owner, name, "")
        submit_version(bots[name], "bot.py", SAMPLES[name].source)
    wait_for("the checks", lambda: BotVersion.objects.filter(state="ready").count() == len(BOTS))
    tournament = lifecycle.create_round_robin("Same everywhere", deals=DEALS)
    DealSecret.objects.filter(tournament=tournament).update(secret=SECRET, commitment=commitment(SECRET))
    tournament = lifecycle.open_entries(tournament)
    for name in BOTS:
        lifecycle.enter(tournament, bots[name])
    lifecycle.start(tournament)
    wait_for("the end", lambda: Tournament.objects.filter(pk=tournament.pk, state="finished").exists())
    tournament.refresh_from_db()
    wait_for("the table", lambda: is_fitted(tournament))
    print(json.dumps({"matches": matches(tournament), "table": table(tournament), "workers": workers(tournament)}))


def wait_for(what: str, condition: Callable[[], bool]) -> None:
    """Until it holds; the site's own processes work on it meanwhile."""
    deadline = time.monotonic() + WAIT_SECONDS
    while not condition():
        if time.monotonic() > deadline:
            raise SystemExit(f"waited {WAIT_SECONDS} s in vain for {what}")
        time.sleep(0.1)


def is_fitted(tournament: Tournament) -> bool:
    tournament.refresh_from_db()
    return tournament.fitted == tournament.rated


def matches(tournament: Tournament) -> list[dict[str, Any]]:
    """Each match with who sat where, and every move of its games."""
    rows = Match.objects.filter(tournament=tournament).order_by("number").prefetch_related("seats__entry__bot", "games")
    return [
        {
            "number": match.number,
            "round": match.round,
            "seats": [[seat.entry.bot.name, seat.score] for seat in sorted(match.seats.all(), key=lambda s: s.index)],
            "games": [
                [game.deal, game.rotation, game.ending, game.places, moves(bytes(game.record))]
                for game in sorted(match.games.all(), key=lambda game: (game.deal, game.rotation))
            ],
        }
        for match in rows
    ]


def moves(record: bytes) -> list[str]:
    return [f"{seat} {move}" for seat, move in GameRecord.from_compact(record).moves]


def table(tournament: Tournament) -> list[dict[str, Any]]:
    """The table without Elo, which follows the order in which matches happened to end, and without times."""
    return [
        {
            "counts": [line.place, line.bot_name, line.games, line.won, line.drawn, line.lost, line.score],
            "ratings": [line.rating, line.low, line.high],
        }
        for line in standings.table(tournament)
    ]


def workers(tournament: Tournament) -> list[str]:
    return sorted(set(tournament.matches.values_list("worker", flat=True)))


if __name__ == "__main__":
    main()
