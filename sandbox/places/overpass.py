"""Overpass: queries over the map, a few at a time, and its errors in the HTML that clients trip over."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from html import escape
from urllib.parse import parse_qsl

from sandbox.message import HTML, JSON, PLAIN, Reply, Request
from sandbox.places.faults import Fault, Faults
from sandbox.places.osm_json import out_json
from sandbox.places.osm_map import OsmMap, Run
from sandbox.places.ql import read_query
from sandbox.places.ql_tokens import BadQuery
from sandbox.places.ql_tree import Program
from sandbox.places.refusal import json_reply

MOST_BYTES = 200_000
COPYRIGHT = "The data included in this document is from www.openstreetmap.org. The data is made available under ODbL."
_BUSY = "The server is probably too busy to handle your request."


class Overpass:
    """Answers queries; each holds one of the caller's slots for a while after it came."""

    def __init__(
        self, osm_map: OsmMap, now: Callable[[], float], faults: Faults, slots: int, slot_seconds: float
    ) -> None:
        self.faults = faults
        self.statuses: list[int] = []
        self._map = osm_map
        self._now = now
        self._slots = slots
        self._slot_seconds = slot_seconds
        self._held_until: list[float] = []

    def answer(self, request: Request) -> Reply:
        """Answer one call."""
        if request.path == "/sandbox/calls":
            return json_reply({"calls": len(self.statuses), "statuses": self.statuses[-1_000:]})
        if request.path == "/api/status":
            return self._status()
        if request.path != "/api/interpreter":
            return Reply(404, b"<html><body><h1>Not Found</h1></body></html>", HTML)
        reply = self._admit() or self._interpret(request)
        self.statuses.append(reply.status if not (reply.resets or reply.hangs) else 0)
        return reply

    def _admit(self) -> Reply | None:
        fault = self.faults.next()
        if fault is not None:
            return _fail(fault)
        now = self._now()
        self._held_until = [until for until in self._held_until if until > now]
        if len(self._held_until) >= self._slots:
            return _error(
                429, "runtime error: rate_limited. Please check /api/status for the quota of your IP address."
            )
        self._held_until.append(now + self._slot_seconds)
        return None

    def _interpret(self, request: Request) -> Reply:
        try:
            program = read_query(_query_of(request))
        except BadQuery as bad:
            return _error(400, f"line {bad.line}: parse error: {bad.message}")
        if program.out != "json":
            return _error(400, "line 1: static error: the sandbox answers in JSON only; begin with [out:json];")
        return self._run(program)

    def _run(self, program: Program) -> Reply:
        run = Run(self._map, program)
        run.go()
        return _answer([element for out, found in run.outs for element in out_json(out, found)])

    def _status(self) -> Reply:
        now = self._now()
        held = sorted(until for until in self._held_until if until > now)
        lines = ["Connected as: 1", f"Current time: {_stamp(now)}", f"Rate limit: {self._slots}"]
        if len(held) < self._slots:
            lines.append(f"{self._slots - len(held)} slots available now.")
        lines += [f"Slot available after: {_stamp(until)}, in {int(until - now) + 1} seconds." for until in held]
        return Reply(200, "\n".join([*lines, ""]).encode(), PLAIN)


def _query_of(request: Request) -> str:
    if request.method != "POST":
        return request.parameters.get("data", "")
    if len(request.body) > MOST_BYTES:
        raise BadQuery(1, f"the query is longer than {MOST_BYTES} bytes")
    text = request.body.decode("utf-8", "replace")
    # A form field or, as the real server allows too, the bare query as the body.
    return dict(parse_qsl(text)).get("data", "") if text.startswith("data=") else text


def _answer(elements: list[dict[str, object]], **more: str) -> Reply:
    stamps = {"timestamp_osm_base": "2025-01-01T00:00:00Z", "copyright": COPYRIGHT}
    answer = {"version": 0.6, "generator": "Overpass API (sandbox)", "osm3s": stamps, "elements": elements, **more}
    return Reply(200, json_reply(answer).body, JSON)


def _fail(fault: Fault) -> Reply:
    if fault == "timed-out":
        # The real server has sent its 200 before it knows: only the remark tells.
        return _answer([], remark='runtime error: Query timed out in "query" at line 1 after 25 seconds.')
    if isinstance(fault, int):
        cause = "rate_limited" if fault == 429 else "timeout"
        return _error(fault, f"runtime error: {cause}. {_BUSY}")
    return Reply(hangs=fault == "hang", resets=fault != "hang")


def _error(status: int, message: str) -> Reply:
    page = (
        '<?xml version="1.0" encoding="UTF-8"?>\n<html>\n<head><title>OSM3S Response</title></head>\n<body>\n'
        f"<p>{COPYRIGHT}</p>\n"
        f'<p><strong style="color:#FF0000">Error</strong>: {escape(message)} </p>\n</body>\n</html>\n'
    )
    return Reply(status, page.encode(), HTML)


def _stamp(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
