"""Google Places API (New): text search and place details."""

from __future__ import annotations

import re
from collections.abc import Callable

from sandbox.message import Reply, Request
from sandbox.places.body import TextSearch, read_body
from sandbox.places.faults import Fault, Faults
from sandbox.places.fields import PLACE, SEARCH_ANSWER, Shape, details_tier, search_tier
from sandbox.places.finder import Finder
from sandbox.places.keys import Keys
from sandbox.places.ledger import DETAILS, SEARCH, Ledger
from sandbox.places.mask import BadMask, Mask, beneath, read_mask
from sandbox.places.place import place_json
from sandbox.places.quota import Quota
from sandbox.places.refusal import Refusal, json_reply, reason
from sandbox.places.tokens import Page, read_token, write_token
from sandbox.places.town import town_json
from sandbox.world import World

_SEARCH_PATH = "/v1/places:searchText"
_DETAILS_PATH = "/v1/places/"
_PLACE_ID = re.compile(r"[\w-]{1,300}", re.ASCII)
_UNKNOWN = "-"  # the tier of a call that was refused before its mask was read


class Google:
    """Answers as the provider would, and keeps the books."""

    def __init__(
        self, world: World, finder: Finder, now: Callable[[], float], quota: Quota, faults: Faults, token_seconds: float
    ) -> None:
        self.ledger = Ledger()
        self.quota = quota
        self.faults = faults
        self._world = world
        self._finder = finder
        self._now = now
        self._keys = Keys()
        self._token_seconds = token_seconds

    def answer(self, request: Request) -> Reply:
        """Answer one call."""
        if request.path == "/sandbox/calls":
            return json_reply(self.ledger.as_json())
        kind = _kind(request)
        if kind is None:
            return Refusal(404, f"There is nothing at {request.method} {request.path[:200]}.").reply()
        try:
            return self._admit(request, kind) or self._serve(request, kind)
        except Refusal as refusal:
            self.ledger.record(kind, _UNKNOWN, refusal.status)
            return refusal.reply()

    def _admit(self, request: Request, kind: str) -> Reply | None:
        key = request.headers.get("x-goog-api-key") or request.parameters.get("key", "")
        fault = self._keys.check(key) or self.faults.next()
        if fault is not None:
            return self._fail(fault, kind)
        limit = self.quota.exceeded(key, self._now())
        if limit is not None:
            raise exhausted(limit)
        return None

    def _fail(self, fault: Fault, kind: str) -> Reply:
        if isinstance(fault, int):
            raise exhausted("per_minute") if fault == 429 else Refusal(fault, "The service failed; try again later.")
        self.ledger.record(kind, _UNKNOWN, 0)
        return Reply(hangs=fault == "hang", resets=fault != "hang")

    def _serve(self, request: Request, kind: str) -> Reply:
        return self._search(request) if kind == SEARCH else self._details(request)

    def _search(self, request: Request) -> Reply:
        mask = _mask(request, SEARCH_ANSWER)
        search = read_body(request.body)
        page = self._page(search)
        found = self._finder.find(search, page.began)
        end = page.offset + search.page_size
        inner = beneath(mask, "places", SEARCH_ANSWER)
        answer: dict[str, object] = {}
        shown = found[page.offset : end]
        if inner is not None and shown:
            answer["places"] = [self._place(index, inner, page.began) for index in shown]
        town = self._finder.town(search)
        if inner is not None and town is not None:
            answer["places"] = [town_json(town, inner)]
        if "nextPageToken" in mask and end < len(found):
            answer["nextPageToken"] = write_token(Page(search.digest, end, page.began, self._now()))
        call = f"{SEARCH} {search.text[:100]} {search.digest} from {page.offset} [{','.join(sorted(inner or ()))}]"
        self.ledger.record(SEARCH, search_tier(inner or ()), 200, call)
        return json_reply(answer)

    def _page(self, search: TextSearch) -> Page:
        now = self._now()
        if not search.page_token:
            return Page(search.digest, 0, now, now)
        page = read_token(search.page_token)
        if page is None or now - page.issued > self._token_seconds:
            raise Refusal(400, "The pageToken is not valid, or has expired.")
        if page.digest != search.digest:
            raise Refusal(400, "The request must be the same as the one that the pageToken came from.")
        return page

    def _place(self, index: int, mask: Mask, at: float) -> dict[str, object]:
        place = place_json(self._world.business(index), mask, at)
        self.ledger.sell(self._world.business(index).place_id, place)
        return place

    def _details(self, request: Request) -> Reply:
        mask = _mask(request, PLACE)
        place_id = request.path.removeprefix(_DETAILS_PATH)
        if not _PLACE_ID.fullmatch(place_id):
            raise Refusal(400, f"Not a valid place id: {place_id[:200]!r}.")
        business = self._world.by_place_id(place_id)
        if business is None:
            raise Refusal(404, "The place id is not known, or no longer valid.")
        place = place_json(business, mask, self._now())
        self.ledger.sell(place_id, place)
        self.ledger.record(DETAILS, details_tier(mask), 200, f"{DETAILS} {place_id} [{','.join(sorted(mask))}]")
        return json_reply(place)


def exhausted(limit: str) -> Refusal:
    """Refuse a call for which there is no quota left."""
    metric = "places.googleapis.com/requests"
    return Refusal(
        429,
        f"Quota exceeded for quota metric 'requests' and limit 'requests {limit.replace('_', ' ')}'.",
        reason("RATE_LIMIT_EXCEEDED", quota_limit=limit, quota_metric=metric, consumer="projects/sandbox"),
    )


def _kind(request: Request) -> str | None:
    if request.method == "POST" and request.path == _SEARCH_PATH:
        return SEARCH
    return DETAILS if request.method == "GET" and request.path.startswith(_DETAILS_PATH) else None


def _mask(request: Request, shape: Shape) -> Mask:
    parameters = request.parameters
    text = request.headers.get("x-goog-fieldmask") or parameters.get("$fields") or parameters.get("fields", "")
    if not text:
        raise Refusal(400, "FieldMask is a required parameter: name the fields in the header X-Goog-FieldMask.")
    try:
        return read_mask(text, shape)
    except BadMask as bad:
        raise Refusal(
            400, f"Error expanding the field mask: there are no fields for path {str(bad)[:200]!r}."
        ) from None
