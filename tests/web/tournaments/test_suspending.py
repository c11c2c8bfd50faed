"""What a suspension does to tournaments that go on, and what lifting it brings back."""

import pytest
from django.urls import reverse

from accounts import moderation as accounts_moderation
from bots import moderation
from tests.web import factories
from tournaments import integrity, lifecycle, queue, standings, suspending, sweep
from tournaments.lifecycle import LifecycleError
from tournaments.locks import lock
from tournaments.models import Entry, Match
from tournaments.queue import Claim
from tournaments.values import lease_seconds

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff():
    return factories.user("staff", is_staff=True)


@pytest.fixture
def bots():
    return [factories.bot(name=f"Bot {letter}") for letter in "ABCD"]


@pytest.fixture
def cup(bots):
    return factories.round_robin(bots, "Cup")


def of(bot, cup):
    return Match.objects.filter(tournament=cup, seats__entry__bot=bot)


@pytest.mark.parametrize("whom", ["bot", "owner"])
def test_its_matches_end_without_a_result_and_what_it_played_counts(bots, cup, staff, whom):
    factories.play(cup, 2)
    before = {line.bot_id: line.games for line in standings.table(cup)}
    running = of(bots[0], cup).filter(state="queued").first()
    claim = queue.claim(running.pk, "host/1", lease_seconds(cup))
    if whom == "bot":
        moderation.suspend(bots[0], "x", staff)
    else:
        accounts_moderation.suspend(bots[0].owner, "x", staff)
    suspending.settle()
    states = set(of(bots[0], cup).values_list("state", flat=True))
    assert states <= {"finished", "cancelled"}
    assert not queue.renew(claim, 1), "its worker finds out with its next sign of progress"
    others = Match.objects.filter(tournament=cup).exclude(seats__entry__bot=bots[0])
    assert not others.filter(state="cancelled").exists()
    line = next(line for line in standings.table(cup) if line.bot_id == bots[0].pk)
    assert (line.state, line.place) == ("suspended", None)
    assert {line.bot_id: line.games for line in standings.table(cup)} == before
    assert list(integrity.check_tournament(cup)) == []
    factories.play(cup)
    sweep.finish_tournaments()
    cup.refresh_from_db()
    assert cup.state == "finished", "it holds nobody up"


def test_a_result_that_comes_all_the_same_is_dropped(bots, cup, staff):
    match = of(bots[0], cup).first()
    queue.claim(match.pk, "host/1", lease_seconds(cup))
    kept = Match.objects.filter(pk=match.pk)
    moderation.suspend(bots[0], "x", staff)
    suspending.settle()
    assert not queue.release(Claim(match.pk, 1, 60.0), "too late")
    assert kept.get().state == "cancelled"


def test_lifting_it_brings_it_and_its_matches_back(bots, cup, staff):
    factories.play(cup, 2)
    planned = of(bots[0], cup).count()
    moderation.suspend(bots[0], "x", staff)
    moderation.suspend(bots[1], "x", staff)
    suspending.settle()
    moderation.lift(bots[0], staff)
    suspending.settle()
    states = list(of(bots[0], cup).values_list("state", flat=True))
    # Against the one that is still suspended nothing is played.
    still_out = of(bots[0], cup).filter(seats__entry__bot=bots[1], state="cancelled").count()
    assert states.count("cancelled") == still_out
    moderation.lift(bots[1], staff)
    suspending.settle()
    assert set(of(bots[0], cup).values_list("state", flat=True)) == {"queued", "finished"}
    assert of(bots[0], cup).count() == planned
    factories.play(cup)
    assert cup.matches.filter(state="finished").count() == 6
    assert list(integrity.check_tournament(cup)) == []


def test_settling_again_changes_nothing(bots, cup, staff, django_assert_num_queries):
    moderation.suspend(bots[0], "x", staff)
    suspending.settle()
    with django_assert_num_queries(2):
        suspending.settle()


