"""The way of an organiser through the site, what he is told on it, and who may not go it."""

import json
from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from arena.limits import Limits
from tests.web import factories
from tournaments import dates, fairness, lifecycle, organising, pausing, planning
from tournaments.models import Entry, Game, Tournament

pytestmark = pytest.mark.django_db

DEFAULTS = {
    "name": "Club cup",
    "description": "",
    "preset": "podkidnoy",
    "players": "2",
    "deals": "2",
    "bank": "10",
    "move_limit": "2",
    "memory_mb": "256",
    "entry_rule": "anyone",
    "entry_code": "",
    "bots_a_user": "1",
    "opens_at": "",
    "closes_at": "",
    "expected": "10",
}


def url(name, tournament, *more):
    return reverse(f"tournaments:{name}", args=[tournament.slug, *more])


@pytest.fixture
def organiser():
    user = factories.user("teacher")
    user.user_permissions.add(Permission.objects.get(codename="add_tournament"))
    return user


@pytest.fixture
def as_organiser(client, organiser):
    client.force_login(organiser)
    return client


@pytest.fixture
def draft(as_organiser):
    as_organiser.post(reverse("tournaments:new"), DEFAULTS)
    return Tournament.objects.get(name="Club cup")


@pytest.fixture
def running(organiser):
    cup = factories.round_robin([factories.bot() for _ in range(3)], "Running cup")
    Tournament.objects.filter(pk=cup.pk).update(created_by=organiser)
    cup.refresh_from_db()
    return cup


def test_the_whole_way_without_the_admin(as_organiser, organiser):
    client = as_organiser
    client.post(reverse("tournaments:new"), DEFAULTS)
    cup = Tournament.objects.get()
    assert (cup.state, cup.created_by, cup.deals) == ("draft", organiser, 2)
    assert "Open for entries" in client.get(url("manage", cup)).content.decode()
    client.post(url("step", cup, "open"))
    assert "2 more bots are needed" in client.get(url("manage", cup)).content.decode()

    mine = factories.bot(organiser, "Mine")
    client.post(url("enter", cup), {"bot": mine.pk})
    invited = [factories.bot(name="Ann"), factories.bot(name="Bob")]
    client.post(url("invite", cup), {"bots": [bot.pk for bot in invited]})
    assert cup.entries.count() == 3

    shown = client.get(url("start", cup)).content.decode()
    assert "Nobody can enter any more" in shown
    client.post(url("start", cup))
    cup.refresh_from_db()
    assert (cup.state, cup.matches.count()) == ("running", 3)

    client.post(url("step", cup, "pause"))
    assert "Paused by the organiser" in client.get(cup.get_absolute_url()).content.decode()
    client.post(url("step", cup, "resume"))
    assert "Paused by the organiser" not in client.get(cup.get_absolute_url()).content.decode()

    factories.play(cup)
    factories.rate(cup)
    lifecycle.finish(cup)
    secret = bytes(fairness.ensure_secret(cup).secret).hex()
    sheet = client.get(url("final", cup)).content.decode()
    assert "Final result" in sheet
    assert secret in sheet
    assert "Result to print" in client.get(url("manage", cup)).content.decode()


# The form


def test_the_form_starts_with_a_tournament_that_makes_sense_and_its_cost(as_organiser):
    response = as_organiser.get(reverse("tournaments:new"))
    shown = response.content.decode()
    assert response.context["cost"].games == 900
    assert "900" in shown
    assert "guess" in shown


def test_a_preview_saves_nothing_and_keeps_what_was_typed(as_organiser):
    typed = DEFAULTS | {"deals": "7", "expected": "6", "description": "Typed <b>", "preview": "1"}
    response = as_organiser.post(reverse("tournaments:new"), typed)
    assert not Tournament.objects.exists()
    assert response.context["cost"].games == 15 * 14
    assert "Typed &lt;b&gt;" in response.content.decode()


