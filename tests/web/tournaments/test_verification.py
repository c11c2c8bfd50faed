"""A whole tournament is verified on the site in pieces, and by its proof with the command: both find the same."""

import json
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from arena import variance
from arena.durak import GameRecord
from arena.proof import verify_proof
from tests.web import factories
from tests.web.tournaments.made import STATES, in_threads, tournament_in
from tournaments import lifecycle, proofs, ratings, verification
from tournaments.models import DealSecret, Entry, Game, Match, Seat, Tournament, Verification
from tournaments.records import DROPPED
from tournaments.sweep import sweep

pytestmark = pytest.mark.django_db


def ended(count: int = 4, **options) -> Tournament:
    """A tournament that was played to its end, with its table, and with failures in it."""
    made = factories.round_robin([factories.bot() for _ in range(count)], **options)
    clumsy = Entry.objects.filter(tournament=made).earliest("id").bot
    factories.play(made, brain=lambda bot: factories.skilled((bot.pk % 10) / 10, 0.05 if bot == clumsy else 0.0))
    made.refresh_from_db()
    ratings.refresh_table(made)
    lifecycle.finish(made)
    made.refresh_from_db()
    return made


@pytest.fixture
def played():
    return ended()


def verified(tournament: Tournament, seconds: float = 0.0) -> Verification:
    """Verify it, with pieces as small as they get."""
    verification.ask(tournament)
    for _ in range(100):
        found = verification.advance(seconds)
        if found.finished_at is not None:
            return found
    raise AssertionError("the verification does not end")


def sentences(found: Verification) -> list[str]:
    return [finding["sentence"] for finding in found.findings]


FORMATS = [
    (2, "podkidnoy", 5),
    (3, "perevodnoy", 4),
    (4, "pairs", 5),
    (5, "podkidnoy-first-out", 5),
    (6, "podkidnoy", 6),
]


@pytest.mark.parametrize(("players", "ruleset", "count"), FORMATS)
def test_what_was_played_holds_by_button_and_by_file(players, ruleset, count):
    tournament = ended(count, players=players, ruleset=ruleset, deals=1)
    found = verified(tournament)
    assert sentences(found) == []
    assert (found.holds, found.matches, found.games) == (True, tournament.rated, Game.objects.count())
    report = verify_proof(proofs.proof_lines(tournament))
    assert [str(finding) for finding in report.findings] == []
    assert (report.ok, report.matches, report.games, report.sealed, report.table) == (
        True,
        found.matches,
        found.games,
        0,
        True,
    )


def swap_record(match_number):
    game, other = Game.objects.filter(deal=0, rotation=0).order_by("match__number")[match_number - 1 : match_number + 1]
    Game.objects.filter(pk=game.pk).update(record=other.record, ending=other.ending, places=other.places)


def change_result():
    game = Game.objects.filter(ending="fool").earliest("id")
    Game.objects.filter(pk=game.pk).update(places=game.places[::-1])


def shorten_record():
    game = Game.objects.filter(ending="fool").earliest("id")
    record = GameRecord.from_compact(bytes(game.record))
    fields = {name: getattr(record, name) for name in record.__slots__}
    short = GameRecord(**fields | {"moves": record.moves[:-1], "times_ms": record.times_ms[:-1]})
    Game.objects.filter(pk=game.pk).update(record=short.compact())


TAMPERING = {
    "the secret": (lambda: DealSecret.objects.update(secret=b"x" * 32), "not the one that was committed to"),
    "a deck": (lambda: swap_record(1), "The deck is not the one"),
    "a move": (shorten_record, "breaks off"),
    "a record": (lambda: Game.objects.filter(pk=Game.objects.earliest("id").pk).update(record=b"?"), ""),
    "a game": (lambda: Game.objects.earliest("id").delete(), "each of 2 deals once"),
    "Elo": (lambda: Entry.objects.filter(pk=Entry.objects.earliest("id").pk).update(elo=1999.0), "elo 1999.0"),
    "points": (lambda: Entry.objects.filter(pk=Entry.objects.earliest("id").pk).update(points=1), "says score"),
    "a rating": (lambda: Entry.objects.filter(pk=Entry.objects.earliest("id").pk).update(rating=9.0), "says rating"),
    "who sat there": (
        lambda: Seat.objects.filter(match__number=1).update(version=factories.version(factories.bot())),
        "Other versions sat there",
    ),
    "the order of rating": (
        lambda: Match.objects.filter(rated_order=3).update(rated_order=99),
        "should come next",
    ),
}


