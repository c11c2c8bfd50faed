"""What the README promises holds: its bot plays, its links lead somewhere, its commands exist."""

import re
from pathlib import Path
from textwrap import dedent

import pytest

from arena.archive import read_upload
from arena.check import check
from sandbox import Pool, open_backend

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.fixture
def pool():
    pool = Pool(open_backend("process"), 4)
    yield pool
    pool.close()


def test_its_bot_of_ten_lines_passes_the_check(pool):
    (block,) = re.findall(r"^    from arena import .*?(?=^\S)", README, flags=re.MULTILINE | re.DOTALL)
    source = dedent(block)
    assert len([line for line in source.splitlines() if line.strip()]) <= 10
    report = check(read_upload("bot.py", source.encode()), pool)
    assert report.ok, report.message


def test_its_links_lead_to_files():
    targets = re.findall(r"\]\((?!https?:)([^)#]+)", README)
    assert targets
    assert [target for target in targets if not (ROOT / target).exists()] == []


@pytest.mark.parametrize("name", sorted(set(re.findall(r"\bmake ([a-z]+)", README))))
def test_its_commands_are_in_the_makefile(name):
    assert re.search(rf"^{name}:", (ROOT / "Makefile").read_text(), flags=re.MULTILINE)
