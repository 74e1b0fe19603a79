"""The short campaign: every kind of fault once, against running processes."""

from __future__ import annotations

import re
import subprocess
import sys

from settings import PROJECT_ROOT
from tests.chaos.plan import KINDS

LAST_LINE = re.compile(
    r"chaos: items=(\d+) faults=(\d+) lost=0 duplicated=0 late_finishes_rejected=\d+ lane_violations=0 "
    r"recovery_p50_s=[\d.]+ recovery_p99_s=[\d.]+"
)


def test_nothing_is_lost_doubled_or_hurried_while_everything_breaks() -> None:
    """In a process and on servers of its own, because it kills them."""
    command = [sys.executable, "-m", "tests.chaos", "--short"]
    run = subprocess.run(command, cwd=PROJECT_ROOT, capture_output=True, text=True, timeout=240, check=False)
    said = run.stdout + run.stderr
    assert run.returncode == 0, said
    last = LAST_LINE.fullmatch(run.stdout.splitlines()[-1])
    assert last is not None, said
    assert int(last[2]) >= len(KINDS), said
