"""Measure fetching beside bare httpx on the same sandbox and the same pages, and what a bomb costs in memory.

Both open a connection per host and keep it where they can. Ours also checks every address, asks robots.txt, waits its
turn (with a gap of zero), and counts every byte.
"""

from __future__ import annotations

import os
import random
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from threading import local
from typing import Any

import httpx

import logs
from sandbox import Served, serving
from sandbox.kinds import GOOD
from sandbox.world import World
from settings import settings

ROUNDS = 5
HOSTS, THREADS = 200, 32
REQUESTS = 4000
WORLD = World(600, 7)
BOMBS = ("gzip-bomb", "brotli-bomb", "zstd-bomb")
KIB_A_MIB = 1024

Fetch = Callable[[str], int]


@dataclass
class Round:
    """One run of one contender."""

    per_second: float
    cpu_us: float


def main() -> None:
    logs.configure()
    if sys.argv[1:2] == ["bomb"]:
        print(bomb_growth(sys.argv[2]))
        return
    with serving(WORLD) as served:
        os.environ |= {"ENVIRONMENT": "sandbox", "SANDBOX_ADDRESS": f"127.0.0.1:{served.address[1]}"}
        os.environ |= {"LANE_GAP_SECONDS": "0", "LANE_CAP": "100", "LOG_LEVEL": "WARNING"}
        settings.cache_clear()
        share_the_cores(served)
        lead_bare_httpx_to(served.address)
        one = compare("one thread, 20 hosts", urls(20), threads=1, requests=REQUESTS // 4)
        many = compare(f"{THREADS} threads, {HOSTS} hosts", urls(HOSTS), threads=THREADS, requests=REQUESTS)
        growth = max(bomb_in_child(name) for name in BOMBS)
    ours, bare, ratio = many
    print(f"one thread: ratio={one[2]:.2f}")
    print(f"fetch: per_s={ours:.0f} bare_per_s={bare:.0f} ratio={ratio:.2f} bomb_peak_mib={growth:.1f}")


def share_the_cores(served: Served) -> None:
    """Give the sandbox a core of its own, so that neither contender competes with it."""
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) > 1:
        os.sched_setaffinity(served.process.pid, {cores[0]})
        os.sched_setaffinity(0, set(cores[1:]))


def lead_bare_httpx_to(address: tuple[str, int]) -> None:
    """Send bare httpx's connections for .example to the sandbox too: it has no seam for names."""
    connect = socket.create_connection

    def create(target: tuple[str, int], *given: Any, **named: Any) -> socket.socket:
        return connect(address if target[0].endswith(".example") else target, *given, **named)

    socket.create_connection = create  # type: ignore[assignment]


def urls(hosts: int) -> list[str]:
    good = {kind.name for kind in GOOD}
    found = (f"http://{business.host}/" for business in WORLD if business.site_kind in good)
    return list(islice(found, hosts))


def compare(title: str, pages: list[str], *, threads: int, requests: int) -> tuple[float, float, float]:
    """Run both in turn, several times; print each and give our median rate, the bare one, and the median ratio."""
    asked = random.Random(1).choices(pages, k=requests)
    ours, bare = [], []
    for contender in (our_fetch, bare_fetch):  # robots.txt read, pages warm
        run(contender(), pages, threads=threads)
    for _ in range(ROUNDS):
        ours.append(run(our_fetch(), asked, threads=threads))
        bare.append(run(bare_fetch(), asked, threads=threads))
    for name, rounds in (("ours", ours), ("bare httpx", bare)):
        rate, cpu = median(rounds, "per_second"), median(rounds, "cpu_us")
        print(f"{title}: {name}: {rate:.0f} requests/s, {cpu:.0f} µs CPU a request")
    ratio = statistics.median(mine.per_second / theirs.per_second for mine, theirs in zip(ours, bare, strict=True))
    return median(ours, "per_second"), median(bare, "per_second"), ratio


def median(rounds: list[Round], figure: str) -> float:
    return float(statistics.median(getattr(done, figure) for done in rounds))


def run(fetch: Fetch, asked: list[str], *, threads: int) -> Round:
    started, cpu = time.perf_counter(), time.process_time()
    with ThreadPoolExecutor(threads) as pool:
        sizes = list(pool.map(fetch, asked))
    seconds, used = time.perf_counter() - started, time.process_time() - cpu
    assert all(sizes), "a page was empty"
    return Round(len(asked) / seconds, used / len(asked) * 1e6)


def our_fetch() -> Fetch:
    from fetching.web import Web

    return partial(_ours, Web())


def _ours(web: Any, url: str) -> int:
    return len(web.get(url, html=True).text)


def bare_fetch() -> Fetch:
    return partial(_bare, local())


def _bare(of_thread: Any, url: str) -> int:
    client = getattr(of_thread, "client", None)
    if client is None:
        client = of_thread.client = httpx.Client(verify=False)  # nothing here speaks TLS: spare it the certificates
    return len(client.get(url).text)


def bomb_in_child(kind: str) -> float:
    """Measure in a process of its own, whose memory nothing else has stretched."""
    command = [sys.executable, "-m", "benchmarks.fetch", "bomb", kind]
    said = subprocess.run(command, capture_output=True, text=True, check=True)
    print(f"{kind}: peak memory grew by {float(said.stdout):.1f} MiB")
    return float(said.stdout)


def bomb_growth(kind: str) -> float:
    """Fetch an ordinary page, then a bomb of 1 GiB; give how many MiB the process's peak grew by."""
    from errors import Final
    from fetching.web import Web

    web = Web()
    web.get(urls(1)[0])
    before = peak_kib()
    try:
        web.get(f"http://{WORLD.with_kind(kind).host}/")
    except Final as refused:
        went_off = refused.reason != "too-large"
    else:
        went_off = True
    assert not went_off, "the bomb was not defused"
    return (peak_kib() - before) / KIB_A_MIB


def peak_kib() -> int:
    """Read the peak of this process alone: getrusage gives a child its parent's."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0])


if __name__ == "__main__":
    main()
