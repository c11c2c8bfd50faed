"""What must hold when the tournament is over: each finding is one sentence, and none is what there should be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings

from arena import rating
from sandbox import SandboxError, open_backend
from tests.chaos.field import Field
from tests.chaos.servers import Engine
from tournaments.integrity import check_tournament
from tournaments.models import Entry, Game, Match, RatingPoint, Seat, Tournament


def of_matches(field: Field) -> Iterator[str]:
    """Every match was finished once, but for the poison, which was parked after all its attempts."""
    for match in Match.objects.filter(tournament=field.tournament):
        games, points = Game.objects.filter(match=match).count(), RatingPoint.objects.filter(match=match).count()
        if match.pk in field.poison:
            if match.state != "parked" or match.attempt != settings.MAX_ATTEMPTS or games or points or not match.error:
                yield f"The poisoned match {match.number} is {match.state} after {match.attempt} attempts."
        elif (match.state, games, points) != ("finished", match.tournament.games_a_match, 2):
            yield f"Match {match.number} is {match.state} with {games} games and {points} points: {match.error}"


def of_ratings(field: Field) -> Iterator[str]:
    """Each number equals, to the last digit, what comes out when the results are taken one after the other."""
    elo = dict.fromkeys(Entry.objects.filter(tournament=field.tournament).values_list("pk", flat=True), rating.START)
    finished = Match.objects.filter(tournament=field.tournament, state="finished").order_by("rated_order")
    orders = list(finished.values_list("rated_order", flat=True))
    if orders != list(range(1, len(orders) + 1)):
        yield "The places in the order of rating have gaps, or one was given twice."
    for match in finished:
        scores = {seat.entry_id: seat.score for seat in Seat.objects.filter(match=match).order_by("index")}
        before = {entry: elo[entry] for entry in scores}
        elo |= rating.update(before, scores)
        points = RatingPoint.objects.filter(match=match).values_list("entry_id", "before", "after")
        if {point[0]: point[1:] for point in points} != {entry: (before[entry], elo[entry]) for entry in scores}:
            yield f"The rating points of match {match.number} are others than a serial recomputation gives."
    for pk, stored in Entry.objects.filter(tournament=field.tournament).values_list("pk", "elo"):
        if stored != elo[pk]:
            yield f"Entry {pk} has Elo {stored!r}, and a serial recomputation gives {elo[pk]!r}."


def of_integrity() -> Iterator[str]:
    """What `check_integrity` finds, in every tournament of the site."""
    for tournament in Tournament.objects.all():
        for finding in check_tournament(tournament):
            yield f"check_integrity: {tournament}: {finding}"


def of_leftovers(engine: Engine, boxes: Path) -> Iterator[str]:
    """No container and no box folder is left when all workers have ended. If one is, what a reaper says of it."""
    containers, folders = engine.containers(), sorted(boxes.iterdir())
    yield from (f"A container is left: {line}" for line in containers)
    yield from (f"A box folder is left: {path.name}" for path in folders)
    if containers or folders:
        backend = open_backend("docker", boxes=boxes)
        try:
            yield f"A reaper, asked again, removes {', '.join(backend.reap()) or 'nothing'}."
        except SandboxError as error:
            yield f"A reaper, asked again, fails: {error}"
        finally:
            backend.close()


def attempts(field: Field) -> dict[int, int]:
    """How many matches took how many attempts."""
    rows = Match.objects.filter(tournament=field.tournament).values_list("attempt", flat=True)
    return dict(sorted(Counter(rows).items()))
