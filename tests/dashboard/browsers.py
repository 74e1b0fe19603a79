"""Browsers without scripts: a client with the cookie of a log-in, which sends forms as our pages do."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import httpx
from selectolax.lexbor import LexborHTMLParser

from accounts import sessions, tokens
from accounts.caller import ROLE_SCOPES, Caller
from dashboard import proof
from dashboard.visitor import COOKIE
from pipeline.database import transaction
from tests.api.people import Person

HTMX = {"HX-Request": "true"}


@dataclass
class Browser:
    """Somebody who is logged in and looks at pages."""

    person: Person
    client: httpx.Client
    csrf: str

    def see(self, path: str, *, status: int = 200, htmx: bool = False) -> LexborHTMLParser:
        """Get a page, or a part of one as htmx does, and read it."""
        answer = self.client.get(path, headers=HTMX if htmx else {})
        assert answer.status_code == status, f"{path} answered {answer.status_code}: {answer.text[:400]}"
        return LexborHTMLParser(answer.text)

    def text(self, path: str, *, status: int = 200, htmx: bool = False) -> str:
        """Get what a page says, without its markup, on one line."""
        body = self.see(path, status=status, htmx=htmx).body
        return re.sub(r"\s+", " ", body.text() if body else "")

    def send(self, path: str, *, htmx: bool = False, files: Any = None, **fields: Any) -> httpx.Response:
        """Send a form with the page's proof."""
        headers = HTMX if htmx else {}
        return self.client.post(path, data={"csrf": self.csrf, **fields}, files=files, headers=headers)


def browse(url: str, person: Person) -> Browser:
    """Log somebody in and open a browser for them."""
    caller = Caller(person.tenant_id, person.user_id, person.role, ROLE_SCOPES[person.role])
    with transaction() as (_, connection):
        made = sessions.start(connection, caller, how="test")
    client = httpx.Client(base_url=url, cookies={COOKIE: tokens.sign_cookie(made.claims)}, timeout=60)
    return Browser(person, client, proof.of_session(made.claims.session_id))
