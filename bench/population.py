"""Fills an empty PostgreSQL database with a crowded site: 1,000 bots and 100,000 matches by default.

PYTHONPATH=platform:. python -m bench.population --keep durak_crowd [--bots 1000] [--matches 100000] [--queued 2000]

What is real: every number that the site adds up (seats, sums, Elo, the order of rating) follows from the games, so that
`recompute_ratings` finds nothing to correct. What is not: results are drawn at random by the bots' strengths, and each
game carries one of some dozens of records, of a game that was really played and ended that way, by other bots and from
another deck. `check_integrity` and `verify` would say so.
"""

from __future__ import annotations

import argparse
import itertools
import json
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from bench import bulk, games, site

if TYPE_CHECKING:
    from tournaments.models import Tournament

DAYS = 60
"""The ladder has been running for so long."""
DRAWS, FAILURES = 0.03, 0.005
"""Shares of the games that end in a draw (at tables of two), or with a bot's failure."""


@dataclass(frozen=True)
class Size:
    """How much of everything."""

    bots: int = 1000
    matches: int = 100_000
    """Finished ones, in all tournaments together."""
    queued: int = 2000
    """Waiting ones, on the ladder."""
    deals: int = 10


@dataclass
class Numbers:
    """The next primary key of each table: rows refer to each other before they are written."""

    match: Iterator[int] = field(default_factory=lambda: itertools.count(1))
    entry: Iterator[int] = field(default_factory=lambda: itertools.count(1))
    seat: Iterator[int] = field(default_factory=lambda: itertools.count(1))


def fill(size: Size) -> None:
    """Write everything into the empty database that Django uses."""
    from django.db import connection, transaction

    rng = np.random.default_rng(0)
    with transaction.atomic(), connection.cursor() as cursor:
        # The rows are right by construction; to look each of some millions of references up would take minutes.
        cursor.execute("SET LOCAL session_replication_role = replica")
        versions = _bots(size, rng)
        strength = rng.normal(0, 0.8, size.bots)
        numbers = Numbers()
        for tournament, cast, tables in _tournaments(size, rng):
            _play(tournament, [versions[bot] for bot in cast], strength[cast], tables, size, rng, numbers)
        bulk.reset_sequences(cursor)
        _private(versions)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")


# ---------------------------------------------------------------------------------------------------------------------
# Users, bots and versions


