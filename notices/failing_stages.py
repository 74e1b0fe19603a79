"""Failing stages: tell the installation's own webhooks of each alarm about a stage, once for each time it begins."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from notices import outbox
from notices.outbox import Notice
from operations import alarms
from operations.alarms import Alarm
from pipeline.database import Connection, transaction
from pipeline.stage import all_stages
from settings import settings

EVENT = "stage.failing"
LOOK_BACK = timedelta(hours=1)

LISTENING = b"""
SELECT id, url, told_from FROM webhooks
WHERE tenant_id = %(tenant)s AND is_active AND events @> '["stage.failing"]' ORDER BY id FOR SHARE"""


def tell() -> int:
    """Queue messages about every alarm that has begun of late, and give how many."""
    stages = {stage.name for stage in all_stages()}
    begun = [alarm for alarm in alarms.begun_since(datetime.now(UTC) - LOOK_BACK) if alarm.subject in stages]
    if not begun:
        return 0
    with transaction() as (_, connection):
        listening = connection.execute(LISTENING, {"tenant": settings().default_tenant_id}).fetchall()
        return sum(_queue(connection, begun, *webhook) for webhook in listening)


def _queue(connection: Connection, begun: Sequence[Alarm], webhook_id: int, url: str, told_from: datetime) -> int:
    notices = [_notice(alarm) for alarm in begun if alarm.began_at >= told_from]
    return len(outbox.add(connection, webhook_id, url, EVENT, notices))


def _notice(alarm: Alarm) -> Notice:
    began_at = alarm.began_at.isoformat()
    payload = {"alarm": alarm.name, "stage": alarm.subject, "says": alarm.says, "began_at": began_at}
    return Notice(f"{alarm.name} {alarm.subject} {began_at}", payload)
