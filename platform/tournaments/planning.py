"""Who meets whom, as rows, before the first of them is played. The plans themselves are `arena.plan`'s.

Whoever calls anything here holds the tournament's lock.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Max

from arena import plan
from tournaments import fairness
from tournaments.models import Entry, Match, Seat, Tournament
from tournaments.values import ruleset_of

FIRST_MATCHES = 10
"""So many of a newcomer's matches on the ladder are played before what waits: he shall see some within a minute."""

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


def plan_round_robin(tournament: Tournament, entries: Sequence[Entry]) -> int:
    """Write the whole plan of a round robin. Returns how many matches it has.

    Raises:
        ValueError: the entries do not fill a table, or are too many for everyone to meet everyone.
    """
    return _write(tournament, _round_robin(tournament, entries))


def plan_newcomer(tournament: Tournament, newcomer: Entry, others: Sequence[Entry]) -> int:
    """Write the matches that a newcomer adds to a ladder: against everyone who is in. Returns how many."""
    found = plan.additions(
        [entry.pk for entry in others],
        newcomer.pk,
        tournament.players,
        seed=_seed(tournament) + newcomer.pk,
        pairs=ruleset_of(tournament).teams == "pairs",
    )
    entries = {entry.pk: entry for entry in [*others, newcomer]}
    first_round = 1 + (Match.objects.filter(tournament=tournament).aggregate(last=Max("round"))["last"] or 0)
    tables = (tuple(entries[key] for key in keys) for keys in found)
    return _write(
        tournament,
        [
            Table(table, number, int(index < FIRST_MATCHES))
            for index, (table, number) in enumerate(_number_repeats(tables, first_round))
        ],
    )


def _round_robin(tournament: Tournament, entries: Sequence[Entry]) -> list[Table]:
    if tournament.players == 2:
        return [
            Table((entries[a], entries[b]), number)
            for number, pairs in enumerate(plan.round_robin(len(entries)), start=1)
            for a, b in pairs
        ]
    found = plan.tables(
        len(entries),
        tournament.players,
        max(plan.MAX_MATCHES, plan.fewest_matches(len(entries), tournament.players, _seed(tournament))),
        _seed(tournament),
        pairs=ruleset_of(tournament).teams == "pairs",
    )
    tables = (tuple(entries[index] for index in table) for table in found)
    return [Table(table, number) for table, number in _number_repeats(tables, 1)]


def _number_repeats(tables: Iterable[tuple[Entry, ...]], first: int) -> Iterable[tuple[tuple[Entry, ...], int]]:
    """A round for each table such that no table comes twice in one: where it comes again, the next."""
    seen: Counter[frozenset[int]] = Counter()
    for table in tables:
        key = frozenset(entry.pk for entry in table)
        yield table, first + seen[key]
        seen[key] += 1


def _write(tournament: Tournament, tables: Sequence[Table]) -> int:
    secret = fairness.ensure_secret(tournament)
    number = Match.objects.filter(tournament=tournament).aggregate(last=Max("number"))["last"] or 0
    matches = Match.objects.bulk_create(
        [
            Match(
                tournament=tournament,
                number=number + offset,
                round=table.round,
                table_key=table.key,
                secret=secret,
                priority=table.priority,
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
