"""What `check` says of versions, disks, processors and access, without such a host."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from sandbox.check import _groups
from sandbox.finding import Finding
from sandbox.host import access, disk, processor_flaws
from sandbox.versions import component_findings, is_fixed

MASKED = ("1.2.8", "1.3.3", "1.4.0-rc3")


@pytest.mark.parametrize(
    ("version", "fixed", "answer"),
    [
        ("1.1.11", ("1.1.12",), False),
        ("1.1.12", ("1.1.12",), True),
        ("1.1.5+ds1", ("1.1.12",), False),
        ("1.2.0-rc.1", ("1.1.12",), True),
        ("1.1.15", MASKED, False),
        ("1.2.7", MASKED, False),
        ("1.2.8", MASKED, True),
        ("1.3.2", MASKED, False),
        ("1.3.10", MASKED, True),
        ("1.4.0-rc.2", MASKED, False),
        ("1.4.0-rc.3", MASKED, True),
        ("1.4.0", MASKED, True),
        ("2.0.0", MASKED, True),
        ("1.0.0-rc6+dev", ("1.0.0-rc7",), False),
        ("v28.5.1", ("20.10.9",), True),
        ("unknown", MASKED, None),
    ],
)
def test_a_version_is_mended_by_the_fix_of_its_own_branch(version: str, fixed: tuple[str, ...], answer: bool | None):
    assert is_fixed(version, fixed) is answer


def of(name: str, version: str, revision: str = "") -> Finding:
    parts: list[dict[str, Any]] = [{"Name": name, "Version": version, "Details": {"GitCommit": revision}}]
    (finding,) = component_findings({"Components": [*parts, {"Name": "docker-init", "Version": "0.19.0"}]})
    return finding


def test_a_flawed_release_is_named_with_its_flaws_and_what_to_do():
    finding = of("runc", "1.1.11", "v1.1.11-0-g4bccb38c")
    assert (finding.state, finding.advice) == ("bad", "Upgrade it.")
    assert "CVE-2024-21626" in finding.detail
    assert "CVE-2025-31133, CVE-2025-52565, CVE-2025-52881 (" in finding.detail
    assert of("runc", "1.2.4", "v1.2.4-0-g6c52b3fc").state == "weak"
    assert of("runc", "1.3.3", "v1.3.3-0-gd842d771").state == "good"


def test_a_distributions_revision_is_not_condemned_for_its_number():
    bookworm = of("runc", "1.1.5+ds1", "1.1.5+ds1-1+deb12u1")
    assert bookworm.state == "weak"
    assert "CVE-2024-21626" not in bookworm.detail  # mended in this revision
    assert "CVE-2025-31133" in bookworm.detail  # not known of it
    assert "security updates" in bookworm.advice
    before = of("runc", "1.1.5+ds1", "1.1.5+ds1-1")
    assert before.state == "weak"
    assert "CVE-2024-21626" in before.detail
    mended = of("containerd", "1.6.20~ds1", "1.6.20~ds1-1+deb12u3")
    assert mended.state == "good"
    assert "its package has mended CVE-2024-25621" in mended.detail
    assert of("containerd", "1.6.20~ds1", "1.6.20~ds1-1+deb12u1").state == "weak"


def test_a_version_that_nobody_can_read_is_not_good():
    assert of("runc", "").state == "weak"


def test_an_engine_that_names_no_parts_is_not_condemned():
    assert component_findings({"Version": "28.0.0"}) == []


def test_disks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    mib = 1024 * 1024
    states = {}
    for free in (100 * mib, 1000 * mib, 5000 * mib):
        usage = SimpleNamespace(free=free, total=10**10)
        monkeypatch.setattr("shutil.disk_usage", lambda _, usage=usage: usage)
        states[free // mib] = disk("box folders", tmp_path).state
    assert states == {100: "bad", 1000: "weak", 5000: "good"}
    monkeypatch.undo()
    assert "look at the engine's host" in disk("the engine's files", tmp_path / "elsewhere").detail


def test_processors(tmp_path: Path):
    flaws, siblings = tmp_path / "flaws", tmp_path / "active"
    assert processor_flaws(flaws).state == "weak"
    flaws.mkdir()
    (flaws / "meltdown").write_text("Not affected\n")
    (flaws / "mds").write_text("Mitigation: Clear CPU buffers\n")
    assert processor_flaws(flaws, siblings).state == "good"
    siblings.write_text("1\n")
    assert "threads share cores" in processor_flaws(flaws, siblings).detail
    (flaws / "mds").write_text("Vulnerable: no microcode\n")
    finding = processor_flaws(flaws, siblings)
    assert finding.state == "weak"
    assert "against mds." in finding.detail


def test_access(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    socket = tmp_path / "docker.sock"
    states = {}
    for mode in (0o660, 0o666):
        socket.touch()
        socket.chmod(mode)
        monkeypatch.setenv("DOCKER_HOST", f"unix://{socket}")
        states[mode] = access().state
    assert states == {0o660: "good", 0o666: "bad"}
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/none")
    assert access().state == "weak"
    monkeypatch.setenv("DOCKER_HOST", "tcp://10.0.0.7:2375")
    monkeypatch.delenv("DOCKER_TLS_VERIFY", raising=False)
    assert access().state == "bad"
    monkeypatch.setenv("DOCKER_TLS_VERIFY", "1")
    assert access().state == "good"
    monkeypatch.setenv("DOCKER_HOST", "ssh://runner")
    assert access().state == "good"


def test_access_to_the_engine_of_an_ordinary_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    socket = tmp_path / "docker.sock"
    socket.touch()
    for mode, place in ((0o660, f"unix://{socket}"), (0o666, f"unix://{socket}"), (0o660, "tcp://10.0.0.7:2375")):
        socket.chmod(mode)
        monkeypatch.setenv("DOCKER_HOST", place)
        monkeypatch.delenv("DOCKER_TLS_VERIFY", raising=False)
        assert "root" in access().detail.lower()
        told = access(rootless=True)
        assert "the engine's user" in told.detail.lower()
        assert "root" not in told.detail.lower()
        assert told.state == access().state


def test_a_rootless_engine_is_given_what_it_lacks_by_delegation():
    info: dict[str, Any] = {
        "CgroupVersion": "2", "MemoryLimit": True, "SwapLimit": True, "PidsLimit": True, "CpuCfsQuota": True,
    }  # fmt: skip
    found = {finding.item: finding for finding in _groups(info)}
    lacking = found.pop("control groups: CPU choice")
    assert {finding.state for finding in found.values()} == {"good"}
    assert lacking.state == "weak"
    assert "kernel's command line" in lacking.advice
    *_, lacking = _groups(info | {"SecurityOptions": ["name=seccomp,profile=default", "name=rootless"]})
    assert "Delegate=cpu cpuset memory pids" in lacking.advice
