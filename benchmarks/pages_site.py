"""The pages that both contenders read: the sandbox's own, brought to the length of real ones, served from memory."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice

from benchmarks.pages_filling import filled_up
from sandbox.control import Control
from sandbox.internet import Internet
from sandbox.kinds import GOOD
from sandbox.log import Log
from sandbox.message import Reply, Request
from sandbox.server import Server
from sandbox.siteplan import SitePlan, site_plan
from sandbox.sites import Sites
from sandbox.world import World
from settings import PROJECT_ROOT

SITES, SEED = 160, 7
BUSINESSES = 2 * SITES  # two of three have a site that behaves well
COPIES = 2  # of each page, under addresses of their own: sites show most of their contacts more than once


@dataclass(frozen=True, slots=True)
class Address:
    """One page of a site."""

    site: SitePlan
    path: str
    query: str

    @property
    def url(self) -> str:
        return f"http://{self.site.host}{self.target}"

    @property
    def target(self) -> str:
        return f"{self.path}?{self.query}" if self.query else self.path


def addresses() -> list[Address]:
    """Give every page, going round from site to site."""
    world, good = World(BUSINESSES, SEED), {kind.name for kind in GOOD}
    sites = islice((site_plan(world, each) for each in world if each.site_kind in good), SITES)
    of_sites = [
        [Address(site, page.path, f"copy={copy}" if copy else "") for copy in range(COPIES) for page in site.pages]
        for site in sites
    ]
    longest = max(map(len, of_sites))
    return [pages[number] for number in range(longest) for pages in of_sites if number < len(pages)]


class LongSites:
    """The sandbox's sites with longer pages, each made once."""

    def __init__(self) -> None:
        self._short = Sites(World(BUSINESSES, SEED)).answer
        self._kept = {(each.site.host, each.path, each.query): self._filled_up(each) for each in addresses()}

    def answer(self, request: Request) -> Reply | None:
        """Answer with a long page, or with what the sandbox has, such as a robots.txt."""
        return self._kept.get((request.host, request.path, request.query)) or self._short(request)

    def _filled_up(self, address: Address) -> Reply:
        reply = self._short(Request("GET", address.site.host, address.path, address.query))
        if reply is None or not isinstance(reply.body, bytes) or reply.status != 200:
            raise SystemExit(f"pages: the sandbox does not have {address.url}")
        body = filled_up(reply.body.decode(), address.url).encode()
        return Reply(200, body, reply.content_type, (("ETag", f'"{len(body):x}-{address.query}"'),))


@contextmanager
def serving() -> Iterator[tuple[int, int]]:
    """Serve the pages from a process of its own as long as the block runs; give its port and its process id."""
    command = [sys.executable, "-m", "benchmarks.pages_site"]
    process = subprocess.Popen(
        command, cwd=PROJECT_ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
    )
    try:
        yield json.loads(process.stdout.readline() if process.stdout else b""), process.pid
    finally:
        process.terminate()
        process.communicate()


def main() -> None:
    """Serve, say at which port in one line, and end with whoever started it."""
    internet = Internet(World(BUSINESSES, SEED), sites=LongSites().answer)
    log = Log()
    server = Server(Control(internet, log).answer, log)
    _, port = server.listen()
    server.stop_on_signals()
    server.stop_with_parent()
    sys.stdout.write(f"{port}\n")
    sys.stdout.flush()
    server.run()


if __name__ == "__main__":
    main()
