"""Box folders: what a sandbox sees of the host, and how the leftovers of a dead worker are found."""

import contextlib
import fcntl
import os
import re
import secrets
import shutil
import socket
import stat
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from sandbox.errors import SandboxError

_NEW = ".new-"
_WORKER = re.compile(r"[0-9a-f]{12}")
_STALE_SECONDS = 3600
_READ_LAST_NS = 4_102_444_800 * 10**9  # the year 2100
_LONGEST_SOCKET_PATH = 100  # sun_path of sockaddr_un(7) holds 108 bytes, 104 on other systems


def default_root() -> Path:
    """Where this user's workers keep their box folders unless told otherwise."""
    return Path(tempfile.gettempdir()) / f"durak-arena-{os.geteuid()}"


class Box:
    """The folder of one sandbox: `bot/` (its files), `host/` (the caller's modules), `link/` (the socket).

    It is mounted read-only into the container; only the worker writes here. Nobody else has a copy, so two seats
    never share a file, not even when they are the same bot.
    """

    def __init__(self, parent: Path, files: Mapping[str, bytes], host_files: Mapping[str, bytes]) -> None:
        self.path = parent / secrets.token_hex(8)
        self.link = self.path / "link"
        self.socket_path = self.link / "socket"
        try:
            with _told_apart(f"The box folder {self.path} cannot be written"):
                self._fill(files, host_files)
        except BaseException:
            self.remove()
            raise

    def _fill(self, files: Mapping[str, bytes], host_files: Mapping[str, bytes]) -> None:
        for folder in (self.path, self.path / "bot", self.path / "host", self.link):
            folder.mkdir()
            folder.chmod(0o755)
        for name, content in files.items():
            _write(self.path / "bot", name, content)
        for name, content in host_files.items():
            _write(self.path / "host", name, content)
        # A kernel notes when a file was first read after it was written, and gVisor reads as the host does, mounted
        # read-only or not: a game could read the one file and not the other, and the next one see which. What has been
        # read in a time to come is not noted.
        for path in (self.path, *self.path.rglob("*")):
            os.utime(path, ns=(_READ_LAST_NS, path.stat().st_mtime_ns))

    @contextlib.contextmanager
    def listening(self) -> Iterator[socket.socket]:
        """A listening socket in the box for as long as one connection is expected, and not a moment longer."""
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            with _told_apart(f"No socket can be opened in the box folder {self.path}"):
                with contextlib.suppress(FileNotFoundError):
                    self.socket_path.unlink()
                listener.bind(str(self.socket_path))
                self.socket_path.chmod(0o666)  # the bot's user is none that the worker knows
                listener.listen(4)
                listener.setblocking(False)
            yield listener
        finally:
            listener.close()
            with contextlib.suppress(OSError):
                self.socket_path.unlink()

    @property
    def is_whole(self) -> bool:
        """Whether nobody has deleted it."""
        return self.link.is_dir()

    def remove(self) -> None:
        """Delete the folder; quietly nothing where it is gone already."""
        shutil.rmtree(self.path, ignore_errors=True)


class Boxes:
    """One worker's part of the root under which box folders live, locked for as long as the worker lives."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.pid = os.getpid()
        with _told_apart(f"The folder {root} for box folders cannot be used"):
            root.mkdir(mode=0o711, parents=True, exist_ok=True)
            facts = root.lstat()
            if not stat.S_ISDIR(facts.st_mode) or facts.st_uid != os.geteuid():
                raise SandboxError(f"{root} is not a folder of this user; set another folder for the box folders.")
            if len(str(root)) > _LONGEST_SOCKET_PATH - 60:
                raise SandboxError(f"{root} is too long for a socket's path; set a shorter folder for the box folders.")
            # Made under another name, so that no reaper sees it without its lock.
            new = Path(tempfile.mkdtemp(prefix=_NEW, dir=root))
            new.chmod(0o711)
            self._lock = (new / "lock").open("wb")
            # A POSIX lock belongs to this process alone: a child that outlives it does not keep it.
            fcntl.lockf(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self.worker = secrets.token_hex(6)
            self.path = new.rename(root / self.worker)

    def new_box(self, files: Mapping[str, bytes], host_files: Mapping[str, bytes]) -> Box:
        """A fresh box folder with these files (path relative to the box -> content)."""
        return Box(self.path, files, host_files)

    def dead_workers(self) -> list[str]:
        """Names of workers under this root that have ended without tidying up."""
        return [name for name in self._workers() if name != self.worker and _is_dead(self.root / name)]

    def is_dead(self, worker: str) -> bool:
        """Whether that worker has ended; one that left no folder has."""
        return worker != self.worker and _is_dead(self.root / worker)

    def remove_worker(self, worker: str) -> None:
        """Delete a dead worker's folder and all its box folders."""
        shutil.rmtree(self.root / worker, ignore_errors=True)

    def close(self) -> None:
        """Delete this worker's folder and give up its lock."""
        if self.pid == os.getpid():
            shutil.rmtree(self.path, ignore_errors=True)
        self._lock.close()

    def _workers(self) -> list[str]:
        names = []
        for entry in self.root.iterdir():
            if _WORKER.fullmatch(entry.name):  # whatever else somebody keeps there is none of ours
                names.append(entry.name)
            elif entry.name.startswith(_NEW) and time.time() - entry.lstat().st_mtime > _STALE_SECONDS:
                shutil.rmtree(entry, ignore_errors=True)
        return names


def _is_dead(folder: Path) -> bool:
    try:
        lock = (folder / "lock").open("r+b")
    except (FileNotFoundError, NotADirectoryError):
        return True
    with lock:
        try:
            fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True


def _write(folder: Path, name: str, content: bytes) -> None:
    path = PurePosixPath(name)
    if not name or path.is_absolute() or ".." in path.parts or "\0" in name or str(path) != name:
        raise ValueError(f"{name!r} is no relative path of a file in a box.")
    target = folder / name
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(content)
    target.chmod(0o644)
    while (parent := target.parent) != folder:
        parent.chmod(0o755)
        target = parent


@contextlib.contextmanager
def _told_apart(what: str) -> Iterator[None]:
    """Turn what the operating system says about our folders into an error of ours."""
    try:
        yield
    except OSError as error:
        raise SandboxError(f"{what}: {error.strerror or error}. Check free space and access.") from error
