"""Versions of the engine and of what it stands on that are known to be flawed, and what a distribution has mended.

The list ends with what was published when it was written (`LAST_LOOKED`); it can show that a version is bad, never that
one is good. Distributions mend old versions without changing the number, so a number alone condemns nobody: where the
revision of a package is known to hold the fix it counts as fixed, and where that cannot be told the finding says so.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from sandbox.finding import Finding

LAST_LOOKED = "2025-11"
"""Year and month of the newest advisory that was considered. Advisories on what the engine does not use (containerd's
server for Kubernetes, say) are left out."""

_Version = tuple[int, int, int, int]
_FINAL = 10_000
"""In the place of a release candidate's number: a release is newer than each of its candidates."""

_VERSION = re.compile(r"v?(\d+)\.(\d+)(?:\.(\d+))?(?:[-~.]?rc\.?(\d+))?")
_DISTRIBUTION = re.compile(r"[+~](?:ds|dfsg)|deb\d+u|ubuntu|\.el\d|\.fc\d")


@dataclass(frozen=True, slots=True)
class Flaw:
    """A published flaw of one component."""

    component: str
    """As the engine names it in its answer to `version`."""
    name: str
    fixed: tuple[str, ...]
    """The first release without it, one for each branch that was mended."""
    state: Literal["weak", "bad"]
    """How bad an unmended version is for a host that runs bots."""
    what: str


FLAWS = (
    Flaw("runc", "CVE-2019-5736", ("1.0.0-rc7",), "bad", "root of a container overwrites runc on the host"),
    Flaw("runc", "CVE-2024-21626", ("1.1.12",), "bad", "an open descriptor of runc leads to the host's files"),
    *(
        Flaw("runc", name, ("1.2.8", "1.3.3", "1.4.0-rc3"), "weak", "an image or mount of an attacker's misleads runc")
        for name in ("CVE-2025-31133", "CVE-2025-52565", "CVE-2025-52881")
    ),
    Flaw(
        "containerd", "CVE-2024-25621", ("1.7.29", "2.0.7", "2.1.5"), "weak", "users of the host reach container files"
    ),
    Flaw("Engine", "CVE-2021-41091", ("20.10.9",), "weak", "users of the host reach container files"),
)

_DEBIAN = {
    ("runc", "1.1.5+ds1-1+deb12u", 1): {"CVE-2024-21626"},
    ("containerd", "1.6.20~ds1-1+deb12u", 2): {"CVE-2024-25621"},
}
"""Component, revision of Debian's package up to its counter, the counter from which on these are mended, as the
changelogs of the packages say."""


def component_findings(version: dict[str, Any]) -> list[Finding]:
    """A finding for each component that the engine names and that is known here. `version`: the engine's answer."""
    known = dict.fromkeys(flaw.component for flaw in FLAWS)
    found = {part["Name"]: part for part in version.get("Components") or ()}
    return [_finding(name, found[name]) for name in known if name in found]


def is_fixed(version: str, fixed: Iterable[str]) -> bool | None:
    """Whether that version comes after a fix of its own branch, or its branch after all that were mended; None where
    the version cannot be read."""
    own = _parse(version)
    if own is None:
        return None
    mended = [parsed for text in fixed if (parsed := _parse(text)) is not None]
    if any(own[:2] == branch[:2] for branch in mended):
        return any(own[:2] == branch[:2] and own >= branch for branch in mended)
    return own > max(mended)


def _finding(name: str, part: dict[str, Any]) -> Finding:
    version = str(part.get("Version", ""))
    revision = str((part.get("Details") or {}).get("GitCommit", ""))
    item = f"version of {name.lower()}"
    shown = version if revision in ("", version) or not _DISTRIBUTION.search(revision) else revision
    flaws = [flaw for flaw in FLAWS if flaw.component == name and is_fixed(version, flaw.fixed) is False]
    if is_fixed(version, ("0.0.0",)) is None:
        return Finding(item, "weak", f"{version!r} is no version that can be read.", "Look at its advisories by hand.")
    open_flaws = [flaw for flaw in flaws if flaw.name not in _mended(name, revision)]
    if not open_flaws:
        mended = f"; its package has mended {_names(flaws)}" if flaws else ""
        return Finding(item, "good", f"{shown} has no flaw known here (until {LAST_LOOKED}){mended}.")
    told = "; ".join(_told(open_flaws))
    if _DISTRIBUTION.search(f"{version} {revision}"):
        return Finding(
            item,
            "weak",
            f"{shown} is a distribution's, and older than the releases that mend {told}.",
            "Distributions mend without a new number: install its security updates, and look whether its security "
            "tracker names this revision.",
        )
    state: Literal["weak", "bad"] = "bad" if any(flaw.state == "bad" for flaw in open_flaws) else "weak"
    return Finding(item, state, f"{shown} is flawed: {told}.", "Upgrade it.")


def _told(flaws: list[Flaw]) -> list[str]:
    """The flaws in words, those that are of one kind together."""
    kinds = dict.fromkeys((flaw.what, flaw.fixed) for flaw in flaws)
    return [
        f"{_names(flaw for flaw in flaws if (flaw.what, flaw.fixed) == (what, fixed))} ({what}; {', '.join(fixed)})"
        for what, fixed in kinds
    ]


def _names(flaws: Iterable[Flaw]) -> str:
    return ", ".join(flaw.name for flaw in flaws)


def _mended(component: str, revision: str) -> set[str]:
    mended = set()
    for (name, prefix, counter), flaws in _DEBIAN.items():
        rest = revision.removeprefix(prefix)
        if name == component and rest != revision and (own := re.match(r"\d+", rest)) and int(own[0]) >= counter:
            mended |= flaws
    return mended


def _parse(version: str) -> _Version | None:
    found = _VERSION.match(version)
    if found is None:
        return None
    major, minor, patch, candidate = found.groups()
    return int(major), int(minor), int(patch or 0), int(candidate) if candidate else _FINAL
