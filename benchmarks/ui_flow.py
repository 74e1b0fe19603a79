"""What one refresh of the flow page costs the database, by the database's own log; beside one query for each stage."""

from __future__ import annotations

import re
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import httpx

from benchmarks import ground
from benchmarks.api import timed
from pipeline.stage import load_stages

SECONDS = 20.0
# What is open of a stage, by the indexes of open work, each of which is found only when it is asked for.
OF_STAGE = """
SELECT (SELECT count(*) FROM work WHERE stage = %(stage)s AND status = 'Queued' AND sent_at IS NULL)
     + (SELECT count(*) FROM work WHERE stage = %(stage)s AND status = 'Queued' AND sent_at IS NOT NULL),
       (SELECT count(*) FROM work WHERE stage = %(stage)s AND status = 'Processing'),
       (SELECT min(due_at) FROM work WHERE stage = %(stage)s AND status = 'Queued' AND sent_at IS NULL)"""
# Each refresh asks this once; how often it comes adapts to what it costs, so seconds do not count refreshes.
REFRESH = re.compile(r"(?:execute [^:\n]*|statement): [^\n]*FROM stage_controls")
LOGGED = re.compile(r"duration: ([0-9.]+) ms(?:  (parse|bind|execute|statement))?")


@dataclass(frozen=True, slots=True)
class Cost:
    """What a refresh asks of the database, and what one cheap query for each stage would."""

    statements: float
    milliseconds: float
    refreshes: int
    stages: int
    plain_milliseconds: float

    def print(self) -> None:
        print(
            f"  one refresh of the flow page: {self.statements:.1f} statements, {self.milliseconds:.1f} ms of the"
            f" database (mean of {self.refreshes}); one query for each of {self.stages} stages:"
            f" {self.plain_milliseconds:.1f} ms",
            flush=True,
        )


def stages() -> list[str]:
    return [stage.name for stage in load_stages()]


def ask_each_stage(ledger: ground.Ledger) -> None:
    """Count what is open of each stage by a query of its own."""
    for stage in stages():
        ledger.connection.execute(OF_STAGE.encode(), {"stage": stage}).fetchone()


def measure(client: httpx.Client, ledger: ground.Ledger) -> Cost:
    """Follow the flow page for a while, with every statement in the log."""
    plain = min(timed(lambda: ask_each_stage(ledger)) for _ in range(5))
    log = Path(ledger.one("SHOW data_directory")).parent / "postgres.log"
    drawn = threading.Event()
    follower = threading.Thread(target=_follow, args=(client, drawn), daemon=True)
    follower.start()
    drawn.wait(60)
    _log_statements(ledger, "0")
    began_at = log.stat().st_size
    time.sleep(SECONDS)
    _log_statements(ledger, "-1")
    with log.open("rb") as written:
        written.seek(began_at)
        said = written.read().decode(errors="replace")
    lines, refreshes = LOGGED.findall(said), len(REFRESH.findall(said))
    if not refreshes:
        raise SystemExit("ui: the flow page was not refreshed: is its stream still at /flow/events?")
    many = sum(kind in ("execute", "statement") for _, kind in lines)
    total = sum(float(duration) for duration, _ in lines)
    return Cost(many / refreshes, total / refreshes, refreshes, len(stages()), plain)


def _log_statements(ledger: ground.Ledger, least_ms: str) -> None:
    ledger.run(f"ALTER SYSTEM SET log_min_duration_statement = {least_ms}")
    ledger.run("SELECT pg_reload_conf()")
    time.sleep(0.5)


def _follow(client: httpx.Client, drawn: threading.Event) -> None:
    """Look on as a browser does, until the server ends."""
    with suppress(httpx.TransportError), client.stream("GET", "/flow/events") as answer:
        for line in answer.iter_lines():
            if line.startswith("event: drawn"):
                drawn.set()
