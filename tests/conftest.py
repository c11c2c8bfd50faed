"""What holds for every test: services are skipped by name where they are missing, and never silently.

A test that needs a service says so with a marker (`docker`, `gvisor`, `postgres`, `redis`, `chromium`, `java`). Where
it is missing the test is skipped, and the reason names what to do. With `--require all` (or REQUIRE=all) a missing
service fails the test instead, and so does any other skip: in CI nothing is left out.
"""

import os
from collections.abc import Generator
from typing import Any

import pytest

from tests import services


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--require",
        choices=["", "all"],
        default=os.environ.get("REQUIRE", ""),
        help="'all': a missing service, or any other reason to skip, is a failure (default: the variable REQUIRE)",
    )


def pytest_runtest_setup(item: pytest.Item) -> None:
    for name in ("docker", "gvisor", "postgres", "redis", "chromium", "java"):
        if item.get_closest_marker(name) and (reason := services.missing(name)):
            pytest.skip(f"needs {name}: {reason}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if item.config.getoption("--require") == "all":
        _refuse_skip(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    if collector.config.getoption("--require") == "all":
        _refuse_skip(report)
    return report


def _refuse_skip(report: Any) -> None:
    """Turn a skip into a failure that carries its reason. An expected failure (`xfail`) is no skip."""
    if report.outcome == "skipped" and not hasattr(report, "wasxfail"):
        reason = report.longrepr[-1] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        report.outcome = "failed"
        report.longrepr = f"{reason}\nNothing may be skipped with --require all."
