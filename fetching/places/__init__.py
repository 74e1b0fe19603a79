"""Place providers: Google Places (New), OpenStreetMap, and the sandbox that stands in for Google."""

from errors import BadInput
from fetching.places.google import google, sandbox
from fetching.places.openstreetmap import OpenStreetMap
from fetching.places.provider import Call, PlacePage, Provider

__all__ = ["Call", "PlacePage", "Provider", "provider_named"]


def provider_named(name: str) -> Provider:
    """Give the provider of a search, as the settings have it now."""
    if name == "google":
        return google()
    if name == "sandbox":
        return sandbox()
    if name in ("openstreetmap", "osm"):
        return OpenStreetMap()
    raise BadInput(f"There is no provider {name!r} to ask: there are google, openstreetmap and sandbox.")
