"""The composition for production: accepted by docker-compose, and what it says about each service holds."""

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.conf import settings

from pages.management.processes import QUEUES

ROOT = Path(__file__).resolve().parents[2]
COMPOSITION: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSITION["services"]
ONE_SHOT = {"migrate", "bot-image"}
OTHERS = {"database", "broker", "proxy"}


class OnceLoader(yaml.SafeLoader):
    """Refuses a key that stands twice in one place, as newer compositions' readers do."""

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
        names = [key.value for key, _value in node.value if key.value != "<<"]
        assert len(names) == len(set(names)), f"twice, near line {node.start_mark.line}: {sorted(names)}"
        return super().construct_mapping(node, deep)


@pytest.mark.parametrize("name", ["compose.yaml", "compose.hosts.yaml", "compose.worker.yaml"])
def test_nothing_is_said_twice(name):
    yaml.load((ROOT / name).read_text(), OnceLoader)  # noqa: S506 - a safe loader


def test_docker_compose_accepts_it():
    if shutil.which("docker-compose") is None:
        pytest.skip("needs docker-compose; `make services` installs it")
    subprocess.run(["docker-compose", "config", "--quiet"], cwd=ROOT, check=True, timeout=60)


@pytest.mark.parametrize(("settings", "address"), [({}, "127.0.0.1"), ({"ARENA_ADDRESS": "0.0.0.0"}, "0.0.0.0")])  # noqa: S104
def test_the_site_answers_this_host_alone_unless_it_is_told_otherwise(settings, address):
    if shutil.which("docker-compose") is None:
        pytest.skip("needs docker-compose; `make services` installs it")
    done = subprocess.run(
        ["docker-compose", "config"], cwd=ROOT, env={**os.environ, **settings}, check=True, timeout=60, stdout=-1
    )
    assert str(yaml.safe_load(done.stdout)["services"]["web"]["ports"][0]).startswith(f"{address}:8000")


def test_what_stays_up_has_a_health_check_and_comes_back():
    for name in SERVICES.keys() - ONE_SHOT:
        assert SERVICES[name]["healthcheck"]["test"], name
        assert SERVICES[name]["restart"] == "unless-stopped", name


def test_every_variable_is_one_that_the_settings_read():
    known = {*settings.VARIABLES, *(f"{name}_FILE" for name in settings.VARIABLES), "HOME"}
    for name in SERVICES.keys() - OTHERS:
        assert SERVICES[name]["environment"].keys() <= known, name


def test_whatever_can_be_set_can_be_set_in_the_composition():
    """A setting that does not get into the containers would be documented and without effect."""
    fixed = {"DEBUG", "DATA_DIR", "LOG_FORMAT", "SANDBOX"}  # by the image, or by what a composition is
    names = {name for service in SERVICES.values() for name in service.get("environment", ())}
    given = names | {name.removesuffix("_FILE") for name in names}
    assert set(settings.VARIABLES) - given - fixed == set()
    for name in ("web", "worker", "clerk", "beat", "migrate"):
        assert {"METRICS_TOKEN", "KEEP_LOGS_DAYS"} <= SERVICES[name]["environment"].keys(), name


def test_secrets_come_as_files_and_the_house_writes_nowhere():
    text = (ROOT / "compose.yaml").read_text()
    assert "PASSWORD:" not in text
    assert "SECRET_KEY:" not in text
    for name in SERVICES.keys() - OTHERS:
        assert SERVICES[name]["read_only"], name
        assert SERVICES[name]["cap_drop"] == ["ALL"], name


@pytest.mark.parametrize(
    ("settings", "file"),
    [({}, str(ROOT / "platform/no-password")), ({"EMAIL_HOST_PASSWORD_FILE": "/x/y"}, "/x/y")],
)
def test_the_password_of_the_mail_server_is_a_file_of_the_host(settings, file):
    if shutil.which("docker-compose") is None:
        pytest.skip("needs docker-compose; `make services` installs it")
    done = subprocess.run(
        ["docker-compose", "config"], cwd=ROOT, env={**os.environ, **settings}, check=True, timeout=60, stdout=-1
    )
    found = yaml.safe_load(done.stdout)
    assert found["secrets"]["email_host_password"]["file"] == file
    assert not (ROOT / "platform/no-password").read_text().strip()
    for name in found["services"].keys() - OTHERS - {"bot-image"}:
        service = found["services"][name]
        assert service["environment"]["EMAIL_HOST_PASSWORD_FILE"] == "/run/secrets/email_host_password", name
        assert "email_host_password" in [secret["source"] for secret in service["secrets"]], name


