"""Takes the picture of the README from a demo that is running: `make screenshots`.

Playwright and the system's Chromium, as in the browser tests. The picture is committed: it is what the project
looked like when somebody last took it.
"""

import sys
from pathlib import Path

from playwright.sync_api import FloatRect, Page, ViewportSize, sync_playwright

from tests import services
from tests.browser.conftest import FLAGS

IMAGES = Path(__file__).resolve().parents[1] / "docs/images"
MARGIN = 12
"""What is shown around a part of a page, in pixels."""


def main() -> None:
    """Open a game of the demo, go a few moves into it, and save it as PNG."""
    address = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000"
    IMAGES.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=services.CHROMIUM, args=FLAGS)
        page = browser.new_page(
            viewport=ViewportSize(width=1280, height=1300),
            locale="en-US",
            color_scheme="light",
            reduced_motion="reduce",
        )
        page.goto(f"{address}/tournaments/demo/matches/")
        page.locator("ul.games a.versus").first.click()
        page.get_by_role("region", name="Games").get_by_role("link").first.click()
        page.get_by_role("button", name="Next bout").wait_for()
        for _ in range(4):
            page.get_by_role("button", name="Next bout").click()
        for _ in range(3):
            page.get_by_role("button", name="Next move").click()
        save(page, "replay", "#replay")
        browser.close()


def save(page: Page, name: str, part: str) -> None:
    """One picture of a part of the page and a little around it, once everything has arrived."""
    page.wait_for_load_state("networkidle")
    box = page.locator(part).bounding_box()
    if box is None:
        raise SystemExit(f"{page.url} shows no {part}")
    frame = FloatRect(
        x=box["x"] - MARGIN, y=box["y"] - MARGIN, width=box["width"] + 2 * MARGIN, height=box["height"] + 2 * MARGIN
    )
    page.screenshot(path=IMAGES / f"{name}.png", clip=frame)
    print(IMAGES / f"{name}.png")


if __name__ == "__main__":
    main()
