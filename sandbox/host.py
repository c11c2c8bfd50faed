"""What `check` looks at on the host itself: its disks, its processor, and who can reach the engine."""

import os
import shutil
import stat
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from sandbox.finding import Finding

_USUAL_SOCKET = "/var/run/docker.sock"
_VULNERABILITIES = Path("/sys/devices/system/cpu/vulnerabilities")
_SIBLINGS = Path("/sys/devices/system/cpu/smt/active")

_MIB = 1024 * 1024
_SCARCE, _NONE = 2048 * _MIB, 256 * _MIB
"""Free bytes below which a disk is soon, or as good as, full: an image takes 300 MiB, a box folder some megabytes."""
_FEW_FILES = 10_000


def disk(what: str, folder: Path) -> Finding:
    """Room for that, where `folder` can be seen from here."""
    item = f"disk: {what}"
    try:
        usage, free_files = shutil.disk_usage(folder), os.statvfs(folder).f_favail
    except OSError:
        return Finding(item, "good", f"{folder} is not to be seen from here: look at the engine's host.")
    shown = f"{usage.free / _MIB / 1024:.1f} GiB of {usage.total / _MIB / 1024:.1f} free at {folder}"
    advice = "Make room there: `docker system df` and `python -m sandbox reap` tell and take what is not needed."
    if usage.free < _NONE:
        return Finding(item, "bad", f"{shown}: bots will not start.", advice)
    if usage.free < _SCARCE:
        return Finding(item, "weak", f"{shown}.", advice)
    if 0 < free_files < _FEW_FILES:  # some file systems have no count of them, and say 0
        return Finding(item, "weak", f"{shown}, but room for {free_files} files only.", advice)
    return Finding(item, "good", f"{shown}.")


def processor_flaws(folder: Path = _VULNERABILITIES, siblings: Path = _SIBLINGS) -> Finding:
    """What the kernel says of the processor's known flaws: they let a process guess at memory that is not its own."""
    item = "processor's flaws"
    try:
        told = {path.name: path.read_text(encoding="utf-8").strip() for path in sorted(folder.iterdir())}
    except OSError:
        return Finding(item, "weak", "The kernel does not tell.", "Run a kernel that has /sys/devices/system/cpu.")
    bare = [name for name, state in told.items() if state.startswith("Vulnerable")]
    if bare:
        return Finding(
            item,
            "weak",
            f"The kernel does nothing against {', '.join(bare)}.",
            "Install the processor's microcode and a current kernel, and do not boot with mitigations=off.",
        )
    if _read(siblings) == "1":
        return Finding(
            item,
            "weak",
            "All known ones are mitigated, but threads share cores: what runs on one can be measured on the other.",
            "Turn simultaneous multithreading off (nosmt), or give workers one thread of each core.",
        )
    return Finding(item, "good", "All known ones are mitigated, and no core is shared by two threads.")


def access(*, rootless: bool = False) -> Finding:
    """Who can give the engine orders: whoever can is root on its host, or the user of a rootless engine."""
    item = "access to the engine"
    who = "the engine's user" if rootless else "root"
    place = os.environ.get("DOCKER_HOST") or f"unix://{_USUAL_SOCKET}"
    parts = urlsplit(place)
    if parts.scheme in {"tcp", "http"}:
        secured = bool(os.environ.get("DOCKER_TLS_VERIFY"))
        state: Literal["good", "bad"] = "good" if secured else "bad"
        said = "and checks certificates" if secured else f"and anybody who reaches that port is {who} there"
        return Finding(item, state, f"It listens at {place}, {said}.", "" if secured else "Use TLS, ssh or a socket.")
    if parts.scheme != "unix":
        return Finding(item, "good", f"It is reached by {parts.scheme}, whose keys decide who is {who} there.")
    try:
        mode = Path(parts.path).stat().st_mode
    except OSError as error:
        return Finding(item, "weak", f"{parts.path} cannot be looked at ({error.strerror}).", "Look at it as root.")
    if mode & stat.S_IWOTH:
        return Finding(
            item, "bad", f"Every user may write to {parts.path}, and so is {who}.", f"chmod o-rw {parts.path}"
        )
    if rootless:
        return Finding(item, "good", f"{parts.path} is the engine's user's, and worth no more than that user.")
    return Finding(item, "good", f"Root and one group may use {parts.path}; whoever is in that group is root.")


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii").strip()
    except OSError:
        return ""
