"""The hostile bots that a plain process can hold, on the `process` backend; and that every file says what it must."""

from collections.abc import Iterator

import pytest

from sandbox import Pool, open_backend
from tests.hostile.suite import LIMITS, Suite, all_bots

BOTS = {bot.name: bot for bot in all_bots()}
VERDICTS = {"none", "load", "crash", "illegal", "protocol", "time", "memory", "output", "pondering"}


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Suite]:
    with Pool(open_backend("process", boxes=tmp_path_factory.mktemp("b")), 6) as pool:
        yield Suite(pool)


@pytest.mark.parametrize("name", [name for name, bot in BOTS.items() if bot.runs_on("process")])
def test_hostile_bot(suite: Suite, name: str):
    assert suite.run(BOTS[name]).faults == []


@pytest.mark.parametrize("name", BOTS)
def test_its_header_is_read(name: str):
    bot = BOTS[name]
    assert set(bot.verdicts) <= VERDICTS
    assert set(bot.backends) <= {"docker", "process"}
    assert bot.limits in LIMITS
    assert bot.idea.endswith(".")


def test_every_reason_is_among_the_verdicts():
    assert {verdict for bot in BOTS.values() for verdict in bot.verdicts} == VERDICTS
