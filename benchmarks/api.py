"""Measure the API at a million pages, over real HTTP, beside its plain SQL in the same run: lists, and one selection
of a hundred thousand rows."""

from __future__ import annotations

import os
import signal
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx

from benchmarks import api_pages, api_sql, ground
from benchmarks.api_sql import Shape
from entities import order
from entities.catalog import PAGES
from migrations import upgrade
from services import cursor
from settings import PROJECT_ROOT, settings

LIMIT = 50
WARM_UPS, TURNS = 3, 30
SELECTIONS = 3
SELECTED = api_pages.PAGES // api_pages.DEPTHS

OF_WORK = f"pages JOIN work ON work.stage = '{api_pages.STAGE}' AND work.entity_id = pages.id"
SHAPES = (
    Shape("first page"),
    Shape("deep page", after=api_pages.PAGES // 2),
    Shape("by status", {"where": "page_processing_status=Error"}, "work.status = 'Error'", source=OF_WORK),
    Shape("by kind and score", {"where": ["kind=contact", "score>=95"]}, "kind = 'contact' AND score >= 95"),
    Shape("sorted by score", {"sort": "-score"}, order=("score DESC", "id DESC")),
    Shape("sorted by title", {"sort": "title"}, order=("title", "id")),
)


@dataclass(frozen=True, slots=True)
class Beside:
    """How long one thing took, asked of the API and as plain SQL, in milliseconds."""

    name: str
    api_ms: list[float]
    sql_ms: list[float]

    @property
    def ratio(self) -> float:
        return statistics.median(self.api_ms) / statistics.median(self.sql_ms)

    def print(self) -> None:
        figures = [f"p50 {statistics.median(each):8.1f} p99 {p99(each):8.1f} ms" for each in (self.api_ms, self.sql_ms)]
        print(f"  {self.name:>20}: {figures[0]}, plain SQL {figures[1]}, ratio {self.ratio:.2f}", flush=True)


def p99(values: list[float]) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * 0.99))]


def timed(step: Callable[[], object]) -> float:
    """Give how many milliseconds a step takes."""
    started = time.perf_counter()
    step()
    return (time.perf_counter() - started) * 1000


@contextmanager
def serving() -> Iterator[str]:
    """Serve the application in a process of its own, and give its address."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    given = os.environ | {"WEB_PORT": str(port), "JWT_SECRET_KEY": "a-secret-that-only-benchmarks-use-0123"}
    command = [str(Path(sys.executable).with_name("scrapersky")), "serve"]
    with subprocess.Popen(command, cwd=PROJECT_ROOT, env=given | {"PYTHONPATH": str(PROJECT_ROOT)}) as process:
        try:
            url = f"http://127.0.0.1:{port}"
            ground.wait(lambda: _answers(url), "the web process")
            yield url
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(60)


def _answers(url: str) -> bool:
    try:
        return httpx.get(f"{url}/healthz").status_code < 500
    except httpx.TransportError:
        return False


class Measurement:
    """Asks the API and the database in turns."""

    def __init__(self, client: httpx.Client, ledger: ground.Ledger, tenant_id: UUID) -> None:
        self.client, self.ledger, self.tenant_id = client, ledger, tenant_id

    def lists(self, shape: Shape) -> Beside:
        """List one shape again and again, by turns."""
        asked = {"limit": LIMIT, **shape.asked}
        if shape.after is not None:
            mark = cursor.mark_of(PAGES.name, str(order.read(PAGES, "")), [])
            asked["cursor"] = cursor.write(mark, [str(shape.after)])
        for _ in range(WARM_UPS):
            self._check(shape, asked)
        api, plain = [], []
        for _ in range(TURNS):
            api.append(timed(lambda: self._list(asked)))
            plain.append(timed(lambda: api_sql.list_pages(self.ledger.connection, self.tenant_id, shape, LIMIT)))
        return Beside(shape.name, api, plain)

    def _check(self, shape: Shape, asked: dict[str, Any]) -> None:
        page = self._list(asked)
        rows, total = api_sql.list_pages(self.ledger.connection, self.tenant_id, shape, LIMIT)
        if (len(page["items"]), page["total"]) != (rows, total):
            raise SystemExit(f"api: {shape.name} gave {len(page['items'])} of {page['total']}, SQL {rows} of {total}")

    def _list(self, asked: dict[str, Any]) -> dict[str, Any]:
        return self._told(self.client.get("/api/v3/pages", params=asked))

    def selections(self) -> Beside:
        """Select each depth once, by turns: no row is decided on twice."""
        api, plain = [], []
        for depth in range(1, 2 * SELECTIONS, 2):
            api.append(timed(partial(self._select, depth)))
            plain.append(timed(partial(self._select_plainly, depth + 1)))
        return Beside(f"select {SELECTED:,}", api, plain)

    def _select(self, depth: int) -> int:
        wish = {"status": "Selected", "where": [f"depth={depth}"]}
        told = self._told(self.client.post("/api/v3/pages/curation", json=wish))
        if told["updated_count"] != SELECTED:
            raise SystemExit(f"api: {told['updated_count']} of {SELECTED} rows were selected")
        return int(told["operation_id"])

    def undo(self) -> float:
        """Select a depth once more and give how many seconds it takes to take that back."""
        path = f"/api/v3/operations/{self._select(2 * SELECTIONS + 1)}/undo"
        return timed(lambda: self._told(self.client.post(path))) / 1000

    def _select_plainly(self, depth: int) -> None:
        if (many := api_sql.select_pages(self.ledger.connection, self.tenant_id, depth)) != SELECTED:
            raise SystemExit(f"api: {many} of {SELECTED} rows were selected by SQL")

    @staticmethod
    def _told(answer: httpx.Response) -> dict[str, Any]:
        if answer.status_code != httpx.codes.OK:
            raise SystemExit(f"api: {answer.request.url} was answered {answer.status_code}: {answer.text[:300]}")
        told: dict[str, Any] = answer.json()
        return told


def measure() -> tuple[list[Beside], Beside]:
    """Fill a database of our own, serve, and measure."""
    with ground.private_servers("actors") as servers:
        upgrade(servers.database_url)
        ledger = ground.Ledger(servers.database_url)
        seconds = timed(lambda: api_pages.fill(ledger)) / 1000
        print(f"  {api_pages.PAGES:,} pages of {api_pages.DOMAINS:,} sites stored in {seconds:.0f} s", flush=True)
        tenant_id = settings().default_tenant_id
        key = api_pages.add_key(ledger, tenant_id)
        with (
            serving() as url,
            httpx.Client(base_url=url, headers={"Authorization": f"Bearer {key}"}, timeout=300) as own,
        ):
            measurement = Measurement(own, ledger, tenant_id)
            lists = [measurement.lists(shape) for shape in SHAPES]
            for figure in lists:
                figure.print()
            selections = measurement.selections()
            selections.print()
            print(f"  {f'undo {SELECTED:,}':>20}: {measurement.undo():.2f} s", flush=True)
        ledger.connection.close()
    return lists, selections


def main() -> None:
    lists, selections = measure()
    asked = [each for figure in lists for each in figure.api_ms]
    select_s, select_sql_s = (statistics.median(each) / 1000 for each in (selections.api_ms, selections.sql_ms))
    print(
        f"api: list_p50_ms={statistics.median(asked):.1f} list_p99_ms={p99(asked):.1f}"
        f" list_ratio={max(figure.ratio for figure in lists):.2f} select_rows={SELECTED} select_s={select_s:.2f}"
        f" select_sql_s={select_sql_s:.2f} select_ratio={selections.ratio:.2f}"
    )


if __name__ == "__main__":
    main()
