"""Who meets whom, as rows, before the first of them is played. The plans themselves are `arena.plan`'s.

A round robin's plan is a pure function of the number of entries, the rules and the tournament's address. A small one is
written down when the tournament starts. A large one (100,000 matches take a minute) is written down by the sweep, a
piece at a time: `Tournament.planning` is set until it is whole, and no match of it is begun before. Whatever dies in
between, the next piece begins after the last match that is there, and the plan is the same.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import structlog
from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from arena import plan
from tournaments import fairness
from tournaments.cost import count_matches
from tournaments.locks import lock
from tournaments.models import Entry, Match, Seat, Tournament
from tournaments.values import ruleset_of

logger = structlog.get_logger(__name__)

FIRST_MATCHES = 10
"""So many of a newcomer's matches on the ladder are played before what waits: he shall see some within a minute."""
AT_ONCE = 500
"""A plan of so many matches is made within the request that starts a tournament: in less than a second."""
PIECE = 2000
"""So many matches of a larger one are written down by each sweep, under the tournament's lock: in about a second."""

_BATCH = 500


@dataclass(frozen=True)
class Table:
    """A match to be: the entries in the order in which they sit."""

    entries: tuple[Entry, ...]
    round: int
    priority: int = 0

    @property
    def key(self) -> str:
        """Who sits there, in whatever order."""
        return "-".join(str(key) for key in sorted(entry.pk for entry in self.entries))

    @property
    def is_complete(self) -> bool:
        """Whether everybody still plays."""
        return all(entry.state == Entry.State.ACTIVE for entry in self.entries)


def begin_round_robin(tournament: Tournament, entries: Sequence[Entry]) -> None:
    """Fix who is in the plan of a round robin, in this order, and make it if it is small. Under the lock.

    Sets `planning` while the sweep has to make the rest.
    """
    for index, entry in enumerate(entries):
        entry.plan_index = index
    Entry.objects.bulk_update(entries, ["plan_index"], batch_size=_BATCH)
    pairs = ruleset_of(tournament).teams == "pairs"
    tournament.planning = True
    if count_matches(len(entries), tournament.players, pairs=pairs)[0] <= AT_ONCE:
        _write_piece(tournament, entries, AT_ONCE)
    else:
        tournament.save(update_fields=["planning"])


def make_piece(tournament_id: int, limit: int = PIECE) -> bool:
    """Write the next matches of a plan that is being made. True when it is whole, or nothing of it is to be made."""
    tournament = Tournament.objects.get(pk=tournament_id)
    planned = Entry.objects.filter(tournament=tournament_id, plan_index__isnull=False).order_by("plan_index")
    # The search for a design may take seconds: what follows finds its result made, and holds the lock for the rows.
    _tables_of(tournament, planned.count())
    with transaction.atomic():
        locked = lock(tournament_id)
        if locked.state != Tournament.State.RUNNING or not locked.planning:
            return True
        return _write_piece(locked, list(planned), limit)


def _write_piece(tournament: Tournament, entries: Sequence[Entry], limit: int) -> bool:
    found = _tables_of(tournament, len(entries))
    done = Match.objects.filter(tournament=tournament).aggregate(last=Max("number"))["last"] or 0
    piece = found[done : done + limit]
    _write(tournament, [Table(tuple(entries[index] for index in table), number) for table, number in piece])
    tournament.plan_total = len(found)
    tournament.planning = done + len(piece) < len(found)
    tournament.save(update_fields=["plan_total", "planning"])
    if not tournament.planning:
        _tables.cache_clear()
        logger.info("plan_made", tournament=tournament.slug, matches=len(found))
    return not tournament.planning


def plan_newcomer(tournament: Tournament, newcomer: Entry, others: Sequence[Entry]) -> int:
    """Write the matches that a newcomer adds to a ladder: against everyone who is in. Returns how many.

    Under the lock.
    """
    found = plan.additions(
        [entry.pk for entry in others],
        newcomer.pk,
        tournament.players,
        seed=_seed(tournament) + newcomer.pk,
        pairs=ruleset_of(tournament).teams == "pairs",
    )
    entries = {entry.pk: entry for entry in [*others, newcomer]}
    first_round = 1 + (Match.objects.filter(tournament=tournament).aggregate(last=Max("round"))["last"] or 0)
    return _write(
        tournament,
        [
            Table(tuple(entries[key] for key in table), number, int(index < FIRST_MATCHES))
            for index, (table, number) in enumerate(_number_repeats(found, first_round))
        ],
    )


def _tables_of(tournament: Tournament, entries: int) -> Sequence[tuple[tuple[int, ...], int]]:
    pairs = ruleset_of(tournament).teams == "pairs"
    return _tables(entries, tournament.players, _seed(tournament), pairs)


# A sweep that goes on with a plan finds it here; a worker keeps no more than one, and none that is written down.
@lru_cache(maxsize=1)
def _tables(entries: int, players: int, seed: int, pairs: bool) -> Sequence[tuple[tuple[int, ...], int]]:
    """The whole plan of a round robin: the numbers of the entries at each table, and its round."""
    if players == 2:
        rounds = enumerate(plan.round_robin(entries), start=1)
        return [(pair, number) for number, matches in rounds for pair in matches]
    fewest = plan.fewest_matches(entries, players, seed)
    found = plan.tables(entries, players, max(plan.MAX_MATCHES, fewest), seed, pairs=pairs)
    return list(_number_repeats(found, 1))


def _number_repeats(tables: Iterable[tuple[int, ...]], first: int) -> Iterable[tuple[tuple[int, ...], int]]:
    """A round for each table such that no table comes twice in one: where it comes again, the next."""
    seen: Counter[frozenset[int]] = Counter()
    for table in tables:
        key = frozenset(table)
        yield table, first + seen[key]
        seen[key] += 1


def _write(tournament: Tournament, tables: Sequence[Table]) -> int:
    secret = fairness.ensure_secret(tournament)
    number = Match.objects.filter(tournament=tournament).aggregate(last=Max("number"))["last"] or 0
    now = timezone.now()
    matches = Match.objects.bulk_create(
        [
            Match(
                tournament=tournament,
                number=number + offset,
                round=table.round,
                table_key=table.key,
                secret=secret,
                priority=table.priority,
                # Who left while the plan was being made keeps its place in it, and plays none of it.
                state=Match.State.QUEUED if table.is_complete else Match.State.CANCELLED,
                finished_at=None if table.is_complete else now,
            )
            for offset, table in enumerate(tables, start=1)
        ],
        batch_size=_BATCH,
    )
    Seat.objects.bulk_create(
        [
            Seat(match=match, entry=entry, version_id=entry.version_id, index=index)
            for match, table in zip(matches, tables, strict=True)
            for index, entry in enumerate(table.entries)
        ],
        batch_size=_BATCH,
    )
    return len(matches)


def _seed(tournament: Tournament) -> int:
    """Picks one of many equally good plans: the same for the same tournament, whatever database it is in."""
    return int.from_bytes(hashlib.sha256(tournament.slug.encode()).digest()[:4], "big")
