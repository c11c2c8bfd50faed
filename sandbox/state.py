"""What a monitor wants to know of the engine, without opening a sandbox: its version, and whether it has the image."""

from dataclasses import dataclass

from sandbox.errors import SandboxError
from sandbox.image import image_tag

_SECONDS = 5


@dataclass(frozen=True, slots=True)
class EngineState:
    """The engine as it answered now."""

    version: str
    """Empty where it did not answer."""
    image: str
    """The bot image that this code needs."""
    image_there: bool
    """Whether the engine has it."""
    fault: str = ""
    """Why it did not answer."""


def engine_state() -> EngineState:
    """Ask the engine. Never raises: that it does not answer is what a monitor wants to hear."""
    from sandbox.docker import _engine, connect

    image = image_tag()
    try:
        engine = connect(_SECONDS)
        try:
            with _engine():
                version = str(engine.version()["Version"])
                there = bool(engine.images(name=image, quiet=True))
        finally:
            engine.close()
    except SandboxError as error:
        return EngineState("", image, image_there=False, fault=str(error))
    return EngineState(version, image, image_there=there)
