"""Does a tournament hold? Every deck, move, result and number of it computed again, match after match.

`Audit` is a fold over the finished matches in the order in which they were rated. It holds a few sums an entry and
nothing of the matches behind it, so it can be written down between two matches (`to_json`) and go on later, elsewhere.
The site's button and ``python -m arena verify`` (through `arena.proof`) are this same code.

What is checked of a match: the commitment is that of the secret; each deal is there once in each rotation; each deck is
the one that the secret gives; each game was played by the tournament's rules and limits, by the versions that sat
there, move by move to the result that the rules give. And of the tournament: the sums and Elo of every entry, and
(where the games are kept for it) the likelihood table. That a bot failed cannot be computed; that such a game counts as
it should can.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from typing import Any, Final

from arena import likelihood, rating
from arena.deal import DealError, commitment, derive_deck
from arena.durak import Ending, GameRecord, Outcome, RecordError, Ruleset, verify
from arena.rating import opponents, seat_points

RATING_TOLERANCE: Final = 0.01
"""Points by which a rating may differ from the published one: the fit ends when it no longer moves, not at one bit."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that does not hold: where, as far as it has a place, and one sentence."""

    sentence: str
    match: int | None = None
    deal: int | None = None
    rotation: int | None = None

    def __str__(self) -> str:
        if self.match is None:
            return self.sentence
        place = f"Match {self.match}"
        if self.deal is not None:
            place += f", deal {self.deal}, rotation {self.rotation}"
        return f"{place}: {self.sentence}"

    def to_json(self) -> dict[str, Any]:
        """By name."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Terms:
    """What a tournament fixed before its first match."""

    ruleset: Ruleset
    players: int
    deals: int
    limits: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class AuditedGame:
    """A game as it was published. ``record`` is None where it cannot be read, and ``error`` says why.

    ``dropped`` says that it is not kept any more, which whoever runs a site may decide of old games. Then the result is
    counted as it stands, and no move can be checked.
    """

    deal: int
    rotation: int
    record: GameRecord | None
    failures: Sequence[Mapping[str, Any]] = ()
    """Seat and reason of every seat that failed."""
    error: str = ""
    result: tuple[str, Sequence[int]] | None = None
    """Ending and places where they are published beside the record too."""
    dropped: bool = False


@dataclass(frozen=True, slots=True)
class AuditedMatch:
    """A finished match as it was published."""

    number: int
    order: int
    """Its place in the order in which matches were rated, from 1."""
    entries: tuple[int, ...]
    """The entries at the table, by seat in rotation 0."""
    versions: tuple[int, ...]
    """The versions of their bots that played."""
    commitment: str
    secret: bytes | None
    """None while it is not public; then decks are not checked."""
    games: Sequence[AuditedGame]


@dataclass(slots=True)
class Sums:
    """What the matches so far give an entry."""

    elo: float = rating.START
    matches: int = 0
    games: int = 0
    points: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    failures: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Claimed:
    """An entry's line of the published table."""

    entry: int
    name: str
    elo: float
    matches: int
    games: int
    won: int
    drawn: int
    lost: int
    score: float | None
    failures: Mapping[str, int]
    rating: float | None
    low: float | None
    high: float | None
    place: int | None


