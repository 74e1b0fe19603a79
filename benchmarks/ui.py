"""Measure every page at a million pages and a hundred thousand businesses, over real HTTP, beside the plain SQL of its
main question in the same run; and what one refresh of the flow page costs the database."""

from __future__ import annotations

import os
import statistics
import time
from contextlib import suppress
from typing import Any
from uuid import UUID

import httpx

from benchmarks import api_pages, ground, ui_flow, ui_world
from benchmarks.api import Beside, p99, serving, timed
from benchmarks.ui_pages import BUSINESS, PARTS, SEARCH, SHOWN, Shown
from dashboard.visitor import COOKIE
from migrations import upgrade

WARM_UPS, TURNS = 2, 15
# A page that takes longer than this in every second case is too slow.
LONGEST_P50_MS = 150.0
# The same for every web process, and of nobody but benchmarks.
SECRET = "a-secret-that-only-benchmarks-use-0123"
FIND_CONTACT = "SELECT id FROM contacts WHERE tenant_id = %s AND kind = 'email' ORDER BY id OFFSET 50000 LIMIT 1"
FIND_DOMAIN = "SELECT domain_id FROM pages WHERE tenant_id = %s ORDER BY id OFFSET 1000 LIMIT 1"


class Visit:
    """Opens pages and asks the database in turns."""

    def __init__(self, client: httpx.Client, ledger: ground.Ledger, tenant_id: UUID) -> None:
        self.client, self.ledger = client, ledger
        self.values: dict[str, Any] = {
            "tenant": tenant_id, "search": SEARCH, "business": BUSINESS,
            "contact": ledger.one(FIND_CONTACT, tenant_id), "domain": ledger.one(FIND_DOMAIN, tenant_id),
        }  # fmt: skip

    def measure(self, shown: Shown) -> Beside:
        """Open one page again and again, by turns with its SQL."""
        for _ in range(WARM_UPS):
            self._open(shown)
            self._ask(shown)
        pages, plain = [], []
        for _ in range(TURNS):
            pages.append(timed(lambda: self._open(shown)))
            plain.append(timed(lambda: self._ask(shown)))
        return Beside(shown.name, pages, plain)

    def _open(self, shown: Shown) -> None:
        path = shown.path.replace("{contact}", str(self.values["contact"]))
        path = path.replace("{domain}", str(self.values["domain"]))
        answer = self.client.get(path, headers={"HX-Request": "true"} if shown.is_part else {})
        if answer.status_code != httpx.codes.OK:
            raise SystemExit(f"ui: {path} was answered {answer.status_code}: {answer.text[-300:]}")

    def _ask(self, shown: Shown) -> None:
        for sql in shown.sql:
            self.ledger.connection.execute(sql.encode(), self.values).fetchall()

    def refresh(self) -> Beside:
        """Open the flow page's stream, and wait for the first drawing, by turns with one query for each stage."""
        drawn, plain = [], []
        for _ in range(TURNS):
            drawn.append(timed(self._first_drawing))
            plain.append(timed(lambda: ui_flow.ask_each_stage(self.ledger)))
        return Beside("flow, its live part", drawn, plain)

    def _first_drawing(self) -> None:
        with self.client.stream("GET", "/flow/events") as answer, suppress(StopIteration):
            lines = answer.iter_lines()
            while next(lines) != "event: drawn":
                pass


def measure() -> tuple[list[Beside], list[Beside], ui_flow.Cost]:
    """Fill a database of our own, serve, and measure."""
    os.environ["JWT_SECRET_KEY"] = SECRET
    with ground.private_servers("actors") as servers:
        upgrade(servers.database_url)
        ledger = ground.Ledger(servers.database_url)
        started = time.perf_counter()
        tenant_id = ui_world.fill(ledger)
        seconds = time.perf_counter() - started
        print(f"  {api_pages.PAGES:,} pages, {ui_world.BUSINESSES:,} businesses stored in {seconds:.0f} s", flush=True)
        cookies = {COOKIE: ui_world.log_in(ledger, tenant_id)}
        with serving() as url, httpx.Client(base_url=url, cookies=cookies, timeout=120) as client:
            visit = Visit(client, ledger, tenant_id)
            figures = [*(_print(visit.measure(shown)) for shown in SHOWN), _print(visit.refresh())]
            parts = [_print(visit.measure(shown)) for shown in PARTS]
            cost = ui_flow.measure(client, ledger)
        ledger.connection.close()
    return figures, parts, cost


def _print(figure: Beside) -> Beside:
    figure.print()
    return figure


def main() -> None:
    figures, parts, cost = measure()
    cost.print()
    p50s = {figure.name: statistics.median(figure.api_ms) for figure in figures}
    slow = [f"{name} {ms:.0f} ms" for name, ms in p50s.items() if ms > LONGEST_P50_MS]
    print(f"  over {LONGEST_P50_MS:.0f} ms in every second case: {', '.join(slow) or 'none'}")
    worst = max(p50s, key=lambda name: p50s[name])
    print(
        f"ui: pages={len(figures)} median_p50_ms={statistics.median(p50s.values()):.1f}"
        f" worst_p50_ms={p50s[worst]:.1f} worst_page={worst.replace(' ', '-')}"
        f" worst_p99_ms={max(p99(figure.api_ms) for figure in figures):.1f} over_150_ms={len(slow)}"
        f" worst_part_p50_ms={max(statistics.median(figure.api_ms) for figure in parts):.1f}"
        f" flow_refresh_ms={cost.milliseconds:.1f} flow_statements={cost.statements:.1f} stages={cost.stages}"
        f" one_query_per_stage_ms={cost.plain_milliseconds:.1f}"
    )


if __name__ == "__main__":
    main()
