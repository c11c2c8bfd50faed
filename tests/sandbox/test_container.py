"""Every promised setting of a bot's container, seen from inside and from the host: one that is missing fails here."""

import errno
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sandbox import Backend, Limits, SandboxError, Session
from sandbox.container import _TO_ENTER, ROOM, container_config, seccomp_profile
from tests.sandbox.conftest import ASK, host_processes, open_talker

LIMITS = Limits(line_bytes=500_000, memory_mb=100, keeper_mb=50, cpu_slot=0, pids=12, nofile=40)

INSIDE = """
    import json, os, resource, socket, sys

    def answer(line):
        return json.dumps(eval(line.decode()), default=str).encode()

    def refused(attempt, *given):
        try: attempt(*given)
        except OSError as error: return error.errno
"""

pytestmark = pytest.mark.docker


@pytest.fixture(scope="module")
def opened(
    image: str, engine: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Session, dict[str, Any], Session]]:
    """A session under these limits, what the engine says of its container, and a session in the bot's other seat."""
    from sandbox import open_backend
    from tests.sandbox.conftest import PROJECT

    backend: Backend = open_backend(
        "docker", boxes=tmp_path_factory.mktemp("b"), image=image, project=f"{PROJECT}-settings"
    )
    with open_talker(backend, INSIDE, LIMITS) as sandbox, open_talker(backend, INSIDE, LIMITS) as other:
        filters = {"label": f"durak-arena.project={PROJECT}-settings"}
        ids = [found["Id"] for found in engine.containers(filters=filters)]
        session = sandbox.start(ASK)
        told = [engine.inspect_container(name) for name in ids]
        box = str(sandbox._box.path)
        (container,) = [one for one in told if box in {mount["Source"] for mount in one["Mounts"]}]
        yield session, container, other.start(ASK)
    backend.close()


@pytest.fixture
def inside(opened):
    """Evaluate an expression as the bot."""
    return lambda expression: json.loads(opened[0].ask(expression.encode(), ASK))


@pytest.fixture
def told(opened) -> Any:
    return opened[1]["HostConfig"]


@pytest.fixture
def processes(opened, engine: Any) -> list[Path]:
    """Folders in the host's /proc: of the keeper, its minder and the game's process, in this order."""
    found = host_processes(engine, opened[1]["Id"])
    assert len(found) == 3
    return found


@pytest.fixture
def game(processes: list[Path]) -> Path:
    return processes[2]


def status(process: Path, field: str) -> list[str]:
    lines = (process / "status").read_text().splitlines()
    return dict(line.split(":", 1) for line in lines)[field].split()


def test_no_network(game: Path, told):
    assert told["NetworkMode"] == "none"
    assert (game / "net/dev").read_text().count(":") == 1  # loopback
    assert (game / "net/route").read_text().count("\n") == 1  # the heading


def test_all_that_there_is(inside):
    assert sorted(inside("os.listdir('/')")) == ["bin", "box", "dev", "etc", "lib", "lib64", "tmp", "usr"]
    assert inside("os.listdir('/dev')") == ["null"]
    assert inside("[os.major(os.stat('/dev/null').st_rdev), os.minor(os.stat('/dev/null').st_rdev)]") == [1, 3]
    assert inside("[os.listdir('/tmp'), sorted(os.listdir('/box'))]") == [[], ["bot", "host", "link"]]
    assert inside("os.stat('/..') == os.stat('/')") is True


def test_no_way_out_of_the_room(inside, processes: list[Path]):
    """Neither the bot nor who forks it: from the keeper on, nobody has a folder outside but for one of /proc."""
    for process in processes:
        assert (process / "root").readlink().name == Path(ROOM).name
        assert (process / "cwd").readlink().name == Path(ROOM).name
    held = [[str(file.readlink()) for file in sorted((process / "fd").iterdir())] for process in processes]
    keeper, minder, game = held
    assert "/proc" in keeper
    assert "/proc" in minder
    assert [name.partition(":")[0] for name in game] == [f"{ROOM}/dev/null", "pipe", "pipe", "socket"]
    # No open file is the keeper's, or the next game would find it as this one has left it; not even a null device.
    assert "/dev/null" in keeper
    assert inside("refused(os.chroot, '/usr')") == errno.EPERM


def test_read_only_root_and_box(inside, told):
    assert told["ReadonlyRootfs"] is True
    answer = inside("[[folder, refused(open, folder + '/left', 'w')] for folder, _, _ in os.walk('/')]")
    assert {error for _, error in answer} == {errno.EROFS}
    assert len(answer) > 100


def test_no_writable_place_for_files(game: Path):
    mounts = [line.split() for line in (game / "mountinfo").read_text().splitlines()]
    found = {fields[4]: fields[5].split(",")[0] for fields in mounts}
    found.pop("/dev/null", None)  # how an engine gives a device that may not make one
    assert found == {"/box": "ro"}


