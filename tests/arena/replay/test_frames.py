"""Frames hold what the engine says, move by move; a viewer that adds them up shows the game."""

import dataclasses
import gzip
import json
from typing import Any

import pytest

from arena.bot import Observer
from arena.durak import PRESETS, GameRecord, RecordError, replay
from arena.limits import Limits
from arena.replay.frames import DISCARD, HAND, KNOWN, TABLE, TALON, frames
from arena.replay.words import Failed, Result
from arena.table import info_for
from tests.arena.replay.played import longest_record, record

GAMES = [
    *(record(players, seed=players) for players in range(2, 7)),
    *(record(4, preset, seed=3) for preset in sorted(PRESETS)),
    record(2, "perevodnoy", seed=5),
    record(6, "perevodnoy", seed=6),
    record(3, stop=20),
]


def name_of(game: GameRecord) -> str:
    return f"{game.ruleset.name}-{game.players}-{game.result.ending}"


@pytest.fixture(params=GAMES, ids=name_of)
def game(request: pytest.FixtureRequest) -> GameRecord:
    return request.param  # type: ignore[no-any-return]


def positions(made: dict[str, Any]) -> list[list[int]]:
    """The place of every card at every frame, as a viewer adds them up."""
    where = list(made["start"])
    found = [list(where)]
    for changes in made["changes"]:
        for card, place in zip(changes[::2], changes[1::2], strict=True):
            where[card] = place
        found.append(list(where))
    return found


def test_adding_up_the_changes_gives_the_table_of_the_engine(game: GameRecord):
    found = positions(frames(game))
    assert len(found) == len(game.moves) + 1
    for where, state in zip(found, replay(game), strict=True):
        for seat in range(game.players):
            held = {card for card, place in enumerate(where) if place in {HAND + seat, KNOWN + seat}}
            assert held == {card.index for card in state.hand(seat)}
        table = {}
        for pair, (attack, beat) in enumerate(state.table):
            table[attack.index] = TABLE + 2 * pair
            if beat is not None:
                table[beat.index] = TABLE + 2 * pair + 1
        assert {card: place for card, place in enumerate(where) if place >= TABLE} == table
        assert where.count(TALON) == state.talon_count
        assert {card for card, place in enumerate(where) if place == DISCARD} == {card.index for card in state.discard}


def test_what_everybody_knows_of_a_hand_is_what_a_perfect_memory_holds(game: GameRecord):
    made = frames(game)
    found = positions(made)
    for watcher in range(game.players):
        observer = None
        seen = 0
        for where, state in zip(found, replay(game), strict=True):
            if observer is None:
                observer = Observer(info_for(state, watcher, Limits()))
            for event in state.events[seen:]:
                observer.observe(event)
            seen = len(state.events)
            view = observer.view(state.hand(watcher), state.legal_moves(), 1.0)
            for seat in range(game.players):
                if seat != watcher:
                    known = {card for card, place in enumerate(where) if place == KNOWN + seat}
                    assert known == {card.index for card in view.known(seat)}


def test_roles_and_movers_are_those_of_the_engine(game: GameRecord):
    made = frames(game)
    roles = iter(made["roles"])
    upcoming = next(roles)
    current: list[int] = []
    for number, state in enumerate(replay(game)):
        if upcoming and upcoming[0] == number:
            current, upcoming = upcoming[1:], next(roles, [])
        if state.result is None:
            assert current == [state.bout, state.attacker, state.defender]
            mover = made["seat"][number] if number < len(game.moves) else made["actor"]
            assert int(mover) == state.actor


def test_marks_stand_where_things_happen(game: GameRecord):
    made = frames(game)
    bouts = [number for number, bout, *_ in made["roles"]]
    assert made["marks"]["bout"][0] == 0
    assert set(made["marks"]["bout"]) <= set(bouts)
    seen = 0
    taken, outs = [], []
    for number, state in enumerate(replay(game)):
        kinds = [event.kind.value for event in state.events[seen:]]
        seen = len(state.events)
        taken += [number] if "taken" in kinds else []
        outs += [number] if "out" in kinds else []
    assert made["marks"]["take"] == taken
    assert made["marks"]["out"] == outs
    failed = game.failure is not None
    assert made["marks"]["failure"] == ([len(game.moves)] if failed else [])


