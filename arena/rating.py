"""What a game counts for, and Elo ratings from it.

Every game gives each pair of opponents 2 points to share: 2 and 0, or 1 and 1. All sums of points are whole numbers,
so scores of a match are the same whichever way they are added up. Elo is the rating that is shown as history, moved
once a match; the order of the table comes from ``arena.likelihood``.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, TypeVar

from arena.durak import Ending, Outcome, Ruleset

START: Final = 1500.0
"""Elo of an entry before its first match."""
K: Final = 32.0
"""How far one match moves a rating at most: by K times (score minus expected score), both between 0 and 1."""
SCALE: Final = 400.0
"""Difference of ratings at which the stronger is expected to score ten times what the weaker scores."""
GRID: Final = 2.0**-20
"""Ratings are whole multiples of this (about a millionth of a point). See `update`."""

Id = TypeVar("Id", int, str)
"""What names an entry: numbers or texts, not both in one call."""


def pair_points(outcome: Outcome, ruleset: Ruleset) -> dict[tuple[int, int], int]:
    """Return, for each ordered pair of opposing seats, what the first gets of the 2 points they share: 2, 1 or 0.

    - `last_is_fool`: who ends in the last place loses to everybody else; all other pairs share. So the fool loses to
      all, and so do those who were left with cards when a game ended in a stalemate or at the bout limit, against
      those who had gone out. When the last players go out together nobody is the fool, and all pairs share.
    - `first_out_wins`: the winner beats everybody; all other pairs share.
    - pairs: each of the better side beats each of the other side. Partners are no pair of opponents.
    - A forfeit: who failed (the last place) loses to every opponent who did not fail; all other pairs share. This
      holds in pairs too: the partner of who failed shares with both opponents.
    """
    places = outcome.places
    seats = range(len(places))
    if ruleset.teams == "none" and ruleset.result == "last_is_fool":
        worst = max(places)
        nobody = outcome.ending is Ending.DRAW or min(places) == worst
        places = tuple(2 if place == worst and not nobody else 1 for place in places)
    return {
        (a, b): 1 + (places[a] < places[b]) - (places[a] > places[b])
        for a in seats
        for b in seats
        if a != b and not (ruleset.teams == "pairs" and (a - b) % 2 == 0)
    }


def pair_scores(outcome: Outcome, ruleset: Ruleset) -> dict[tuple[int, int], float]:
    """Return, for each ordered pair of opposing seats, the score of the first against the second: 1, 0.5 or 0."""
    return {pair: points / 2 for pair, points in pair_points(outcome, ruleset).items()}


def seat_points(outcome: Outcome, ruleset: Ruleset) -> tuple[int, ...]:
    """Return each seat's points of one game: the sum of its `pair_points`, at most 2 for each opponent."""
    total = [0] * len(outcome.places)
    for (seat, _), points in pair_points(outcome, ruleset).items():
        total[seat] += points
    return tuple(total)


def opponents(ruleset: Ruleset, players: int) -> int:
    """Return how many opponents a seat has at a table of ``players``."""
    return players // 2 if ruleset.teams == "pairs" else players - 1


def seat_scores(outcome: Outcome, ruleset: Ruleset) -> tuple[float, ...]:
    """Return each seat's score of one game, from 0 to 1: its mean score against its opponents.

    The scores of a game add up to half the number of seats.
    """
    most = 2 * opponents(ruleset, len(outcome.places))
    return tuple(points / most for points in seat_points(outcome, ruleset))


def match_scores(
    games: Iterable[tuple[Sequence[int], Outcome]], entrants: int, ruleset: Ruleset
) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """Return the points and the mean score of each entrant of a match.

    ``games`` gives the seating (the entrant, 0 to ``entrants - 1``, at each seat) and the outcome of every game. The
    mean scores are from 0 to 1 and add up to half the number of entrants. Raises ValueError for a match without games.
    """
    points = [0] * entrants
    played = 0
    for seating, outcome in games:
        played += 1
        for entrant, got in zip(seating, seat_points(outcome, ruleset), strict=True):
            points[entrant] += got
    if not played:
        raise ValueError("A match without games has no score; play at least one deal.")
    most = 2 * opponents(ruleset, entrants) * played
    return tuple(points), tuple(got / most for got in points)


