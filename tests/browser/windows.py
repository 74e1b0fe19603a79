"""Windows of one browser: each with cookies of its own, watched, and closed at the end of the test."""

from __future__ import annotations

from dataclasses import dataclass, field

from playwright.sync_api import Browser, BrowserContext, Page

from dashboard.visitor import COOKIE
from tests.api.people import Person
from tests.browser.watched import Watch
from tests.dashboard.browsers import browse

# The machine may be busy with other tests: a story waits for what it expects, however long that takes.
PATIENCE_MS = 30_000
WIDE, PHONE = 1280, 390


@dataclass
class Windows:
    """Opens windows on one dashboard."""

    browser: Browser
    url: str
    made: list[tuple[Watch, BrowserContext]] = field(default_factory=list)

    def open(
        self, person: Person | None = None, *, dark: bool = False, width: int = WIDE, may_be_refused: bool = False
    ) -> Page:
        """Open an empty window; with somebody, they are logged in there."""
        context = self.browser.new_context(
            base_url=self.url,
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce",
            viewport={"width": width, "height": 900},
            has_touch=width == PHONE,
        )
        context.set_default_timeout(PATIENCE_MS)
        watch = Watch(self.url, may_be_refused=may_be_refused)
        watch.over(context)
        self.made.append((watch, context))
        if person is not None:
            context.add_cookies([{"name": COOKIE, "value": _cookie(self.url, person), "url": self.url}])
        return context.new_page()

    def troubles(self) -> list[str]:
        """Close all windows and tell what went wrong in them."""
        for _, context in self.made:
            for page in context.pages:
                page.evaluate("0")  # what has happened by now is heard
            context.close()
        return [trouble for watch, _ in self.made for trouble in watch.troubles]


def _cookie(url: str, person: Person) -> str:
    browser = browse(url, person)
    browser.client.close()
    return browser.client.cookies[COOKIE]