def test_no_shared_memory(told):
    assert told["IpcMode"] == "none"


def test_no_capability(processes: list[Path], told):
    """The keeper begins with what it needs to go into its room, and has none of it when it is there."""
    assert told["CapDrop"] == ["ALL"]
    assert {name.removeprefix("CAP_") for name in told["CapAdd"]} == {"SYS_CHROOT", "SETGID", "SETUID", "SETPCAP"}
    for process in processes:
        for kind in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
            assert int(status(process, kind)[0], 16) == 0


def test_no_new_privileges(processes: list[Path]):
    assert [status(process, "NoNewPrivs") for process in processes] == [["1"]] * 3


def test_own_profile_of_system_calls(processes: list[Path], told):
    texts = [option for option in told["SecurityOpt"] if option.startswith("seccomp=")]
    assert json.loads(texts[0].removeprefix("seccomp=")) == json.loads(seccomp_profile())
    assert [status(process, "Seccomp") for process in processes] == [["2"]] * 3
    # The container's, and the keeper's for the bot.
    assert [status(process, "Seccomp_filters") for process in processes] == [["1"], ["1"], ["2"]]


def test_a_user_of_its_own(inside, opened, processes: list[Path]):
    user = inside("os.getresuid() + os.getresgid()")
    assert len(set(user)) == 1
    assert 20_000 <= user[0] < 60_000
    assert inside("os.getgroups()") == []
    assert json.loads(opened[2].ask(b"os.getuid()", ASK)) != user[0]
    for kind in ("Uid", "Gid"):  # as the host counts them, which need not be as the container does
        assert len({tuple(set(status(process, kind))) for process in processes}) == 1
    assert (
        inside("[refused(os.setresuid, 0, 0, 0), refused(os.setresgid, 0, 0, 0), refused(os.setgroups, [0])]")
        == [errno.EPERM] * 3
    )


def test_pids_limit(told):
    assert told["PidsLimit"] == LIMITS.pids


def test_memory_and_swap(told):
    assert told["Memory"] == told["MemorySwap"] == LIMITS.container_bytes
    assert told["MemorySwappiness"] in (0, None)  # None where version 2 of the control groups has no such thing


def test_one_cpu_pinned_to_its_slot(inside, told):
    assert told["CpuQuota"] == told["CpuPeriod"] > 0
    assert told["CpusetCpus"] == "0"
    assert inside("sorted(os.sched_getaffinity(0))") == [0]


@pytest.mark.parametrize(
    ("name", "value"),
    [("NOFILE", 40), ("CORE", 0), ("FSIZE", 0), ("NPROC", 0), ("MEMLOCK", 0), ("MSGQUEUE", 0), ("SIGPENDING", 64)],
)
def test_resource_limits(inside, name: str, value: int):
    assert inside(f"resource.getrlimit(resource.RLIMIT_{name})") == [value, value]


def test_address_space(inside):
    soft, hard = inside("resource.getrlimit(resource.RLIMIT_AS)")
    assert soft == hard
    assert 100 * 1024 * 1024 < soft < 400 * 1024 * 1024


def test_no_log_kept_by_the_engine(told):
    assert told["LogConfig"]["Type"] == "none"


def test_own_control_group_namespace(game: Path, told):
    assert told["CgroupnsMode"] == "private"
    assert (game / "ns/cgroup").readlink() != Path("/proc/self/ns/cgroup").readlink()


def test_fixed_hostname_and_empty_environment(inside):
    assert inside("socket.gethostname()") == "bot"
    assert inside("dict(os.environ)") == {}


def test_the_bot_dies_before_the_keeper(processes: list[Path], told):
    assert told["OomScoreAdj"] == 500
    scores = [(process / "oom_score_adj").read_text().strip() for process in processes]
    assert scores == ["500", "500", "1000"]


def test_the_keeper_is_shut(processes: list[Path]):
    for process in processes:
        # Not dumpable: its files belong to root, and not to the user that it runs as.
        assert str((process / "mem").stat().st_uid) not in status(process, "Uid")
    for process in processes[:2]:
        assert int(status(process, "SigBlk")[0], 16) == 0
        assert int(status(process, "SigCgt")[0], 16) == 0


def test_of_programs_there_is_python_alone(inside):
    folders = ("/bin", "/usr/bin", "/usr/local/bin", "/usr/sbin", "/usr/local/sbin", "/usr/games", "/usr/libexec")
    found = inside(f"[name for folder in {folders} if os.path.isdir(folder) for name in os.listdir(folder)]")
    assert found
    assert {name for name in found if not name.startswith("python3")} == set()
    assert inside("__import__('importlib.util').util.find_spec('pip')") is None


def test_numpy_is_there(inside):
    assert inside("float(__import__('numpy').arange(10).sum())") == 45.0


