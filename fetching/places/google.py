"""Google Places (New): text search in a rectangle, details, and where a town is."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable
from decimal import Decimal
from typing import Any

import reasons
from errors import Final, Passing
from fetching.client import Client, Limits
from fetching.places.asking import MIB, Answer, ask
from fetching.places.google_words import trouble_of
from fetching.places.provider import Call, PlacePage
from services.google_place import ATTRIBUTION, area_of, found_place, found_places, mask_of
from services.place import COLUMNS, Area, FoundPlace
from services.plain import mapping_of, text_of
from settings import Settings, settings

SANDBOX_URL, SANDBOX_KEY = "http://places.googleapis.example", "sandbox-key"
SANDBOX_ATTRIBUTION = "made up by the sandbox"
LONGEST_QUERY = 300
LONGEST_TOKEN = 8192
# What one search can bring of a business, so that no details call is needed; the dearest of them sets the price.
PLACES_MASK = ("nextPageToken", *(f"places.{field}" for field in mask_of(COLUMNS)))
AREA_MASK = ("places.types", "places.viewport")
AREA_CANDIDATES = 5


class Google:
    """Asks Google, or whoever answers in its place at `url`."""

    page_size = 20
    most_results = 60

    def __init__(
        self, name: str, url: str, key: str, *, attribution: str = ATTRIBUTION, through: Client | None = None
    ) -> None:
        self.name = name
        self.attribution = attribution
        self._url = url
        self._key = key
        self._through = through

    def find_area(self, where: str) -> Area:
        """Find the box of a town, region, address or landmark."""
        answer = self._search(AREA_MASK, {"textQuery": _query(where), "pageSize": AREA_CANDIDATES})
        area = area_of(answer)
        if area is None:
            raise Final(
                reasons.UNKNOWN_PLACE, f"{self.name} knows no town, region, address or landmark {where[:100]!r}"
            )
        return area

    def find_places(self, what: str, area: Area, page: str | None = None) -> PlacePage:
        """Find businesses inside an area, 20 a page, 60 at most."""
        asked: dict[str, Any] = {
            "textQuery": _query(what),
            "pageSize": self.page_size,
            "locationRestriction": {"rectangle": _rectangle(area)},
        }
        answer = self._search(PLACES_MASK, asked | ({"pageToken": page} if page else {}), page)
        token = mapping_of(answer).get("nextPageToken")
        is_usable = isinstance(token, str) and 0 < len(token) <= LONGEST_TOKEN and token.isascii()
        return PlacePage(found_places(answer, lender=self.attribution), token if is_usable else None)

    def find_details(self, provider_place_id: str, fields: Collection[str]) -> FoundPlace:
        """Ask for some columns of one place."""
        if not re.fullmatch(r"[\w-]{1,1024}", provider_place_id, re.ASCII):
            raise Final(reasons.BAD_REQUEST, f"{provider_place_id[:100]!r} is not an id of {self.name}")
        answer = self._ask(f"/v1/places/{provider_place_id}", mask_of(fields))
        place = found_place(self._value(answer), fields, self.attribution)
        if place is None:
            raise Passing(reasons.BAD_RESPONSE, "the details have no id", status=answer.status, seconds=answer.seconds)
        return place

    def price(self, call: Call) -> Decimal:
        """Give the list price of a call."""
        chosen = settings()
        if call == "area":
            return chosen.google_area_usd
        return chosen.google_search_usd if call == "places" else chosen.google_details_usd

    def _search(self, mask: Iterable[str], asked: dict[str, Any], page: str | None = None) -> object:
        return self._value(self._ask("/v1/places:searchText", mask, json.dumps(asked).encode()), page)

    def _value(self, answer: Answer, page: str | None = None) -> object:
        if not answer.is_ok:
            raise trouble_of(answer, page=page, secret=self._key)
        return answer.value()

    def _ask(self, path: str, mask: Iterable[str], content: bytes | None = None) -> Answer:
        """Send one call; the key goes into a header only, never into a URL, which is logged and kept on the way."""
        if not re.fullmatch("[!-~]{1,400}", self._key):
            fault = "has characters that no key has" if self._key else "is not set"
            raise Final(reasons.BAD_KEY, f"GOOGLE_MAPS_API_KEY {fault}")
        headers = [("X-Goog-Api-Key", self._key), ("X-Goog-FieldMask", ",".join(mask)), ("Accept", "application/json")]
        if content is not None:
            headers.append(("Content-Type", "application/json"))
        method = "GET" if content is None else "POST"
        limits = _limits(settings())
        return ask(self._url + path, limits, method=method, headers=headers, content=content, through=self._through)


def google() -> Google:
    """Give Google as the settings have it; without a key, every call raises Final bad-key."""
    key = settings().google_maps_api_key
    return Google("google", settings().google_places_url, key.get_secret_value().strip() if key else "")


def sandbox() -> Google:
    """Give the sandbox's Google, which needs no key and costs nothing though it is counted as if it did."""
    if settings().sandbox_address is None:
        raise Final(reasons.NO_SANDBOX, "start `scrapersky sandbox serve` and set SANDBOX_ADDRESS")
    return Google("sandbox", SANDBOX_URL, SANDBOX_KEY, attribution=SANDBOX_ATTRIBUTION)


def _limits(chosen: Settings) -> Limits:
    return Limits(
        chosen.fetch_connect_seconds, chosen.fetch_read_seconds, chosen.fetch_total_seconds, max_bytes=8 * MIB
    )


def _query(text: str) -> str:
    tidy = text_of(text, LONGEST_QUERY)
    if tidy is None:
        raise Final(reasons.BAD_REQUEST, "there is nothing to look for")
    return tidy


def _rectangle(area: Area) -> dict[str, Any]:
    """A rectangle whose west is greater than its east crosses the 180th meridian for Google, too."""
    return {
        "low": {"latitude": area.south, "longitude": area.west},
        "high": {"latitude": area.north, "longitude": area.east},
    }
