"""Takes the pictures of the README from a demo that is running: `make screenshots`.

Playwright and the system's Chromium, as in the browser tests. The pictures are committed: they are what the project
looked like when somebody last took them.
"""

import sys
from pathlib import Path

from playwright.sync_api import Page, ViewportSize, sync_playwright

from tests import services
from tests.browser.conftest import FLAGS

IMAGES = Path(__file__).resolve().parents[1] / "docs/images"


def main() -> None:
    """Open the pages of the demo one after the other and save them as PNG."""
    address = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000"
    IMAGES.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=services.CHROMIUM, args=FLAGS)
        page = browser.new_page(
            viewport=ViewportSize(width=1280, height=860), locale="en-US", color_scheme="light", reduced_motion="reduce"
        )
        page.goto(f"{address}/tournaments/demo/")
        save(page, "tournament")
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


def save(page: Page, name: str, part: str = "main") -> None:
    """One picture of a part of the page, once everything has arrived."""
    page.wait_for_load_state("networkidle")
    page.locator(part).screenshot(path=IMAGES / f"{name}.png")
    print(IMAGES / f"{name}.png")


if __name__ == "__main__":
    main()
