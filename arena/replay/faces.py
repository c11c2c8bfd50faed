"""Draws the deck: one SVG sprite with a `<symbol>` for each card face, small face, pip and the back.

Every shape is our own. Colours are CSS variables, so that the page chooses between the two- and the four-colour deck
and between light and dark without another file:

    --suit-c --suit-d --suit-h --suit-s    colour of each suit
    --card-paper --card-edge --card-ink    the card itself, its outline, and the dark lines of the court cards
    --card-gold --card-back --card-back-line

Symbols: `card-7h` (the full face, for cards at least 60 pixels wide), `mini-7h` (rank and suit drawn large, for small
cards and fanned hands on a phone), `pip-h`, `card-back`; and `rank-7`, a rank alone, by what is written for it. The
faces are English: for another language the viewer puts its letters in the place of `rank-J` to `rank-A`, which is why
all letters fill the same box. Run this module to write `assets/cards.svg`; a test holds that file equal to what is
drawn here.
"""

from typing import Final

from arena.durak import RANKS, SUITS
from arena.letters import WRITTEN
from arena.replay import ASSETS

WIDTH: Final = 200
HEIGHT: Final = 280
TARGET: Final = ASSETS / "cards.svg"

SUIT_COLOURS: Final = {
    "c": "var(--suit-c,#1d211f)",
    "d": "var(--suit-d,#b3261e)",
    "h": "var(--suit-h,#b3261e)",
    "s": "var(--suit-s,#1d211f)",
}
PAPER: Final = "var(--card-paper,#fffdf8)"
EDGE: Final = "var(--card-edge,#cfc6b4)"
INK: Final = "var(--card-ink,#1d211f)"
GOLD: Final = "var(--card-gold,#d9a441)"
BACK: Final = "var(--card-back,#1f4d3f)"
BACK_LINE: Final = "var(--card-back-line,#8fb5a3)"

# Pips, drawn around the origin in a box of 100 by 100.
PIPS: Final = {
    "c": "M0-46a21 21 0 0 1 17 33a21 21 0 1 1-12 34c1 11 5 19 13 25h-36c8-6 12-14 13-25a21 21 0 1 1-12-34"
    "a21 21 0 0 1 17-33z",
    "d": "M0-48C8-31 22-13 37 0C22 13 8 31 0 48C-8 31-22 13-37 0C-22-13-8-31 0-48z",
    "h": "M0 46C-13 30-46 10-46-17C-46-34-34-43-23-43C-12-43-4-36 0-26"
    "C4-36 12-43 23-43C34-43 46-34 46-17C46 10 13 30 0 46z",
    "s": "M0-47C11-28 44-10 44 15C44 28 34 36 23 36C15 36 8 32 4 25"
    "C5 36 9 42 17 47H-17C-9 42-5 36-4 25C-8 32-15 36-23 36C-34 36-44 28-44 15C-44-10-11-28 0-47z",
}

# Ranks by what is written for them (`arena.letters`), drawn as one stroke of width 10 in a box of 60 by 80 (the ten: 84
# by 80).
_SIX: Final = (
    "M50 11C39 1 24 3 16 15C10 24 8 36 8 50C8 66 17 75 30 75C43 75 52 66 52 53C52 40 43 32 31 32C19 32 10 40 8 52"
)
_KING: Final = "M14 0V80M3 5H25M3 75H25M50 5L15 47M27 34L50 75M40 5H59M40 75H60"
RANK_STROKES: Final = {
    "6": _SIX,
    "7": "M9 17V5H52C39 24 29 46 27 80",
    "8": "M30 36C19 36 11 30 11 21C11 11 19 5 30 5C41 5 49 11 49 21C49 30 41 36 30 36C17 36 8 44 8 56C8 68 17 75 30 75"
    "C43 75 52 68 52 56C52 44 43 36 30 36z",
    "9": _SIX,
    "10": "M3 17L16 6V80M3 75H29M59 5C47 5 40 18 40 40C40 62 47 75 59 75C71 75 78 62 78 40C78 18 71 5 59 5z",
    "J": "M20 5H54M41 5V54C41 69 34 75 24 75C14 75 8 68 8 57",
    "Q": "M30 5C15 5 7 19 7 38C7 57 15 71 30 71C45 71 53 57 53 38C53 19 45 5 30 5zM30 54C38 56 42 76 56 75",
    "K": _KING,
    "A": "M8 75L30 6L52 75M16 51H44M0 75H18M42 75H60",
    # Polish
    "W": "M6 5L18 77L30 30L42 77L54 5M-1 5H14M46 5H61",
    "D": "M14 5V75M3 5H27C45 5 54 18 54 40C54 62 45 75 27 75H3",
    # Russian and Ukrainian
    "В": "M14 5V75M3 5H29C42 5 49 11 49 21C49 31 42 37 30 37H14M30 37C45 37 54 44 54 56C54 68 45 75 30 75H3",
    "Д": "M5 80V65H55V80M11 65C18 50 20 30 20 5M11 5H56M48 5V65",
    "К": _KING,
    "Т": "M30 5V75M17 75H43M5 24V5H55V24",
}
RANK_WIDTHS: Final = {written: 84 if written == "10" else 60 for written in RANK_STROKES}

