"""Sentences: each says what happened, and none takes a name for anything but a name."""

import pytest

from arena.durak import PRESETS, EventKind, Move
from arena.replay.words import CardPart, Failed, Result, Words, fill, plain

NAMES = ["Ann", "<i>%(seat)s</i>", "Cid", "Dan", "Eve", "Fay"]
RULES = PRESETS["podkidnoy"]


def said(kind: EventKind, move: str, defender: int = 1) -> str:
    return plain(Words().move(kind, 0, Move.parse(move), defender), NAMES)


def failed(reason: str) -> Result:
    return Result("forfeit", (2, 1), None, (Failed(0, reason),))


def bare(text: str) -> str:
    """Without the marks that keep a name in its own direction."""
    return text.replace("\u2068", "").replace("\u2069", "")


@pytest.mark.parametrize(
    ("kind", "move", "sentence"),
    [
        (EventKind.LEAD, "7h", "Ann leads the seven of hearts"),
        (EventKind.LEAD, "7d+7h", "Ann leads the seven of diamonds and the seven of hearts"),
        (EventKind.LEAD, "7c+7d+7h", "Ann leads the seven of clubs, the seven of diamonds and the seven of hearts"),
        (EventKind.THROW, "Ts", "Ann throws in the ten of spades"),
        (EventKind.BEAT, "7h/9h", "Ann beats the seven of hearts with the nine of hearts"),
        (EventKind.TRANSFER, ">7d", "Ann transfers with the seven of diamonds: Cid is to defend"),
        (EventKind.TAKE, "take", "Ann takes"),
        (EventKind.PASS, "pass", "Ann passes"),
    ],
)
def test_a_move_is_told_in_words(kind: EventKind, move: str, sentence: str):
    assert bare(said(kind, move, defender=2)) == sentence


def test_counts_have_their_plural():
    words = Words()
    assert plain(words.beaten(1), NAMES) == "The bout is beaten: 1 card goes to the discard"
    assert bare(plain(words.draws([(0, 1), (2, 3)]), NAMES)) == "Ann draws 1 card; Cid draws 3 cards"


def test_a_name_with_markup_and_placeholders_stays_a_name():
    sentence = Words().banner(Result("fool", (1, 2), 1), RULES)
    assert 1 in sentence
    assert not any(isinstance(part, str) and "<" in part for part in sentence)
    assert bare(plain(sentence, NAMES)) == "<i>%(seat)s</i> is the fool"


@pytest.mark.parametrize(
    ("result", "sentence"),
    [
        (Result("fool", (1, 1, 3), 2), "Cid is the fool"),
        (Result("draw", (1, 2, 2), None), "A draw: the last went out together"),
        (Result("win", (2, 1, 2), None), "<i>%(seat)s</i> wins"),
        (Result("win", (1, 2, 1, 2), None), "Ann and Cid win"),
        (Result("stalemate", (1, 2, 2), None), "Stalemate: 40 bouts in a row were taken"),
        (Result("bout_limit", (1, 1, 1), None), "Stopped after 500 bouts"),
        (Result("forfeit", (4, 1), None, (Failed(0, "load"),)), "Forfeit: Ann did not start"),
        (Result("forfeit", (4, 1), None, (Failed(0, "crash"),)), "Forfeit: Ann crashed"),
        (
            Result("forfeit", (4, 1), None, (Failed(0, "illegal"),)),
            "Forfeit: Ann answered with a move that is not legal",
        ),
        (Result("forfeit", (4, 1), None, (Failed(0, "protocol"),)), "Forfeit: Ann broke the protocol"),
        (Result("forfeit", (4, 1), None, (Failed(0, "time"),)), "Forfeit: Ann ran out of time"),
        (Result("forfeit", (4, 1), None, (Failed(0, "memory"),)), "Forfeit: Ann used more memory than allowed"),
        (Result("forfeit", (4, 1), None, (Failed(0, "output"),)), "Forfeit: Ann printed more than allowed"),
        (Result("forfeit", (4, 1), None, (Failed(0, "pondering"),)), "Forfeit: Ann thought out of turn"),
        (
            Result("forfeit", (1, 1, 3), None, (Failed(2, "crash", forfeited=True),)),
            "Forfeit: Cid was not started, after failing too often in this match",
        ),
        (
            Result("forfeit", (2, 1, 2), None, (Failed(0, "load"), Failed(2, "load"))),
            "Forfeit: Ann did not start; Cid did not start",
        ),
    ],
)
def test_the_banner_tells_every_ending_and_failure(result: Result, sentence: str):
    assert bare(plain(Words().banner(result, RULES), NAMES)) == sentence


def test_a_language_may_choose_its_own_order_and_its_own_case_of_a_card():
    def pgettext(context: str, text: str) -> str:
        if "suit" in context:
            return {"hearts": "червей"}.get(text, text)
        return "семёрку %(suit)s" if "beaten" in context and "seven" in text else text

    def gettext(text: str) -> str:
        return {"%(seat)s throws in %(cards)s": "%(cards)s подкидывает %(seat)s"}.get(text, text)

    words = Words(gettext, pgettext=pgettext)
    sentence = words.move(EventKind.THROW, 0, Move.parse("7h"), 1)
    assert sentence == (CardPart("7h", "семёрку червей"), " подкидывает ", 0)


def test_a_filled_template_joins_neighbouring_texts():
    assert fill("%(a)s and %(b)s", a="x", b=("y", 3)) == ("x and y", 3)
