"""Plan: which world to serve, how and where; the same for the command line and for a child process."""

from __future__ import annotations

import gc
from dataclasses import dataclass
from pathlib import Path

from sandbox.control import Control
from sandbox.internet import Internet
from sandbox.log import Log
from sandbox.server import LOOPBACK, Server
from sandbox.world import World


@dataclass(frozen=True, slots=True)
class Plan:
    """What to serve. A port of 0 takes any free one."""

    businesses: int = 300
    seed: int = 1
    town: str | None = None
    category: str | None = None
    latency: float = 0.0  # seconds
    errors: float = 0.0  # share of the sites' replies
    provider_errors: float = 0.0
    address: str = LOOPBACK
    port: int = 0
    log: str | None = None  # a file

    def world(self) -> World:
        """Make the world."""
        return World(self.businesses, self.seed, town=self.town, category=self.category)

    def server(self, world: World) -> tuple[Server, tuple[str, int]]:
        """Make a server that listens, ready to run, and give its address."""
        internet = Internet(world, self.latency, self.errors, provider_errors=self.provider_errors)
        log = Log(Path(self.log) if self.log else None)
        server = Server(Control(internet, log).answer, log)
        address = server.listen(self.address, self.port)
        gc.collect()
        gc.freeze()  # the world lives as long as the process: no need to look through it again and again
        return server, address