# Where the pips of a plain card stand: (x, y) of the card; those below the middle stand on their heads.
_COLUMN: Final = (70, 130)
PIP_PLACES: Final[dict[str, list[tuple[int, int]]]] = {
    "6": [(x, y) for x in _COLUMN for y in (62, 140, 218)],
    "7": [*[(x, y) for x in _COLUMN for y in (62, 140, 218)], (100, 101)],
    "8": [*[(x, y) for x in _COLUMN for y in (62, 140, 218)], (100, 101), (100, 179)],
    "9": [*[(x, y) for x in _COLUMN for y in (56, 112, 168, 224)], (100, 140)],
    "T": [*[(x, y) for x in _COLUMN for y in (56, 112, 168, 224)], (100, 84), (100, 196)],
}


def sprite() -> str:
    """Returns the whole deck as the text of an SVG file, one symbol a line."""
    symbols = [*(_pip_symbol(suit) for suit in SUITS), *map(_rank_symbol, RANK_STROKES)]
    symbols += [_symbol(f"court-{rank}", "-60 -110 120 110", shapes) for rank, shapes in COURTS.items()]
    symbols.append(_symbol("card-back", f"0 0 {WIDTH} {HEIGHT}", _back()))
    for suit in SUITS:
        for rank in RANKS:
            symbols.append(_symbol(f"card-{rank}{suit}", f"0 0 {WIDTH} {HEIGHT}", _face(rank, suit)))
            symbols.append(_symbol(f"mini-{rank}{suit}", f"0 0 {WIDTH} {HEIGHT}", _small_face(rank, suit)))
    return '<svg xmlns="http://www.w3.org/2000/svg">\n' + "\n".join(symbols) + "\n</svg>\n"


def _symbol(name: str, view_box: str, shapes: str) -> str:
    return f'<symbol id="{name}" viewBox="{view_box}">{shapes}</symbol>'


def _pip_symbol(suit: str) -> str:
    return _symbol(f"pip-{suit}", "-50 -50 100 100", f'<path fill="{SUIT_COLOURS[suit]}" d="{PIPS[suit]}"/>')


def _rank_symbol(written: str) -> str:
    # A nine is a six on its head: one drawing, so that the two can never look like different hands drew them.
    turn = ' transform="rotate(180 30 40)"' if written == "9" else ""
    stroke = f'<path fill="none" stroke="currentColor" stroke-width="10" d="{RANK_STROKES[written]}"{turn}/>'
    return _symbol(f"rank-{written}", f"-3 -3 {RANK_WIDTHS[written] + 6} 86", stroke)


def _use(name: str, x: float, y: float, width: float, height: float, turned: bool = False) -> str:
    turn = f' transform="rotate(180 {x + width / 2:g} {y + height / 2:g})"' if turned else ""
    return f'<use href="#{name}" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"{turn}/>'


def _turned(shapes: str) -> str:
    """The same shapes again, turned half round the middle of the card."""
    return f'{shapes}<g transform="rotate(180 {WIDTH / 2:g} {HEIGHT / 2:g})">{shapes}</g>'


def _paper() -> str:
    return f'<rect x="1.5" y="1.5" width="197" height="277" rx="15" fill="{PAPER}" stroke="{EDGE}" stroke-width="3"/>'


def _rank_width(rank: str, height: float) -> float:
    return height * (RANK_WIDTHS[WRITTEN["en"][rank]] + 6) / 86


def _rank_at(rank: str, suit: str, x: float, y: float, height: float) -> str:
    drawn = _use(f"rank-{WRITTEN['en'][rank]}", round(x, 1), y, round(_rank_width(rank, height), 1), height)
    return f'<g color="{SUIT_COLOURS[suit]}">{drawn}</g>'


def _index(rank: str, suit: str) -> str:
    """Rank over suit, centred on one line near the left edge."""
    height = 40
    return _rank_at(rank, suit, 27 - _rank_width(rank, height) / 2, 13, height) + _use(f"pip-{suit}", 13, 58, 28, 28)


