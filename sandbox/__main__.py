"""`python -m sandbox build|base|check|reap`: what an operator does for the sandbox."""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from sandbox.docker import connect
from sandbox.errors import SandboxError
from sandbox.image import DEFAULT_CODE, ROOT, image_tag
from sandbox.image.build import build_base, build_image
from sandbox.image.prune import KEEP, prune_images
from sandbox.settings import BACKENDS, open_backend

_MARKS = {"good": "ok  ", "weak": "weak", "bad": "BAD "}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; 0 if all is well."""
    options = _parser().parse_args(arguments)
    try:
        return int(options.run(options))
    except SandboxError as error:
        print(error, file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m sandbox", description="Operate the sandbox that runs bots.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    build = commands.add_parser("build", help="build the bot image, if this code has none yet")
    build.add_argument("code", nargs="*", default=_default_code(), help="packages to bake in, relative to the project")
    build.add_argument("--again", action="store_true", help="build even if it is there, with the packages of now")
    build.add_argument("--quiet", action="store_true", help="print the name of the image alone")
    build.add_argument(
        "--keep", type=int, metavar="N", default=KEEP, help="images of earlier code that stay (%(default)s)"
    )
    build.set_defaults(run=_build)

    base = commands.add_parser("base", help="make debian:bookworm-slim by debootstrap where it cannot be pulled")
    base.add_argument("--mirror", help="where Debian's packages come from (default: where this machine has them from)")
    base.add_argument("--again", action="store_true", help="make it even if it is there")
    base.set_defaults(run=_base)

    for name, help_text, run in (
        ("check", "tell whether this host is fit to run strangers' code, item by item", _check),
        ("reap", "remove what dead workers left, containers and box folders, and images of earlier code", _reap),
    ):
        command = commands.add_parser(name, help=help_text)
        command.add_argument("--backend", choices=BACKENDS, default="docker")
        # As the site is set, so that what is looked at is what its worker uses: a worker's container has one folder
        # alone under the path that the engine knows it by. An empty variable counts as not set.
        command.add_argument(
            "--runtime",
            default=os.environ.get("SANDBOX_RUNTIME") or None,
            help="the engine's runtime for bots, runsc say (SANDBOX_RUNTIME, where that is set)",
        )
        command.add_argument(
            "--boxes",
            type=Path,
            default=os.environ.get("SANDBOX_BOXES") or None,
            help="folder for box folders (SANDBOX_BOXES, where that is set)",
        )
        if run is _reap:
            command.add_argument("--keep", type=int, metavar="N", default=KEEP, help="images of earlier code that stay")
            command.add_argument("--dry-run", action="store_true", help="say what would be removed, and remove nothing")
        command.set_defaults(run=run)
    return parser


def _default_code() -> list[str]:
    return [name for name in DEFAULT_CODE if (ROOT / name).exists()]


def _build(options: argparse.Namespace) -> int:
    tag = image_tag(options.code)
    build_image(options.code, again=options.again, say=None if options.quiet else print)
    for what in _prune(tag, options.keep):
        if not options.quiet:
            print(f"removed {what}")
    print(tag)
    return 0


def _prune(needed: str, keep: int, *, dry_run: bool = False) -> list[str]:
    client = connect()
    try:
        return prune_images(client, [needed], keep=keep, dry_run=dry_run)
    finally:
        client.close()


def _base(options: argparse.Namespace) -> int:
    build_base(options.mirror, again=options.again, say=print)
    return 0


def _check(options: argparse.Namespace) -> int:
    backend = open_backend(options.backend, runtime=options.runtime, boxes=options.boxes)
    try:
        findings = backend.check()
    finally:
        backend.close()
    for finding in findings:
        print(f"{_MARKS[finding.state]}  {finding.item}: {finding.detail}")
        if finding.advice:
            print(f"      -> {finding.advice}")
    bad = sum(finding.state == "bad" for finding in findings)
    weak = sum(finding.state == "weak" for finding in findings)
    if bad:
        print(f"Not fit to run strangers' code: {bad} of {len(findings)} items must be put right.")
    elif backend.name != "docker":
        print("Fit to run bots that you trust, and no others.")
    elif weak:
        print(f"Fit to run strangers' code, {weak} of {len(findings)} walls thinner than they could be.")
    else:
        print("Fit to run strangers' code.")
    return int(bad > 0)


def _reap(options: argparse.Namespace) -> int:
    backend = open_backend(options.backend, runtime=options.runtime, boxes=options.boxes)
    try:
        removed = backend.reap(dry_run=options.dry_run)
    finally:
        backend.close()
    if backend.name == "docker":
        removed += _prune(image_tag(), options.keep, dry_run=options.dry_run)
    for what in removed:
        print(f"would remove {what}" if options.dry_run else f"removed {what}")
    print(f"{len(removed)} leftovers {'found, and left' if options.dry_run else 'removed'}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