def test_every_frame_says_something_and_times_go_with_moves(game: GameRecord):
    made = frames(game)
    assert len(made["said"]) == len(game.moves) + 1
    assert all(said and all(made["sentences"][index] for index in said) for said in made["said"])
    assert len(made["ms"]) == len(made["notation"]) == len(made["seat"]) == len(game.moves)
    assert made["notation"] == [str(move) for _, move in game.moves]
    assert [ms is None for ms in made["ms"]] == [ms is None for ms in game.times_ms]


def test_frames_are_plain_json(game: GameRecord):
    made = frames(game)
    again = json.loads(json.dumps(made))
    assert again["changes"] == made["changes"]
    assert again["result"]["banner"] == json.loads(json.dumps(made["result"]["banner"]))


def test_the_result_shown_is_the_one_stored_and_not_worked_out():
    """Even one that the moves do not give: no second opinion is formed."""
    game = record(2)
    stored = Result("forfeit", (2, 1), None, (Failed(0, "pondering"),))
    made = frames(game, result=stored)
    assert made["result"]["ending"] == "forfeit"
    assert made["result"]["places"] == [2, 1]
    assert made["result"]["banner"] == ["Forfeit: ", 0, " thought out of turn"]
    assert made["marks"]["failure"] == [len(game.moves)]


def test_a_game_that_failed_before_its_first_move_has_one_frame():
    made = frames(record(3, stop=0))
    assert made["changes"] == []
    assert len(made["said"]) == 1
    assert made["result"]["ending"] == "forfeit"
    assert made["actor"] is not None


def test_a_bout_that_a_failure_ends_as_it_begins_is_no_bout_of_the_list():
    whole = frames(record(2))["marks"]["bout"]
    begins = whole[3]
    made = frames(record(2, stop=begins))
    assert made["marks"]["bout"] == whole[:3]
    assert made["marks"]["failure"] == [begins]
    assert made["roles"][-1][:2] == [begins, 4]  # the table says that it had begun
    assert frames(record(2, stop=begins + 1))["marks"]["bout"] == whole[:4]


def test_names_are_never_part_of_a_text():
    made = frames(record(6))
    texts = [part for sentence in made["sentences"] for part in sentence if isinstance(part, str)]
    assert not any("<b>" in text or "Lowest" in text for text in texts)
    assert made["seats"][3] == {"name": "<b>Bold</b>", "version": 4}


def test_a_record_that_breaks_the_rules_is_refused_with_a_sentence():
    game = record(2)
    wrong = dataclasses.replace(game, moves=(*game.moves[:3], *game.moves[4:]), times_ms=())
    with pytest.raises(RecordError, match="Move 4"):
        frames(wrong)


def test_a_record_without_times_or_limits_can_be_shown():
    game = record(2)
    bare = dataclasses.replace(game, times_ms=(), limits={})
    made = frames(bare)
    assert made["bank_ms"] is None
    assert made["ms"] == [None] * len(game.moves)


@pytest.mark.parametrize("bank", ["ten", -1, 10**400])
def test_a_bank_that_is_no_time_is_none(bank):
    """Limits of a record are named values of any kind, and a record comes from anywhere."""
    assert frames(dataclasses.replace(record(2), limits={"bank": bank}))["bank_ms"] is None


def test_the_longest_game_stays_small():
    game = longest_record()
    assert str(game.result.ending) == "bout_limit"
    assert len(game.moves) > 9000
    made = frames(game)
    text = json.dumps(made, ensure_ascii=False, separators=(",", ":")).encode()
    assert len(text) < 400_000
    assert len(gzip.compress(text, mtime=0)) < 40_000
    assert len(made["sentences"]) < 1000
