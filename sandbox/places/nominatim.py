"""Nominatim: where a town is; one call a second, and only for callers that say who they are."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable

from sandbox.business import Town
from sandbox.message import HTML, PLAIN, Reply, Request
from sandbox.places.areas import relation_id
from sandbox.places.faults import Faults
from sandbox.places.gazetteer import Gazetteer
from sandbox.places.refusal import json_reply
from sandbox.places.regions import region_name
from sandbox.places.words import words_of

LICENCE = "Data © OpenStreetMap contributors, ODbL 1.0. http://osm.org/copyright"
GAP_SECONDS = 1.0
MOST_RESULTS = 40
_STOCK_AGENT = re.compile(
    r"(python|httpx|curl|wget|java|okhttp|go-http|axios|node|undici|ruby|perl|libwww|php|guzzle|aiohttp|scrapy|dart|"
    r"postman|mozilla/5\.0$)",
    re.IGNORECASE,
)


class Nominatim:
    """Answers searches for towns."""

    def __init__(self, gazetteer: Gazetteer, now: Callable[[], float], faults: Faults, gap_seconds: float) -> None:
        self.faults = faults
        self.statuses: list[int] = []
        self._gazetteer = gazetteer
        self._now = now
        self._gap_seconds = gap_seconds
        self._last = float("-inf")

    def answer(self, request: Request) -> Reply:
        """Answer one call."""
        if request.path == "/sandbox/calls":
            return json_reply({"calls": len(self.statuses), "statuses": self.statuses[-1_000:]})
        reply = self._admit(request) or self._route(request)
        self.statuses.append(reply.status if not (reply.resets or reply.hangs) else 0)
        return reply

    def _admit(self, request: Request) -> Reply | None:
        fault = self.faults.next()
        if isinstance(fault, int):
            return _page(fault, "Error")
        if fault is not None:
            return Reply(hangs=fault == "hang", resets=fault != "hang")
        agent = request.headers.get("user-agent", "").strip()
        if not agent or _STOCK_AGENT.match(agent):
            return _page(403, "Access blocked: say in the User-Agent which application is asking")
        now = self._now()
        if now - self._last < self._gap_seconds:
            return _page(429, "Too many requests: at most one a second")
        self._last = now
        return None

    def _route(self, request: Request) -> Reply:
        if request.path in ("/search", "/search.php"):
            return self._search(request.parameters)
        if request.path in ("/status", "/status.php"):
            return Reply(200, b"OK", PLAIN)
        return _page(404, "Not found")

    def _search(self, parameters: dict[str, str]) -> Reply:
        form = parameters.get("format", "jsonv2")
        if form not in ("json", "jsonv2"):
            return _bad(f"Parameter 'format' must be one of: json, jsonv2 (got {form[:40]!r})")
        limit = parameters.get("limit", "10")
        if not re.fullmatch(r"-?\d{1,9}", limit, re.ASCII):
            return _bad("Parameter 'limit' must be a number.")
        words = words_of(_text(parameters))
        if not words:
            return _bad("Nothing to search for.")
        towns = _in_countries(self._gazetteer.whole(words), parameters.get("countrycodes", ""))
        details = parameters.get("addressdetails") == "1"
        shown = towns[: min(max(int(limit), 1), MOST_RESULTS)]
        return json_reply([_town(town, v2=form == "jsonv2", details=details) for town in shown])


def _text(parameters: dict[str, str]) -> str:
    if "q" in parameters:
        return parameters["q"]
    return ", ".join(parameters.get(name, "") for name in ("city", "state", "country"))


def _in_countries(towns: list[Town], codes: str) -> list[Town]:
    wanted = {code.strip().upper() for code in codes.split(",") if code.strip()}
    return [town for town in towns if not wanted or town.country in wanted]


def _town(town: Town, *, v2: bool, details: bool) -> dict[str, object]:
    state = region_name(town.country, town.region)
    parts = [part for part in (town.name, state, town.country_name) if part]
    importance = hashlib.blake2b(town.label.encode(), digest_size=1).digest()[0] / 1_000
    found: dict[str, object] = {
        "place_id": relation_id(f"place {town.label}"),
        "licence": LICENCE,
        "osm_type": "relation",
        "osm_id": relation_id(town.label),
        "lat": f"{(town.south + town.north) / 2:.7f}",
        "lon": f"{(town.west + town.east) / 2:.7f}",
        "category" if v2 else "class": "boundary",
        "type": "administrative",
        "place_rank": 16,
        "importance": round(0.6 + importance, 4),
        "addresstype": "city",
        "name": town.name,
        "display_name": ", ".join(parts),
        "boundingbox": [f"{edge:.7f}" for edge in (town.south, town.north, town.west, town.east)],
    }
    if details:
        found["address"] = _address(town, state)
    return found


def _address(town: Town, state: str) -> dict[str, str]:
    address = {"city": town.name}
    if state:
        address |= {"state": state, "ISO3166-2-lvl4": f"{town.country}-{town.region}"}
    return address | {"country": town.country_name, "country_code": town.country.lower()}


def _bad(message: str) -> Reply:
    return json_reply({"error": {"code": 400, "message": message}}, 400)


def _page(status: int, message: str) -> Reply:
    return Reply(
        status, f"<html><head><title>{message}</title></head><body><h1>{message}</h1></body></html>".encode(), HTML
    )
