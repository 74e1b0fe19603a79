"""The database's history: bring it up to date, or say in one sentence why it is not."""

from __future__ import annotations

from migrations.runner import check, current, differences, head, upgrade, write_revision

__all__ = ["check", "current", "differences", "head", "upgrade", "write_revision"]
