"""What must hold of every tournament, whatever happened to workers, broker and database. Safe on a live site.

Each check yields one sentence for whatever does not fit. A match that ends while a check runs confuses none of them:
ratings are looked at under the tournament's lock, and the rest looks for what it knew of before.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import groupby

from django.db import transaction
from django.db.models import F, QuerySet, Sum

from arena.deal import commitment, derive_deck
from arena.durak import Ending, GameRecord, Outcome, RecordError, verify
from arena.rating import START, opponents, pair_points
from tournaments import ratings
from tournaments.locks import lock
from tournaments.models import DealSecret, Entry, Game, Match, Seat, Tournament
from tournaments.records import DROPPED
from tournaments.values import ruleset_of

_CHUNK = 2000


def check_tournament(tournament: Tournament, *, records: bool = True) -> Iterator[str]:
    """Every finding about a tournament.

    Args:
        records: replay every game too, about a thousand a second.
    """
    tournament = Tournament.objects.get(pk=tournament.pk)
    yield from check_secrets(tournament)
    yield from check_matches(tournament)
    yield from check_points(tournament)
    yield from check_ratings(tournament)
    if records:
        yield from check_records(tournament)


def check_secrets(tournament: Tournament) -> Iterator[str]:
    """Commitments are those of their secrets, and no secret is public while a match of it may still be played."""
    for secret in DealSecret.objects.filter(tournament=tournament):
        if commitment(bytes(secret.secret)) != secret.commitment:
            yield f"Secret {secret.pk} is not the one that was committed to."
        open_states = [Match.State.QUEUED, Match.State.RUNNING]
        if secret.revealed_at is not None and secret.matches.filter(state__in=open_states).exists():
            yield f"Secret {secret.pk} is public, and a match that uses it has not been played."


def check_matches(tournament: Tournament) -> Iterator[str]:
    """Every finished match has all its games and seats with results; no other match has any."""
    expected = {(deal, rotation) for deal in range(tournament.deals) for rotation in range(tournament.players)}
    finished = Match.objects.filter(tournament=tournament, state=Match.State.FINISHED)
    without_games = set(finished.values_list("pk", flat=True))
    games = Game.objects.filter(match__in=finished).order_by("match_id")
    rows = games.values_list("match_id", "deal", "rotation")
    for match_id, group in groupby(rows.iterator(chunk_size=_CHUNK), key=lambda row: row[0]):
        if {(deal, rotation) for _, deal, rotation in group} != expected:
            yield f"Match {match_id} does not have each deal in each rotation."
        without_games.discard(match_id)
    for match_id in sorted(without_games):
        yield f"Match {match_id} is finished and has no games."
    strays = Game.objects.filter(match__tournament=tournament).exclude(match__state=Match.State.FINISHED)
    for match_id in strays.order_by().values_list("match_id", flat=True).distinct():
        yield f"Match {match_id} has games and is not finished."
    if tournament.state == Tournament.State.FINISHED:
        waiting = Match.objects.filter(tournament=tournament, state__in=[Match.State.QUEUED, Match.State.RUNNING])
        if waiting.exists():
            yield f"The tournament is finished, and {waiting.count()} of its matches are not."


def check_points(tournament: Tournament) -> Iterator[str]:
    """The points of each seat are those of its games, and what two opponents got adds up."""
    ruleset = ruleset_of(tournament)
    total = tournament.games_a_match * tournament.players * opponents(ruleset, tournament.players)
    rows = Game.objects.filter(match__tournament=tournament).order_by("match_id")
    fields = ("match_id", "seating", "ending", "places", "failures")
    points: dict[int, Counter[int]] = {}
    failed: dict[int, Counter[int]] = {}
    for match_id, group in groupby(rows.values_list(*fields).iterator(chunk_size=_CHUNK), key=lambda row: row[0]):
        points[match_id], failed[match_id] = Counter(), Counter()
        for _, seating, ending, places, failures in group:
            outcome = Outcome(Ending(ending), tuple(places), None)
            for (place, _other), share in pair_points(outcome, ruleset).items():
                points[match_id][seating[place]] += share
            for failure in failures:
                failed[match_id][seating[failure["seat"]]] += 1
        if points[match_id].total() != total:
            yield f"The games of match {match_id} share {points[match_id].total()} points, not {total}."
    seats = Seat.objects.filter(match__tournament=tournament, match__state=Match.State.FINISHED)
    for seat in seats.iterator(chunk_size=_CHUNK):
        if seat.match_id not in points:
            continue
        expected, lost = points[seat.match_id], failed[seat.match_id]
        if seat.points != expected[seat.index] or seat.points != sum(filter(None, seat.against)):
            points_of_games = expected[seat.index]
            yield f"Seat {seat.index} of match {seat.match_id} has {seat.points} points, its games {points_of_games}."
        if seat.won + seat.drawn + seat.lost != tournament.games_a_match:
            yield f"Seat {seat.index} of match {seat.match_id} has results for another number of games."
        if sum(seat.failures.values()) != lost[seat.index]:
            yield f"Seat {seat.index} of match {seat.match_id} counts other failures than its games."


@transaction.atomic
def check_ratings(tournament: Tournament) -> list[str]:
    """No match is rated twice or not at all, the sum of Elo is what it began with, and all of it can be reproduced."""
    locked = lock(tournament.pk)
    found = ratings.recompute_ratings(locked, store=False)
    entries = Entry.objects.filter(tournament=locked)
    total = entries.aggregate(total=Sum("elo"))["total"] or 0.0
    if total != START * entries.count():
        found.append(f"The sum of Elo is {total}, not {START * entries.count()}.")
    stray = Match.objects.filter(tournament=locked).exclude(state=Match.State.FINISHED).filter(points__isnull=False)
    found += [f"Match {pk} is rated and not finished." for pk in stray.values_list("pk", flat=True).distinct()]
    return found


def check_records(tournament: Tournament, games: QuerySet[Game] | None = None) -> Iterator[str]:
    """Every record replays to its stored result, from the deck that the secret gives; no two deals share a deck.

    Args:
        games: some of the tournament's, to look at no others.
    """
    found = Game.objects.filter(match__tournament=tournament) if games is None else games
    games = found.exclude(record=DROPPED).annotate(match_number=F("match__number"), secret=F("match__secret__secret"))
    decks: dict[str, tuple[int, int]] = {}
    seen: dict[tuple[int, int], str] = defaultdict(str)
    for game in games.order_by("match_id", "deal").iterator(chunk_size=_CHUNK):
        try:
            record = GameRecord.from_compact(bytes(game.record))
            outcome = verify(record)
        except RecordError as error:
            yield f"Game {game.pk}: {error}"
            continue
        if (str(outcome.ending), list(outcome.places)) != (game.ending, game.places):
            yield f"Game {game.pk} has another result than its record."
        deck = "".join(str(card) for card in record.deck)
        key = (game.match_id, game.deal)
        if not seen[key]:
            seen[key] = deck
            if "".join(derive_deck(bytes(game.secret), game.match_number, game.deal, len(record.deck))) != deck:
                yield f"Game {game.pk} was not played with the deck that the secret gives."
            if deck in decks:
                yield f"Match {key[0]}, deal {key[1]} has the deck of match {decks[deck][0]}, deal {decks[deck][1]}."
            decks[deck] = key
        elif seen[key] != deck:
            yield f"Game {game.pk} was not played with the deck of its deal."
