"""What the site is made of: licences, known weaknesses, and a bill of materials. Standard library alone.

python .ci/supply_chain.py licences        the licence of everything that is installed; fails on one that nobody allowed
python .ci/supply_chain.py audit           known weaknesses of what is locked (needs pip-audit, and an advisory source)
python .ci/supply_chain.py sbom [FILE]     a bill of materials in the format CycloneDX 1.5
python .ci/supply_chain.py locked          are the locks those of the requirements?
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
LOCKS = {
    "requirements.txt": "requirements.lock",
    "tests/requirements.txt": "tests/requirements.lock",
    "bench/requirements.txt": "bench/requirements.lock",
    ".ci/requirements.txt": ".ci/requirements.lock",
}
"""The pins that people write, and the locks with hashes that `make lock` makes of them."""

ALLOWED = frozenset(
    {
        *("MIT", "MIT-0", "BSD", "BSD-2-Clause", "BSD-3-Clause", "0BSD", "ISC", "Apache-2.0", "Zlib", "PSF-2.0"),
        *("CC0-1.0", "Unlicense", "MPL-2.0", "LGPL-3.0-only", "LGPL-2.1-or-later", "Python-2.0", "HPND", "BSL-1.0"),
    }
)
"""Licences under which something may be used beside our code. With a new one, somebody decides before it is added."""

ABSENT = {
    "axe-playwright-python": ("MIT", "its metadata names none; the file LICENSE of its sources does"),
    "qrcode": ("BSD-3-Clause", "one classifier says 'other', for the text of the first author's licence, which is MIT"),
    "python-dateutil": ("Apache-2.0 OR BSD-3-Clause", "its metadata says 'Dual License'"),
    "fido2": ("BSD-2-Clause AND Apache-2.0 AND MPL-2.0", "its metadata has the text in place of the name"),
}
"""Packages whose metadata do not say it in a word, with what holds and how that is known."""

WORDS = {
    "BSD License": "BSD",
    "MIT License": "MIT",
    "Apache Software License": "Apache-2.0",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "ISC License (ISCL)": "ISC",
    "Python Software Foundation License": "PSF-2.0",
    "New BSD": "BSD-3-Clause",
    "BSD 2-Clause License": "BSD-2-Clause",
    "Apache 2.0": "Apache-2.0",
    "Apache License 2.0": "Apache-2.0",
    "ISC License": "ISC",
}
"""What older metadata say, in the words of SPDX."""


class SupplyChainError(Exception):
    """Something has to be looked at; the text says what, line by line."""


@dataclass(frozen=True)
class Locked:
    """One line of a lock."""

    name: str
    version: str
    hashes: tuple[str, ...]
    """SHA-256 of each file of this version: of every platform, and of the source."""


def normal(name: str) -> str:
    """The one spelling of a package's name."""
    return re.sub(r"[-_.]+", "-", name).lower()


def pins(path: Path) -> dict[str, str]:
    """The versions that a file of requirements pins, by name; those of the files that it includes among them."""
    found: dict[str, str] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        text = line.partition("#")[0].strip()
        if text.startswith("-r "):
            found |= pins(path.parent / text.removeprefix("-r ").strip())
        elif text:
            name, _, version = text.partition("==")
            found[normal(name.partition("[")[0].strip())] = version.strip()
    return found


def locked(path: Path) -> list[Locked]:
    """The lines of a lock."""
    text = path.read_text(encoding="utf-8").replace("\\\n", " ")
    found = []
    for line in text.splitlines():
        if match := re.match(r"([A-Za-z0-9][\w.-]*)(?:\[[^]]*\])?==([^\s;]+)", line):
            hashes = tuple(re.findall(r"--hash=sha256:([0-9a-f]{64})", line))
            found.append(Locked(normal(match[1]), match[2], hashes))
    return found


