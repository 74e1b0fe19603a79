"""How every route is asked: its path, query and form filled with a tenant's own rows, as its pages would."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import httpx

from tests.api.planted import Planted
from tests.dashboard.browsers import HTMX
from tests.dashboard.forms import FORMS, QUERIES, named, others
from tests.dashboard.routes import Route

LONGEST_STREAM = 200_000
# No status of HTTP's: the server has gone in the middle of its answer.
BROKEN_OFF = 599


@dataclass(frozen=True)
class Told:
    """What was answered; of a stream only its first drawing."""

    status: int
    text: str
    headers: httpx.Headers
    target: str

    @property
    def is_page(self) -> bool:
        return str(self.headers.get("content-type", "")).startswith("text/html")


def path_of(route: Route, own: Planted) -> str:
    """Fill a route's path with a tenant's own rows."""
    return route.path.format(**{name: named(route, name, own) for name in route.parameters})


def paths_of(route: Route, own: Planted) -> list[str]:
    """Fill it with every kind of row that it can show."""
    usual = {name: named(route, name, own) for name in route.parameters}
    return [route.path.format(**usual), *(route.path.format(**usual | other) for other in others(route, own))]


def form_of(route: Route, own: Planted) -> dict[str, Any]:
    """Give what a page of ours would send, without the proof."""
    return FORMS[str(route)](own) if str(route) in FORMS else {}


def query_of(route: Route, own: Planted) -> dict[str, Any]:
    return QUERIES[str(route)](own) if str(route) in QUERIES else {}


def ask(
    client: httpx.Client,
    route: Route,
    path: str,
    *,
    query: Mapping[str, Any] | None = None,
    form: Mapping[str, Any] | None = None,
    csrf: str | None = None,
    htmx: bool = False,
) -> Told:
    """Ask once; files are sent where the form has `files`."""
    fields = dict(form or {})
    files = fields.pop("files", None)
    if csrf is not None:
        fields["csrf"] = csrf
    asked = client.stream(
        route.method, path, params=query or None, data=fields or None, files=files, headers=HTMX if htmx else {}
    )
    try:
        with asked as answer:
            return Told(answer.status_code, _text(answer), answer.headers, str(answer.request.url))
    except httpx.TransportError as broken:
        return Told(BROKEN_OFF, repr(broken), httpx.Headers(), path)


def _text(answer: httpx.Response) -> str:
    if not answer.headers.get("content-type", "").startswith("text/event-stream"):
        return answer.read().decode(errors="replace")
    heard = ""
    for piece in answer.iter_text():
        heard += piece
        if ("event: drawn" in heard and heard.endswith("\n\n")) or len(heard) > LONGEST_STREAM:
            break
    return heard
