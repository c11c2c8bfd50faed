"""The games of one deal beside each other: what the other bot did with the same cards, and where the games part."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from arena.durak import GameRecord, replay
from arena.replay.frames import frames
from arena.replay.words import CardPart
from arena.samples import SAMPLES
from replays import deals, games
from tests.arena.replay.played import longest_record, record
from tests.web import factories
from tournaments.models import Game, Match

pytestmark = pytest.mark.django_db


def path(match: Match, number: int = 0) -> str:
    return reverse("replays:deal", args=[match.pk, number])


def played(*names: str, players: int = 2) -> Match:
    """A finished match of one deal between sample bots; one name may come more than once."""
    bots = [factories.bot(name=f"{name} {number}") for number, name in enumerate(names)]
    brains = {bot.pk: SAMPLES[name].load() for bot, name in zip(bots, names, strict=True)}
    cup = factories.round_robin(bots, deals=1, players=players)
    factories.play(cup, brain=lambda bot: brains[bot.pk])
    return cup.matches.get()


def deal_of(match: Match) -> deals.Deal:
    return deals.deal(games.find_deal(match.pk, 0))


def records(match: Match) -> list[GameRecord]:
    return [shown.record for shown in games.find_deal(match.pk, 0)]


def test_the_same_cards_stand_behind_another_bot_in_each_rotation():
    match = played("lowest", "thrifty")
    deal = deal_of(match)
    first, second = records(match)
    assert first.deck == second.deck
    upper, lower = ([holder.name for holder in hand.holders] for hand in deal.hands)
    assert sorted(upper) == ["lowest 0", "thrifty 1"]
    assert lower == upper[::-1]
    assert {card.code for hand in deal.hands for card in hand.cards if isinstance(card, CardPart)} == {
        str(card) for seat in range(2) for card in next(replay(first)).hand(seat)
    }
    assert [len(hand.cards) for hand in deal.hands] == [11, 11]  # six cards, and what stands between them


def test_the_games_part_at_the_first_move_that_differs(client: Client):
    match = played("lowest", "hoarder")
    deal, (first, second) = deal_of(match), records(match)
    assert deal.parting is not None
    assert first.moves[: deal.parting - 1] == second.moves[: deal.parting - 1]
    assert first.moves[deal.parting - 1 : deal.parting] != second.moves[deal.parting - 1 : deal.parting]
    shown = client.get(path(match)).content.decode()
    assert len(re.findall("rv-line--parting", shown)) == 2
    assert len(re.findall("rv-line--alike", shown)) == 2 * deal.parting  # the deal itself is among them
    parting = shown.partition('id="parting"')[2].partition("</tr>")[0]
    assert "rv-line--parting" in parting


def test_bots_that_play_alike_are_said_to(client: Client):
    match = played("lowest", "lowest")
    assert deal_of(match).alike
    shown = client.get(path(match)).content.decode()
    assert "All moves are the same" in shown
    assert "parting" not in shown


def test_every_move_of_every_game_leads_to_its_replay(client: Client):
    match = played("lowest", "thrifty", "hoarder", players=3)
    shown = client.get(path(match)).content.decode()
    for game in Game.objects.filter(match=match):
        for move in range(game.moves + 1):
            assert f'href="/games/{game.pk}/#m={move}"' in shown
        assert f'href="/games/{game.pk}/"' in shown


def test_match_and_game_lead_there(client: Client):
    match = played("lowest", "thrifty")
    game = Game.objects.filter(match=match).earliest("pk")
    for url in (match.get_absolute_url(), game.get_absolute_url()):
        assert f'href="{path(match)}"' in client.get(url).content.decode()


def test_a_record_that_is_damaged_leaves_its_result_and_the_other_game(
    client: Client, caplog: pytest.LogCaptureFixture
):
    match = played("lowest", "thrifty")
    broken, whole = Game.objects.filter(match=match).order_by("rotation")
    Game.objects.filter(pk=broken.pk).update(record=b"damaged")
    shown = client.get(path(match)).content.decode()
    assert "Its moves cannot be shown." in shown
    assert "record_unreadable" in caplog.text
    assert "is the fool" in shown
    assert f"/games/{whole.pk}/#m=1" in shown
    assert deal_of(match).parting is None
    Game.objects.filter(pk=whole.pk).update(record=b"damaged")
    assert client.get(path(match)).status_code == 200


def test_a_bout_that_a_failure_ends_as_it_begins_is_listed_nowhere(client: Client):
    match = played("lowest", "thrifty")
    begins = frames(record(2))["marks"]["bout"][3]
    failed = record(2, stop=begins)
    assert failed.failure is not None
    Game.objects.filter(match=match).update(
        record=failed.compact(),
        moves=begins,
        ending="forfeit",
        places=list(failed.result.places),
        failures=[failed.failure],
    )
    game = Game.objects.filter(match=match).earliest("pk")
    for shown in (client.get(path(match)), client.get(game.get_absolute_url())):
        assert '<ol class="rv-lines">' in shown.content.decode()
        assert re.findall(r'<ol class="rv-lines">\s*</ol>', shown.content.decode()) == []
    assert len(client.get(path(match)).context["rows"]) == 3


def test_the_longest_games_are_listed_in_pages(client: Client):
    match = played("lowest", "thrifty", "hoarder", players=3)
    record = longest_record()
    Game.objects.filter(match=match, rotation=0).update(
        record=record.compact(), moves=len(record.moves), ending="bout_limit", places=[1, 1, 1], failures=[]
    )
    shown = client.get(path(match), {"page": "2"})
    # With three games beside each other, 26 bouts; of two, 40.
    assert shown.context["page"].paginator.num_pages == 20
    assert shown.context["rows"][0].number == 27
    Game.objects.filter(match=match).update(
        record=record.compact(), moves=len(record.moves), ending="bout_limit", places=[1, 1, 1], failures=[]
    )
    assert len(client.get(path(match), {"page": "10"}).content) < 1_000_000


@pytest.mark.parametrize("number", [1, 10**30])
def test_a_deal_that_was_not_played_is_not_there(client: Client, number: int):
    assert client.get(path(played("lowest", "thrifty"), number)).status_code == 404


def test_a_match_that_is_not_over_has_no_deals_yet(client: Client):
    cup = factories.round_robin([factories.bot(), factories.bot()])
    assert client.get(path(cup.matches.get())).status_code == 404
