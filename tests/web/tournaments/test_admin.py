"""What staff do in the admin."""

import pytest
from django.urls import reverse

from tests.web import factories
from tournaments import lifecycle
from tournaments.models import DealSecret, Entry, Match, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff(client):
    client.force_login(factories.user(is_staff=True, is_superuser=True))
    return client


def act(client, model: str, action: str, *rows):
    address = reverse(f"admin:tournaments_{model}_changelist")
    chosen = [row.pk for row in rows]
    return client.post(address, {"action": action, "_selected_action": chosen}, follow=True)


def test_a_round_robin_is_made_opened_entered_and_started(staff):
    for _ in range(3):
        factories.bot()
    values = {"name": "Cup", "slug": "cup", "description": "", "preset": "perevodnoy", "players": 2, "deals": 4}
    assert staff.post(reverse("admin:tournaments_tournament_add"), values).status_code == 302
    cup = Tournament.objects.get()
    assert (cup.kind, cup.state, cup.ruleset["transfer"], cup.deals) == ("round_robin", "draft", True, 4)
    assert DealSecret.objects.filter(tournament=cup).exists()
    for action in ("open_entries", "enter_all", "start_round_robin"):
        act(staff, "tournament", action, cup)
    cup.refresh_from_db()
    assert (cup.state, cup.matches.count()) == ("running", 3)


def test_rules_that_cannot_be_played_by_so_many_are_refused_in_the_form(staff):
    values = {"name": "Cup", "slug": "cup", "description": "", "preset": "pairs", "players": 3, "deals": 4}
    answer = staff.post(reverse("admin:tournaments_tournament_add"), values)
    assert "exactly four" in answer.content.decode()
    assert not Tournament.objects.exists()


def test_a_step_that_is_not_possible_says_why(staff):
    tournament = factories.round_robin([factories.bot(), factories.bot()], name="Cup")
    answer = act(staff, "tournament", "open_entries", tournament)
    assert "“Cup” is running; from there it cannot become open for entries." in answer.content.decode()


def test_the_words_of_a_tournament_can_be_changed_and_its_rules_cannot(staff):
    tournament = factories.round_robin([factories.bot(), factories.bot()])
    address = reverse("admin:tournaments_tournament_change", args=[tournament.pk])
    staff.post(address, {"name": "New", "slug": "new-cup", "description": "", "players": 6, "deals": 1})
    tournament.refresh_from_db()
    assert (tournament.name, tournament.players, tournament.deals) == ("New", 2, 2)


def test_an_address_is_changed_in_a_draft_alone(staff):
    draft = lifecycle.create_round_robin("Cup", slug="cup")
    address = reverse("admin:tournaments_tournament_change", args=[draft.pk])
    for state, slug in (("draft", "first"), ("open", "second")):
        staff.post(address, {"name": "Cup", "slug": slug, "description": ""})
        draft.refresh_from_db()
        # The plan is computed from it, and people have it once it is public.
        assert (draft.state, draft.slug) == (state, "first")
        if state == "draft":
            lifecycle.open_entries(draft)


def test_a_match_is_set_aside_and_tried_again(staff):
    match = factories.round_robin([factories.bot(), factories.bot()]).matches.get()
    for action, state in (("park", "parked"), ("retry", "queued")):
        act(staff, "match", action, match)
        match.refresh_from_db()
        assert match.state == state
    answer = act(staff, "match", "retry", match)
    assert "has not been set aside" in answer.content.decode()


def test_an_entry_is_disqualified(staff):
    entry = factories.round_robin([factories.bot(), factories.bot()]).entries.first()
    act(staff, "entry", "disqualify", entry)
    entry.refresh_from_db()
    assert entry.state == "disqualified"
    assert set(Match.objects.values_list("state", flat=True)) == {"cancelled"}


def test_every_list_and_form_opens_and_no_page_shows_a_secret(staff):
    tournament = factories.round_robin([factories.bot(), factories.bot()])
    factories.play(tournament)
    secret = bytes(DealSecret.objects.get().secret)
    rows = {
        "tournament": tournament,
        "entry": Entry.objects.first(),
        "match": Match.objects.first(),
        "game": Match.objects.first().games.first(),
        "ratingpoint": Entry.objects.first().rating_points.first(),
        "dealsecret": DealSecret.objects.get(),
    }
    for model, row in rows.items():
        for address in (
            reverse(f"admin:tournaments_{model}_changelist"),
            reverse(f"admin:tournaments_{model}_change", args=[row.pk]),
        ):
            answer = staff.get(address)
            assert answer.status_code == 200
            assert secret.hex() not in answer.content.decode()
    assert staff.get(reverse("admin:tournaments_gamelog_changelist")).status_code == 200