def expected_score(rating: float, other: float) -> float:
    """Return the score, 0 to 1, that Elo expects at ``rating`` against ``other``: 1 / (1 + 10^((other-rating)/400)).

    Source: A. Elo, The Rating of Chessplayers, Past and Present, 1978 (with the logistic curve in use since).
    """
    return 1.0 / (1.0 + math.pow(10.0, (other - rating) / SCALE))


def update(
    ratings: Mapping[Id, float],
    scores: Mapping[Id, float],
    *,
    sides: Sequence[Collection[Id]] = (),
    k: float = K,
) -> dict[Id, float]:
    """Return the ratings of a table's entries after one match, from their mean scores (0 to 1) in it.

    Each entry moves by ``k`` times its score minus its expected score. Expected is the mean over its opponents: every
    pair at a table of n counts with weight 1/(n-1). For pairs give the two ``sides``; then the expected score is that
    of the mean rating of one side against the other's, and partners move alike.

    The sum of the ratings never changes, to the last bit: changes are rounded to multiples of ``GRID`` so that they
    add up to nothing (by largest remainders, equal remainders in the order of the ids), and sums of such multiples are
    exact in a float as long as they stay below 2^33, which is 5 million entries. The result depends on ids, ratings
    and scores only, not on the order in which they come.

    Raises ValueError if the two do not name the same entries, fewer than two play, or scores are not what such a match
    can give.
    """
    ids = sorted(ratings)
    if ids != sorted(scores):
        raise ValueError("Ratings and scores must name the same entries.")
    if len(ids) < 2:
        raise ValueError("A match has at least two entries.")
    if not all(0 <= score <= 1 for score in scores.values()):
        raise ValueError("A score is a mean from 0 to 1; divide points by the most that could be had.")
    if abs(math.fsum(scores.values()) - len(ids) / 2) > 1e-9:
        raise ValueError(f"Scores of a table of {len(ids)} must add up to {len(ids) / 2:g}.")
    expected = _expected_of_sides(ratings, sides) if sides else _expected_of_all(ratings)
    moves = _even_out({i: k * (scores[i] - expected[i]) / GRID for i in ids})
    return {i: ratings[i] + GRID * moves[i] for i in ratings}


def _expected_of_all(ratings: Mapping[Id, float]) -> dict[Id, float]:
    return {
        i: math.fsum(expected_score(ratings[i], ratings[j]) for j in ratings if j != i) / (len(ratings) - 1)
        for i in ratings
    }


def _expected_of_sides(ratings: Mapping[Id, float], sides: Sequence[Collection[Id]]) -> dict[Id, float]:
    if len(sides) != 2 or len(sides[0]) != len(sides[1]) or sorted([*sides[0], *sides[1]]) != sorted(ratings):
        raise ValueError("Two sides of equal size must name every entry of the table once.")
    ours, theirs = (math.fsum(ratings[i] for i in side) / len(side) for side in sides)
    chances = (expected_score(ours, theirs), expected_score(theirs, ours))
    return {i: chance for side, chance in zip(sides, chances, strict=True) for i in side}


def _even_out(parts: Mapping[Id, float]) -> dict[Id, int]:
    """Round numbers whose sum is zero, but for the errors of floats, to whole numbers whose sum is zero."""
    whole = {i: math.floor(part) for i, part in parts.items()}
    missing = -sum(whole.values())
    by_remainder = sorted(parts, key=lambda i: (whole[i] - parts[i], i))
    for i in by_remainder[:missing]:
        whole[i] += 1
    return whole
