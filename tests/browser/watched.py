"""Pages on which nothing goes wrong unseen: a complaint, a fault or a word to a stranger fails the test."""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Request, Response

# Requests that the browser gives up by itself because the page is left.
LEFT = "net::ERR_ABORTED"
OWN_SCHEMES = ("data", "blob", "about")
# htmx says these of a request that ended without an answer: why, the request itself tells.
UNANSWERED = ("htmx:afterRequest", "htmx:sendAbort", "htmx:sendError")
REFUSED = "Failed to load resource: the server responded with a status of 4"


@dataclass
class Watch:
    """What went wrong on the pages of one browser window."""

    origin: str
    troubles: list[str] = field(default_factory=list)
    # A story about a refusal says so beforehand.
    may_be_refused: bool = False

    def over(self, context: BrowserContext) -> None:
        """Listen to every page that is opened from now on."""
        context.on("page", self._listen)
        context.on("request", self._on_request)
        context.on("requestfailed", self._on_failed)
        context.on("response", self._on_response)

    def _listen(self, page: Page) -> None:
        page.on("console", self._on_console)
        page.on("pageerror", lambda error: self.troubles.append(f"{page.url}: {error}"))

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.text.startswith(UNANSWERED) or (self.may_be_refused and message.text.startswith(REFUSED)):
            return
        if message.type in ("error", "warning"):
            where = message.location
            self.troubles.append(f"console {message.type}: {message.text} ({where.get('url')})")

    def _on_request(self, request: Request) -> None:
        parts = urlsplit(request.url)
        if parts.scheme not in OWN_SCHEMES and f"{parts.scheme}://{parts.netloc}" != self.origin:
            self.troubles.append(f"asked a stranger: {request.url}")

    def _on_failed(self, request: Request) -> None:
        if request.failure != LEFT:
            self.troubles.append(f"{request.method} {request.url} failed: {request.failure}")

    def _on_response(self, response: Response) -> None:
        if response.status >= 500:
            self.troubles.append(f"{response.request.method} {response.url} answered {response.status}")
