"""Measure the engine beside a bare chain: throughput, hand-off latency, growth with history, messages in the broker."""

from __future__ import annotations

import os
import statistics
import time

import redis

import logs
from benchmarks import ground
from benchmarks.ground import Ledger, wait, workers

ITEMS = int(os.environ.get("BENCH_ITEMS", "1500"))
ROUNDS = int(os.environ.get("BENCH_ROUNDS", "3"))
HISTORY = int(os.environ.get("BENCH_HISTORY", "1000000"))
QUEUED = int(os.environ.get("BENCH_QUEUED", "200000"))
WALKS = int(os.environ.get("BENCH_WALKS", "60"))
HOPS = 6
WARM_UP = 100
BACKLOG_SECONDS = 15.0

ENGINE_DONE = "SELECT count(*) FROM work WHERE stage = 'hop_6' AND status = 'Completed' AND id > %s"
BARE_DONE = "SELECT count(*) FROM bare WHERE hop = 6 AND status = 'Completed' AND id > %s"


def run_bare(ledger: Ledger, tag: str, items: int) -> float:
    """Send items through the bare chain and give hops a second."""
    from benchmarks.bare_chain import ACTORS

    newest = ledger.one("SELECT coalesce(max(id), 0) FROM bare")
    names = [f"{tag}-{number}" for number in range(items)]
    ids = ledger.connection.execute(
        b"INSERT INTO bare (hop, name) SELECT 1, unnest(%s::text[]) RETURNING id", (names,)
    ).fetchall()
    started = time.perf_counter()
    for (row_id,) in ids:
        ACTORS[1].send(row_id)
    wait(lambda: ledger.one(BARE_DONE, newest) == items, "the bare chain")
    return items * HOPS / (time.perf_counter() - started)


def run_engine(ledger: Ledger, tag: str, items: int) -> float:
    """Send items through the engine's chain and give hops a second."""
    newest = ledger.one("SELECT coalesce(max(id), 0) FROM work")
    ledger.add_puppets(tag, items)
    started = time.perf_counter()
    ring_first()
    wait(lambda: ledger.one(ENGINE_DONE, newest) == items, "the engine's chain")
    return items * HOPS / (time.perf_counter() - started)


def ring_first() -> None:
    from pipeline import doorbell, window
    from pipeline.stage import stage_named

    doorbell.ring(window.fill(stage_named("hop_1")))


def throughput(ledger: Ledger) -> tuple[float, float]:
    """Run the chains in turn, several times, and give the medians of engine and bare."""
    rates: dict[str, list[float]] = {"engine": [], "bare": [], "tuned bare": []}
    for number in range(ROUNDS):
        for name in rates:
            rates[name].append(one_round(ledger, name, number))
        print("  " + ", ".join(f"{name} {values[-1]:.0f}" for name, values in rates.items()) + " hops/s", flush=True)
    medians = {name: statistics.median(values) for name, values in rates.items()}
    print("  medians: " + ", ".join(f"{name} {value:.0f}" for name, value in medians.items()) + " hops/s")
    beside_tuned = medians["engine"] / medians["tuned bare"]
    print(f"  beside a bare chain tuned to one statement a commit, as the engine is: {beside_tuned:.2f}")
    return medians["engine"], medians["bare"]


def one_round(ledger: Ledger, name: str, number: int) -> float:
    modules = ("dramatiq_config", "pipeline.loaded") if name == "engine" else ("benchmarks.bare_chain:broker",)
    style = "tuned" if name == "tuned bare" else "plain"
    run = run_engine if name == "engine" else run_bare
    with workers(*modules, BARE_STYLE=style):
        run(ledger, f"{name}-warm-{number}", WARM_UP)
        return run(ledger, f"{name}-{number}", ITEMS)


def handoffs_ms(ledger: Ledger) -> list[float]:
    """Send single items through an idle machine and read each hand-off from the rows."""
    newest = ledger.one("SELECT max(id) FROM work")
    with workers("dramatiq_config", "pipeline.loaded"):
        run_engine(ledger, "walk-warm", WARM_UP)
        for number in range(WALKS):
            last = ledger.one("SELECT max(id) FROM work")
            ledger.add_puppets(f"walk{number}", 1)
            ring_first()
            wait(lambda last=last: ledger.one(ENGINE_DONE, last) == 1, "a walk", pause=0.2)  # type: ignore[misc]
    rows = ledger.connection.execute(
        b"SELECT extract(epoch FROM child.started_at - parent.finished_at)::float8 * 1000 FROM work child"
        b" JOIN work parent ON parent.id = child.parent_id JOIN puppets ON puppets.id = child.entity_id"
        b" WHERE child.id > %s AND puppets.name ~ '^walk[0-9]'",
        (newest,),
    ).fetchall()
    return sorted(row[0] for row in rows)


def backlog_peak(ledger: Ledger, client: redis.Redis) -> int:
    """Let workers run against a long queue and give the most messages ever seen in the broker."""
    ledger.add_puppets("backlog", QUEUED)
    ledger.run("ANALYZE work")
    peak, before = 0, ledger.one(ENGINE_DONE, 0)
    with workers("dramatiq_config", "pipeline.loaded"):
        ring_first()
        until = time.monotonic() + BACKLOG_SECONDS
        while time.monotonic() < until:
            peak = max(peak, ground.broker_messages(client))
            time.sleep(0.02)
    rung = ledger.one("SELECT count(*) FROM work WHERE status = 'Queued' AND sent_at IS NOT NULL")
    done = ledger.one(ENGINE_DONE, 0) - before
    print(f"  {QUEUED:,} rows queued: {done} items went through meanwhile, {rung} rows rung at the end")
    return peak


def at(share: float, values: list[float]) -> float:
    return values[min(int(len(values) * share), len(values) - 1)]


def main() -> None:
    """Measure everything and print the figures, the last line for machines."""
    with ground.private_servers("benchmarks.engine_chain") as servers:
        logs.configure()
        from pipeline.stage import load_stages

        load_stages()
        ground.prepare(servers.database_url)
        ledger = Ledger(servers.database_url)
        client = redis.Redis.from_url(servers.broker_url)
        print(
            f"throughput, {ITEMS} items through {HOPS} hops, {ground.PROCESSES} processes of {ground.THREADS} threads:"
        )
        engine, bare = throughput(ledger)
        print(f"hand-off on an idle machine, {WALKS} walks:")
        waits = handoffs_ms(ledger)
        print(f"  p50 {at(0.5, waits):.1f} ms, p99 {at(0.99, waits):.1f} ms, most {waits[-1]:.1f} ms")
        print("messages in the broker:")
        peak = backlog_peak(ledger, client)
        ledger.connection.close()
        print("cost of history:")
        from benchmarks.growth import measure_growth

        claim_growth, sweep_growth = measure_growth(servers.database_url, HISTORY)
    print(
        f"engine: hops_per_s={engine:.0f} bare_hops_per_s={bare:.0f} ratio={engine / bare:.2f}"
        f" handoff_p50_ms={at(0.5, waits):.1f} handoff_p99_ms={at(0.99, waits):.1f}"
        f" claim_growth={claim_growth:.2f} sweep_growth={sweep_growth:.2f} broker_messages_peak={peak}"
    )


if __name__ == "__main__":
    main()
