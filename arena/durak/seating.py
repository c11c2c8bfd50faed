"""Who comes after whom at the table."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from arena.durak.ruleset import Ruleset

NOBODY: Final = -1
"""Who plays the place of a player that is out, where nobody does."""


def next_place(played_by: list[int], place: int) -> int:
    """The next place clockwise that somebody plays; `played_by` says who plays each."""
    last = len(played_by) - 1
    place = place + 1 if place < last else 0
    while played_by[place] == NOBODY:
        place = place + 1 if place < last else 0
    return place


def leave_place(played_by: list[int], seat: int, partner: int | None) -> None:
    """The player of `seat` is out: his partner plays both places of the table, without a partner nobody does."""
    for place, player in enumerate(played_by):
        if player == seat:
            played_by[place] = NOBODY if partner is None else partner


class Seating:
    """The orders of seats under one ruleset and number of players, worked out once.

    `[attacker][defender]` picks an order by the two seats; the entries where both are the same stand unused.
    """

    __slots__ = ("clockwise", "lead_rank_only", "partner", "players", "throwers")

    players: int
    partner: tuple[int | None, ...]
    """Who plays with each seat."""
    throwers: tuple[tuple[tuple[int, ...], ...], ...]
    """Who may throw in, in the order of being asked."""
    clockwise: tuple[tuple[tuple[int, ...], ...], ...]
    """All seats clockwise from the attacker, the defender last."""
    lead_rank_only: bool
    """Whether only the rank of the lead may be thrown in."""

    def __init__(self, ruleset: Ruleset, players: int) -> None:
        seats = range(players)
        few = players < 4
        self.players = players
        self.partner = tuple(partner_of(ruleset, seat) for seat in seats)
        self.lead_rank_only = ruleset.throw_in_ranks == "lead" or (
            ruleset.throw_in_ranks == "lead_from_four" and not few
        )
        attacker_only = ruleset.throw_in_who == "attacker" or (ruleset.throw_in_who == "attacker_below_four" and few)

        def order_from(attacker: int, defender: int) -> tuple[int, ...]:
            around = [(attacker + step) % players for step in seats]
            return (*(seat for seat in around if seat != defender), defender)

        def throwers_of(attacker: int, defender: int) -> tuple[int, ...]:
            if attacker_only:
                return (attacker,)
            return tuple(seat for seat in order_from(attacker, defender)[:-1] if seat != self.partner[defender])

        self.clockwise = tuple(tuple(order_from(attacker, defender) for defender in seats) for attacker in seats)
        self.throwers = tuple(tuple(throwers_of(attacker, defender) for defender in seats) for attacker in seats)


def partner_of(ruleset: Ruleset, seat: int) -> int | None:
    """The seat opposite, where partners play; else None."""
    return (seat + 2) % 4 if ruleset.teams == "pairs" else None


@lru_cache(maxsize=256)
def seating_of(ruleset: Ruleset, players: int) -> Seating:
    """The seating of `players`, a number that the ruleset allows."""
    return Seating(ruleset, players)
