"""A match: duplicate deals, clocks, failures, and a result that is keyed by entrant."""

import itertools
import random
import sys

import pytest

from arena.bot import Bot
from arena.durak import CARDS, PRESETS, Ending, Game, RulesetError, verify
from arena.local import LocalPlayer
from arena.match import (
    Failure,
    Limits,
    MatchOverrun,
    PlayerFailed,
    PlayerReport,
    Reason,
    play_match,
)
from arena.samples import SAMPLES

PODKIDNOY = PRESETS["podkidnoy"]
DECKS = [random.Random(number).sample(CARDS, 36) for number in range(4)]


class Scripted:
    """Plays its cheapest move; what it does besides is set by the test."""

    def __init__(self, name="scripted", *, version=1, pick=lambda question: question.legal[0], takes=0.001, cpu=0.0):
        self.name = name
        self.version = version
        self.pick = pick
        self.takes = takes
        self.cpu = cpu
        self.cpu_error = 0.0
        self.elapsed = 0.0
        self.infos = []
        self.questions = []
        self.timeouts = []
        self.finished = 0

    def start(self, info, timeout):  # noqa: ARG002
        self.elapsed = 0.25
        self.infos.append(info)
        self.questions.append([])

    def ask(self, question, timeout):
        self.elapsed = self.takes
        self.questions[-1].append(question)
        self.timeouts.append(timeout)
        return self.pick(question)

    def finish(self):
        self.finished += 1
        return PlayerReport(cpu_seconds=self.cpu, cpu_error=self.cpu_error, log=f"log of {self.name}")


class Failing(Scripted):
    """Fails in its n-th question of each game (0: at the start)."""

    def __init__(self, name="failing", *, at=0, reason=Reason.CRASH, games=None):
        super().__init__(name)
        self.at = at
        self.reason = reason
        self.games = games

    def _fail(self):
        if self.games is None or len(self.infos) - 1 in self.games:
            raise PlayerFailed(self.reason, "It failed.", {"file": "bot.py", "line": 3})

    def start(self, info, timeout):
        super().start(info, timeout)
        if self.at == 0:
            self._fail()

    def ask(self, question, timeout):
        answer = super().ask(question, timeout)
        if question.number == self.at:
            self._fail()
        return answer


def play(*players, ruleset=PODKIDNOY, decks=DECKS, limits=None, on_progress=None):
    return play_match(players, ruleset, decks, limits, on_progress)


def test_every_deck_is_played_in_every_rotation_and_rotation_0_comes_first():
    result = play(Scripted(), Scripted(), Scripted())
    assert [(game.rotation, game.deal) for game in result.games] == list(itertools.product(range(3), range(4)))
    assert result.entrants == 3


def test_in_rotation_r_seat_s_is_taken_by_entrant_s_minus_r():
    result = play(Scripted(), Scripted(), Scripted(), decks=DECKS[:1])
    assert [game.seating for game in result.games] == [(0, 1, 2), (2, 0, 1), (1, 2, 0)]


def test_every_entrant_sits_in_every_seat_once_a_deck():
    result = play(*[Scripted() for _ in range(5)], decks=DECKS[:1])
    for entrant in range(5):
        assert sorted(game.seat_of(entrant) for game in result.games) == [0, 1, 2, 3, 4]


def test_players_are_told_their_own_seat_and_the_limits():
    one, two = Scripted(), Scripted()
    play(one, two, decks=DECKS[:1], limits=Limits(bank=7, move_limit=3))
    assert [info.seat for info in one.infos] == [0, 1]
    assert [info.seat for info in two.infos] == [1, 0]
    assert {(info.bank, info.move_limit) for info in one.infos} == {(7, 3)}


def test_records_replay_to_the_outcome():
    for game in play(Scripted(), Scripted(pick=lambda question: question.legal[-1]), Scripted()).games:
        assert verify(game.record) == game.outcome


def test_records_name_who_sat_where():
    result = play(Scripted("anna", version=3), Scripted("boris", version=5), decks=DECKS[:1])
    assert list(result.games[0].record.seats) == [{"bot": "anna", "version": 3}, {"bot": "boris", "version": 5}]
    assert list(result.games[1].record.seats) == [{"bot": "boris", "version": 5}, {"bot": "anna", "version": 3}]


