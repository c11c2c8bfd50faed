"""What everybody may read: bots, tables, crosstables, matches, games and their records, with the pages' own numbers."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from arena.durak import GameRecord, verify
from tests.web import factories
from tests.web.api.conftest import program
from tournaments import board, cross_page, fairness, lifecycle, standings
from tournaments.models import Entry, Game, Match, RatingPoint

pytestmark = pytest.mark.django_db


@pytest.fixture
def finished(cup):
    """The cup, played to its end."""
    factories.play(cup)
    factories.rate(cup)
    cup.refresh_from_db()
    return cup


# Bots


def test_bots_that_play_are_listed_by_name(bots, visitor):
    factories.bot(name="Not ready", ready=False)
    page = visitor.get("/bots").json()
    assert [bot["slug"] for bot in page["items"]] == ["first", "second", "third"]
    assert page["items"][0] | {"created_at": ""} == {
        "slug": "first",
        "name": "First",
        "owner": "author",
        "description": "",
        "created_at": "",
        "version": 1,
        "url": "http://testserver/bots/first/",
    }


@pytest.mark.parametrize("suspended", ["bot", "owner"])
def test_what_is_said_of_a_suspended_bot_is_for_its_owner_alone(bots, visitor, author, suspended):
    row = bots[0] if suspended == "bot" else author
    type(bots[0]).objects.filter(pk=bots[0].pk).update(description="Abuse")
    type(row).objects.filter(pk=row.pk).update(suspended_at=timezone.now(), suspension_reason="Abuse.")
    assert visitor.get("/bots/first").json()["description"] == ""
    assert program(factories.user("third")).get("/bots/first").json()["description"] == ""
    assert program(author).get("/bots/first").json()["description"] == "Abuse"


@pytest.mark.parametrize(("query", "count"), [("fir", 1), ("OTHER", 1), ("author", 2), ("x\0y", 0), ("\0", 3)])
def test_bots_are_searched_by_their_and_their_owners_names(bots, visitor, query, count):
    assert visitor.get("/bots", q=query).json()["count"] == count


def test_a_bot_comes_with_its_line_of_the_table_and_its_opponents(cup, visitor):
    answer = visitor.get("/bots/first").json()
    line = next(row for row in board.lines(standings.table(cup)) if row.standing.bot_slug == "first")
    assert answer["tournament"] == "winter-cup"
    assert answer["entries"] == [{"tournament": "winter-cup", "version": 1, "state": "active"}]
    assert answer["standing"]["score"] == line.standing.score
    assert answer["standing"]["best"] == line.span.best
    entry = Entry.objects.get(bot__slug="first")
    assert sum(opponent["games"] for opponent in answer["opponents"]) == entry.games
    assert visitor.get("/bots/first", tournament="no-such").json()["standing"] is None


def test_a_bot_that_has_not_played_is_there(bots, visitor):
    answer = visitor.get("/bots/first").json()
    assert (answer["entries"], answer["standing"], answer["opponents"]) == ([], None, [])


def test_a_bot_without_a_version_plays_with_none(visitor):
    bot = factories.bot(name="Not ready", ready=False)
    assert visitor.get(f"/bots/{bot.slug}").json()["version"] is None


def test_what_is_not_there_is_told_by_name(db, visitor):
    for path, words in (
        ("/bots/nobody", "“nobody”"),
        ("/bots/nobody/versions", "“nobody”"),
        ("/bots/nobody/versions/1", "version 1"),
        ("/tournaments/nowhere", "“nowhere”"),
        ("/tournaments/nowhere/table.csv", "“nowhere”"),
        ("/matches/7", "match 7"),
        ("/games/7", "game 7"),
        ("/games/7/record", "game 7"),
        ("/leaderboard", "ladder"),
    ):
        answer = visitor.get(path, 404).json()
        assert answer["code"] == "not_found"
        assert words in answer["message"]


# Tables


def test_the_table_is_that_of_the_page(cup, visitor):
    lines = visitor.get("/tournaments/winter-cup/table").json()["items"]
    table = standings.table(cup)
    assert [line["bot"]["slug"] for line in lines] == [line.bot_slug for line in table]
    for line, standing in zip(lines, table, strict=True):
        for name in ("place", "rating", "low", "high", "elo", "games", "won", "drawn", "lost", "score", "lost_by"):
            assert line[name] == getattr(standing, name)


def test_the_leaderboard_is_the_ladders_table(bots, visitor):
    ladder = factories.ladder(bots)
    factories.play(ladder)
    page = visitor.get("/leaderboard").json()
    assert page == visitor.get("/tournaments/ladder/table").json()
    assert page["count"] == 3
    assert visitor.get("/leaderboard", q="third").json()["items"][0]["bot"]["owner"] == "other"


def test_a_table_comes_in_pages(cup, visitor):
    pages = [visitor.get("/tournaments/winter-cup/table", size=2, page=page).json() for page in (1, 2, 3)]
    assert [len(page["items"]) for page in pages] == [2, 1, 0]
    assert {(page["count"], page["pages"]) for page in pages} == {(3, 2)}


def test_the_crosstable_is_that_of_the_page(cup, visitor):
    answer = visitor.get("/tournaments/winter-cup/crosstable").json()
    shown = cross_page.cross(cup)
    for row, expected in zip(answer["rows"], shown.rows, strict=True):
        assert row["bot"]["slug"] == expected.line.bot_slug
        scores = [cell["score"] if cell else None for cell in row["cells"]]
        assert scores == [cell.score if cell.deals else None for cell in expected.cells]
    assert visitor.get("/tournaments/winter-cup/crosstable", bots=1).json()["left_out"] == 2


def test_tournaments_are_listed_with_how_far_they_are(cup, visitor):
    [one] = visitor.get("/tournaments").json()["items"]
    assert (one["slug"], one["state"]) == ("winter-cup", "running")
    assert (one["entries"], one["matches"], one["finished"]) == (3, 3, 2)
    assert visitor.get("/tournaments", state="finished").json()["count"] == 0


def test_a_tournament_tells_its_rules_and_limits(cup, visitor):
    answer = visitor.get("/tournaments/winter-cup").json()
    assert (answer["ruleset"], answer["options"]["transfer"]) == ("podkidnoy", False)
    assert answer["limits"]["bank"] == 10
    assert answer["progress"] == {"queued": 1, "running": 0, "finished": 2, "parked": 0, "cancelled": 0}


def test_a_secret_is_told_when_it_is_revealed_and_not_before(finished, visitor):
    stored = finished.secrets.get()
    [before] = visitor.get("/tournaments/winter-cup/secrets").json()["items"]
    match = finished.matches.first()
    assert before == {"day": None, "commitment": stored.commitment, "secret": None}
    assert visitor.get(f"/matches/{match.pk}").json()["decks"] == before
    lifecycle.finish(finished)
    [after] = visitor.get("/tournaments/winter-cup/secrets").json()["items"]
    assert after["secret"] == bytes(stored.secret).hex()
    assert visitor.get(f"/matches/{match.pk}").json()["decks"] == after


# Matches and games


def test_matches_are_filtered(cup, bots, visitor):
    def count(**query):
        return visitor.get("/matches", **query).json()["count"]

    assert count() == 2
    assert count(state="all") == 3
    assert count(state="queued") == 1
    assert count(tournament="winter-cup", state="all") == 3
    assert count(bot="first", state="all") == 2
    assert count(bot="first", against="third", state="all") == 1
    assert count(bot="nobody", state="all") == 0


def test_a_match_comes_with_its_games_and_what_it_did_to_the_elo(cup, visitor):
    match = cup.matches.filter(state="finished").first()
    answer = visitor.get(f"/matches/{match.pk}").json()
    assert (answer["played"], answer["total"], len(answer["games"])) == (4, 4, 4)
    assert {game["id"] for game in answer["games"]} == set(match.games.values_list("pk", flat=True))
    for seat, elo in zip(answer["seats"], answer["elo"], strict=True):
        point = RatingPoint.objects.get(match=match, entry__bot__slug=seat["bot"]["slug"])
        assert (elo["index"], elo["after"]) == (seat["index"], point.after)
        assert elo["change"] == point.after - point.before
    assert sum(elo["change"] for elo in answer["elo"]) == 0


@pytest.mark.parametrize("state", ["queued", "running", "parked", "cancelled"])
def test_a_match_that_is_not_played_yet_is_there(cup, visitor, state):
    match = factories.move_to(cup.matches.get(state="queued"), state)
    answer = visitor.get(f"/matches/{match.pk}").json()
    assert (answer["state"], answer["games"], answer["elo"]) == (state, [], [])
    assert answer["ahead"] == (0 if state == "queued" else None)


def test_what_went_wrong_on_our_side_is_not_told(cup, visitor):
    match = factories.move_to(cup.matches.get(state="queued"), "parked", error="secret host down")
    assert "secret host" not in visitor.get(f"/matches/{match.pk}").content.decode()
    assert "secret host" not in visitor.get("/matches").content.decode()


def test_a_game_tells_who_sat_where_and_how_it_ended(cup, visitor):
    for game in Game.objects.select_related("match"):
        answer = visitor.get(f"/games/{game.pk}").json()
        seats = {seat.index: seat for seat in game.match.seats.select_related("version__bot")}
        assert [seat["bot"]["slug"] for seat in answer["seats"]] == [
            seats[index].version.bot.slug for index in game.seating
        ]
        assert [seat["place"] for seat in answer["seats"]] == game.places
        assert answer["failures"] == game.failures
        assert answer["record_url"].endswith(f"/api/games/{game.pk}/record")


def test_a_failure_is_told_without_what_is_the_owners(cup, visitor):
    game = next(game for game in Game.objects.all() if game.failures)
    shown = visitor.get(f"/games/{game.pk}").content.decode()
    assert "crash" in shown
    assert "ZeroDivisionError" not in shown
    assert "traceback" not in shown


# Records


def test_a_record_can_be_verified(cup, visitor):
    game = Game.objects.select_related("match__secret", "match__tournament").first()
    record = GameRecord.loads(visitor.get(f"/games/{game.pk}/record").content)
    assert list(verify(record).places) == game.places
    decks = fairness.decks_of(game.match)
    assert [str(card) for card in record.deck] == list(decks[game.deal])


def test_a_record_is_the_one_that_the_page_offers(cup, visitor, client):
    game = Game.objects.first()
    page = client.get(reverse("replays:record", args=[game.pk]))
    assert visitor.get(f"/games/{game.pk}/record").json() == page.json()


def test_a_record_that_one_has_is_not_sent_again(cup, visitor):
    path = f"/games/{Game.objects.first().pk}/record"
    first = visitor.get(path)
    assert "public" in first["Cache-Control"]
    for headers in (
        {"if-none-match": first["ETag"]},
        {"if-none-match": f'"other", {first["ETag"]}'},
        {"if-modified-since": first["Last-Modified"]},
    ):
        again = visitor.client.get(f"/api{path}", headers=headers)
        assert (again.status_code, again.content) == (304, b"")
        assert again["ETag"] == first["ETag"]
    assert visitor.client.get(f"/api{path}", headers={"if-none-match": '"other"'}).content == first.content
    assert visitor.client.get(f"/api{path}", headers={"if-match": '"other"'}).status_code == 412


def test_a_record_that_is_damaged_is_told_and_logged(cup, visitor, caplog):
    game = Game.objects.first()
    Game.objects.filter(pk=game.pk).update(record=b"damaged")
    assert "damaged" in visitor.get(f"/games/{game.pk}/record", 404).json()["message"]
    assert "record_unreadable" in caplog.text
    visitor.get(f"/games/{game.pk}")


# Queries


def test_the_number_of_queries_does_not_grow(finished, bots, visitor):
    match = Match.objects.first()
    game = match.games.first()
    paths = (
        *("/bots", "/bots/first", "/tournaments", "/tournaments/winter-cup", "/tournaments/winter-cup/table"),
        *("/tournaments/winter-cup/crosstable", "/tournaments/winter-cup/secrets", "/matches?state=all"),
        *(f"/matches/{match.pk}", f"/games/{game.pk}", f"/games/{game.pk}/record", "/leaderboard"),
    )
    factories.ladder(bots)

    def queries():
        counts = {}
        for path in paths:
            with CaptureQueriesContext(connection) as found:
                assert visitor.client.get(f"/api{path}").status_code == 200
            counts[path] = len(found)
        return counts

    visitor.get("/bots")
    before = queries()
    more = [factories.bot(name=f"More {number}") for number in range(4)]
    cup = factories.round_robin([*bots, *more], "Summer cup", deals=1)
    factories.play(cup, 6)
    for bot in more:
        Entry.objects.create(tournament=finished, bot=bot, version=bot.versions.first())
    assert queries() == before
    assert max(before.values()) <= 14
