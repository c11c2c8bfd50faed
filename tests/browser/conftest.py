"""A browser for the tests that look at the site as a person does: the system's Chromium, driven by Playwright.

A test fails if a page of it wrote an error to the console, threw, or asked any other host for anything.
"""

import os
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, sync_playwright

from tests import services

FLAGS = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    *(["--no-sandbox"] if os.geteuid() == 0 else []),
]
"""Without those about networking, Chromium asks for hosts of its own at every start."""

OWN_HOSTS = {"127.0.0.1", "localhost", None}
AXE = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}}
"""The rules that every page keeps."""
WAIT_MILLISECONDS = 15_000
"""How long a locator or an expectation waits for what it names."""


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    # Playwright's loop runs in the thread of the test, which Django would take for asynchronous code.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    try:
        with sync_playwright() as playwright:
            chromium = playwright.chromium.launch(executable_path=services.CHROMIUM, args=FLAGS)
            yield chromium
            chromium.close()
    finally:
        del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture
def page_faults() -> Iterator[list[str]]:
    """What went wrong in the pages of this test, in order. A test that provokes a fault takes it out of the list."""
    faults: list[str] = []
    yield faults
    assert faults == []


@pytest.fixture
def context(browser: Browser, page_faults: list[str]) -> Iterator[BrowserContext]:
    """A browser with no history, whose pages report into `page_faults`."""
    context = browser.new_context(locale="en-US", viewport={"width": 1280, "height": 900})
    listen(context, page_faults)
    yield context
    context.close()


def listen(context: BrowserContext, faults: list[str]) -> None:
    """Have a browser report what goes wrong in its pages."""
    context.set_default_timeout(WAIT_MILLISECONDS)

    def on_request(request: Request) -> None:
        if urlsplit(request.url).hostname not in OWN_HOSTS:
            faults.append(f"asked another host: {request.url}")

    def on_console(message: ConsoleMessage) -> None:
        if message.type == "error":
            faults.append(f"console: {message.text} ({message.location.get('url', '')})")

    context.on("request", on_request)
    context.on("console", on_console)
    context.on("weberror", lambda error: faults.append(f"thrown: {error.error}"))


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return context.new_page()


def faults_of(page: Page) -> list[str]:
    """What is wrong with the page that is shown."""
    found = [
        f"{fault['id']}: {fault['nodes'][0]['html'][:160]}"
        for fault in Axe().run(page, options=AXE).response["violations"]
    ]
    over = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return [*found, *([f"{over} pixels wider than the window"] if over > 0 else [])]
