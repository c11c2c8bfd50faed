"""The composition on a real engine: brought up with docker-compose, used over HTTP, shaken, and taken down.

The tests of this module follow each other on one site. Ordinary images are pulled where there is a registry; else
`.ci/stand-ins` makes images of the same names from Debian's packages.
"""

import json
import os
import re
import shutil
import ssl
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from http.cookiejar import CookieJar
from pathlib import Path

import pytest

from arena.samples import SAMPLES
from tests.running import free_port

ROOT = Path(__file__).resolve().parents[2]
STAYING = ("database", "broker", "web", "worker", "clerk", "beat", "proxy")
PATIENCE_SECONDS = 150.0

pytestmark = [pytest.mark.docker, pytest.mark.patient, pytest.mark.timeout(600)]


class Composition:
    """One project of docker-compose, with secrets, settings and boxes of its own."""

    def __init__(self, folder: Path) -> None:
        self.name = f"arenatest{os.getpid()}"
        self.boxes = folder / "boxes"
        self.certificates = folder / "certificates"
        self.ports = [free_port() for _ in range(3)]
        self.url = f"https://localhost:{self.ports[2]}"
        self.settings = folder / "settings"
        self.environment = {
            **os.environ,
            "ARENA_SECRETS": str(folder / "secrets"),
            "ARENA_SETTINGS": str(self.settings),
            "ARENA_BOXES": str(self.boxes),
            "ARENA_CERTIFICATES": str(self.certificates),
            "ARENA_PORT": str(self.ports[0]),
            "ARENA_HTTP_PORT": str(self.ports[1]),
            "ARENA_HTTPS_PORT": str(self.ports[2]),
            "ARENA_IMAGE": "durak-arena:test",
            "DOCKER_BUILDKIT": "0",
            "PYTHON": sys.executable,
        }

    def run(self, *command: str) -> str:
        """What a command printed; it must not fail."""
        done = subprocess.run(
            command, cwd=ROOT, env=self.environment, capture_output=True, text=True, timeout=500, check=False
        )
        assert done.returncode == 0, f"{' '.join(command)}:\n{done.stdout}{done.stderr}"
        return done.stdout

    def compose(self, *arguments: str) -> str:
        files = ["-f", "compose.yaml", "-f", "tests/operations/compose.test.yaml"]
        settings = ["--project-name", self.name, "--env-file", str(self.settings)]
        return self.run("docker-compose", *settings, *files, *arguments)

    def container(self, service: str) -> str:
        return f"{self.name}_{service}_1"

    def inside(self, service: str, command: str, user: str = "") -> subprocess.CompletedProcess[str]:
        """A shell command in a service's container."""
        option = ["--user", user] if user else []
        return subprocess.run(
            ["docker", "exec", *option, self.container(service), "sh", "-c", command],
            capture_output=True,
            text=True,
            timeout=60,
        )

    def health(self) -> dict[str, str]:
        names = [self.container(service) for service in STAYING]
        found = self.run("docker", "inspect", "--format", "{{.State.Status}} {{.State.Health.Status}}", *names)
        return dict(zip(STAYING, found.splitlines(), strict=True))

    def wait_for_health(self, expected: str, services: tuple[str, ...]) -> None:
        wait_for(lambda: {self.health()[name] for name in services} == {expected}, lambda: str(self.health()))

    def bots_containers(self) -> list[str]:
        label = f"label=durak-arena.boxes={self.boxes}"
        return self.run("docker", "ps", "--all", "--quiet", "--filter", label).split()

    def left(self) -> list[str]:
        """All that the project has on the engine."""
        label = f"label=com.docker.compose.project={self.name}"
        kinds = (["ps", "--all"], ["network", "ls"], ["volume", "ls"])
        found = [self.run("docker", *kind, "--quiet", "--filter", label) for kind in kinds]
        return [*"".join(found).split(), *self.bots_containers(), *(path.name for path in self.boxes.iterdir())]