def _bots(size: Size, rng: np.random.Generator) -> list[tuple[int, int, int]]:
    """Authors with their bots. Returns for each bot (its key, its older version's or 0, its newest version's)."""
    from accounts.models import User
    from bots.models import Bot, BotFile, BotVersion

    now = bulk.now()
    authors = max(2, size.bots // 3)
    bulk.copy(
        User,
        (
            {"id": n, "username": f"author-{n}", "email": f"author-{n}@example.org", "date_joined": now}
            | {"password": "!", "is_staff": n == 1, "is_superuser": n == 1}
            for n in range(1, authors + 1)
        ),
    )
    # The first author has thirty bots, so that a crowded page of one's own bots is among what is measured.
    owners = [1 if n <= 30 else 2 + int(rng.integers(authors - 1)) for n in range(1, size.bots + 1)]
    bulk.copy(
        Bot,
        (
            {"id": n, "owner_id": owner, "name": f"Bot {n:04}", "slug": f"bot-{n:04}", "created_at": now}
            | {"description": "It plays the cheapest card that beats, and keeps its trumps. " * 3}
            for n, owner in enumerate(owners, start=1)
        ),
    )
    code = [_code(n) for n in range(1, size.bots + 1)]
    digests = [f"{n:064x}" for n in range(1, size.bots + 1)]
    bulk.copy(
        BotFile,
        (
            {"digest": digest, "content": text, "size": len(text), "created_at": now}
            for digest, text in zip(digests, code, strict=True)
        ),
    )
    report = json.dumps({"ok": True, "stage": "done", "message": "It played 7 games.", "games": 7, "log": "x" * 1500})
    rows, kept = [], []
    keys = itertools.count(1)
    for n in range(1, size.bots + 1):
        made = [next(keys) for _ in range(1 + n % 3)]
        kept.append((n, made[-2] if n % 10 == 1 and len(made) > 1 else 0, made[-1]))
        rows += [
            {"id": key, "bot_id": n, "number": number, "file_id": digests[n - 1], "filename": "bot.py"}
            | {"state": "ready", "report": report, "checked_at": now, "created_at": now, "attempt": 1}
            for number, key in enumerate(made, start=1)
        ]
    bulk.copy(BotVersion, rows)
    return kept


def _code(number: int) -> bytes:
    return f'"""Bot {number}."""\n'.encode() + (
        b"from arena import Bot\n\n\nclass Mine(Bot):\n    def act(self, view):\n        return view.legal[0]\n"
    )


# ---------------------------------------------------------------------------------------------------------------------
# Who meets whom

Plan = list[tuple[int, ...]]
"""Tables as indices into the cast of a tournament."""


def _tournaments(size: Size, rng: np.random.Generator) -> list[tuple[Tournament, list[int], Plan]]:
    """The tournaments with their casts (indices of bots) and plans: some finished round robins, and the ladder."""
    from tournaments import lifecycle

    made: list[tuple[Tournament, list[int], Plan]] = []
    left = size.matches
    for number, (wanted, players) in enumerate(((60, 2), (30, 2), (12, 4), (40, 2)), start=1):
        bots = min(wanted, size.bots)
        cast = sorted(int(bot) for bot in rng.choice(size.bots, bots, replace=False))
        plan = list(itertools.combinations(range(bots), players))
        if len(plan) > left // 4:
            continue
        left -= len(plan)
        name = f"Cup {number}"
        made.append((lifecycle.create_round_robin(name, players=players, deals=size.deals), cast, plan))
    ladder = lifecycle.ensure_ladder()
    pairs = rng.integers(size.bots, size=(3 * (left + size.queued) + 100, 2))
    unique: dict[tuple[int, ...], None] = {(int(a), int(b)): None for a, b in pairs if a != b}
    made.append((ladder, list(range(size.bots)), list(unique)[: left + size.queued]))
    return made


# ---------------------------------------------------------------------------------------------------------------------
# What came of it


def _play(
    tournament: Tournament,
    versions: Sequence[tuple[int, int, int]],
    strength: NDArray[np.float64],
    tables: Plan,
    size: Size,
    rng: np.random.Generator,
    numbers: Numbers,
) -> None:
    """Write one tournament with its entries, matches, seats, rating points, games and logs."""
    from tournaments.models import Entry, Match, RatingPoint, Seat, Tournament

    ladder = tournament.is_ladder
    if ladder:
        Tournament.objects.filter(pk=tournament.pk).update(deals=size.deals)
        tournament.deals = size.deals
    done = len(tables) - (size.queued if ladder else 0)
    ends = _moments(done, ladder)
    secrets = _secrets(tournament, ends)
    entries = [_entry(next(numbers.entry), tournament, bot, newest) for bot, _, newest in versions]
    # A bot whose version was replaced played its first half of the ladder as the older one.
    older = {
        place: _entry(next(numbers.entry), tournament, bot, old) | {"state": "replaced"}
        for place, (bot, old, _) in enumerate(versions)
        if ladder and old
    }
    count = tournament.games_a_match
    losers = _losers(strength, tables, tournament, rng)
    elo: dict[int, float] = defaultdict(lambda: 1500.0)
    matches, seats, points, outcomes = [], [], [], []
    for order, table in enumerate(tables, start=1):
        match_id = next(numbers.match)
        finished = order <= done
        at = ends[min(order, done) - 1]
        sat = [older.get(i, entries[i]) if finished and order * 2 < done else entries[i] for i in table]
        matches.append(_match(match_id, tournament, order, sat, secrets[at.date()], at if finished else None))
        mine = [_seat(next(numbers.seat), match_id, entry, index) for index, entry in enumerate(sat)]
        seats += mine
        if finished:
            lost, codes = _codes(losers[order - 1], len(table), tournament.deals, rng)
            _score(mine, lost, count)
            points += _rate(mine, {entry["id"]: entry for entry in sat}, elo, order)
            outcomes.append((match_id, codes, at))
    for entry in (*entries, *older.values()):
        if entry["games"]:
            half = 900 / entry["games"] ** 0.5
            entry.update(rating=entry["elo"], rating_low=entry["elo"] - half, rating_high=entry["elo"] + half)
    bulk.copy(Entry, ({**entry, "failures": json.dumps(entry["failures"])} for entry in (*entries, *older.values())))
    bulk.copy(Match, matches)
    bulk.copy(Seat, ({**seat, "failures": json.dumps(seat["failures"])} for seat in seats))
    bulk.copy(RatingPoint, points)
    games.write(tournament, outcomes)
    Tournament.objects.filter(pk=tournament.pk).update(
        state="running" if ladder else "finished",
        rated=done,
        fitted=done,
        fitted_at=bulk.now(),
        started_at=ends[0] - timedelta(hours=1),
        finished_at=None if ladder else ends[-1],
    )


def _moments(count: int, ladder: bool) -> list[datetime]:
    """When the matches ended, one after the other; those of the ladder over sixty days, the last a minute ago."""
    now = bulk.now()
    span = timedelta(days=DAYS) if ladder else timedelta(hours=3)
    last = now - (timedelta(minutes=1) if ladder else timedelta(days=DAYS / 2))
    return [last - span * ((count - 1 - n) / max(count, 1)) for n in range(count)]


def _secrets(tournament: Tournament, ends: Sequence[datetime]) -> dict[Any, int]:
    """The secret of each day."""
    from arena.deal import commitment, new_secret
    from tournaments.models import DealSecret

    days = sorted({at.date() for at in ends})
    if not tournament.is_ladder:
        only = DealSecret.objects.get(tournament=tournament)
        DealSecret.objects.filter(pk=only.pk).update(revealed_at=bulk.now())
        return dict.fromkeys(days, only.pk)
    DealSecret.objects.filter(tournament=tournament).delete()  # that of today, which came with the ladder
    made = []
    for day in days:
        secret = new_secret()
        shown = bulk.now() if day != days[-1] else None
        made.append(
            DealSecret(tournament=tournament, day=day, secret=secret, commitment=commitment(secret), revealed_at=shown)
        )
    return {secret.day: secret.pk for secret in DealSecret.objects.bulk_create(made)}


def _losers(
    strength: NDArray[np.float64], tables: Plan, tournament: Tournament, rng: np.random.Generator
) -> NDArray[np.int8]:
    """By match and game, who lost: an index of the table, or -1 for a draw. Games stand by rotation, then deal."""
    sat = strength[np.array(tables)]
    noise = rng.gumbel(size=(len(tables), tournament.games_a_match, tournament.players))
    found: NDArray[np.int8] = (noise - sat[:, None, :]).argmax(axis=2).astype(np.int8)
    if tournament.players == 2:
        found[rng.random(found.shape) < DRAWS] = -1
    return found


def _codes(losers: NDArray[np.int8], players: int, deals: int, rng: np.random.Generator) -> tuple[Any, str]:
    """What each player of a match lost, by reason, and a letter for each game: which record it gets."""
    lost: list[dict[str, int]] = [defaultdict(int) for _ in range(players)]
    letters = []
    failed = rng.random(len(losers)) < FAILURES
    for game, (loser, crashed) in enumerate(zip(losers.tolist(), failed.tolist(), strict=True)):
        if loser < 0:
            letters.append(games.DRAW)
            continue
        lost[loser]["crash" if crashed else "play"] += 1
        seat = (loser + game // deals) % players
        letters.append(chr((games.FAILED_FROM if crashed else games.LOST_FROM) + seat))
    return lost, "".join(letters)


def _score(seats: Sequence[dict[str, Any]], lost: Sequence[Mapping[str, int]], games: int) -> None:
    """Fill in the results of a match's seats, as `tournaments.results` would."""
    totals = [sum(one.values()) for one in lost]
    drawn = games - sum(totals)
    for index, seat in enumerate(seats):
        against = [None if other == index else games + totals[other] - totals[index] for other in range(len(seats))]
        got = sum(points for points in against if points is not None)
        failures = {"crash": lost[index]["crash"]} if lost[index].get("crash") else {}
        seat.update(
            score=got / (2 * (len(seats) - 1) * games),
            points=got,
            against=json.dumps(against),
            won=games - totals[index] - drawn,
            drawn=drawn,
            lost=totals[index],
            failures=failures,
            decisions=30 * games,
            seconds=0.03125 * games,
            slowest=0.015625,
        )


def _rate(
    seats: Sequence[dict[str, Any]], entries: Mapping[int, dict[str, Any]], elo: dict[int, float], order: int
) -> list[dict[str, Any]]:
    """Move the Elo of a match's entries and add to their sums, as `tournaments.ratings` would. Returns its points."""
    from arena import rating

    before = {seat["entry_id"]: elo[seat["entry_id"]] for seat in seats}
    after = rating.update(before, {seat["entry_id"]: seat["score"] for seat in seats})
    for seat in seats:
        key, entry = seat["entry_id"], entries[seat["entry_id"]]
        elo[key] = entry["elo"] = after[key]
        entry["matches"] += 1
        entry["games"] += seat["won"] + seat["drawn"] + seat["lost"]
        for name in ("points", "won", "drawn", "lost", "decisions", "seconds"):
            entry[name] += seat[name]
        entry["slowest"] = max(entry["slowest"], seat["slowest"])
        for reason, count in seat["failures"].items():
            entry["failures"][reason] = entry["failures"].get(reason, 0) + count
    return [
        {"entry_id": key, "match_id": seats[0]["match_id"], "order": order, "before": before[key], "after": after[key]}
        for key in before
    ]


def _entry(key: int, tournament: Tournament, bot: int, version: int) -> dict[str, Any]:
    sums = dict.fromkeys(("matches", "games", "won", "drawn", "lost", "points", "decisions"), 0)
    row = {"id": key, "tournament_id": tournament.pk, "bot_id": bot, "version_id": version, "state": "active"}
    return row | sums | {"elo": 1500.0, "failures": {}, "seconds": 0.0, "slowest": 0.0}


def _match(
    key: int, tournament: Tournament, order: int, sat: Sequence[dict[str, Any]], secret: int, ended: datetime | None
) -> dict[str, Any]:
    row: dict[str, Any] = {
        "id": key,
        "tournament_id": tournament.pk,
        "number": order,
        "round": order,
        "secret_id": secret,
    }
    row |= {"table_key": "-".join(str(entry) for entry in sorted(entry["id"] for entry in sat))}
    row |= {"state": "queued", "queued_at": (ended or bulk.now()) - timedelta(minutes=5)}
    if ended is not None:
        row |= {"state": "finished", "rated_order": order, "attempt": 1, "progress": tournament.games_a_match}
        row |= {"worker": f"worker-{order % 10}@host/{100 + order % 10}", "finished_at": ended}
        row |= {"started_at": ended - timedelta(seconds=5), "sent_at": ended - timedelta(seconds=6)}
    return row


def _seat(key: int, match: int, entry: Mapping[str, Any], index: int) -> dict[str, Any]:
    row = {"id": key, "match_id": match, "entry_id": entry["id"], "version_id": entry["version_id"], "index": index}
    return row | {"against": "[]", "failures": {}}


def _private(versions: Sequence[tuple[int, int, int]]) -> None:
    """Tournaments that not everybody sees or may enter: a draft, and one behind a code that takes entries."""
    from accounts.models import User
    from bots.models import Bot
    from tournaments import lifecycle
    from tournaments.models import Tournament

    organiser = User.objects.get(pk=1)
    lifecycle.create_round_robin("Club evening", created_by=organiser)
    closed = lifecycle.open_entries(lifecycle.create_round_robin("Class 7b", created_by=organiser))
    Tournament.objects.filter(pk=closed.pk).update(entry_rule="code", entry_code="seven")
    for bot, _, _ in versions[:20]:
        lifecycle.enter(closed, Bot.objects.get(pk=bot))


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options that say how crowded the site is."""
    usual = Size()
    parser.add_argument("--bots", type=int, default=usual.bots)
    parser.add_argument("--matches", type=int, default=usual.matches, help="finished ones")
    parser.add_argument("--queued", type=int, default=usual.queued, help="waiting ones, on the ladder")
    parser.add_argument("--deals", type=int, default=usual.deals, help="deals of a match; it has twice as many games")


def size_of(options: argparse.Namespace) -> Size:
    """What those options say."""
    return Size(options.bots, options.matches, options.queued, options.deals)


def fill_and_say(options: argparse.Namespace) -> None:
    """Fill the database, and say how long it took and what is in it."""
    began = time.perf_counter()
    fill(size_of(options))
    from django.db import connection

    from tournaments.models import Game, Match

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        megabytes = cursor.fetchone()[0] / 1e6
    print(
        f"{options.bots} bots, {Match.objects.count()} matches, {Game.objects.count()} games in {megabytes:.0f} MB: "
        f"filled in {time.perf_counter() - began:.0f} s",
        flush=True,
    )


def main() -> None:
    """Fill a database."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    site.add_options(parser)
    site.clear_up_when_told_to_end()
    add_options(parser)
    parser.add_argument("--into", action="store_true", help="the database of --database is empty: fill it")
    options = parser.parse_args()
    with site.database(options) as new:
        if new or options.into:
            fill_and_say(options)


if __name__ == "__main__":
    main()
