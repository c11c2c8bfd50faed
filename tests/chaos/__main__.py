"""`python -m tests.chaos --seed 7`, or `make chaos SEED=7`: see the README of this folder. Exits 0 if all held."""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import django

import sandbox
from tests.chaos.log import Log
from tests.chaos.servers import Broker, Engine, Postgres


def main() -> int:
    """Servers first, because Django wants to know them; then the tournament."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="decides which fault comes when, and whom it hits")
    parser.add_argument("--small", action="store_true", help="fewer bots, and each kind of fault once")
    parser.add_argument("--keep", action="store_true", help="leave the folder with all logs, and say where it is")
    options = parser.parse_args()
    if os.geteuid() != 0:
        print("Only root may start a Docker engine of its own: run this as root.", file=sys.stderr)
        return 2
    log = Log()
    for number in (signal.SIGINT, signal.SIGTERM):  # whoever ends it wants everything stopped that it started
        signal.signal(number, lambda *_: sys.exit("ended by a signal"))
    with _folder(options.keep, log) as folder:
        servers = Postgres(folder), Broker(folder), Engine(folder)
        with _running(*servers):
            servers[2].load(sandbox.image_tag())
            os.environ.update(
                DJANGO_SETTINGS_MODULE="config.settings",
                LOG_LEVEL="WARNING",
                DATABASE_URL=servers[0].url,
                CELERY_BROKER_URL=servers[1].url,
                DOCKER_HOST=servers[2].url,
                SANDBOX="docker",
                SANDBOX_BOXES=str(folder / "boxes"),
                DATA_DIR=str(folder / "data"),
                # As on a site, only sooner: a run shall take minutes.
                SWEEP_SECONDS="1",
                RESEND_SECONDS="10",
            )
            django.setup()
            from tests.chaos.play import LARGE, SMALL, Play

            play = Play(SMALL if options.small else LARGE, options.seed, folder, servers, log)
            return play.run()


@contextmanager
def _folder(keep: bool, log: Log) -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="chaos.", dir="/tmp"))  # short, for the paths of sockets
    folder.chmod(0o711)  # the database runs as another user
    try:
        yield folder
    finally:
        if keep:
            log.say(f"the logs are in {folder}")
        else:
            shutil.rmtree(folder)


@contextmanager
def _running(postgres: Postgres, broker: Broker, engine: Engine) -> Iterator[None]:
    try:
        for server in (postgres, broker, engine):
            server.start()
        yield
    finally:
        broker.stop()
        postgres.stop()
        engine.remove()


if __name__ == "__main__":
    raise SystemExit(main())
