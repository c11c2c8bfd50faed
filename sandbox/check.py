"""Is this host fit to run strangers' code? Looks item by item, and says in plain words what to do."""

import platform
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sandbox.errors import SandboxError, SessionFailed
from sandbox.finding import Finding
from sandbox.host import access, disk, processor_flaws
from sandbox.image.build import image_exists
from sandbox.limits import Limits
from sandbox.versions import component_findings

if TYPE_CHECKING:
    from sandbox.docker import DockerBackend

_OLDEST_KERNEL = (5, 4)  # long supported, with what the keeper and the profile rely on
_OLDEST_ENGINE = (20, 10, 10)  # clone3 answered by ENOSYS
_ASK_SECONDS = 10.0
_PROBE = "durak_arena_probe"
_PROBE_CODE = b"""
import os
import socket

def serve(connection, root):
    connection.recv(100)
    found = []
    try:
        socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        found.append("it can make a network socket")
    except OSError:
        pass
    try:
        os.fork() or os._exit(0)
        found.append("it can make a process")
    except OSError:
        pass
    for place in ("/proc", "/sys", "/dev/shm"):
        if os.path.exists(place):
            found.append("it sees " + place)
    for place in ("/", "/tmp", "/box", "/dev", str(root)):
        try:
            os.close(os.open(os.path.join(place, "probe"), os.O_WRONLY | os.O_CREAT))
            found.append("it can write to " + place)
        except OSError:
            pass
    connection.sendall("; ".join(found).encode() + b"\\n")
    connection.recv(100)
"""


def check_docker(backend: "DockerBackend", engine: Any) -> list[Finding]:
    """Findings on the engine, its host, the image and a sandbox that is really run."""
    info, version = engine.info(), engine.version()
    findings = [
        _engine(version),
        *component_findings(version),
        access(rootless=_is_rootless(info)),
        _kernel(info),
        *_groups(info),
        _profile(info),
        _users(info),
        _runtime(backend, info),
        _processors(info),
        processor_flaws(),
        disk("the engine's files", Path(info["DockerRootDir"])),
        disk("box folders", backend.boxes.root),
        _image(backend, engine),
    ]
    findings.append(_probe(backend))
    return findings


def _engine(version: dict[str, Any]) -> Finding:
    number = version["Version"]
    if _numbers(number) < _OLDEST_ENGINE:
        return Finding("engine", "bad", f"Docker {number} is too old.", "Upgrade to 20.10.10 or newer.")
    return Finding("engine", "good", f"Docker {number} answers.")


def _kernel(info: dict[str, Any]) -> Finding:
    release = info["KernelVersion"]
    if _numbers(release) < _OLDEST_KERNEL:
        return Finding("kernel", "bad", f"Linux {release} is too old.", "Run a kernel from 5.4 on, with its updates.")
    return Finding("kernel", "good", f"Linux {release}; all bots and this host share it, so keep it up to date.")


def _groups(info: dict[str, Any]) -> list[Finding]:
    findings = []
    wanted = {
        "MemoryLimit": ("memory", "memory cannot be limited", "bad"),
        "SwapLimit": ("swap", "swap cannot be limited: memory then means less than memory and swap", "weak"),
        "PidsLimit": ("processes", "the number of processes cannot be limited", "bad"),
        "CpuCfsQuota": ("CPU time", "a container cannot be held to one CPU", "weak"),
        "CPUSet": ("CPU choice", "a container cannot be pinned to a CPU", "weak"),
    }
    version = info.get("CgroupVersion", "1")
    advice = "Enable it on the kernel's command line (for memory: cgroup_enable=memory swapaccount=1)."
    if _is_rootless(info):
        advice = (
            "A rootless engine limits what control groups version 2 delegate to its user: put Delegate=cpu cpuset "
            "memory pids into a drop-in for user@.service, and restart that service."
        )
    for key, (item, lack, state) in wanted.items():
        if info.get(key):
            findings.append(Finding(f"control groups: {item}", "good", f"limited by control groups version {version}."))
        elif key == "SwapLimit" and not _host_has_swap():
            findings.append(Finding(f"control groups: {item}", "good", "not limited, but the host has none."))
        else:
            findings.append(
                Finding(
                    f"control groups: {item}",
                    "bad" if state == "bad" else "weak",
                    f"{lack}.",
                    advice,
                )
            )
    return findings


