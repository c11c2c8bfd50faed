"""Draws the pictures that stand beside a link to the site where it is shared: `make pictures`.

One for each kind of page, without a word but the site's name, so that it serves every language; what a link is about is
in its title and description. Drawn from our own cards by the system's Chromium, and committed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import ViewportSize, sync_playwright

from tests import services
from tests.browser.conftest import FLAGS

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "platform/static/social"
SIZE = ViewportSize(width=1200, height=630)


@dataclass(frozen=True)
class Lying:
    """A card on the table: which, where its middle is in pixels, how far it is turned, how large it is."""

    card: str
    x: float
    y: float
    turn: float = 0.0
    height: float = 300.0

    def svg(self) -> str:
        """As a drawing."""
        wide, high = self.height * 5 / 7, self.height
        edge = f'x="{-wide / 2 - 1}" y="{-high / 2 - 1}" width="{wide + 2}" height="{high + 2}" rx="14"'
        face = f'x="{-wide / 2}" y="{-high / 2}" width="{wide}" height="{high}"'
        return (
            f'<g transform="translate({self.x} {self.y}) rotate({self.turn})">'
            f'<rect {edge} fill="none" stroke="#0006" stroke-width="2"/><use href="#card-{self.card}" {face}/></g>'
        )


def fan(cards: Sequence[str], x: float, y: float, *, spread: float = 9.0, height: float = 260.0) -> list[Lying]:
    """A hand of cards, fanned out around a point below it."""
    steps = [place - (len(cards) - 1) / 2 for place in range(len(cards))]
    return [
        Lying(card, x + step * height * 0.24, y + step * step * 6, step * spread, height)
        for card, step in zip(cards, steps, strict=True)
    ]


PICTURES = {
    "site": [
        *(Lying("7h", 230, 340, -9, 330), Lying("Jh", 310, 375, 6, 330)),
        *(Lying("7s", 545, 340, -4, 330), Lying("6d", 625, 380, 9, 330)),
        *(Lying("9d", 930, 365, 90, 330), Lying("back", 1000, 350, 2, 330)),
    ],
    "bot": [*fan(["6c", "9s", "Jh", "Qd", "Kd", "Ad"], 600, 330, height=350)],
    "tournament": [
        *fan(["back", "back", "back"], 300, 215, height=190),
        *fan(["back", "back", "back"], 900, 215, height=190),
        *fan(["back", "back", "back"], 300, 500, height=190),
        *fan(["back", "back", "back"], 900, 500, height=190),
        *(Lying("As", 545, 350, -6, 240), Lying("6d", 640, 370, 8, 240)),
    ],
    "match": [
        *fan(["7c", "Tc", "Qh", "Ah"], 310, 340, height=310),
        *fan(["back", "back", "back", "back"], 890, 340, height=310),
    ],
    "game": [
        *(Lying("9s", 175, 340, -6, 280), Lying("Ks", 250, 375, 7, 280)),
        *(Lying("9h", 450, 340, -3, 280), Lying("7d", 525, 375, 9, 280)),
        *(Lying("Kc", 745, 355, -5, 280), Lying("Td", 1030, 360, 90, 240)),
    ],
}
"""What lies on the table, by kind of page."""


def page_of(lying: Sequence[Lying]) -> str:
    """The picture as a page: a green-black table, the cards, the site's name."""
    sprite = (ROOT / "arena/replay/assets/cards.svg").read_text()
    logo = (ROOT / "platform/static/logo.svg").read_text()
    cards = "".join(card.svg() for card in lying)
    return f"""<!doctype html><meta charset="utf-8"><style>
        body {{ margin: 0; background: #1d4533; color: #1f1b16 }}
        svg.table {{ display: block }} .sprite {{ display: none }}
        .name {{ position: absolute; left: 44px; top: 26px; display: flex; gap: 18px; align-items: center;
            color: #f6f1e6; font: 600 46px "P052", "Palatino Linotype", "DejaVu Serif", serif }}
        .name svg {{ width: 64px; height: 64px }}
    </style><div class="sprite">{sprite}</div>
    <svg class="table" width="1200" height="630">{cards}</svg><div class="name">{logo} Durak Arena</div>"""


def main() -> None:
    """Draw all of them."""
    FOLDER.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=services.CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport=SIZE)
        for name, lying in PICTURES.items():
            page.set_content(page_of(lying))
            page.screenshot(path=FOLDER / f"{name}.png")
            print(FOLDER / f"{name}.png")
        browser.close()


if __name__ == "__main__":
    main()
