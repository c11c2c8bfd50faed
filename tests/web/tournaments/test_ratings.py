"""Ratings: reproducible to the last digit, and set right when somebody has changed them."""

import pytest
from django.core.management import call_command

from arena import likelihood
from tests.web import factories
from tests.web.tournaments.made import begin, won_by
from tournaments import ratings, results
from tournaments.models import Entry, RatingPoint, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def played():
    tournament = factories.round_robin([factories.bot() for _ in range(5)])
    factories.play(tournament)
    tournament.refresh_from_db()
    return tournament


def numbers(tournament: Tournament) -> list[tuple[float, ...]]:
    points = RatingPoint.objects.filter(entry__tournament=tournament).order_by("entry", "order")
    entries = Entry.objects.filter(tournament=tournament).order_by("id")
    fields = [name for name in ratings.SUMS if name != "failures"]
    return [*points.values_list("entry_id", "order", "before", "after"), *entries.values_list("elo", *fields)]


def test_a_recomputation_finds_nothing_to_change(played):
    before = numbers(played)
    assert ratings.recompute_ratings(played) == []
    assert numbers(played) == before


def test_a_recomputation_sets_right_what_was_changed(played):
    before = numbers(played)
    point = RatingPoint.objects.filter(entry__tournament=played).latest("order")
    RatingPoint.objects.filter(pk=point.pk).update(after=1700.0)
    Entry.objects.filter(pk=point.entry_id).update(elo=1700.0, won=0, games=1, lost=1, drawn=0)
    Tournament.objects.filter(pk=played.pk).update(rated=3)
    told = ratings.recompute_ratings(played, store=False)
    assert len(told) == 3
    assert numbers(played) != before
    assert ratings.recompute_ratings(played) == told
    assert numbers(played) == before
    assert ratings.recompute_ratings(played) == []


def test_the_command_tells_and_may_be_run_twice(played, capsys):
    Entry.objects.filter(tournament=played).update(elo=1.0)
    call_command("recompute_ratings", played.slug)
    assert "5 differences" in capsys.readouterr().out
    call_command("recompute_ratings", played.slug)
    assert "0 differences" in capsys.readouterr().out


def test_the_history_goes_on_where_it_was(played):
    for entry in Entry.objects.filter(tournament=played):
        points = list(entry.rating_points.order_by("order"))
        assert points[0].before == 1500.0
        assert [point.after for point in points[:-1]] == [point.before for point in points[1:]]
        assert points[-1].after == entry.elo


def test_the_table_does_not_depend_on_the_order_of_play():
    tables = []
    for turn in (1, -1):
        tournament = factories.round_robin([factories.bot() for _ in range(4)])
        for match in list(tournament.matches.select_related("tournament").order_by("id"))[::turn]:
            begin(match)
            results.record(match.pk, 1, won_by(match.number % 2, match))
        ratings.refresh_table(tournament)
        entries = Entry.objects.filter(tournament=tournament).order_by("id")
        tables.append(list(entries.values_list("rating", "rating_low", "rating_high")))
        assert all(low < rating < high for rating, low, high in tables[-1])
    assert tables[0] == [pytest.approx(line, abs=1e-6) for line in tables[1]]


def test_a_table_that_was_overtaken_is_not_stored(played, monkeypatch):
    fit = likelihood.fit

    def slow(games):
        monkeypatch.setattr(likelihood, "fit", fit)
        assert ratings.refresh_table(played)
        Tournament.objects.filter(pk=played.pk).update(fitted=played.rated + 1)
        return fit(games)

    monkeypatch.setattr(likelihood, "fit", slow)
    assert not ratings.refresh_table(played)


def test_entries_without_a_finished_match_have_no_rating(played):
    late = Entry.objects.create(tournament=played, bot=(bot := factories.bot()), version=bot.versions.get())
    ratings.refresh_table(played)
    late.refresh_from_db()
    assert late.rating is None
    played.refresh_from_db()
    assert played.fitted == played.rated == 10


def test_a_tournament_without_matches_has_a_table_all_the_same():
    tournament = factories.round_robin([factories.bot(), factories.bot()])
    assert ratings.refresh_table(tournament)
    assert ratings.recompute_ratings(tournament) == []
