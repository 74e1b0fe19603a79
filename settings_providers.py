"""Settings of the place providers: where they are asked, how fast, and what a call costs. Read by `settings`."""

from __future__ import annotations

from decimal import Decimal
from urllib.parse import urlsplit

from pydantic import BaseModel, Field, field_validator

LIST_PRICE = "list price, correct it here when yours differs"


class ProviderSettings(BaseModel):
    """A part of Settings, in a file of its own."""

    google_places_url: str = Field("https://places.googleapis.com", description="where Google Places (New) is asked")
    overpass_url: str = Field(
        "https://overpass-api.de/api/interpreter", description="where OpenStreetMap's places are asked for"
    )
    nominatim_url: str = Field(
        "https://nominatim.openstreetmap.org", description="where OpenStreetMap's areas are asked for"
    )
    google_search_usd: Decimal = Field(
        Decimal("0.035"), ge=0, le=10, description=f"US dollars for a page of 20 places; {LIST_PRICE}"
    )
    google_area_usd: Decimal = Field(
        Decimal("0.032"), ge=0, le=10, description=f"US dollars for looking up where a town is; {LIST_PRICE}"
    )
    google_details_usd: Decimal = Field(
        Decimal("0.020"), ge=0, le=10, description=f"US dollars for the details of one place; {LIST_PRICE}"
    )
    google_prices_as_of: str = Field("2025-03-01", description="when these prices were last compared with Google's")

    provider_daily_budget_usd: Decimal = Field(
        Decimal("20"), ge=0, le=100_000, description="US dollars that each provider may cost on one day (UTC)"
    )
    google_calls_per_second: float = Field(
        10.0, gt=0, le=100, description="calls to Google a second, of all workers together"
    )
    osm_calls_per_second: float = Field(
        1.0,
        gt=0,
        le=10,
        description="calls to OpenStreetMap a second, of all workers together; its public servers ask for 1",
    )

    google_facts_days: int = Field(
        30,
        ge=1,
        le=30,
        description="days that Google's facts other than ids are kept; its terms allow 30 for coordinates",
    )

    @field_validator("google_places_url")
    @classmethod
    def _keeps_the_key_secret(cls, value: str) -> str:
        if urlsplit(_web_url(value)).scheme != "https" and not _is_sandbox(value):
            raise ValueError("expected a URL that begins with https://, since the key travels with every call")
        return value.rstrip("/")

    @field_validator("overpass_url", "nominatim_url")
    @classmethod
    def _is_a_web_address(cls, value: str) -> str:
        return _web_url(value).rstrip("/")


def _web_url(value: str) -> str:
    expected = "expected a URL such as https://nominatim.openstreetmap.org, without credentials, query or fragment"
    try:
        parts = urlsplit(value)
        has_port = parts.port is not None and parts.port not in (80, 443)
    except ValueError as fault:
        raise ValueError(expected) from fault
    odd = parts.query or parts.fragment or parts.username is not None or has_port or not value.isascii()
    if parts.scheme not in ("http", "https") or not parts.hostname or odd:
        raise ValueError(expected)
    return value


def _is_sandbox(value: str) -> bool:
    return (urlsplit(value).hostname or "").endswith(".example")
