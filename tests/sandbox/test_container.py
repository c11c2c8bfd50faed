"""Every promised setting of a bot's container, seen from inside it. A setting that is missing fails here."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from sandbox import Backend, Limits, Session
from sandbox.container import HIDDEN, container_config, seccomp_profile
from tests.sandbox.conftest import ASK, open_talker

LIMITS = Limits(memory_mb=100, keeper_mb=50, cpu_slot=0, pids=12, nofile=40)

INSIDE = """
    import json, os, resource, socket, sys

    def answer(line):
        return json.dumps(eval(line.decode()), default=str).encode()

    def status(field):
        with open("/proc/self/status") as file:
            return dict(line.split(":", 1) for line in file)[field].split()
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
        (container,) = [one for one in told if one["Mounts"][0]["Source"] == box]
        yield session, container, other.start(ASK)
    backend.close()


@pytest.fixture
def inside(opened):
    """Evaluate an expression as the bot."""
    return lambda expression: json.loads(opened[0].ask(expression.encode(), ASK))


@pytest.fixture
def told(opened) -> Any:
    return opened[1]["HostConfig"]


def test_no_network(inside, told):
    assert told["NetworkMode"] == "none"
    assert inside("os.listdir('/proc/self/net') and open('/proc/self/net/dev').read().count(':')") == 1  # loopback
    assert inside("open('/proc/self/net/route').read().count('\\n')") == 1  # the heading


def test_read_only_root_and_box(inside, told):
    assert told["ReadonlyRootfs"] is True
    mounts = inside("[line.split()[4:6] for line in open('/proc/self/mountinfo')]")
    for place in ("/", "/box"):
        assert next(options for where, options in mounts if where == place).split(",")[0] == "ro"


def test_no_writable_place_for_files(inside):
    mounts = inside("[line.split() for line in open('/proc/self/mountinfo')]")
    writable = {
        fields[4]
        for fields in mounts
        if fields[5].split(",")[0] == "rw"
        and "ro" not in fields[-1].split(",")
        # The null device over hidden files, and what lies beneath hidden folders.
        and not any(f"{fields[4]}/".startswith(f"{hidden}/") for hidden in HIDDEN)
    }
    assert writable <= {"/proc", "/dev"}  # what the kernel makes of them; nobody but root may create there
    assert inside("oct(os.stat('/dev').st_mode)") == "0o40755"
    assert inside("os.stat('/dev').st_uid") == 0


def test_no_shared_memory(inside, told):
    assert told["IpcMode"] == "none"
    assert inside("os.path.exists('/dev/shm')") is False


@pytest.mark.parametrize("path", HIDDEN)
def test_hidden(inside, path: str):
    shown = inside(
        f"'absent' if not os.path.exists({path!r}) else os.listdir({path!r}) if os.path.isdir({path!r}) "
        f"else open({path!r}).read()"
    )
    assert shown in ("absent", [], "")


def test_no_capability(inside, told):
    assert told["CapDrop"] == ["ALL"]
    assert not told["CapAdd"]
    for kind in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
        assert int(inside(f"status({kind!r})")[0], 16) == 0


def test_no_new_privileges(inside):
    assert inside("status('NoNewPrivs')") == ["1"]


def test_own_profile_of_system_calls(inside, told):
    texts = [option for option in told["SecurityOpt"] if option.startswith("seccomp=")]
    assert json.loads(texts[0].removeprefix("seccomp=")) == json.loads(seccomp_profile())
    assert inside("status('Seccomp')") == ["2"]
    assert int(inside("status('Seccomp_filters')")[0]) == 2  # the container's, and the keeper's for the bot


def test_a_user_of_its_own(inside, opened):
    user = inside("os.getresuid() + os.getresgid()")
    assert len(set(user)) == 1
    assert 20_000 <= user[0] < 60_000
    assert inside("os.getgroups()") in ([], [user[0]])
    assert json.loads(opened[2].ask(b"os.getuid()", ASK)) != user[0]


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
    ("name", "value"), [("NOFILE", 40), ("CORE", 0), ("FSIZE", 0), ("NPROC", 0), ("MEMLOCK", 0), ("MSGQUEUE", 0)]
)
def test_resource_limits(inside, name: str, value: int):
    assert inside(f"resource.getrlimit(resource.RLIMIT_{name})") == [value, value]


