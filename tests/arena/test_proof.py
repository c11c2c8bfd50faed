"""Verification of a whole tournament: quiet about a true one, and loud about each way in which it can be false."""

import json
import re

import pytest

from arena.audit import Audit
from arena.deal import commitment, derive_deck
from arena.proof import ProofError, is_proof, verify_proof
from tests.arena.tournaments import SECRET, dump, proof

FORMATS = [
    ("podkidnoy", 2, 5),
    ("perevodnoy", 3, 4),
    ("podkidnoy-first-out", 4, 5),
    ("podkidnoy", 5, 5),
    ("podkidnoy", 6, 6),
    ("pairs", 4, 5),
]


@pytest.mark.parametrize(("ruleset", "players", "entries"), FORMATS)
def test_a_true_tournament_holds_in_every_format(ruleset, players, entries):
    lines = proof(ruleset, players, entries)
    report = verify_proof(dump(lines))
    assert report.findings == ()
    assert (report.ok, report.matches, report.table, report.sealed) == (True, len(lines) - 1, True, 0)
    assert report.games == (len(lines) - 1) * 2 * players


def test_failed_games_are_counted_for_who_failed():
    report = verify_proof(dump(proof(entries=5)))
    failures = [row["failures"] for row in proof(entries=5)[0]["table"] if row["failures"]]
    assert report.ok
    assert [set(one) for one in failures] == [{"crash"}]


def test_a_running_tournament_is_checked_but_for_decks_and_table():
    report = verify_proof(dump(proof(state="running")))
    assert (report.ok, report.sealed, report.table) == (True, report.matches, False)


def drop(lines):
    game = lines[2]["games"][0]
    result = game["record"]["result"]
    game |= {"record": None, "dropped": True, "result": {"ending": result["ending"], "places": result["places"]}}
    return game["result"]


def test_a_game_whose_moves_are_not_kept_counts_as_it_stands():
    lines = proof()
    drop(lines)
    report = verify_proof(dump(lines))
    assert (report.ok, report.dropped, report.games) == (True, 1, 24)


@pytest.mark.parametrize(
    ("result", "told"),
    [
        ({"ending": "whist", "places": [1, 2]}, "The record cannot be read."),
        ({"ending": "fool", "places": [1, 2, 3]}, "The table says"),
    ],
)
def test_a_result_without_moves_must_be_one(result, told):
    lines = proof()
    drop(lines).update(result)
    report = verify_proof(dump(lines))
    assert any(told in str(finding) for finding in report.findings)


def swap_secret(lines):
    lines[0]["secrets"][0]["secret"] = bytes(32).hex()


def swap_deck(lines):
    deck = derive_deck(SECRET, 99, 0)
    lines[2]["games"][1]["record"]["deck"] = list(deck)


def swap_move(lines):
    moves = lines[1]["games"][0]["record"]["moves"]
    moves[0] = [moves[0][0], "take"]


def swap_result(lines):
    result = lines[1]["games"][0]["record"]["result"]
    result["places"] = result["places"][::-1]


def swap_games(lines):
    one, other = lines[1]["games"][0], lines[1]["games"][1]
    one["record"], other["record"] = other["record"], one["record"]


def swap_rotations(lines):
    for game in lines[1]["games"]:
        game["rotation"] = 1 - game["rotation"]


def swap_limits(lines):
    lines[3]["games"][0]["record"]["limits"]["bank"] = 9000.0


def swap_rules(lines):
    lines[3]["games"][0]["record"]["ruleset"]["transfer"] = True


def add_failure(lines):
    lines[1]["games"][0]["failures"] = [{"seat": 0, "reason": "crash"}]


def swap_entries(lines):
    seats = lines[1]["seats"]
    seats[0]["entry"], seats[1]["entry"] = seats[1]["entry"], seats[0]["entry"]


def damage_record(lines):
    lines[2]["games"][0]["record"] = None
    lines[2]["games"][0]["error"] = "The record breaks off."


def swap_places(lines):
    table = lines[0]["table"]
    table[0]["place"], table[1]["place"] = 2, 1


def repeat_in_capitals(lines):
    lines[0]["secrets"].append({**lines[0]["secrets"][0], "commitment": lines[1]["commitment"].upper()})
    lines.append({**lines[1], "commitment": lines[1]["commitment"].upper()})


TAMPERING = {
    "another secret": (swap_secret, "Match 1: Its secret is not the one that was committed to"),
    "another deck": (swap_deck, "Match 2, deal 1, rotation 0: The deck is not the one that the secret gives"),
    "another move": (swap_move, "Match 1, deal 0, rotation 0: Move 1 of"),
    "another result": (swap_result, "the record says"),
    "games of other deals": (swap_games, "Match 1, deal 0, rotation 0: The deck is not the one"),
    "rotations exchanged": (swap_rotations, "Other versions sat there"),
    "longer clocks": (swap_limits, "Match 3, deal 0, rotation 0: It was not played under the tournament's limits."),
    "other rules": (swap_rules, "It was not played by the tournament's rules."),
    "a failure made up": (add_failure, "The failures beside the record are not those in it."),
    "results given to another": (swap_entries, "The table says"),
    "a game left out": (lambda lines: lines[2]["games"].pop(), "Match 2: It does not have each of 2 deals once"),
    "a game twice": (lambda lines: lines[2]["games"].append(lines[2]["games"][0]), "Match 2: It does not have each"),
    "a record that is damaged": (damage_record, "The record breaks off."),
    "a match left out": (lambda lines: lines.pop(), "its first line says 6"),
    "a match in the middle left out": (lambda lines: lines.pop(3), "should come next"),
    "a match twice": (lambda lines: lines.append(lines[1]), "It is there twice"),
    "a match out of order": (lambda lines: lines.insert(1, lines.pop()), "should come next"),
    "a match against itself": (
        lambda lines: lines[1]["seats"][0].update(entry=lines[1]["seats"][1]["entry"]),
        "1 entries sat at the table",
    ),
    "Elo given away": (lambda lines: lines[0]["table"][2].update(elo=1600.0), "The table says elo 1600.0 of"),
    "a rating raised": (lambda lines: lines[0]["table"][3].update(rating=1900.0), "The table says rating 1900.0 of"),
    "a narrower interval": (lambda lines: lines[0]["table"][0].update(low=1500.0), "The table says low 1500.0 of"),
    "a win more": (lambda lines: lines[0]["table"][1].update(won=99), "The table says won 99 of"),
    "places exchanged": (swap_places, "with a lower rating"),
    "a match twice under its commitment in capitals": (repeat_in_capitals, "It is there twice"),
    "an entry left out": (lambda lines: lines[0]["table"].pop(), "is not in the table"),
}