def test_image_without_a_file_that_raises_a_privilege_or_that_anybody_may_write_to(inside):
    look = """[
        [os.path.join(folder, name), mode]
        for folder, folders, files in os.walk('/')
        for name in folders + files if folder != '/dev'
        for mode in [os.lstat(os.path.join(folder, name)).st_mode]
        if mode & (0o2 if mode & 0o170000 == 0o040000 else 0o6002) and mode & 0o170000 != 0o120000
    ]"""
    assert inside(" ".join(look.split())) == []


def test_the_engine_has_taken_every_setting_as_it_was_given(opened, told):
    """What an engine does not know it ignores without a word."""
    container = opened[1]
    given = container_config(
        image=container["Config"]["Image"],
        box=next(mount["Source"] for mount in container["Mounts"] if mount["Destination"] == "/room/box"),
        keeper=json.loads(container["Config"]["Entrypoint"][-1]),
        limits=LIMITS,
        labels=container["Config"]["Labels"],
        runtime=None,
        mapped=not told["Devices"],
    )
    host = given.pop("HostConfig")
    ours = {"NetworkDisabled", "Cmd", "Env", "StopSignal"}
    for name, value in given.items():
        if name not in ours:
            assert container["Config"][name] == value, name
    assert not container["Config"].get("Cmd")
    assert container["Config"]["NetworkDisabled"] is True
    # The image of a distribution names a PATH, which the engine adds; the keeper clears it before anything else.
    assert {line.split("=")[0] for line in container["Config"]["Env"]} <= {"PATH"}
    taken = dict(told)
    taken["RestartPolicy"] = {"Name": taken["RestartPolicy"]["Name"]}
    if taken["MemorySwappiness"] is None:  # version 2 of the control groups has no such thing
        taken["MemorySwappiness"] = 0
    assert {name: taken[name] for name in host} == host


def test_nothing_is_attached_and_nobody_privileged(opened, told):
    config = opened[1]["Config"]
    assert not any(config[f"Attach{stream}"] for stream in ("Stdin", "Stdout", "Stderr"))
    assert not config["OpenStdin"]
    assert not config["Tty"]
    assert config["StopSignal"] == "SIGKILL"
    assert told["Privileged"] is False
    assert told["AutoRemove"] is True
    mounts = {mount["Destination"]: mount["RW"] for mount in opened[1]["Mounts"]}
    if told["Devices"]:
        (device,) = told["Devices"]
        assert device == {"PathOnHost": "/dev/null", "PathInContainer": "/room/dev/null", "CgroupPermissions": "rw"}
    else:  # in a user namespace nobody makes one
        assert mounts.pop("/room/dev/null") is True
    assert mounts == {"/room/box": False}


def test_labels_tell_the_reaper_and_nobody_else(inside, opened):
    labels = opened[1]["Config"]["Labels"]
    ours = {name for name in labels if name != "durak-arena.image"}  # which comes from the image, the same for all
    assert ours == {"durak-arena.project", "durak-arena.worker", "durak-arena.boxes"}


def test_the_configuration_is_the_same_for_all_but_what_is_named():
    def config(**changes: Any) -> dict[str, Any]:
        settings: dict[str, Any] = {
            "image": "i", "box": "/b", "keeper": {}, "limits": Limits(), "labels": {}, "runtime": None
        }  # fmt: skip
        return container_config(**(settings | changes))

    strong = config(runtime="runsc")
    assert strong["HostConfig"].pop("Runtime") == "runsc"
    assert strong["HostConfig"].pop("PidsLimit") >= 64  # its own threads count
    plain = config()
    plain["HostConfig"].pop("PidsLimit")
    # The null device, made there, mounted here.
    (device,) = plain["HostConfig"].pop("Devices")
    assert strong["HostConfig"].pop("Devices") == []
    mount = strong["HostConfig"]["Mounts"].pop()
    assert device["PathInContainer"] == mount["Target"] == "/room/dev/null"
    assert strong == plain
    mapped = config(mapped=True)
    assert mapped["HostConfig"].pop("Devices") == []
    assert mapped["HostConfig"]["Mounts"].pop() == mount
    mapped["HostConfig"].pop("PidsLimit")
    assert mapped == plain


@pytest.mark.parametrize("missing", ["SYS_CHROOT", "SETGID", "SETUID", "SETPCAP"])
def test_without_a_room_no_bot_is_run(docker_backend: Backend, monkeypatch: pytest.MonkeyPatch, missing: str):
    """An engine that does not give what it is asked for: the keeper ends before it has loaded anything."""
    monkeypatch.setattr("sandbox.container._TO_ENTER", [name for name in _TO_ENTER if name != missing])
    with pytest.raises(SandboxError, match="it cannot shut itself up in /room, for which it needs four capabilities"):
        open_talker(docker_backend, INSIDE)
