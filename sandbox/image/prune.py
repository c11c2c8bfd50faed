"""Bot images of earlier code: each change of the keeper or the kit makes another tag, and nobody else tidies up."""

from collections.abc import Iterable
from typing import Any

from sandbox.image import LABEL, REPOSITORY, SYSTEM

KEEP = 2
"""How many of the newest stay, beside those that are needed: whoever goes back one step need not build."""


def prune_images(client: Any, needed: Iterable[str] = (), *, keep: int = KEEP, dry_run: bool = False) -> list[str]:
    """Remove bot images that nothing needs, and say which those are, a line each.

    `client`: of the engine. `needed`: names that stay. Also the `keep` newest others stay, and whatever a container
    was made from. Images of anybody else are not looked at: ours have our name, or, once they have lost it to a newer
    build, our label. What the newest was built on stays too: the next code goes on the same system, in seconds.
    `dry_run`: remove nothing. Raises SandboxError.
    """
    from sandbox.docker import _ConflictError, _engine, _GoneError

    with _engine():
        named = client.images(name=REPOSITORY)
        nameless = client.images(filters={"dangling": True, "label": LABEL})
        used = {container["ImageID"] for container in client.containers(all=True)}
    for images in (named, nameless):
        images.sort(key=lambda image: image["Created"], reverse=True)
    systems = [image["Id"] for image in nameless if (image["Labels"] or {}).get(LABEL) == SYSTEM]
    needed = set(needed)
    old = [
        (tag, image["Id"])
        for image in named
        for tag in image["RepoTags"] or ()
        if tag.startswith(f"{REPOSITORY}:") and tag not in needed
    ][keep:]
    removed = []
    for name, identity in [*old, *((image["Id"], image["Id"]) for image in nameless)]:
        if identity in used or identity in systems[:1]:
            continue
        try:
            if not dry_run:
                with _engine():
                    client.remove_image(name)
        except (_ConflictError, _GoneError):  # used since we looked, or by another image; removed by somebody else
            continue
        removed.append(f"image {name}")
    return removed
