"""A site as a program sees it: its API, and the token that it is asked with. The standard library alone.

The token lies in one file of the user's own folder that nobody else can read. `ARENA_SITE` and `ARENA_TOKEN` go before
it, for machines where nobody signs in; such a token goes to that site alone.
"""

from __future__ import annotations

import http.client
import ipaddress
import json
import os
import secrets
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, OpenerDirector, Request, build_opener

import typer

TIMEOUT = 30.0
"""How long one answer may take, in seconds."""
USER_AGENT = "durak-arena-cli/1"
APP = "durak-arena"


class SiteError(Exception):
    """The site did not do what was asked; the text is one sentence.

    `status` is that of the answer, or None where there was none. `wait` says after how many seconds to try again, where
    the site said so.
    """

    def __init__(self, sentence: str, status: int | None = None, wait: int | None = None) -> None:
        super().__init__(sentence)
        self.status = status
        self.wait = wait


class AddressError(ValueError):
    """What was given is no address of a site; the text is one sentence."""


class TokenError(ValueError):
    """What was given is no token; the text is one sentence, without it."""


class _NoRedirect(HTTPRedirectHandler):
    """Follows nothing: the token would go along to wherever the answer points."""

    def redirect_request(self, *_args: Any, **_options: Any) -> None:
        return None


def read_address(text: str, *, insecure: bool = False) -> str:
    """The address of a site as it is kept: scheme and host, and the folder where the site is not at the top.

    Raises:
        AddressError: it is none, or the token would travel unencrypted and nobody said that it may.
    """
    text = text.strip()
    no_address = AddressError(f"{text} is no address of a site; write it as https://arena.example.")
    try:
        parts = urlsplit(text if "://" in text else f"https://{text}")
        host, _port = parts.hostname, parts.port
    except ValueError:
        raise no_address from None
    if parts.scheme not in {"http", "https"} or not host or any(letter.isspace() for letter in text):
        raise no_address
    if parts.username is not None:
        raise AddressError("Leave name and password out of the address; the site takes a token.")
    if parts.scheme == "http" and not insecure and not _is_local(host):
        raise AddressError(
            f"{text} is not encrypted, and whoever listens would get your token. Use https://, or log in with "
            "--insecure."
        )
    return f"{parts.scheme}://{parts.netloc.lower()}{parts.path.rstrip('/')}"


def read_token(text: str) -> str:
    """A token without what stands around it, such as the end of a line.

    Raises:
        TokenError: it is none. Sent as it is, it would come back in the message of an error, for all to read.
    """
    token = text.strip()
    if not token or not token.isascii() or not token.isprintable() or " " in token:
        raise TokenError("That is no token: a token is one word that begins with durak_.")
    return token


