"""Faults of ours in the middle of a real match, in real containers of an engine of the tests' own.

Whatever breaks: nobody is charged, the match is tried again and is then played, somebody is told, nothing hangs. What
the sandbox itself does then is in `tests/sandbox/test_chaos.py`; a worker that is killed leaves nothing by
`tests/sandbox/test_nothing_left.py`, and its match is played by another by `tests/chaos`.
"""

import shutil
import time
from collections.abc import Callable, Hashable, Iterator
from contextlib import ExitStack

import pytest
from django.urls import reverse

import sandbox
from arena.referee import SandboxPlayer
from bots import sandboxes
from tests.sandbox.own_engine import OwnEngine, filled, memory_at, own_engine
from tests.web import factories
from tournaments import integrity, play, queue
from tournaments.models import Match
from tournaments.play import Ending

pytestmark = [pytest.mark.django_db, pytest.mark.docker, pytest.mark.alone, pytest.mark.timeout(120)]

SOON = 60.0
"""Seconds after which a match that broke counts as hanging: above every limit of ours."""
MID_GAME = 40
"""The question before which it breaks: in the second game of the match, or the third."""


@pytest.fixture(scope="module")
def engine() -> Iterator[OwnEngine]:
    with own_engine(sandbox.image_tag(), {"broken": "/bin/false"}) as engine:
        yield engine


@pytest.fixture
def site(engine: OwnEngine, settings, monkeypatch, tmp_path_factory) -> Iterator[ExitStack]:
    """Workers that use that engine, with a small disk for box folders. Its end makes all whole again."""
    sandboxes.close()
    monkeypatch.setenv("DOCKER_HOST", engine.url)
    boxes = tmp_path_factory.mktemp("b")
    settings.SANDBOX, settings.SANDBOX_BOXES, settings.SANDBOX_RUNTIME = "docker", str(boxes), ""
    with memory_at(boxes, 2), ExitStack() as repairs:
        yield repairs
        repairs.close()
        sandboxes.close()


def engine_stopped(engine: OwnEngine, repairs: ExitStack) -> None:
    engine.stop()
    repairs.callback(engine.start)


def engine_restarted(engine: OwnEngine, repairs: ExitStack) -> None:
    engine.stop()
    engine.start()


def container_removed(engine: OwnEngine, repairs: ExitStack) -> None:
    engine.docker("rm", "--force", *engine.docker("ps", "--quiet").split())


def image_removed(engine: OwnEngine, repairs: ExitStack) -> None:
    image = sandbox.image_tag()
    engine.docker("tag", image, "kept")
    container_removed(engine, repairs)  # as after a night in which somebody tidied up
    engine.docker("rmi", image)
    repairs.callback(engine.docker, "tag", "kept", image)


def boxes_deleted(engine: OwnEngine, repairs: ExitStack) -> None:
    for box in sandboxes.backend().boxes.path.iterdir():
        if box.is_dir():
            shutil.rmtree(box)


def disk_of_boxes_full(engine: OwnEngine, repairs: ExitStack) -> None:
    sandboxes.pool().discard(sandbox_keys()[0])
    repairs.enter_context(filled(sandboxes.backend().boxes_root))


def disk_of_the_engine_full(engine: OwnEngine, repairs: ExitStack) -> None:
    sandboxes.pool().discard(sandbox_keys()[0])
    repairs.enter_context(filled(engine.data))


def runtime_broken(engine: OwnEngine, repairs: ExitStack) -> None:
    from sandbox.docker import DockerBackend

    backend = sandboxes.backend()
    assert isinstance(backend, DockerBackend)
    sandboxes.pool().discard(sandbox_keys()[0])
    backend.runtime = "broken"
    repairs.callback(setattr, backend, "runtime", None)


def sandbox_keys() -> list[Hashable]:
    """Keys of what is warm, the least recently used first."""
    return [key for key, _, _ in sandboxes.pool()._warm]


IN_A_GAME = [engine_stopped, engine_restarted, container_removed]
BETWEEN_GAMES = [
    engine_stopped, image_removed, disk_of_boxes_full, disk_of_the_engine_full, runtime_broken
]  # fmt: skip
"""Each of them hurts when a sandbox is opened."""


