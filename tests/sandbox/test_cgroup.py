"""Figures of a container's control group, on both versions, from trees as the kernel lays them out."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from sandbox.cgroup import ControlGroup

CONTAINER = "0123456789abcdef"


def lay_out(tmp_path: Path, membership: str, mounts: str, files: dict[str, str]) -> Path:
    for name, content in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    proc = tmp_path / "proc"
    for folder, name, content in (("77", "cgroup", membership), ("self", "mounts", mounts)):
        (proc / folder).mkdir(parents=True)
        (proc / folder / name).write_text(content)
    return proc


@pytest.fixture
def version_1(tmp_path: Path) -> ControlGroup:
    proc = lay_out(
        tmp_path,
        f"4:memory:/docker/{CONTAINER}\n3:cpu,cpuacct:/docker/{CONTAINER}\n0::/system.slice/docker.service\n",
        f"cgroup {tmp_path}/memory cgroup rw,memory 0 0\ncgroup {tmp_path}/cpu cgroup rw,cpu,cpuacct 0 0\n"
        f"cgroup2 {tmp_path}/unified cgroup2 rw 0 0\nproc /proc proc rw 0 0\n",
        {
            f"memory/docker/{CONTAINER}/memory.max_usage_in_bytes": "1234567\n",
            f"memory/docker/{CONTAINER}/memory.oom_control": "oom_kill_disable 0\nunder_oom 0\noom_kill 3\n",
            f"cpu/docker/{CONTAINER}/cpuacct.usage": "2500000000\n",
        },
    )
    return ControlGroup(77, CONTAINER, proc)


@pytest.fixture
def version_2(tmp_path: Path) -> ControlGroup:
    scope = f"system.slice/docker-{CONTAINER}.scope"
    proc = lay_out(
        tmp_path,
        f"0::/{scope}\n",
        f"cgroup2 {tmp_path}/cgroup cgroup2 rw,nsdelegate 0 0\n",
        {
            f"cgroup/{scope}/memory.peak": "1234567\n",
            f"cgroup/{scope}/memory.events": "low 0\nhigh 0\nmax 9\noom 4\noom_kill 3\n",
            f"cgroup/{scope}/cpu.stat": "usage_usec 2500000\nuser_usec 2000000\n",
        },
    )
    return ControlGroup(77, CONTAINER, proc)


@pytest.mark.parametrize("version", ["version_1", "version_2"])
def test_figures(request: pytest.FixtureRequest, version: str):
    group: ControlGroup = request.getfixturevalue(version)
    assert group.peak_bytes() == 1234567
    assert group.cpu_seconds() == 2.5
    assert group.kills() == 3
    assert group.readable
    group.close()
    assert group.peak_bytes() is None


@pytest.mark.alone
def test_a_real_group_of_version_2(tmp_path: Path):
    """The kernel's own files. Where version 1 holds the memory controller, as on this kind of host it may, version 2
    tells CPU time alone, and memory is left to the trees above."""
    if os.geteuid() != 0:
        pytest.skip("only root can mount a file system of control groups")
    mounted = tmp_path / "v2"
    mounted.mkdir()
    subprocess.run(["mount", "-t", "cgroup2", "none", str(mounted)], check=True)
    group = mounted / f"docker-{CONTAINER}.scope"
    burn = "import sys; sys.stdin.read(1); sum(range(3_000_000)); print(flush=True); sys.stdin.read(1)"
    try:
        group.mkdir()
        with subprocess.Popen([sys.executable, "-c", burn], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            (group / "cgroup.procs").write_text(str(process.pid))
            found = ControlGroup(process.pid, CONTAINER)
            before = found.cpu_seconds()
            process.stdin.write(b".")
            process.stdin.flush()
            process.stdout.readline()
            assert 0.005 < found.cpu_seconds() - before < 60
            if (group / "memory.peak").exists():
                assert found.peak_bytes() > 1_000_000
                assert found.kills() == 0
            else:
                assert (found.peak_bytes(), found.kills()) == (None, None)
            found.close()
            process.stdin.close()
        group.rmdir()
    finally:
        subprocess.run(["umount", str(mounted)], check=True)


def test_what_cannot_be_read_is_none(tmp_path: Path):
    group = ControlGroup(77, CONTAINER, tmp_path)
    assert (group.peak_bytes(), group.cpu_seconds(), group.kills()) == (None, None, None)
    assert not group.readable
    group.reset_peak()
    group.close()


def test_a_process_that_is_not_the_containers_tells_nothing(tmp_path: Path):
    """A worker in a container of its own sees other processes under the same numbers."""
    proc = lay_out(
        tmp_path,
        "0::/system.slice/ssh.service\n",
        f"cgroup2 {tmp_path}/cgroup cgroup2 rw 0 0\n",
        {"cgroup/system.slice/ssh.service/memory.events": "oom_kill 9\n"},
    )
    assert ControlGroup(77, CONTAINER, proc).kills() is None


def test_an_old_kernel_has_no_peak(tmp_path: Path):
    proc = lay_out(
        tmp_path,
        f"0::/docker/{CONTAINER}\n",
        f"cgroup2 {tmp_path}/cgroup cgroup2 rw 0 0\n",
        {f"cgroup/docker/{CONTAINER}/memory.events": "oom_kill 0\n"},
    )
    group = ControlGroup(77, CONTAINER, proc)
    assert group.peak_bytes() is None
    assert group.kills() == 0


def test_a_mount_of_any_name_hides_nothing(tmp_path: Path):
    proc = lay_out(
        tmp_path,
        f"0::/docker/{CONTAINER}\n",
        f"/dev/sdb1 /media/Диск ext4 rw 0 0\ncgroup2 {tmp_path}/cgroup cgroup2 rw 0 0\n",
        {f"cgroup/docker/{CONTAINER}/memory.events": "oom_kill 2\n"},
    )
    assert ControlGroup(77, CONTAINER, proc).kills() == 2