@pytest.mark.parametrize(
    ("typed", "field", "words"),
    [
        ({"name": ""}, "name", "Give the tournament a name"),
        ({"name": "\u202eevil"}, "name", "text direction"),
        ({"preset": "pairs", "players": "3"}, "players", "Choose four seats"),
        ({"deals": "0"}, "deals", "greater than or equal to 1"),
        ({"deals": "many"}, "deals", "whole number"),
        ({"bank": "1", "move_limit": "2"}, "move_limit", "longer than the whole game"),
        ({"opens_at": "2030-01-02T10:00", "closes_at": "2030-01-02T09:00"}, "closes_at", "after they open"),
        ({"opens_at": "soon"}, "opens_at", "valid date"),
        ({"opens_at": "0001-01-01T00:00+12:00"}, "opens_at", "valid date"),
        ({"closes_at": "9999-12-31T23:59-12:00"}, "closes_at", "valid date"),
        ({"starts_at": "2020-01-02T10:00"}, "starts_at", "has passed"),
        ({"opens_at": "2030-01-02T10:00", "starts_at": "2030-01-02T10:00"}, "starts_at", "cannot start before"),
        ({"closes_at": "2030-01-02T10:00", "starts_at": "2030-01-02T09:00"}, "starts_at", "cannot start before"),
        ({"preset": "chess"}, "preset", "valid choice"),
    ],
)
def test_what_is_wrong_stands_by_its_field_and_the_rest_is_kept(as_organiser, typed, field, words):
    response = as_organiser.post(reverse("tournaments:new"), DEFAULTS | {"description": "Kept."} | typed)
    assert response.status_code == 422
    assert words in " ".join(response.context["form"].errors[field])
    shown = response.content.decode()
    assert "Kept." in shown
    assert f'id="id_{field}_error"' in shown
    assert not Tournament.objects.exists()


def test_what_is_wrong_with_the_bots_to_enter_stands_where_the_reader_lands(as_organiser, draft):
    """Not far down on the page alone: the summary takes the focus, and leads to the boxes."""
    lifecycle.open_entries(draft)
    factories.bot()
    response = as_organiser.post(url("invite", draft), {})
    shown = response.content.decode()
    assert response.status_code == 422
    assert '<div class="errors" role="alert" tabindex="-1"' in shown
    assert '<a href="#id_bots">' in shown
    assert 'id="id_bots" aria-describedby="id_bots_helptext id_bots_error"' in shown
    assert 'id="id_bots_error"' in shown


def test_sending_the_form_twice_makes_one_draft(as_organiser):
    assert as_organiser.post(reverse("tournaments:new"), DEFAULTS).status_code == 302
    response = as_organiser.post(reverse("tournaments:new"), DEFAULTS)
    assert "draft of this name" in response.content.decode()
    assert Tournament.objects.count() == 1


def test_a_draft_is_changed_in_everything(as_organiser, draft):
    changed = DEFAULTS | {"preset": "pairs", "players": "4", "deals": "5", "bank": "3", "name": "Pairs"}
    as_organiser.post(url("edit", draft), changed)
    draft.refresh_from_db()
    assert (draft.name, draft.ruleset_name, draft.players, draft.deals) == ("Pairs", "pairs", 4, 5)
    assert draft.limits["bank"] == 3.0


def test_what_is_fixed_is_shown_and_stays(as_organiser, draft):
    lifecycle.open_entries(draft)
    assert "disabled" in as_organiser.get(url("edit", draft)).content.decode()
    as_organiser.post(url("edit", draft), DEFAULTS | {"deals": "9", "bots_a_user": "3", "name": "Other"})
    draft.refresh_from_db()
    assert (draft.name, draft.deals, draft.bots_a_user) == ("Other", 2, 3)


