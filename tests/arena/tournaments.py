"""A small tournament that was played in this process, as the lines of its proof. For tests of verification."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from arena.audit import Audit, AuditedGame, AuditedMatch, Terms
from arena.deal import commitment, derive_deck
from arena.durak import PRESETS
from arena.likelihood import Games, fit
from arena.limits import Limits
from arena.local import LocalPlayer
from arena.match import play_match
from arena.plan import tables
from arena.rating import opponents
from arena.samples import SAMPLES
from arena.samples.lowest import Lowest

SECRET = bytes(range(32))
NAMES = ("lowest", "thrifty", "easy", "random", "hoarder")
Proof = list[dict[str, Any]]


@cache
def _played(ruleset: str, players: int, entries: int, deals: int, state: str) -> str:
    rules, limits = PRESETS[ruleset], Limits(bank=600.0, move_limit=60.0)
    terms = Terms(rules, players, deals, limits.to_json())
    games: Games[int] = Games(rules, players)
    audit = Audit(terms, games)
    lines: Proof = []
    for number, table in enumerate(tables(entries, players, pairs=rules.teams == "pairs"), 1):
        seats = [LocalPlayer(_brain(entry), f"bot {entry}", entry + 1) for entry in table]
        decks = [derive_deck(SECRET, number, deal) for deal in range(deals)]
        result = play_match(seats, rules, decks, limits)
        lines.append(
            {
                "match": number,
                "order": number,
                "round": number,
                "commitment": commitment(SECRET),
                "seats": [{"entry": entry + 100, "version": entry + 1} for entry in table],
                "games": [
                    {
                        "deal": game.deal,
                        "rotation": game.rotation,
                        "failures": [{"seat": one.seat, "reason": str(one.reason)} for one in game.failures],
                        "record": game.record.to_json(),
                    }
                    for game in result.games
                ],
            }
        )
        audit.add(
            AuditedMatch(
                number,
                number,
                tuple(entry + 100 for entry in table),
                tuple(entry + 1 for entry in table),
                commitment(SECRET),
                SECRET,
                [AuditedGame(g["deal"], g["rotation"], p.record, g["failures"]) for g, p in _pairs(lines[-1], result)],
            )
        )
    rated = fit(games).rows
    most = 2 * opponents(rules, players)
    table_lines = []
    for place, row in enumerate(rated, 1):
        sums = audit.sums[row.bot]
        numbers = {
            name: getattr(sums, name) for name in ("elo", "matches", "games", "won", "drawn", "lost", "failures")
        }
        table_lines.append(
            {
                "entry": row.bot,
                "bot": f"bot {row.bot - 100}",
                "place": place,
                "rating": row.rating,
                "low": row.low,
                "high": row.high,
                "score": sums.points / (most * sums.games),
                **numbers,
            }
        )
    over = state == "finished"
    head = {
        "format": "durak-proof/1",
        "name": "Made cup",
        "state": state,
        "players": players,
        "deals": deals,
        "ruleset": rules.to_json(),
        "limits": limits.to_json(),
        "matches": {"finished": len(lines)},
        "secrets": [{"commitment": commitment(SECRET), "secret": SECRET.hex() if over else None}],
        "table": table_lines,
    }
    return json.dumps([head, *lines])


def _pairs(line: Mapping[str, Any], result: Any) -> Any:
    return zip(line["games"], result.games, strict=True)


def _brain(entry: int) -> Callable[[Any], Any]:
    return _Failing if entry == 4 else SAMPLES[NAMES[entry % len(NAMES)]].load()


class _Failing(Lowest):
    """Plays, and gives up in some games."""

    def act(self, view: Any) -> Any:
        if str(self.game.turn_up).startswith(("7", "9", "J")):
            raise ZeroDivisionError("division by zero")
        return super().act(view)


def proof(
    ruleset: str = "podkidnoy", players: int = 2, entries: int = 4, deals: int = 2, state: str = "finished"
) -> Proof:
    """The lines of a tournament's proof, as values that may be tampered with."""
    value: Proof = json.loads(_played(ruleset, players, entries, deals, state))
    return value


def dump(lines: Proof) -> list[bytes]:
    """As they stand in the file."""
    return [json.dumps(line).encode() + b"\n" for line in lines]
