"""A sandbox in a child process that never outlives its parent."""

from __future__ import annotations

import json
import selectors
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from http.client import HTTPConnection
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from sandbox.plan import Plan
    from sandbox.world import World

START_SECONDS = 120.0
STOP_SECONDS = 10.0
_FOLDER = Path(__file__).resolve().parents[1]


class NotServed(RuntimeError):
    """The sandbox did not start, or it did not answer."""


class Served:
    """A running sandbox."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        # A session of its own: Ctrl-C at the keyboard must not end it before those who ask it for its log.
        self.process = subprocess.Popen(
            [sys.executable, "-m", "sandbox", json.dumps(asdict(plan))],
            cwd=_FOLDER,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        try:
            told = json.loads(self._first_line())
        except (ValueError, NotServed):
            self.stop()
            raise NotServed(f"The sandbox did not start: exit code {self.process.returncode}.") from None
        self.address: tuple[str, int] = (told["address"], told["port"])

    def _first_line(self) -> bytes:
        stdout = cast(IO[bytes], self.process.stdout)
        with selectors.DefaultSelector() as selector:
            selector.register(stdout, selectors.EVENT_READ)
            if not selector.select(START_SECONDS):
                raise NotServed
        return stdout.readline()

    @property
    def url(self) -> str:
        """The control address."""
        return f"http://{self.address[0]}:{self.address[1]}"

    def log(self, since: int = 0) -> list[dict[str, Any]]:
        """Give the requests after a number, in the order in which they came in."""
        return [json.loads(line) for line in self.read(f"/log?since={since}").splitlines()]

    def hosts(self) -> dict[str, int]:
        """Give how often each host was asked."""
        return cast(dict[str, int], json.loads(self.read("/hosts")))

    def read(self, path: str) -> bytes:
        """Read a control route."""
        connection = HTTPConnection(*self.address, timeout=START_SECONDS)
        try:
            connection.request("GET", path)
            response = connection.getresponse()
            if response.status != 200:
                raise NotServed(f"The sandbox answered {response.status} for {path}.")
            return response.read()
        finally:
            connection.close()

    def stop(self) -> None:
        """End the process; its log file is complete afterwards."""
        for pipe in (self.process.stdin, self.process.stdout):
            cast(IO[bytes], pipe).close()
        try:
            self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


@contextmanager
def serving(
    world: World | None = None,
    *,
    businesses: int = 300,
    seed: int = 1,
    latency: float = 0.0,
    errors: float = 0.0,
    provider_errors: float = 0.0,
    log: Path | None = None,
    port: int = 0,
) -> Iterator[Served]:
    """Serve a world, or one of this size and seed, from a process of its own as long as the block runs."""
    from sandbox.plan import Plan

    plan = Plan(businesses, seed, latency=latency, errors=errors, provider_errors=provider_errors, port=port)
    if log is not None:
        plan = replace(plan, log=str(log.resolve()))
    served = Served(plan if world is None else _of(world, plan))
    try:
        yield served
    finally:
        served.stop()


def _of(world: World, plan: Plan) -> Plan:
    town = world.towns[0].label if len(world.towns) == 1 else None
    category = world.categories[0].name if len(world.categories) == 1 else None
    return replace(plan, businesses=len(world), seed=world.seed, town=town, category=category)