def test_dates_come_back_into_the_form(as_organiser):
    as_organiser.post(reverse("tournaments:new"), DEFAULTS | {"closes_at": "2030-01-02T09:30"})
    cup = Tournament.objects.get()
    assert cup.closes_at is not None
    assert 'value="2030-01-02T09:30"' in as_organiser.get(url("edit", cup)).content.decode()


def test_a_start_by_itself_is_shown_to_all_and_comes_back_into_the_form(as_organiser, client):
    as_organiser.post(
        reverse("tournaments:new"), DEFAULTS | {"closes_at": "2030-01-02T09:30", "starts_at": "2030-01-02T09:30"}
    )
    cup = Tournament.objects.get()
    as_organiser.post(url("step", cup, "open"))
    assert 'name="starts_at" value="2030-01-02T09:30"' in as_organiser.get(url("edit", cup)).content.decode()
    client.logout()
    for address in (cup.get_absolute_url(), reverse("tournaments:list")):
        shown = client.get(address).content.decode()
        assert "It starts by itself:" in shown
        assert "Last moment to enter:" in shown


def test_a_start_that_was_missed_is_told_with_what_to_do(as_organiser, draft, client):
    lifecycle.open_entries(draft)
    Tournament.objects.filter(pk=draft.pk).update(starts_at=timezone.now() - timedelta(hours=1))
    dates.start_due()
    assert "choose another date" in as_organiser.get(url("manage", draft)).content.decode()
    assert "too few bots were in it" in client.get(draft.get_absolute_url()).content.decode()
    # The form can be saved with the date that has passed, and the note goes with a new one.
    assert as_organiser.get(url("edit", draft)).status_code == 200
    as_organiser.post(url("edit", draft), DEFAULTS | {"starts_at": "2030-01-02T09:30"})
    assert "choose another date" not in as_organiser.get(url("manage", draft)).content.decode()


def test_before_the_start_stands_what_it_costs_by_games_measured_here(as_organiser, organiser):
    factories.play(factories.round_robin([factories.bot() for _ in range(3)]))
    Game.objects.update(seconds=3.0)
    cup = factories.round_robin([factories.bot() for _ in range(4)], start=False, deals=10)
    Tournament.objects.filter(pk=cup.pk).update(created_by=organiser)
    for page in ("manage", "start"):
        response = as_organiser.get(url(page, cup))
        found = response.context["cost"]
        assert (found.matches, found.games, found.seconds, found.measured) == (6, 120, 360.0, 12)
        shown = response.content.decode()
        assert "The time follows from 12 games measured here." in shown
        assert "6\N{NO-BREAK SPACE}min" in shown or "6 min" in shown


def test_a_plan_that_is_being_made_is_shown_with_its_progress(as_organiser, draft, monkeypatch):
    monkeypatch.setattr(planning, "AT_ONCE", 3)
    lifecycle.open_entries(draft)
    for _ in range(5):
        lifecycle.enter(draft, factories.bot())
    as_organiser.post(url("start", draft))
    pages = ("detail", "manage", "plan", "progress")
    for page in pages:
        assert "The plan is being made." in as_organiser.get(url(page, draft)).content.decode()
    planning.make_piece(draft.pk, limit=4)
    for page in pages:
        assert "The plan is being made: 4 of 10 matches" in as_organiser.get(url(page, draft)).content.decode()
    planning.make_piece(draft.pk)
    for page in pages:
        shown = as_organiser.get(url(page, draft)).content.decode()
        assert "The plan is being made" not in shown
        assert "0 of 10 matches played" in shown


# Entering


