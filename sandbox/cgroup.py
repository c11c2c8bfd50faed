"""Figures of a container's control group, read on the host: version 1 and version 2."""

import contextlib
import os
from pathlib import Path

_MICROSECONDS, _NANOSECONDS = 1_000_000, 1_000_000_000


class ControlGroup:
    """The control group of the container whose process 1 is `pid` here on the host.

    Every figure is None where it cannot be read: another machine, another namespace of processes, an old kernel.
    """

    def __init__(self, pid: int, container_id: str, proc: Path = Path("/proc")) -> None:
        folders = _folders(pid, container_id, proc)
        memory, cpu, unified = folders.get("memory"), folders.get("cpuacct"), folders.get("")
        self._peak_path = memory / "memory.max_usage_in_bytes" if memory else unified and unified / "memory.peak"
        self._kills_path = memory / "memory.oom_control" if memory else unified and unified / "memory.events"
        self._cpu_path = cpu / "cpuacct.usage" if cpu else unified and unified / "cpu.stat"
        self._peak: int | None = None
        if self._peak_path is not None:
            # Writing resets the peak (version 2: since Linux 6.12, and for this descriptor alone).
            for flags in (os.O_RDWR, os.O_RDONLY):
                with contextlib.suppress(OSError):
                    self._peak = os.open(self._peak_path, flags | os.O_CLOEXEC)
                    break

    @property
    def readable(self) -> bool:
        """Whether it can be told how often the kernel killed here."""
        return self.kills() is not None

    def reset_peak(self) -> None:
        """Let the peak count from now; where the kernel cannot, it goes on counting from the container's start."""
        if self._peak is not None:
            with contextlib.suppress(OSError):
                os.pwrite(self._peak, b"0", 0)

    def peak_bytes(self) -> int | None:
        """Peak memory of the container in bytes, page cache included."""
        if self._peak is None:
            return None
        with contextlib.suppress(OSError):
            return int(os.pread(self._peak, 64, 0))
        return None

    def cpu_seconds(self) -> float | None:
        """CPU time of everything that ever ran in the container."""
        text = _read(self._cpu_path)
        if text is None:
            return None
        if (microseconds := _field(text, "usage_usec")) is not None:
            return microseconds / _MICROSECONDS
        return int(text) / _NANOSECONDS

    def kills(self) -> int | None:
        """How many processes the kernel has killed here for want of memory."""
        text = _read(self._kills_path)
        return None if text is None else _field(text, "oom_kill")

    def close(self) -> None:
        """Give the descriptor back."""
        if self._peak is not None:
            os.close(self._peak)
            self._peak = None


def _folders(pid: int, container_id: str, proc: Path) -> dict[str, Path]:
    """Controller ("" for version 2) -> folder; only what is certainly this container's."""
    membership, mounts = _read(proc / str(pid) / "cgroup"), _read(proc / "self" / "mounts")
    if membership is None or mounts is None:
        return {}
    mounted: dict[str, Path] = {}
    for line in mounts.splitlines():
        _, place, kind, options = line.split()[:4]
        if kind == "cgroup":
            mounted |= dict.fromkeys(options.split(","), Path(place))
        elif kind == "cgroup2":
            mounted[""] = Path(place)
    folders = {}
    for line in membership.splitlines():
        _, controllers, path = line.split(":", 2)
        for controller in controllers.split(","):
            if controller in mounted and container_id in path:
                folders[controller] = mounted[controller] / path.lstrip("/")
    return {controller: folder for controller, folder in folders.items() if folder.is_dir()}


def _read(path: Path | None) -> str | None:
    if path is None:
        return None
    try:
        # Among the mounts may be a folder of any name, none of which is looked for.
        return path.read_text(encoding="ascii", errors="surrogateescape")
    except OSError:
        return None


def _field(text: str, name: str) -> int | None:
    for line in text.splitlines():
        key, _, value = line.partition(" ")
        if key == name:
            return int(value)
    return None
