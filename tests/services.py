"""What this machine has beside Python, and where: asked by the fixtures, by `make test` and by nobody else.

`python -m tests.services` prints one line for each service; with a name it exits 0 if that one is there.
"""

import functools
import os
import shutil
import socket
import sys
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parents[1]
CHROMIUM = Path("/usr/bin/chromium")


def address(name: str) -> str | None:
    """The address of a service: from the environment, else as `make services` left it, else None."""
    if name in os.environ:
        return os.environ[name]
    left = ROOT / "var/services/env"
    lines = left.read_text().splitlines() if left.exists() else []
    return dict(line.split("=", 1) for line in lines).get(name)


def postgres() -> str | None:
    """Why no PostgreSQL server can be used here; None when one can."""
    return _missing_server("PostgreSQL", "TEST_DATABASE_URL")


def redis() -> str | None:
    """Why no Redis or Valkey server can be used here; None when one can."""
    return _missing_server("Redis", "TEST_REDIS_URL")


def engine() -> str | None:
    """Why no Docker engine can be used here; None when one can."""
    from docker import from_env
    from docker.errors import DockerException

    try:
        from_env(version="auto", timeout=20).close()  # finding the version asks the engine
    except DockerException as error:
        return f"no Docker engine answers ({error}); `make services` starts one"
    return None


def docker() -> str | None:
    """Why bots cannot be run in containers here; None when they can."""
    from docker import from_env
    from docker.errors import ImageNotFound

    import sandbox

    if reason := engine():
        return reason
    client = from_env(version="auto", timeout=20)
    try:
        client.images.get(sandbox.image_tag())
    except ImageNotFound:
        return f"the bot image {sandbox.image_tag()} is not built; `python -m sandbox build` makes it"
    finally:
        client.close()
    return None


def gvisor() -> str | None:
    """Why no bot can run under gVisor here; None when one can. `address("TEST_GVISOR_HOST")` is its engine."""
    from docker import DockerClient
    from docker.errors import DockerException

    host = address("TEST_GVISOR_HOST")
    if host is None:
        return "no engine is known that has the runtime runsc: TEST_GVISOR_HOST is not set; `make services` starts one"
    try:
        client = DockerClient(base_url=host, version="auto", timeout=20)
    except DockerException as error:
        return f"no Docker engine answers at {host} ({error}); `make services` starts one"
    try:
        known = client.info()["Runtimes"]
    finally:
        client.close()
    return None if "runsc" in known else f"the Docker engine at {host} has no runtime runsc; `make services` starts one"


def chromium() -> str | None:
    """Why no browser test can run here; None when they can."""
    return None if CHROMIUM.exists() else f"no Chromium at {CHROMIUM}; `make services` installs it"


def java() -> str | None:
    """Why no markup can be validated here; None when it can."""
    return None if shutil.which("java") else "no java on the PATH; `make services` installs it"


PROBES = {
    "engine": engine,
    "docker": docker,
    "gvisor": gvisor,
    "postgres": postgres,
    "redis": redis,
    "chromium": chromium,
    "java": java,
}


@functools.cache
def missing(name: str) -> str | None:
    """Why the named service cannot be used, in a sentence; None when it can. Asked once a run."""
    return PROBES[name]()


def _missing_server(title: str, variable: str) -> str | None:
    url = address(variable)
    if url is None:
        return f"no {title} server is known: {variable} is not set; `make services` starts one"
    parts = urlsplit(url)
    try:
        with socket.create_connection((parts.hostname or "127.0.0.1", parts.port or 0), timeout=5):
            return None
    except OSError as error:
        return f"no {title} server answers at {url} ({error}); `make services` starts one"


def main() -> int:
    """Print what is there and what is missing."""
    names = sys.argv[1:] or list(PROBES)
    for name in names:
        print(f"{name}: {missing(name) or 'here'}")
    return 1 if any(missing(name) for name in names) else 0


if __name__ == "__main__":
    raise SystemExit(main())
