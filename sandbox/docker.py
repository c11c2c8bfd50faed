"""The `docker` backend: one container for each sandbox, made by a Docker engine."""

import contextlib
import random
import re
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sandbox.backend import Backend, Holder, keeper_config
from sandbox.box import Box
from sandbox.cgroup import ControlGroup
from sandbox.container import (
    BOX,
    FIRST_USER,
    LABEL_BOXES,
    LABEL_PROJECT,
    LABEL_WORKER,
    LAST_USER,
    ROOM,
    container_config,
)
from sandbox.errors import SandboxError
from sandbox.finding import Finding
from sandbox.image import image_tag
from sandbox.limits import Limits
from sandbox.session import Evidence

DEFAULT_PROJECT = "durak-arena"

_USUAL_ENGINE = "unix:///var/run/docker.sock"
_ENGINE_SECONDS = 30
_PING_SECONDS = 3
_REMOVE_SECONDS = 10
_ASK_AGAIN_SECONDS = 0.2
_OOM_EVENT_SECONDS = 0.3
_NOT_FOUND, _CONFLICT = 404, 409

_images_read: set[tuple[str, str]] = set()
"""In this process: of which engine, and which image."""


def connect(timeout: int = _ENGINE_SECONDS) -> Any:
    """A client of the engine that DOCKER_HOST names (default: the local one). SandboxError if it does not answer."""
    with _engine():
        import docker  # the package is an extra: only who runs containers needs it
        from docker.utils import kwargs_from_env

        place = kwargs_from_env()
        url = place.get("base_url", _USUAL_ENGINE)
        _knock(url)
        client: Any = docker.APIClient(version="auto", timeout=timeout, **place)
        send = client.send

        def knock_and_send(*request: Any, **options: Any) -> Any:
            _knock(url)
            return send(*request, **options)

        client.send = knock_and_send
        try:
            client.ping()
        except BaseException:
            client.close()
            raise
        return client


def _knock(url: str) -> None:
    """OSError if nobody listens at a local engine's socket: the client would leave a socket of its own open."""
    if url.startswith("unix://"):
        with socket.socket(socket.AF_UNIX) as visitor:
            visitor.connect(url.removeprefix("unix://"))


def engine_answers() -> bool:
    """Whether a Docker engine can be reached from here."""
    try:
        connect(_PING_SECONDS).close()
    except SandboxError:
        return False
    return True


