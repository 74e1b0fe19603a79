"""Measure the sandbox: pages a second and CPU a page of a server on one core with the puller on another, and memory."""

from __future__ import annotations

import itertools
import os
import selectors
import socket
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass

import psutil

from sandbox import serving
from sandbox.business import Business
from sandbox.kinds import GOOD
from sandbox.siteplan import site_plan
from sandbox.world import World

BUSINESSES = int(os.environ.get("BENCH_BUSINESSES", "10000"))
PAGES = int(os.environ.get("BENCH_PAGES", "20000"))
ROUNDS = int(os.environ.get("BENCH_ROUNDS", "3"))
CONNECTIONS = 8
SIDE_BY_SIDE = 200  # sites
PAGES_OF_A_SITE = 4
MIB = 1024 * 1024


def crawl(world: World) -> list[bytes]:
    """Ask for some pages of every good site, many sites side by side, as a polite crawler goes round."""
    walk: list[tuple[str, str]] = []
    sites = [site_plan(world, business) for business in good(world)]
    for start in range(0, len(sites), SIDE_BY_SIDE):
        together = sites[start : start + SIDE_BY_SIDE]
        walk += [
            (site.host, site.pages[n].path) for n in range(PAGES_OF_A_SITE) for site in together if n < len(site.pages)
        ]
    return [request(host, path) for host, path in walk]


def cold(world: World) -> list[bytes]:
    """Ask for one page of every good site, so that no page is helped by one before."""
    return [request(str(business.host), "/") for business in good(world)]


def good(world: World) -> list[Business]:
    names = {kind.name for kind in GOOD}
    return [business for business in world if business.site_kind in names]


def request(host: str, path: str) -> bytes:
    return (
        f"GET {path} HTTP/1.1\r\nHost: {host}\r\nAccept: */*\r\nAccept-Encoding: gzip, deflate\r\n"
        "Connection: keep-alive\r\nUser-Agent: ScraperSky-benchmark/1.0\r\n\r\n"
    ).encode()


class Puller:
    """Several connections, each with one request under way at a time."""

    def __init__(self, address: tuple[str, int]) -> None:
        self.selector = selectors.DefaultSelector()
        self.sockets = [socket.create_connection(address) for _ in range(CONNECTIONS)]
        for each in self.sockets:
            each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.selector.register(each, selectors.EVENT_READ)
        self.arrived = {each: bytearray() for each in self.sockets}

    def pull(self, wanted: int, source: Iterator[bytes]) -> int:
        """Get so many pages and give their bytes."""
        asked, got, size = 0, 0, 0
        for each in self.sockets:
            each.sendall(next(source))
            asked += 1
        while got < wanted:
            for key, _ in self.selector.select():
                connection: socket.socket = key.fileobj  # type: ignore[assignment]
                length = self._take(connection)
                if length is None:
                    continue
                got, size = got + 1, size + length
                if asked < wanted:
                    connection.sendall(next(source))
                    asked += 1
        return size

    def _take(self, connection: socket.socket) -> int | None:
        """Read, and give the length of a page that is whole."""
        page = self.arrived[connection]
        data = connection.recv(256 * 1024)
        if not data:
            raise SystemExit("sandbox: the server closed a connection")
        page += data
        end = page.find(b"\r\n\r\n")
        if end < 0:
            return None
        head = bytes(page[:end])
        if not head.startswith(b"HTTP/1.1 200 "):
            raise SystemExit(f"sandbox: not a page: {head[:200]!r}")
        length = end + 4 + int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
        if len(page) < length:
            return None
        page.clear()
        return length


@dataclass(frozen=True)
class Figures:
    """What one way of pulling gave, in the middle of its rounds."""

    pages_per_s: float
    cpu_us_per_page: float


def measure(name: str, walk: list[bytes], puller: Puller, process: psutil.Process) -> Figures:
    """Pull in several rounds, each going on where the last one stopped."""
    source, rates, costs = itertools.cycle(walk), [], []
    for _ in range(ROUNDS):
        started, cpu = time.perf_counter(), sum(process.cpu_times()[:2])
        size = puller.pull(PAGES, source)
        rates.append(PAGES / (time.perf_counter() - started))
        costs.append((sum(process.cpu_times()[:2]) - cpu) / PAGES * 1e6)
        print(
            f"  {name}: {rates[-1]:.0f} pages/s of {size / PAGES / 1000:.1f} kB, {costs[-1]:.0f} us CPU a page,"
            f" {memory_mib(process):.1f} MiB",
            flush=True,
        )
    return Figures(statistics.median(rates), statistics.median(costs))


def memory_mib(process: psutil.Process) -> float:
    return float(process.memory_info().rss / MIB)


def main() -> None:
    """Measure, and print the figures, the last line for machines."""
    cores = sorted(os.sched_getaffinity(0))
    world = World(BUSINESSES)
    walks = {"crawl": crawl(world), "cold": cold(world)}
    with serving(world) as served:
        os.sched_setaffinity(served.process.pid, {cores[0]})
        os.sched_setaffinity(0, {cores[-1]})
        print(f"{PAGES} pages a round of a world of {BUSINESSES} businesses, {CONNECTIONS} connections:", flush=True)
        process, puller = psutil.Process(served.process.pid), Puller(served.address)
        puller.pull(PAGES, iter(walks["crawl"] * (PAGES // len(walks["crawl"]) + 1)))
        before = memory_mib(process)
        figures = {name: measure(name, walk, puller, process) for name, walk in walks.items()}
        after = memory_mib(process)
    print(
        f"sandbox: pages_per_s={figures['crawl'].pages_per_s:.0f}"
        f" cpu_us_per_page={figures['crawl'].cpu_us_per_page:.0f} rss_mib_10k={after:.1f}"
        f" rss_growth_mib={after - before:.1f} cold_pages_per_s={figures['cold'].pages_per_s:.0f}"
        f" cold_cpu_us_per_page={figures['cold'].cpu_us_per_page:.0f}"
    )


if __name__ == "__main__":
    main()
