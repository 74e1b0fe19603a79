"""What strangers wrote is only ever shown: every page of a tenant whose every text is an attack."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from dashboard.page import POLICY
from tests.dashboard.asking import Told, ask, path_of, paths_of, query_of
from tests.dashboard.attacked import attack
from tests.dashboard.browsers import Browser
from tests.dashboard.forms import Furnished
from tests.dashboard.markup import links_in, wrong_in
from tests.dashboard.routes import SAFE, Route
from tests.dashboard.test_open import OPEN

# Of the links of a page.
MOST_LINKS = 40


@pytest.fixture
def own(admin: Browser, db: str) -> Iterator[Furnished]:
    made = Furnished(db, admin.person.tenant_id, admin.person.user_id)
    yield made
    made.close()


@pytest.mark.parametrize("htmx", [False, True])
def test_no_page_runs_paints_or_leads_anywhere_but_as_we_wrote_it(admin: Browser, own: Furnished, htmx: bool) -> None:
    assert attack(own) > 30
    wrong = {}
    for route in SAFE:
        for path in paths_of(route, own):
            told = ask(admin.client, route, path, query=query_of(route, own), htmx=htmx)
            if said := [*wrong_headers(route, told), *wrong_markup(route, told)]:
                wrong[path] = said[:5]
    assert wrong == {}


def wrong_headers(route: Route, told: Told) -> Iterator[str]:
    if told.status >= 500:
        yield f"{told.status}: {told.text[:300]}"
    if route.is_stream or str(route).startswith("GET /static/"):
        return
    if told.headers.get("cache-control") != "no-store":
        yield f"may be kept: {told.headers.get('cache-control')}"
    if told.headers.get("x-content-type-options") != "nosniff":
        yield "may be taken for something else"
    if told.is_page and told.headers.get("content-security-policy") != POLICY:
        yield "has no policy"


def wrong_markup(route: Route, told: Told) -> Iterator[str]:
    if told.is_page:
        yield from wrong_in(told.text)
        if "<html" in told.text and (many := told.text.count("<h1")) != 1:
            yield f"{many} headings of the first order"
    elif route.is_stream:
        drawn = "\n".join(line.removeprefix("data: ") for line in told.text.splitlines() if line.startswith("data: "))
        yield from wrong_in(drawn, is_shared=True)
    yield from (["calculated"] if "attack49" in told.text else [])


def test_every_link_leads_to_a_page(admin: Browser, own: Furnished) -> None:
    wrong = {}
    for route in SAFE:
        if str(route) in OPEN or route.is_stream:
            continue
        told = ask(admin.client, route, path_of(route, own), query=query_of(route, own))
        for link in sorted(links_in(told.text))[:MOST_LINKS] if told.is_page else ():
            if link not in wrong:
                wrong[link] = admin.client.get(link).status_code
    assert {link: status for link, status in wrong.items() if status not in (200, 303)} == {}
