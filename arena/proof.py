"""The file with which anybody checks a whole tournament, ``durak-proof/1``: JSON, a line for each match.

The first line says what the tournament fixed (rules, seats, deals, limits), its commitments and published secrets, and
its table. Each further line is a finished match, in the order in which matches were rated: its number, who sat there,
and all its games with their records. ``docs/fair-deals.md`` describes every field. The site writes it; `verify_proof`
reads it a line at a time, so its length does not matter, and computes everything in it again (see `arena.audit`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NoReturn

from arena.audit import Audit, AuditedGame, AuditedMatch, Claimed, Finding, Terms, check_ratings
from arena.deal import DealError, parse_secret
from arena.durak import GameRecord, RecordError, Ruleset, RulesetError
from arena.likelihood import Games

FORMAT: Final = "durak-proof/1"
OVER: Final = frozenset({"finished", "cancelled"})
"""States in which the table no longer moves, so that it can be compared."""
MOST_FINDINGS: Final = 1000
"""More than these say no more: the rest is counted."""


class ProofError(ValueError):
    """The file is not what it should be, so that nothing can be checked; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class Report:
    """What came of checking a tournament."""

    name: str
    state: str
    matches: int
    games: int
    sealed: int
    """Matches whose secret is not public yet: their decks could not be checked."""
    dropped: int
    """Games whose moves are not kept any more: their results were counted as they stand."""
    table: bool
    """Whether the table was compared; that of a running tournament moves while its file is written."""
    findings: tuple[Finding, ...]
    """What does not hold, `MOST_FINDINGS` at most."""
    found: int
    """How many there are in all."""

    @property
    def ok(self) -> bool:
        """Whether everything holds that could be checked."""
        return not self.found

    def to_json(self) -> dict[str, Any]:
        """By name."""
        return {
            "ok": self.ok,
            "name": self.name,
            "state": self.state,
            "matches": self.matches,
            "games": self.games,
            "decks_not_checked": self.sealed,
            "moves_not_kept": self.dropped,
            "table": "verified" if self.table else "not checked",
            "found": self.found,
            "findings": [finding.to_json() for finding in self.findings],
        }


@dataclass(frozen=True, slots=True)
class _Head:
    name: str
    state: str
    ladder: bool
    finished: int
    terms: Terms
    secrets: Mapping[str, bytes | None]
    table: Sequence[Claimed]


def verify_proof(lines: Iterable[bytes], on_progress: Callable[[int, int], None] | None = None) -> Report:
    """Check a whole tournament from the lines of its file. ``on_progress`` is told the matches read and to be read.

    Raises ProofError if the file cannot be read as such: the sentence names the line.
    """
    source = iter(lines)
    first = next(source, b"")
    if not first.strip():
        raise ProofError("The file is empty. Download it again from the tournament's page.")
    head = _read_head(_object(first, 1))
    games: Games[int] = Games(head.terms.ruleset, head.terms.players)
    audit = Audit(head.terms, games)
    findings: list[Finding] = []
    numbers: set[tuple[str, int]] = set()
    for position, line in enumerate(source, 2):
        if not line.strip():
            continue
        match = _read_match(_object(line, position), position, head)
        # The same commitment may be written in small letters and in capitals.
        known = (match.commitment.lower(), match.number)
        if known in numbers:
            findings.append(Finding("It is there twice, so its decks were played twice.", match.number))
        numbers.add(known)
        findings += audit.add(match)
        if on_progress is not None:
            on_progress(audit.matches, head.finished)
    over = head.state in OVER
    if audit.matches != head.finished:
        findings.append(
            Finding(
                f"The file has {audit.matches} matches, and its first line says {head.finished}: it is cut short, or "
                "lines were left out or added. Download it again."
            )
        )
    elif over:
        findings += audit.check_table(head.table, complete=not head.ladder)
        findings += check_ratings(head.table, games)
    return Report(
        name=head.name,
        state=head.state,
        matches=audit.matches,
        games=audit.games,
        sealed=audit.sealed,
        dropped=audit.dropped,
        table=over and audit.matches == head.finished,
        findings=tuple(findings[:MOST_FINDINGS]),
        found=len(findings),
    )


def is_proof(first_line: bytes) -> bool:
    """Whether a file with this first line means to be the proof of a tournament."""
    try:
        value = json.loads(first_line)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and str(value.get("format", "")).startswith("durak-proof/")


def _refuse(line: int, what: str) -> NoReturn:
    raise ProofError(f"Line {line}: {what}")


def _object(text: bytes, line: int) -> Mapping[str, Any]:
    try:
        value = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        # A cut download ends in the middle of a line.
        raise ProofError(f"Line {line} is not JSON; the file is damaged or cut short. Download it again.") from error
    if not isinstance(value, dict):
        _refuse(line, "it is not a JSON object, as every line of such a file is.")
    return value


