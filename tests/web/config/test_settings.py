"""The environment: typed, with secrets from files, and loud about what is wrong."""

import json
import os
import subprocess
import sys
import traceback
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import environment

ROOT = Path(__file__).resolve().parents[3]


def read(name: str = "ARENA_TEST") -> str | None:
    return environment.environment_value(name)


def loaded(tmp_path: Path, *names: str, **environment: str) -> dict[str, object]:
    """The settings as a process with this environment has them."""
    script = (
        f"import json; from config import settings; print(json.dumps({{n: getattr(settings, n) for n in {names!r}}}))"
    )
    answer = subprocess.run(
        [sys.executable, "-c", script],
        env={
            "PATH": os.environ["PATH"],
            "PYTHONPATH": f"{ROOT}/platform:{ROOT}",
            "DATA_DIR": str(tmp_path),
            **environment,
        },
        capture_output=True,
        text=True,
        check=False,
    )
    if answer.returncode:
        raise ImproperlyConfigured(answer.stderr.strip().splitlines()[-1])
    return dict(json.loads(answer.stdout))


@pytest.fixture(autouse=True)
def forget_variables(monkeypatch):
    monkeypatch.setattr(environment, "VARIABLES", {})


def test_a_value_may_come_from_a_file(monkeypatch, tmp_path):
    (tmp_path / "key").write_text("from a file\n", encoding="utf-8")
    monkeypatch.setenv("ARENA_TEST_FILE", str(tmp_path / "key"))
    assert read() == "from a file"


def test_a_value_and_a_file_at_once_are_refused(monkeypatch):
    monkeypatch.setenv("ARENA_TEST", "value")
    monkeypatch.setenv("ARENA_TEST_FILE", "/run/secrets/key")
    with pytest.raises(ImproperlyConfigured, match="both set"):
        read()


def test_a_file_that_cannot_be_read_is_refused(monkeypatch, tmp_path):
    monkeypatch.setenv("ARENA_TEST_FILE", str(tmp_path / "missing"))
    with pytest.raises(ImproperlyConfigured, match=r"ARENA_TEST_FILE names .*missing"):
        read()


def test_empty_is_as_good_as_not_set(monkeypatch):
    monkeypatch.setenv("ARENA_TEST", "")
    monkeypatch.setenv("ARENA_TEST_FILE", "")
    assert read() is None
    assert environment.number("ARENA_TEST", 7, "") == 7


@pytest.mark.parametrize(("value", "on"), [("1", True), ("true", True), ("ON", True), ("0", False), ("No", False)])
def test_flags(monkeypatch, value, on):
    monkeypatch.setenv("ARENA_TEST", value)
    assert environment.flag("ARENA_TEST", not on, "") is on


def test_networks_are_written_in_one_way(monkeypatch):
    monkeypatch.setenv("ARENA_TEST", "10.1.2.3/8, 192.0.2.7,::1")
    assert environment.networks("ARENA_TEST", "") == ["10.0.0.0/8", "192.0.2.7/32", "::1/128"]


def test_lists_are_split_at_commas(monkeypatch):
    monkeypatch.setenv("ARENA_TEST", " a.example, b.example ,")
    assert environment.names("ARENA_TEST", [], "") == ["a.example", "b.example"]


@pytest.mark.parametrize(
    ("read_it", "value", "sentence"),
    [
        (lambda: environment.flag("ARENA_TEST", True, ""), "maybe", "it must be 1 or 0"),
        (lambda: environment.number("ARENA_TEST", 1, ""), "-1", "a whole number of at least 1"),
        (lambda: environment.number("ARENA_TEST", 6, "", 6), "5", "a whole number of at least 6"),
        (lambda: environment.number("ARENA_TEST", 3, "", maximum=20), "21", "a whole number from 1 to 20"),
        (lambda: environment.networks("ARENA_TEST", ""), "10.0.0.0/8, home", "networks such as 10.0.0.0/8"),
        (lambda: environment.choice("ARENA_TEST", "a", ("a", "b"), ""), "c", "one of a, b"),
        (
            lambda: environment.variable("ARENA_TEST", environment.database("sqlite:////x"), "", environment.database),
            "mysql://x/y",
            "sqlite:////absolute/file",
        ),
    ],
)
def test_what_is_wrong_is_said_with_the_name(monkeypatch, read_it, value, sentence):
    monkeypatch.setenv("ARENA_TEST", value)
    with pytest.raises(ImproperlyConfigured, match=f"ARENA_TEST is .*{sentence}"):
        read_it()


