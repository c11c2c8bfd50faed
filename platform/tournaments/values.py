"""A tournament's options as the values that `arena` works with."""

from arena.durak import Ruleset
from arena.limits import Limits
from tournaments.models import Tournament


def ruleset_of(tournament: Tournament) -> Ruleset:
    """The rules it is played by."""
    return Ruleset.from_json(tournament.ruleset)


def limits_of(tournament: Tournament) -> Limits:
    """What its bots may use."""
    return Limits.from_json(tournament.limits)


def lease_seconds(tournament: Tournament) -> float:
    """How long a worker may hold a match without progress, in seconds.

    Progress alone renews the lease: a finished game, or moves of a long one. A worker that lives but gets nowhere loses
    its match. Between two signs of progress lie at most the start of a game and one decision.
    """
    limits = limits_of(tournament)
    return tournament.players * (limits.start_limit + limits.overhead) + limits.move_limit + 20.0


def sides_of(ruleset: Ruleset, count: int) -> list[list[int]]:
    """The two sides of a table as seats of rotation 0, or nothing where everyone plays alone.

    Rotations turn the table and leave partners opposite each other.
    """
    return [list(range(0, count, 2)), list(range(1, count, 2))] if ruleset.teams == "pairs" else []