def _face(rank: str, suit: str) -> str:
    corners = _turned(_index(rank, suit))
    if rank == "A":
        ring = (
            f'<circle cx="100" cy="140" r="57" fill="none" stroke="{SUIT_COLOURS[suit]}" stroke-width="2"/>'
            f'<circle cx="100" cy="140" r="63" fill="none" stroke="{GOLD}" stroke-width="2.5" stroke-dasharray="1 7.25"'
            f' stroke-linecap="round"/>'
        )
        return _paper() + corners + ring + _use(f"pip-{suit}", 64, 104, 72, 72)
    if rank in COURTS:
        frame = f'<rect x="45" y="30" width="110" height="220" rx="4" fill="none" stroke="{GOLD}" stroke-width="2"/>'
        # The figure takes its robe from the suit: `currentColor` of the court symbol.
        half = f'<g color="{SUIT_COLOURS[suit]}">{_use(f"court-{rank}", 40, 30, 120, 110)}</g>'
        half += _use(f"pip-{suit}", 51, 37, 27, 27)
        middle = f'<path d="M46 140H154" stroke="{GOLD}" stroke-width="2"/>'
        return _paper() + corners + _turned(half) + middle + frame
    pips = "".join(_use(f"pip-{suit}", x - 20, y - 20, 40, 40, turned=y > HEIGHT / 2) for x, y in PIP_PLACES[rank])
    return _paper() + corners + pips


def _small_face(rank: str, suit: str) -> str:
    """Rank and suit at the left, where a fanned hand still shows them, and one large pip for a card seen whole."""
    height = 92
    left = 12 if rank != "T" else 7
    return (
        _paper()
        + _rank_at(rank, suit, left, 16, height)
        + _use(f"pip-{suit}", 13, 118, 64, 64)
        + _use(f"pip-{suit}", 84, 160, 104, 104)
    )


def _back() -> str:
    """A lattice of diamonds in a frame, every line cut to the frame so that no clipping is needed."""
    left, top, right, bottom = 22, 22, 178, 258
    step = 19.5
    lines = []
    total = right - left + bottom - top
    count = round(total / step)
    for number in range(1, count):
        shift = number * total / count
        # A line down to the left: x + y constant; and its mirror image.
        x0, y0 = (left + shift, top) if shift <= right - left else (right, top + shift - (right - left))
        x1, y1 = (left, top + shift) if shift <= bottom - top else (left + shift - (bottom - top), bottom)
        lines.append(f"M{x0:.1f} {y0:.1f}L{x1:.1f} {y1:.1f}")
        lines.append(f"M{WIDTH - x0:.1f} {y0:.1f}L{WIDTH - x1:.1f} {y1:.1f}")
    medal = (
        f'<circle cx="100" cy="140" r="36" fill="{BACK}" stroke="{BACK_LINE}" stroke-width="2.5"/>'
        f'<path fill="{BACK_LINE}" transform="translate(100 139) scale(.44)" d="{PIPS["s"]}"/>'
    )
    return (
        _paper()
        + f'<rect x="13" y="13" width="174" height="254" rx="8" fill="{BACK}"/>'
        + f'<path fill="none" stroke="{BACK_LINE}" stroke-width="1.6" opacity=".75" d="{"".join(lines)}"/>'
        + f'<rect x="22" y="22" width="156" height="236" rx="3" fill="none" stroke="{BACK_LINE}" stroke-width="2.5"/>'
        + medal
    )


# Court cards: half a figure each, standing on the middle line of the card (y = 0), drawn upwards (y < 0) from plain
# shapes; the robe in the colour of the suit (`currentColor`), metal in gold, lines and hair in ink.
_LINE: Final = f'stroke="{INK}" stroke-width="2" stroke-linejoin="round"'
_ROBE: Final = f'<path fill="currentColor" {_LINE} d="M-54 0V-9C-52-30-30-40-13-43H13C30-40 52-30 54-9V0z"/>'


def _eyes(y: float) -> str:
    return f'<path fill="none" stroke="{INK}" stroke-width="2.6" stroke-linecap="round" d="M-6 {y:g}v.1M6 {y:g}v.1"/>'


