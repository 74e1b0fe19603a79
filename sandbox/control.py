"""Control: what the server tells about itself to whoever asks the loopback address and not a host of the world."""

from __future__ import annotations

import json
from dataclasses import asdict

from sandbox.internet import Internet
from sandbox.kinds import KINDS
from sandbox.log import OWN_HOSTS, Log
from sandbox.message import JSON, PLAIN, Reply, Request
from sandbox.truth import pieces as truth_pieces

LINES = "application/x-ndjson; charset=utf-8"


class Control:
    """Answers for the loopback address, and leaves every other host to the world."""

    def __init__(self, internet: Internet, log: Log) -> None:
        self._internet = internet
        self._log = log
        self._routes = {
            "/health": self._health,
            "/hosts": self._hosts,
            "/kinds": self._kinds,
            "/log": self._lines,
            "/truth.json": self._truth,
        }

    def answer(self, request: Request) -> Reply:
        """Answer any request that reaches the server."""
        if request.host not in OWN_HOSTS:
            return self._internet.answer(request)
        route = self._routes.get(request.path)
        if route is None:
            return Reply(404, f"There is {', '.join(self._routes)}.\n".encode(), PLAIN)
        if request.method not in ("GET", "HEAD"):
            return Reply(405, b"Only GET and HEAD.\n", PLAIN, (("Allow", "GET, HEAD"),))
        return route(request)

    def _health(self, _: Request) -> Reply:
        world = self._internet.world
        return _json({"businesses": len(world), "seed": world.seed, "requests": self._log.count})

    def _hosts(self, _: Request) -> Reply:
        return _json(dict(self._internet.visits))

    def _kinds(self, _: Request) -> Reply:
        return _json([asdict(kind) for kind in KINDS])

    def _lines(self, request: Request) -> Reply:
        since = request.parameters.get("since", "0")
        if not (since.isascii() and since.isdecimal() and len(since) < 16):
            return Reply(400, b"since is the number of the last entry you have.\n", PLAIN)
        return Reply(200, self._log.lines(int(since)), LINES)

    def _truth(self, _: Request) -> Reply:
        return Reply(200, truth_pieces(self._internet.world), JSON)


def _json(value: object) -> Reply:
    return Reply(200, json.dumps(value).encode(), JSON)
