"""Measure sitemaps: URLs read a second on one core, rows stored a second, and how memory grows with their size."""

from __future__ import annotations

import gzip
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks import ground, sitemap_store
from benchmarks.sitemap_store import Stored
from migrations import upgrade
from services.sitemap import read

SIZES = (50_000, 1_000_000)
TURNS = 3
PIECE = 1_000
HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
NAMES = ("blog/how-to-care-for-your-teeth-part-{}/", "products/item-{}-blue-large", "dentist-{}-austin.html", "p?id={}")


@dataclass(frozen=True, slots=True)
class Parsing:
    """What reading one file came to."""

    urls: int
    is_packed: bool
    urls_per_s: float
    growth_mib: float


def rows(size: int) -> Iterator[str]:
    """Write entries the way most generators do: three in four with a clean address, one with a query."""
    for number in range(size):
        url = "https://www.smith-dental.example/" + NAMES[number % len(NAMES)].format(number)
        day, minute = f"2024-{number % 12 + 1:02}-{number % 28 + 1:02}", f"{number % 24:02}:{number // 24 % 60:02}"
        yield (
            f"<url><loc>{url}</loc><lastmod>{day}T{minute}:00+00:00</lastmod>"
            "<changefreq>weekly</changefreq><priority>0.8</priority></url>\n"
        )


def write(folder: Path, size: int, *, is_packed: bool) -> Path:
    """Write a sitemap of so many URLs, piece by piece."""
    path = folder / f"{size}.xml{'.gz' if is_packed else ''}"
    with gzip.open(path, "wb", compresslevel=6) if is_packed else path.open("wb") as file:
        file.write(HEAD.encode())
        piece: list[str] = []
        for row in rows(size):
            piece.append(row)
            if len(piece) == PIECE:
                file.write("".join(piece).encode())
                piece.clear()
        file.write(("".join(piece) + "</urlset>\n").encode())
    return path


def measure(path: Path, size: int) -> Parsing:
    """Read a file in processes of their own, whose memory nothing else has stretched; the best of some turns counts."""
    told = [_in_a_process(path) for _ in range(TURNS)]
    if any(count != size for count, _, _ in told):
        raise SystemExit(f"sitemap: {told[0][0]} of {size} URLs were read")
    seconds, growth = min(each[1] for each in told), max(each[2] for each in told)
    return Parsing(size, path.suffix == ".gz", size / seconds, growth)


def _in_a_process(path: Path) -> tuple[int, float, float]:
    command = [sys.executable, "-m", "benchmarks.sitemap", str(path)]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    return int(said[0]), float(said[1]), float(said[2])


def _read_one(path: Path) -> None:
    """Read a file and say how many URLs it held, how many seconds of the core and how many MiB it took."""
    before, started = _peak_mib(), time.process_time()
    with path.open("rb") as stream:
        count = sum(1 for _ in read(stream, url="https://www.smith-dental.example/sitemap.xml"))
    print(count, time.process_time() - started, _peak_mib() - before)


def _peak_mib() -> float:
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def measure_parsing() -> list[Parsing]:
    """Measure every size, plain and packed, and print a line each."""
    figures = []
    with tempfile.TemporaryDirectory() as folder:
        for size in SIZES:
            for is_packed in (False, True):
                figures.append(measure(write(Path(folder), size, is_packed=is_packed), size))
                _print(figures[-1])
    return figures


def _print(figure: Parsing) -> None:
    packed = "gz" if figure.is_packed else "plain"
    print(
        f"  {figure.urls:>9,} URLs {packed:>5}: {figure.urls_per_s:,.0f}/s, memory grew by {figure.growth_mib:.1f} MiB"
    )


def growth(figures: list[Parsing], size: int) -> float:
    """Give how much memory the worst file of a size took."""
    return max(figure.growth_mib for figure in figures if figure.urls == size)


def measure_storing() -> list[Stored]:
    """Import every size into a database of our own, and print a line each."""
    with ground.private_servers("actors") as servers:
        upgrade(servers.database_url)
        figures = [sitemap_store.measure(size, turns=TURNS if size == min(SIZES) else 1) for size in SIZES]
    for figure in figures:
        print(
            f"  {figure.urls:>9,} rows stored: {figure.rows_per_s:,.0f}/s, once more: {figure.again_rows_per_s:,.0f}/s,"
            f" memory grew by {figure.growth_mib:.1f} MiB"
        )
    return figures


def main() -> None:
    parsed, stored = measure_parsing(), measure_storing()
    slowest = min(figure.urls_per_s for figure in parsed)
    small, large = (max(growth(parsed, figure.urls), figure.growth_mib) for figure in stored)
    print(
        f"sitemap: parse_urls_per_s={slowest:.0f} stored_rows_per_s={min(figure.rows_per_s for figure in stored):.0f}"
        f" peak_growth_mib={max(small, large):.1f} growth_1m_vs_50k={large / max(small, 0.1):.2f}"
    )


if __name__ == "__main__":
    if len(sys.argv) > 1:
        _read_one(Path(sys.argv[1]))
    else:
        main()
