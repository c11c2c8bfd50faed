"""Reading the environment: typed, from values or files, and loud about what is wrong.

Every variable is read by one of the helpers below, which check it, and say in one sentence what is wrong, before a
process starts. Each may be a file instead, which is how secrets come in: `SECRET_KEY_FILE=/run/secrets/key`. An empty
value counts as not set.
"""

import ipaddress
import os
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

T = TypeVar("T")


@dataclass(frozen=True)
class Variable:
    """One variable of the environment: what it means, and what holds where it is not set."""

    name: str
    meaning: str
    default: str
    section: str = ""
    """What it is about, for the documentation."""


VARIABLES: dict[str, Variable] = {}
"""Every variable that the settings read, by name, in the order of reading."""

_section = [""]


def section(title: str) -> None:
    """Begin a part of the documentation: the variables read from here on are about `title`."""
    _section[0] = title


SECRETS: set[str] = set()
"""The names of those among them that are secrets."""


def environment_value(name: str) -> str | None:
    """The text of a variable, from `NAME` or from the file that `NAME_FILE` names; None where neither is set.

    Raises:
        ImproperlyConfigured: both are set, or the file cannot be read.
    """
    value, path = os.environ.get(name) or None, os.environ.get(f"{name}_FILE") or None
    if path is None:
        return value
    if value is not None:
        raise ImproperlyConfigured(f"{name} and {name}_FILE are both set: keep one of them.")
    try:
        return Path(path).read_text(encoding="utf-8").strip() or None
    except (OSError, UnicodeDecodeError) as error:
        raise ImproperlyConfigured(f"{name}_FILE names {path}, which cannot be read: {error}.") from error


def variable(name: str, default: T, meaning: str, parse: Callable[[str], T], shown: str | None = None) -> T:
    """Read one variable, and remember it for the documentation.

    Args:
        parse: turns the text into a value, or raises ValueError with what was expected ("a whole number").
        shown: the default as the documentation shows it, where its plain text would not do.

    Raises:
        ImproperlyConfigured: the value is not what was expected.
    """
    VARIABLES[name] = Variable(name, meaning, str(default) if shown is None else shown, _section[0])
    value = environment_value(name)
    if value is None:
        return default
    try:
        return parse(value)
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} is {_without_password(value)!r}; it must be {error}.") from None


def _without_password(value: str) -> str:
    """A value as a log may have it: of an address, nothing before the last @, however badly it is written."""
    _user, at, rest = value.rpartition("@")
    return f"***@{rest}" if at else value


def text(name: str, default: str, meaning: str, shown: str | None = None) -> str:
    """A variable that is taken as it stands."""
    return variable(name, default, meaning, str, shown)


def secret(name: str, meaning: str) -> str:
    """A text that nobody but this process may know, empty where it is not set; it best comes from a file."""
    SECRETS.add(name)
    return variable(name, "", meaning, str)


def flag(name: str, default: bool, meaning: str, shown: str | None = None) -> bool:
    """A variable that is on or off."""
    words = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}

    def parse(value: str) -> bool:
        if value.lower() not in words:
            raise ValueError("1 or 0 (or true, false, yes, no, on, off)")
        return words[value.lower()]

    return variable(name, default, meaning, parse, shown or ("1" if default else "0"))


def number(name: str, default: int, meaning: str, minimum: int = 1, maximum: int | None = None) -> int:
    """A variable that is a whole number of at least `minimum`, and of at most `maximum` where there is one."""

    def parse(value: str) -> int:
        if not value.isdecimal() or int(value) < minimum or (maximum is not None and int(value) > maximum):
            bounds = f"of at least {minimum}" if maximum is None else f"from {minimum} to {maximum}"
            raise ValueError(f"a whole number {bounds}")
        return int(value)

    return variable(name, default, meaning, parse)


def choice(name: str, default: str, choices: Sequence[str], meaning: str, shown: str | None = None) -> str:
    """A variable that is one of a few words."""

    def parse(value: str) -> str:
        if value not in choices:
            raise ValueError("one of " + ", ".join(choices))
        return value

    return variable(name, default, meaning, parse, shown)


def names(name: str, default: list[str], meaning: str) -> list[str]:
    """A variable that is a list of words, separated by commas."""

    def parse(value: str) -> list[str]:
        return [word.strip() for word in value.split(",") if word.strip()]

    return variable(name, default, meaning, parse, ",".join(default))


PATIENCE = {
    "connect_timeout": "5",
    "keepalives_idle": "30",
    "keepalives_interval": "10",
    "keepalives_count": "3",
    "tcp_user_timeout": "30000",
    "options": "-c idle_in_transaction_session_timeout=60s -c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10"
    " -c tcp_keepalives_count=3",
}
"""How long, in libpq's words, a database may be silent that has gone without a goodbye: about a minute; and how long it
waits in its turn for a client in the middle of a transaction, whose locks others wait for. An address may say
otherwise."""


def networks(name: str, meaning: str) -> list[str]:
    """A variable that is a list of networks, such as 10.0.0.0/8, or of addresses; none where it is not set."""

    def parse(value: str) -> list[str]:
        found = [word.strip() for word in value.split(",") if word.strip()]
        try:
            return [str(ipaddress.ip_network(word, strict=False)) for word in found]
        except ValueError:
            raise ValueError("networks such as 10.0.0.0/8, separated by commas") from None

    return variable(name, [], meaning, parse, "")


def database(url: str) -> dict[str, Any]:
    """Django's description of a database from its address.

    Args:
        url: `sqlite:////absolute/file`, or `postgresql://user:password@host:port/name?option=value`, where the parts
            between the slashes may be percent-encoded and the options are those of libpq.

    Raises:
        ValueError: any other form; the message says what was expected.
    """
    parts = urlsplit(url)
    if parts.scheme == "sqlite":
        # WAL lets readers go on beside the writer. A transaction that starts by reading and then writes would fail at
        # once under another writer; IMMEDIATE makes it wait for its turn from the start instead.
        pragmas = "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL"
        if parts.netloc or len(parts.path) < 2:
            raise ValueError("sqlite:////absolute/file, with four slashes")
        return {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": unquote(parts.path[1:] if parts.path.startswith("//") else parts.path),
            "OPTIONS": {"transaction_mode": "IMMEDIATE", "timeout": 30, "init_command": pragmas},
            # A file and not memory: threads that share a database in memory fail instead of waiting for each other.
            "TEST": {"NAME": str(Path(tempfile.gettempdir(), f"durak-arena-test-{os.getpid()}.sqlite3"))},
        }
    if parts.scheme in {"postgres", "postgresql"} and len(parts.path) > 1:
        try:
            port = parts.port
        except ValueError:
            # Its words would quote what it took for the port: most likely a piece of the password.
            raise ValueError("an address whose password is percent-encoded and whose port is a number") from None
        return {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": unquote(parts.path[1:]),
            "USER": unquote(parts.username or ""),
            "PASSWORD": unquote(parts.password or ""),
            "HOST": unquote(parts.hostname or ""),
            "PORT": str(port or ""),
            "OPTIONS": PATIENCE | dict(parse_qsl(parts.query)),
            "CONN_MAX_AGE": 60,
            "CONN_HEALTH_CHECKS": True,
        }
    raise ValueError("sqlite:////absolute/file or postgresql://user:password@host:port/name")
