"""Tournaments and matches in every state, for everyone who may look at them."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.web import factories
from tournaments import fairness, lifecycle, listings
from tournaments.models import DealSecret, Entry, Match, Tournament

pytestmark = pytest.mark.django_db

PARTS = ("detail", "progress", "crosstable", "matches", "fairness", "rules")


def body(client, tournament, part="detail", **query):
    response = client.get(reverse(f"tournaments:{part}", args=[tournament.slug]), query)
    assert response.status_code == 200
    return response.content.decode()


@pytest.fixture
def bots():
    return [factories.bot(name=f"Bot {number}") for number in range(4)]


@pytest.fixture
def cup(bots):
    """A round robin that is half played."""
    cup = factories.round_robin(bots, "Winter cup")
    factories.play(cup, 3)
    factories.rate(cup)
    return cup


# States of a tournament


@pytest.mark.parametrize("part", PARTS)
def test_a_draft_is_for_staff(client, part):
    draft = lifecycle.create_round_robin("Secret plan")
    url = reverse(f"tournaments:{part}", args=[draft.slug])
    assert client.get(url).status_code == 404
    client.force_login(factories.user())
    assert client.get(url).status_code == 404
    client.force_login(factories.user(is_staff=True))
    assert client.get(url).status_code == 200


def test_a_draft_is_not_listed_but_for_staff(client):
    lifecycle.create_round_robin("Secret plan")
    url = reverse("tournaments:list")
    assert "Secret plan" not in client.get(url).content.decode()
    assert "Secret plan" not in client.get(url, {"state": "draft"}).content.decode()
    client.force_login(factories.user(is_staff=True))
    assert "Secret plan" in client.get(url).content.decode()


@pytest.mark.parametrize("part", PARTS)
def test_every_part_has_an_empty_state(client, part):
    tournament = lifecycle.open_entries(lifecycle.create_round_robin("Empty"))
    assert body(client, tournament, part)


@pytest.mark.parametrize("part", PARTS)
def test_every_part_of_a_cancelled_tournament_stays(client, cup, part):
    lifecycle.cancel(cup)
    assert body(client, cup, part)


def test_a_running_tournament_is_followed_and_an_ended_one_is_not(client, cup):
    assert 'data-hx-trigger="every 5s,' in body(client, cup)
    factories.play(cup)
    lifecycle.finish(cup)
    cup.refresh_from_db()
    shown = body(client, cup)
    assert "hx-get" not in shown
    assert "This table is final" in shown


def test_progress_is_told_in_matches(client, cup):
    shown = body(client, cup)
    assert "3 of 6 matches played" in shown
    assert '<progress max="6" value="3"' in shown
    assert "3 waiting" in shown


def test_the_followed_part_is_the_part_alone(client, cup):
    shown = body(client, cup, "progress")
    assert "<html" not in shown
    assert 'id="live"' in shown


def test_what_follows_keeps_page_and_search(client, cup):
    assert f"/tournaments/{cup.slug}/progress/?q=Bot" in body(client, cup, q="Bot")


def test_the_list_filters_by_state(client, cup):
    url = reverse("tournaments:list")
    assert "Winter cup" in client.get(url, {"state": "running"}).content.decode()
    assert "Winter cup" not in client.get(url, {"state": "finished"}).content.decode()
    assert "Winter cup" in client.get(url, {"state": "no such"}).content.decode()


def test_who_left_stands_below_with_the_reason(client, cup):
    entry = cup.entries.first()
    lifecycle.disqualify(entry, "Two accounts")
    shown = body(client, cup)
    assert "disqualified" in shown
    assert "Two accounts" in shown


# The table


def test_the_table_counts_losses_by_cause(client, bots):
    cup = factories.round_robin(bots[:2])
    factories.play(cup, brain=lambda bot: factories.skilled(1, 1.0 if bot == bots[0] else 0))
    shown = body(client, cup)
    entry = cup.entries.get(bot=bots[0])
    assert entry.failures == {"crash": 4}
    assert 'data-label="by crash">4</td>' in re.sub(r"\s+", " ", shown)


def test_a_match_of_four_is_shown_like_any_other(client, bots):
    cup = factories.round_robin(bots, players=4, deals=1)
    factories.play(cup)
    shown = client.get(cup.matches.first().get_absolute_url()).content.decode()
    assert shown.count('<th scope="col">Rotation') == 4
    assert body(client, cup, "crosstable")


def test_the_crosstable_reads_without_colour(client, cup):
    factories.play(cup)
    shown = body(client, cup, "crosstable")
    cells = re.findall(r'<td class="heat-(\d)">(\d+)<span class="cell-sub">(\d+)</span>', shown)
    assert len(cells) == 12
    for heat, points, deals in cells:
        assert abs(int(heat) * 12.5 - int(points)) <= 6.75
        assert deals == "2"


def test_points_of_two_in_the_crosstable_add_up_to_hundred(client, cup):
    factories.play(cup)
    rows = re.findall(r'<th scope="row">.*?</tr>', body(client, cup, "crosstable"), re.DOTALL)
    table = [re.findall(r'class="(?:self|heat-\d)">(\d+|×)', row) for row in rows]
    for a, row in enumerate(table):
        for b, cell in enumerate(row):
            if a != b:
                assert 99 <= int(cell) + int(table[b][a]) <= 101


def test_a_crosstable_of_many_shows_the_best(client, bots, monkeypatch):
    from tournaments import cross_page

    cup = factories.round_robin(bots)
    factories.play(cup)
    cross = cross_page.cross(cup, most=3)
    assert (len(cross.rows), cross.left_out) == (3, 1)


# Matches


def test_matches_filter_by_state_and_by_who_plays(client, cup, bots):
    def found(**query):
        return len(set(re.findall(r"/matches/(\d+)/", body(client, cup, "matches", **query))))

    assert found() == 3
    assert found(state="all") == 6
    assert found(state="finished") == 3
    assert found(state="queued") == 3
    assert found(state="all", bot=bots[0].slug) == 3
    assert found(state="all", bot=bots[0].slug, against=bots[1].slug) == 1
    assert found(bot="nobody") == 0
    assert found(bot="\0") == 3
    assert found(state="\0", page="zzz") == 3


def test_what_is_played_stands_first_and_what_waits_in_the_order_of_play(client, cup):
    waiting = list(cup.matches.filter(state="queued").order_by("id"))
    factories.move_to(waiting[1], "running")

    def order(**query):
        return list(dict.fromkeys(map(int, re.findall(r"/matches/(\d+)/", body(client, cup, "matches", **query)))))

    finished = list(cup.matches.filter(state="finished").order_by("-id").values_list("pk", flat=True))
    assert order() == [waiting[1].pk, *finished]
    assert order(state="queued") == [waiting[0].pk, waiting[2].pk]


def match_body(client, match, **query):
    response = client.get(match.get_absolute_url(), query)
    assert response.status_code == 200
    return response.content.decode()


def test_a_waiting_match_says_not_yet_and_how_many_are_before_it(client, cup):
    waiting = list(cup.matches.filter(state="queued").order_by("id"))
    assert "it is next" in match_body(client, waiting[0])
    shown = match_body(client, waiting[2])
    assert "about 2 matches before it" in shown
    assert "Not played yet" in shown
    assert 'data-hx-trigger="every 3s,' in shown


def test_a_running_match_tells_how_far_it_is(client, cup):
    match = factories.move_to(cup.matches.filter(state="queued").first(), "running", progress=1)
    shown = match_body(client, match)
    assert "1 of 4 games played" in shown
    assert '<progress max="4" value="1"' in shown


def test_a_parked_match_is_nobodys_fault_and_staff_see_why(client, cup):
    match = factories.move_to(cup.matches.filter(state="queued").first(), "parked", error="No engine <answers>")
    shown = match_body(client, match)
    assert "through no fault of its bots" in shown
    assert "No engine" not in shown
    client.force_login(factories.user(is_staff=True))
    assert "No engine &lt;answers&gt;" in match_body(client, match)


def test_a_cancelled_match_says_so(client, cup):
    match = cup.matches.filter(state="queued").first()
    lifecycle.cancel(cup)
    assert "was not played" in match_body(client, match)


def test_a_finished_match_shows_every_game_by_deal_and_rotation(client, cup):
    match = cup.matches.filter(state="finished").first()
    shown = match_body(client, match)
    for game in match.games.all():
        assert reverse("replays:game", args=[game.pk]) in shown
    rows = re.findall(r'<td class="num strong">([\d.]+) – ([\d.]+)</td>', re.sub(r"\s+", " ", shown))
    assert len(rows) == 2
    assert all(float(a) + float(b) == 2 for a, b in rows)
    seats = match.seats.order_by("index")
    assert [sum(float(row[seat.index]) for row in rows) / 4 for seat in seats] == [seat.score for seat in seats]


def test_a_failure_is_named_with_who_and_why(client, bots):
    cup = factories.round_robin(bots[:2], deals=1)
    factories.play(cup, brain=lambda bot: factories.skilled(1, 1.0 if bot == bots[0] else 0))
    shown = match_body(client, cup.matches.get())
    assert "Bot 0: crash" in shown
    assert "division by zero" not in shown


@pytest.mark.parametrize("state", Match.State.values)
def test_a_match_in_any_state_has_a_page_and_a_part(client, cup, state):
    match = cup.matches.filter(state="finished" if state == "finished" else "queued").first()
    if state != "finished":
        factories.move_to(match, state)
    match_body(client, match)
    match_body(client, match, part="state")


def test_a_page_that_waits_is_told_to_load_again_when_the_match_has_ended(client, cup):
    waiting = cup.matches.filter(state="queued").first()
    assert "HX-Refresh" not in client.get(waiting.get_absolute_url(), {"part": "state"})
    finished = cup.matches.filter(state="finished").first()
    assert client.get(finished.get_absolute_url(), {"part": "state"})["HX-Refresh"] == "true"


def test_a_match_of_a_draft_is_for_staff(client, cup):
    match = cup.matches.first()
    Tournament.objects.filter(pk=cup.pk).update(state="draft")
    assert client.get(match.get_absolute_url()).status_code == 404
    client.force_login(factories.user(is_staff=True))
    assert client.get(match.get_absolute_url()).status_code == 200


def test_what_is_not_there_is_not_found(client):
    assert client.get("/matches/999999/").status_code == 404
    assert client.get("/tournaments/nowhere/").status_code == 404


# Fairness


def test_the_commitment_is_public_and_the_secret_is_not_before_the_end(client, cup):
    secret = cup.secrets.get()
    shown = body(client, cup, "fairness")
    assert secret.commitment in shown
    assert bytes(secret.secret).hex() not in shown
    factories.play(cup)
    lifecycle.finish(cup)
    assert bytes(secret.secret).hex() in body(client, cup, "fairness")


def test_a_ladder_has_a_secret_a_day(client):
    ladder = factories.ladder()
    fairness.ensure_secret(ladder, timezone.now() - timedelta(days=1))
    today = DealSecret.objects.get(tournament=ladder, day=timezone.now().date())
    fairness.reveal_past_days()
    shown = body(client, ladder, "fairness")
    assert shown.count("Commitment</dt>") == 2
    assert bytes(today.secret).hex() not in shown


def test_the_rules_name_every_option_and_limit(client, cup):
    shown = body(client, cup, "rules")
    for name in [*cup.ruleset, *cup.limits]:
        if name != "name":
            assert f"<code>{name}</code>" in shown


# Entering


def test_only_who_is_signed_in_enters(client):
    tournament = factories.round_robin([], start=False)
    response = client.get(reverse("tournaments:enter", args=[tournament.slug]))
    assert response.status_code == 302
    assert response.url.startswith(reverse("account_login"))


def test_an_author_enters_one_of_his_bots(client, bots):
    tournament = factories.round_robin([], start=False)
    client.force_login(bots[0].owner)
    url = reverse("tournaments:enter", args=[tournament.slug])
    assert client.post(url, {"bot": bots[0].pk}).status_code == 302
    assert Entry.objects.get().bot == bots[0]
    assert "None of your bots can enter" in client.get(url).content.decode()


def test_nobody_enters_anothers_bot_or_one_that_did_not_pass(client, bots):
    tournament = factories.round_robin([], start=False)
    author = factories.user()
    client.force_login(author)
    for bot in (bots[0], factories.bot(author, ready=False)):
        client.post(reverse("tournaments:enter", args=[tournament.slug]), {"bot": bot.pk})
    assert not Entry.objects.exists()


def test_a_tournament_that_runs_takes_no_entries(client, cup):
    client.force_login(factories.user())
    response = client.get(reverse("tournaments:enter", args=[cup.slug]), follow=True)
    assert "Entries to this tournament are closed" in response.content.decode()


def test_names_are_escaped_wherever_they_stand(client):
    evil = "<script>alert(1)</script>"
    bots = [factories.bot(factories.user(f"owner{n}"), f"{evil}{n}") for n in range(2)]
    cup = factories.round_robin(bots, evil)
    factories.play(cup)
    factories.rate(cup)
    for part in PARTS:
        assert evil not in body(client, cup, part)
    for url in (cup.matches.get().get_absolute_url(), bots[0].get_absolute_url(), "/", "/bots/", "/tournaments/"):
        assert evil not in client.get(url).content.decode()


def test_the_plan_opens_where_the_next_match_stands_whatever_was_cancelled_before_it():
    cup = factories.round_robin([factories.bot() for _ in range(8)])
    Match.objects.filter(tournament=cup, number__in=[2, 3, 5, 11]).update(state="cancelled", finished_at=timezone.now())
    shown = list(listings.plan(cup).values_list("number", flat=True))
    for place, number in enumerate(shown):
        assert listings.plan_page(cup, 5, number) == 1 + place // 5
    assert listings.plan_page(cup, 5, None) == 1
