"""Place providers of the sandbox: Google Places (New), Overpass and Nominatim."""

from weakref import WeakKeyDictionary

from sandbox.message import Reply, Request
from sandbox.places.providers import Places
from sandbox.world import World

__all__ = ["Places", "answer"]

_PLACES: WeakKeyDictionary[World, Places] = WeakKeyDictionary()


def answer(world: World, request: Request) -> Reply | None:
    """Answer with the world's providers as they are without options; None when the host is no provider."""
    places = _PLACES.get(world)
    if places is None:
        places = _PLACES[world] = Places(world)
    return places.answer(request)