def test_a_code_is_asked_for_and_shown_to_the_organiser_alone(as_organiser, client):
    as_organiser.post(reverse("tournaments:new"), DEFAULTS | {"entry_rule": "code", "entry_code": "bluedoor"})
    cup = Tournament.objects.get()
    as_organiser.post(url("step", cup, "open"))
    assert "bluedoor" in as_organiser.get(url("manage", cup)).content.decode()
    bot = factories.bot()
    client.force_login(bot.owner)
    for page in ("detail", "enter"):
        assert "bluedoor" not in client.get(url(page, cup)).content.decode()
    response = client.post(url("enter", cup), {"bot": bot.pk, "code": "reddoor"})
    assert response.status_code == 422
    assert "entry code" in response.content.decode()
    assert "reddoor" in response.content.decode()
    client.post(url("enter", cup), {"bot": bot.pk, "code": "bluedoor"})
    assert cup.entries.get().bot == bot


def test_bots_that_are_not_ready_are_not_invited(as_organiser, draft):
    lifecycle.open_entries(draft)
    response = as_organiser.post(url("invite", draft), {"bots": [factories.bot(ready=False).pk]})
    assert response.status_code == 422
    assert not draft.entries.exists()


def test_of_many_bots_the_first_are_offered_and_any_is_found_by_name_or_owner(as_organiser, draft):
    lifecycle.open_entries(draft)
    last = factories.bot(factories.user("zoe"), "Zzz")
    for number in range(60):
        factories.bot(last.owner if number == 7 else None, f"Many {number:02}")
    shown = as_organiser.get(url("manage", draft)).content.decode()
    assert shown.count('type="checkbox"') == 50
    assert "The first 50 by name" in shown
    assert "Many 00 (" in shown
    assert "Zzz" not in shown
    for query in ("zzz", "ZOE"):
        found = as_organiser.get(url("manage", draft), {"q": query}).content.decode()
        assert "Zzz (zoe)" in found
        assert "The first" not in found
    assert found.count('type="checkbox"') == 2
    nothing = as_organiser.get(url("manage", draft), {"q": "nobody"}).content.decode()
    assert "No bot or owner of that name." in nothing
    # What is not among those that are shown can be entered all the same, as a search has found it.
    assert as_organiser.post(url("invite", draft), {"bots": [last.pk]}).status_code == 302
    assert draft.entries.get().bot == last


def test_bots_that_were_chosen_stay_chosen_when_they_are_refused(as_organiser, draft):
    lifecycle.open_entries(draft)
    bots = [factories.bot(name=f"Many {number:02}") for number in range(60)]
    late = factories.bot(ready=False)
    shown = as_organiser.post(url("invite", draft), {"bots": [bots[59].pk, late.pk, "x"]})
    assert shown.status_code == 422
    text = shown.content.decode()
    assert f'value="{bots[59].pk}" id="id_bots_0" checked' in text
    assert text.count(" checked>") == 1
    # Beside the one that was chosen, which is the last by name.
    assert "The first 50 by name" in text


def test_a_number_that_no_database_could_look_up_is_no_bots(as_organiser, draft):
    lifecycle.open_entries(draft)
    bot = factories.bot()
    shown = as_organiser.post(url("invite", draft), {"bots": ["9" * 30, bot.pk]})
    assert shown.status_code == 422
    assert f'value="{bot.pk}" id="id_bots_0" checked' in shown.content.decode()
    assert not draft.entries.exists()


def test_many_entries_come_in_pages(as_organiser, draft):
    lifecycle.open_entries(draft)
    for number in range(53):
        lifecycle.enter(draft, factories.bot(name=f"Many {number:02}"))
    with CaptureQueriesContext(connection) as asked:
        first = as_organiser.get(url("manage", draft)).content.decode()
    assert any(" LIMIT 50" in query["sql"] and "joined_at" in query["sql"] for query in asked), "a page is read alone"
    # A form that is refused is shown in the answer of another address, which has no pages.
    refused = as_organiser.post(url("invite", draft), {"bots": []}).content.decode()
    assert f'href="{url("manage", draft)}?page=2"' in refused
    second = as_organiser.get(url("manage", draft), {"page": "2"}).content.decode()
    assert ("Many 00" in first, "Many 52" in first) == (True, False)
    assert ("Many 00" in second, "Many 52" in second) == (False, True)


