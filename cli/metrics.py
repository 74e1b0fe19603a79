"""Metrics in Prometheus' text format, as the web process serves them too."""

from __future__ import annotations

import sys

from cli.ready import ready
from operations import metrics
from pipeline.stage import load_stages


def show() -> None:
    """Print every metric."""
    load_stages()
    ready()
    sys.stdout.write(metrics.text())
