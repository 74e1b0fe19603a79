"""Retention: what a provider lends is blanked when its time is over, and nothing else is."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from psycopg.types.json import Jsonb

from models import LocalBusiness, Place
from scheduling.retention import BUSINESS_FACTS, PLACE_FACTS, blank_expired
from settings import settings
from tests.pipeline.stagehand import Stagehand
from tests.pipeline.together import together

PAST, FUTURE = datetime.now(UTC) - timedelta(hours=1), datetime.now(UTC) + timedelta(days=10)
NOTHING = {"places": 0, "local_businesses": 0}

FULL_PLACE: dict[str, Any] = {
    "name": "Anna's", "address": "1 Main St", "latitude": 30.2, "longitude": -97.7, "website": "https://anna.example",
    "phone": "+15124770100", "main_category": "dentist", "categories": Jsonb(["dentist"]), "rating": 4.5,
    "review_count": 12, "business_status": "operational",
}  # fmt: skip
FULL_BUSINESS: dict[str, Any] = FULL_PLACE | {
    "formatted_address": "1 Main St, Austin", "street": "1 Main St", "city": "Austin", "region": "TX",
    "postal_code": "78701", "country_code": "US", "price_level": 2, "opening_hours": Jsonb({"monday": []}),
    "utc_offset_minutes": -300,
}  # fmt: skip
del FULL_BUSINESS["address"]


@pytest.fixture
def hand(stagehand: Stagehand) -> Stagehand:
    stagehand.execute("DELETE FROM places")
    return stagehand


def sources(names: Any, expires_at: datetime | None = PAST, source: str = "google") -> dict[str, Any]:
    return {
        name: {"source": source, "expires_at": None if expires_at is None else expires_at.isoformat()} for name in names
    }


def insert(hand: Stagehand, table: str, **columns: Any) -> int:
    columns = {"tenant_id": settings().default_tenant_id} | columns
    names, marks = ", ".join(columns), ", ".join(["%s"] * len(columns))
    return int(hand.rows(f"INSERT INTO {table} ({names}) VALUES ({marks}) RETURNING id", *columns.values())[0]["id"])


def add_place(hand: Stagehand, name: str = "p1", fields: dict[str, Any] | None = None, **columns: Any) -> int:
    given = sources(FULL_PLACE) if fields is None else fields
    own = {"provider": "google", "provider_place_id": name, "curation_status": "Maybe", "raw": Jsonb({"id": name})}
    own |= {"attribution": "Google", "expires_at": PAST, "field_sources": Jsonb(given)}
    return insert(hand, "places", **FULL_PLACE | own | columns)


def add_business(hand: Stagehand, place_id: int, fields: dict[str, Any]) -> int:
    own = {"place_id": place_id, "curation_status": "Selected", "expires_at": PAST, "field_sources": Jsonb(fields)}
    return insert(hand, "local_businesses", **FULL_BUSINESS | own)


def row(hand: Stagehand, table: str, row_id: int) -> dict[str, Any]:
    return hand.rows(f"SELECT * FROM {table} WHERE id = %s", row_id)[0]


def test_every_fact_of_both_tables_can_be_blanked() -> None:
    """A column that is added later must be thought of here too."""
    ours = {
        "id",
        "tenant_id",
        "curation_status",
        "attribution",
        "field_sources",
        "expires_at",
        "created_at",
        "updated_at",
    }
    place = set(Place.__table__.columns.keys()) - ours - {"provider", "provider_place_id", "raw"}
    business = set(LocalBusiness.__table__.columns.keys()) - ours - {"place_id", "scanned_at"}
    assert (place, business) == (set(PLACE_FACTS), set(BUSINESS_FACTS))
    assert (set(FULL_PLACE), set(FULL_BUSINESS)) == (place, business)


def test_expired_facts_are_blanked_and_the_id_and_the_decision_stay(hand: Stagehand) -> None:
    place = add_place(hand)
    business = add_business(hand, place, sources(FULL_BUSINESS))
    assert blank_expired() == {"places": 1, "local_businesses": 1}
    found = row(hand, "places", place)
    assert {name: found[name] for name in PLACE_FACTS} == dict.fromkeys(PLACE_FACTS) | {"categories": []}
    assert (found["provider_place_id"], found["curation_status"], found["raw"]) == ("p1", "Maybe", None)
    assert (found["field_sources"], found["expires_at"], found["attribution"]) == ({}, None, "Google")
    found = row(hand, "local_businesses", business)
    empty = dict.fromkeys(BUSINESS_FACTS) | {"categories": [], "opening_hours": {}}
    assert {name: found[name] for name in BUSINESS_FACTS} == empty
    assert (found["place_id"], found["curation_status"], found["expires_at"]) == (place, "Selected", None)


def test_facts_from_the_businesss_own_site_stay(hand: Stagehand) -> None:
    own = sources(["name", "phone"], None, "site")
    business = add_business(hand, add_place(hand), sources(FULL_BUSINESS) | own)
    blank_expired()
    found = row(hand, "local_businesses", business)
    assert (found["name"], found["phone"], found["city"]) == ("Anna's", "+15124770100", None)
    assert found["field_sources"] == own


def test_what_expires_later_stays_until_then(hand: Stagehand) -> None:
    later = sources(["name"], FUTURE) | sources(["phone"], FUTURE + timedelta(days=1))
    place = add_place(hand, fields=sources(["latitude", "longitude"]) | later)
    assert blank_expired()["places"] == 1
    found = row(hand, "places", place)
    assert (found["latitude"], found["longitude"], found["name"]) == (None, None, "Anna's")
    assert (found["expires_at"], found["field_sources"]) == (FUTURE, later)
    assert found["raw"] is None
    assert blank_expired() == NOTHING


def test_what_never_expires_is_never_looked_at(hand: Stagehand) -> None:
    place = add_place(hand, provider="openstreetmap", fields=sources(FULL_PLACE, None, "osm"), expires_at=None)
    before = row(hand, "places", place)
    assert blank_expired() == NOTHING
    assert row(hand, "places", place) == before


@pytest.mark.parametrize("written", ["soon", "", "2024", "9999-99-99", {"in": "a week"}])
def test_a_moment_that_cannot_be_read_counts_as_over(hand: Stagehand, written: object) -> None:
    place = add_place(hand, fields={"name": {"source": "google", "expires_at": written}})
    assert blank_expired()["places"] == 1
    assert row(hand, "places", place)["name"] is None
    assert blank_expired() == NOTHING


def test_a_row_whose_fields_have_no_source_is_looked_at_once(hand: Stagehand) -> None:
    place = add_place(hand, fields={})
    assert blank_expired()["places"] == 1
    found = row(hand, "places", place)
    assert (found["name"], found["raw"], found["expires_at"]) == ("Anna's", None, None)
    assert blank_expired() == NOTHING


def test_many_rows_go_in_batches_and_sweeps_at_once_share_them(hand: Stagehand) -> None:
    for nth in range(25):
        add_place(hand, f"p{nth}")
    swept = together(lambda _: blank_expired(batch=3)["places"], times=3)
    assert sum(swept) == 25
    assert hand.rows("SELECT count(*) AS n FROM places WHERE name IS NOT NULL") == [{"n": 0}]


def test_a_row_that_somebody_is_writing_is_left_for_the_next_sweep(hand: Stagehand) -> None:
    from pipeline.database import transaction

    place = add_place(hand)
    add_place(hand, "p2")
    with transaction() as (_, connection):
        connection.execute("SELECT 1 FROM places WHERE id = %s FOR UPDATE", (place,))
        assert blank_expired()["places"] == 1
    assert blank_expired()["places"] == 1
