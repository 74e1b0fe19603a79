"""`python -m tests.chaos`: break everything for some minutes and prove that nothing was lost, doubled or hurried."""

from __future__ import annotations

import argparse
import logging
import secrets
import shutil
import signal
import sys
import time
from dataclasses import replace
from pathlib import Path

import structlog

from tests.chaos.campaign import Campaign
from tests.chaos.plan import KINDS, Plan, short
from tests.chaos.recovery import Recoveries, percentile
from tests.chaos.verdict import Verdict, judge
from tests.chaos.world import world


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**6), help="repeat a draw")
    parser.add_argument("--short", action="store_true", help="fewer items, quicker clocks: under a minute")
    parser.add_argument("--items", type=int, help="how many entities travel")
    parser.add_argument("--faults", type=int, help="how many faults")
    parser.add_argument("--kinds", nargs="+", choices=list(KINDS), help="only these kinds of fault")
    parser.add_argument("--verbose", action="store_true", help="tell every fault")
    parser.add_argument("--logs", type=Path, help="keep the processes' logs in this directory")
    return parser.parse_args()


def make_plan(arguments: argparse.Namespace) -> Plan:
    """Take the full or the short plan, with what was asked for on top."""
    plan = short(arguments.seed) if arguments.short else Plan(arguments.seed)
    kinds = tuple(arguments.kinds or plan.kinds)
    return replace(plan, items=arguments.items or plan.items, faults=arguments.faults or plan.faults, kinds=kinds)


def run(plan: Plan, logs: Path | None) -> tuple[Campaign, Verdict, Recoveries]:
    """Run a campaign in a world of its own and judge it there."""
    with world(plan.settings) as made:
        campaign = Campaign(made, plan)
        try:
            campaign.run()
            return campaign, judge(made, campaign), Recoveries(made, campaign.havoc.faults)
        finally:
            if logs:
                shutil.copytree(made.logs, logs, dirs_exist_ok=True)


def report(verdict: Verdict, recoveries: Recoveries) -> None:
    """Say what was found, and as the last line the sum of it."""
    for line in [*verdict.findings[:40], *verdict.remarks, *recoveries.warnings(), *recoveries.table()]:
        say(line)
    times = recoveries.all_times
    say(
        f"chaos: items={verdict.items} faults={recoveries.count} lost={len(verdict.lost)} "
        f"duplicated={len(verdict.duplicated)} late_finishes_rejected={verdict.late_finishes} "
        f"lane_violations={len(verdict.lane_violations)} "
        f"recovery_p50_s={percentile(times, 50):.1f} recovery_p99_s={percentile(times, 99):.1f}"
    )


def main() -> int:
    arguments = read_arguments()
    plan = make_plan(arguments)
    # Leave through the finally blocks: whoever ends us leaves no process and no directory behind.
    for name in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(name, lambda number, _: sys.exit(f"chaos: ended by {signal.Signals(number).name}"))
    # Our own rings fail while the broker is away; that is no news.
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    say(f"chaos: seed={plan.seed}, {plan.items} items, {plan.faults} faults of {len(plan.kinds)} kinds")
    began = time.monotonic()
    _, verdict, recoveries = run(plan, arguments.logs)
    for line in recoveries.story if arguments.verbose else ():
        say(line)
    say(f"took {time.monotonic() - began:.0f} s")
    report(verdict, recoveries)
    return 1 if verdict.findings else 0


if __name__ == "__main__":
    sys.exit(main())
