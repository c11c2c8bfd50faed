"""The games of one deal beside each other: what the other bots did with the same cards, and where the games part."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import cycle, zip_longest
from typing import Any

from django.core.paginator import Page, Paginator

from arena.durak import CARDS, RANKS, RecordError
from arena.replay.frames import HAND, KNOWN
from arena.replay.words import CardPart, Part, Sentence
from replays import payload, plain
from replays.games import ShownGame
from replays.plain import Bout
from tournaments.values import ruleset_of

Frames = Mapping[str, Any]


@dataclass(frozen=True)
class Column:
    """One rotation of the deal."""

    shown: ShownGame
    frames: Frames | None
    """None where the record cannot be followed, or is no longer kept."""
    banner: Sentence


@dataclass(frozen=True)
class Holder:
    """Who had a hand in one rotation, and what place he came to with it."""

    name: str
    place: int


@dataclass(frozen=True)
class Hand:
    """The cards that one seat was dealt, and who had them in each rotation."""

    number: int
    cards: Sentence
    holders: Sequence[Holder]


@dataclass(frozen=True)
class Row:
    """One bout of every rotation; None for a game that had ended before it, or cannot be told."""

    number: int
    cells: Sequence[tuple[Column, Bout | None]]
    parts: bool
    """Whether it is the bout in which the games part."""


@dataclass(frozen=True)
class Deal:
    """The games of one deal, by rotation."""

    number: int
    columns: Sequence[Column]

    @property
    def told(self) -> list[Frames]:
        """The frames of those games whose moves are known."""
        return [column.frames for column in self.columns if column.frames is not None]

    @cached_property
    def parting(self) -> int | None:
        """The first move that is not the same in all games; None while there is none, or no two are known.

        Bots take each other's seats, and so the same seat with the same cards is played by another one in each game.
        """
        told = [list(zip(frames["seat"], frames["notation"], strict=True)) for frames in self.told]
        if len(told) < 2:
            return None
        moves = enumerate(zip_longest(*told), 1)
        return next((number for number, made in moves if len(set(made)) > 1), None)

    @property
    def alike(self) -> bool:
        """Whether two games or more are known, and all moves of theirs are the same."""
        return len(self.told) > 1 and self.parting is None

    @property
    def before_parting(self) -> int:
        """How many moves all games have in common at their beginning."""
        return (self.parting or 1) - 1

    @property
    def hands(self) -> list[Hand]:
        """The hands that were dealt; none where no game can be told."""
        if not self.told:
            return []
        frames = self.told[0]
        return [
            Hand(
                seat + 1,
                _cards(frames, seat),
                [Holder(column.shown.names[seat], column.shown.result.places[seat]) for column in self.columns],
            )
            for seat in range(frames["players"])
        ]

    def rows(self, page: str | None) -> tuple[list[Row], "Page[Any]"]:
        """The bouts of one page, in words; and that page."""
        found = Paginator(self._bouts, self._bouts_a_page).get_page(page)
        columns = [
            list(zip(cycle([column]), _told(column.frames, [row[index] for row in found.object_list]), strict=False))
            for index, column in enumerate(self.columns)
        ]
        start = found.start_index()
        return [
            Row(number, cells, number == self.parting_bout)
            for number, cells in enumerate(zip(*columns, strict=True), start)
        ], found

    @cached_property
    def _bouts(self) -> list[tuple[plain.Span | None, ...]]:
        """By bout: where it stands in each game."""
        return list(zip_longest(*(plain.spans(column.frames) if column.frames else [] for column in self.columns)))

    @cached_property
    def parting_bout(self) -> int | None:
        """The bout in which the games part."""
        if self.parting is None:
            return None
        last = [max(span[2] for span in bout if span) for bout in self._bouts]
        return next(number for number, end in enumerate(last, 1) if end >= self.parting)

    @property
    def parting_page(self) -> int:
        """The page that shows it."""
        return 1 + ((self.parting_bout or 1) - 1) // self._bouts_a_page

    @property
    def _bouts_a_page(self) -> int:
        """Fewer where more games stand beside each other: a page holds twice what the page of a game does at most."""
        return 2 * plain.BOUTS_A_PAGE // max(2, len(self.columns))


def _told(frames: Frames | None, spans: Sequence[plain.Span | None]) -> Iterator[Bout | None]:
    told = iter(plain.told(frames, filter(None, spans)) if frames else ())
    for span in spans:
        yield next(told) if span else None


def _cards(frames: Frames, seat: int) -> Sentence:
    """The cards of a hand as a sentence, cheap to dear: by rank, trumps last."""
    held = [card for card in CARDS if frames["start"][card.index] in {HAND + seat, KNOWN + seat}]
    held.sort(key=lambda card: (card.suit == frames["trump"], RANKS.index(card.rank), card.index))
    parts: list[Part] = []
    for card in held:
        parts += [CardPart(card.text, frames["cards"][card.index]), " "]
    return tuple(parts[:-1])


def deal(games: Sequence[ShownGame]) -> Deal:
    """What the page of a deal shows. A record that cannot be followed leaves its column with the stored result."""
    columns = []
    for shown in games:
        try:
            frames = payload.frames_of(shown)
        except RecordError as error:
            payload.note_unreadable(shown.game.pk, error)
            banner = payload.reader_words().banner(shown.result, ruleset_of(shown.tournament))
            columns.append(Column(shown, None, banner))
        else:
            columns.append(Column(shown, frames, tuple(frames["result"]["banner"])))
    return Deal(games[0].game.deal, columns)
