"""Real worker processes: a message arrives under the same id though the worker that sent it was killed."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from threading import Event

import psycopg
import pytest

from embedded import Servers
from pipeline import database
from scheduling import invariants
from tests.chaos.processes import wait_until
from tests.notices.receiver import URL, Message, Receiver, listening
from tests.stages.crews import TENANT, CrewAtWork, crew_on
from tests.stages.sites import WORLD

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
ADD = """
WITH webhook AS (
    INSERT INTO webhooks (tenant_id, url, secret, events) VALUES (%s, %s, %s, '["contact.found"]')
    RETURNING id, tenant_id),
lane AS (INSERT INTO hosts (host, gap) VALUES ('hooks.example/webhook-1', '0')),
message AS (
    INSERT INTO webhook_deliveries (tenant_id, webhook_id, event, subject, host)
    SELECT tenant_id, id, 'webhook.test', 'x', 'hooks.example/webhook-1' FROM webhook RETURNING id, tenant_id, host)
INSERT INTO work (tenant_id, stage, entity_id, lane) SELECT tenant_id, 'webhook_delivery', id, host FROM message"""
WHO = "SELECT pid FROM work JOIN workers ON workers.id = worker_id WHERE status = 'Processing'"


@pytest.mark.usefixtures("product_stages")
def test_a_killed_worker_s_message_is_sent_again_under_the_same_id(
    servers: Servers, database_url: str, tmp_path: Path
) -> None:
    killed = Event()

    def kill_the_sender_once(_: Message) -> None:
        if not killed.is_set():
            with psycopg.connect(database_url, autocommit=True) as connection:
                row = connection.execute(WHO.encode()).fetchone()
            assert row is not None
            killed.set()
            os.kill(row[0], signal.SIGKILL)

    with listening(Receiver(before=kill_the_sender_once)) as receiver:
        own = {"SANDBOX_ADDRESS": receiver.address, "LANE_GAP_SECONDS": "0"}
        with crew_on(WORLD, servers, database_url, tmp_path, **own) as (crew, _):
            at_work = CrewAtWork(database_url, crew)
            at_work.rows(ADD, TENANT, URL, SECRET)
            crew.start("worker")
            assert wait_until(lambda: len(receiver.heard) >= 2 and at_work.is_over(), 120)
            crew.stop()
        first, second = receiver.heard
    assert first.id == second.id
    assert first.is_signed_with(SECRET)
    assert second.is_signed_with(SECRET)
    (row,) = at_work.rows(
        "SELECT status, crashes, delivered_at FROM work JOIN webhook_deliveries told ON told.id = entity_id"
    )
    assert (row["status"], row["crashes"]) == ("Completed", 1)
    assert row["delivered_at"] is not None
    database.use(database_url)
    assert [verdict.rule.name for verdict in invariants.check() if verdict.violations] == []
    database.use(None)
