"""A game is the same on the site and on its author's machine: given deck, deterministic bots, both backends."""

import pytest

from arena import referee, tournament
from arena.durak import GameRecord
from arena.limits import Limits
from arena.referee import Entrant
from arena.samples import SAMPLES
from bots import sandboxes
from sandbox import Pool, open_backend
from tests.web import factories
from tournaments.models import Game
from tournaments.play import Ending, play_match
from tournaments.values import ruleset_of

pytestmark = pytest.mark.django_db

NAMES = ("lowest", "thrifty", "hoarder")


@pytest.fixture(params=["process", pytest.param("docker", marks=pytest.mark.docker)])
def backend(request, settings):
    sandboxes.close()
    settings.SANDBOX = request.param
    yield request.param
    sandboxes.close()


def told(record):
    """A record without what is of one machine: times."""
    return {name: value for name, value in record.to_json().items() if name != "times_ms"}


def test_a_game_has_the_same_record_on_the_site_and_at_home(backend):
    bots = [factories.bot(name=name, ready=False) for name in NAMES]
    for bot in bots:
        factories.version(bot, code=SAMPLES[bot.name].files.files["bot.py"])
    cup = factories.round_robin(bots, players=3, deals=2)
    match = cup.matches.select_related("secret").get()
    assert play_match(match.pk, "worker") is Ending.RECORDED
    order = [seat.version.bot.name for seat in match.seats.select_related("version__bot").order_by("index")]

    terms = tournament.Terms(ruleset_of(cup), 3, 2, Limits.from_json(cup.limits), bytes(match.secret.secret))
    entrants = [Entrant(name, 1, SAMPLES[name].files) for name in order]
    with Pool(open_backend(backend), 3) as pool:
        home = referee.play(entrants, terms.ruleset, terms.decks(match.number), terms.limits, pool)

    site = Game.objects.filter(match=match).order_by("rotation", "deal")
    assert [told(GameRecord.from_compact(bytes(game.record))) for game in site] == [
        told(game.record) for game in home.games
    ]