# Leaving


def test_an_owner_withdraws_after_reading_what_becomes_of_it(client, running):
    entry = running.entries.first()
    client.force_login(entry.bot.owner)
    assert url("withdraw", running, entry.pk) in client.get(running.get_absolute_url()).content.decode()
    assert "What it has played stays and counts" in client.get(url("withdraw", running, entry.pk)).content.decode()
    entry.refresh_from_db()
    assert entry.state == Entry.State.ACTIVE
    client.post(url("withdraw", running, entry.pk))
    entry.refresh_from_db()
    assert entry.state == Entry.State.WITHDRAWN
    assert "does not play" in client.post(url("withdraw", running, entry.pk), follow=True).content.decode()


def test_a_disqualification_needs_a_reason_that_all_can_read(as_organiser, running):
    entry = running.entries.first()
    refused = as_organiser.post(url("disqualify", running, entry.pk), {"reason": " "})
    assert refused.status_code == 422
    assert "Say why" in refused.content.decode()
    as_organiser.post(url("disqualify", running, entry.pk), {"reason": "Two accounts <b>"})
    entry.refresh_from_db()
    assert (entry.state, entry.reason) == ("disqualified", "Two accounts <b>")
    as_organiser.logout()
    assert "Two accounts &lt;b&gt;" in as_organiser.get(running.get_absolute_url()).content.decode()


def test_cancelling_is_asked_once_more_and_says_what_stays(as_organiser, running):
    factories.play(running, 1)
    factories.move_to(running.matches.filter(state="queued").first(), "running")
    shown = as_organiser.get(url("cancel", running)).content.decode()
    assert "1 match has been played. It stays" in shown
    assert "1 match is being played. It ends without a result" in shown
    running.refresh_from_db()
    assert running.state == "running"
    as_organiser.post(url("cancel", running))
    running.refresh_from_db()
    assert running.state == "cancelled"


def test_a_step_that_is_not_possible_is_said_and_does_nothing(as_organiser, running):
    response = as_organiser.post(url("step", running, "open"), follow=True)
    assert "cannot become" in response.content.decode()
    assert as_organiser.post(url("step", running, "explode")).status_code == 404
    assert as_organiser.get(url("step", running, "pause")).status_code == 405


@pytest.mark.parametrize("state", ["draft", "open", "running", "paused", "finished", "cancelled"])
def test_every_state_has_its_page(as_organiser, organiser, state):
    cup = organising.create(
        organiser,
        "Cup",
        ruleset="podkidnoy",
        players=2,
        deals=1,
        limits=Limits(),
        entrance=organising.Entrance(),
    )
    if state != "draft":
        lifecycle.open_entries(cup)
        organising.enter_bots(cup, [factories.bot(), factories.bot()])
    if state in {"running", "paused", "finished"}:
        lifecycle.start(cup)
    if state == "paused":
        pausing.pause(cup)
    if state == "finished":
        factories.play(cup)
        lifecycle.finish(cup)
    if state == "cancelled":
        lifecycle.cancel(cup)
    for page in ("manage", "edit", "start", "cancel", "final", "plan"):
        response = as_organiser.get(url(page, cup), follow=True)
        assert response.status_code == 200, page


# Who may


PAGES = ("manage", "edit", "start", "cancel")


