"""Measure the sandbox: pages a second and CPU a page of a server on one core with the puller on another, and memory."""

from __future__ import annotations

import itertools
import os
import selectors
import socket
import statistics
import time
from collections.abc import Iterator

import psutil

from sandbox import Served, serving
from sandbox.kinds import GOOD
from sandbox.world import World

BUSINESSES = int(os.environ.get("BENCH_BUSINESSES", "10000"))
PAGES = int(os.environ.get("BENCH_PAGES", "20000"))
ROUNDS = int(os.environ.get("BENCH_ROUNDS", "3"))
CONNECTIONS = 8
WARM_UP = 2000
MIB = 1024 * 1024


def requests(world: World) -> Iterator[bytes]:
    """Ask for the homepage of one good site after the other, over and over, as a polite crawler goes round."""
    good = {kind.name for kind in GOOD}
    hosts = [business.host for business in world if business.site_kind in good and business.host]
    for host in itertools.cycle(hosts):
        yield (
            f"GET / HTTP/1.1\r\nHost: {host}\r\nAccept: */*\r\nAccept-Encoding: gzip, deflate\r\n"
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


def measure(served: Served, world: World) -> tuple[float, float, float, float]:
    """Pull in several rounds; give pages a second, CPU microseconds a page, memory and its growth in MiB."""
    process, puller, source = psutil.Process(served.process.pid), Puller(served.address), requests(world)
    puller.pull(WARM_UP, source)
    rates, costs, memory = [], [], [process.memory_info().rss / MIB]
    for _ in range(ROUNDS):
        started, cpu = time.perf_counter(), sum(process.cpu_times()[:2])
        size = puller.pull(PAGES, source)
        rates.append(PAGES / (time.perf_counter() - started))
        costs.append((sum(process.cpu_times()[:2]) - cpu) / PAGES * 1e6)
        memory.append(process.memory_info().rss / MIB)
        print(
            f"  {rates[-1]:.0f} pages/s of {size / PAGES / 1000:.1f} kB, {costs[-1]:.0f} us CPU a page,"
            f" {memory[-1]:.1f} MiB",
            flush=True,
        )
    return statistics.median(rates), statistics.median(costs), memory[-1], memory[-1] - memory[1]


def main() -> None:
    """Measure, and print the figures, the last line for machines."""
    cores = sorted(os.sched_getaffinity(0))
    world = World(BUSINESSES)
    with serving(world) as served:
        os.sched_setaffinity(served.process.pid, {cores[0]})
        os.sched_setaffinity(0, {cores[-1]})
        print(f"{PAGES} pages a round of a world of {BUSINESSES} businesses, {CONNECTIONS} connections:", flush=True)
        rate, cost, memory, growth = measure(served, world)
    print(
        f"sandbox: pages_per_s={rate:.0f} cpu_us_per_page={cost:.0f} rss_mib_10k={memory:.1f}"
        f" rss_growth_mib={growth:.1f}"
    )


if __name__ == "__main__":
    main()