def test_forced_moves_are_played_without_asking():
    one, two = Scripted(), Scripted()
    result = play(one, two)
    asked = [question for player in (one, two) for game in player.questions for question in game]
    assert min(len(question.legal) for question in asked) == 2
    times = [time for game in result.games for time in game.record.times_ms]
    assert len([time for time in times if time is not None]) == len(asked)
    assert None in times


def test_a_bot_is_told_every_event_once_and_in_order():
    one, two = Scripted(), Scripted()
    result = play(one, two, decks=DECKS[:1])
    for player in (one, two):
        for number, questions in enumerate(player.questions):
            record = result.games[number].record
            game = Game(PODKIDNOY, 2, record.deck)
            for _, move in record.moves:
                game.play(move)
            told = [event for question in questions for event in question.events]
            assert told == [event.to_wire() for event in game.events][: len(told)]


def test_questions_are_numbered_from_1_in_every_game():
    one = Scripted()
    play(one, Scripted())
    for questions in one.questions:
        assert [question.number for question in questions] == list(range(1, len(questions) + 1))


def test_nothing_a_bot_is_told_names_a_card_that_it_cannot_know():
    one, two = Scripted(), Scripted()
    result = play(one, two, decks=DECKS[:1])
    for number, (info, questions) in enumerate(zip(one.infos, one.questions, strict=True)):
        game = Game(PODKIDNOY, 2, result.games[number].record.deck)
        seen = {str(game.turn_up), *map(str, game.hand(info.seat))}
        assert set(str(info.to_wire()["turn_up"]).split()) <= seen
        for question in questions:
            public = {text for event in question.events for text in event[2:] if isinstance(text, str)}
            seen |= set(question.hand)
            for text in public:
                seen |= set(text.replace("/", " ").replace(">", " ").replace("+", " ").split())
            assert {card for move in question.legal for card in _cards(move)} <= seen
            assert set(vars_of(question)) == {"number", "hand", "legal", "events", "clock"}


def vars_of(question):
    return question.__slots__


def _cards(move):
    return [] if move in ("take", "pass") else move.replace("/", " ").replace(">", " ").replace("+", " ").split()


# Clocks


def test_the_bank_goes_down_by_the_time_charged_and_starting_is_free():
    one = Scripted(takes=0.5)
    play(one, Scripted(), decks=DECKS[:1], limits=Limits(bank=100, move_limit=1))
    clocks = [question.clock for question in one.questions[0]]
    assert clocks[0] == 100
    assert clocks[1:] == pytest.approx([100 - 0.5 * count for count in range(1, len(clocks))])


def test_each_game_has_a_bank_of_its_own():
    one = Scripted(takes=0.5)
    play(one, Scripted(), limits=Limits(bank=100, move_limit=1))
    assert {questions[0].clock for questions in one.questions} == {100}


def test_time_is_charged_to_who_thought():
    slow, quick = Scripted(takes=0.5), Scripted(takes=0.001)
    result = play(slow, quick, limits=Limits(bank=100, move_limit=1))
    for game in result.games:
        assert game.uses[0].seconds == pytest.approx(0.5 * game.uses[0].decisions)
        assert game.uses[1].seconds == pytest.approx(0.001 * game.uses[1].decisions)
        for (seat, _), time in zip(game.record.moves, game.record.times_ms, strict=True):
            assert time in (None, 500.0 if game.seating[seat] == 0 else 1.0)


def test_a_decision_may_take_the_move_limit_or_what_is_left_of_the_bank():
    one = Scripted(takes=0.75)
    play(one, Scripted(), decks=DECKS[:1], limits=Limits(bank=2.0, move_limit=1.0))
    assert one.timeouts[:3] == pytest.approx([1.0, 1.0, 0.5])


def test_running_out_of_the_bank_is_a_failure_that_says_so():
    result = play(Scripted(takes=0.75), Scripted(), decks=DECKS[:1], limits=Limits(bank=2.0, move_limit=1.0))
    (failure,) = result.games[0].failures
    assert (failure.seat, failure.reason) == (0, Reason.TIME)
    assert "bank" in failure.message


def test_a_decision_over_the_move_limit_is_a_failure_that_says_so():
    result = play(Scripted(takes=1.5), Scripted(), decks=DECKS[:1], limits=Limits(bank=20, move_limit=1.0))
    assert result.games[0].failures[0].reason is Reason.TIME
    assert "1 s" in result.games[0].failures[0].message


