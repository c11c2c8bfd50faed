"""``python -m arena verify``: replays a record, or a whole tournament, and checks everything that can be checked."""

from __future__ import annotations

import io
from pathlib import Path
from typing import IO, Annotated, Any, NoReturn

import typer

from arena.cli.options import Json
from arena.cli.output import complain, console, print_json, progress_bar, stop
from arena.cli.remote import plain
from arena.deal import DealError, parse_secret, verify_deck
from arena.durak import GameRecord, RecordError
from arena.durak import verify as verify_record
from arena.proof import ProofError, Report, is_proof, verify_proof

SHOWN = 20
"""Findings that are printed one by one; the rest is counted. JSON has them all."""

File = Annotated[Path, typer.Argument(help="A record or a tournament's proof as the site offers it, or - for stdin.")]
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
    """Replay a game, or all games of a tournament, and check every deck, move, result and number.

    Of the record of one game it checks every move and the result; with the secret and the commitment also that the
    deck is the one committed to. Of a tournament's proof (a file of JSON lines) it checks the commitment, every deck,
    every game in every rotation, and computes the whole table again. Exit code 0 when everything holds, 1 when
    something does not.

    [bold]Examples[/]

        python -m arena verify spring-cup-proof.jsonl

        python -m arena verify record.json

        python -m arena verify record.json --secret 3f... --commitment 9a... --match 12 --deal 0
    """
    given = [value is not None for value in (secret, commitment, match, deal)]
    if any(given) and not all(given):
        stop("To check the deck, give all four: --secret, --commitment, --match and --deal.")
    try:
        with _open(file) as content:
            first = content.readline()
            if is_proof(first):
                if any(given):
                    stop("The proof of a tournament holds its secret itself; give --secret only with one record.")
                _verify_tournament(first, content, json)
                return
            _verify_game(first + content.read(), (secret, commitment, match, deal), json)
    except OSError as error:
        stop(f"{file} cannot be read: {error.strerror}.")


def _open(file: Path) -> IO[bytes]:
    return io.BytesIO(typer.get_binary_stream("stdin").read()) if str(file) == "-" else file.open("rb")


def _verify_tournament(first: bytes, rest: IO[bytes], json: bool) -> None:
    def lines() -> Any:
        yield first
        yield from rest

    try:
        with progress_bar("matches") as report:
            found = verify_proof(lines(), report)
    except ProofError as error:
        _fail(str(error), json)
    if json:
        print_json(found.to_json())
    else:
        _print(found)
    if not found.ok:
        raise typer.Exit(1)


def _print(found: Report) -> None:
    for finding in found.findings[:SHOWN]:
        complain(str(finding))
    if found.found > SHOWN:
        complain(f"... and {found.found - SHOWN} more; --json prints them.")
    said = [f"{found.matches} matches, {found.games} games"]
    if found.sealed:
        said.append(f"the decks of {found.sealed} matches cannot be checked before their secret is published")
    else:
        said.append("every deck is the one committed to" if found.ok else "decks were checked")
    if found.dropped:
        said.append(f"the moves of {found.dropped} games are not kept any more, so their results count as they stand")
    if found.table:
        said.append("the table is what the games give" if found.ok else "the table was checked")
    else:
        said.append(f"the table was not checked (the tournament is {found.state})")
    head = "The tournament holds" if found.ok else f"{found.found} things do not hold"
    sentence = f"“{found.name}”: {head}. {'; '.join(said)}."
    console.print(plain(sentence), markup=False, highlight=False, soft_wrap=True)


def _fail(sentence: str, json: bool) -> NoReturn:
    if json:
        print_json({"ok": False, "message": sentence})
    else:
        complain(sentence)
    raise typer.Exit(1)


def _verify_game(content: bytes, proof: tuple[str | None, str | None, int | None, int | None], json: bool) -> None:
    secret, commitment, match, deal = proof
    if content.startswith(b'{"match":'):
        stop("These are the records of a tournament's games without its table; verify its proof, or one record.")
    try:
        record = GameRecord.loads(content)
        outcome = verify_record(record)
        if secret is not None and commitment is not None and match is not None and deal is not None:
            verify_deck(parse_secret(secret), commitment, match, deal, [str(card) for card in record.deck])
    except (RecordError, DealError) as error:
        _fail(str(error), json)
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
            plain(f"The record holds: {len(record.moves)} moves, {outcome.ending}; places: {places}; {deck}."),
            markup=False,
            highlight=False,
            soft_wrap=True,
        )