def check_locks() -> None:
    """Compare the locks with the pins.

    Raises:
        SupplyChainError: something is pinned and not locked, in another version, or without a hash.
    """
    wrong = []
    for source, target in LOCKS.items():
        if not (ROOT / target).exists():
            wrong.append(f"{target} is missing.")
            continue
        wanted, there = pins(ROOT / source), {one.name: one for one in locked(ROOT / target)}
        for name, version in wanted.items():
            if name not in there:
                wrong.append(f"{target} lacks {name}.")
            elif there[name].version != version:
                wrong.append(f"{target} has {name} {there[name].version}, not {version}.")
        wrong += [f"{target} has {name}, which {source} does not pin." for name in there.keys() - wanted.keys()]
        wrong += [f"{target} has no hash of {one.name}." for one in there.values() if not one.hashes]
    if wrong:
        raise SupplyChainError("\n".join([*wrong, "Run `make lock`."]))


def licence_of(distribution: Distribution) -> str:
    """The licence of an installed package as an expression; empty where its metadata do not say."""
    metadata = distribution.metadata
    name = normal(metadata["Name"])
    if name in ABSENT:
        return ABSENT[name][0]
    if "License-Expression" in metadata:
        return metadata["License-Expression"]
    classifiers = [
        line.rpartition("::")[2].strip()
        for line in metadata.get_all("Classifier") or []
        if line.startswith("License ::")
    ]
    known = [WORDS[word] for word in classifiers if word in WORDS]
    if known:
        return " AND ".join(dict.fromkeys(known))
    said = metadata["License"].strip() if "License" in metadata else ""
    return WORDS.get(said, said if said in ALLOWED else "")


def is_allowed(expression: str) -> bool:
    """Whether a licence expression can be kept with allowed licences alone."""
    for word, combine in ((" OR ", any), (" AND ", all)):
        parts = _split(expression, word)
        if len(parts) > 1:
            return combine(is_allowed(part) for part in parts)
    inner = expression.strip()
    return is_allowed(inner[1:-1]) if inner.startswith("(") else inner in ALLOWED


def _split(expression: str, word: str) -> list[str]:
    """The parts of an expression between a word, as far as it stands outside of brackets."""
    parts, depth, begin = [], 0, 0
    for index, sign in enumerate(expression):
        depth += {"(": 1, ")": -1}.get(sign, 0)
        if depth == 0 and expression.startswith(word, index):
            parts.append(expression[begin:index])
            begin = index + len(word)
    return [*parts, expression[begin:]]


def installed() -> dict[str, Distribution]:
    """What is installed beside this interpreter, by name."""
    return {normal(one.metadata["Name"]): one for one in distributions()}


def licences() -> None:
    """Print the licence of every installed package.

    Raises:
        SupplyChainError: one of them is not allowed, or not known.
    """
    wrong, count = [], 0
    for name, distribution in sorted(installed().items()):
        expression = licence_of(distribution)
        print(f"{name:28} {distribution.version:16} {expression or 'UNKNOWN'}")
        count += 1
        if not is_allowed(expression):
            wrong.append(f"{name} {distribution.version}: {expression or 'no licence is named'}")
    print(f"{count} packages.")
    if wrong:
        raise SupplyChainError(
            "\n".join(
                [*wrong, "Decide whether it may be used, then name it in ALLOWED or ABSENT of .ci/supply_chain.py."]
            )
        )


