"""The sentences of a replay, in the reader's language.

A sentence is a tuple of parts, so that nothing a bot's author typed is ever taken for markup or for a placeholder:

    "text"               said as it stands
    2                    the name of seat 2
    CardPart("7h", "the seven of hearts")   a card: its code to draw, its words to read aloud

No Django here: the functions that translate are handed in, and without any the sentences are English. The placeholders
are spelt as gettext knows them.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from arena.durak import EventKind, Move, Ruleset
from arena.letters import WRITTEN


class CardPart(NamedTuple):
    """A card within a sentence."""

    code: str
    words: str


Part = str | int | CardPart
Sentence = tuple[Part, ...]

_PLACEHOLDER: Final = re.compile(r"%\((\w+)\)[sd]")
# A name that somebody chose is read in its own direction, whatever stands around it.
_ISOLATE, _POP_ISOLATE = "\u2068", "\u2069"


def _plain(text: str) -> str:
    return text


def _plain_plural(one: str, many: str, count: int) -> str:
    return one if count == 1 else many


def _plain_in_context(context: str, text: str) -> str:  # noqa: ARG001 - the shape of pgettext
    return text


class Failed(NamedTuple):
    """A seat that failed, and why."""

    seat: int
    reason: str
    forfeited: bool = False
    """It was not started at all, since it had failed too often before in the match."""


@dataclass(frozen=True)
class Result:
    """How a game ended, as it is stored."""

    ending: str
    places: tuple[int, ...]
    fool: int | None
    failures: tuple[Failed, ...] = ()
    """Who failed; nobody unless the ending is a forfeit."""


class Words:
    """Makes the sentences of one language.

    The translating functions have the shapes of gettext's; `language` says how ranks are written.
    """

    def __init__(
        self,
        gettext: Callable[[str], str] = _plain,
        ngettext: Callable[[str, str, int], str] = _plain_plural,
        pgettext: Callable[[str, str], str] = _plain_in_context,
        language: str = "en",
    ) -> None:
        self.gettext = gettext
        self.ngettext = ngettext
        self.pgettext = pgettext
        self.ranks: Mapping[str, str] = WRITTEN[language]
        suits = {
            "c": gettext("clubs"),
            "d": gettext("diamonds"),
            "h": gettext("hearts"),
            "s": gettext("spades"),
        }
        self.suits: Mapping[str, str] = suits
        of_suit = {
            "c": pgettext("suit in the name of a card", "clubs"),
            "d": pgettext("suit in the name of a card", "diamonds"),
            "h": pgettext("suit in the name of a card", "hearts"),
            "s": pgettext("suit in the name of a card", "spades"),
        }
        self._cards = {
            case: {rank + suit: name % {"suit": of_suit[suit]} for rank, name in ranks.items() for suit in of_suit}
            for case, ranks in _ranks(pgettext).items()
        }

    def card(self, code: str, case: str = "name") -> str:
        """A card in words; the case is `name`, `object` (thrown in, beaten) or `means` (led, beating, transferring)."""
        return self._cards[case][code]

    def cards(self) -> list[str]:
        """Every card in words, by `Card.index`."""
        return [self._cards["name"][rank + suit] for suit in "cdhs" for rank in "6789TJQKA"]

    # ------------------------------------------------------------------ what happened

    def deal(self, first_attacker: int, turn_up: str) -> Sentence:
        """The opening sentence: trump and who leads first."""
        gettext = self.gettext
        trumps = {
            "c": gettext("Clubs are trumps"),
            "d": gettext("Diamonds are trumps"),
            "h": gettext("Hearts are trumps"),
            "s": gettext("Spades are trumps"),
        }
        template = gettext("%(trump)s; the turn-up is %(card)s. %(seat)s leads first.")
        return fill(template, trump=trumps[turn_up[1]], card=self._card(turn_up, "name"), seat=first_attacker)

    def move(self, kind: EventKind, seat: int, move: Move, defender: int) -> Sentence:
        """What a move did; `defender` is the seat that defends after it."""
        gettext = self.gettext
        codes = [card.text for card in move.cards]
        if kind is EventKind.LEAD:
            return fill(gettext("%(seat)s leads %(cards)s"), seat=seat, cards=self._listed(codes, "means"))
        if kind is EventKind.THROW:
            return fill(gettext("%(seat)s throws in %(cards)s"), seat=seat, cards=self._listed(codes, "object"))
        if kind is EventKind.BEAT:
            beaten, beating = move.text.split("/")
            template = gettext("%(seat)s beats %(card)s with %(other)s")
            return fill(template, seat=seat, card=self._card(beaten, "object"), other=self._card(beating, "means"))
        if kind is EventKind.TRANSFER:
            template = gettext("%(seat)s transfers with %(cards)s: %(defender)s is to defend")
            return fill(template, seat=seat, cards=self._listed(codes, "means"), defender=defender)
        if kind is EventKind.TAKE:
            return fill(gettext("%(seat)s takes"), seat=seat)
        return fill(gettext("%(seat)s passes"), seat=seat)

    def beaten(self, count: int) -> Sentence:
        """A bout ended beaten, and so many cards went away."""
        template = self.ngettext(
            "The bout is beaten: %(count)d card goes to the discard",
            "The bout is beaten: %(count)d cards go to the discard",
            count,
        )
        return fill(template, count=str(count))

    def taken(self, seat: int, count: int) -> Sentence:
        """A bout ended taken, with so many cards on the table."""
        template = self.ngettext("%(seat)s picks up %(count)d card", "%(seat)s picks up %(count)d cards", count)
        return fill(template, seat=seat, count=str(count))

    def draws(self, drawn: Sequence[tuple[int, int]]) -> Sentence:
        """Who drew how many, in the order in which they drew, in one sentence."""
        parts = [
            fill(
                self.ngettext("%(seat)s draws %(count)d card", "%(seat)s draws %(count)d cards", count),
                seat=seat,
                count=str(count),
            )
            for seat, count in drawn
        ]
        return _joined(parts, "; ")

    def out(self, seat: int) -> Sentence:
        """A seat has no cards left and none to draw."""
        return fill(self.gettext("%(seat)s is out"), seat=seat)

    # ------------------------------------------------------------------ how it ended

    def failure(self, failed: Failed) -> Sentence:
        """Why a bot failed, as everybody may know it."""
        gettext = self.gettext
        if failed.forfeited:
            return fill(gettext("%(seat)s was not started, after failing too often in this match"), seat=failed.seat)
        templates = {
            "load": gettext("%(seat)s did not start"),
            "crash": gettext("%(seat)s crashed"),
            "illegal": gettext("%(seat)s answered with a move that is not legal"),
            "protocol": gettext("%(seat)s broke the protocol"),
            "time": gettext("%(seat)s ran out of time"),
            "memory": gettext("%(seat)s used more memory than allowed"),
            "output": gettext("%(seat)s printed more than allowed"),
            "pondering": gettext("%(seat)s thought out of turn"),
        }
        return fill(templates.get(failed.reason, gettext("%(seat)s failed")), seat=failed.seat)

    def banner(self, result: Result, ruleset: Ruleset) -> Sentence:
        """The result in one sentence, from the stored result alone."""
        gettext = self.gettext
        best = [seat for seat, place in enumerate(result.places) if place == 1]
        last = [seat for seat, place in enumerate(result.places) if place == max(result.places)]
        if result.ending == "forfeit":
            if not result.failures:
                return fill(gettext("Forfeit: %(seats)s"), seats=self._named(last))
            told = _joined([self.failure(failed) for failed in result.failures], "; ")
            return fill(gettext("Forfeit: %(what)s"), what=told)
        if result.ending == "fool" and result.fool is not None:
            return fill(gettext("%(seat)s is the fool"), seat=result.fool)
        if result.ending in {"win", "fool"}:
            template = self.ngettext("%(seats)s wins", "%(seats)s win", len(best))
            return fill(template, seats=self._named(best))
        if result.ending == "draw":
            return (gettext("A draw: the last went out together"),)
        if result.ending == "stalemate":
            bouts = ruleset.stalemate_takes or 0
            template = self.ngettext(
                "Stalemate: %(count)d bout in a row was taken", "Stalemate: %(count)d bouts in a row were taken", bouts
            )
            return fill(template, count=str(bouts))
        if result.ending == "bout_limit":
            bouts = ruleset.bout_limit
            template = self.ngettext("Stopped after %(count)d bout", "Stopped after %(count)d bouts", bouts)
            return fill(template, count=str(bouts))
        return fill(gettext("The game is over: %(ending)s"), ending=result.ending)

    # ------------------------------------------------------------------ helpers

    def _card(self, code: str, case: str) -> CardPart:
        return CardPart(code, self.card(code, case))

    def _named(self, seats: Iterable[int]) -> Sentence:
        return self._enumerated([(seat,) for seat in seats])

    def _listed(self, cards: Iterable[str], case: str) -> Sentence:
        return self._enumerated([(self._card(code, case),) for code in cards])

    def _enumerated(self, items: Sequence[Sentence]) -> Sentence:
        if len(items) < 2:
            return items[0] if items else ()
        return fill(self.gettext("%(some)s and %(last)s"), some=_joined(items[:-1], ", "), last=items[-1])


def fill(template: str, **values: Part | Sentence) -> Sentence:
    """Puts parts, or whole sentences, in the place of the placeholders of a template; neighbouring texts are joined."""
    parts: list[Part] = []
    pieces = _PLACEHOLDER.split(template)
    for number, piece in enumerate(pieces):
        if number % 2 == 0:
            parts.append(piece)
            continue
        value = values[piece]
        if isinstance(value, (str, int, CardPart)):
            parts.append(value)
        else:
            parts.extend(value)
    return _merged(parts)


def plain(sentence: Sentence, names: Sequence[str]) -> str:
    """A sentence as plain text, to read aloud or to print."""
    return "".join(
        part
        if isinstance(part, str)
        else f"{_ISOLATE}{names[part]}{_POP_ISOLATE}"
        if isinstance(part, int)
        else part.words
        for part in sentence
    )


def _joined(sentences: Sequence[Sentence], separator: str) -> Sentence:
    parts: list[Part] = []
    for number, sentence in enumerate(sentences):
        parts += [separator, *sentence] if number else sentence
    return _merged(parts)


def _merged(parts: Iterable[Part]) -> Sentence:
    merged: list[Part] = []
    for part in parts:
        if isinstance(part, str) and merged and isinstance(merged[-1], str):
            merged[-1] += part
        elif part != "":
            merged.append(part)
    return tuple(merged)


def _ranks(pgettext: Callable[[str, str], str]) -> dict[str, dict[str, str]]:
    """The ranks in each case that a language may need; `%(suit)s` is the suit's name as a card's name has it."""
    return {
        "name": {
            "6": pgettext("card", "the six of %(suit)s"),
            "7": pgettext("card", "the seven of %(suit)s"),
            "8": pgettext("card", "the eight of %(suit)s"),
            "9": pgettext("card", "the nine of %(suit)s"),
            "T": pgettext("card", "the ten of %(suit)s"),
            "J": pgettext("card", "the jack of %(suit)s"),
            "Q": pgettext("card", "the queen of %(suit)s"),
            "K": pgettext("card", "the king of %(suit)s"),
            "A": pgettext("card", "the ace of %(suit)s"),
        },
        "object": {
            "6": pgettext("card thrown in, or beaten", "the six of %(suit)s"),
            "7": pgettext("card thrown in, or beaten", "the seven of %(suit)s"),
            "8": pgettext("card thrown in, or beaten", "the eight of %(suit)s"),
            "9": pgettext("card thrown in, or beaten", "the nine of %(suit)s"),
            "T": pgettext("card thrown in, or beaten", "the ten of %(suit)s"),
            "J": pgettext("card thrown in, or beaten", "the jack of %(suit)s"),
            "Q": pgettext("card thrown in, or beaten", "the queen of %(suit)s"),
            "K": pgettext("card thrown in, or beaten", "the king of %(suit)s"),
            "A": pgettext("card thrown in, or beaten", "the ace of %(suit)s"),
        },
        "means": {
            "6": pgettext("card that is led, beats or transfers", "the six of %(suit)s"),
            "7": pgettext("card that is led, beats or transfers", "the seven of %(suit)s"),
            "8": pgettext("card that is led, beats or transfers", "the eight of %(suit)s"),
            "9": pgettext("card that is led, beats or transfers", "the nine of %(suit)s"),
            "T": pgettext("card that is led, beats or transfers", "the ten of %(suit)s"),
            "J": pgettext("card that is led, beats or transfers", "the jack of %(suit)s"),
            "Q": pgettext("card that is led, beats or transfers", "the queen of %(suit)s"),
            "K": pgettext("card that is led, beats or transfers", "the king of %(suit)s"),
            "A": pgettext("card that is led, beats or transfers", "the ace of %(suit)s"),
        },
    }
