"""Forms from elsewhere: whatever changes something wants the proof of a page of the same log-in."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from dashboard import proof
from tests.dashboard.asking import ask, form_of, path_of, query_of
from tests.dashboard.browsers import Browser, browse
from tests.dashboard.forms import FORMS, Furnished
from tests.dashboard.routes import SAFE, UNSAFE, Route
from tests.dashboard.test_open import OPEN

# What leaves the house is noted.
DOWNLOADS = {
    "GET /exports/leads", "GET /exports/contacts", "GET /businesses/{business_id}/vcard",
    "GET /batches/{batch_id}/result.csv",
}  # fmt: skip


@pytest.fixture
def own(admin: Browser, db: str) -> Iterator[Furnished]:
    made = Furnished(db, admin.person.tenant_id, admin.person.user_id)
    yield made
    made.close()


def test_a_form_is_known_for_every_route_that_takes_one() -> None:
    assert {str(route) for route in UNSAFE if route.fields} == set(FORMS)


def test_a_form_without_the_proof_of_its_log_in_changes_nothing(
    admin: Browser, curator: Browser, own: Furnished
) -> None:
    again = browse(str(admin.client.base_url), admin.person)
    forged = {
        "none": None, "empty": "", "invented": "0" * 64, "of another": curator.csrf,
        "of another log-in": again.csrf, "of a guest": proof.of_guest(""),
    }  # fmt: skip
    before, wrong = own.dump(), {}
    for route in UNSAFE:
        if str(route) in OPEN:
            continue
        path, form = path_of(route, own), form_of(route, own)
        for nth, (kind, csrf) in enumerate(forged.items()):
            told = ask(admin.client, route, path, form=form, csrf=csrf, htmx=nth % 2 == 1)
            if told.status != 403 or "load the page again" not in told.text:
                wrong[f"{route}, proof {kind}"] = f"{told.status}: {told.text[:200]}"
    again.client.close()
    assert wrong == {}
    assert own.dump() == before


def test_a_proof_in_the_address_is_none(admin: Browser, own: Furnished) -> None:
    """Addresses are seen by others: logs, histories, referrers."""
    wrong = {
        str(route): told.status
        for route in UNSAFE
        if str(route) not in OPEN
        for told in [
            ask(admin.client, route, path_of(route, own), query={"csrf": admin.csrf}, form=form_of(route, own))
        ]
        if told.status != 403
    }
    assert wrong == {}


def test_a_look_changes_nothing(admin: Browser, own: Furnished) -> None:
    before = own.dump()
    for route in SAFE:
        if str(route) not in DOWNLOADS:
            ask(admin.client, route, path_of(route, own), query=query_of(route, own))
    assert own.dump() == before


def test_nothing_that_is_to_be_sent_can_be_asked_for(admin: Browser, own: Furnished) -> None:
    """A picture on another site makes a browser get an address, with its cookie."""
    lists = {path_of(route, own) for route in SAFE}
    before = own.dump()
    for route in UNSAFE:
        if (path := path_of(route, own)) not in lists:
            told = ask(admin.client, Route("GET", path, route.made), path, query=words_of(route, own, admin.csrf))
            assert told.status in (404, 405, 422), f"{path}: {told.status}"
    assert own.dump() == before


def words_of(route: Route, own: Furnished, csrf: str) -> dict[str, object]:
    return {name: value for name, value in form_of(route, own).items() if name != "files"} | {"csrf": csrf}
