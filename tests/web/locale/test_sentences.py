"""What only a whole sentence shows: the case of a card, the form of a number, the word of a language's players."""

from datetime import timedelta

import pytest
from django.utils import timezone, translation
from django.utils.html import strip_tags

from arena.durak import EventKind, Move
from arena.replay.words import Words, plain
from pages.templatetags import ui
from tournaments.models import Tournament

NAMES = ["Ann", "Bob"]


def said(kind, move):
    words = Words(translation.gettext, translation.ngettext, translation.pgettext)
    return bare(words.move(kind, 0, Move.parse(move), 1))


def bare(sentence):
    """Without the marks that keep a name in its own direction, and those that keep a number with its noun."""
    return plain(sentence, NAMES).replace("\u2068", "").replace("\u2069", "").replace("\u00a0", " ")


@pytest.mark.parametrize(
    ("language", "lead", "throw", "beat", "transfer"),
    [
        (
            "ru",
            "Ann заходит семёркой червей",
            "Ann подкидывает даму пик",
            "Ann отвечает королём бубён на шестёрку треф",
            "Ann переводит тузом червей: отбивается Bob",
        ),
        (
            "pl",
            "Ann wychodzi siódemką kier",
            "Ann dorzuca damę pik",
            "Ann odpowiada królem karo na szóstkę trefl",
            "Ann przenosi asem kier: broni się Bob",
        ),
        (
            "uk",
            "Ann ходить сімкою чирв",
            "Ann підкидає даму пік",
            "Ann відповідає королем бубон на шістку треф",
            "Ann переводить тузом чирв: відбивається Bob",
        ),
    ],
)
def test_a_card_stands_in_its_case(language, lead, throw, beat, transfer):
    with translation.override(language):
        assert said(EventKind.LEAD, "7h") == lead
        assert said(EventKind.THROW, "Qs") == throw
        assert said(EventKind.BEAT, "6c/Kd") == beat
        assert said(EventKind.TRANSFER, ">Ah") == transfer


@pytest.mark.parametrize(
    ("language", "forms"),
    [
        ("ru", {1: "1 карту", 3: "3 карты", 5: "5 карт", 21: "21 карту"}),
        ("pl", {1: "1 kartę", 3: "3 karty", 5: "5 kart", 21: "21 kart"}),
        ("uk", {1: "1 карту", 3: "3 карти", 5: "5 карт", 21: "21 карту"}),
    ],
)
def test_a_number_of_cards_has_its_form(language, forms):
    with translation.override(language):
        words = Words(translation.gettext, translation.ngettext, translation.pgettext)
        for count, form in forms.items():
            assert bare(words.taken(0, count)).endswith(form)


@pytest.mark.parametrize(
    ("language", "minute", "week"),
    [
        ("ru", "1 минуту назад", "2 недели назад"),
        ("pl", "1 minutę temu", "2 tygodnie temu"),
        ("uk", "1 хвилину тому", "2 тижні тому"),
    ],
)
def test_so_long_ago_stands_in_its_case(language, minute, week):
    with translation.override(language):
        shown = [strip_tags(ui.ago(timezone.now() - span)) for span in (timedelta(seconds=70), timedelta(days=15))]
    assert [text.replace("\u00a0", " ") for text in shown] == [minute, week]


def test_the_ladder_is_called_what_the_reader_calls_it_until_somebody_names_it():
    ladder = Tournament(kind=Tournament.Kind.LADDER, name="Ladder")
    with translation.override("pl"):
        assert ladder.title == "Liga"
        ladder.name = "Sunday"
        assert ladder.title == "Sunday"
    assert Tournament(kind=Tournament.Kind.ROUND_ROBIN, name="Ladder").title == "Ladder"
