"""Hostile bots on the `process` backend, those that it can hold; and that every file says what it must.

All of them are played in containers by `make hostile`, so here some are enough of those whose verdict is made by code that
both backends share.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import sandbox
from sandbox import Pool, open_backend
from tests.hostile.suite import FAMILIES, LIMITS, Hostile, Suite, all_bots

BOTS = {bot.name: bot for bot in all_bots()}
SHARED = {"exceptions": 2, "output": 4, "protocol": 4, "parsing": 2, "trust": 2}
"""Families whose verdict is made by the bot's own interpreter, or on our side of the socket, and how many are played."""

VERDICTS = {"none", "load", "crash", "illegal", "protocol", "time", "memory", "output", "pondering"}


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Suite]:
    with Pool(open_backend("process", boxes=tmp_path_factory.mktemp("b")), 6) as pool:
        yield Suite(pool)


def choice() -> list[str]:
    """Names, spread over each family."""
    chosen: list[Hostile] = []
    for family in FAMILIES:
        members = [bot for bot in BOTS.values() if bot.family == family and bot.runs_on("process")]
        count = min(SHARED.get(family, len(members)), len(members))
        chosen += [members[index * len(members) // count] for index in range(count)]
    return [bot.name for bot in chosen]


@pytest.mark.parametrize("name", choice())
def test_hostile_bot(suite: Suite, name: str):
    assert suite.run(BOTS[name]).faults == []


@pytest.mark.parametrize("name", BOTS)
def test_its_header_is_read(name: str):
    bot = BOTS[name]
    assert bot.family in FAMILIES
    assert set(bot.verdicts) <= VERDICTS
    assert set(bot.backends) <= {"docker", "process"}
    assert bot.limits in LIMITS
    assert bot.idea.endswith(".")


def test_every_reason_is_among_the_verdicts():
    assert {verdict for bot in BOTS.values() for verdict in bot.verdicts} == VERDICTS


def test_every_bot_between_games_closes_a_channel_that_the_sandbox_names():
    text = (Path(sandbox.__file__).parent / "README.md").read_text()
    table = text.split("## No memory between games", 1)[1].split("What remains", 1)[0]
    named = set(re.findall(r"`([a-z_0-9]+)`", table))
    assert {bot.name for bot in BOTS.values() if bot.family == "between-games"} - named == set()


def test_the_threat_model_names_bots_families_and_tests_that_there_are():
    root = Path(sandbox.__file__).parents[1]
    text = (root / "docs/threat-model.md").read_text()
    table = text.split("| Way | Closed by | Shown by |", 1)[1].split("\n\n", 1)[0]
    shown = [line.rsplit("|", 2)[1] for line in table.splitlines()[2:]]
    assert len(shown) > 10
    for name in re.findall(r"`([^`]+)`", " ".join(shown)):
        known = name in BOTS or name in FAMILIES or (root / name).exists() or (root / "tests/sandbox" / name).exists()
        assert known or name == "make soak", name
