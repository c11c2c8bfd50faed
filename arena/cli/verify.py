"""``python -m arena verify``: replays a record and checks everything in it that can be checked."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from arena.cli.options import Json
from arena.cli.output import complain, console, print_json, stop
from arena.deal import DealError, parse_secret, verify_deck
from arena.durak import GameRecord, RecordError
from arena.durak import verify as verify_record

File = Annotated[Path, typer.Argument(help="A record as the site offers it, or - for standard input.")]
Secret = Annotated[str | None, typer.Option(help="The tournament's secret, once it is published: 64 hex digits.")]
Commitment = Annotated[str | None, typer.Option(help="The commitment that was published before: 64 hex digits.")]
MatchNumber = Annotated[int | None, typer.Option("--match", help="The match's number in its tournament.")]
Deal = Annotated[int | None, typer.Option(help="The number of the deal in its match.")]


def verify(
    file: File,
    secret: Secret = None,
    commitment: Commitment = None,
    match: MatchNumber = None,
    deal: Deal = None,
    json: Json = False,
) -> None:
    """Replay the record of a game and check every move and the result against the rules.

    With the secret and the commitment it also checks that the deck is the one committed to. Exit code 0 when
    everything holds, 1 when something does not.

    [bold]Examples[/]

        python -m arena verify record.json

        python -m arena verify record.json --secret 3f... --commitment 9a... --match 12 --deal 0
    """
    given = [value is not None for value in (secret, commitment, match, deal)]
    if any(given) and not all(given):
        stop("To check the deck, give all four: --secret, --commitment, --match and --deal.")
    try:
        content = typer.get_binary_stream("stdin").read() if str(file) == "-" else file.read_bytes()
    except OSError as error:
        stop(f"{file} cannot be read: {error.strerror}.")
    try:
        record = GameRecord.loads(content)
        outcome = verify_record(record)
        if secret is not None and commitment is not None and match is not None and deal is not None:
            verify_deck(parse_secret(secret), commitment, match, deal, [str(card) for card in record.deck])
    except (RecordError, DealError) as error:
        if json:
            print_json({"ok": False, "message": str(error)})
        else:
            complain(str(error))
        raise typer.Exit(1) from None
    found: dict[str, Any] = {
        "ok": True,
        "moves": len(record.moves),
        "ending": str(outcome.ending),
        "places": list(outcome.places),
        "deck": "verified" if secret is not None else "not checked",
    }
    if json:
        print_json(found)
    else:
        deck = "the deck is the one committed to" if secret is not None else "the deck was not checked"
        places = ", ".join(f"{seat['bot']} {place}" for seat, place in zip(record.seats, outcome.places, strict=True))
        console.print(
            f"The record holds: {len(record.moves)} moves, {outcome.ending}; places: {places}; {deck}.",
            markup=False,
            highlight=False,
            soft_wrap=True,
        )