def _is_local(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


@dataclass(frozen=True)
class Site:
    """A site, and the token it is asked with."""

    address: str
    token: str

    def get(self, path: str, **query: Any) -> Any:
        """The answer to a GET; parameters that are None are left out. Raises SiteError."""
        given = {name: _text(value) for name, value in query.items() if value is not None}
        return self._ask("GET", f"{path}?{urlencode(given)}" if given else path)

    def post(self, path: str, body: Mapping[str, Any]) -> Any:
        """The answer to a POST of JSON. Raises SiteError."""
        return self._ask("POST", path, json.dumps(body).encode(), "application/json")

    def upload(self, path: str, filename: str, content: bytes) -> Any:
        """The answer to a POST of one file. Raises SiteError."""
        boundary = secrets.token_hex(16)
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{quote(filename)}"\r\n\r\n'
        body = head.encode() + content + f"\r\n--{boundary}--\r\n".encode()
        return self._ask("POST", path, body, f"multipart/form-data; boundary={boundary}")

    def _ask(self, method: str, path: str, body: bytes | None = None, kind: str = "") -> Any:
        headers = {
            "Authorization": f"Bearer {self.token}",
            "Accept": "application/json",
            "Accept-Language": "en",
            "User-Agent": USER_AGENT,
        }
        if kind:
            headers["Content-Type"] = kind
        # The scheme has been checked when the address was read.
        request = Request(f"{self.address}/api{path}", data=body, headers=headers, method=method)  # noqa: S310
        opener: OpenerDirector = build_opener(_NoRedirect)
        try:
            with opener.open(request, timeout=TIMEOUT) as response:
                return self._read(response.read())
        except HTTPError as error:
            with error:
                raise self._refusal(error) from None
        except (URLError, http.client.HTTPException, OSError, ValueError) as error:
            reason = getattr(error, "reason", None) or error
            raise SiteError(f"{self.address} cannot be reached: {reason}.") from error

    def _read(self, content: bytes) -> Any:
        try:
            return json.loads(content)
        except ValueError:
            raise SiteError(f"{self.address} does not answer like a Durak Arena; is the address right?") from None

    def _refusal(self, error: HTTPError) -> SiteError:
        if 300 <= error.code < 400:
            there = error.headers.get("Location", "elsewhere")
            return SiteError(f"{self.address} points to {plain(there)}; log in there if you trust it.", error.code)
        wait = error.headers.get("Retry-After", "")
        try:
            sentence = str(json.loads(error.read())["message"])
        except (ValueError, KeyError, TypeError, OSError, http.client.HTTPException):
            sentence = f"{self.address} answers with status {error.code} and no reason; is the address right?"
        return SiteError(plain(sentence), error.code, int(wait) if wait.isdecimal() else None)


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def plain(text: str) -> str:
    """A text of somebody else as it may go to a terminal: without what moves the cursor or changes colours."""
    return "".join(letter if letter in "\n\t" or letter.isprintable() else "\ufffd" for letter in text)


# ---------------------------------------------------------------------------------------------------------------------
# What is remembered between commands


def config_file() -> Path:
    """Where the tokens are."""
    return Path(typer.get_app_dir(APP)) / "sites.json"


def remembered() -> dict[str, Any]:
    """`{"current": address, "sites": {address: token}}`; empty before the first login, or where the file is damaged."""
    try:
        found = json.loads(config_file().read_text(encoding="utf-8"))
        sites = {str(address): str(token) for address, token in found["sites"].items()}
        return {"current": str(found["current"]), "sites": sites}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {"current": "", "sites": {}}


def remember(site: Site) -> Path:
    """Keep the token of a site, which is the one that is meant from now on. Returns the file. Raises OSError."""
    found = remembered()
    return _write({"current": site.address, "sites": found["sites"] | {site.address: site.token}})


def forget(address: str) -> bool:
    """Drop the token of a site. False when there was none. Raises OSError."""
    found = remembered()
    if found["sites"].pop(address, None) is None:
        return False
    if found["current"] == address:
        found["current"] = next(iter(found["sites"]), "")
    _write(found)
    return True


def find_site(address: str | None = None) -> Site | None:
    """The site that is meant, with its token: by its address, by the environment, or the one logged in to last.

    Raises:
        AddressError: the address given, or `ARENA_SITE`, is none.
        TokenError: `ARENA_TOKEN` is none, or what is kept for the site.
    """
    found = remembered()
    named = os.environ.get("ARENA_SITE") or ""
    given = address or named
    wanted = read_address(given, insecure=True) if given else found["current"]
    if given and wanted not in found["sites"]:
        read_address(given)  # nobody has said that its token may travel unencrypted
    # A token of the environment is for the site of the environment, and no other is to see it.
    own = not named or read_address(named, insecure=True) == wanted
    token = (own and os.environ.get("ARENA_TOKEN")) or found["sites"].get(wanted, "")
    return Site(wanted, read_token(token)) if wanted and token else None


def _write(found: Mapping[str, Any]) -> Path:
    path = config_file()
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    # A new file, made for the user alone, takes the place of the old one: at no moment can others read it, and a
    # command that is stopped leaves either the old one or the new one.
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix="sites-")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            json.dump(found, stream, indent=2)
        Path(temporary).chmod(0o600)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    return path
