"""The pages and files of a replay: who may see them, what they say, and how they are kept."""

import gzip
import json
import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.translation import override

from accounts.models import User
from arena.durak import GameRecord, verify
from tests.arena.replay.played import longest_record
from tests.web import factories
from tournaments.models import Game, GameLog, Tournament

pytestmark = pytest.mark.django_db

HOSTILE = '<img src=x onerror="alert(1)">%(seat)s{0}'


@pytest.fixture
def owner() -> User:
    return factories.user("olga")


@pytest.fixture
def tournament(owner: User) -> Tournament:
    """A round robin of two bots, played; one has a hostile name."""
    made = factories.round_robin([factories.bot(owner, HOSTILE), factories.bot(name="Other")], deals=1)
    factories.play(made)
    return made


@pytest.fixture
def game(tournament: Tournament) -> Game:
    return Game.objects.filter(match__tournament=tournament).earliest("rotation")


def address(name: str, game: Game) -> str:
    return reverse(f"replays:{name}", args=[game.pk])


def frames_of(client: Client, game: Game, **query: str) -> dict[str, Any]:
    response = client.get(address("frames", game), query)
    assert response.status_code == 200
    found: dict[str, Any] = response.json()
    return found


def test_the_pages_tell_the_whole_game_without_a_script(client: Client, game: Game):
    first = client.get(game.get_absolute_url())
    assert "Bout 1<" in first.content.decode()
    assert "leads first" in first.content.decode()
    pages = first.context["page"].paginator.page_range
    texts = [client.get(game.get_absolute_url(), {"page": page}).content.decode() for page in pages]
    assert sum(text.count('class="rv-line"') for text in texts) == game.moves + 1


def test_deals_and_rotations_are_numbered_as_in_the_proof(client: Client, game: Game):
    assert (game.deal, game.rotation) == (0, 0)
    text = client.get(game.get_absolute_url()).content.decode()
    assert "deal 0, rotation 0" in text
    of_match = client.get(game.match.get_absolute_url()).content.decode()
    for shown in (text, of_match):
        assert re.findall(r">Rotation (\d)<", shown) == ["0", "1"]


def test_a_hostile_name_is_nothing_but_a_name(client: Client, game: Game):
    for path in (address("game", game), address("embed", game), reverse("replays:deal", args=[game.match_id, 0])):
        text = client.get(path).content.decode()
        assert "<img" not in text
        assert "&lt;img" in text
    assert HOSTILE in [seat["name"] for seat in frames_of(client, game)["seats"]]


def test_no_page_holds_a_script_or_style_of_its_own(client: Client, game: Game):
    for name in ("game", "embed"):
        text = client.get(address(name, game)).content.decode()
        assert "<style" not in text
        assert ' style="' not in text
        assert (
            text.count("<script") == len(re.findall(r'<script type="module" src="/static/[^"]+"></script>', text)) > 0
        )


def test_the_banner_is_the_stored_result(client: Client, game: Game):
    """It follows the row of the game, as every other page does, and not the moves."""
    Game.objects.filter(pk=game.pk).update(
        ending="forfeit", places=[1, 2], failures=[{"seat": 1, "reason": "memory", "at": 5, "forfeited": False}]
    )
    result = frames_of(client, game)["result"]
    assert (result["ending"], result["places"]) == ("forfeit", [1, 2])
    assert result["banner"] == ["Forfeit: ", 1, " used more memory than allowed"]
    assert "used more memory than allowed" in client.get(game.get_absolute_url()).content.decode()


def test_the_frames_of_every_played_game_show_its_stored_result(client: Client):
    bots = [factories.bot() for _ in range(3)]
    tournament = factories.round_robin(bots, deals=2, players=3)
    factories.play(tournament, brain=lambda _: factories.skilled(0.5, 0.02))
    played = Game.objects.filter(match__tournament=tournament)
    assert played.count() == 6
    for one in played:
        result = frames_of(client, one)["result"]
        assert (result["ending"], result["places"]) == (one.ending, one.places)
        assert [failed[:2] for failed in result["failures"]] == [[f["seat"], f["reason"]] for f in one.failures]