# Failures


@pytest.mark.parametrize("reason", [Reason.CRASH, Reason.PROTOCOL, Reason.TIME, Reason.MEMORY, Reason.OUTPUT])
def test_the_first_failure_ends_the_game_and_loses_it(reason):
    result = play(Failing(at=2, reason=reason), Scripted(), Scripted(), decks=DECKS[:1])
    game = result.games[0]
    assert [(failure.seat, failure.reason) for failure in game.failures] == [(0, reason)]
    assert game.outcome.ending is Ending.FORFEIT
    assert game.outcome.places[0] > 1
    assert set(game.outcome.places[1:]) == {1}
    assert game.record.failure == {"seat": 0, "reason": reason, "at": len(game.record.moves)}
    assert verify(game.record) == game.outcome


def test_a_failure_holds_the_exact_view_for_the_owner():
    one = Failing(at=3)
    result = play(one, Scripted(), decks=DECKS[:1])
    (failure,) = result.games[0].failures
    question = one.questions[0][2]
    assert failure.view is not None
    assert failure.view["hand"] == question.hand
    assert failure.view["legal"] == question.legal
    assert failure.view["clock"] == pytest.approx(question.clock)
    assert failure.view["game"] == one.infos[0].to_wire()
    assert failure.view["events"] == [event for asked in one.questions[0][:3] for event in asked.events]
    assert failure.detail == {"file": "bot.py", "line": 3}
    assert Failure(**{**failure.to_json(), "reason": Reason(failure.to_json()["reason"])}) == failure


@pytest.mark.parametrize(
    ("answer", "word"),
    [
        ("9z", "not a move"),
        ("", "not a move"),
        ("take", "legal"),
        ("x" * 200, "not a move"),
        ("7h/9h", "legal"),
        ("\x00", "not a move"),
    ],
)
def test_an_illegal_move_is_a_failure_that_says_why(answer, word):
    result = play(Scripted(pick=lambda _: answer), Scripted(), decks=DECKS[:1])
    (failure,) = result.games[0].failures
    assert (failure.seat, failure.reason) == (0, Reason.ILLEGAL)
    assert word in failure.message
    assert "\x00" not in failure.message
    assert len(failure.message) < 500


def test_the_text_of_a_move_is_judged_by_the_position_not_by_the_hand():
    """A card of the hand that does not fit is as illegal as one that is not there."""
    illegal = []

    def pick(question):
        wrong = [card for card in question.hand if card not in question.legal]
        if "pass" in question.legal and wrong:
            illegal.append(wrong[0])
            return wrong[0]
        return question.legal[0]

    result = play(Scripted(pick=pick), Scripted(), decks=DECKS[:1])
    assert illegal
    assert result.games[0].failures[0].reason is Reason.ILLEGAL


@pytest.mark.parametrize("reason", [Reason.CRASH, Reason.TIME, Reason.LOAD])
def test_failing_to_start_is_a_load_failure(reason):
    result = play(Failing(at=0, reason=reason), Scripted(), decks=DECKS[:1])
    assert [failure.reason for failure in result.games[0].failures] == [Reason.LOAD]


@pytest.mark.parametrize("reason", [Reason.MEMORY, Reason.PROTOCOL, Reason.OUTPUT])
def test_other_failures_at_the_start_keep_their_reason(reason):
    result = play(Failing(at=0, reason=reason), Scripted(), decks=DECKS[:1])
    assert [failure.reason for failure in result.games[0].failures] == [reason]


def test_a_failure_at_load_loses_in_every_seat():
    result = play(Scripted("good"), Failing("bad"), decks=DECKS[:2], limits=Limits(forfeit_after=99))
    assert [(game.place_of(0), game.place_of(1)) for game in result.games] == [(1, 2)] * 4


def test_when_both_fail_to_load_nobody_gains_from_seat_order():
    result = play(Failing("one"), Failing("two"), decks=DECKS[:1])
    for game in result.games:
        assert sorted(failure.seat for failure in game.failures) == [0, 1]
        assert game.place_of(0) == game.place_of(1)
        assert verify(game.record) == game.outcome


def test_when_two_of_three_fail_to_load_they_share_the_last_place():
    game = play(Failing("one"), Scripted(), Failing("two"), decks=DECKS[:1]).games[0]
    assert game.outcome.places == (2, 1, 2)