class Audit:
    """Add the finished matches in the order of rating, then compare the table."""

    def __init__(self, terms: Terms, games: likelihood.Games[int] | None = None) -> None:
        """``games`` collects what the likelihood table is made from; it is not part of `to_json`."""
        self.terms = terms
        self.sums: dict[int, Sums] = {}
        self.matches = 0
        self.games = 0
        self.sealed = 0
        """Matches whose secret is not public yet, so that their decks could not be checked."""
        self.dropped = 0
        """Games whose moves are not kept any more, so that only their results were counted."""
        self.last_order = 0
        """The place of the last match in the order of rating; 0 before the first."""
        self._for_table = games

    def add(self, match: AuditedMatch) -> list[Finding]:
        """Check the next match and count it. Returns everything that does not hold of it."""
        found = [Finding(sentence, match.number) for sentence in self._check_match(match)]
        self.matches += 1
        self.sealed += match.secret is None
        counted: list[tuple[Sequence[int], Outcome]] = []
        places = range(self.terms.players)
        seated = len(set(match.entries)) == len(match.entries) == self.terms.players
        for game in match.games:
            self.games += 1
            sentences = list(self._check_game(match, game))
            found += [Finding(sentence, match.number, game.deal, game.rotation) for sentence in sentences]
            self.dropped += game.dropped
            outcome = _outcome_of(game)
            if outcome is None or len(outcome.places) != self.terms.players or not seated:
                continue
            seating = [(seat - game.rotation) % len(places) for seat in places]
            counted.append((seating, outcome))
            self._count(match, game, seating, outcome)
        if counted:
            self._rate(match, counted)
        return found

    def _check_match(self, match: AuditedMatch) -> Iterable[str]:
        terms = self.terms
        if match.order != self.last_order + 1:
            yield f"It is number {match.order} in the order of rating, and {self.last_order + 1} should come next."
        self.last_order = match.order
        if len(set(match.entries)) != terms.players:
            yield f"{len(set(match.entries))} entries sat at the table, not {terms.players}."
        expected = {(deal, rotation) for deal in range(terms.deals) for rotation in range(terms.players)}
        if Counter((game.deal, game.rotation) for game in match.games) != Counter(expected):
            yield f"It does not have each of {terms.deals} deals once in each of {terms.players} rotations."
        try:
            if match.secret is not None and commitment(match.secret) != match.commitment.lower():
                yield "Its secret is not the one that was committed to: the SHA-256 differs from the commitment."
        except DealError as error:
            yield str(error)

    def _check_game(self, match: AuditedMatch, game: AuditedGame) -> Iterable[str]:
        record, terms = game.record, self.terms
        if game.dropped and _outcome_of(game) is not None:
            return
        if record is None:
            yield game.error or "The record cannot be read."
            return
        if record.ruleset != terms.ruleset or record.players != terms.players:
            yield "It was not played by the tournament's rules."
        # A record may name more limits than there were when the tournament was made.
        if any(record.limits.get(name) != value for name, value in terms.limits.items()):
            yield "It was not played under the tournament's limits."
        count = len(match.versions)
        sat = [match.versions[(seat - game.rotation) % count] for seat in range(count)]
        if [seat["version"] for seat in record.seats] != sat:
            yield "Other versions sat there than the match and the rotation say."
        try:
            verify(record)
        except RecordError as error:
            yield str(error)
        if game.result is not None and (str(record.result.ending), list(record.result.places)) != (
            game.result[0],
            list(game.result[1]),
        ):
            yield "The published result is another than the record's."
        failed = [(failure["seat"], str(failure["reason"])) for failure in game.failures]
        first = None if record.failure is None else (record.failure["seat"], str(record.failure["reason"]))
        if (first is None and failed) or (first is not None and first not in failed):
            yield "The failures beside the record are not those in it."
        if match.secret is not None:
            yield from _check_deck(match, game, record)

    def _count(self, match: AuditedMatch, game: AuditedGame, seating: Sequence[int], outcome: Outcome) -> None:
        """Add a game to the sums of its entries. A failed game is lost for who failed; else half the points decide."""
        half = opponents(self.terms.ruleset, len(seating))
        failed = {failure["seat"]: str(failure["reason"]) for failure in game.failures}
        for seat, points in enumerate(seat_points(outcome, self.terms.ruleset)):
            sums = self.sums.setdefault(match.entries[seating[seat]], Sums())
            sums.games += 1
            sums.points += points
            sums.won += seat not in failed and points > half
            sums.drawn += seat not in failed and points == half
            sums.lost += seat in failed or points < half
            if seat in failed:
                sums.failures[failed[seat]] = sums.failures.get(failed[seat], 0) + 1
        if self._for_table is not None:
            sat = [match.entries[place] for place in seating]
            self._for_table.add((match.number, game.deal), sat, outcome)

    def _rate(self, match: AuditedMatch, counted: Sequence[tuple[Sequence[int], Outcome]]) -> None:
        entries, ruleset = match.entries, self.terms.ruleset
        _, scores = rating.match_scores(counted, len(entries), ruleset)
        before = {entry: self.sums[entry].elo for entry in entries}
        sides = [entries[0::2], entries[1::2]] if ruleset.teams == "pairs" else []
        after = rating.update(before, dict(zip(entries, scores, strict=True)), sides=sides)
        for entry, elo in after.items():
            self.sums[entry].elo = elo
            self.sums[entry].matches += 1

    def check_table(self, table: Sequence[Claimed], *, complete: bool = True) -> list[Finding]:
        """Compare the published table with what the matches give. Returns what differs, by entry.

        ``complete`` says that everybody who played stands there; on a ladder, who plays no more does not.
        """
        most = 2 * opponents(self.terms.ruleset, self.terms.players)
        found = []
        for line in table:
            sums = self.sums.get(line.entry, Sums())
            score = sums.points / (most * sums.games) if sums.games else None
            failures = {reason: count for reason, count in line.failures.items() if count}
            for name, stands, should in (
                *((n, getattr(line, n), getattr(sums, n)) for n in ("matches", "games", "won", "drawn", "lost", "elo")),
                ("score", line.score, score),
                ("failures", failures, sums.failures),
            ):
                if stands != should:
                    found.append(Finding(f"The table says {name} {stands} of {line.name}; its games give {should}."))
        missing = set(self.sums) - {line.entry for line in table} if complete else set()
        found += [Finding(f"Entry {entry} has played and is not in the table.") for entry in sorted(missing)]
        return found + _check_places(table)

    def to_json(self) -> dict[str, Any]:
        """What has been counted so far, for `from_json` to go on with."""
        return {
            "matches": self.matches,
            "games": self.games,
            "sealed": self.sealed,
            "dropped": self.dropped,
            "last": self.last_order,
            "sums": {str(entry): asdict(sums) for entry, sums in self.sums.items()},
        }

    @classmethod
    def from_json(cls, terms: Terms, value: Mapping[str, Any]) -> Audit:
        """Go on where `to_json` was taken; an empty value is the beginning."""
        audit = cls(terms)
        audit.matches = value.get("matches", 0)
        audit.games = value.get("games", 0)
        audit.sealed = value.get("sealed", 0)
        audit.dropped = value.get("dropped", 0)
        audit.last_order = value.get("last", 0)
        audit.sums = {int(entry): Sums(**sums) for entry, sums in value.get("sums", {}).items()}
        return audit


