"""Demo: the whole product on a made-up internet, from nothing to leads, compared with the truth; nothing is left."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path

from cli.text import note, say
from errors import UserError
from sandbox import serving
from sandbox.world import World
from settings import use

PLAY_MONEY = Decimal(1000)
TOWN, CATEGORY = "Austin, TX", "dentist"

# Nobody is behind these sites, so they are asked without the pauses that strangers' sites get, and given up early.
HASTE = {
    "ENVIRONMENT": "sandbox",
    "LANE_GAP_SECONDS": "0.02",
    "LANE_GAP_MAX_SECONDS": "0.5",
    "ROBOTS_RETRY_SECONDS": "1",
    "BACK_OFF_SECONDS": "0.5",
    "FETCH_CONNECT_SECONDS": "1",
    "FETCH_READ_SECONDS": "2.5",
    "FETCH_TOTAL_SECONDS": "3",
    "GOOGLE_CALLS_PER_SECOND": "100",
    "PROVIDER_DAILY_BUDGET_USD": "10000",
}
# What a developer has set for his own work would lead the demo astray.
NOT_OURS = ("DATABASE_URL", "REDIS_URL", "BROKER_URL", "STAGE_MODULES", "PROXY_URL", "WEB_PORT", "DEFAULT_TENANT_ID")


def demo(businesses: int, seed: int, *, keep: bool) -> None:
    """Run it, and fail unless all counts reconcile and what was found is right; Ctrl-C ends it with all that runs."""
    try:
        _demo(businesses, seed, keep=keep)
    except KeyboardInterrupt:
        note("Stopped; nothing is left running.")
        raise


def _demo(businesses: int, seed: int, *, keep: bool) -> None:
    from cli import machine

    machine.interrupt_on_signals()
    world = World(businesses, seed, town=TOWN, category=CATEGORY)
    note(f"A made-up town of {businesses} dentists, their sites and the hostile ones among them are served from here.")
    with _directory() as root, serving(world) as served:
        _set_environment(root, served.address)
        _run(world, keep=keep)


@contextmanager
def _directory() -> Iterator[Path]:
    """Give the demo's servers a directory that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="scrapersky-demo-") as root:
        yield Path(root)


def _set_environment(root: Path, address: tuple[str, int]) -> None:
    own = {"SCRAPERSKY_DIR": str(root), "SANDBOX_ADDRESS": f"{address[0]}:{address[1]}"}
    use(HASTE | own, without=NOT_OURS)


def _run(world: World, *, keep: bool) -> None:
    from cli import demo_report, run
    from cli.machine import check_before_start, servers
    from cli.ready import quiet_logs
    from cli.watch import follow
    from pipeline import searches
    from pipeline.search_order import Order

    quiet_logs()
    check_before_start()
    began = time.monotonic()
    with servers() as parts, run.workers(parts) as check:
        order = Order(f"{CATEGORY}s", TOWN, provider="sandbox", max_places=len(world), budget_usd=PLAY_MONEY)
        search_id = searches.start(order)
        view = follow(search_id, check=check)
        run.report(view)
        result = demo_report.report(view, world, seconds=time.monotonic() - began)
        if keep:
            _stay(search_id)
    if not result.is_right:
        raise UserError(f"The demo fell short: {result.why}.")


def _stay(search_id: int) -> None:
    from settings import settings

    say("It goes on until Ctrl-C. In another terminal:")
    say(f"export SCRAPERSKY_DIR={settings().scrapersky_dir} ENVIRONMENT=sandbox"
        f" SANDBOX_ADDRESS={settings().sandbox_address}")  # fmt: skip
    say(f"scrapersky search show {search_id}")
    while True:
        time.sleep(3600)
