"""Chooses a backend by name."""

from pathlib import Path
from typing import Any

from sandbox.backend import Backend
from sandbox.errors import SandboxError
from sandbox.image import DEFAULT_CODE, image_tag

BACKENDS = ("docker", "process", "auto")

__all__ = ["BACKENDS", "DEFAULT_CODE", "image_tag", "open_backend"]


def open_backend(name: str, **settings: Any) -> Backend:
    """The backend of that name.

    `docker` takes `runtime` (None or the name of one that the engine knows, "runsc" say), `project` (label that tells
    deployments on one engine apart), `image` and `boxes` (folder for box folders, at the same place for the engine
    and this process); `process` takes `boxes` alone. `auto` is docker where an engine answers, else process, and
    takes the settings of both. SandboxError if the engine or the runtime is not there: nothing falls back to less.
    """
    if name not in BACKENDS:
        raise SandboxError(f"There is no sandbox backend {name!r}; choose one of {', '.join(BACKENDS)}.")
    boxes: Path | None = settings.get("boxes")
    if name == "process":
        from sandbox.process import ProcessBackend

        return ProcessBackend(boxes)
    from sandbox.docker import DockerBackend

    if name == "auto" and not engine_answers():
        from sandbox.process import ProcessBackend

        if settings.get("runtime"):
            raise SandboxError("A runtime is set but no Docker engine answers; start the engine or unset the runtime.")
        return ProcessBackend(boxes)
    return DockerBackend(**settings)


def engine_answers() -> bool:
    """Whether a Docker engine can be reached from here, asked afresh."""
    from sandbox.docker import engine_answers as asked

    return asked()