def test_a_failure_in_the_last_move_counts_like_any_other():
    whole = play(Scripted(), Scripted(), decks=DECKS[:1]).games[0]
    last = max(index for index, time in enumerate(whole.record.times_ms) if time is not None)
    seat = whole.record.moves[last][0]
    count = whole.uses[seat].decisions
    players = [Scripted(), Scripted()]
    players[seat] = Failing(at=count)
    game = play(*players, decks=DECKS[:1]).games[0]
    assert [failure.at for failure in game.failures] == [last]
    assert game.place_of(seat) == 2
    assert game.place_of(1 - seat) == 1


def test_every_player_that_was_started_is_finished_once_a_game():
    players = [Failing(at=0, games={0}), Failing(at=2, games={1}), Scripted()]
    result = play(*players, decks=DECKS[:2])
    for entrant, player in enumerate(players):
        assert player.finished == len(player.infos)
        assert all(game.uses[entrant].report is not None for game in result.games)


def test_after_three_failed_games_a_version_forfeits_the_rest_unstarted():
    bad, good = Failing(at=1), Scripted()
    result = play(bad, good, limits=Limits(forfeit_after=3))
    assert len(bad.infos) == 3
    assert len(result.games) == 8
    for game in result.games[3:]:
        (failure,) = game.failures
        assert failure.forfeited
        assert failure.reason is Reason.CRASH
        assert game.place_of(0) == 2
        assert game.uses[0].report is None
        assert game.record.moves == ()
        assert verify(game.record) == game.outcome


def test_failed_games_are_counted_for_each_entrant_apart():
    """Two entrants with the same name and version are still two."""
    result = play(
        Failing("same", at=1, games={0, 1}), Failing("same", at=1, games={2, 3}), limits=Limits(forfeit_after=3)
    )
    assert not any(failure.forfeited for game in result.games for failure in game.failures)


def test_pondering_is_found_when_the_game_is_over_and_loses_it():
    burner = Scripted("burner", cpu=50.0)
    result = play(burner, Scripted(), decks=DECKS[:1])
    for game in result.games:
        (failure,) = game.failures
        assert game.seating[failure.seat] == 0
        assert failure.reason is Reason.PONDERING
        assert game.place_of(0) == 2
        assert game.place_of(1) == 1
        assert verify(game.record) == game.outcome


def test_cpu_within_the_time_charged_is_no_pondering():
    player = Scripted(takes=0.1, cpu=0.7)  # 0.25 s for the start, 0.1 s a decision, and some are made
    assert not any(game.failures for game in play(player, Scripted(), decks=DECKS[:1]).games)


def test_what_a_coarse_clock_may_have_made_up_is_no_pondering():
    assert play(Scripted(cpu=5.0), Scripted(), decks=DECKS[:1]).games[0].failures
    player = Scripted(cpu=5.0)
    player.cpu_error = 5.0
    assert not any(game.failures for game in play(player, Scripted(), decks=DECKS[:1]).games)


def test_who_failed_otherwise_is_not_charged_with_pondering_too():
    result = play(Failing(at=1), Scripted(cpu=50.0), decks=DECKS[:1])
    assert [failure.reason for failure in result.games[0].failures] == [Reason.CRASH]


# Results


def outcomes_by_name(order):
    classes = {"lowest": "lowest", "random": "random", "easy": "easy"}
    players = [LocalPlayer(SAMPLES[classes[name]].load(), "the same name") for name in order]
    result = play(*players, decks=DECKS[:3])
    table = {}
    for game in result.games:
        key = (game.deal, tuple(order[entrant] for entrant in game.seating))
        table[key] = tuple(game.outcome.places)
    return table


def test_the_same_seating_gives_the_same_game_under_every_order_of_entrants():
    tables = [outcomes_by_name(order) for order in itertools.permutations(["lowest", "random", "easy"])]
    merged: dict[object, object] = {}
    for table in tables:
        for key, places in table.items():
            assert merged.setdefault(key, places) == places
    assert len(merged) == 18


def test_the_winner_is_the_same_entrant_under_every_permutation():
    for order in itertools.permutations(range(3)):
        players = [Failing("x", at=1), Failing("x", at=1), Scripted("x")]
        result = play(*[players[index] for index in order], decks=DECKS[:1], limits=Limits(forfeit_after=99))
        good = order.index(2)
        assert all(game.place_of(good) == 1 for game in result.games)


