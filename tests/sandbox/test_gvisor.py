"""What is different under gVisor. That its verdicts are the same is shown by `make hostile RUNTIME=runsc`."""

import json
import platform
import time
from collections.abc import Iterator

import pytest

from sandbox import Backend, SandboxError, SessionFailed, open_backend
from sandbox.docker import connect
from sandbox.image.build import copy_image
from tests import services
from tests.sandbox.conftest import ASK, PROJECT, open_talker
from tests.sandbox.test_no_memory import assert_that_looking_leaves_nothing

pytestmark = [pytest.mark.docker, pytest.mark.gvisor, pytest.mark.timeout(120)]


@pytest.fixture
def strong_backend(image: str, boxes, monkeypatch: pytest.MonkeyPatch) -> Iterator[Backend]:
    source = connect()
    monkeypatch.setenv("DOCKER_HOST", services.address("TEST_GVISOR_HOST"))
    target = connect()
    copy_image(image, source, target)
    source.close()
    backend = open_backend("docker", boxes=boxes, image=image, runtime="runsc", project=PROJECT)
    yield backend
    backend.close()
    assert list(boxes.iterdir()) == []
    assert target.containers(all=True, filters={"label": f"durak-arena.project={PROJECT}"}) == []
    target.close()


def test_a_bot_sees_another_kernel_than_the_hosts(strong_backend: Backend):
    source = "import json, os\ndef answer(line): return json.dumps([os.uname().release, os.getuid()]).encode()"
    with open_talker(strong_backend, source) as sandbox:
        release, user = json.loads(sandbox.start(ASK).ask(b"?", ASK))
        assert release != platform.release()
        assert 20_000 <= user < 60_000


def test_the_room_is_the_same(strong_backend: Backend):
    source = """
        import json, os
        def answer(line):
            with open(os.devnull, "w") as nothing: nothing.write("x")
            return json.dumps([sorted(os.listdir("/")), os.listdir("/dev"), os.stat("/..") == os.stat("/")]).encode()
    """
    with open_talker(strong_backend, source) as sandbox:
        there, devices, is_top = json.loads(sandbox.start(ASK).ask(b"?", ASK))
        assert there == ["bin", "box", "dev", "etc", "lib", "lib64", "tmp", "usr"]
        assert devices == ["null"]
        assert is_top


def test_what_one_game_has_looked_at_the_next_cannot_tell(strong_backend: Backend):
    """gVisor reads as the host does, whose file systems note it, unlike a read-only mount."""
    assert_that_looking_leaves_nothing(strong_backend)


def test_a_sandbox_outlives_its_games(strong_backend: Backend):
    """Threads of gVisor's own kernel stay, more with each game: at the container's usual limit it would die of them."""
    with open_talker(strong_backend, "def answer(line): return line") as sandbox:
        for _ in range(250):
            session = sandbox.start(ASK)
            assert session.ask(b"well", ASK) == b"well"
            session.close()
        assert sandbox.alive


def test_the_coarse_clock_of_cpu_time_accuses_nobody(strong_backend: Backend):
    """A bot that answers at once, often, has used nothing out of turn that is worth the name."""
    with open_talker(strong_backend, "def answer(line): return line") as sandbox:
        assert sandbox._cpu_grain > 0.001
        session = sandbox.start(ASK)
        charged = 0.0
        for _ in range(200):
            session.ask(b"?", ASK)
            charged += session.elapsed
            session.pause()
        report = session.close()
        assert report.stray_seconds <= 0.05
        # Half a second of nothing but questions: on average it is right.
        assert report.cpu_seconds < 2 * charged + 0.1


def test_a_bot_that_computes_out_of_turn_is_counted(strong_backend: Backend):
    source = """
        import signal, time
        def burn(*_):
            end = time.process_time() + 1.0
            while time.process_time() < end: pass
        signal.signal(signal.SIGALRM, burn)
        def answer(line):
            signal.setitimer(signal.ITIMER_REAL, 0.001)
            return line
    """
    with open_talker(strong_backend, source) as sandbox:
        session = sandbox.start(ASK)
        session.ask(b"?", ASK)
        deadline = time.monotonic() + ASK
        while session.cpu_seconds() < 1.0 and time.monotonic() < deadline:
            pass  # the bot's own timer ends this; far more than an answer takes on a busy host, which is its own
        assert session.close().stray_seconds > 0.1


def test_a_late_bot_fails_and_the_next_game_is_normal(strong_backend: Backend):
    source = "import time\ndef answer(line):\n    if line == b'late': time.sleep(1000)\n    return line"
    with open_talker(strong_backend, source) as sandbox:
        session = sandbox.start(ASK)
        with pytest.raises(SessionFailed) as failed:
            session.ask(b"late", 0.3)
        assert failed.value.reason == "time"
        session.close()
        assert sandbox.start(ASK).ask(b"well", ASK) == b"well"


def test_the_engine_without_the_runtime_is_refused_by_name(boxes, monkeypatch: pytest.MonkeyPatch):
    with pytest.raises(SandboxError, match="no runtime 'runsc-of-another-name'"):
        open_backend("docker", boxes=boxes, runtime="runsc-of-another-name")