class DockerBackend(Backend):
    """Sandboxes in containers; every wall that sandbox.md of the design names is set in `container_config`."""

    name = "docker"

    def __init__(
        self,
        *,
        boxes: Path | None = None,
        image: str | None = None,
        runtime: str | None = None,
        project: str = DEFAULT_PROJECT,
    ) -> None:
        super().__init__(boxes)
        self.image = image or image_tag()
        self.runtime = runtime or None
        self.project = project
        self._engine = connect()
        self._users: set[int] = set()
        try:
            self._need_runtime()
        except SandboxError:
            self._engine.close()
            raise

    def _need_runtime(self) -> None:
        with _engine():
            told = self._engine.info()
        self._engine_id, known = told["ID"], told["Runtimes"]
        self.mapped = bool({"name=rootless", "name=userns"} & set(told.get("SecurityOptions") or []))
        if self.runtime is not None and self.runtime not in known:
            raise SandboxError(
                f"The Docker engine has no runtime {self.runtime!r}, only {', '.join(sorted(known))}; "
                "register it in the engine's daemon.json, or unset the runtime."
            )

    def _prepare(self) -> None:
        """Have the engine read the whole image, so that it is in the kernel's cache on the engine's account.

        What a bot is the first to read since this host was started would be on the account of its container, which has
        to let go of it again when a bot fills its memory: so one game could choose what the next waits for.
        """
        if (read := (self._engine_id, self.image)) in _images_read:
            return
        with self._image_needed():
            container = self._engine.create_container_from_config(
                {"Image": self.image, "Entrypoint": [ROOM], "Labels": self._labels(), "NetworkDisabled": True}
            )["Id"]
        try:
            with _engine():
                for _ in self._engine.get_archive(container, ROOM)[0]:
                    pass
        finally:
            _remove_now(self._engine, container)
        _images_read.add(read)

    def _image_needed(self) -> contextlib.AbstractContextManager[None]:
        return _engine(f"The bot image {self.image} is missing; run `python -m sandbox build`.")

    def _labels(self) -> dict[str, str]:
        return {
            LABEL_PROJECT: self.project,
            LABEL_WORKER: self.boxes.worker,
            LABEL_BOXES: str(self.boxes.root),
        }

    def _launch(self, box: Box, limits: Limits, job: dict[str, Any]) -> Holder:
        user = self._free_user()
        config = container_config(
            image=self.image,
            box=str(box.path),
            keeper=keeper_config(BOX, limits, job, path=(), room=ROOM, user=user, strict=True),
            limits=limits,
            labels=self._labels(),
            runtime=self.runtime,
            mapped=self.mapped,
        )
        container = None
        try:
            with self._image_needed():
                container = self._engine.create_container_from_config(config)["Id"]
            with _engine():
                self._engine.start(container)
                pid = self._engine.inspect_container(container)["State"]["Pid"]
        except BaseException:
            self._users.discard(user)
            if container is not None:
                with contextlib.suppress(SandboxError):
                    _remove_now(self._engine, container)
            raise
        return _Container(self._engine, container, pid, lambda: self._users.discard(user))

    def _free_user(self) -> int:
        while (user := random.randint(FIRST_USER, LAST_USER)) in self._users:  # noqa: S311 - a number, no secret
            pass
        self._users.add(user)
        return user

    def check(self) -> list[Finding]:
        """Engine, kernel, control groups, image and runtime, one item each, and a sandbox that really runs."""
        from sandbox.check import check_docker

        return check_docker(self, self._engine)

    def reap(self, *, dry_run: bool = False) -> list[str]:
        """Remove containers and box folders of dead workers of this project that share this folder for boxes.

        One that cannot be removed does not keep the others: SandboxError for it when all have had their turn.
        """
        removed = []
        failed: list[SandboxError] = []
        for container in self._containers():
            worker = container["Labels"].get(LABEL_WORKER, "")
            if not self.boxes.is_dead(worker):
                continue
            try:
                there = _is_there(self._engine, container["Id"])
                if there and not dry_run:
                    _remove_now(self._engine, container["Id"])
            except SandboxError as error:
                failed.append(error)
            else:
                removed += [f"container {container['Id'][:12]} of worker {worker}"] * there
        removed += self._reap_boxes(dry_run)
        if failed:
            raise failed[0]
        return removed

    def _containers(self) -> list[dict[str, Any]]:
        labels = [f"{LABEL_PROJECT}={self.project}", f"{LABEL_BOXES}={self.boxes.root}"]
        with _engine():
            found: list[dict[str, Any]] = self._engine.containers(all=True, filters={"label": labels})
            return found

    def close(self) -> None:
        """Remove this worker's box folders and hang up. Close the sandboxes first.

        A container that an engine's crash left half removed goes here too; where the engine is away, the reaper of
        the next worker finds it.
        """
        if self._boxes is not None:
            with contextlib.suppress(SandboxError):
                for container in self._containers():
                    if container["Labels"].get(LABEL_WORKER) == self.boxes.worker:
                        with contextlib.suppress(_RefusedError):
                            _remove_now(self._engine, container["Id"])
        super().close()
        self._engine.close()


class _Container(Holder):
    def __init__(self, engine: Any, container: str, pid: int, on_removed: Any) -> None:
        self._engine = engine
        self._id = container
        self.place = f"container {container[:12]}"
        self._on_removed = on_removed
        self._group = ControlGroup(pid, container)
        self.evidence: Evidence = _ContainerEvidence(engine, container, self._group)

    def why_ended(self) -> str | None:
        try:
            with _engine():
                state = self._engine.inspect_container(self._id)["State"]
        except _GoneError:
            return "The container of a sandbox ended at its start; run `python -m sandbox check`."
        if state["Running"]:
            return None
        status = f"{state['ExitCode']} {state['Error']}".strip()
        return f"The container of a sandbox ended at its start with status {status}; run `python -m sandbox check`."

    def remove(self) -> None:
        self._group.close()
        try:
            _await_removal(self._engine, self._id)
        finally:
            self._on_removed()


