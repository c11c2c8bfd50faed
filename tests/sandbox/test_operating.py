"""The operator's commands and the limits' own checks."""

import socket
import tempfile
import time
from pathlib import Path
from typing import cast

import pytest

from sandbox import Backend, Limits, SandboxError, open_backend
from sandbox.__main__ import main
from sandbox.backend import Holder, _accept_keeper
from sandbox.process import _needs_user
from tests.sandbox.conftest import ASK


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"memory_mb": 0}, "memory_mb is 0"),
        ({"nofile": 3}, "at least 8 descriptors"),
        ({"address_mb": -1}, "or None for memory_mb"),
        ({"line_bytes": 0}, "line_bytes is 0"),
    ],
)
def test_limits_that_make_no_sense_are_refused(change: dict[str, int], says: str):
    with pytest.raises(ValueError, match=says):
        Limits(**change)


def test_limits_can_be_a_key():
    assert {Limits(): 1}[Limits()] == 1
    assert Limits() != Limits(memory_mb=1)


def test_an_unknown_backend_is_refused_by_name():
    with pytest.raises(SandboxError, match="choose one of docker, process, auto"):
        open_backend("dokcer")


def test_a_backend_is_for_one_process(process_backend: Backend):
    boxes = process_backend.boxes
    boxes.pid += 1  # as a forked child sees it
    with pytest.raises(SandboxError, match="open one in each process"):
        process_backend.open({}, module="talker", limits=Limits())
    boxes.pid -= 1


def test_the_process_backend_says_what_it_is_not(capsys: pytest.CaptureFixture[str], boxes: Path):
    assert main(["check", "--backend", "process", "--boxes", str(boxes)]) == 0
    said = capsys.readouterr().out
    assert "can read its files" in said
    assert said.endswith("Fit to run bots that you trust, and no others.\n")


@pytest.mark.parametrize(("runtime", "chosen"), [("", None), ("runsc", "runsc")])
def test_what_is_looked_at_is_what_the_site_is_set_to(
    monkeypatch: pytest.MonkeyPatch, boxes: Path, runtime: str, chosen: str | None
):
    """`docker-compose run worker python -m sandbox check` names no folder, and no other one is known to the engine."""
    monkeypatch.setenv("SANDBOX_BOXES", str(boxes))
    monkeypatch.setenv("SANDBOX_RUNTIME", runtime)
    asked = []

    def opened(name: str, **settings: object) -> Backend:
        asked.append((name, settings))
        return open_backend("process", boxes=boxes)

    monkeypatch.setattr("sandbox.__main__.open_backend", opened)
    assert main(["check"]) == 0
    assert main(["check", "--boxes", "/elsewhere", "--runtime", "another"]) == 0
    assert asked == [
        ("docker", {"runtime": chosen, "boxes": boxes}),
        ("docker", {"runtime": "another", "boxes": Path("/elsewhere")}),
    ]


@pytest.mark.docker
def test_check_goes_through_the_host_item_by_item(docker_backend: Backend):
    findings = {finding.item: finding for finding in docker_backend.check()}
    assert set(findings) >= {
        "engine", "version of runc", "access to the engine", "kernel", "control groups: memory", "system calls",
        "users", "runtime", "processor", "processor's flaws", "disk: the engine's files", "disk: box folders", "image",
        "a sandbox",
    }  # fmt: skip
    assert [finding for finding in findings.values() if finding.state == "bad"] == []
    assert "no file to write" in findings["a sandbox"].detail
    assert all(finding.advice for finding in findings.values() if finding.state != "good")


@pytest.mark.docker
def test_check_tells_a_host_without_image_what_to_do(boxes: Path):
    backend = open_backend("docker", boxes=boxes, image="durak-arena-bot:no-such-tag")
    bad = {finding.item: finding.advice for finding in backend.check() if finding.state == "bad"}
    backend.close()
    assert bad["image"] == "Build it: python -m sandbox build."
    assert set(bad) == {"image", "a sandbox"}


@pytest.mark.docker
def test_check_without_an_engine_is_a_sentence(
    boxes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/none.sock")
    assert main(["check", "--boxes", str(boxes)]) == 1
    assert "engine does not answer" in capsys.readouterr().err


def test_reap_is_safe_to_run_twice(capsys: pytest.CaptureFixture[str], boxes: Path):
    (boxes / "deadbeef0123").mkdir()
    for _ in range(2):
        assert main(["reap", "--backend", "process", "--boxes", str(boxes), "--dry-run"]) == 0
        told = capsys.readouterr().out
        assert "would remove box folders of worker deadbeef0123" in told
        assert "1 leftovers found, and left." in told
    for expected in ("1 leftovers removed.", "0 leftovers removed."):
        assert main(["reap", "--backend", "process", "--boxes", str(boxes)]) == 0
        assert expected in capsys.readouterr().out
    assert list(boxes.iterdir()) == []


def test_a_keeper_that_could_not_begin_is_heard_although_it_has_ended():
    """It tells why and is gone between two looks, as it does on a host that is busy."""
    with socket.socket(socket.AF_UNIX) as listener, socket.socket(socket.AF_UNIX) as keeper:
        listener.bind("")
        listener.listen()

        class Ended:
            def why_ended(self) -> str:
                keeper.connect(listener.getsockname())
                keeper.sendall(b"x")
                keeper.shutdown(socket.SHUT_RDWR)
                return "It ended with status 1."

        link = _accept_keeper(listener, cast("Holder", Ended()), time.monotonic() + ASK, Limits())
        link.close()


def test_a_keeper_that_ended_without_a_word_is_told_by_its_holder():
    class Ended:
        def why_ended(self) -> str:
            return "It ended with status 1."

    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("")
        listener.listen()
        with pytest.raises(SandboxError, match=r"It ended with status 1\."):
            _accept_keeper(listener, cast("Holder", Ended()), time.monotonic() + ASK, Limits())


def test_a_bot_gets_no_user_that_cannot_reach_it(monkeypatch: pytest.MonkeyPatch):
    """A box folder in a private one, of root: the bot would fail for want of its own files."""
    monkeypatch.setattr("os.geteuid", lambda: 0)
    monkeypatch.setattr("os.__file__", "/usr/bin/env")  # wherever Python is here, as if everybody could reach it
    monkeypatch.setattr("sys.executable", "/usr/bin/env")
    with tempfile.TemporaryDirectory(dir="/tmp") as name:  # that of a test is in a private folder itself
        box = Path(name) / "box"
        box.mkdir(mode=0o755)
        assert not _needs_user([str(box)])
        Path(name).chmod(0o711)
        assert _needs_user([str(box)])
