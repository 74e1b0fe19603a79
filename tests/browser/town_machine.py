"""The machine of the town: work in every state, workers, alarms, standing orders, and people's traces."""

from __future__ import annotations

import re

# Stage, its entities' table, and of ten rows how they ended.
STAGES = (
    ("search", "searches", "CCCCCCCCCC"),
    ("search_area", "search_areas", "CCCCCCCCCQ"),
    ("deep_scan", "places", "CCCCCCCEQP"),
    ("domain_extraction", "local_businesses", "CCCCCCCFFC"),
    ("domain_metadata", "domains", "CCCCCCEEFQ"),
    ("sitemap_analysis", "domains", "CCCCCCCCFQ"),
    ("sitemap_import", "sitemap_files", "CCCCCCCCEQ"),
    ("page_ranking", "domains", "CCCCCCCCCQ"),
    ("page_curation", "pages", "CCCCCFFEQX"),
    ("contact_validation", "contacts", "CCCCCCCCCP"),
)
STATUSES = (
    "('C', 'Completed'), ('Q', 'Queued'), ('P', 'Processing'), ('E', 'Error'), ('F', 'Filtered'), ('X', 'Cancelled')"
)

WORK = """
INSERT INTO work (tenant_id, stage, entity_id, status, lane, reason, error, token, attempts, queued_at, due_at,
                  started_at, finished_at, deadline_at, worker_id)
SELECT tenant_id, '{stage}', id, status, CASE WHEN id % 3 > 0 THEN 'site' || id % 7 || '.example' END,
       CASE status WHEN 'Error' THEN (ARRAY['timeout', 'blocked', 'server-error'])[1 + id / 10 % 3]
                   WHEN 'Filtered' THEN 'low-score' WHEN 'Cancelled' THEN 'cancelled'
                   WHEN 'Completed' THEN 'no-new-children' END,
       CASE status WHEN 'Error' THEN 'site' || id || '.example did not answer: ' || @hack END,
       1, CASE status WHEN 'Queued' THEN 2 ELSE 1 + id % 5 END, now() - interval '20 minutes',
       now() + CASE status WHEN 'Queued' THEN interval '1 day' ELSE interval '-20 minutes' END,
       CASE WHEN status <> 'Queued' THEN now() - interval '3 minutes' END,
       CASE WHEN status NOT IN ('Queued', 'Processing') THEN now() - (170 - id % 60) * interval '1 second' END,
       CASE status WHEN 'Processing' THEN now() + interval '1 day' END,
       CASE status WHEN 'Processing' THEN '{worker}'::uuid END
FROM (SELECT *, substr('{how}', 1 + (id % 10)::int, 1) AS letter FROM {table} WHERE id <= 400) entity
JOIN (VALUES {statuses}) AS meant(letter, status) USING (letter)"""

RESIDENT = "33333333-3333-4333-8333-333333333333"
ALIVE, DEAD = "11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"

MACHINE = (
    """
UPDATE work child SET parent_id = parent.id FROM work parent
WHERE child.stage = 'deep_scan' AND parent.stage = 'search' AND parent.entity_id = 1
   OR child.stage = 'domain_extraction' AND parent.stage = 'deep_scan' AND parent.entity_id = child.entity_id
   OR child.stage = 'domain_metadata' AND parent.stage = 'domain_extraction' AND parent.entity_id = child.entity_id""",
    """
INSERT INTO failures (work_id, attempt, kind, reason, error)
SELECT id, nth, 'passing', reason, error FROM work, generate_series(1, 3) nth WHERE status = 'Error'""",
    """
INSERT INTO workers (id, host, pid, queues, beat_at, expires_at, buried_at)
VALUES ('{alive}', 'machine-1', 4242, ARRAY['domain_metadata', 'page_curation'], now(), now() + interval '1 day', NULL),
       ('{dead}', @hack, 4243, ARRAY['search'], now() - interval '1 hour', now() - interval '1 hour', NULL)""",
    """
INSERT INTO alarms (name, subject, says, began_at, ended_at)
VALUES ('nothing-finishes', 'domain_metadata', 'nothing of domain_metadata has finished for 5 minutes', now(), NULL),
       ('no-worker', '', 'no worker is alive for work that is due ' || @hack, now() - interval '1 day', now())""",
    """
INSERT INTO stage_minutes (stage, minute, tenant_id, completed, filtered, error, retried, seconds)
SELECT stage, date_trunc('minute', now()) - n * interval '1 minute', @tenant, (n * 7 + length(stage)) % 40, n % 5,
       n % 3, n % 2, n * 1.5
FROM (SELECT DISTINCT stage FROM work) known, generate_series(0, 59) n""",
    """
INSERT INTO jobs (name, kind, trigger, next_run_at, last_run_at, last_seconds, last_result, last_detail, reported_by)
VALUES ('watch_alarms', 'sweeper', '* * * * *', now() + interval '1 minute', now(), 0.01, 'executed', 'nothing', 'm:1'),
       ('sweep_deep_scan', 'sweeper', '*/5 * * * *', now(), now() - interval '5 minutes', 1.5, 'error', @hack, 'm:1'),
       ('read-schedules', 'clock', 'interval[0:00:10]', now(), now(), NULL, 'executed', '2 schedules', 'm:2')""",
    """
INSERT INTO invariant_checks (name, violations, detail)
VALUES ('processing-is-owned', 0, NULL), ('lanes-are-kept', 2, @hack)""",
    "INSERT INTO stage_controls (stage, paused, \"window\", note) VALUES ('page_curation', true, 50, @hack)",
    "INSERT INTO hosts (host) SELECT DISTINCT lane FROM work WHERE lane IS NOT NULL",
)

