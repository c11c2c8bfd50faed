"""The games of a made-up tournament: made by the database itself, out of a letter for each, and a few real records."""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from bench import bulk

if TYPE_CHECKING:
    from tournaments.models import Tournament

PRINTING = 20
"""One entry in so many prints something in each game."""
RECORDS = 12
"""So many records of each kind of ending are reused."""
DRAW, LOST_FROM, FAILED_FROM = "d", ord("0"), ord("A")
"""The letters: a draw, then by the seat of the loser."""


def write(tournament: Tournament, outcomes: Sequence[tuple[int, str, datetime]]) -> None:
    """Write the games of a tournament's matches, with the logs of those that failed and of some that print.

    Args:
        outcomes: by match: its key, a letter for each game by rotation and deal, and when it ended.
    """
    from django.db import connection

    from tournaments.models import Game, GameLog

    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE TEMPORARY TABLE drawn (match_id bigint, codes text, ended timestamptz) ON COMMIT DROP;"
            "CREATE TEMPORARY TABLE kept (code text, n int, ending text, places jsonb, failures jsonb, record bytea,"
            " moves int) ON COMMIT DROP"
        )
        with cursor.copy("COPY drawn FROM STDIN") as copy:
            for row in outcomes:
                copy.write_row(row)
        with cursor.copy("COPY kept FROM STDIN") as copy:
            for record in _records(tournament):
                copy.write_row(record)
        players, deals = tournament.players, tournament.deals
        seating = [json.dumps([(seat - turn) % players for seat in range(players)]) for turn in range(players)]
        bulk.insert(
            Game,
            {
                "match_id": "drawn.match_id",
                "deal": f"g % {deals}",
                "rotation": f"g / {deals}",
                "seating": f"(ARRAY{seating}::jsonb[])[g / {deals} + 1]",
                "ending": "kept.ending",
                "places": "kept.places",
                "failures": "kept.failures",
                "record": "kept.record",
                "moves": "kept.moves",
                "seconds": "0.05 + 0.001 * (g % 7)",
                "created_at": f"ended - interval '0.2 s' * ({players * deals} - g)",
            },
            f"FROM drawn CROSS JOIN generate_series(0, {players * deals - 1}) g"
            f" JOIN kept ON kept.code = substr(drawn.codes, g + 1, 1) AND kept.n = (drawn.match_id + g) % {RECORDS}"
            " ORDER BY drawn.match_id, g",
        )
        failure = json.dumps(
            {"reason": "crash", "message": "ZeroDivisionError: division by zero", "forfeited": False}
            | {"detail": {"file": "bot.py", "line": 7, "traceback": "Traceback (most recent call last):\n" * 10}}
        )
        bulk.insert(
            GameLog,
            {
                "game_id": "game.id",
                "seat_id": "seat.id",
                "log": "'I hold ' || game.moves",
                "failure": f"CASE WHEN failed THEN '{failure}'::jsonb END",
            },
            "FROM drawn JOIN tournaments_game game USING (match_id) JOIN tournaments_seat seat USING (match_id)"
            " CROSS JOIN LATERAL (SELECT game.failures @> jsonb_build_array(jsonb_build_object('seat',"
            f" (seat.index + game.rotation) % {players})) AS failed) f"
            f" WHERE failed OR seat.entry_id % {PRINTING} = 0",
        )
        cursor.execute("DROP TABLE drawn; DROP TABLE kept")


def _records(tournament: Tournament) -> list[tuple[Any, ...]]:
    """Records of games that were played here: `RECORDS` of each letter, with what a game's row says of them."""
    from arena.deal import derive_deck
    from arena.durak import Outcome
    from arena.match import play_match
    from tournaments.values import ruleset_of

    found: dict[str, list[Any]] = defaultdict(list)
    players = tournament.players
    wanted = [DRAW] * (players == 2) + [
        chr(first + seat) for first in (LOST_FROM, FAILED_FROM) for seat in range(players)
    ]
    chance = random.Random(0)
    number = 0
    while any(len(found[code]) < RECORDS for code in wanted):
        number += 1
        failing = number // 3 % players if number % 3 == 0 else None
        bots = [_player(chance, crashes=seat == failing) for seat in range(players)]
        game = play_match(bots, ruleset_of(tournament), [derive_deck(b"\0" * 32, number, 0)]).games[0]
        outcome: Outcome = game.outcome
        if outcome.fool is not None:
            code = chr(LOST_FROM + outcome.fool)
        elif game.failures:
            code = chr(FAILED_FROM + game.failures[0].seat)
        else:
            code = DRAW
        if len(found[code]) < RECORDS:
            failures = [
                {"seat": f.seat, "reason": str(f.reason), "at": f.at, "forfeited": False} for f in game.failures
            ]
            found[code].append(
                (
                    *(str(outcome.ending), json.dumps(outcome.places), json.dumps(failures)),
                    *(game.record.compact(), len(game.record.moves)),
                )
            )
    return [(code, n, *row) for code in wanted for n, row in enumerate(found[code])]


def _player(chance: random.Random, *, crashes: bool) -> Any:
    from arena import Bot, Move, View
    from arena.local import LocalPlayer

    class Careless(Bot):
        """Plays what is cheap, mostly."""

        def act(self, view: View) -> Move:
            if crashes and chance.random() < 0.1:
                raise ZeroDivisionError("division by zero")
            return view.legal[0] if chance.random() < 0.8 else chance.choice(view.legal)

    return LocalPlayer(Careless, "careless")