def audit() -> None:
    """Ask for known weaknesses of everything that is locked, and say in so many words where nobody could be asked.

    Raises:
        SupplyChainError: there are some; or nobody could be asked, and `REQUIRE_AUDIT=1`.
    """
    unknown: list[str] = []
    weak: list[str] = []
    for lock in ("requirements.lock", "tests/requirements.lock"):
        found = _ask(lock)
        if isinstance(found, str):
            unknown.append(f"{lock}: {found}")
            continue
        for one in found:
            if one.get("skip_reason"):
                unknown.append(f"{one['name']}: {one['skip_reason']}")
            for item in one.get("vulns", ()):
                fixed = ", ".join(item["fix_versions"]) or "no version yet"
                weak.append(f"{one['name']} {one['version']}: {item['id']}, fixed in {fixed}")
    if weak:
        raise SupplyChainError("\n".join(sorted(set(weak))))
    if not unknown:
        print("No known weakness in anything that is locked.")
        return
    print(f"NOT AUDITED: of {len(set(unknown))} packages nothing could be learned, for one: {unknown[0]}")
    print("NOT AUDITED: run `make audit` where an advisory source can be reached, at least before each release.")
    if os.environ.get("REQUIRE_AUDIT") == "1":
        raise SupplyChainError("REQUIRE_AUDIT=1, and the audit could not be made.")


def _ask(lock: str) -> list[dict[str, Any]] | str:
    command = [sys.executable, "-m", "pip_audit", "--requirement", lock, "--no-deps", "--disable-pip", "--format=json"]
    ran = subprocess.run(
        [*command, "--progress-spinner=off", "--timeout=15"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    try:
        return list(json.loads(ran.stdout)["dependencies"])
    except (ValueError, KeyError):
        lines = ran.stderr.strip().splitlines()
        return lines[-1] if lines else "pip-audit said nothing"


def images() -> Iterator[tuple[str, str]]:
    """The images that the site is built on or runs beside, as (name, tag), each once."""
    seen = set()
    for path in ("platform/Dockerfile", "sandbox/image/Dockerfile", "compose.yaml"):
        for name, tag in re.findall(
            r"^(?:FROM|\s+image:)\s+([\w./-]+):([\w.-]+)", (ROOT / path).read_text(), re.MULTILINE
        ):
            if name != "durak-arena" and (name, tag) not in seen:
                seen.add((name, tag))
                yield name, tag


def sbom() -> dict[str, Any]:
    """What runs in production, as CycloneDX 1.5: packages with licences and the hashes of their files, and base images.

    The same for the same locks, to the last letter.
    """
    there = installed()
    packages = locked(ROOT / "requirements.lock")
    components: list[dict[str, Any]] = []
    for one in packages:
        expression = licence_of(there[one.name]) if one.name in there else ""
        components.append(
            {
                "type": "library",
                "bom-ref": f"pkg:pypi/{one.name}@{one.version}",
                "name": one.name,
                "version": one.version,
                "purl": f"pkg:pypi/{one.name}@{one.version}",
                **({"licenses": [_licence(expression)]} if expression else {}),
                "properties": [{"name": "durak-arena:sha256", "value": digest} for digest in one.hashes],
            }
        )
    for name, tag in images():
        purl = f"pkg:docker/{name}@{tag}"
        components.append({"type": "container", "bom-ref": purl, "name": name, "version": tag, "purl": purl})
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    serial = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(components, sort_keys=True))
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{serial}",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": project["name"],
                "name": project["name"],
                "version": project["version"],
            }
        },
        "components": components,
        "dependencies": [{"ref": project["name"], "dependsOn": [one["bom-ref"] for one in components]}],
    }


def _licence(expression: str) -> dict[str, Any]:
    if re.search(r"\s(?:AND|OR)\s", expression):
        return {"expression": expression}
    # "BSD" is what older metadata say, and no identifier of SPDX: which of them it is they do not.
    return {"license": {"name" if expression == "BSD" else "id": expression}}


def main(arguments: list[str]) -> int:
    """Run one command; 0 if all is well."""
    command, *rest = arguments or ["help"]
    try:
        if command == "sbom":
            text = json.dumps(sbom(), indent=1, sort_keys=True) + "\n"
            if rest:
                Path(rest[0]).write_text(text, encoding="utf-8")
            else:
                print(text, end="")
        elif command in (commands := {"licences": licences, "audit": audit, "locked": check_locks}):
            commands[command]()
        else:
            print(__doc__)
            return 2
    except SupplyChainError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
