"""Internet: which part of the world answers for a host, with the delay and the faults that were asked for."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable
from dataclasses import replace
from hashlib import blake2b

from sandbox.message import PLAIN, Reply, Request
from sandbox.places import Places
from sandbox.sites import Sites
from sandbox.world import World

PROVIDERS = frozenset(("places.googleapis.example", "overpass.example", "nominatim.example"))
MOST_REMEMBERED = 50_000  # faulty URLs that have not been asked for again

Part = Callable[[Request], Reply | None]  # None: no host of this part

NO_SUCH_HOST = Reply(404, b"no such host in this world\n", PLAIN)
FAULTS = (
    Reply(500, b"Internal server error.\n", PLAIN),
    Reply(503, b"Service unavailable.\n", PLAIN),
    Reply(resets=True),
)


class Internet:
    """Answers for every host of a world, and counts who was asked how often."""

    def __init__(
        self,
        world: World,
        latency: float = 0.0,
        errors: float = 0.0,
        *,
        provider_errors: float = 0.0,
        sites: Part | None = None,
        places: Part | None = None,
    ) -> None:
        self.world = world
        self.latency = latency
        self.visits: Counter[str] = Counter()  # by host without www.
        self._errors, self._provider_errors = errors, provider_errors
        self._sites = sites or Sites(world).answer
        self._places = places or Places(world).answer
        self._failed: OrderedDict[int, None] = OrderedDict()

    def answer(self, request: Request) -> Reply:
        """Answer as the host would, after the delay that was asked for."""
        reply = self._answer(request)
        return replace(reply, wait_seconds=reply.wait_seconds + self.latency) if self.latency else reply

    def _answer(self, request: Request) -> Reply:
        host = request.host.removeprefix("www.")
        is_provider = host in PROVIDERS
        visit = self.visits[host] + 1
        reply = (self._places if is_provider else self._sites)(_on_visit(request, visit))
        if reply is None:  # not counted: anyone can make up hosts without end
            return NO_SUCH_HOST
        self.visits[host] = visit
        errors = self._provider_errors if is_provider else self._errors
        if errors and self._fails(host, visit, request, errors):
            return FAULTS[_chance(self.world.seed, host, visit, "fault") * len(FAULTS) >> 64]
        return reply

    def _fails(self, host: str, visit: int, request: Request, errors: float) -> bool:
        """Decide by seed, host and visit; never twice in a row for one URL, so that a second try succeeds."""
        url = _chance(self.world.seed, host, 0, f"{request.path}?{request.query}")
        if url in self._failed:
            del self._failed[url]
            return False
        if _chance(self.world.seed, host, visit, "whether") >= errors * 2**64:
            return False
        self._failed[url] = None
        if len(self._failed) > MOST_REMEMBERED:
            self._failed.popitem(last=False)
        return True


def _on_visit(request: Request, visit: int) -> Request:
    return Request(
        request.method, request.host, request.path, request.query, request.headers, request.body, visit
    )  # a third of what dataclasses.replace costs


def _chance(seed: int, host: str, visit: int, purpose: str) -> int:
    """Draw a number below 2**64 that is the same in every process."""
    return int.from_bytes(blake2b(f"{seed}:{host}:{visit}:{purpose}".encode(), digest_size=8).digest())
