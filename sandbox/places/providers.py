"""Places: the three providers by their host names."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from threading import Lock

from sandbox.message import Reply, Request
from sandbox.places.faults import Fault, Faults
from sandbox.places.finder import Finder
from sandbox.places.google import Google
from sandbox.places.nominatim import GAP_SECONDS, Nominatim
from sandbox.places.osm_map import OsmMap
from sandbox.places.overpass import Overpass
from sandbox.places.question import Reader
from sandbox.places.quota import Quota
from sandbox.world import World

GOOGLE_HOST = "places.googleapis.example"
OVERPASS_HOST = "overpass.example"
NOMINATIM_HOST = "nominatim.example"

Script = Mapping[int, Fault]


class Places:
    """Answers for all place providers.

    `script` says by provider (google, overpass, nominatim) which call fails how: `{"google": {3: 503, 4: "reset"}}`.
    With `fail_every` every nth call of each provider answers 503. The clock of all limits is `now`.
    """

    def __init__(
        self,
        world: World,
        *,
        now: Callable[[], float] = time.time,
        script: Mapping[str, Script] | None = None,
        fail_every: int = 0,
        calls_per_minute: int | None = None,
        calls_per_day: int | None = None,
        token_seconds: float = 600.0,
        slots: int = 2,
        slot_seconds: float = 1.0,
        gap_seconds: float = GAP_SECONDS,
        osm_percent: int = 70,
    ) -> None:
        scripts = dict(script or {})
        reader = Reader(world.towns, world.categories)
        faults = {name: Faults(scripts.pop(name, None), fail_every) for name in ("google", "overpass", "nominatim")}
        if scripts:
            raise ValueError(f"no provider is called {', '.join(sorted(scripts))}: google, overpass, nominatim")
        quota = Quota(calls_per_minute, calls_per_day)
        self.google = Google(world, Finder(world, reader), now, quota, faults["google"], token_seconds)
        self.overpass = Overpass(OsmMap(world, osm_percent), now, faults["overpass"], slots, slot_seconds)
        self.nominatim = Nominatim(reader.gazetteer, now, faults["nominatim"], gap_seconds)
        self._answers: dict[str, Callable[[Request], Reply]] = {
            GOOGLE_HOST: self.google.answer,
            OVERPASS_HOST: self.overpass.answer,
            NOMINATIM_HOST: self.nominatim.answer,
        }
        # Tests call from many threads; the counters must not lose a call.
        self._lock = Lock()

    def answer(self, request: Request) -> Reply | None:
        """Answer a call; None when the host is no provider."""
        answer = self._answers.get(request.host)
        if answer is None:
            return None
        with self._lock:
            return answer(request)
