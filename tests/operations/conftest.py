"""The engine's own fixtures, for what operators see and do."""

from tests.pipeline.conftest import _plain_logs, bells, db, house, stagehand, worker

__all__ = ["_plain_logs", "bells", "db", "house", "stagehand", "worker"]