def test_on_the_ladder_it_leaves_the_table_and_comes_back_with_what_it_has_not_played(bots, staff):
    ladder = factories.ladder(bots[:3])
    factories.play(ladder, 1)
    moderation.suspend(bots[0], "x", staff)
    suspending.settle()
    sweep.grow_ladder()
    names = {line.bot_name for line in standings.table(ladder)}
    assert "Bot A" not in names
    assert not Match.objects.filter(seats__entry__bot=bots[0], state="queued").exists()
    assert {"Bot B", "Bot C", "Bot D"} == names, "who is not suspended joins meanwhile"
    moderation.lift(bots[0], staff)
    suspending.settle()
    sweep.grow_ladder()
    assert Entry.objects.get(bot=bots[0]).state == "active"
    played = set()
    for match in Match.objects.filter(seats__entry__bot=bots[0]).exclude(state="cancelled"):
        played |= set(match.seats.exclude(entry__bot=bots[0]).values_list("entry__bot__name", flat=True))
    assert played == {"Bot B", "Bot C", "Bot D"}


def test_a_newer_version_takes_the_place_of_a_suspended_one(bots, staff):
    ladder = factories.ladder(bots[:2])
    moderation.suspend(bots[0], "x", staff)
    suspending.settle()
    factories.version(bots[0])
    moderation.lift(bots[0], staff)
    sweep.grow_ladder()
    assert set(Entry.objects.filter(tournament=ladder, bot=bots[0]).values_list("version__number", "state")) == {
        (1, "replaced"),
        (2, "active"),
    }


def test_a_suspended_bot_enters_nothing(client, bots, staff):
    cup = factories.round_robin(bots[:2], "Open", start=False)
    moderation.suspend(bots[2], "x", staff)
    with pytest.raises(LifecycleError, match="suspended"):
        lifecycle.enter(cup, bots[2])
    moderation.suspend(bots[1], "x", staff)
    suspending.settle()
    assert Entry.objects.get(bot=bots[1], tournament=cup).state == "suspended"
    moderation.lift(bots[1], staff)
    suspending.settle()
    assert Entry.objects.get(bot=bots[1], tournament=cup).state == "active"
    assert client.get(reverse("tournaments:detail", args=[cup.slug])).status_code == 200


def test_what_has_ended_stays_as_it_was(bots, cup, staff):
    factories.play(cup)
    lifecycle.finish(cup)
    moderation.suspend(bots[0], "x", staff)
    suspending.settle()
    assert Entry.objects.get(bot=bots[0], tournament=cup).state == "active"


@pytest.mark.parametrize("end", [lifecycle.cancel, lifecycle.finish])
@pytest.mark.parametrize("what", ["leaves", "comes back"])
def test_what_ends_before_the_sweep_gets_round_to_it_stays_as_it_was(bots, cup, staff, monkeypatch, what, end):
    """Its decks are public by then: nothing of it may be played any more, and its table stands."""

    def lock_too_late(tournament_id):
        if cup.state == "running":
            cup.state = end(cup).state
        return lock(tournament_id)

    moderation.suspend(bots[0], "x", staff)
    if what == "comes back":
        suspending.settle()
        moderation.lift(bots[0], staff)
    factories.play(cup)
    before = dict(cup.matches.values_list("pk", "state"))
    entry = Entry.objects.get(tournament=cup, bot=bots[0])
    monkeypatch.setattr(suspending, "lock", lock_too_late)
    suspending.settle()
    assert cup.state != "running"
    assert Entry.objects.get(pk=entry.pk).state == entry.state
    assert dict(cup.matches.values_list("pk", "state")) == before


def test_who_has_too_many_matches_waiting_is_held_back_and_nobody_else(client, settings, bots):
    settings.QUOTA_QUEUED_MATCHES = 2
    author = factories.user("author")
    mine = [factories.bot(author, f"Mine {number}") for number in range(3)]
    ladder = factories.ladder(bots[:2])
    sweep.grow_ladder()
    inside = set(Entry.objects.filter(tournament=ladder, state="active").values_list("bot__name", flat=True))
    assert inside == {"Bot A", "Bot B", "Bot C", "Bot D", "Mine 0"}
    client.force_login(author)
    told = "so many matches waiting on the ladder (2 are the most)"
    assert told in client.get(reverse("bots:detail", args=[mine[1].slug])).content.decode()
    assert told not in client.get(reverse("bots:detail", args=[mine[0].slug])).content.decode()
    client.logout()
    assert told not in client.get(reverse("bots:detail", args=[mine[1].slug])).content.decode()
    factories.play(ladder)
    sweep.grow_ladder()
    assert Entry.objects.filter(tournament=ladder, bot__owner=author).count() == 2
