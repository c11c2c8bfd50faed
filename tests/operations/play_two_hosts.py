"""Run beside a site whose workers are on two hosts (`test_two_hosts`): one of them vanishes while it plays.

    python -m tests.operations.play_two_hosts LINK GROUP     the other host's link, and the process group of its worker

Prints what came of it as JSON.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.contrib.auth import get_user_model  # noqa: E402 - Django must be ready first
from django.db.models import QuerySet  # noqa: E402
from django.utils import timezone  # noqa: E402

from arena.samples import SAMPLES  # noqa: E402
from tests.chaos.field import ready_bot  # noqa: E402
from tournaments import integrity, lifecycle  # noqa: E402
from tournaments.models import Match, Tournament  # noqa: E402

BOTS = ("random", "easy", "hoarder", "lowest", "thrifty", "counting", "lowest")
DEALS = 6
WAIT_SECONDS = 150


def main() -> None:
    """Everything from the bots to the last match."""
    link, group = sys.argv[1], int(sys.argv[2])
    owner = get_user_model().objects.create_user("author")
    lifecycle.cancel(lifecycle.ensure_ladder())
    tournament = lifecycle.open_entries(lifecycle.create_round_robin("Two hosts", deals=DEALS))
    for number, kind in enumerate(BOTS):
        source = SAMPLES[kind].source + f"# {number}\n".encode()
        lifecycle.enter(tournament, ready_bot(owner, f"{kind} {number}", source))
    lifecycle.start(tournament)
    matches = Match.objects.filter(tournament=tournament)
    there = matches.filter(worker__startswith="there@")
    wait_for("both hosts", lambda: there.filter(state="finished").exists() and finished(matches) > 3)
    wait_for("a match there", there.filter(state="running", progress__gt=0).exists)
    # First the link, so that no word of the end of its processes gets through.
    subprocess.run(["ip", "link", "set", link, "down"], check=True)
    os.killpg(group, signal.SIGKILL)
    lost = there.filter(state="running").values_list("pk", "attempt").first()
    # The lease would run out in a minute, as `queue` tests; nothing else than that tells of the host's end.
    there.filter(state="running").update(lease_until=timezone.now())
    wait_for("the end", Tournament.objects.filter(pk=tournament.pk, state="finished").exists)
    print(
        json.dumps(
            {
                "states": sorted(set(matches.values_list("state", flat=True))),
                "played": [matches.filter(worker__startswith=f"{name}@").count() for name in ("here", "there")],
                "lost": lost,
                "again": lost and list(matches.filter(pk=lost[0]).values_list("worker", "attempt")),
                "findings": list(integrity.check_tournament(tournament)),
            }
        )
    )


def finished(matches: QuerySet[Match]) -> int:
    return matches.filter(state="finished").count()


def wait_for(what: str, condition: Callable[[], bool]) -> None:
    """Until it holds; the workers go on meanwhile."""
    deadline = time.monotonic() + WAIT_SECONDS
    while not condition():
        if time.monotonic() > deadline:
            raise SystemExit(f"waited {WAIT_SECONDS} s in vain for {what}")
        time.sleep(0.02)


if __name__ == "__main__":
    main()
