"""``python -m arena login``: keeps a token for a site."""

from __future__ import annotations

import sys
from datetime import datetime
from typing import Annotated

import typer

from arena.cli import remote
from arena.cli.output import errors, stop
from arena.cli.remote import Site, SiteError, plain
from arena.cli.site import asks_a_site, say


@asks_a_site
def login(
    url: Annotated[str, typer.Argument(metavar="URL", help="The address of the site.")],
    insecure: Annotated[bool, typer.Option("--insecure", help="Send the token unencrypted, over http.")] = False,
    forget: Annotated[bool, typer.Option("--forget", help="Forget the token of the site instead.")] = False,
) -> None:
    """Keep a token for a site, so that the other commands can act for you there.

    It asks for the token and does not show it. Make one on the page "API tokens" of your account on the site. The token
    is kept in a file that only you can read. In scripts, set ARENA_SITE and ARENA_TOKEN instead and do not log in.

    Exit code 0 when the token works, 1 when the site refuses it, 3 when the site cannot be reached.

    [bold]Examples[/]

        python -m arena login https://arena.example

        python -m arena login https://arena.example < token.txt

        python -m arena login https://arena.example --forget
    """
    address = remote.read_address(url, insecure=insecure or forget)
    if forget:
        _forget(address)
        return
    site = Site(address, _ask_token(address))
    who, what = _introduce(site)
    try:
        path = remote.remember(site)
    except OSError as error:
        stop(f"The token cannot be kept: {error.strerror} ({error.filename}).", code=3)
    say(f"Logged in to {address} as {plain(who)}. The token {what}; it is kept in {path}.")


def _introduce(site: Site) -> tuple[str, str]:
    """Whose token it is, and what it may do. SiteError where an answer comes that no arena gives."""
    me = site.get("/me")
    try:
        token = me["token"]
        day = datetime.fromisoformat(token["expires_at"]).date().isoformat()
        may = "may upload" if token["scope"] == "upload" else "may only read"
        return str(me["username"]), f"{may}, until {day}"
    except (KeyError, TypeError, ValueError):
        raise SiteError(f"{site.address} does not answer like a Durak Arena; is the address right?") from None


def _forget(address: str) -> None:
    try:
        known = remote.forget(address)
    except OSError as error:
        stop(f"The token cannot be forgotten: {error.strerror} ({error.filename}).", code=3)
    if not known:
        stop(f"You are not logged in to {address}.", code=1)
    say(f"Forgot the token for {address}. It is still valid: revoke it on the page {address}/account/tokens/.")


def _ask_token(address: str) -> str:
    if sys.stdin.isatty():
        errors.print(f"Make a token at {address}/account/tokens/ and paste it here.", highlight=False, soft_wrap=True)
        token: str = typer.prompt("Token (not shown)", hide_input=True, err=True)
    else:
        token = sys.stdin.readline()
    return remote.read_token(token)
