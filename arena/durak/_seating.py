"""Who comes after whom: the orders of the table, worked out once for a ruleset and a number of players."""

from __future__ import annotations

from functools import lru_cache

from arena.durak.ruleset import Ruleset


class Seating:
    """The orders of seats under one ruleset and number of players.

    `[attacker][defender]` picks an order by the two seats; the entries where both are the same stand unused.
    """

    __slots__ = ("clockwise", "lead_rank_only", "next", "partner", "players", "throwers")

    players: int
    next: tuple[int, ...]
    """The next place clockwise."""
    partner: tuple[int | None, ...]
    throwers: tuple[tuple[tuple[int, ...], ...], ...]
    """Who may throw in, in the order of being asked."""
    clockwise: tuple[tuple[tuple[int, ...], ...], ...]
    """All seats clockwise from the attacker, the defender last."""
    lead_rank_only: bool
    """Whether only the rank of the lead may be thrown in."""

    def __init__(self, ruleset: Ruleset, players: int) -> None:
        seats = range(players)
        self.players = players
        self.next = tuple((seat + 1) % players for seat in seats)
        self.partner = tuple((seat + 2) % 4 if ruleset.teams == "pairs" else None for seat in seats)
        self.lead_rank_only = ruleset.throw_in_ranks == "lead" or (
            ruleset.throw_in_ranks == "lead_from_four" and players >= 4
        )
        attacker_only = ruleset.throw_in_who == "attacker" or (
            ruleset.throw_in_who == "attacker_below_four" and players < 4
        )

        def order_from(attacker: int, defender: int) -> tuple[int, ...]:
            around = [(attacker + step) % players for step in seats]
            return (*(seat for seat in around if seat != defender), defender)

        def throwers_of(attacker: int, defender: int) -> tuple[int, ...]:
            if attacker_only:
                return (attacker,)
            return tuple(seat for seat in order_from(attacker, defender)[:-1] if seat != self.partner[defender])

        self.clockwise = tuple(tuple(order_from(attacker, defender) for defender in seats) for attacker in seats)
        self.throwers = tuple(tuple(throwers_of(attacker, defender) for defender in seats) for attacker in seats)


@lru_cache(maxsize=256)
def seating_of(ruleset: Ruleset, players: int) -> Seating:
    """The seating of `players`; RulesetError when the ruleset cannot be played by so many."""
    ruleset.check_players(players)
    return Seating(ruleset, players)
