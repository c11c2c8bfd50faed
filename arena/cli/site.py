"""``python -m arena submit``, ``status``, ``logs``: one's bots on a site, from one's own machine."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, ParamSpec

import typer
from rich.table import Table

from arena.archive import ArchiveError, read_upload
from arena.check import CheckReport
from arena.cli import remote
from arena.cli.bots import zip_folder
from arena.cli.check import show_report
from arena.cli.options import Json
from arena.cli.output import console, print_json, progress_bar, stop
from arena.cli.remote import AddressError, Site, SiteError, TokenError, plain
from arena.failure import Reason

POLL_SECONDS = 2.0
"""How often the site is asked about a check that runs."""

SiteAddress = Annotated[
    str | None, typer.Option("--site", help="Another site than the one you logged in to last (or ARENA_SITE).")
]
BotName = Annotated[str, typer.Argument(metavar="BOT", help="The bot's name, or its address on the site.")]

P = ParamSpec("P")


def asks_a_site(command: Callable[P, None]) -> Callable[P, None]:
    """Tell what the site refuses in one sentence: exit code 1 where it said no, 3 where it could not be asked."""

    @wraps(command)
    def asking(*args: P.args, **options: P.kwargs) -> None:
        try:
            command(*args, **options)
        except (AddressError, TokenError) as error:
            stop(str(error))
        except SiteError as error:
            hint = " Log in again: python -m arena login" if error.status == 401 else ""
            refused = error.status is not None and 400 <= error.status < 500
            stop(f"{error}{hint}", code=1 if refused else 3)

    return asking


# ---------------------------------------------------------------------------------------------------------------------
# submit


@asks_a_site
def submit(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A .py or .zip file, or a folder with bot.py in it.")],
    bot: Annotated[str, typer.Option("--bot", "-b", help="The bot's name, or its address on the site.")],
    create: Annotated[bool, typer.Option("--create", help="Make the bot if you have none of this name.")] = False,
    wait: Annotated[bool, typer.Option("--wait", "-w", help="Wait for the check, and show what it found.")] = False,
    timeout: Annotated[float, typer.Option(help="Longest time to wait, in seconds.")] = 900.0,
    site: SiteAddress = None,
    json: Json = False,
) -> None:
    """Upload a version of your bot. The site checks it, and it plays as soon as it has passed.

    Uploading the newest version again changes nothing, so a script may do it every time.

    Exit code 0 when the version was taken (with --wait: when it passed), 1 when it was refused or failed, 3 when the
    site could not be asked, or could not check it in time.

    [bold]Examples[/]

        python -m arena submit mybot.py --bot "My bot" --create --wait

        python -m arena submit mybot/ --bot my-bot

        python -m arena submit mybot/ --bot my-bot --wait --json
    """
    filename, content = _read_file(file)
    there = _site(site)
    slug = _find_or_make(there, bot, create=create)
    version = there.upload(f"/bots/{slug}/versions", filename, content)
    if wait and version["state"] == "checking":
        version = _follow(there, slug, version["number"], timeout)
    elif wait:
        version = there.get(f"/bots/{slug}/versions/{version['number']}")
    if json:
        print_json(version)
    else:
        _tell_version(bot, version)
    if wait and version["state"] != "ready":
        raise typer.Exit(1 if version["state"] == "rejected" else 3)


def _read_file(file: Path) -> tuple[str, bytes]:
    """What is uploaded: what the site would refuse is refused here, without asking it."""
    try:
        filename, content = (
            (f"{file.resolve().name}.zip", zip_folder(file)) if file.is_dir() else (file.name, file.read_bytes())
        )
        read_upload(filename, content)
    except OSError as error:
        stop(f"{file} cannot be read: {error.strerror}.")
    except ArchiveError as error:
        stop(f"{file}: {error}", code=1)
    return filename, content


def _find_or_make(site: Site, bot: str, *, create: bool) -> str:
    own = site.get("/me/bots")
    slug = _slug_of(own, bot)
    if slug is None and not create:
        stop(f"You have no bot named {bot}{_names(own)}. Add --create to make it.", code=1)
    return slug or str(site.post("/bots", {"name": bot})["slug"])


def _slug_of(own: Sequence[dict[str, Any]], bot: str) -> str | None:
    wanted = bot.strip().casefold()
    by_slug = [one for one in own if one["slug"] == wanted]
    found = by_slug or [one for one in own if one["name"].casefold() == wanted]
    return found[0]["slug"] if found else None


def _names(own: Sequence[dict[str, Any]]) -> str:
    return "; yours are " + ", ".join(plain(one["name"]) for one in own) if own else ""


def _follow(site: Site, slug: str, number: int, timeout: float) -> Any:
    """Ask until the check has ended. SiteError after `timeout` seconds."""
    ends = time.monotonic() + timeout
    with progress_bar("check") as report:
        while True:
            pause = POLL_SECONDS
            try:
                version = site.get(f"/bots/{slug}/versions/{number}")
            except SiteError as error:
                if error.wait is None:
                    raise
                # Some servers say 0; asking without a pause would only keep them busy.
                pause = max(POLL_SECONDS, float(error.wait))
            else:
                if version["state"] != "checking":
                    return version
                check = version["check"]
                if check["total"]:
                    report(check["done"], check["total"])
            if time.monotonic() + pause > ends:
                raise SiteError(
                    f"Version {number} of {slug} is still being checked; see: python -m arena status {slug}"
                )
            time.sleep(pause)


def _tell_version(bot: str, version: dict[str, Any]) -> None:
    what = {
        "checking": "is being checked",
        "ready": "has passed its check and plays",
        "rejected": "has failed its check",
        "parked": "could not be checked, by no fault of yours; staff will look into it",
    }[version["state"]]
    say(f"Version {version['number']} of {bot} {what}: {version['url']}")
    check = version.get("check")
    if check and check["done"] < check["total"] and version["state"] == "checking":
        say(f"{check['done']} of {check['total']} games played.")
    elif check and check["ahead"]:
        say(f"{check['ahead']} before it.")
    if check and check["report"]:
        show_report(_read_report(check["report"]))


def _read_report(report: dict[str, Any]) -> CheckReport:
    words = {name: plain(report[name]) for name in ("message", "traceback", "log") if report.get(name)}
    return CheckReport.from_json(report | words)


# ---------------------------------------------------------------------------------------------------------------------
# status


@asks_a_site
def status(
    bot: Annotated[str | None, typer.Argument(metavar="[BOT]", help="One of your bots. Default: all of them.")] = None,
    site: SiteAddress = None,
    json: Json = False,
) -> None:
    """How your bots do: what plays, what was uploaded last, and for one bot its check and its place.

    Exit code 0, or 1 when you have no such bot.

    [bold]Examples[/]

        python -m arena status

        python -m arena status my-bot

        python -m arena status my-bot --json
    """
    there = _site(site)
    own = there.get("/me/bots")
    if bot is None:
        if json:
            print_json(own)
        else:
            _list(own)
        return
    slug = _own_slug(own, bot)
    found = there.get(f"/bots/{slug}")
    newest = next(one for one in own if one["slug"] == slug)["newest"]
    found["newest"] = there.get(f"/bots/{slug}/versions/{newest['number']}") if newest else None
    if json:
        print_json(found)
    else:
        _tell_bot(found)


def _own_slug(own: Sequence[dict[str, Any]], bot: str) -> str:
    slug = _slug_of(own, bot)
    if slug is None:
        stop(f"You have no bot named {bot}{_names(own)}.", code=1)
    return slug


def _list(own: Sequence[dict[str, Any]]) -> None:
    if not own:
        say("You have no bot yet. Submit one: python -m arena submit mybot.py --bot NAME --create")
        return
    table = Table("bot", "plays", "newest upload", "address", box=None)
    for one in own:
        newest = one["newest"]
        plays = f"version {one['version']}" if one["version"] else "not yet"
        last = f"version {newest['number']}: {newest['state']}" if newest else "nothing uploaded"
        table.add_row(_escape(one["name"]), plays, last, one["slug"])
    console.print(table)


def _tell_bot(found: dict[str, Any]) -> None:
    plays = f"version {found['version']} plays" if found["version"] else "no version plays yet"
    say(f"{plain(found['name'])}: {plays}. {found['url']}")
    line = found["standing"]
    if line is not None:
        place = f"place {line['place']}" if line["place"] else "no place"
        rating = (
            f"{line['rating']:.0f} ({line['low']:.0f} to {line['high']:.0f})"
            if line["rating"] is not None
            else "not rated yet"
        )
        say(
            f"In {found['tournament']}: {place}, rating {rating}, {line['matches']} matches, "
            f"{line['won']} won, {line['drawn']} drawn, {line['lost']} lost."
        )
        lost_by = {cause: count for cause, count in line["lost_by"].items() if count and cause != "play"}
        if lost_by:
            causes = ", ".join(f"{count} by {cause}" for cause, count in lost_by.items())
            say(f"Lost by failing: {causes}. See: python -m arena logs {found['slug']} --failed")
    newest = found["newest"]
    if newest is not None and newest["number"] != found["version"]:
        _tell_version(plain(found["name"]), newest)


# ---------------------------------------------------------------------------------------------------------------------
# logs


@asks_a_site
def logs(
    bot: BotName,
    failed: Annotated[bool, typer.Option("--failed", "-f", help="Only games in which it failed.")] = False,
    reason: Annotated[Reason | None, typer.Option(help="Only games in which it failed for this reason.")] = None,
    version: Annotated[int | None, typer.Option(min=1, help="Only of this version.")] = None,
    count: Annotated[int, typer.Option("--count", "-n", min=1, max=100, help="How many games at most.")] = 10,
    site: SiteAddress = None,
    json: Json = False,
) -> None:
    """What your bot printed and how it failed, game by game, the newest first.

    A game in which it printed nothing and did not fail is left out. Exit code 0, or 1 when you have no such bot.

    [bold]Examples[/]

        python -m arena logs my-bot

        python -m arena logs my-bot --failed --version 3

        python -m arena logs my-bot --reason time --json
    """
    there = _site(site)
    slug = _own_slug(there.get("/me/bots"), bot)
    wanted = {"failed": failed or None, "reason": reason and str(reason), "version": version, "size": count}
    found = there.get(f"/bots/{slug}/logs", **wanted)
    if json:
        print_json(found["items"])
        return
    for log in found["items"]:
        _tell_log(log)
    left = found["count"] - len(found["items"])
    if not found["items"]:
        say("No game failed." if failed or reason else "It printed nothing, and no game failed.")
    elif left > 0:
        say(f"{left} more; ask for more with --count.")


def _tell_log(log: dict[str, Any]) -> None:
    what = f"failed ({log['reason']}): {plain(log['message'])}" if log["reason"] else "no failure"
    say(f"Game {log['game']}, {log['tournament']}, version {log['version']}: {what}", style="bold")
    say(log["url"])
    failure = log["failure"] or {}
    traceback = (failure.get("detail") or {}).get("traceback")
    if traceback:
        say(plain(traceback).rstrip())
    view = failure.get("view")
    if view:
        say(f"It held {' '.join(view['hand'])} and could play {' '.join(view['legal'])}.")
    if log["log"]:
        say("It printed:")
        say(plain(log["log"]).rstrip())
    say("")


# ---------------------------------------------------------------------------------------------------------------------


def _site(address: str | None) -> Site:
    found = remote.find_site(address)
    if found is None:
        where = f" to {address}" if address else ""
        stop(f"You are not logged in{where}. First: python -m arena login URL", code=3)
    return found


def say(text: str, style: str | None = None) -> None:
    """A line for people, as it stands: a name in it is never taken for markup."""
    console.print(text, style=style, markup=False, highlight=False, soft_wrap=True)


def _escape(text: str) -> str:
    return plain(text).replace("[", r"\[")