def test_reports_and_logs_are_kept_by_entrant():
    result = play(Scripted("anna"), Scripted("boris"), decks=DECKS[:1])
    for game in result.games:
        assert [use.report.log for use in game.uses] == ["log of anna", "log of boris"]
        assert [use.seat for use in game.uses] == [game.seat_of(0), game.seat_of(1)]


def test_a_name_that_no_record_can_hold_is_cut():
    record = play(Scripted("я" * 10_000), Scripted(""), decks=DECKS[:1]).games[0].record
    assert [len(seat["bot"]) for seat in record.seats] == [200, 3]


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("players", range(2, 7))
def test_every_preset_is_played_by_every_number_of_players_it_is_for(preset, players):
    ruleset = PRESETS[preset]
    if players not in ruleset.players:
        with pytest.raises(RulesetError, match=str(players)):
            play(*[Scripted() for _ in range(players)], ruleset=ruleset, decks=DECKS[:1])
        return
    result = play(*[LocalPlayer(SAMPLES["easy"].load()) for _ in range(players)], ruleset=ruleset, decks=DECKS[:1])
    assert [game.rotation for game in result.games] == list(range(players))
    for game in result.games:
        assert not game.failures
        assert verify(game.record) == game.outcome
        assert game.seating == tuple((seat - game.rotation) % players for seat in range(players))
        assert game.record.deck == tuple(DECKS[0])
        if ruleset.teams == "pairs":
            assert all((game.seat_of(entrant) - game.seat_of(entrant + 2)) % 4 == 2 for entrant in (0, 1))
    # Everybody holds every hand, once.
    assert {(entrant, game.seat_of(entrant)) for game in result.games for entrant in range(players)} == set(
        itertools.product(range(players), repeat=2)
    )


# Faults of ours


class OurFault(Exception):  # noqa: N818
    pass


def test_a_fault_of_ours_ends_the_match_and_every_player():
    class Broken(Scripted):
        def ask(self, question, timeout):  # noqa: ARG002
            raise OurFault

    one, two = Broken(), Scripted()
    with pytest.raises(OurFault):
        play(one, two)
    assert (one.finished, two.finished) == (1, 1)


def test_a_match_has_a_wall_limit(monkeypatch):
    now = [0.0]
    monkeypatch.setattr("arena.match.time.monotonic", lambda: now[0])
    limits = Limits(bank=1, start_limit=1, overhead=1)

    def pick(question):
        now[0] += 5
        return question.legal[0]

    one = Scripted(pick=pick)
    with pytest.raises(MatchOverrun):
        play(one, Scripted(pick=pick), decks=DECKS[:1], limits=limits)
    assert one.finished == 1
    assert now[0] <= limits.match_seconds(2, 1) + 5


def test_progress_is_told_after_every_game_and_now_and_then_within_one(monkeypatch):
    now = [0.0]
    monkeypatch.setattr("arena.match.time.monotonic", lambda: now[0])

    def pick(question):
        now[0] += 0.4
        return question.legal[0]

    told = []
    play(Scripted(pick=pick), Scripted(), decks=DECKS[:2], on_progress=lambda done, total: told.append((done, total)))
    assert {total for _, total in told} == {4}
    assert sorted({done for done, _ in told}) == [0, 1, 2, 3, 4]
    assert told == sorted(told)
    assert told.count((1, 4)) > 2


def test_an_exception_from_progress_ends_the_match():
    one = Scripted()

    def on_progress(done, total):
        if done == 1:
            raise OurFault

    with pytest.raises(OurFault):
        play(one, Scripted(), on_progress=on_progress)
    assert len(one.infos) == 1


@pytest.mark.parametrize(("method", "reason"), [("__init__", "load"), ("act", "crash")])
def test_a_bot_in_this_process_that_exits_has_failed_as_in_a_sandbox(method, reason):
    def leaves(*_words):
        sys.exit("enough")

    leaver = type("Leaver", (Bot,), {"act": None, method: leaves})
    result = play(LocalPlayer(leaver), LocalPlayer(SAMPLES["lowest"].load()), decks=DECKS[:1])
    assert {str(failure.reason) for game in result.games for failure in game.failures} == {reason}
