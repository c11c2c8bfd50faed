"""Hostile bots on the `process` backend, those that it can hold; and that every file says what it must.

All of them are played in containers by `make hostile`, so here a choice is enough of those whose verdict is made by code
that both backends share.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import sandbox
from sandbox import Pool, open_backend
from tests.hostile.suite import FAMILIES, LIMITS, NOT_THE_KERNELS, Suite, all_bots, short_choice

BOTS = {bot.name: bot for bot in all_bots()}
VERDICTS = {"none", "load", "crash", "illegal", "protocol", "time", "memory", "output", "pondering"}


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Suite]:
    with Pool(open_backend("process", boxes=tmp_path_factory.mktemp("b")), 6) as pool:
        yield Suite(pool)


@pytest.mark.parametrize(
    "name", [bot.name for bot in short_choice([bot for bot in BOTS.values() if bot.runs_on("process")])]
)
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


def test_a_short_run_has_all_of_a_family_that_the_kernel_decides_and_some_of_the_others():
    chosen = short_choice(list(BOTS.values()))
    for family in FAMILIES:
        members = [bot for bot in BOTS.values() if bot.family == family]
        here = [bot for bot in chosen if bot.family == family]
        assert len(here) == min(NOT_THE_KERNELS.get(family, len(members)), len(members))
        assert len(set(here)) == len(here) > 0


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
