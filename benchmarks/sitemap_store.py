"""What it costs to store a sitemap's pages: rows a second with parsing, judging and dedupe, and how memory grows."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO, cast

from benchmarks import ground
from pipeline import lease, page_store, queue
from pipeline.claim import claim
from pipeline.database import database_url, transaction
from pipeline.lease import Lease
from pipeline.page_store import Run
from pipeline.sitemap_reading import Reading
from pipeline.stage import load_stages, stage_named
from services.sitemap import read
from settings import PROJECT_ROOT, settings

WARM_UP = 10  # connections and caches; the memory that a chunk takes is to count
HEAD = b'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
# What a site's sitemap is made of: mostly posts and things for sale, and a few pages worth a visit.
PATHS = (
    "/blog/2024/{0:02d}/how-we-found-our-way-{1}/",
    "/shop/garden/chairs/item-{1}.html",
    "/news/season-and-garden-{1}",
    "/services/repair-of-kind-{1}/",
    "/catalog/{0}/part-{1}",
)

DOMAIN = """
INSERT INTO domains (tenant_id, name) VALUES (%s, %s)
ON CONFLICT (tenant_id, name) DO UPDATE SET updated_at = now() RETURNING id"""
SITEMAP = """
INSERT INTO sitemap_files (tenant_id, domain_id, url, host) VALUES (%s, %s, '/sitemap.xml', %s)
ON CONFLICT (domain_id, url) DO UPDATE SET updated_at = now() RETURNING id"""


@dataclass(frozen=True)
class Stored:
    """What one import cost."""

    urls: int
    seconds: float
    again_seconds: float
    growth_mib: float

    @property
    def rows_per_s(self) -> float:
        return self.urls / self.seconds

    @property
    def again_rows_per_s(self) -> float:
        return self.urls / self.again_seconds


class Sitemap:
    """A sitemap of so many URLs, written while it is read."""

    def __init__(self, domain: str, urls: int) -> None:
        self._pieces = self._write(domain, urls)
        self._rest = b""

    @staticmethod
    def _write(domain: str, urls: int) -> Iterator[bytes]:
        yield HEAD
        for start in range(0, urls, 500):
            yield "".join(
                f"<url><loc>https://www.{domain}{PATHS[number % len(PATHS)].format(number % 28, number)}</loc>"
                f"<lastmod>2025-{1 + number % 12:02d}-{1 + number % 28:02d}</lastmod></url>\n"
                for number in range(start, min(start + 500, urls))
            ).encode()
        yield b"</urlset>\n"

    def read(self, size: int) -> bytes:
        while not self._rest:
            piece = next(self._pieces, None)
            if piece is None:
                return b""
            self._rest = piece
        given, self._rest = self._rest[:size], self._rest[size:]
        return given


def measure(urls: int, turns: int = 1) -> Stored:
    """Import a sitemap of so many URLs in processes of their own, whose memory is their own; the best turn counts."""
    told = [_in_a_process(urls) for _ in range(turns)]
    fastest = min(told, key=lambda each: each.seconds)
    return replace(fastest, growth_mib=max(each.growth_mib for each in told))


def _in_a_process(urls: int) -> Stored:
    command = [sys.executable, "-m", "benchmarks.sitemap_store", str(urls)]
    done = subprocess.run(command, cwd=PROJECT_ROOT, env=os.environ, check=True, stdout=subprocess.PIPE)
    return Stored(**json.loads(done.stdout.splitlines()[-1]))


def _import(domain: str, urls: int) -> float:
    """Read and store a sitemap as the stage does, and give how long it took."""
    run = _begin(domain)
    started = time.perf_counter()
    reading = Reading(run)
    reading.take_all(read(cast(BinaryIO, Sitemap(domain, urls)), url=f"https://www.{domain}/sitemap.xml"))
    reading.flush()
    page_store.unlist(run)
    if reading.listed != urls:
        raise SystemExit(f"sitemap: {reading.listed} of {urls} pages were stored, without {dict(reading.left_out)}")
    return time.perf_counter() - started


def _begin(domain: str) -> Run:
    """Claim the work of a domain's sitemap, which is new or has ended."""
    ledger, stage = ground.Ledger(database_url()), stage_named("sitemap_import")
    tenant = settings().default_tenant_id
    domain_id = ledger.one(DOMAIN, tenant, domain)
    sitemap_id = ledger.one(SITEMAP, tenant, domain_id, domain)
    ledger.run("DELETE FROM work")
    ledger.run("DELETE FROM hosts")
    ledger.connection.close()
    with transaction() as (_, connection):
        (work_id,) = queue.add(connection, stage, [sitemap_id])
    turn = claim(stage, work_id, lease.current().id)
    if turn is None:
        raise SystemExit("sitemap: the work could not be claimed")
    return page_store.begin(turn, sitemap_id, domain_id)


def _resident_mib(field: str) -> float:
    """Read what the kernel says of this process's memory."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith(field))


def main() -> None:
    """Import once and once more, and print what that cost."""
    load_stages()
    lease.install(Lease(["sitemap"])).renew()
    urls = int(sys.argv[1])
    _import("warm-up.example", WARM_UP)
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # the peak counts from here
    before = _resident_mib("VmRSS")
    seconds, again = (_import(f"{urls}-{os.getpid()}.example", urls) for _ in range(2))
    growth = max(_resident_mib("VmHWM") - before, 0.0)
    print(json.dumps({"urls": urls, "seconds": seconds, "again_seconds": again, "growth_mib": growth}))


if __name__ == "__main__":
    main()
