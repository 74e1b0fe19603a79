"""What a place must look like to be stored, and JSON of every kind to make places of."""

from __future__ import annotations

import json
import re
import unicodedata
from decimal import Decimal
from typing import Any

from hypothesis import strategies as st

from models.place import BUSINESS_STATUSES
from services.place import COLUMNS, WEEKDAYS, FoundPlace

UNSEEN = ("Cc", "Cs", "Zl", "Zp")
LINES = (
    "name", "formatted_address", "street", "city", "region", "postal_code", "country_code", "phone", "main_category",
    "business_status", "attribution",
)  # fmt: skip

texts = st.text(st.characters(exclude_categories=()), max_size=30) | st.sampled_from(
    [
        "\x00",
        "\ud800",
        "+1 512-555-0100",
        "us",
        "US",
        "Mo-Fr 09:00-17:00",
        "x" * 5_000,
        " ",
        "30.5",
        "-1",
        "PRICE_LEVEL_FREE",
    ]
)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts | st.just(10**400),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)


def objects_with(*names: str) -> st.SearchStrategy[dict[str, Any]]:
    """Objects that have these names, with anything at all as their values."""
    return st.fixed_dictionaries({}, optional=dict.fromkeys(names, json_values))


def check(place: FoundPlace) -> None:
    """Assert what the tables demand."""
    assert place.provider_place_id
    assert len(place.provider_place_id.encode()) <= 1024
    assert place.fields <= COLUMNS
    for name in LINES:
        value = getattr(place, name)
        assert value is None or is_line(value), (name, value)
    assert place.website is None or (place.website.strip() and len(place.website.encode()) <= 2048)
    assert place.country_code is None or re.fullmatch("[A-Z]{2}", place.country_code)
    assert place.phone is None or re.fullmatch(r"\+[0-9]{2,15}", place.phone)
    assert all(is_line(category) for category in place.categories)
    assert place.rating is None or (Decimal(0) <= place.rating <= 5 and place.rating.as_tuple().exponent == -1)
    assert place.review_count is None or 0 <= place.review_count < 2**31
    assert place.price_level in (None, 0, 1, 2, 3, 4)
    assert place.utc_offset_minutes is None or abs(place.utc_offset_minutes) <= 18 * 60
    assert place.business_status in (None, *BUSINESS_STATUSES)
    assert (place.latitude is None) == (place.longitude is None)
    assert place.latitude is None or abs(place.latitude) <= 90
    assert place.longitude is None or abs(place.longitude) <= 180
    check_hours(place.opening_hours)
    check_raw(place.raw)


def is_line(value: str) -> bool:
    """Tell whether a text is on one line, bounded, and nothing but characters."""
    kinds = {unicodedata.category(character) for character in value}
    return bool(value.encode()) and value == value.strip() and len(value) <= 1000 and kinds.isdisjoint(UNSEEN)


def check_hours(hours: object) -> None:
    if hours is None:
        return
    assert isinstance(hours, dict)
    assert tuple(hours) == WEEKDAYS
    for spans in hours.values():
        for opens, closes in spans:
            assert re.fullmatch(r"([01]\d|2[0-3]):[0-5]\d", opens)
            assert re.fullmatch(r"([01]\d|2[0-3]):[0-5]\d|24:00", closes)


def check_raw(raw: dict[str, Any] | None) -> None:
    if raw is not None:
        written = json.dumps(raw, ensure_ascii=False, allow_nan=False)
        assert "\\u0000" not in written
        assert len(written.encode()) < 200_000
