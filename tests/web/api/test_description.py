"""The interface does what its description says: schemathesis calls every operation with what the description allows,
and with what it does not, and reads every answer."""

import copy
import itertools

import pytest
import schemathesis
from schemathesis.config import SchemathesisConfig
from schemathesis.engine import Status, events, from_schema

from api import interface, limits
from tests.web import factories
from tests.web.api.conftest import program
from tournaments.models import Game, Match

EXAMPLES = 10
"""Random requests to each operation, beside those that try every parameter's borders."""


@pytest.fixture
def generous(monkeypatch):
    """Nobody is stopped for calling too often."""
    for name in ("VISITORS", "ACCOUNTS", "UPLOADS", "EXPORTS"):
        monkeypatch.setattr(limits, name, limits.Allowance(name.lower(), 10**9, 3600))
    monkeypatch.setattr("bots.services.WAITING_CHECKS", 10**9)


@pytest.fixture
def config(transactional_db, author, bots, cup, generous):
    """The token of somebody who owns something, and addresses at which there is something."""
    factories.ladder(bots)
    values = {
        "bots": [bot.slug for bot in bots],
        "tournaments": [cup.slug, "ladder"],
        "matches": list(Match.objects.values_list("pk", flat=True)[:5]),
        "games": list(Game.objects.values_list("pk", flat=True)[:5]),
        "versions": [1],
    }

    def known(path, **parameters):
        pairs = {f"path.{name}": {"dictionary": value, "probability": 0.7} for name, value in parameters.items()}
        return {"include-path-regex": path, "parameters": pairs}

    return {
        "seed": 1,
        "headers": {"Authorization": f"Bearer {program(author).token}"},
        "workers": 1,
        "continue-on-failure": True,
        "generation": {"max-examples": EXAMPLES, "deterministic": True, "database": "none", "no-shrink": True},
        "phases": {"stateful": {"enabled": False}},
        "dictionaries": {name: {"values": found} for name, found in values.items()},
        "operations": [
            {
                # OpenAPI has no words for "a bot": a file that is none is refused as it should be.
                "include-operation-id": "upload_version",
                "checks": {"positive_data_acceptance": {"expected-statuses": ["2xx", "403", "404", "422"]}},
                "parameters": {"path.slug": {"dictionary": "bots", "probability": 0.7}},
            },
            known("^/api/bots/", slug="bots", number="versions"),
            known("^/api/tournaments/", slug="tournaments"),
            known("^/api/matches/", number="matches"),
            known("^/api/games/", number="games"),
        ],
    }


def told(label, check):
    """A finding, with the command that shows it."""
    failure = check.failure_info.failure
    return f"{label}: {check.name}: {failure.title}\n{failure.message}\n{check.failure_info.code_sample}"


@pytest.mark.patient
def test_the_interface_is_as_described(config, live_server):
    config["base-url"] = live_server.url
    description = copy.deepcopy(interface.description())
    described = schemathesis.openapi.from_dict(description, config=SchemathesisConfig.from_dict(config))
    findings, called = [], set()
    for event in from_schema(described).execute():
        if isinstance(event, (events.NonFatalError, events.FatalError)):
            findings.append(repr(event))
        elif isinstance(event, events.ScenarioFinished) and event.recorder.interactions:
            called.add(event.label)
            checks = itertools.chain.from_iterable(event.recorder.checks.values())
            findings += [told(event.label, check) for check in checks if check.status != Status.SUCCESS]
    assert "\n\n".join(findings) == ""
    assert called == {
        f"{method.upper()} {path}" for path, methods in interface.description()["paths"].items() for method in methods
    }
