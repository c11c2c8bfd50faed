"""Ratings of entries: Elo, moved once a match in the order of rating, and the likelihood table over all games.

Elo and the sums of an entry are pure functions of the finished matches in rated order: `recompute_ratings` reproduces
every stored number exactly.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, islice

import structlog
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from arena import likelihood, rating
from arena.durak import Ending, Outcome, Ruleset
from tournaments.locks import lock
from tournaments.models import Entry, Game, Match, RatingPoint, Seat, Tournament
from tournaments.values import ruleset_of, sides_of

logger = structlog.get_logger(__name__)

SUMS = ("matches", "games", "points", "won", "drawn", "lost", "decisions", "seconds", "slowest", "failures")
"""The fields of an entry that add up those of its seats."""
_BATCH = 500
_CHUNK = 5000


def rate(ruleset: Ruleset, seats: Sequence[Seat], entries: Mapping[int, Entry], order: int) -> list[RatingPoint]:
    """Add one finished match to its entries: their sums, and their Elo. Returns the points of the history, unsaved.

    Args:
        seats: of the match, in order, with their results.
        entries: by id; changed in place, unsaved.
        order: the match's place in the order of rating.
    """
    before = {seat.entry_id: entries[seat.entry_id].elo for seat in seats}
    scores = {seat.entry_id: seat.score for seat in seats if seat.score is not None}
    sides = [[seats[index].entry_id for index in side] for side in sides_of(ruleset, len(seats))]
    after = rating.update(before, scores, sides=sides)
    for seat in seats:
        entry = entries[seat.entry_id]
        entry.elo = after[entry.pk]
        _add(entry, seat)
    return [
        RatingPoint(
            entry_id=seat.entry_id,
            match_id=seat.match_id,
            order=order,
            before=before[seat.entry_id],
            after=after[seat.entry_id],
        )
        for seat in seats
    ]


def _add(entry: Entry, seat: Seat) -> None:
    entry.matches += 1
    entry.games += seat.won + seat.drawn + seat.lost
    entry.points += seat.points
    entry.won += seat.won
    entry.drawn += seat.drawn
    entry.lost += seat.lost
    entry.decisions += seat.decisions
    entry.seconds += seat.seconds
    entry.slowest = max(entry.slowest, seat.slowest)
    entry.failures = dict(Counter(entry.failures) + Counter(seat.failures))


@transaction.atomic
def recompute_ratings(tournament: Tournament, *, store: bool = True) -> list[str]:
    """Make Elo, history and sums anew from the finished matches, and store what differs.

    Returns one sentence for each difference; none is what it should be. Takes the tournament's lock: results wait.

    Args:
        store: whether to set right what differs, or only to tell.
    """
    locked = lock(tournament.pk)
    ruleset = ruleset_of(locked)
    stored = {entry.pk: entry for entry in Entry.objects.filter(tournament=locked)}
    fresh = {
        pk: Entry(pk=pk, tournament=locked, bot_id=entry.bot_id, version_id=entry.version_id)
        for pk, entry in stored.items()
    }
    found: list[str] = []
    expected = 0
    matches = _finished_matches(locked)
    while batch := list(islice(matches, _BATCH)):
        # The history is read some hundred matches at a time: a query for each would take minutes, under the lock.
        history = _history([seats[0].match_id for _, seats in batch])
        for order, seats in batch:
            expected += 1
            if order != expected:
                found.append(f"No match has place {expected} in the order of rating; the next is {order}.")
                expected = order
            match_id = seats[0].match_id
            found += _compare_points(match_id, rate(ruleset, seats, fresh, order), history[match_id], store)
    if locked.rated != expected:
        found.append(f"The tournament counts {locked.rated} rated matches, and the last has place {expected}.")
        if store:
            Tournament.objects.filter(pk=locked.pk).update(rated=expected)
    for pk, entry in stored.items():
        wrong = [name for name in ("elo", *SUMS) if getattr(entry, name) != getattr(fresh[pk], name)]
        if wrong:
            found.append(f"Entry {pk} had a wrong {', '.join(wrong)}.")
            if store:
                Entry.objects.filter(pk=pk).update(**{name: getattr(fresh[pk], name) for name in wrong})
    return found


def _finished_matches(tournament: Tournament) -> Iterator[tuple[int, list[Seat]]]:
    """Every finished match, in the order of rating, as that and its seats."""
    seats = (
        Seat.objects.filter(match__tournament=tournament, match__state=Match.State.FINISHED)
        .annotate(rated_order=F("match__rated_order"))
        .order_by("match__rated_order", "index")
    )
    for order, group in groupby(seats.iterator(chunk_size=_CHUNK), key=lambda seat: seat.rated_order):
        yield order, list(group)


History = dict[tuple[int, int], tuple[float, float]]
"""What is stored of a match: Elo before and after, by entry and place in the order of rating."""


def _history(match_ids: Sequence[int]) -> dict[int, History]:
    found: dict[int, History] = defaultdict(dict)
    points = RatingPoint.objects.filter(match__in=match_ids).order_by()
    for match_id, entry, order, before, after in points.values_list("match_id", "entry_id", "order", "before", "after"):
        found[match_id][entry, order] = (before, after)
    return found


def _compare_points(match_id: int, points: Sequence[RatingPoint], stored: History, store: bool) -> list[str]:
    if stored == {(point.entry_id, point.order): (point.before, point.after) for point in points}:
        return []
    if store:
        RatingPoint.objects.filter(match=match_id).delete()
        RatingPoint.objects.bulk_create(points)
    return [f"Match {match_id} had a wrong history of Elo."]


def refresh_table(tournament: Tournament) -> bool:
    """Make the likelihood table over all games rated so far. False when another call has made a newer one meanwhile.

    The games are read and the table is made without the lock: results go on being recorded, and wait for the next time.
    """
    began, known = time.monotonic(), Tournament.objects.values_list("rated", flat=True).get(pk=tournament.pk)
    games = games_up_to(tournament, known)
    rows = {row.bot: row for row in likelihood.fit(games).rows} if len(games) else {}
    seconds = time.monotonic() - began
    with transaction.atomic():
        locked = lock(tournament.pk)
        if locked.fitted > known:
            return False
        locked.fitted, locked.fitted_at, locked.fit_seconds = known, timezone.now(), seconds
        locked.save(update_fields=["fitted", "fitted_at", "fit_seconds"])
        entries = list(Entry.objects.filter(tournament=locked, pk__in=rows))
        for entry in entries:
            row = rows[entry.pk]
            entry.rating, entry.rating_low, entry.rating_high = row.rating, row.low, row.high
        Entry.objects.bulk_update(entries, ["rating", "rating_low", "rating_high"], batch_size=_BATCH)
    logger.info("table_made", tournament=tournament.slug, matches=known, seconds=round(seconds, 3))
    return True


def complete_table(tournament: Tournament) -> None:
    """Make the table of a tournament that has ended once more, if it was cancelled before the sweep got round to it."""
    now = Tournament.objects.get(pk=tournament.pk)
    if now.state in {Tournament.State.FINISHED, Tournament.State.CANCELLED} and now.rated > now.fitted:
        refresh_table(now)


def games_up_to(tournament: Tournament, known: int) -> likelihood.Games[int]:
    """The games of the first `known` matches in the order of rating, for `arena.likelihood`."""
    rated = Match.objects.filter(tournament=tournament, rated_order__lte=known)
    entries: dict[int, dict[int, int]] = defaultdict(dict)
    seats = Seat.objects.filter(match__in=rated).values_list("match_id", "index", "entry_id")
    for match_id, index, entry_id in seats.iterator(chunk_size=_CHUNK):
        entries[match_id][index] = entry_id
    games: likelihood.Games[int] = likelihood.Games(ruleset_of(tournament), tournament.players)
    fields = ("match_id", "deal", "seating", "ending", "places")
    for match_id, deal, seating, ending, places in (
        Game.objects.filter(match__in=rated).values_list(*fields).iterator(chunk_size=_CHUNK)
    ):
        sat = [entries[match_id][index] for index in seating]
        games.add((match_id, deal), sat, Outcome(Ending(ending), tuple(places), None))
    return games