def _host_has_swap() -> bool:
    try:
        return len(Path("/proc/swaps").read_text(encoding="ascii").splitlines()) > 1
    except OSError:
        return True


def _profile(info: dict[str, Any]) -> Finding:
    options = " ".join(info.get("SecurityOptions") or [])
    if "name=seccomp" not in options:
        return Finding(
            "system calls", "bad", "The engine cannot filter system calls.", "Use a kernel and an engine with seccomp."
        )
    if "name=apparmor" not in options and "name=selinux" not in options:
        return Finding(
            "system calls",
            "good",
            "Filtered by a profile of our own (AppArmor or SELinux would be one more wall; the engine has neither).",
        )
    return Finding("system calls", "good", "Filtered by a profile of our own, with AppArmor or SELinux behind it.")


def _is_rootless(info: dict[str, Any]) -> bool:
    return "name=rootless" in (info.get("SecurityOptions") or [])


def _users(info: dict[str, Any]) -> Finding:
    options = " ".join(info.get("SecurityOptions") or [])
    for name, what in (("name=rootless", "rootless"), ("name=userns", "remapping users")):
        if name in options:
            return Finding("users", "good", f"The engine is {what}: root of a container is nobody on the host.")
    return Finding(
        "users",
        "weak",
        "User ids in a container are those of the host. Bots have ids without any right, and cannot become root.",
        'For one more wall set "userns-remap": "default" in the engine\'s daemon.json, or run a rootless engine.',
    )


def _runtime(backend: "DockerBackend", info: dict[str, Any]) -> Finding:
    if backend.runtime is not None:
        return Finding("runtime", "good", f"Bots run under {backend.runtime}, which the engine knows.")
    known = ", ".join(sorted(info.get("Runtimes", {})))
    return Finding(
        "runtime",
        "weak",
        f"Bots run under the engine's own runtime, on the host's kernel (known to the engine: {known}).",
        "For a kernel between bots and host install gVisor (Debian: runsc), register it, and set it as the runtime.",
    )


def _processors(info: dict[str, Any]) -> Finding:
    count = info["NCPU"]
    machine = info.get("Architecture") or platform.machine()
    if machine not in {"x86_64", "aarch64"}:
        return Finding(
            "processor", "bad", f"The profile does not know {machine}.", "Use a host with x86_64 or aarch64."
        )
    return Finding("processor", "good", f"{count} CPUs ({machine}): run at most {count} workers' slots here.")


def _image(backend: "DockerBackend", engine: Any) -> Finding:
    if image_exists(engine, backend.image):
        return Finding("image", "good", f"{backend.image} is there.")
    return Finding("image", "bad", f"{backend.image} is missing.", "Build it: python -m sandbox build.")


def _probe(backend: "DockerBackend") -> Finding:
    """Run a small bot of our own that tries the walls."""
    try:
        with backend.open({}, module=_PROBE, limits=Limits(), host_files={f"{_PROBE}.py": _PROBE_CODE}) as sandbox:
            session = sandbox.start(_ASK_SECONDS)
            found = session.ask(b"?", _ASK_SECONDS).decode()
            report = session.close()
    except (SandboxError, SessionFailed) as error:
        return Finding("a sandbox", "bad", f"It does not run: {error}", "Put right what stands above, then try again.")
    if found:
        return Finding("a sandbox", "bad", f"A bot in it breaks out of its walls: {found}.", "Do not run bots here.")
    told = "It comes up and answers; no network, no process, no /proc, no file to write in it."
    if report.container_cpu_seconds is None:
        return Finding(
            "a sandbox",
            "weak",
            f"{told} Its control group cannot be read from here, so memory and CPU are told by its processes alone.",
            "Nothing, if the worker runs in a container of its own; else let it read /sys/fs/cgroup and /proc.",
        )
    return Finding("a sandbox", "good", told)


def _numbers(version: str) -> tuple[int, ...]:
    """The numbers a version starts with: "20.10.24+dfsg1" -> (20, 10, 24)."""
    numbers = []
    for part in version.replace("-", ".").replace("+", ".").split("."):
        if not part.isdigit():
            break
        numbers.append(int(part))
    return tuple(numbers)
