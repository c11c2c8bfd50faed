"""The pool keeps the most recently used sandboxes, and only those that live."""

from collections.abc import Iterator

import pytest

from sandbox import Backend, Limits, Pool, SandboxError
from tests.sandbox.conftest import ASK, TALKER

BOT = {"bot.py": b"def answer(line): return line"}
HOST = {"talker.py": TALKER}


@pytest.fixture
def pool(process_backend: Backend) -> Iterator[Pool]:
    with Pool(process_backend, 2) as pool:
        yield pool


def get(pool: Pool, key: object, limits: Limits | None = None):
    return pool.get(key, BOT, module="talker", limits=limits or Limits(), host_files=HOST)


def test_the_same_key_gets_the_same_sandbox(pool: Pool):
    first = get(pool, ("digest", 0))
    assert get(pool, ("digest", 0)) is first
    assert (pool.hits, pool.misses) == (1, 1)


def test_another_seat_or_other_limits_get_another_sandbox(process_backend: Backend):
    with Pool(process_backend, 3) as pool:
        sandboxes = {
            get(pool, ("digest", 0)),
            get(pool, ("digest", 1)),
            get(pool, ("digest", 0), Limits(memory_mb=100)),
        }
        assert len(sandboxes) == len(pool) == 3


def test_the_least_recently_used_makes_room(pool: Pool):
    first, second = get(pool, 1), get(pool, 2)
    get(pool, 1)
    get(pool, 3)
    assert first.alive
    assert not second.alive
    assert len(pool) == 2


def test_one_in_use_is_never_closed_to_make_room(pool: Pool):
    sessions = [get(pool, key).start(ASK) for key in (1, 2, 3)]
    assert len(pool) == 3
    assert [session.ask(b"here", ASK) for session in sessions] == [b"here"] * 3
    for session in sessions:
        session.close()
    get(pool, 4)
    assert len(pool) == 2


def test_a_dead_one_is_replaced(pool: Pool):
    first = get(pool, 1)
    first.close()
    second = get(pool, 1)
    assert second is not first
    assert second.alive
    assert pool.misses == 2


def test_discard_closes_all_of_a_key(pool: Pool):
    first, second = get(pool, 1), get(pool, 1, Limits(memory_mb=100))
    pool.discard(1)
    pool.discard("unknown")
    assert not first.alive
    assert not second.alive
    assert len(pool) == 0


def test_a_sandbox_that_does_not_come_up_leaves_the_pool_usable(pool: Pool):
    with pytest.raises(SandboxError, match="no_such_module"):
        pool.get(1, BOT, module="no_such_module", limits=Limits())
    assert get(pool, 1).alive


def test_a_pool_of_nothing_is_refused(process_backend: Backend):
    with pytest.raises(ValueError, match="at least 1"):
        Pool(process_backend, 0)