def test_the_engine_is_in_reach_of_those_alone_that_run_bots():
    reach = {name for name, service in SERVICES.items() if "docker.sock" in str(service.get("volumes"))}
    assert reach == {"worker", "clerk", "bot-image"}
    # Where it remaps users (docs/threat-model.md), its socket belongs to nobody in other containers.
    assert {name for name, service in SERVICES.items() if service.get("userns_mode") == "host"} == reach


def test_a_proxy_of_its_own_is_there_only_where_it_is_asked_for_and_reaches_the_web_alone():
    assert {name for name, service in SERVICES.items() if "profiles" in service} == {"proxy"}
    proxy = SERVICES["proxy"]
    assert proxy["networks"] == ["front"]
    assert {name for name, service in SERVICES.items() if "front" in service.get("networks", ())} == {"proxy", "web"}
    assert proxy["read_only"]
    assert (proxy["cap_drop"], proxy["cap_add"]) == (["ALL"], ["NET_BIND_SERVICE"])


def test_who_sends_mail_reaches_a_mail_server_and_whoever_needs_no_way_out_has_none():
    assert COMPOSITION["networks"]["back"] == {"internal": True}
    # The web sends what accounts need, the clerk the notices.
    out = {name for name, service in SERVICES.items() if set(service.get("networks", ())) & {"front", "out"}}
    assert out == {"web", "clerk", "proxy"}
    assert {name for name, service in SERVICES.items() if service.get("ports")} == {"web", "proxy"}


def test_every_queue_is_served_by_one_kind_of_worker():
    commands = [SERVICES[name]["command"] for name in ("worker", "clerk")]
    served = [option.removeprefix("--queues=") for command in commands for option in command if "--queues=" in option]
    assert sorted(",".join(served).split(",")) == sorted(QUEUES)


def test_a_worker_on_another_host_is_a_worker_and_knows_database_and_broker_alone():
    """Nothing drifts apart between the two files that is not meant to differ."""
    away = yaml.safe_load((ROOT / "compose.worker.yaml").read_text())["services"]["worker"]
    here = SERVICES["worker"]
    meant = {"hostname", "networks", "depends_on", "environment", "secrets"}
    same = (away.keys() | here.keys()) - meant
    assert {name for name in same if away.get(name) != here.get(name)} == set()
    assert away["environment"].items() <= here["environment"].items()
    servers = {name for name in away["environment"] if name.endswith("_FILE") and name != "PULSE_FILE"}
    assert servers == {"SECRET_KEY_FILE", "DATABASE_URL_FILE", "CELERY_BROKER_URL_FILE"}


def test_what_a_first_start_makes_is_what_the_compositions_name(tmp_path):
    """For the site and for a worker; a second run changes nothing."""
    if os.geteuid() != 0:
        pytest.skip("needs root, who alone may give a folder to the containers' user")
    (tmp_path / "docker.sock").touch()
    urls = ["postgresql://arena:x@10.0.0.1/arena", "redis://:x@10.0.0.1:6379/0"]
    for name, arguments in (
        ("compose.yaml", ["arena.example.org"]),
        ("compose.yaml", ["--https", "arena.example.org"]),
        ("compose.worker.yaml", ["--worker", *urls]),
    ):
        folder = tmp_path / arguments[0]
        folder.mkdir()
        places = {
            "ARENA_SECRETS": folder / "secrets",
            "ARENA_SETTINGS": folder / "env",
            "ARENA_BOXES": folder / "boxes",
            "ARENA_CERTIFICATES": folder / "certificates",
            "ARENA_ENGINE": tmp_path / "docker.sock",
        }
        environment = {**os.environ, **{key: str(path) for key, path in places.items()}}

        def contents(folder: Path = folder) -> dict[str, str]:
            return {path.name: path.read_text() for path in folder.rglob("*") if path.is_file()}

        start = [str(ROOT / "platform/first-start"), *arguments]
        subprocess.run(start, env=environment, check=True, capture_output=True, umask=0o077)
        made = contents()
        assert made.keys() >= yaml.safe_load((ROOT / name).read_text())["secrets"].keys() - {"email_host_password"}
        assert (folder / "secrets").stat().st_mode & 0o777 == 0o700
        # The containers' own user reads them, also where root closes what he makes.
        assert {path.stat().st_mode & 0o777 for path in (folder / "secrets").iterdir()} == {0o644}
        subprocess.run(start, env=environment, check=True, capture_output=True)
        assert contents() == made
        assert ("COMPOSE_PROFILES=https" in made["env"]) == ("--https" in arguments)
        assert (folder / "certificates").exists() == ("--https" in arguments)
    for wrong in ([], ["--https"], ["--https", "--worker", *urls], ["a", "b"]):
        refused = subprocess.run([str(ROOT / "platform/first-start"), *wrong], capture_output=True, check=False)
        assert refused.returncode == 2, wrong
        assert b"first-start" in refused.stderr