def check_ratings(table: Sequence[Claimed], games: likelihood.Games[int]) -> list[Finding]:
    """Compare the published ratings and intervals with the likelihood table of all games."""
    fitted = {row.bot: row for row in likelihood.fit(games).rows} if len(games) else {}
    found = []
    for line in table:
        row = fitted.get(line.entry)
        stands = (line.rating, line.low, line.high)
        should = (None, None, None) if row is None else (row.rating, row.low, row.high)
        for name, ours, theirs in zip(("rating", "low", "high"), should, stands, strict=True):
            if (ours is None) != (theirs is None) or (
                ours is not None and theirs is not None and abs(ours - theirs) > RATING_TOLERANCE
            ):
                found.append(Finding(f"The table says {name} {theirs} of {line.name}; its games give {ours}."))
    return found


def _outcome_of(game: AuditedGame) -> Outcome | None:
    """What the game counts for: by its record, or as it stands where that is not kept; None where neither is known."""
    if game.record is not None:
        return game.record.result
    if not game.dropped or game.result is None or game.result[0] not in list(Ending):
        return None
    return Outcome(Ending(game.result[0]), tuple(game.result[1]), None)


def _check_deck(match: AuditedMatch, game: AuditedGame, record: GameRecord) -> Iterable[str]:
    deck = [card.text for card in record.deck]
    try:
        expected = derive_deck(match.secret or b"", match.number, game.deal, len(deck))
    except DealError:
        return  # The match has a finding about its secret already.
    for position, (stands, should) in enumerate(zip(deck, expected, strict=True)):
        if stands != should:
            yield f"The deck is not the one that the secret gives: card {position} is {stands}, and should be {should}."
            return


def _check_places(table: Sequence[Claimed]) -> list[Finding]:
    """Places follow the ratings: who stands above has no lower rating."""
    placed = sorted((line for line in table if line.place is not None), key=lambda line: line.place or 0)
    return [
        Finding(f"{above.name} stands above {below.name} with a lower rating.")
        for above, below in pairwise(placed)
        if (above.rating or 0.0) < (below.rating or 0.0)
    ]
