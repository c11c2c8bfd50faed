"""What the site is made of is locked, licensed and listed; and what cannot be asked is said to be unknown, not fine."""

import importlib.util
import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def chain():
    spec = importlib.util.spec_from_file_location("supply_chain", ROOT / ".ci/supply_chain.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["supply_chain"] = module  # where dataclasses look for their module
    spec.loader.exec_module(module)
    yield module
    del sys.modules["supply_chain"]


def test_the_locks_are_those_of_the_pins(chain):
    """After a change of a requirements.txt: `make lock`."""
    chain.check_locks()


def test_a_lock_holds_for_other_machines_too(chain):
    """One file for each platform, and the source: so that nothing here is only of the machine that made the lock."""
    by_name = {one.name: one for one in chain.locked(ROOT / "requirements.lock")}
    for name in ("numpy", "msgspec", "psycopg-binary", "cffi"):
        assert len(by_name[name].hashes) > 10, name
    assert all(one.hashes for one in by_name.values())
    # Debian 12 has a Python for which redis needs one package more.
    assert "async-timeout" in by_name


def test_a_pin_that_is_not_locked_is_found(chain, monkeypatch, tmp_path):
    for folder in ("tests", "bench", ".ci"):
        (tmp_path / folder).mkdir()
    for source, target in chain.LOCKS.items():
        (tmp_path / source).write_text("one==1.0  # for this\ntwo==2.0  # for that\nthree==3  # for both\n")
        (tmp_path / target).write_text("one==1.0 \\\n    --hash=sha256:" + "0" * 64 + "\ntwo==2.1\nfour==4\n")
    monkeypatch.setattr(chain, "ROOT", tmp_path)
    with pytest.raises(chain.SupplyChainError) as caught:
        chain.check_locks()
    said = str(caught.value).splitlines()
    assert said[:5] == [
        "requirements.lock has two 2.1, not 2.0.",
        "requirements.lock lacks three.",
        "requirements.lock has four, which requirements.txt does not pin.",
        "requirements.lock has no hash of two.",
        "requirements.lock has no hash of four.",
    ]
    assert said[-1] == "Run `make lock`."


@pytest.mark.parametrize(
    ("expression", "allowed"),
    [
        ("MIT", True),
        ("Apache-2.0 OR GPL-3.0-only", True),
        ("MIT AND GPL-3.0-only", False),
        ("BSD-3-Clause AND (MIT OR GPL-2.0-only)", True),
        ("GPL-2.0-only AND (MIT OR ISC)", False),
        ("(MIT OR GPL-2.0-only) AND ISC", True),
        ("AGPL-3.0-only", False),
        ("", False),
    ],
)
def test_what_may_be_used(chain, expression, allowed):
    assert chain.is_allowed(expression) is allowed


def test_a_package_with_an_unknown_licence_fails_and_is_named(chain, monkeypatch, capsys):
    class Metadata(dict[str, Any]):
        def get_all(self, name):
            return self.get(f"all {name}")

    made_up = {
        "fine": Metadata({"Name": "Fine", "License-Expression": "MIT"}),
        "old": Metadata({"Name": "Old", "all Classifier": ["License :: OSI Approved :: BSD License"]}),
        "odd": Metadata({"Name": "Odd", "License": "Copyright by somebody, do not copy"}),
        "copyleft": Metadata({"Name": "Copyleft", "License-Expression": "AGPL-3.0-only"}),
    }
    there = {name: SimpleNamespace(metadata=data, version="1") for name, data in made_up.items()}
    monkeypatch.setattr(chain, "installed", lambda: there)
    with pytest.raises(chain.SupplyChainError) as caught:
        chain.licences()
    assert str(caught.value).splitlines()[:2] == ["copyleft 1: AGPL-3.0-only", "odd 1: no licence is named"]
    assert "4 packages." in capsys.readouterr().out


def test_a_known_weakness_fails(chain, monkeypatch):
    weak = {"name": "one", "version": "1", "vulns": [{"id": "PYSEC-1", "fix_versions": ["1.1"]}]}
    monkeypatch.setattr(chain, "_ask", lambda _: [weak])
    with pytest.raises(chain.SupplyChainError, match=r"one 1: PYSEC-1, fixed in 1\.1"):
        chain.audit()


@pytest.mark.parametrize("answer", ["no network", [{"name": "one", "skip_reason": "not found"}]])
def test_an_audit_that_could_not_be_made_says_so_and_is_no_pass_where_it_must_be_made(
    chain, monkeypatch, capsys, answer
):
    monkeypatch.setattr(chain, "_ask", lambda _: answer)
    monkeypatch.delenv("REQUIRE_AUDIT", raising=False)
    chain.audit()
    said = capsys.readouterr().out
    assert "NOT AUDITED" in said
    assert "No known weakness" not in said
    monkeypatch.setenv("REQUIRE_AUDIT", "1")
    with pytest.raises(chain.SupplyChainError, match="could not be made"):
        chain.audit()


def test_an_audit_of_everything_passes_in_a_sentence(chain, monkeypatch, capsys):
    monkeypatch.setattr(chain, "_ask", lambda _: [{"name": "one", "version": "1", "vulns": []}])
    chain.audit()
    assert capsys.readouterr().out == "No known weakness in anything that is locked.\n"


def test_the_bill_of_materials_lists_every_package_and_image_with_licence_and_hashes(chain):
    bill = chain.sbom()
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.5")
    libraries = {one["name"]: one for one in bill["components"] if one["type"] == "library"}
    assert set(libraries) == set(chain.pins(ROOT / "requirements.txt"))
    django = libraries["django"]
    assert django["purl"] == f"pkg:pypi/django@{django['version']}"
    assert django["licenses"] == [{"license": {"id": "BSD-3-Clause"}}]
    assert len(django["properties"]) >= 2
    assert {one["name"] for one in bill["components"] if one["type"] == "container"} >= {"debian"}
    refs = [one["bom-ref"] for one in bill["components"]]
    assert len(set(refs)) == len(refs)
    assert json.dumps(chain.sbom(), sort_keys=True) == json.dumps(bill, sort_keys=True)
