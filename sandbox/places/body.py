"""The body of a text search, read strictly: what the provider refuses is refused here."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite

from sandbox.places.geometry import Box, Circle
from sandbox.places.place import PRICE_LEVELS
from sandbox.places.refusal import Refusal, bad_field
from sandbox.places.types import SEARCHABLE_TYPES

MOST_PER_PAGE = 20
MOST_BYTES = 100_000
WIDEST_METRES = 50_000.0
RELEVANCE, DISTANCE = "RELEVANCE", "DISTANCE"
_NAMES = frozenset(
    (
        "textQuery", "languageCode", "regionCode", "rankPreference", "includedType", "openNow", "minRating",
        "maxResultCount", "priceLevels", "strictTypeFiltering", "locationBias", "locationRestriction", "pageSize",
        "pageToken", "includePureServiceAreaBusinesses", "includeFutureOpeningBusinesses",
    )
)  # fmt: skip
# The pages of one query may differ in these and in nothing else.
_MAY_CHANGE = ("pageToken", "pageSize", "maxResultCount")

Json = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class TextSearch:
    """What the caller wants."""

    text: str
    page_size: int
    page_token: str
    region: str
    included_type: str
    strict: bool
    open_now: bool
    min_rating: float
    price_levels: frozenset[str]
    rank: str
    restriction: Box | None
    bias: Box | Circle | None
    digest: str  # of everything that must stay the same from page to page


def read_body(raw: bytes) -> TextSearch:
    """Read and check the body of `places:searchText`."""
    body = _parse(raw)
    for name in body:
        if name not in _NAMES:
            raise bad_field(name, f"Invalid JSON payload received. Unknown name {name!r}: no such field.")
    text = _string(body, "textQuery").strip()
    if not text:
        raise bad_field("textQuery", "textQuery must be given and not be empty.")
    restriction, bias = _where(body)
    steady = {name: value for name, value in body.items() if name not in _MAY_CHANGE}
    return TextSearch(
        text=text,
        page_size=_page_size(body),
        page_token=_string(body, "pageToken"),
        region=_string(body, "regionCode").upper(),
        included_type=_included_type(body),
        strict=_flag(body, "strictTypeFiltering"),
        open_now=_flag(body, "openNow"),
        min_rating=_number(body, "minRating", 0.0, 5.0, 0.0),
        price_levels=_price_levels(body),
        rank=_one_of(body, "rankPreference", (RELEVANCE, DISTANCE)),
        restriction=restriction,
        bias=bias,
        digest=hashlib.blake2b(json.dumps(steady, sort_keys=True).encode(), digest_size=12).hexdigest(),
    )


def _parse(raw: bytes) -> Json:
    if len(raw) > MOST_BYTES:
        raise Refusal(400, "Request payload size exceeds the limit.")
    try:
        body = json.loads(raw or b"{}")
    # Thousands of open brackets exhaust the parser's stack; that is a bad body, not our fault.
    except (ValueError, RecursionError):
        raise Refusal(400, "Invalid JSON payload received.") from None
    if not isinstance(body, dict):
        raise Refusal(400, "Invalid JSON payload received. The root element must be an object.")
    return body


def _string(body: Json, name: str) -> str:
    value = body.get(name) or ""
    if not isinstance(value, str):
        raise bad_field(name, f"Invalid value at {name!r}: a string is expected.")
    return value


def _flag(body: Json, name: str) -> bool:
    value = body.get(name) or False
    if not isinstance(value, bool):
        raise bad_field(name, f"Invalid value at {name!r}: true or false is expected.")
    return value


def _number(body: Json, name: str, least: float, most: float, default: float | None = None) -> float:
    value = body.get(name)
    if value is None and default is not None:
        return default
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        raise bad_field(name, f"Invalid value at {name!r}: a number is expected.")
    if not least <= value <= most:
        raise bad_field(name, f"{name} must be between {least:g} and {most:g}.")
    return float(value)


def _one_of(body: Json, name: str, allowed: tuple[str, ...]) -> str:
    value = _string(body, name) or allowed[0]
    if value not in allowed:
        raise bad_field(name, f"Invalid value at {name!r}: {value!r} is none of {', '.join(allowed)}.")
    return value


def _page_size(body: Json) -> int:
    name = "pageSize" if body.get("pageSize") is not None else "maxResultCount"
    wanted = int(_number(body, name, 0, 2**31, MOST_PER_PAGE))
    return min(wanted, MOST_PER_PAGE) or MOST_PER_PAGE


def _included_type(body: Json) -> str:
    kind = _string(body, "includedType")
    if kind and kind not in SEARCHABLE_TYPES:
        raise bad_field("includedType", f"Unsupported types: {kind}.")
    return kind


def _price_levels(body: Json) -> frozenset[str]:
    levels = body.get("priceLevels") or []
    if not isinstance(levels, list) or not all(level in PRICE_LEVELS[1:] for level in levels):
        raise bad_field("priceLevels", f"priceLevels must be a list of {', '.join(PRICE_LEVELS[1:])}.")
    return frozenset(levels)


def _where(body: Json) -> tuple[Box | None, Box | Circle | None]:
    if body.get("locationRestriction") is not None and body.get("locationBias") is not None:
        raise bad_field("locationBias", "At most one of locationBias and locationRestriction may be given.")
    restriction = _shape(body, "locationRestriction", ("rectangle",))
    if isinstance(restriction, Circle):  # cannot be: only a rectangle was allowed
        restriction = restriction.box()
    return restriction, _shape(body, "locationBias", ("rectangle", "circle"))


def _shape(body: Json, name: str, allowed: tuple[str, ...]) -> Box | Circle | None:
    if body.get(name) is None:
        return None
    shapes = _object(body, name)
    if len(shapes) != 1 or next(iter(shapes)) not in allowed:
        raise bad_field(name, f"{name} must hold exactly one {' or '.join(allowed)}.")
    if "circle" in shapes:
        circle = _object(shapes, "circle")
        return Circle(*_point(circle, "center"), _number(circle, "radius", 0.0, WIDEST_METRES))
    rectangle = _object(shapes, "rectangle")
    (south, west), (north, east) = _point(rectangle, "low"), _point(rectangle, "high")
    if south > north or (west == 180.0 and east == -180.0):
        raise bad_field(f"{name}.rectangle", "The rectangle is empty: low must be south-west of high.")
    return Box(south, west, north, east)


def _object(body: Json, name: str) -> Json:
    value = body.get(name)
    if not isinstance(value, Mapping):
        raise bad_field(name, f"Invalid value at {name!r}: an object is expected.")
    return value


def _point(body: Json, name: str) -> tuple[float, float]:
    point = _object(body, name)
    # A number left out is zero, as everywhere in this API.
    return _number(point, "latitude", -90.0, 90.0, 0.0), _number(point, "longitude", -180.0, 180.0, 0.0)
