"""Two bots against each other, over all tournaments: score by ruleset, and their matches."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from django.db.models import QuerySet

from arena.durak import Ending, Outcome
from arena.rating import pair_points
from bots.models import Bot
from tournaments import listings
from tournaments.models import Game, Match, Seat, Tournament
from tournaments.values import ruleset_of

MOST_MATCHES = 500
"""The newest so many matches count: more would only narrow an interval that is narrow already."""
Z95 = 1.959964


@dataclass(frozen=True)
class Score:
    """What one bot got against another under one ruleset."""

    ruleset_name: str
    players: int
    deals: int
    games: int
    matches: int
    score: float
    """The mean over the deals, from 0 to 1."""
    low: float
    high: float
    """Where the true mean lies with 95 % certainty."""
    won: int
    """Deals in which the first of the two got more than the other over all rotations; `even`, `lost` likewise."""
    even: int
    lost: int

    @property
    def told_apart(self) -> bool:
        """Whether the interval leaves out the even score."""
        return not self.low <= 0.5 <= self.high


@dataclass(frozen=True)
class Comparison:
    """Two bots against each other."""

    scores: Sequence[Score]
    """By ruleset and seats, the most played first."""
    more: bool
    """Whether there are older matches than those that were counted."""
    matches: QuerySet[Match]
    """All matches in which both sat at the table and that have begun, the newest first."""


def compare(bot: Bot, other: Bot) -> Comparison:
    """Compare two bots, from the view of the first. Three queries, and those of the list of matches."""
    found = listings.matches(bot=bot.slug, against=other.slug)
    finished = Match.objects.filter(state=Match.State.FINISHED).exclude(tournament__state=Tournament.State.DRAFT)
    for one in (bot, other):
        finished = finished.filter(pk__in=Seat.objects.filter(entry__bot=one).values("match"))
    keys = list(finished.order_by("-id").values_list("pk", flat=True)[: MOST_MATCHES + 1])
    counted = keys[:MOST_MATCHES]
    scores = _scores(counted, bot.pk, other.pk) if counted else []
    return Comparison(scores, len(keys) > MOST_MATCHES, found)


def _scores(matches: Sequence[int], bot: int, other: int) -> list[Score]:
    sits: dict[int, dict[int, int]] = defaultdict(dict)
    seats = Seat.objects.filter(match__in=matches, entry__bot__in=[bot, other])
    for match, index, who in seats.values_list("match_id", "index", "entry__bot_id"):
        sits[match][who] = index
    tournaments = {found.pk: found for found in Tournament.objects.filter(matches__in=matches).distinct()}
    rules = {key: ruleset_of(found) for key, found in tournaments.items()}
    points: dict[tuple[str, int], dict[tuple[int, int], list[float]]] = defaultdict(lambda: defaultdict(list))
    games = Game.objects.filter(match__in=matches)
    fields = ("match_id", "match__tournament_id", "deal", "seating", "places", "ending")
    for match, key, deal, seating, places, ending in games.values_list(*fields):
        if len(sits[match]) < 2:
            continue  # two versions of one bot at a table, and the other one not
        first, second = seating.index(sits[match][bot]), seating.index(sits[match][other])
        got = pair_points(Outcome(Ending(ending), tuple(places), None), rules[key]).get((first, second))
        if got is not None:  # partners get none from each other
            points[tournaments[key].ruleset_name, len(seating)][match, deal].append(got / 2)
    found = [_score(name, players, deals) for (name, players), deals in points.items()]
    return sorted(found, key=lambda score: (-score.deals, score.ruleset_name, score.players))


def _score(name: str, players: int, deals: dict[tuple[int, int], list[float]]) -> Score:
    means = [sum(games) / len(games) for games in deals.values()]
    score = sum(means) / len(means)
    low, high = interval(score, len(means))
    return Score(
        ruleset_name=name,
        players=players,
        deals=len(means),
        games=sum(len(games) for games in deals.values()),
        matches=len({match for match, _ in deals}),
        score=score,
        low=low,
        high=high,
        won=sum(mean > 0.5 for mean in means),
        even=sum(mean == 0.5 for mean in means),
        lost=sum(mean < 0.5 for mean in means),
    )


def interval(score: float, deals: int) -> tuple[float, float]:
    """Where the true mean score lies with 95 % certainty, by Wilson's formula with the deal as the observation.

    A deal's score can also be a half, and then varies less than the formula takes it to: the interval is rather too
    wide than too narrow, and it never shrinks to a point when all deals went alike.
    """
    z = Z95 * Z95 / deals
    middle = (score + z / 2) / (1 + z)
    half = Z95 * sqrt(score * (1 - score) / deals + z / (4 * deals)) / (1 + z)
    return max(0.0, middle - half), min(1.0, middle + half)
