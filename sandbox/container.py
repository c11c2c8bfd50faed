"""Every setting of a bot's container, as the engine's API wants it. A test holds each to what is true inside."""

import json
from importlib import resources
from typing import Any

from sandbox.box import NOTHING
from sandbox.limits import Limits

BOX = "/box"
"""Where the box folder is in the container."""

LABEL_PROJECT = "durak-arena.project"
LABEL_WORKER = "durak-arena.worker"
LABEL_BOXES = "durak-arena.boxes"

FIRST_USER, LAST_USER = 20_000, 59_999
"""User ids for bots: within the 65,536 that a remapped or rootless engine has, above those of a distribution."""

_CPU_PERIOD = 100_000  # microseconds; quota and period alike are one CPU
_KEEPER_NOFILE = 1024  # what the keeper holds of /proc; a bot's process takes `Limits.nofile` itself
# A runtime with a kernel of its own counts that kernel's threads as well, and keeps those that it has once needed: 50
# after a first game under gVisor, 120 after two hundred. At the limit it would die, and the bot's sandbox with it.
_STRONG_RUNTIME_PIDS = 1024

HIDDEN = (
    # The engine's own list.
    "/proc/acpi", "/proc/asound", "/proc/kcore", "/proc/keys", "/proc/latency_stats", "/proc/sched_debug",
    "/proc/scsi", "/proc/timer_list", "/proc/timer_stats",
    # Figures about the whole host, which one container can move and another, or a later game, can read.
    "/proc/buddyinfo", "/proc/consoles", "/proc/diskstats", "/proc/interrupts", "/proc/key-users", "/proc/loadavg",
    "/proc/locks", "/proc/meminfo", "/proc/pagetypeinfo", "/proc/pressure", "/proc/schedstat", "/proc/slabinfo",
    "/proc/softirqs", "/proc/stat", "/proc/swaps", "/proc/uptime", "/proc/vmallocinfo", "/proc/vmstat",
    "/proc/zoneinfo",
    # Handles and settings of the kernel.
    "/proc/bus", "/proc/driver", "/proc/fs", "/proc/irq", "/proc/kallsyms", "/proc/kmsg", "/proc/modules", "/proc/mtrr",
    "/proc/sys", "/proc/sysrq-trigger", "/proc/sysvipc", "/proc/tty", "/proc/cmdline",
    # Devices and the control groups: among them the peak memory of the games before.
    "/sys",
    # What else could be written to although the root is read-only.
    "/dev/mqueue", "/dev/pts",
)  # fmt: skip
"""Paths inside the container that are covered by nothing."""


def seccomp_profile() -> str:
    """The container's list of permitted system calls, as JSON text."""
    return resources.files("sandbox").joinpath("seccomp.json").read_text(encoding="utf-8")


def container_config(
    *,
    image: str,
    box: str,
    keeper: dict[str, Any],
    user: int,
    limits: Limits,
    labels: dict[str, str],
    runtime: str | None,
) -> dict[str, Any]:
    """The body of the engine's "create a container" for one sandbox.

    `box`: the box folder on the engine's host. `keeper`: its configuration. `user`: the user id of this seat alone.
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
                "Target": BOX,
                "ReadOnly": True,
                "BindOptions": {"Propagation": "rprivate", "NonRecursive": True},
            },
            {
                # Mapped, it is memory to share, whose pieces the kernel numbers one after the other. A mount hides it
                # under gVisor as well, which covers no path of /dev.
                "Type": "bind",
                "Source": f"{box}/{NOTHING}",
                "Target": "/dev/zero",
                "ReadOnly": True,
                "BindOptions": {"Propagation": "rprivate"},
            },
        ],
        "MaskedPaths": list(HIDDEN),
        "CapDrop": ["ALL"],
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
                ("nofile", max(limits.nofile, _KEEPER_NOFILE)),
                ("core", 0),
                ("memlock", 0),
                ("msgqueue", 0),
            )
        ],
        "LogConfig": {"Type": "none", "Config": {}},
        "RestartPolicy": {"Name": "no"},
        "Init": False,
    }
    if runtime is not None:
        host["Runtime"] = runtime
    return {
        "Image": image,
        "Hostname": "bot",
        "User": f"{user}:{user}",
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