@pytest.mark.parametrize("name", TAMPERING)
def test_tampering_is_found_and_told_with_its_place(name):
    tamper, told = TAMPERING[name]
    lines = proof()
    tamper(lines)
    report = verify_proof(dump(lines))
    assert not report.ok
    assert any(told in str(finding) for finding in report.findings), [str(finding) for finding in report.findings]


def test_a_finding_names_its_match_and_leaves_the_others_alone():
    lines = proof()
    swap_deck(lines)
    swap_limits(lines)
    report = verify_proof(dump(lines))
    assert {finding.match for finding in report.findings if finding.match} == {2, 3}


BROKEN = {
    "nothing": (lambda lines: lines[:0], "The file is empty"),
    "another format": (lambda lines: _with(lines, 0, format="durak-proof/9"), "not a durak-proof/1"),
    "no JSON": (lambda lines: [lines[0], b"{oops"], "Line 2 is not JSON"),
    "a table with what is no number": (
        lambda lines: [re.sub(rb'"rating":[ ]?[0-9.]+', b'"rating":NaN', lines[0], count=1), *lines[1:]],
        "Line 1 is not JSON",
    ),
    "a line cut short": (lambda lines: [*lines[:-1], lines[-1][:100]], "cut short"),
    "a list": (lambda lines: [lines[0], b"[]"], "not a JSON object"),
    "no table": (lambda lines: _without(lines, 0, "table"), "Line 1: the field 'table'"),
    "no rules": (lambda lines: _without(lines, 0, "ruleset"), "Line 1: the field 'ruleset'"),
    "no seats": (lambda lines: _without(lines, 2, "seats"), "Line 3: the field 'seats'"),
    "no games": (lambda lines: _without(lines, 1, "games"), "Line 2: the field 'games'"),
    "a commitment that is not its own": (lambda lines: _with(lines, 1, commitment="00"), "is not among those"),
    "a secret that is none": (
        lambda lines: _with(lines, 0, secrets=[{"commitment": commitment(SECRET), "secret": "xyz"}]),
        "hexadecimal",
    ),
    "three seats": (lambda lines: _with(lines, 1, seats=[{}, {}, {}]), "3 seats are named"),
    "no deals": (lambda lines: _with(lines, 0, deals=0), "'deals'"),
    "rules that are none": (lambda lines: _with(lines, 0, ruleset={}), "the rules"),
    "a match that is no number": (lambda lines: _with(lines, 1, match=True), "Line 2: the field 'match'"),
    "a match below nothing": (lambda lines: _with(lines, 1, match=-1), "Line 2: the field 'match'"),
    "a game without moves and result": (
        lambda lines: _with(
            lines, 1, games=[{"deal": 0, "rotation": 0, "failures": [], "record": None, "dropped": True}]
        ),
        "Line 2: the field 'result'",
    ),
    "a deal below nothing": (
        lambda lines: _with(lines, 1, games=[{"deal": -1, "rotation": 0, "failures": [], "record": None}]),
        "counted from 0",
    ),
}


def _with(lines, index, **changes):
    values = [json.loads(line) for line in lines]
    values[index] |= changes
    return dump(values)


def _without(lines, index, name):
    values = [json.loads(line) for line in lines]
    del values[index][name]
    return dump(values)


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_gets_a_sentence(name):
    break_it, told = BROKEN[name]
    with pytest.raises(ProofError, match=told) as caught:
        verify_proof(break_it(dump(proof())))
    assert "\n" not in str(caught.value)


def test_a_proof_is_known_by_its_first_line():
    assert is_proof(dump(proof())[0])
    assert not any(map(is_proof, (b"", b"{", b"[]", b'{"format": "durak-record/1"}', b"\xff")))


def test_progress_is_told_for_every_match():
    told = []
    verify_proof(dump(proof()), lambda done, total: told.append((done, total)))
    assert told == [(done, 6) for done in range(1, 7)]


def test_an_audit_that_was_written_down_goes_on_as_if_it_had_not_been(monkeypatch):
    whole = verify_proof(dump(proof(entries=5)))
    add = Audit.add

    def add_to_a_copy(audit, match):
        copy = Audit.from_json(audit.terms, json.loads(json.dumps(audit.to_json())))
        found = add(copy, match)
        assert add(audit, match) == found
        assert copy.to_json() == audit.to_json()
        return found

    monkeypatch.setattr(Audit, "add", add_to_a_copy)
    assert verify_proof(dump(proof(entries=5))) == whole
