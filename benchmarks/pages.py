"""Measure pages a second, from queued rows to stored contacts, beside a Scrapy spider with a plain email regex.

Both read the same pages from the same sandbox, in turn. Ours claims, fences, holds leases, respects robots.txt and
commits durably; politeness alone is off, so that hosts are no limit. The spider writes to a file.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

import logs
from benchmarks import extract_time, ground, pages_ours, pages_site
from benchmarks.ground import Ledger
from benchmarks.pages_cpu import Meter, per_page
from benchmarks.pages_filling import LENGTH
from benchmarks.pages_ours import PROCESSES, THREADS, Run
from benchmarks.pages_site import SITES, Address
from settings import PROJECT_ROOT, settings

ROUNDS = int(os.environ.get("BENCH_ROUNDS", "5"))
CONCURRENCY = int(os.environ.get("BENCH_SCRAPY_CONCURRENCY", "16"))
WARM_UP = 2 * SITES  # every robots.txt is known then, as it is when the stages before have read a site
SCRAPY = Path(os.environ.get("SCRAPY_PYTHON", PROJECT_ROOT / ".venv/scrapy/bin/python"))


def main() -> None:
    """Measure everything and print the figures, the last line for machines."""
    if not SCRAPY.exists():
        raise SystemExit(f"pages: Scrapy is not at {SCRAPY}: run `make bench-pages`, which installs it.")
    addresses = pages_site.addresses()
    with pages_site.serving() as (port, sandbox_pid), ground.private_servers("actors") as servers:
        _let_hosts_be_no_limit(port)
        ledger = _prepared(servers.database_url)
        print(f"{len(addresses)} pages of {SITES} hosts a round, {LENGTH // 1000} kB each; ours with")
        print(f"{PROCESSES} processes of {THREADS} threads, Scrapy with {CONCURRENCY} requests at once:")
        ours, scrapy = _rounds(ledger, addresses, port, sandbox_pid)
        print(f"  ours: {pages_ours.stored(ledger)}")
        ledger.connection.close()
    median_ms, worst_ms, _ = extract_time.measure()
    per_s, scrapy_per_s = (statistics.median(run.per_s for run in runs) for runs in (ours, scrapy))
    ratio = statistics.median(mine.per_s / theirs.per_s for mine, theirs in zip(ours, scrapy, strict=True))
    print(
        f"pages: per_s={per_s:.0f} scrapy_per_s={scrapy_per_s:.0f} ratio={ratio:.2f}"
        f" extract_ms_p50={median_ms:.2f} extract_ms_p99={worst_ms:.2f}"
    )


def _let_hosts_be_no_limit(port: int) -> None:
    os.environ |= {
        "ENVIRONMENT": "sandbox",
        "SANDBOX_ADDRESS": f"127.0.0.1:{port}",
        "LANE_GAP_SECONDS": "0",
        "LANE_CAP": "1",
        "LANE_GAP_MAX_SECONDS": "0.000001",
        "SATURATED_EMAILS": "10000",  # every page is to be read
        "dramatiq_queue_prefetch": str(2 * THREADS),
    }
    settings.cache_clear()


def _prepared(url: str) -> Ledger:
    logs.configure()
    from migrations import upgrade
    from pipeline import controls
    from pipeline.broker import has_lost_its_memory
    from pipeline.stage import load_stages, stage_named

    upgrade(url)
    load_stages()
    has_lost_its_memory()  # of a new broker it is true once, and a worker that asks first rings everything anew
    controls.pause(stage_named(pages_ours.NEXT_STAGE), "not measured")
    return Ledger(url)


def _rounds(ledger: Ledger, addresses: Sequence[Address], port: int, sandbox_pid: int) -> tuple[list[Run], list[Run]]:
    """Let both read all pages in turn, several times."""
    ours: list[Run] = []
    scrapy: list[Run] = []
    for number in range(1, ROUNDS + 1):
        ours.append(pages_ours.run(ledger, addresses[:WARM_UP], addresses, sandbox_pid))
        _tell(number, "ours", ours[-1])
        scrapy.append(_scrapy(addresses, port, sandbox_pid))
        _tell(number, "scrapy", scrapy[-1])
    return ours, scrapy


def _tell(number: int, name: str, run: Run) -> None:
    print(f"  round {number}: {name:6} {run.per_s:4.0f} pages/s, {per_page(run.cpu_seconds, run.pages)}", flush=True)


def _scrapy(addresses: Sequence[Address], port: int, sandbox_pid: int) -> Run:
    """Run the spider once; the clock runs from the end of its warm-up to its last page."""
    urls = [f"http://{each.site.host}:{port}{each.target}" for each in (*addresses[:WARM_UP], *addresses)]
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "addresses.txt")
        source.write_text("\n".join(urls))
        command = [SCRAPY, PROJECT_ROOT / "benchmarks/scrapy_spider.py", source, Path(folder, "emails.jsonl")]
        meter = Meter({"sandbox": sandbox_pid})
        done = subprocess.run(
            [*command, str(WARM_UP), str(CONCURRENCY)], stdout=subprocess.PIPE, check=True, cwd=folder
        )
        sandbox = meter.spent()["sandbox"] * len(addresses) / len(urls)
    told = json.loads(done.stdout)
    if told["pages"] != len(urls):
        raise SystemExit(f"pages: Scrapy read {told['pages']} of {len(urls)} pages")
    return Run(len(addresses), told["seconds"], {"scrapy": told["cpu_seconds"], "sandbox": sandbox})


if __name__ == "__main__":
    main()