@pytest.mark.parametrize(
    "url",
    ["postgres//arena:hush-hush@db/arena", "mysql://arena:hush-hush@db/arena", "postgresql://arena:hush-hush#1@db/a"],
)
def test_a_wrong_address_is_told_without_its_password(monkeypatch, url):
    monkeypatch.setenv("ARENA_TEST", url)
    with pytest.raises(ImproperlyConfigured, match=r"ARENA_TEST is .*; it must be") as error:
        environment.variable("ARENA_TEST", environment.database("sqlite:////x"), "", environment.database)
    assert "hush" not in "".join(traceback.format_exception(error.value))


def test_an_address_of_postgresql():
    found = environment.database(
        "postgresql://me:p%40ss@db.example:5433/arena%2Fone?sslmode=require&passfile=/run/pass"
    )
    assert found["ENGINE"] == "django.db.backends.postgresql"
    assert (found["NAME"], found["USER"], found["PASSWORD"]) == ("arena/one", "me", "p@ss")
    assert (found["HOST"], found["PORT"]) == ("db.example", "5433")
    assert found["OPTIONS"].items() >= {"sslmode": "require", "passfile": "/run/pass", "connect_timeout": "5"}.items()


def test_an_address_of_sqlite():
    found = environment.database("sqlite:////var/lib/arena/db.sqlite3")
    assert (found["ENGINE"], found["NAME"]) == ("django.db.backends.sqlite3", "/var/lib/arena/db.sqlite3")
    assert found["OPTIONS"]["transaction_mode"] == "IMMEDIATE"


@pytest.mark.parametrize(
    "url", ["", "arena.db", "sqlite://arena.db", "sqlite:///", "postgresql://host", "postgresql:///"]
)
def test_an_address_that_is_none_is_refused(url):
    with pytest.raises(ValueError, match="sqlite:////absolute/file"):
        environment.database(url)


def test_a_developers_machine_needs_no_variable(tmp_path):
    found = loaded(tmp_path, "DEBUG", "ALLOWED_HOSTS", "SANDBOX", "SESSION_COOKIE_SECURE", "CELERY_BROKER_URL")
    assert found == {
        "DEBUG": True,
        "ALLOWED_HOSTS": ["localhost", "127.0.0.1", "[::1]"],
        "SANDBOX": "auto",
        "SESSION_COOKIE_SECURE": False,
        "CELERY_BROKER_URL": f"durakfile://{tmp_path}/broker",
    }


def test_a_live_site_needs_a_secret_key_and_is_strict(tmp_path):
    with pytest.raises(ImproperlyConfigured, match="Set SECRET_KEY"):
        loaded(tmp_path, "DEBUG", DEBUG="0")
    (tmp_path / "key").write_text("k" * 50)
    names = (
        "SECRET_KEY",
        "SANDBOX",
        "SESSION_COOKIE_SECURE",
        "CSRF_COOKIE_SECURE",
        "SECURE_SSL_REDIRECT",
        "LOG_FORMAT",
    )
    found = loaded(tmp_path, *names, DEBUG="0", SECRET_KEY_FILE=str(tmp_path / "key"))
    assert found == {
        "SECRET_KEY": "k" * 50,
        "SANDBOX": "docker",
        "SESSION_COOKIE_SECURE": True,
        "CSRF_COOKIE_SECURE": True,
        "SECURE_SSL_REDIRECT": True,
        "LOG_FORMAT": "json",
    }


def test_a_live_site_passes_what_django_checks_before_a_deployment(tmp_path):
    """With nothing set but the key. Every finding fails, whatever its level."""
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": f"{ROOT}/platform:{ROOT}",
        "DATA_DIR": str(tmp_path),
        "DEBUG": "0",
        "SECRET_KEY": "".join(chr(33 + number % 90) for number in range(0, 400, 7)),
    }
    command = [sys.executable, str(ROOT / "manage.py"), "check", "--deploy", "--fail-level", "DEBUG"]
    answer = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr
    assert "no issues" in answer.stdout


@pytest.mark.parametrize("sandbox", ["process", "auto"])
def test_a_live_site_runs_bots_in_containers_only(tmp_path, sandbox):
    with pytest.raises(ImproperlyConfigured, match="without walls"):
        loaded(tmp_path, "SANDBOX", DEBUG="0", SECRET_KEY="k" * 50, SANDBOX=sandbox)


def test_every_variable_says_what_it_means_and_what_holds_without_it(tmp_path):
    script = "import json; from config.settings import VARIABLES as v; print(json.dumps({n: v[n].meaning for n in v}))"
    environment = {"PYTHONPATH": f"{ROOT}/platform:{ROOT}", "DATA_DIR": str(tmp_path)}
    found = json.loads(
        subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, check=True).stdout
    )
    assert {"SECRET_KEY", "DATABASE_URL", "CELERY_BROKER_URL", "SANDBOX", "DATA_DIR", "DEBUG"} <= set(found)
    assert all(meaning.endswith(".") for meaning in found.values())
