"""Keeps a worker's most recently used sandboxes warm."""

import contextlib
from collections import OrderedDict
from collections.abc import Hashable, Mapping, Sequence

from sandbox.backend import Backend, Sandbox
from sandbox.errors import SandboxError
from sandbox.limits import Limits


class Pool:
    """At most `size` warm sandboxes of one backend; the least recently used one makes room. Not for several threads.

    Keys are the caller's: bot version, seat instance (two seats of the same bot need two sandboxes) and whatever
    else must not be shared; limits are part of the key without being named. `size` should be at least the number of
    seats at a table: sandboxes in use are never closed to make room.
    """

    def __init__(self, backend: Backend, size: int) -> None:
        if size < 1:
            raise ValueError(f"A pool of {size} sandboxes holds nothing; give a size of at least 1.")
        self.backend = backend
        self.size = size
        self.hits = 0
        """How often `get` found what it was asked for."""
        self.misses = 0
        """How often `get` had to bring up a sandbox."""
        self._warm: OrderedDict[tuple[Hashable, str, Limits], Sandbox] = OrderedDict()

    def get(
        self,
        key: Hashable,
        files: Mapping[str, bytes],
        *,
        module: str,
        limits: Limits,
        preload: Sequence[str] = (),
        host_files: Mapping[str, bytes] | None = None,
    ) -> Sandbox:
        """The warm sandbox of this key, or a new one (see `Backend.open`). SandboxError where none can be had."""
        full_key = (key, module, limits)
        sandbox = self._warm.get(full_key)
        if sandbox is not None:
            if sandbox.alive:
                self.hits += 1
                self._warm.move_to_end(full_key)
                return sandbox
            self._drop(full_key)
        self.misses += 1
        self._make_room()
        sandbox = self.backend.open(files, module=module, limits=limits, preload=preload, host_files=host_files)
        self._warm[full_key] = sandbox
        return sandbox

    def discard(self, key: Hashable) -> None:
        """Close every sandbox of this key, warm or broken."""
        for full_key in [full_key for full_key in self._warm if full_key[0] == key]:
            self._drop(full_key)

    def close(self) -> None:
        """Close all sandboxes, then the backend."""
        for full_key in list(self._warm):
            self._drop(full_key)
        self.backend.close()

    def __len__(self) -> int:
        return len(self._warm)

    def __enter__(self) -> "Pool":
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    def _make_room(self) -> None:
        for full_key in [full_key for full_key, sandbox in self._warm.items() if not sandbox.busy]:
            if len(self._warm) < self.size:
                return
            self._drop(full_key)

    def _drop(self, full_key: tuple[Hashable, str, Limits]) -> None:
        sandbox = self._warm.pop(full_key)
        # What cannot be removed now (the engine is down) is left to the reaper; the pool must go on.
        with contextlib.suppress(SandboxError):
            sandbox.close()
