"""Workers on two hosts, of which one vanishes in mid-tournament. Two network namespaces stand for the hosts.

Database and broker listen on one address of a network that both share; nothing else is known to the workers.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from pages.management.processes import source_roots, worker_arguments
from tests.chaos.servers import Broker, Postgres
from tests.running import ROOT, RunningSite

pytestmark = [pytest.mark.patient]

NET = "198.18.77"  # of the block that RFC 2544 sets aside for tests of networks
SERVERS = f"{NET}.1"


def ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True, timeout=20)


class Hosts:
    """A bridge with the servers' address, and hosts that hang on it."""

    def __init__(self) -> None:
        self.bridge = f"dabr{os.getpid() % 100000}"
        self.names: list[str] = []
        ip("link", "add", self.bridge, "type", "bridge")
        ip("address", "add", f"{SERVERS}/24", "dev", self.bridge)
        ip("link", "set", self.bridge, "up")

    def add(self, name: str, number: int) -> str:
        """A host of that name. Returns its link, on our side."""
        space, link = self.space(name), f"{self.bridge}{number}"
        ip("netns", "add", space)
        self.names.append(name)
        ip("link", "add", link, "type", "veth", "peer", "name", "eth0", "netns", space)
        ip("link", "set", link, "master", self.bridge, "up")
        ip("-netns", space, "address", "add", f"{NET}.{number}/24", "dev", "eth0")
        ip("-netns", space, "link", "set", "eth0", "up")
        return link

    def space(self, name: str) -> str:
        return f"{self.bridge}-{name}"

    def remove(self) -> None:
        for name in self.names:
            ip("netns", "delete", self.space(name))
        ip("link", "delete", self.bridge)


@pytest.fixture
def hosts() -> Iterator[Hosts]:
    if os.geteuid() != 0:
        pytest.skip("needs root, who alone may make network namespaces")
    if shutil.which("ip") is None:
        pytest.skip("needs the program ip; `apt-get install iproute2` brings it")
    if not any(Path("/usr/lib/postgresql").glob("*/bin/postgres")) or shutil.which("redis-server") is None:
        pytest.skip("needs the programs of PostgreSQL and Redis; `make services` installs them")
    made = Hosts()
    yield made
    made.remove()


@pytest.fixture
def servers(hosts: Hosts) -> Iterator[tuple[Postgres, Broker]]:
    folder = Path(tempfile.mkdtemp(prefix="two.", dir="/tmp"))
    folder.chmod(0o711)
    started = Postgres(folder, SERVERS), Broker(folder, SERVERS)
    try:
        for server in started:
            server.start()
        yield started
    finally:
        for server in started:
            server.stop()
        shutil.rmtree(folder)


def start_worker(hosts: Hosts, name: str, site: RunningSite, folder: Path) -> subprocess.Popen[bytes]:
    """What runs on a further host, with the few variables that it is told and a disk of its own."""
    variables = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": os.pathsep.join(source_roots()),
        "DATABASE_URL": site.environment["DATABASE_URL"],
        "CELERY_BROKER_URL": site.environment["CELERY_BROKER_URL"],
        "DATA_DIR": str(folder),
        "SANDBOX": "process",
        "SANDBOX_BOXES": str(folder / "b"),
    }
    command = [sys.executable, "-m", *worker_arguments(1, name, ("matches",))]
    with (folder / "log").open("wb") as log:
        return subprocess.Popen(
            ["ip", "netns", "exec", hosts.space(name), *command],
            cwd=ROOT,
            env=variables,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )


def test_a_host_that_vanishes_takes_nothing_with_it(hosts, servers, tmp_path):
    postgres, broker = servers
    short = Path(tempfile.mkdtemp(prefix="two.", dir="/tmp"))  # for the paths of sockets
    hosts.add("here", 11)
    link = hosts.add("there", 12)
    workers = []
    environment = {"DATABASE_URL": postgres.url, "CELERY_BROKER_URL": broker.url, "SWEEP_SECONDS": "1"}
    try:
        with RunningSite(tmp_path / "site", RESEND_SECONDS="5", **environment) as site:
            # The site's own host plays nothing.
            site.processes.start_worker(1, "clerk", ("upkeep", "checks"))
            site.processes.start_beat()
            for name in ("here", "there"):
                (short / name).mkdir()
                workers.append(start_worker(hosts, name, site, short / name))
            result = json.loads(
                site.run("-m", "tests.operations.play_two_hosts", link, str(workers[1].pid)).splitlines()[-1]
            )
    finally:
        for worker in workers:
            if worker.poll() is None:
                os.killpg(worker.pid, signal.SIGKILL)
            worker.wait()
        shutil.rmtree(short)
    assert result["findings"] == []
    assert result["states"] == ["finished"]
    assert min(result["played"]) > 0
    lost, (again,) = result["lost"], result["again"]
    assert again[0].startswith("here@")
    assert again[1] == lost[1] + 1