COURTS: Final = {
    "J": (
        f"{_ROBE}"
        # Slashed sleeves and a row of buttons.
        f'<path fill="none" stroke="{PAPER}" stroke-width="4" stroke-linecap="round"'
        f' d="M-42-3C-41-13-37-20-31-25M-29-2C-28-12-25-20-20-26M42-3C41-13 37-20 31-25M29-2C28-12 25-20 20-26"/>'
        f'<path fill="none" stroke="{GOLD}" stroke-width="5" stroke-linecap="round" d="M0-6v.1M0-17v.1M0-28v.1"/>'
        # Hair to the chin, then the face, then the collar over both.
        f'<path fill="{INK}" d="M-20-72C-24-56-22-46-17-40H17C22-46 24-56 20-72z"/>'
        f'<path fill="{PAPER}" {_LINE} d="M-13-74H13V-60C13-48 6-42 0-42C-6-42-13-48-13-60z"/>{_eyes(-62)}'
        f'<path fill="{PAPER}" {_LINE} d="M-21-45L0-36L21-45L16-33L0-29L-16-33z"/>'
        # A flat cap with a feather.
        f'<path fill="none" stroke="{GOLD}" stroke-width="5" stroke-linecap="round" d="M14-82C28-84 38-92 42-104"/>'
        f'<path fill="currentColor" {_LINE} d="M-24-74C-30-92-14-98 2-97C18-96 27-88 23-74z"/>'
        f'<path fill="{GOLD}" {_LINE} d="M-23-79C-8-75 8-75 23-79V-71C8-67-8-67-23-71z"/>'
    ),
    "Q": (
        # Long hair behind everything.
        f'<path fill="{INK}" d="M-18-82C-32-68-34-40-27-22H27C34-40 32-68 18-82z"/>'
        f"{_ROBE}"
        f'<path fill="{PAPER}" {_LINE} d="M-20-42L0-12L20-42L12-44L0-28L-12-44z"/>'
        f'<path fill="{PAPER}" {_LINE} d="M-7-46H7V-38L0-28L-7-38z"/>'
        f'<path fill="none" stroke="{GOLD}" stroke-width="4" stroke-linecap="round"'
        f' d="M-44-6v.1M-34-16v.1M-31-4v.1M44-6v.1M34-16v.1M31-4v.1"/>'
        f'<ellipse cx="0" cy="-61" rx="13.5" ry="17" fill="{PAPER}" {_LINE}/>{_eyes(-62)}'
        f'<path fill="none" stroke="currentColor" stroke-width="2.6" stroke-linecap="round" d="M-3-52.5H3"/>'
        f'<path fill="{INK}" d="M0-80C-12-80-19-72-17-58C-13-62-12-68-2-72C6-68 13-62 17-58C19-72 12-80 0-80z"/>'
        # A low crown with pearls, and a jewel at the throat.
        f'<path fill="{GOLD}" {_LINE} d="M-18-78L-21-94L-11-86L0-99L11-86L21-94L18-78C6-75-6-75-18-78z"/>'
        f'<path fill="none" stroke="{GOLD}" stroke-width="6" stroke-linecap="round" d="M-21-95v.1M0-100v.1M21-95v.1"/>'
        f'<circle cx="0" cy="-21" r="3.5" fill="{GOLD}" {_LINE}/>'
    ),
    "K": (
        f"{_ROBE}"
        # A broad band with studs down the robe, ermine over the shoulders.
        f'<path fill="{GOLD}" {_LINE} d="M-11 0V-34H11V0z"/>'
        f'<path fill="none" stroke="{INK}" stroke-width="4" stroke-linecap="round" d="M0-5v.1M0-15v.1"/>'
        f'<path fill="{PAPER}" {_LINE}'
        f' d="M-15-46C-30-43-46-32-52-14C-38-20-20-24 0-23C20-24 38-20 52-14C46-32 30-43 15-46z"/>'
        f'<path fill="none" stroke="{INK}" stroke-width="3.4" stroke-linecap="round"'
        f' d="M-39-24v4M-26-32v4M26-32v4M39-24v4"/>'
        # Hair, face, beard and moustache.
        f'<path fill="{INK}" d="M-19-78C-22-64-22-54-19-46H19C22-54 22-64 19-78z"/>'
        f'<path fill="{PAPER}" {_LINE} d="M-13.5-76H13.5V-58C13.5-48 7-42 0-42C-7-42-13.5-48-13.5-58z"/>{_eyes(-66)}'
        f'<path fill="{INK}" d="M-14.5-62C-9-59-5-59 0-57.5C5-59 9-59 14.5-62C17-44 10-34 0-27C-10-34-17-44-14.5-62z"/>'
        f'<path fill="none" stroke="{PAPER}" stroke-width="2.4" stroke-linecap="round" d="M-3.5-51H3.5"/>'
        # A tall crown of three points with a band.
        f'<path fill="{GOLD}" {_LINE} d="M-20-76L-25-101L-12-90L0-107L12-90L25-101L20-76z"/>'
        f'<path fill="none" stroke="currentColor" stroke-width="4.5" d="M-20-78H20"/>'
        f'<path fill="none" stroke="{INK}" stroke-width="2" d="M-20.5-74.5H20.5M-20.5-81H20.5"/>'
    ),
}


if __name__ == "__main__":
    TARGET.write_text(sprite(), encoding="utf-8")