PEOPLE = (
    """
INSERT INTO users (id, tenant_id, email, name, role)
VALUES ('{resident}', @tenant, 'jo@example.org', @hack, 'curator')""",
    """
INSERT INTO schedules (tenant_id, name, stage, entity_id, cron, timezone, enabled, created_by_id)
VALUES (@tenant, 'Every morning', 'search', 1, '0 6 * * *', 'America/Chicago', true, @user),
       (@tenant, @hack, 'search', 2, '*/5 * * * *', 'UTC', false, @user)""",
    """
INSERT INTO schedule_fires (tenant_id, schedule_id, fire_at, result, error)
VALUES (@tenant, 1, now() - interval '1 day', 'queued', NULL),
       (@tenant, 1, now() - interval '2 days', 'error', @hack)""",
    """
INSERT INTO batches (tenant_id, kind, name, created_by_id)
VALUES (@tenant, 'domain', 'From the fair', @user), (@tenant, 'domain', @hack, @user)""",
    """
INSERT INTO batch_items (tenant_id, batch_id, row_number, raw, result, reason, stage, entity_id)
SELECT @tenant, 1, n, 'site' || n || '.example', 'added', NULL, 'domain_metadata', n FROM generate_series(1, 40) n
UNION ALL SELECT @tenant, 1, n, @hack, 'rejected', 'bad-url', NULL, NULL FROM generate_series(41, 45) n""",
    """
INSERT INTO api_keys (tenant_id, user_id, name, prefix, secret_hash, scopes)
VALUES (@tenant, @user, @hack, 'ssk_12345678', repeat('a', 64), '["read"]')""",
    """
INSERT INTO audit_entries (tenant_id, user_id, action, entity, entity_id, detail)
SELECT @tenant, @user, 'update', 'places', n, jsonb_build_object('before', @hack, 'after', n)
FROM generate_series(1, 60) n""",
    """
INSERT INTO operations (tenant_id, user_id, entity, status, detail, updated_count, queued_count)
VALUES (@tenant, @user, 'places', 'Maybe', jsonb_build_object('where', jsonb_build_array(@hack)), 3, 0)""",
    "INSERT INTO operation_changes (operation_id, before, entity_ids) VALUES (1, 'New', '{1,2,3}')",
    """
INSERT INTO webhooks (tenant_id, url, secret, events, description)
VALUES (@tenant, 'https://hooks.example/' || @hack, 'whsec_x', '[]', @hack)""",
    """
INSERT INTO webhook_deliveries (tenant_id, webhook_id, event, subject, host)
VALUES (@tenant, 1, 'webhook.test', @hack, 'hooks.example')""",
    """
INSERT INTO suppressions (tenant_id, kind, value_hash, reason) VALUES (@tenant, 'email', repeat('b', 64), @hack)""",
    """
INSERT INTO saved_views (tenant_id, user_id, entity, name, query) VALUES (@tenant, @user, 'places', @hack, '{}')""",
    "ANALYZE",
)  # fmt: skip


def statements() -> list[str]:
    """Give the statements that fill the machine, in order."""
    work = [
        WORK.format(stage=stage, table=table, how=how, statuses=STATUSES, worker=ALIVE) for stage, table, how in STAGES
    ]
    rows = {"{alive}": ALIVE, "{dead}": DEAD, "{resident}": RESIDENT}
    named = re.compile("|".join(map(re.escape, rows)))
    return [*work, *(named.sub(lambda found: rows[found[0]], sql) for sql in (*MACHINE, *PEOPLE))]
