"""The image of a bot's container: what goes into it, and the name that follows from that."""

import hashlib
import io
import tarfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from sandbox.errors import SandboxError

BASE = "debian:bookworm-slim"
REPOSITORY = "durak-arena-bot"
LABEL = "durak-arena.image"
"""What tells our images, also those that have lost their name."""
SYSTEM = "system"
"""The label of what a bot's image takes its Python from: the Dockerfile's first part, which never has a name."""

ROOT = Path(__file__).resolve().parent.parent.parent
"""The folder that holds the packages of the project: paths of baked-in code are relative to it."""

DEFAULT_CODE = ("arena/__init__.py", "arena/durak", "arena/bot")
"""What a bot of this project imports."""

_KEEPER = "sandbox/keeper"
_SUFFIXES = frozenset({".py", ".json", ".typed"})
_TAG_LENGTH = 12


def image_tag(code: Iterable[str] = DEFAULT_CODE, root: Path = ROOT) -> str:
    """Name and tag of the image with this code: the tag is a hash of all that goes into it.

    Changed code means another tag, so a worker never runs yesterday's keeper.
    """
    digest = hashlib.sha256()
    for name, content in _contents(code, root):
        digest.update(b"%d %d " % (len(name.encode()), len(content)) + name.encode() + content)
    return f"{REPOSITORY}:{digest.hexdigest()[:_TAG_LENGTH]}"


def build_context(code: Iterable[str] = DEFAULT_CODE, root: Path = ROOT) -> bytes:
    """The build context as a tar archive, the same bytes for the same code."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for name, content in _contents(code, root):
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            entry.mode = 0o644
            archive.addfile(entry, io.BytesIO(content))
    return buffer.getvalue()


def _contents(code: Iterable[str], root: Path) -> Iterator[tuple[str, bytes]]:
    yield "Dockerfile", Path(__file__).with_name("Dockerfile").read_bytes()
    # The image holds the keeper alone of this package; a package needs this file to be one.
    yield "code/sandbox/__init__.py", b""
    for path in sorted(_files([_KEEPER], ROOT)):
        yield f"code/{path.relative_to(ROOT).as_posix()}", path.read_bytes()
    for path in sorted(_files(code, root)):
        yield f"code/{path.relative_to(root).as_posix()}", path.read_bytes()


def _files(names: Iterable[str], root: Path) -> Iterator[Path]:
    for name in names:
        path = root / name
        if path.is_file():
            yield path
        elif path.is_dir():
            yield from (found for found in path.rglob("*") if found.suffix in _SUFFIXES and found.is_file())
        else:
            raise SandboxError(f"{path} belongs into the bot image but is not there.")
