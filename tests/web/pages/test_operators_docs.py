"""What the pages for operators say is what the code does: metrics, events of the log, limits, commands, settings."""

import re
from pathlib import Path

import pytest
from django.core.management import get_commands

from api import limits
from bots import services
from config import settings as configured
from pages import docs, metrics
from upkeep import signs

ROOT = Path(__file__).resolve().parents[3]
PAGES = ("operations", "monitoring", "disaster-recovery", "upgrading", "security", "moderation", "first-competition")


def page(name: str) -> str:
    return (ROOT / f"docs/{name}.md").read_text()


def sources() -> str:
    folders = [ROOT / name for name in ("platform", "sandbox", "arena")]
    return "\n".join(path.read_text() for folder in folders for path in folder.rglob("*.py"))


@pytest.mark.django_db
def test_every_metric_is_documented_and_none_beside():
    signs.start("w@h", [], 1, {"disk_free": 1, "disk_total": 2, "version": "1", "image_there": True})
    there = set(re.findall(r"^# TYPE (\w+) ", metrics.text().decode(), re.MULTILINE))
    told = set()
    for line in page("monitoring").splitlines():
        if line.startswith("| `arena_"):
            names = re.findall(r"`([\w…]+)`", line.split("|")[1])
            told |= {name if name.startswith("arena_") else "*" + name for name in names}
    for name in there:
        short = any(one.startswith("*") and name.endswith(one[1:]) for one in told)
        assert name in told or short or name.startswith("arena_checks_"), name
    for one in told:
        if not one.startswith("*") and "…" not in one:
            assert one in there, one


def test_every_event_of_the_log_that_is_named_is_logged():
    text = sources()
    events = re.findall(r"`(match_\w+|lease_\w+|sandbox_\w+)`", page("monitoring"))
    assert len(events) >= 8
    for event in events:
        assert f'"{event}"' in text, event


@pytest.mark.parametrize("name", PAGES)
def test_settings_commands_and_targets_that_are_named_exist(name):
    text = page(name)
    for command in re.findall(r"manage\.py ([a-z_]+)", text):
        assert command in get_commands(), command
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for line in re.findall(r"(?:`|^    |=1 )make ((?:[a-z-]+ ?)+)", text, re.MULTILINE):
        assert set(line.split()) <= targets, line
    known = set(configured.VARIABLES)
    prefixes = ("KEEP_", "QUOTA_", "METRICS_", "SENTRY_", "SANDBOX_", "SECRET_", "APPEAL_", "LOG_", "CACHE_")
    for variable in re.findall(r"\b[A-Z]+(?:_[A-Z]+)+\b", text):
        if variable.startswith(prefixes):
            assert variable.removesuffix("_FILE") in known, variable


def test_the_limits_that_are_told_are_those_of_the_code(settings):
    told = page("security")
    for allowance, words in (
        (limits.VISITORS, "| the API without a token | 60 requests a minute |"),
        (limits.ACCOUNTS, "| the API with a token | 300 requests a minute, 60 uploads an hour |"),
        (limits.EXPORTS, "| exports over the API | 30 an hour |"),
    ):
        assert str(allowance.requests) in words
        assert words in told
    assert limits.UPLOADS.requests == 60
    assert f"{services.WAITING_CHECKS} waiting for their check" in told
    for name in ("QUOTA_BOTS", "QUOTA_UPLOADS_A_DAY", "QUOTA_QUEUED_MATCHES"):
        default = configured.VARIABLES[name].default
        assert re.search(rf"\b{default}\b[^|]*\(`{name}`\)", told), name
    from allauth.account import app_settings

    assert app_settings.RATE_LIMITS["login"] == "30/m/ip"
    assert app_settings.RATE_LIMITS["login_failed"] == "10/m/ip,5/300s/key"
    assert app_settings.RATE_LIMITS["signup"] == app_settings.RATE_LIMITS["reset_password"].split(",")[0] == "20/m/ip"


def test_times_that_are_told_are_those_of_the_code():
    told = " ".join(page("monitoring").split())
    assert f"every {signs.SECONDS:.0f} seconds" in told
    assert f"after {signs.LATE_SECONDS:.0f} without one" in told
    assert f"| {configured.VARIABLES['KEEP_LOGS_DAYS'].default} days | `KEEP_LOGS_DAYS` |" in page("disaster-recovery")


def test_every_page_for_operators_is_in_its_section():
    section = next(section for section in docs.sections() if "operations" in [page.slug for page in section.pages])
    assert set(PAGES) | {"settings"} <= {page.slug for page in section.pages}
