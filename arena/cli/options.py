"""Options that several commands share, and what follows from them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.output import stop
from arena.cli.sandboxes import BackendName
from arena.deal import derive_deck, new_secret
from arena.limits import Limits, LimitsError

Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs instead of tables.")]
Backend = Annotated[
    BackendName,
    typer.Option(help="Where bots run: in Docker containers, as plain processes, or in Docker when it answers."),
]
RulesetName = Annotated[str, typer.Option("--ruleset", "-r", help="The ruleset, by name.")]
Deals = Annotated[
    int, typer.Option("--deals", "-d", min=1, max=100_000, help="Decks to play; each is played once in every seating.")
]
Seed = Annotated[
    str | None, typer.Option("--seed", "-s", help="Any text: the same text gives the same decks. Default: new decks.")
]
Bank = Annotated[float, typer.Option(help="Seconds of thinking a bot has for one game.")]
MoveLimit = Annotated[float, typer.Option(help="Seconds for one decision.")]

RecordsFolder = Annotated[
    Path | None, typer.Option("--records", help="A folder to write the record of every game to, as deal-rotation.json.")
]


def make_limits(bank: float, move_limit: float) -> Limits:
    """The limits with what the command line changes. Ends the command if they make no sense."""
    try:
        return Limits(bank=bank, move_limit=move_limit)
    except LimitsError as error:
        stop(str(error))


def make_secret(seed: str | None) -> bytes:
    """What decks are derived from: the same for the same seed, a new one without."""
    return new_secret() if seed is None else hashlib.sha256(seed.encode()).digest()


def make_decks(seed: str | None, deals: int, match_number: int = 1) -> Sequence[Sequence[str]]:
    """Decks for a match, the same for the same seed."""
    secret = make_secret(seed)
    return [derive_deck(secret, match_number, deal) for deal in range(deals)]
