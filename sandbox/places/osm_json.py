"""Elements in Overpass's JSON, as much of each as `out` asks for."""

from __future__ import annotations

from collections.abc import Sequence

from sandbox.places.areas import Area
from sandbox.places.elements import Element, corner_elements
from sandbox.places.ql_tree import Out

_ORDER = {"node": 0, "way": 1, "relation": 2, "area": 3}
DRAWN_AT = "2024-01-01T00:00:00Z"


def out_json(out: Out, found: Sequence[Element | Area]) -> list[dict[str, object]]:
    """Give the elements of one `out`: nodes before ways before areas, each by rising number."""
    if "count" in out.modes:
        return [_count(found)]
    ordered = sorted(found, key=lambda one: (_ORDER[_type(one)], one.id))
    return [_element(one, out.modes) for one in ordered[: out.limit]]


def _type(one: Element | Area) -> str:
    return one.type if isinstance(one, Element) else "area"


def _count(found: Sequence[Element | Area]) -> dict[str, object]:
    types = [_type(one) for one in found]
    tags = {f"{name}s": str(types.count(name)) for name in _ORDER}
    return {"type": "count", "id": 0, "tags": tags | {"total": str(len(types))}}


def _element(one: Element | Area, modes: frozenset[str]) -> dict[str, object]:
    shown: dict[str, object] = {"type": _type(one), "id": one.id}
    if isinstance(one, Element):
        shown |= _where(one, modes)
    if "meta" in modes:
        shown |= {"timestamp": DRAWN_AT, "version": 1, "changeset": 1, "user": "mapper", "uid": 1}
    if one.tags and modes.isdisjoint(("ids", "skel")):
        shown["tags"] = one.tags
    return shown


def _where(element: Element, modes: frozenset[str]) -> dict[str, object]:
    spot = {"lat": element.latitude, "lon": element.longitude}
    plain = modes.isdisjoint(("ids", "tags"))
    if element.type == "node":
        return dict(spot) if plain or not modes.isdisjoint(("center", "geom", "bb")) else {}
    shown: dict[str, object] = {}
    if "center" in modes:
        shown["center"] = spot
    corners = corner_elements(element)
    if not modes.isdisjoint(("geom", "bb")):
        low, high = corners[0], corners[2]
        shown["bounds"] = {
            "minlat": low.latitude,
            "minlon": low.longitude,
            "maxlat": high.latitude,
            "maxlon": high.longitude,
        }
    if plain:
        shown["nodes"] = [*element.corners, element.corners[0]]
    if "geom" in modes:
        shown["geometry"] = [{"lat": one.latitude, "lon": one.longitude} for one in (*corners, corners[0])]
    return shown
