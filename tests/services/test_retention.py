"""Retention: Google lends for a time, OpenStreetMap and a person's own list for ever."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from services.retention import expires_at, provenance_of

NOW = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("provider", "field", "days"),
    [
        ("google", "name", 7),
        ("google", "latitude", 30),
        ("google", "longitude", 30),
        ("sandbox", "phone", 7),
        ("openstreetmap", "name", None),
        ("openstreetmap", "latitude", None),
        ("list", "website", None),
    ],
)
def test_each_field_expires_in_its_own_time(provider: str, field: str, days: int | None) -> None:
    expected = None if days is None else NOW + timedelta(days=days)
    assert expires_at(provider, field, told_at=NOW, facts_days=7) == expected


def test_the_row_expires_with_its_first_field() -> None:
    found = provenance_of("google", ["latitude", "name"], told_at=NOW, facts_days=7)
    assert found.field_sources == {
        "latitude": {"source": "google", "expires_at": "2026-03-31T00:00:00+00:00"},
        "name": {"source": "google", "expires_at": "2026-03-08T00:00:00+00:00"},
    }
    assert found.expires_at == NOW + timedelta(days=7)


def test_what_never_expires_has_a_source_all_the_same() -> None:
    found = provenance_of("openstreetmap", ["name"], told_at=NOW, facts_days=7)
    assert found.field_sources == {"name": {"source": "openstreetmap", "expires_at": None}}
    assert found.expires_at is None


def test_a_row_without_facts_never_expires() -> None:
    assert provenance_of("google", [], told_at=NOW, facts_days=7).expires_at is None