@pytest.mark.parametrize("who", ["visitor", "user", "owner", "other organiser", "organiser", "staff"])
def test_who_may_run_it(client, organiser, running, who):
    entry = running.entries.first()
    other = factories.user("other")
    other.user_permissions.add(Permission.objects.get(codename="add_tournament"))
    users = {
        "visitor": None,
        "user": factories.user("somebody"),
        "owner": entry.bot.owner,
        "other organiser": other,
        "organiser": organiser,
        "staff": factories.user("staff", is_staff=True),
    }
    if users[who] is not None:
        client.force_login(users[who])
    may = who in {"organiser", "staff"}
    expected = 302 if who == "visitor" else 200 if may else 403
    for page in ("manage", "edit", "cancel"):
        assert client.get(url(page, running)).status_code == expected, page
    assert client.get(url("disqualify", running, entry.pk)).status_code == expected
    assert client.get(url("withdraw", running, entry.pk)).status_code == (
        302 if who == "visitor" else 200 if who == "owner" else 403
    )
    for name, more in (("step", ["pause"]), ("start", []), ("disqualify", [entry.pk]), ("cancel", [])):
        response = client.post(url(name, running, *more), {"reason": "Because."})
        assert response.status_code == (302 if may or who == "visitor" else 403), name
    running.refresh_from_db()
    assert running.state == ("cancelled" if may else "running")
    assert (running.paused_at is not None) == may
    new = client.get(reverse("tournaments:new")).status_code
    assert new == (302 if who == "visitor" else 200 if who in {"other organiser", "organiser", "staff"} else 403)


def test_a_draft_is_there_for_its_organiser_alone(client, organiser, draft):
    for user in (factories.user(), None):
        client.logout()
        if user:
            client.force_login(user)
        assert client.get(draft.get_absolute_url()).status_code == 404
        expected = 404 if user else 302
        assert client.get(url("manage", draft)).status_code == expected
        assert client.get(url("json", draft)).status_code == 404
        assert "Club cup" not in client.get(reverse("tournaments:list")).content.decode()
    client.force_login(organiser)
    assert client.get(draft.get_absolute_url()).status_code == 200
    assert "Club cup" in client.get(reverse("tournaments:list"), {"state": "draft"}).content.decode()


# Plan, sheet, files


def test_the_plan_opens_where_the_next_match_stands(client):
    cup = factories.round_robin([factories.bot() for _ in range(10)], deals=1)
    factories.play(cup, 35)
    response = client.get(url("plan", cup))
    assert response.context["page"].number == 2
    shown = response.content.decode()
    assert shown.count("is-next") == 1
    assert "35 of 45 matches played" in shown
    assert client.get(url("plan", cup), {"page": "1"}).context["page"].number == 1
    assert client.get(url("plan", cup), {"page": "zzz"}).status_code == 200


def test_every_match_of_the_plan_is_there_once(client, running):
    page = client.get(url("plan", running)).context["page"]
    assert [match.number for match in page] == [1, 2, 3]


def test_files_are_saved_and_hold_what_they_say(client, running):
    factories.play(running, 2)
    for name, kind in (("table-csv", "text/csv"), ("crosstable-csv", "text/csv"), ("json", "application/json")):
        response = client.get(url(name, running))
        assert response.headers["Content-Type"].startswith(kind)
        assert response.headers["Content-Disposition"].startswith("attachment")
    response = client.get(url("records", running))
    lines = b"".join(response.streaming_content).splitlines()
    assert len(lines) == 2 * running.games_a_match
    assert json.loads(lines[0])["record"]["format"] == "durak-record/1"
    assert client.get(url("records", running), {"day": "tomorrow"}).status_code == 404


def test_an_empty_tournament_has_files_too(client, draft):
    lifecycle.open_entries(draft)
    client.logout()
    assert client.get(url("table-csv", draft)).content.decode("utf-8-sig").startswith("place,bot")
    assert b"".join(client.get(url("records", draft)).streaming_content) == b""


# Queries


@pytest.mark.parametrize("page", ["plan", "final", "manage"])
def test_pages_ask_a_fixed_number_of_times(as_organiser, organiser, page, django_assert_max_num_queries):
    cup = factories.round_robin([factories.bot() for _ in range(8)], deals=1)
    Tournament.objects.filter(pk=cup.pk).update(created_by=organiser)
    factories.play(cup, 20)
    with django_assert_max_num_queries(14):
        assert as_organiser.get(url(page, cup)).status_code == 200
