"""Every setting of a bot's container, as the engine's API wants it. A test holds each to what is true inside."""

import json
from importlib import resources
from typing import Any

from sandbox.limits import Limits

ROOM = "/room"
"""The folder of the image in which the keeper shuts itself up: all that a bot sees. /proc and /sys lie outside."""

BOX = "/box"
"""Where the box folder is in the room."""

LABEL_PROJECT = "durak-arena.project"
LABEL_WORKER = "durak-arena.worker"
LABEL_BOXES = "durak-arena.boxes"

FIRST_USER, LAST_USER = 20_000, 59_999
"""User ids for bots: within the 65,536 that a remapped or rootless engine has, above those of a distribution."""

_NULL = "/dev/null"
_SIGNALS = 64  # that wait for their process, and timers: the kernel keeps them beyond the container's memory
_CPU_PERIOD = 100_000  # microseconds; quota and period alike are one CPU
# What it takes to go into the room, and to become nobody there for good, which is the first thing that the keeper does.
_TO_ENTER = ("SYS_CHROOT", "SETGID", "SETUID", "SETPCAP")
# A runtime with a kernel of its own counts that kernel's threads as well, and keeps those that it has once needed: 50
# after a first game under gVisor, 120 after two hundred. At the limit it would die, and the bot's sandbox with it.
_STRONG_RUNTIME_PIDS = 1024


def seccomp_profile() -> str:
    """The container's list of permitted system calls, as JSON text."""
    return resources.files("sandbox").joinpath("seccomp.json").read_text(encoding="utf-8")


def container_config(
    *,
    image: str,
    box: str,
    keeper: dict[str, Any],
    limits: Limits,
    labels: dict[str, str],
    runtime: str | None,
    mapped: bool = False,
) -> dict[str, Any]:
    """The body of the engine's "create a container" for one sandbox.

    `box`: the box folder on the engine's host. `keeper`: its configuration, which names the user that it becomes.
    `mapped`: whether root of a container is somebody else outside (`userns-remap`, or a rootless engine).
    """
    memory = limits.container_bytes
    host: dict[str, Any] = {
        "AutoRemove": True,  # the keeper exits with its worker, and the engine tidies up
        "NetworkMode": "none",
        "IpcMode": "none",
        "CgroupnsMode": "private",
        "ReadonlyRootfs": True,
        "Mounts": [
            {
                "Type": "bind",
                "Source": box,
                "Target": ROOM + BOX,
                "ReadOnly": True,
                "BindOptions": {"Propagation": "rprivate", "NonRecursive": True},
            },
        ],
        "Devices": [{"PathOnHost": _NULL, "PathInContainer": ROOM + _NULL, "CgroupPermissions": "rw"}],
        "CapDrop": ["ALL"],
        "CapAdd": list(_TO_ENTER),
        "Privileged": False,
        "SecurityOpt": ["no-new-privileges:true", f"seccomp={json.dumps(json.loads(seccomp_profile()))}"],
        "Memory": memory,
        "MemorySwap": memory,
        "MemorySwappiness": 0,
        "OomScoreAdj": 500,  # before anything of the host; the bot itself goes first, at 1000
        "CpuPeriod": _CPU_PERIOD,
        "CpuQuota": _CPU_PERIOD,
        "CpusetCpus": "" if limits.cpu_slot is None else str(limits.cpu_slot),
        "PidsLimit": limits.pids if runtime is None else max(limits.pids, _STRONG_RUNTIME_PIDS),
        "Ulimits": [
            {"Name": name, "Soft": value, "Hard": value}
            for name, value in (
                ("nofile", limits.nofile),
                ("core", 0),
                ("memlock", 0),
                ("msgqueue", 0),
                ("sigpending", _SIGNALS),
            )
        ],
        "LogConfig": {"Type": "none", "Config": {}},
        "RestartPolicy": {"Name": "no"},
        "Init": False,
    }
    if runtime is not None:
        host["Runtime"] = runtime
    if runtime is not None or mapped:
        # gVisor makes devices in the /dev outside of the room alone, and runc makes none in a user namespace, but takes
        # what has the same path outside. Not read-only: gVisor would have nobody write to it.
        host["Devices"] = []
        host["Mounts"].append(
            {"Type": "bind", "Source": _NULL, "Target": ROOM + _NULL, "BindOptions": {"Propagation": "rprivate"}}
        )
    return {
        "Image": image,
        "Hostname": "bot",
        "User": "0:0",  # until the keeper is in the room
        "Entrypoint": ["/usr/bin/python3", "-I", "-B", "-X", "utf8", "-m", "sandbox.keeper", json.dumps(keeper)],
        "Cmd": [],
        "Env": [],
        "WorkingDir": "/",
        "Labels": labels,
        "NetworkDisabled": True,
        "StopSignal": "SIGKILL",  # the keeper, as process 1, hears no other: an engine that stops would wait for it
        "AttachStdin": False,
        "AttachStdout": False,
        "AttachStderr": False,
        "OpenStdin": False,
        "Tty": False,
        "HostConfig": host,
    }
