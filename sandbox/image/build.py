"""Builds the bot image, and its base where none can be pulled."""

import io
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from sandbox.docker import connect
from sandbox.errors import SandboxError
from sandbox.image import BASE, DEFAULT_CODE, LABEL, build_context, image_tag

_BUILD_SECONDS = 1800
_SUITE = "bookworm"
_USUAL_MIRROR = "http://deb.debian.org/debian"


def image_exists(client: Any, name: str) -> bool:
    """Whether the engine has an image of that name."""
    return bool(client.images(name=name, quiet=True))


def build_image(
    code: Iterable[str] = DEFAULT_CODE, *, again: bool = False, say: Callable[[str], None] | None = None
) -> str:
    """Build the image with this code unless it is there; its name. `say` gets the progress, a line at a time."""
    code = list(code)
    tag = image_tag(code)
    client = connect(_BUILD_SECONDS)
    try:
        if image_exists(client, tag) and not again:
            return tag
        _need_base(client, say)
        context = io.BytesIO(build_context(code))
        # The packages come over the host's network, with the host's names; the sandbox itself has none.
        for step in client.build(
            fileobj=context,
            custom_context=True,
            tag=tag,
            labels={LABEL: "bot"},
            rm=True,
            forcerm=True,
            nocache=again,  # else packages would be those of the first time, whatever has been mended since
            decode=True,
            network_mode="host",
        ):
            if "error" in step:
                raise SandboxError(f"The bot image cannot be built: {step['error'].strip()}.")
            if say is not None and (line := step.get("stream", "").rstrip()):
                say(line)
    finally:
        client.close()
    return tag


def copy_image(name: str, source: Any, target: Any) -> None:
    """Give an image that one engine has to another one, unless it has it. Both are clients."""
    if not image_exists(target, name):
        target.load_image(source.get_image(name))


def build_base(mirror: str | None = None, *, again: bool = False, say: Callable[[str], None] | None = None) -> None:
    """Make a stand-in for the base image from Debian's packages, with debootstrap, as root."""
    client = connect(_BUILD_SECONDS)
    try:
        if image_exists(client, BASE) and not again:
            return
        if shutil.which("debootstrap") is None:
            raise SandboxError("debootstrap is missing; install it: apt-get install debootstrap.")
        source = mirror or _own_mirror()
        if say is not None:
            say(f"Making {BASE} from Debian's packages (a minute or two) ...")
        with tempfile.TemporaryDirectory(prefix="durak-arena-base-") as folder:
            root, archive = Path(folder) / "root", Path(folder) / "root.tar"
            root.mkdir(mode=0o755)
            _run(["debootstrap", "--variant=minbase", _SUITE, str(root), source])
            for leftover in ("var/cache/apt/archives", "var/lib/apt/lists", "usr/share/doc", "usr/share/man"):
                shutil.rmtree(root / leftover, ignore_errors=True)
            _run(["tar", "--numeric-owner", "-C", str(root), "-cf", str(archive), "."])
            repository, _, tag = BASE.partition(":")
            client.import_image_from_file(str(archive), repository=repository, tag=tag)
    finally:
        client.close()


def _need_base(client: Any, say: Callable[[str], None] | None) -> None:
    if image_exists(client, BASE):
        return
    import docker.errors
    import requests.exceptions

    if say is not None:
        say(f"Pulling {BASE} ...")
    repository, _, tag = BASE.partition(":")
    try:
        client.pull(repository, tag)
    except (docker.errors.APIError, requests.exceptions.RequestException) as error:
        raise SandboxError(
            f"The base image {BASE} is missing and cannot be pulled; make it here: `python -m sandbox base`."
        ) from error


def _own_mirror() -> str:
    """Where this machine itself has Debian's packages from, so that it works behind a mirror too."""
    try:
        listed = subprocess.run(
            ["apt-get", "indextargets", "--format", "$(REPO_URI) $(RELEASE)", "Created-By: Packages"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
    except (OSError, subprocess.CalledProcessError):
        return _USUAL_MIRROR
    for line in listed.splitlines():
        uri, _, release = line.partition(" ")
        if release == _SUITE:
            return uri
    return _USUAL_MIRROR


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        tail = (done.stderr or done.stdout).strip().splitlines()[-1:]
        raise SandboxError(f"{command[0]} failed with status {done.returncode}: {' '.join(tail)}")