@pytest.mark.parametrize("name", TAMPERING)
def test_tampering_is_found_by_button_and_by_file(played, name):
    tamper, told = TAMPERING[name]
    tamper()
    found = verified(played)
    assert not found.holds
    assert any(told in sentence for sentence in sentences(found)), sentences(found)
    report = verify_proof(proofs.proof_lines(played))
    assert not report.ok
    assert any(told in str(finding) for finding in report.findings)


def test_a_result_that_was_changed_beside_its_record_is_found(played):
    change_result()
    assert "The published result is another than the record's." in sentences(verified(played))


def test_failures_that_say_nothing_stop_no_verification(played):
    Game.objects.filter(pk=Game.objects.filter(failures=[]).earliest("id").pk).update(failures=[{}])
    assert "The failures beside the record are not those in it." in sentences(verified(played))


def test_a_finding_names_the_match_the_deal_and_the_rotation(played):
    swap_record(2)
    (finding, *_) = verified(played).findings
    assert (finding["match"], finding["deal"], finding["rotation"]) == (2, 0, 0)


def test_findings_without_end_are_counted_and_the_first_are_kept(played, monkeypatch):
    monkeypatch.setattr(verification, "KEPT", 3)
    Game.objects.update(record=b"?")
    found = verified(played)
    assert len(found.findings) == 3
    assert found.found > 24


def test_a_verification_is_done_in_pieces_that_survive_whoever_does_them(monkeypatch):
    tournament = ended(5, deals=1)
    monkeypatch.setattr(proofs.matches_after, "__defaults__", (3,))
    verification.ask(tournament)
    seen = []
    for _ in range(5):
        sweep()
        found = verification.of(tournament)
        seen.append((found.matches, found.finished_at is not None))
        monkeypatch.setattr(verification.advance, "__defaults__", (0.0,))
    assert seen[-1] == (10, True)
    assert verification.of(tournament).holds


@pytest.mark.parametrize("state", STATES)
def test_only_what_has_ended_is_verified(state):
    tournament = tournament_in(state)
    assert verification.may_ask(tournament, None) == (state in {"finished", "cancelled"})
    if state not in {"finished", "cancelled"}:
        with pytest.raises(lifecycle.LifecycleError, match="not ended"):
            verification.ask(tournament)
    elif state == "cancelled":
        assert verified(tournament).holds


def test_a_tournament_that_was_cancelled_half_way_holds_too():
    tournament = factories.round_robin([factories.bot() for _ in range(4)], deals=1)
    factories.play(tournament, limit=3)
    tournament = lifecycle.cancel(tournament)
    # Its table was never made: that is caught up on.
    report = verify_proof(proofs.proof_lines(tournament))
    assert (report.ok, report.matches, report.table) == (True, 3, True)
    assert verified(tournament).holds


def test_a_running_one_and_a_ladder_have_proofs_without_secret_and_table():
    running = factories.round_robin([factories.bot() for _ in range(3)], deals=1)
    ladder = factories.ladder([factories.bot() for _ in range(3)], deals=1)
    for tournament in (running, ladder):
        factories.play(tournament, limit=2)
        report = verify_proof(proofs.proof_lines(tournament))
        assert (report.ok, report.matches, report.sealed, report.table) == (True, 2, 2, False)
    secrets = [bytes(row.secret).hex() for row in DealSecret.objects.all()]
    text = b"".join([*proofs.proof_lines(running), *proofs.proof_lines(ladder)]).decode()
    assert not any(secret in text for secret in secrets)


def test_a_cancelled_ladder_holds_though_old_versions_are_in_no_table():
    ladder = lifecycle.ensure_ladder()
    Tournament.objects.update(deals=1)
    bots = [factories.bot() for _ in range(3)]
    for bot in bots:
        lifecycle.join_ladder(ladder, bot.versions.get())
    factories.play(Tournament.objects.get(pk=ladder.pk))
    lifecycle.join_ladder(ladder, factories.version(bots[0]))
    factories.play(Tournament.objects.get(pk=ladder.pk))
    lifecycle.cancel(ladder)
    ladder.refresh_from_db()
    report = verify_proof(proofs.proof_lines(ladder))
    assert [str(finding) for finding in report.findings] == []
    assert report.matches == 5