def break_between_games(monkeypatch, fault: Callable[[], None]) -> None:
    """Let it happen when one game has been played, once."""
    renew, done = queue.renew, list[bool]()

    def renew_and_break(claim, games):
        if games == 1 and not done:
            done.append(True)
            fault()
        return renew(claim, games)

    monkeypatch.setattr(queue, "renew", renew_and_break)


def break_in_a_game(monkeypatch, fault: Callable[[], None]) -> None:
    """Let it happen between two moves, once."""
    ask, asked = SandboxPlayer.ask, list[int]()

    def break_and_ask(player, question, timeout):
        asked.append(1)
        if len(asked) == MID_GAME:
            fault()
        return ask(player, question, timeout)

    monkeypatch.setattr(SandboxPlayer, "ask", break_and_ask)


@pytest.mark.parametrize(
    ("moment", "fault"),
    [(break_in_a_game, fault) for fault in IN_A_GAME] + [(break_between_games, fault) for fault in BETWEEN_GAMES],
    ids=lambda one: one.__name__,
)
def test_a_fault_of_ours_is_no_loss_and_no_hang(
    moment, fault, engine: OwnEngine, site: ExitStack, monkeypatch, client, caplog
):
    match = factories.round_robin([factories.bot(), factories.bot()]).matches.get()
    moment(monkeypatch, lambda: fault(engine, site))
    began = time.monotonic()
    assert play.play_match(match.pk, "host/1") is Ending.RELEASED
    assert time.monotonic() - began < SOON

    match.refresh_from_db()
    assert (match.state, match.attempt) == (Match.State.QUEUED, 1)
    assert match.games.count() == match.points.count() == 0
    # The alarm: an error in the log with the reason, and the page that staff looks at.
    told = [line for line in caplog.records if isinstance(line.msg, dict) and line.msg["event"] == "infrastructure"]
    assert [(line.levelname, line.msg["reason"]) for line in told] == [("ERROR", match.error)]
    client.force_login(factories.user(is_staff=True, is_superuser=True))
    page = client.get(reverse("operations")).content.decode()
    assert match.error[:40].split("`")[0] in page

    site.close()
    Match.objects.update(retry_at=None)
    ended = play.play_match(match.pk, "host/1")
    if ended is Ending.NO_SANDBOXES:  # what was broken had closed the pool; now it is looked at anew
        ended = play.play_match(match.pk, "host/1")
    assert ended is Ending.RECORDED
    match.refresh_from_db()
    assert (match.state, match.attempt, match.error) == (Match.State.FINISHED, 2, "")
    assert not any(game.failures for game in match.games.all())
    assert not any(seat.failures for seat in match.seats.all())
    assert list(integrity.check_tournament(match.tournament)) == []


@pytest.mark.parametrize("fault", [engine_restarted, container_removed, boxes_deleted])
def test_what_breaks_between_games_and_can_be_replaced_is_replaced(
    fault, engine: OwnEngine, site: ExitStack, monkeypatch
):
    match = factories.round_robin([factories.bot(), factories.bot()]).matches.get()
    break_between_games(monkeypatch, lambda: fault(engine, site))
    assert play.play_match(match.pk, "host/1") is Ending.RECORDED
    assert not any(game.failures for game in match.games.all())


def test_no_match_is_begun_while_the_engine_is_down(engine: OwnEngine, site: ExitStack, monkeypatch):
    """One match finds out; the others keep all their attempts."""
    first, second, third = factories.round_robin([factories.bot() for _ in range(3)]).matches.order_by("pk")
    break_between_games(monkeypatch, lambda: engine_stopped(engine, site))
    monkeypatch.setattr(play, "OUTAGE_SECONDS", 0.0)
    assert play.play_match(first.pk, "host/1") is Ending.RELEASED
    assert [play.play_match(match.pk, "host/1") for match in (second, third)] == [Ending.NO_SANDBOXES] * 2
    assert set(Match.objects.filter(pk__in=[second.pk, third.pk]).values_list("state", "attempt")) == {("queued", 0)}
    site.close()
    assert play.play_match(second.pk, "host/1") is Ending.RECORDED
