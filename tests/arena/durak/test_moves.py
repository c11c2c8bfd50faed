"""Moves and their notation."""

import copy
import pickle

import pytest

from arena.durak import Card, Game, IllegalMove, InvalidMove, Move, MoveKind
from arena.durak.moves import MOVES
from tests.arena.durak.tables import PEREVODNOY, PODKIDNOY, play, ruleset, table


@pytest.mark.parametrize(
    ("text", "kind", "cards", "target"),
    [
        ("7h", MoveKind.LAY, "7h", None),
        ("7d+7h", MoveKind.LAY, "7d 7h", None),
        ("Tc+Td+Th+Ts", MoveKind.LAY, "Tc Td Th Ts", None),
        ("7h/9h", MoveKind.BEAT, "9h", "7h"),
        ("9h/7h", MoveKind.BEAT, "7h", "9h"),
        (">7d", MoveKind.TRANSFER, "7d", None),
        ("take", MoveKind.TAKE, "", None),
        ("pass", MoveKind.PASS, "", None),
    ],
)
def test_notation(text, kind, cards, target):
    move = Move.parse(text)
    assert move.kind is kind
    assert move.cards == tuple(map(Card, cards.split()))
    assert move.target is (Card(target) if target else None)
    assert str(move) == text
    assert repr(move) == f"Move({text!r})"


def test_every_move_is_written_and_read_back():
    for text, move in MOVES.items():
        assert str(move) == text
        assert Move.parse(text) is move
        assert pickle.loads(pickle.dumps(move)) is move  # noqa: S301 - our own bytes
    assert copy.deepcopy(Move.parse("take")) is Move.parse("take")
    # 36 single cards, 36 transfers, 36 * 35 beats, 9 ranks with 6 + 4 + 1 groups, take and pass.
    assert len(MOVES) == 36 + 36 + 36 * 35 + 9 * 11 + 2


@pytest.mark.parametrize(
    "text", ["", " ", "7h ", "7H", "hello", "7h/", "/7h", "7h/7h", ">", ">take", "7h+9h", "Pass", "7h" * 60, "\ud800"]
)
def test_what_is_no_move_is_invalid(text):
    with pytest.raises(InvalidMove, match="is not a move: write 7h, 7d\\+7h, 7h/9h, >7d, take or pass"):
        Move.parse(text)


def test_a_long_text_is_shown_by_its_beginning():
    with pytest.raises(InvalidMove, match=f"^'{'7' * 40}' is not a move"):
        Move.parse("7" * 40)
    with pytest.raises(InvalidMove, match=rf"^'{'7' * 40}\.\.\.' is not a move"):
        Move.parse("7" * 41)


@pytest.mark.parametrize("text", ["7h+7d", "7d+7d+7h", "7h+7d+7h"])
def test_a_group_is_written_in_the_order_of_suits(text):
    with pytest.raises(InvalidMove, match=r"write '7d\+7h', each card once, suits in the order c d h s"):
        Move.parse(text)


@pytest.mark.parametrize("thing", [None, 7, ["7h"], Card("7h")])
def test_what_is_no_text_is_invalid(thing):
    with pytest.raises(InvalidMove, match="A move is a Move or its text, not"):
        Move.parse(thing)


def test_an_invalid_move_is_illegal():
    assert issubclass(InvalidMove, IllegalMove)
    assert issubclass(IllegalMove, ValueError)


def test_a_move_cannot_be_made_or_changed():
    with pytest.raises(TypeError, match=r"use Move\.parse"):
        Move()
    with pytest.raises(AttributeError, match="cannot be changed"):
        Move.parse("7h").text = "8h"
    with pytest.raises(AttributeError, match="cannot be changed"):
        del Move.parse("7h").text


# Why a move is illegal

ANSWER_FIRST = ruleset(throw_in_before_defence=False)
LEAD_ONLY = ruleset(throw_in_ranks="lead")


@pytest.mark.parametrize(
    ("game", "move", "why"),
    [
        (table(PODKIDNOY, "7c Kd", "8c"), "9c", "seat 0 does not hold 9c"),
        (table(PODKIDNOY, "7c Kd", "8c"), "take", "seat 0 is to lead"),
        (table(PODKIDNOY, "7c Kd", "8c"), "pass", "seat 0 is to lead"),
        (table(PODKIDNOY, "7c 7d", "8c 8d"), "7c+7d", "one card is led at a time"),
        (table(ruleset(lead="group"), "7c 7d", "8c"), "7c+7d", "no more than 1 cards may be led"),
        (play(table(PODKIDNOY, "7c Kd", "8c 8d"), "7c"), "Kd", "rank K is not on the table"),
        (play(table(PODKIDNOY, "7c Kd", "8c 8d"), "7c"), "take", "seat 0 is to throw in one card or pass"),
        (play(table(PODKIDNOY, "7c 7d 7s", "8c 8d 8s"), "7c"), "7d+7s", "seat 0 is to throw in one card or pass"),
        (table(LEAD_ONLY, "8d Tc", "9d 9s", table="8s/Ts"), "Tc", "only the rank of the lead, 8, may be thrown in"),
        (play(table(ANSWER_FIRST, "7c Kd", "8c 8d"), "7c"), "pass", "is to beat a card or take"),
        (play(table(PEREVODNOY, "7c Kd", "8c 8d"), "7c", "pass"), "pass", "is to beat a card, transfer or take"),
        (play(table(ANSWER_FIRST, "7c Kd", "8c 8d"), "7c"), "8c", "is to beat a card or take"),
        (play(table(ANSWER_FIRST, "7c Kd", "8c 8d"), "7c"), "6c/8c", "6c is not on the table to be beaten"),
        (play(table(ANSWER_FIRST, "7c Kd", "8c 8d"), "7c"), "7c/8d", "8d does not beat 7c"),
        (play(table(PEREVODNOY, "7c Kd", "8c 7d"), "7c", "pass"), ">8c", "only a card of rank 7 transfers"),
    ],
)
def test_the_sentence_says_why(game, move, why):
    before = (game.legal_moves(), game.actor, list(game.events))
    with pytest.raises(IllegalMove) as error:
        game.play(move)
    assert str(error.value).startswith(f"{move} is illegal: ")
    assert str(error.value).endswith(why)
    assert before == (game.legal_moves(), game.actor, list(game.events))


def test_an_illegal_move_is_refused_as_an_object_too():
    game = table(PODKIDNOY, "7c Kd", "8c")
    with pytest.raises(IllegalMove, match="does not hold 9c"):
        game.play(Move.parse("9c"))


def test_text_that_is_no_move_is_refused_by_the_game():
    game = table(PODKIDNOY, "7c Kd", "8c")
    with pytest.raises(InvalidMove, match="is not a move"):
        game.play("seven of clubs")


def test_the_list_of_legal_moves_is_the_callers_own():
    game = table(PODKIDNOY, "7c Kd", "8c")
    game.legal_moves().clear()
    assert [str(move) for move in game.legal_moves()] == ["7c", "Kd"]
    assert isinstance(game, Game)