class Browser:
    """Forms of the site, as somebody with a browser sends them."""

    def __init__(self, url: str, issuer: Path) -> None:
        self.url = url
        self.cookies = CookieJar()
        trusting = urllib.request.HTTPSHandler(context=ssl.create_default_context(cafile=issuer))
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies), trusting)
        self._opener.addheaders = [("Referer", url)]  # which Django wants to see of a form that came over https

    def get(self, path: str) -> str:
        with self._opener.open(self.url + path, timeout=30) as answer:
            text: str = answer.read().decode()
            return text

    def send(self, path: str, **fields: str) -> str:
        """Fill in the form at a path. Returns where it led."""
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', self.get(path))
        assert token is not None, f"{path} has no form"
        data = urllib.parse.urlencode({**fields, "csrfmiddlewaretoken": token[1]}).encode()
        with self._opener.open(self.url + path, data, timeout=30) as answer:
            where: str = answer.url.removeprefix(self.url)
            return where

    def api(self, path: str) -> dict[str, object]:
        found: dict[str, object] = json.loads(self.get(f"/api{path}"))
        return found


def wait_for(condition: Callable[[], bool], tell: Callable[[], str]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < deadline, tell()
        time.sleep(0.3)


@pytest.fixture(scope="module")
def site() -> Iterator[Composition]:
    if shutil.which("docker-compose") is None:
        pytest.skip("needs docker-compose; `make services` installs it")
    if os.geteuid() != 0:
        pytest.skip("needs root, who alone may give a folder to the containers' user")
    folder = Path(tempfile.mkdtemp(prefix="c.", dir="/tmp"))  # short, for the paths of sockets
    folder.chmod(0o711)
    composition = Composition(folder)
    composition.run(".ci/stand-ins")
    composition.run("platform/first-start", "--https", "localhost")
    wheels = composition.run(".ci/wheels").split()
    composition.compose("build", *wheels, "web")
    try:
        composition.compose("up", "--detach", "--no-build")
        yield composition
    finally:
        composition.compose("down", "--volumes", "--timeout", "60")
        shutil.rmtree(folder)


@pytest.fixture(scope="module")
def browser(site: Composition) -> Browser:
    # For a name that nobody else can have, the proxy is its own issuer.
    visitor = Browser(site.url, site.certificates / "caddy/pki/authorities/local/root.crt")
    password = "correct horse battery"
    visitor.send("/accounts/signup/", username="anna", email="", password1=password, password2=password)
    return visitor


def code(strategy: str, number: int) -> str:
    return SAMPLES[strategy].source.decode() + f"# version {number}\n"


def is_ready(browser: Browser, slug: str, number: int) -> bool:
    """Whether a version is one of those that everybody is shown."""
    versions = browser.api(f"/bots/{slug}/versions")["items"]
    assert isinstance(versions, list)
    return number in [version["number"] for version in versions if version["state"] == "ready"]


def test_every_service_becomes_healthy(site):
    site.wait_for_health("running healthy", STAYING)


def test_nobody_is_root_and_nothing_can_be_written(site):
    for service in STAYING:
        processes = site.run("docker", "top", site.container(service), "-eo", "pid,user:20,comm").splitlines()[1:]
        # The one that hands on signals is the engine's own.
        users = {line.split()[1] for line in processes if not line.endswith("docker-init")}
        assert users, service
        assert "root" not in users, (service, processes)
        assert site.inside(service, "touch /root-is-writable /usr/x /app/x").returncode != 0, service
        assert "NoNewPrivs:\t1" in site.inside(service, "cat /proc/self/status").stdout, service


def test_the_web_reaches_no_engine_and_is_given_no_secret_in_its_environment(site):
    assert site.inside("web", "ls /var/run/docker.sock").returncode != 0
    environment = site.run("docker", "inspect", "--format", "{{json .Config.Env}}", site.container("web"))
    for secret in Path(site.environment["ARENA_SECRETS"]).iterdir():
        assert secret.read_text().strip().split()[-1] not in environment, secret.name


def test_the_proxy_speaks_https_and_the_site_believes_it(site, browser):
    port = site.ports[1]
    moved = site.run(
        "curl",
        "--silent",
        "--output",
        "/dev/null",
        "--write-out",
        "%{http_code} %{redirect_url}",
        f"http://localhost:{port}/leaderboard/",
    )
    assert moved == "308 https://localhost/leaderboard/"
    assert all(cookie.secure for cookie in browser.cookies)
    # Who comes past the proxy is sent to it.
    direct = site.run(
        "curl",
        "--silent",
        "--output",
        "/dev/null",
        "--write-out",
        "%{http_code}",
        f"http://localhost:{site.ports[0]}/leaderboard/",
    )
    assert direct == "301"


def test_a_bot_that_is_uploaded_plays_in_a_container(site, browser):
    for name in ("thrifty", "lowest"):
        where = browser.send("/bots/new/", name=name, description="", code=code(name, 1))
        assert where == f"/bots/{name}/versions/1/"
    wait_for(lambda: site.bots_containers() != [], lambda: site.compose("logs", "--tail=30"))
    wait_for(
        lambda: is_ready(browser, "thrifty", 1) and is_ready(browser, "lowest", 1),
        lambda: site.compose("logs", "--tail=30", "clerk"),
    )
    wait_for(lambda: played(browser) >= 1, lambda: site.compose("logs", "--tail=30", "worker", "clerk"))


def played(browser: Browser) -> int:
    """Matches on the ladder that have been played."""
    return int(str(browser.api("/matches?tournament=ladder&state=finished")["count"]))


def test_its_worker_finds_its_host_fit_to_run_bots(site):
    """As docs/first-competition.md has it, so in a container of its own beside the worker's."""
    said = site.compose("run", "--rm", "worker", "python", "-m", "sandbox", "check")
    assert "a sandbox: It comes up and answers" in said
    assert said.splitlines()[-1].startswith("Fit to run strangers' code")


def test_work_goes_on_whatever_is_restarted(site, browser):
    for number, service in enumerate(STAYING, start=2):
        browser.send("/bots/thrifty/upload/", code=code("thrifty", number))
        site.compose("restart", "--timeout", "60", service)
        site.wait_for_health("running healthy", (service, "web"))
    last = len(STAYING) + 1
    wait_for(lambda: is_ready(browser, "thrifty", last), lambda: site.compose("logs", "--tail=40", "clerk"))
    before = played(browser)
    browser.send("/bots/lowest/upload/", code=code("lowest", 2))
    wait_for(lambda: played(browser) > before, lambda: site.compose("logs", "--tail=40", "worker", "clerk"))
    assert "Everything adds up." in site.compose("run", "--rm", "web", "python", "manage.py", "check_integrity")


def test_a_service_that_hangs_is_not_healthy(site):
    """Stopped, as by a debugger: its container runs, and it does nothing."""
    for service in ("web", "worker", "clerk", "beat"):
        site.inside(service, "kill -STOP -1")
    site.wait_for_health("running unhealthy", ("web", "worker", "clerk", "beat"))
    for service in ("web", "worker", "clerk", "beat"):
        site.inside(service, "kill -CONT -1")
    site.wait_for_health("running healthy", STAYING)
    # These are the first of their containers, and take such a signal from outside only.
    servers = [site.container("database"), site.container("broker")]
    site.run("docker", "kill", "--signal=STOP", *servers)
    site.wait_for_health("running unhealthy", ("database", "broker", "web"))
    site.run("docker", "kill", "--signal=CONT", *servers)
    site.wait_for_health("running healthy", STAYING)


def test_taken_down_it_leaves_nothing(site):
    assert site.left()
    site.compose("down", "--volumes", "--timeout", "60")
    assert site.left() == []
