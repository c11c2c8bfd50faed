"""A tournament laid open for verification: its terms, table and matches as `arena.audit` takes them, and as a file.

Whoever has the file checks with `python -m arena verify` what the site's own button checks (see `verification`).
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from arena.audit import AuditedGame, AuditedMatch, Claimed, Terms
from arena.durak import RecordError
from arena.proof import FORMAT
from tournaments import exports, ratings, standings
from tournaments.models import Game, Match, Seat, Tournament
from tournaments.records import RecordDroppedError, unpack
from tournaments.values import ruleset_of

BATCH = 20
"""Matches that are read at a time: some hundred games."""


def terms_of(tournament: Tournament) -> Terms:
    """What it fixed before its first match."""
    return Terms(ruleset_of(tournament), tournament.players, tournament.deals, tournament.limits)


def claims_of(tournament: Tournament) -> list[Claimed]:
    """Its table, as what is to be proved. One query."""
    return [
        Claimed(
            entry=line.entry_id,
            name=line.bot_name,
            failures=line.failures,
            **{name: getattr(line, name) for name in _CLAIMED},
        )
        for line in standings.table(tournament)
    ]


_CLAIMED = ("elo", "matches", "games", "won", "drawn", "lost", "score", "rating", "low", "high", "place")


def matches_after(tournament: Tournament, order: int, limit: int = BATCH) -> list[AuditedMatch]:
    """The next finished matches in the order of rating, with all their games. Three queries.

    Args:
        order: the place of the last match that the caller has seen; 0 for none.
    """
    found = Match.objects.filter(tournament=tournament, state=Match.State.FINISHED, rated_order__gt=order)
    rows = list(found.select_related("secret").order_by("rated_order")[:limit])
    seats: dict[int, list[Seat]] = defaultdict(list)
    games: dict[int, list[Game]] = defaultdict(list)
    for seat in Seat.objects.filter(match__in=rows).select_related("version").order_by("index"):
        seats[seat.match_id].append(seat)
    for game in Game.objects.filter(match__in=rows).order_by("rotation", "deal"):
        games[game.match_id].append(game)
    return [_audited(match, seats[match.pk], games[match.pk]) for match in rows]


def _audited(match: Match, seats: Sequence[Seat], games: Sequence[Game]) -> AuditedMatch:
    secret = match.secret
    return AuditedMatch(
        number=match.number,
        order=match.rated_order or 0,
        entries=tuple(seat.entry_id for seat in seats),
        versions=tuple(seat.version.number for seat in seats),
        commitment=secret.commitment,
        secret=bytes(secret.secret) if secret.revealed_at is not None else None,
        games=[_audited_game(game) for game in games],
    )


def _audited_game(game: Game) -> AuditedGame:
    failures = [{"seat": one.get("seat"), "reason": one.get("reason")} for one in game.failures]
    result = (game.ending, game.places)
    try:
        record = unpack(bytes(game.record))
    except RecordDroppedError:
        return AuditedGame(game.deal, game.rotation, None, failures, "", result, dropped=True)
    except RecordError as error:
        return AuditedGame(game.deal, game.rotation, None, failures, str(error), result)
    return AuditedGame(game.deal, game.rotation, record, failures, "", result)


def proof_lines(tournament: Tournament) -> Iterator[bytes]:
    """The file `durak-proof/1` of a tournament, line by line (see `arena.proof`). Its length does not matter."""
    ratings.complete_table(tournament)
    # What is rated while the file is written is left out, so that its first line counts what follows.
    known = Tournament.objects.values_list("rated", flat=True).get(pk=tournament.pk)
    yield _line(_head(tournament, known))
    order = 0
    while order < known and (batch := matches_after(tournament, order)):
        yield from (_line(_match(match)) for match in batch if match.order <= known)
        order = batch[-1].order


def _head(tournament: Tournament, known: int) -> dict[str, Any]:
    whole = exports.whole(tournament)
    table = [
        {"entry": line.entry_id, **row, "failures": line.failures}
        for line, row in zip(standings.table(tournament), whole["table"], strict=True)
    ]
    del whole["meetings"]
    return whole | {"format": FORMAT, "matches": {"finished": known}, "table": table}


def _match(match: AuditedMatch) -> dict[str, Any]:
    pairs = zip(match.entries, match.versions, strict=True)
    return {
        "match": match.number,
        "order": match.order,
        "commitment": match.commitment,
        "seats": [{"entry": entry, "version": version} for entry, version in pairs],
        "games": [
            {
                "deal": game.deal,
                "rotation": game.rotation,
                "failures": list(game.failures),
                "record": None if game.record is None else game.record.to_json(),
                **({"error": game.error} if game.error else {}),
                **(_dropped(game) if game.dropped else {}),
            }
            for game in match.games
        ],
    }


def _dropped(game: AuditedGame) -> dict[str, Any]:
    """What stands in the file in place of moves that are not kept any more."""
    ending, places = game.result or ("", ())
    return {"dropped": True, "result": {"ending": ending, "places": list(places)}}


def _line(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