class _ContainerEvidence:
    def __init__(self, engine: Any, container: str, group: ControlGroup) -> None:
        self._engine = engine
        self._id = container
        self._group = group
        self._kills: int | None = None
        self._cpu: float | None = None
        self._began = 0.0

    def begin(self) -> None:
        self._group.reset_peak()
        self._kills = self._group.kills()
        self._cpu = self._group.cpu_seconds()
        self._began = time.time()

    def out_of_memory(self) -> bool:
        kills = self._group.kills()
        if kills is not None and self._kills is not None:
            return kills > self._kills
        # The control group cannot be seen from here; the engine is told of it as well, a little later.
        until = time.time() + _OOM_EVENT_SECONDS
        with _engine():
            filters = {"type": "container", "container": self._id, "event": "oom"}
            return any(True for _ in self._engine.events(since=self._began, until=until, filters=filters, decode=True))

    def figures(self) -> tuple[int | None, float | None]:
        cpu = self._group.cpu_seconds()
        return self._group.peak_bytes(), None if cpu is None or self._cpu is None else cpu - self._cpu


class _GoneError(SandboxError):
    """The engine does not know what was asked for (any more)."""


def _is_there(engine: Any, container: str) -> bool:
    """Whether a container that the engine lists is one that it has.

    An engine (20.10) that removes a container in the very moment in which it reads it back after a crash lists it as
    dead until it is started the next time, and knows of nothing when it is asked about it.
    """
    try:
        with _engine():
            engine.inspect_container(container)
    except _GoneError:
        return False
    return True


def _await_removal(engine: Any, container: str) -> None:
    """The keeper is exiting and the engine removes after it; whatever is not gone in time is removed by force."""
    with contextlib.suppress(_GoneError):
        try:
            with _engine():
                engine.wait(container, timeout=_REMOVE_SECONDS, condition="removed")
        except _GoneError:
            raise
        except SandboxError:
            _remove_now(engine, container)


def _remove_now(engine: Any, container: str) -> None:
    """Remove by force. SandboxError where the engine is away, or has not managed to within `_REMOVE_SECONDS`.

    An engine that fails at it once, because something of the container is still in use, or that was removing it when
    it crashed, does it when it is asked again a little later.
    """
    deadline = time.monotonic() + _REMOVE_SECONDS
    with contextlib.suppress(_GoneError):
        while True:
            try:
                with _engine():
                    engine.remove_container(container, force=True, v=True)
            except _RefusedError:  # among other reasons because it is removing it already
                if time.monotonic() > deadline:
                    raise
                time.sleep(_ASK_AGAIN_SECONDS)
            else:
                return


class _RefusedError(SandboxError):
    """The engine answered, but does not do it."""


class _ConflictError(_RefusedError):
    """... because of what it is doing, or of what is there, already."""


@contextlib.contextmanager
def _engine(missing: str = "The Docker engine does not know this container (any more).") -> Iterator[None]:
    """Turn whatever goes wrong between us and the engine into a sentence for the operator."""
    try:
        import docker.errors
        import requests.exceptions
    except ImportError as error:
        raise SandboxError("The docker backend needs the Python package docker: pip install docker.") from error
    try:
        yield
    except docker.errors.APIError as error:
        said = re.sub(r"\s+", " ", str(error.explanation or error)).strip()
        if error.status_code == _NOT_FOUND:
            raise _GoneError(missing) from error
        refusal = _ConflictError if error.status_code == _CONFLICT else _RefusedError
        raise refusal(f"The Docker engine refused: {said}. Run `python -m sandbox check`.") from error
    except (docker.errors.DockerException, requests.exceptions.RequestException, OSError) as error:
        raise SandboxError(
            f"The Docker engine does not answer ({type(error).__name__}); start it, and let this user reach it."
        ) from error