def test_address_space(inside):
    soft, hard = inside("resource.getrlimit(resource.RLIMIT_AS)")
    assert soft == hard
    assert 100 * 1024 * 1024 < soft < 400 * 1024 * 1024


def test_no_log_kept_by_the_engine(told):
    assert told["LogConfig"]["Type"] == "none"


def test_own_control_group_namespace(inside, told):
    assert told["CgroupnsMode"] == "private"
    assert all(line.endswith(":/") for line in inside("open('/proc/self/cgroup').read().split()"))


def test_fixed_hostname_and_empty_environment(inside):
    assert inside("socket.gethostname()") == "bot"
    assert inside("dict(os.environ)") == {}


def test_the_bot_dies_before_the_keeper(inside, told):
    assert told["OomScoreAdj"] == 500
    assert inside("open('/proc/self/oom_score_adj').read()").strip() == "1000"
    assert inside("open('/proc/1/oom_score_adj').read()").strip() == "500"


def test_the_keeper_is_shut(inside):
    assert inside("os.stat('/proc/1/mem').st_uid") == 0  # not dumpable: its files belong to root
    assert inside("os.access('/proc/1/environ', os.R_OK)") is False
    assert int(inside("open('/proc/1/status').read().split('SigBlk:')[1].split()[0]"), 16) == 0
    assert int(inside("open('/proc/1/status').read().split('SigCgt:')[1].split()[0]"), 16) == 0


def test_image_without_tools(inside):
    for program in ("gcc", "cc", "as", "ld", "pip", "pip3", "git", "curl", "wget", "gdb", "strace", "nc"):
        assert inside(f"__import__('shutil').which({program!r}, path='/bin:/usr/bin:/usr/local/bin')") is None
    assert inside("__import__('importlib.util').util.find_spec('pip')") is None


def test_numpy_is_there(inside):
    assert inside("float(__import__('numpy').arange(10).sum())") == 45.0


def test_image_without_a_file_that_raises_a_privilege_or_that_anybody_may_write_to(inside):
    look = """[
        [os.path.join(folder, name), mode]
        for top in os.listdir('/') if top not in ('proc', 'sys', 'dev')
        for folder, folders, files in os.walk('/' + top)
        for name in folders + files
        for mode in [os.lstat(os.path.join(folder, name)).st_mode]
        if mode & (0o2 if mode & 0o170000 == 0o040000 else 0o6002) and mode & 0o170000 != 0o120000
    ]"""
    assert inside(" ".join(look.split())) == []


def test_the_engine_has_taken_every_setting_as_it_was_given(opened, told):
    """What an engine does not know it ignores without a word."""
    container = opened[1]
    given = container_config(
        image=container["Config"]["Image"],
        box=container["Mounts"][0]["Source"],
        keeper=json.loads(container["Config"]["Entrypoint"][-1]),
        user=int(container["Config"]["User"].split(":")[0]),
        limits=LIMITS,
        labels=container["Config"]["Labels"],
        runtime=None,
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
    assert not told["Devices"]
    assert told["AutoRemove"] is True
    assert {mount["Destination"]: mount["RW"] for mount in opened[1]["Mounts"]} == {"/box": False, "/dev/zero": False}


def test_labels_tell_the_reaper_and_nobody_else(inside, opened):
    labels = opened[1]["Config"]["Labels"]
    ours = {name for name in labels if name != "durak-arena.image"}  # which comes from the image, the same for all
    assert ours == {"durak-arena.project", "durak-arena.worker", "durak-arena.boxes"}


def test_only_descriptors_of_its_own(inside):
    assert inside("sorted(map(int, os.listdir('/proc/self/fd')))")[:4] == [0, 1, 2, 3]
    assert len(inside("os.listdir('/proc/self/fd')")) == 5  # streams, connection, and the folder being read
    assert inside("os.readlink('/proc/self/fd/0')") == "/dev/null"


def test_the_configuration_is_the_same_for_all_but_what_is_named():
    def config(**changes: Any) -> dict[str, Any]:
        settings: dict[str, Any] = {
            "image": "i", "box": "/b", "keeper": {}, "user": 20_000, "limits": Limits(), "labels": {}, "runtime": None
        }  # fmt: skip
        return container_config(**(settings | changes))

    strong = config(runtime="runsc")
    assert strong["HostConfig"].pop("Runtime") == "runsc"
    assert strong["HostConfig"].pop("PidsLimit") >= 64  # its own threads count
    plain = config()
    plain["HostConfig"].pop("PidsLimit")
    assert strong == plain
