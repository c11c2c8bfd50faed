"""Sandboxes for the tests of what plays in them: the real process backend, and docker where it answers."""

from collections.abc import Iterator

import pytest

from sandbox import Pool, open_backend


@pytest.fixture(scope="module", params=["process", pytest.param("docker", marks=pytest.mark.docker)])
def pool(request: pytest.FixtureRequest) -> Iterator[Pool]:
    """A pool of either backend, shared by the tests of a module: sandboxes are warm, games are not."""
    with Pool(open_backend(request.param), 6) as pool:
        yield pool


@pytest.fixture(scope="module")
def process_pool() -> Iterator[Pool]:
    """A pool of the process backend alone, where the backend makes no difference."""
    with Pool(open_backend("process"), 6) as pool:
        yield pool