def test_asking_again_while_it_runs_or_has_just_ended_changes_nothing(played):
    first = verification.ask(played)
    verification.advance(0.0)
    assert verification.ask(played).asked_at == first.asked_at
    found = verified(played)
    assert not verification.may_ask(played, found)
    assert verification.ask(played).finished_at == found.finished_at
    Verification.objects.update(finished_at=timezone.now() - timedelta(hours=2))
    again = verification.ask(played)
    assert (again.finished_at, again.matches, again.counted) == (None, 0, {})


def test_what_a_slower_sweep_has_done_is_dropped(played, monkeypatch):
    verification.ask(played)
    other_done: list[bool] = []

    def matches_after(*args, **options):
        if not other_done:
            other_done.append(True)
            while verification.advance() is not None:
                pass
        return original(*args, **options)

    original = proofs.matches_after
    monkeypatch.setattr(proofs, "matches_after", matches_after)
    verification.advance()
    found = verification.of(played)
    assert (found.holds, found.matches) == (True, played.rated)


def test_nothing_is_done_where_nothing_is_asked(played):
    assert verification.advance() is None


def test_a_proof_does_not_get_longer_while_it_is_written():
    tournament = factories.round_robin([factories.bot() for _ in range(4)], deals=1)
    factories.play(tournament, limit=2)
    lines = proofs.proof_lines(tournament)
    head = json.loads(next(lines))
    factories.play(tournament)
    assert (head["matches"]["finished"], len(list(lines))) == (2, 2)


@pytest.mark.django_db(transaction=True)
def test_sweeps_at_the_same_moment_verify_once():
    tournament = ended(5, deals=1)
    verification.ask(tournament)
    in_threads(lambda _: verification.advance(), range(4), threads=4)
    while verification.advance() is not None:
        pass
    found = verification.of(tournament)
    assert (found.holds, found.matches, found.games) == (True, 10, 20)


def test_moves_that_are_not_kept_any_more_are_told_and_their_results_count(played, client):
    Game.objects.filter(match__number__in=[1, 2]).update(record=DROPPED)
    found = verified(played)
    assert (found.holds, found.dropped, found.games) == (True, 8, 24)
    assert "The moves of 8 games are not kept any more" in page(played, client)
    report = verify_proof(proofs.proof_lines(played))
    assert (report.ok, report.dropped, report.table) == (True, 8, True)
    # What was done with their results is still seen by the table.
    game = Game.objects.filter(record=DROPPED, ending="fool").earliest("id")
    Game.objects.filter(pk=game.pk).update(places=game.places[::-1])
    report = verify_proof(proofs.proof_lines(played))
    assert any("The table says" in str(finding) for finding in report.findings)


# ---------------------------------------------------------------------------------------------------------------------
# The page


def page(tournament: Tournament, client, part: str = "") -> str:
    address = reverse("tournaments:fairness", args=[tournament.slug])
    return str(client.get(address, {"part": part} if part else {}).content.decode())


def test_the_button_is_there_when_it_is_over_and_tells_how_far_it_is(played, client):
    assert "Verify the whole tournament" in page(played, client)
    answer = client.post(reverse("tournaments:verify", args=[played.slug]))
    assert answer["Location"] == reverse("tournaments:fairness", args=[played.slug])
    text = page(played, client)
    assert "Verifying: 0 of 6 matches" in text
    assert "Verify the whole tournament" not in text
    verified(played)
    text = page(played, client, "verification")
    assert "It holds: 6 matches were computed again." in text
    assert "hx-get" not in text


def test_the_page_says_how_much_luck_the_rotations_take_out_in_this_format(played, client):
    line = variance.published()["podkidnoy", 2]
    assert f"is {line.ratio:.2f} of what it is on separate decks" in page(played, client)
    # Rules of one's own have not been measured.
    Tournament.objects.update(ruleset_name="house rules")
    assert "of what it is on separate decks" not in page(played, client)


def test_the_page_says_which_match_does_not_hold(played, client):
    swap_record(1)
    verified(played)
    text = page(played, client)
    assert "It does not hold" in text
    assert "<strong>Match 1, deal 0, rotation 0:</strong>" in text


def test_a_running_tournament_has_no_button(client):
    running = factories.round_robin([factories.bot(), factories.bot()])
    assert "Verify the whole tournament" not in page(running, client)
    client.post(reverse("tournaments:verify", args=[running.slug]))
    assert not Verification.objects.exists()


def test_the_proof_is_a_file_that_verifies(played, client):
    answer = client.get(reverse("tournaments:proof", args=[played.slug]))
    assert f'filename="{played.slug}-proof.jsonl"' in answer["Content-Disposition"]
    assert verify_proof(b"".join(answer.streaming_content).splitlines(keepends=True)).ok