def test_words_come_in_the_language_that_was_asked_for(client: Client, game: Game):
    first = client.get(address("frames", game), {"lang": "en"})
    assert frames_of(client, game, lang="nonsense")["format"] == "durak-frames/1"
    with override("pl"):
        other = client.get(address("frames", game), {"lang": "pl"})
    assert first["ETag"] != other["ETag"]


def test_frames_are_kept_for_good_under_their_tag_and_asked_again_without(client: Client, game: Game):
    page = client.get(game.get_absolute_url())
    tagged = client.get(page.context["frames_url"])
    assert "immutable" in tagged["Cache-Control"]
    assert "public" in tagged["Cache-Control"]
    plain = client.get(address("frames", game))
    assert "no-cache" in plain["Cache-Control"]
    assert plain["ETag"] == tagged["ETag"]


def test_the_tag_changes_when_a_bot_is_renamed(client: Client, game: Game):
    before = client.get(address("frames", game))["ETag"]
    bot = game.match.seats.get(index=0).version.bot
    bot.name = "Renamed"
    bot.save()
    assert client.get(address("frames", game))["ETag"] != before


@pytest.mark.parametrize("name", ["frames", "record"])
def test_a_file_is_not_sent_twice(client: Client, game: Game, name: str):
    first = client.get(address(name, game))
    again = client.get(address(name, game), headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    since = client.get(address(name, game), headers={"If-Modified-Since": first["Last-Modified"]})
    assert since.status_code == 304


@pytest.mark.parametrize("name", ["frames", "record"])
def test_a_file_goes_compressed_to_who_can_take_it(client: Client, game: Game, name: str):
    plain = client.get(address(name, game))
    packed = client.get(address(name, game), headers={"Accept-Encoding": "br, gzip"})
    refused = client.get(address(name, game), headers={"Accept-Encoding": "gzip;q=0"})
    assert packed["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.content) == plain.content == refused.content
    assert "Accept-Encoding" in packed["Vary"]


def test_the_record_is_a_download_that_anybody_can_verify(client: Client, game: Game):
    response = client.get(address("record", game))
    assert response["Content-Disposition"] == f'attachment; filename="durak-game-{game.pk}.json"'
    assert response["Content-Type"].startswith("application/json")
    record = GameRecord.loads(response.content)
    assert str(verify(record).ending) == game.ending
    assert record.compact() == bytes(game.record)


@pytest.mark.parametrize("name", ["game", "embed", "frames", "record"])
@pytest.mark.parametrize("number", [987654321, 10**30])
def test_what_is_not_there_is_404(client: Client, name: str, number: int):
    assert client.get(reverse(f"replays:{name}", args=[number])).status_code == 404


@pytest.mark.parametrize("name", ["game", "embed", "frames", "record"])
def test_only_staff_sees_the_games_of_a_draft(client: Client, game: Game, name: str):
    Tournament.objects.update(state="draft")
    assert client.get(address(name, game)).status_code == 404
    client.force_login(factories.user("staff", is_staff=True))
    response = client.get(address(name, game))
    assert response.status_code == (404 if name == "embed" else 200)
    if name in {"frames", "record"}:
        assert "private" in response["Cache-Control"]


@pytest.mark.parametrize("name", ["game", "embed", "frames", "record"])
def test_pages_only_read(client: Client, game: Game, name: str):
    assert client.post(address(name, game)).status_code == 405


def test_only_the_embedded_viewer_may_stand_in_a_frame(client: Client, game: Game):
    embedded = client.get(address("embed", game))
    assert "frame-ancestors *" in embedded["Content-Security-Policy"]
    assert "X-Frame-Options" not in embedded
    assert "script-src 'self'" in embedded["Content-Security-Policy"]
    page = client.get(address("game", game))
    assert "frame-ancestors 'none'" in page["Content-Security-Policy"]
    assert page["X-Frame-Options"] == "DENY"


class TestTheOwnersPart:
    @pytest.fixture(autouse=True)
    def log(self, game: Game, owner: User) -> None:
        """The bot of the hostile name has printed, and failed."""
        seat = game.match.seats.get(entry__bot__owner=owner)
        failure = {
            "seat": game.seating.index(seat.index),
            "reason": "crash",
            "at": 5,
            "message": "ZeroDivisionError: division by zero",
            "detail": {"type": "ZeroDivisionError", "file": "bot.py", "line": 7, "traceback": "Traceback <secret>"},
            "view": {"hand": ["6c"], "legal": ["6c"]},
            "forfeited": False,
        }
        GameLog.objects.filter(game=game, seat=seat).delete()
        GameLog.objects.create(game=game, seat=seat, log="printed <secret>", failure=failure)

    def test_the_owner_sees_log_view_and_failure(self, client: Client, owner: User, game: Game):
        client.force_login(owner)
        text = client.get(game.get_absolute_url()).content.decode()
        assert "printed &lt;secret&gt;" in text
        assert "Traceback &lt;secret&gt;" in text
        assert "bot.py:7" in text
        # English whatever the page is in, and read out as such.
        assert '<p lang="en">ZeroDivisionError: division by zero</p>' in text
        assert "&quot;legal&quot;" in text

    @pytest.mark.parametrize("reader", ["visitor", "rival", "staff"])
    def test_nobody_else_does(self, client: Client, game: Game, owner: User, reader: str):
        rival = game.match.seats.exclude(entry__bot__owner=owner).get().version.bot.owner
        if reader != "visitor":
            client.force_login(rival if reader == "rival" else factories.user("staff", is_staff=True))
        for name in ("game", "embed", "frames", "record"):
            assert b"secret" not in client.get(address(name, game)).content


def test_a_damaged_record_is_our_fault_and_no_error_page(client: Client, game: Game):
    Game.objects.filter(pk=game.pk).update(record=b"damaged")
    page = client.get(game.get_absolute_url())
    assert page.status_code == 200
    assert "through a fault of the arena" in page.content.decode()
    assert client.get(address("embed", game)).status_code == 200
    for name in ("frames", "record"):
        answer = client.get(address(name, game))
        assert answer.status_code == 404
        assert "damaged" in json.loads(answer.content)["error"]


def test_the_longest_game_is_listed_in_pages(client: Client, game: Game):
    record = longest_record()
    bots = [factories.bot() for _ in range(3)]
    tournament = factories.round_robin(bots, deals=1, players=3)
    factories.play(tournament)
    long = Game.objects.filter(match__tournament=tournament).earliest("pk")
    Game.objects.filter(pk=long.pk).update(
        record=record.compact(), moves=len(record.moves), ending="bout_limit", places=[1, 1, 1], failures=[]
    )
    page = client.get(long.get_absolute_url(), {"page": "2"})
    assert page.context["page"].paginator.num_pages == 13
    assert page.context["bouts"][0].number == 41
    assert len(page.content) < 1_000_000


def queries(client: Client, path: str) -> int:
    client.get(path)
    with CaptureQueriesContext(connection) as captured:
        assert client.get(path).status_code == 200
    return len(captured)


def test_pages_make_a_fixed_number_of_queries(client: Client, game: Game, owner: User):
    tournament = factories.round_robin([factories.bot(owner) for _ in range(4)], deals=1, players=4)
    factories.play(tournament)
    crowded = Game.objects.filter(match__tournament=tournament).earliest("pk")
    assert queries(client, address("frames", game)) == queries(client, address("frames", crowded)) == 2
    assert queries(client, address("game", game)) == queries(client, address("game", crowded)) == 3
    client.force_login(owner)
    assert queries(client, address("game", game)) == queries(client, address("game", crowded))
