"""Our side of the measurement: pages queued as rows, read by worker processes, contacts stored, all guarantees on."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import psutil
import redis

from benchmarks.ground import Ledger
from benchmarks.pages_cpu import Meter
from benchmarks.pages_site import Address
from settings import PROJECT_ROOT, settings

PROCESSES = int(os.environ.get("BENCH_PROCESSES", "2"))
THREADS = int(os.environ.get("BENCH_THREADS", "3"))
PATIENCE_SECONDS = 300.0
STAGE, NEXT_STAGE = "page_curation", "contact_validation"

FORGET = "TRUNCATE work, failures, contacts, sightings, pages, domains, local_businesses, places CASCADE"

ADD = """
WITH given AS (SELECT * FROM jsonb_to_recordset(%s::jsonb) AS site(host text, country text, urls jsonb)),
place AS (INSERT INTO places (tenant_id, provider, provider_place_id) SELECT %s::uuid, 'sandbox', host FROM given
          RETURNING id, tenant_id, provider_place_id AS host),
business AS (INSERT INTO local_businesses (tenant_id, place_id, country_code)
             SELECT tenant_id, place.id, country FROM place JOIN given USING (host) RETURNING id, place_id),
domain AS (INSERT INTO domains (tenant_id, name) SELECT tenant_id, host FROM place RETURNING id, tenant_id, name),
link AS (INSERT INTO local_business_domains (tenant_id, local_business_id, domain_id)
         SELECT domain.tenant_id, business.id, domain.id
         FROM domain JOIN place ON place.host = domain.name JOIN business ON business.place_id = place.id),
page AS (INSERT INTO pages (tenant_id, domain_id, url, host) SELECT tenant_id, domain.id, url, name
         FROM domain JOIN given ON given.host = domain.name, jsonb_array_elements_text(urls) AS url
         RETURNING id, tenant_id, host),
lane AS (INSERT INTO hosts (host, cap, gap) SELECT host, %s, '0' FROM given ON CONFLICT DO NOTHING)
INSERT INTO work (tenant_id, stage, entity_id, lane) SELECT tenant_id, %s, id, host FROM page"""

OPEN = f"SELECT count(*) FROM work WHERE stage = '{STAGE}' AND status IN ('Queued', 'Processing')"
NOT_COMPLETED = f"SELECT count(*) FROM work WHERE stage = '{STAGE}' AND status <> 'Completed'"


@dataclass(frozen=True, slots=True)
class Run:
    """What one round took."""

    pages: int
    seconds: float
    cpu_seconds: dict[str, float]

    @property
    def per_s(self) -> float:
        return self.pages / self.seconds


@contextmanager
def workers() -> Iterator[int]:
    """Run worker processes as the Procfile does; give the id of the process that holds them."""
    command = [sys.executable, "-m", "dramatiq", "dramatiq_config", "pipeline.loaded", "--skip-logging"]
    command += ["--processes", str(PROCESSES), "--threads", str(THREADS), "--queues", STAGE]
    with subprocess.Popen(command, cwd=PROJECT_ROOT, start_new_session=True) as process:
        try:
            yield process.pid
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(60)


def run(ledger: Ledger, warm_up: Sequence[Address], pages: Sequence[Address], sandbox_pid: int) -> Run:
    """Read a few pages to warm up, then all of them on empty tables, and give what that took."""
    with workers() as pid:
        _read(ledger, warm_up)
        roots = {"workers": pid, "postgres": _postgres_pid(ledger), "valkey": _valkey_pid(), "sandbox": sandbox_pid}
        _queue(ledger, pages)
        meter, started = Meter(roots), time.perf_counter()
        _ring_and_wait(ledger)
        seconds = time.perf_counter() - started
        spent = meter.spent()
    _expect_all_completed(ledger)
    return Run(len(pages), seconds, spent)


def stored(ledger: Ledger) -> str:
    """Say what the last round left in the database."""
    contacts, sightings = (ledger.one(f"SELECT count(*) FROM {table}") for table in ("contacts", "sightings"))
    waiting = ledger.one("SELECT count(*) FROM work WHERE stage = %s AND status = 'Queued'", NEXT_STAGE)
    return f"{contacts} contacts with {sightings} sightings stored, {waiting} of them queued for validation"


def _read(ledger: Ledger, pages: Sequence[Address]) -> None:
    _queue(ledger, pages)
    _ring_and_wait(ledger)
    _expect_all_completed(ledger)


def _queue(ledger: Ledger, pages: Sequence[Address]) -> None:
    """Forget everything but what is known of hosts, and queue pages anew."""
    sites: dict[str, tuple[str, list[str]]] = {}
    for page in pages:
        sites.setdefault(page.site.host, (page.site.business.town.country, []))[1].append(page.url)
    given = [{"host": host, "country": country, "urls": urls} for host, (country, urls) in sites.items()]
    ledger.run(FORGET)
    ledger.run(ADD, json.dumps(given), settings().default_tenant_id, settings().lane_cap, STAGE)
    ledger.run("VACUUM ANALYZE work, pages, domains, hosts")


def _ring_and_wait(ledger: Ledger) -> None:
    from pipeline import doorbell, window
    from pipeline.stage import stage_named

    doorbell.ring(window.fill(stage_named(STAGE)))
    until = time.monotonic() + PATIENCE_SECONDS
    while ledger.one(OPEN):
        if time.monotonic() > until:
            raise SystemExit(f"pages: {ledger.one(OPEN)} pages are still open after {PATIENCE_SECONDS:.0f} s")
        time.sleep(0.05)


def _expect_all_completed(ledger: Ledger) -> None:
    left = ledger.one(NOT_COMPLETED)
    if left:
        reason = ledger.one(
            f"SELECT reason || ': ' || error FROM work WHERE stage = '{STAGE}' AND status <> 'Completed'"
        )
        raise SystemExit(f"pages: {left} pages were not completed, one of them because of {reason}")


def _postgres_pid(ledger: Ledger) -> int:
    return int(psutil.Process(ledger.connection.info.backend_pid).ppid())


def _valkey_pid() -> int:
    with redis.Redis.from_url(os.environ["REDIS_URL"]) as client:
        return int(client.info("server")["process_id"])
