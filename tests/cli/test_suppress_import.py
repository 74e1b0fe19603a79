"""`scrapersky suppress import`: one column is read, and the others are not left out in silence."""

from __future__ import annotations

from pathlib import Path

from embedded import Servers
from tests.cli.terminal import scrapersky


def test_columns_that_were_not_read_are_named(tmp_path: Path, db: str, servers: Servers) -> None:
    file = tmp_path / "stop.csv"
    file.write_text("email;phone;who\nann@acme.example;+15125550100;Ann\n")
    own = {"DATABASE_URL": db, "REDIS_URL": servers.broker_url}
    both = scrapersky(tmp_path, "suppress", "import", str(file), **own)
    assert both.stdout.startswith("1 added to the list")
    assert "these were not: phone, who." in both.stderr
    assert scrapersky(tmp_path, "suppress", "check", "+15125550100", **own).returncode == 1
    scrapersky(tmp_path, "suppress", "import", str(file), "--column", "phone", **own)
    assert scrapersky(tmp_path, "suppress", "check", "+15125550100", "ann@acme.example", **own).returncode == 0
