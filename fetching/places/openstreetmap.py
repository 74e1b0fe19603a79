"""OpenStreetMap: places from Overpass, areas from Nominatim, for people without a key."""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import timedelta
from decimal import Decimal
from urllib.parse import urlencode, urlsplit

import reasons
from errors import Final, Passing, Trouble
from fetching.client import Client, Limits
from fetching.places.asking import MIB, Answer, ask
from fetching.places.overpass_query import MOST_ELEMENTS, SERVER_SECONDS, element_query, places_query
from fetching.places.provider import Call, PlacePage
from fetching.words import fault_of
from services.osm_place import ATTRIBUTION, area_of, found_places
from services.place import Area, FoundPlace
from services.plain import mapping_of, text_of
from settings import settings

PUBLIC_HOSTS = ("openstreetmap.org", "openstreetmap.fr", "overpass-api.de", "kumi.systems", "private.coffee")
AREA_CANDIDATES = 5
LONGEST_PLACE = 200
# Neither server says how long to wait. A slot is free again in seconds, a server that is too busy takes longer.
WAITS = {429: timedelta(seconds=10), 503: timedelta(seconds=30), 504: timedelta(seconds=30)}


class OpenStreetMap:
    """Asks the two servers of the settings. A search has one page, which is full at `most_results`."""

    name = "openstreetmap"
    attribution = ATTRIBUTION
    page_size = MOST_ELEMENTS
    most_results = MOST_ELEMENTS

    def __init__(self, *, through: Client | None = None) -> None:
        self._through = through

    def find_area(self, where: str) -> Area:
        """Find the box of a town, region or address."""
        wanted = text_of(where, LONGEST_PLACE)
        if wanted is None:
            raise Final(reasons.BAD_REQUEST, "there is no place to look for")
        asked = urlencode({"q": wanted, "format": "jsonv2", "limit": AREA_CANDIDATES})
        area = area_of(self._ask(f"{settings().nominatim_url}/search?{asked}").value())
        if area is None:
            raise Final(reasons.UNKNOWN_PLACE, f"OpenStreetMap knows no town, region or address {wanted[:100]!r}")
        return area

    def find_places(self, what: str, area: Area, page: str | None = None) -> PlacePage:
        """Find everything of a trade, or of a name, inside an area."""
        query = places_query(what, area)
        if query is None:
            raise Final(reasons.BAD_REQUEST, "there is nothing to look for")
        return PlacePage(found_places(self._query(query)), None)

    def find_details(self, provider_place_id: str, fields: Collection[str]) -> FoundPlace:
        """Ask for one element; it comes with all that is known of it, whatever `fields` names."""
        read = re.fullmatch(r"(node|way|relation)/(\d{1,16})", provider_place_id, re.ASCII)
        if read is None:
            raise Final(reasons.BAD_REQUEST, f"{provider_place_id[:100]!r} is not an element of OpenStreetMap")
        found = found_places(self._query(element_query(read[1], int(read[2]))))
        if not found:
            raise Final(reasons.NOT_FOUND, f"{provider_place_id} is no longer on the map")
        return found[0]

    def price(self, call: Call) -> Decimal:
        """Everything is free."""
        return Decimal(0)

    def _query(self, query: str) -> object:
        answer = self._ask(settings().overpass_url, query)
        value = answer.value()
        # The 200 is sent before the server knows that it will not get to the end; then only a remark says so.
        remark = text_of(mapping_of(value).get("remark"), 300)
        if remark is not None:
            word = reasons.TIMEOUT if "timed out" in remark else reasons.SERVER_ERROR
            raise Passing(word, remark, status=answer.status, retry_after=WAITS[504], seconds=answer.seconds)
        if not isinstance(mapping_of(value).get("elements"), list):
            raise Passing(reasons.BAD_RESPONSE, "the answer has no elements", status=answer.status)
        return value

    def _ask(self, url: str, query: str | None = None) -> Answer:
        _introduce(url)
        limits = Limits(
            settings().fetch_connect_seconds,
            read_seconds=SERVER_SECONDS + 5,
            total_seconds=SERVER_SECONDS + 20,
            max_bytes=32 * MIB,
        )
        if query is None:
            answer = ask(url, limits, headers=[("Accept", "application/json")], through=self._through)
        else:
            form = ("Content-Type", "application/x-www-form-urlencoded")
            content = urlencode({"data": query}).encode()
            answer = ask(url, limits, method="POST", headers=[form], content=content, through=self._through)
        if not answer.is_ok:
            raise _trouble(answer)
        return answer


def _introduce(url: str) -> None:
    """Refuse to ask a server that volunteers run without telling it who asks, as their rules demand."""
    host = urlsplit(url).hostname or ""
    is_public = any(host == public or host.endswith(f".{public}") for public in PUBLIC_HOSTS)
    if is_public and settings().crawler_contact is None:
        raise Final(
            reasons.CONTACT_NEEDED,
            f"{host} wants to know who asks: set CRAWLER_CONTACT to an email address or URL of yours",
        )


def _trouble(answer: Answer) -> Trouble:
    if answer.status == 400:
        return Final(reasons.BAD_REQUEST, "HTTP 400: the question was not understood", status=400)
    fault = fault_of(answer.status, answer.headers, answer.seconds)
    if fault is None:
        return Passing(reasons.BAD_RESPONSE, f"HTTP {answer.status}", status=answer.status, seconds=answer.seconds)
    fault.retry_after = fault.retry_after or WAITS.get(answer.status)
    return fault
