"""A tournament's options as the values that `arena` works with."""

from arena.durak import Ruleset
from arena.limits import Limits
from tournaments.models import Tournament

STARTING_SECONDS = 45.0
"""How long a sandbox and a process in it may take to come up: 20 seconds each, and a margin."""


def ruleset_of(tournament: Tournament) -> Ruleset:
    """The rules it is played by."""
    return Ruleset.from_json(tournament.ruleset)


def limits_of(tournament: Tournament) -> Limits:
    """What its bots may use."""
    return Limits.from_json(tournament.limits)


def lease_seconds(tournament: Tournament) -> float:
    """How long a worker may hold a match without progress, in seconds.

    Progress alone renews the lease: a seat that started, a decision, a finished game. A worker that lives but gets
    nowhere loses its match. Between two signs of progress lie at most a sandbox that comes up and the bot's own time.
    """
    limits = limits_of(tournament)
    return STARTING_SECONDS + limits.start_limit + limits.move_limit


def sides_of(ruleset: Ruleset, count: int) -> list[list[int]]:
    """The two sides of a table as seats of rotation 0, or nothing where everyone plays alone.

    Rotations turn the table and leave partners opposite each other.
    """
    return [list(range(0, count, 2)), list(range(1, count, 2))] if ruleset.teams == "pairs" else []
