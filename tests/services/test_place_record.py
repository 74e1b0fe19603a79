"""Place record: what is stored of a found place, and that all of it can be read back."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from models import LocalBusiness, Place
from pipeline.children import plain
from services.place import COLUMNS, FoundPlace
from services.place_record import Told, business_row, completed, place_row, remembered

NOW = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)
TOLD = Told("google", NOW, 30)
FOUND = FoundPlace(
    provider_place_id="ChIJ1",
    fields=COLUMNS,
    name="Anna's",
    formatted_address="1 Main St, Austin, TX 78701, USA",
    street="1 Main St",
    city="Austin",
    country_code="US",
    phone="+15124770100",
    website="https://anna.example",
    categories=("dentist", "health"),
    rating=Decimal("4.5"),
    review_count=12,
    opening_hours={"monday": [["09:00", "17:00"]]},
    latitude=30.25,
    longitude=-97.75,
    attribution="Google Maps",
    raw={"id": "ChIJ1"},
)


def stored(row: dict[str, Any]) -> dict[str, Any]:
    """Give a row as JSON brings it back from the database."""
    back: dict[str, Any] = json.loads(json.dumps(plain(row)))
    return back


def test_a_place_and_a_business_have_columns_for_everything() -> None:
    assert place_row(FOUND, TOLD).keys() <= set(Place.__table__.columns.keys())
    assert business_row(FOUND, TOLD).keys() <= set(LocalBusiness.__table__.columns.keys())
    assert business_row(FOUND, TOLD).keys() >= COLUMNS


def test_all_rows_bring_the_same_columns() -> None:
    empty = FoundPlace(provider_place_id="x", fields=frozenset())
    assert place_row(empty, TOLD).keys() == place_row(FOUND, TOLD).keys()
    assert business_row(empty, TOLD).keys() == business_row(FOUND, TOLD).keys()


def test_columns_that_cannot_be_null_are_empty() -> None:
    empty = business_row(FoundPlace(provider_place_id="x", fields=frozenset()), TOLD)
    assert (empty["categories"], empty["opening_hours"], empty["field_sources"]) == ([], {}, {})


def test_what_was_told_is_remembered_with_its_time() -> None:
    kept = remembered("ChIJ1", stored(place_row(FOUND, TOLD))["raw"], "Google Maps")
    assert kept is not None
    found, told_at = kept
    assert told_at == NOW
    assert business_row(found, TOLD) == business_row(FOUND, TOLD)
    assert found.fields == COLUMNS


def test_details_complete_what_was_known() -> None:
    known = FoundPlace(provider_place_id="x", fields=frozenset({"name"}), name="Old")
    details = FoundPlace(provider_place_id="x", fields=frozenset({"phone"}), phone="+15124770100", name="ignored")
    whole = completed(known, details)
    assert (whole.name, whole.phone, whole.fields) == ("Old", "+15124770100", frozenset({"name", "phone"}))


JSON = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=10,
)


@given(JSON | st.fixed_dictionaries({"at": JSON | st.just(NOW.isoformat()), "fields": JSON, "facts": JSON}))
def test_whatever_was_kept_can_be_looked_at(raw: object) -> None:
    kept = remembered("x", raw, None)
    assert kept is None or kept[0].provider_place_id == "x"