def _no_constant(name: str) -> NoReturn:
    # JSON has no NaN; Python reads it, and then it would be near enough to every number that it is compared with.
    raise ValueError(name)


def _get(value: Any, name: str, kind: type | tuple[type, ...], line: int) -> Any:
    found = value.get(name) if isinstance(value, Mapping) else None
    if not isinstance(found, kind) or (isinstance(found, bool) and kind is not bool):
        _refuse(line, f"the field {name!r} is missing or is not what it should be.")
    return found


def _read_head(head: Mapping[str, Any]) -> _Head:
    if head.get("format") != FORMAT:
        _refuse(1, f"this is not a {FORMAT} but {head.get('format', 'something else')!r}; read it with what wrote it.")
    players, deals = (_get(head, name, int, 1) for name in ("players", "deals"))
    try:
        ruleset = Ruleset.from_json(_get(head, "ruleset", dict, 1))
        ruleset.check_players(players)
    except RulesetError as error:
        _refuse(1, f"the rules: {error}")
    if not 1 <= deals <= 100_000:
        _refuse(1, "the field 'deals' is missing or is not what it should be.")
    secrets: dict[str, bytes | None] = {}
    for item in _get(head, "secrets", list, 1):
        hidden = _get(item, "secret", (str, type(None)), 1)
        try:
            secrets[_get(item, "commitment", str, 1)] = None if hidden is None else parse_secret(hidden)
        except DealError as error:
            _refuse(1, str(error))
    return _Head(
        name=_get(head, "name", str, 1),
        state=_get(head, "state", str, 1),
        ladder=head.get("kind") == "ladder",
        finished=_get(_get(head, "matches", dict, 1), "finished", int, 1),
        terms=Terms(ruleset, players, deals, _get(head, "limits", dict, 1)),
        secrets=secrets,
        table=[_read_line(row) for row in _get(head, "table", list, 1)],
    )


def _read_line(row: Any) -> Claimed:
    number, maybe = (int, float), (int, float, type(None))
    return Claimed(
        entry=_get(row, "entry", int, 1),
        name=_get(row, "bot", str, 1),
        elo=_get(row, "elo", number, 1),
        **{name: _get(row, name, int, 1) for name in ("matches", "games", "won", "drawn", "lost")},
        score=_get(row, "score", maybe, 1),
        failures=_get(row, "failures", dict, 1),
        rating=_get(row, "rating", maybe, 1),
        low=_get(row, "low", maybe, 1),
        high=_get(row, "high", maybe, 1),
        place=_get(row, "place", (int, type(None)), 1),
    )


def _read_match(value: Mapping[str, Any], line: int, head: _Head) -> AuditedMatch:
    seats = _get(value, "seats", list, line)
    commitment = _get(value, "commitment", str, line)
    if commitment not in head.secrets:
        _refuse(line, "the commitment of this match is not among those of the first line.")
    if len(seats) != head.terms.players:
        _refuse(line, f"{len(seats)} seats are named, and the tournament has {head.terms.players} at a table.")
    number = _get(value, "match", int, line)
    if number < 0:
        _refuse(line, "the field 'match' is missing or is not what it should be.")
    return AuditedMatch(
        number=number,
        order=_get(value, "order", int, line),
        entries=tuple(_get(seat, "entry", int, line) for seat in seats),
        versions=tuple(_get(seat, "version", int, line) for seat in seats),
        commitment=commitment,
        secret=head.secrets[commitment],
        games=[_read_game(game, line) for game in _get(value, "games", list, line)],
    )


def _read_game(value: Any, line: int) -> AuditedGame:
    deal, rotation = _get(value, "deal", int, line), _get(value, "rotation", int, line)
    failures = _get(value, "failures", list, line)
    for failure in failures:
        _get(failure, "seat", int, line)
        _get(failure, "reason", str, line)
    if deal < 0 or rotation < 0:
        _refuse(line, "deals and rotations are counted from 0.")
    record = _get(value, "record", (dict, type(None)), line)
    if record is None and value.get("dropped") is True:
        result = _get(value, "result", dict, line)
        places = tuple(_get({"place": place}, "place", int, line) for place in _get(result, "places", list, line))
        return AuditedGame(
            deal, rotation, None, failures, result=(_get(result, "ending", str, line), places), dropped=True
        )
    if record is None:
        why = str(value.get("error", ""))
        return AuditedGame(deal, rotation, None, failures, why or "The record is missing: the stored one is damaged.")
    try:
        return AuditedGame(deal, rotation, GameRecord.from_json(record), failures)
    except RecordError as error:
        return AuditedGame(deal, rotation, None, failures, str(error))
