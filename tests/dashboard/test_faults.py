"""Faults that no visitor can help: the database is away, or we are wrong. Every page says so, and works again after."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import httpx
import pytest
from fastapi import FastAPI

from api.problems import DATABASE_AWAY
from dashboard import problems
from dashboard.page import POLICY
from pipeline import database
from tests.api.people import Person
from tests.dashboard.asking import Told, ask, form_of, path_of, query_of
from tests.dashboard.browsers import HTMX, Browser
from tests.dashboard.forms import Furnished
from tests.dashboard.routes import ROUTES
from tests.dashboard.test_open import OPEN

NOWHERE = "postgresql://scrapersky@/scrapersky?host=/no/such/directory"


@pytest.fixture
def own(admin: Browser, db: str) -> Iterator[Furnished]:
    made = Furnished(db, admin.person.tenant_id, admin.person.user_id)
    yield made
    made.close()


@pytest.fixture
def away(own: Furnished, db: str) -> Iterator[None]:
    """The database does not answer until the test has ended."""
    database.use(NOWHERE)
    yield
    database.use(db)


def test_every_page_and_form_says_that_the_database_is_away(admin: Browser, own: Furnished, away: None) -> None:
    wrong = {}
    for nth, route in enumerate(ROUTES):
        if str(route) not in OPEN:
            told = ask(
                admin.client, route, path_of(route, own), query=query_of(route, own), form=form_of(route, own),
                csrf=None if route.is_safe else admin.csrf, htmx=nth % 2 == 1,
            )  # fmt: skip
            if said := amiss(told):
                wrong[str(route)] = said
    assert wrong == {}


def amiss(told: Told) -> str | None:
    if told.status != 503 or DATABASE_AWAY not in told.text:
        return f"{told.status}: {told.text[-200:]}"
    return None if told.headers.get("content-security-policy") == POLICY else "no policy"


def test_an_upload_by_a_program_is_told_the_same(admin: Browser, away: None) -> None:
    program: Person = admin.person
    answer = program.client.post("/api/v1/batches/uploads", files={"file": b"domain\nacme.example\n"})
    assert (answer.status_code, answer.json()["detail"]) == (503, DATABASE_AWAY)


def test_when_the_database_is_back_so_are_the_pages(admin: Browser, db: str) -> None:
    database.use(NOWHERE)
    assert DATABASE_AWAY in admin.text("/", status=503)
    database.use(db)
    admin.see("/")


@pytest.mark.parametrize("htmx", [False, True])
def test_what_is_wrong_with_us_is_a_sentence_of_ours_that_tells_nothing_of_it(htmx: bool) -> None:
    app = FastAPI()
    problems.install(app)

    @app.get("/")
    def fail() -> None:
        raise ZeroDivisionError("a secret of the machine")

    async def visit() -> httpx.Response:
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://pages.example") as client:
            return await client.get("/", headers=HTMX if htmx else {})

    answer = asyncio.run(visit())
    assert answer.status_code == 500
    assert problems.OUR_FAULT in answer.text
    assert "secret" not in answer.text
    assert answer.headers["content-security-policy"] == POLICY
    assert answer.headers.get("hx-retarget") == ("#notes" if htmx else None)
