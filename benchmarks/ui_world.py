"""A hundred thousand businesses beside a million pages: found by fifty searches, with sites, contacts, proof, work of
every stage, and what people have left behind."""

from __future__ import annotations

from uuid import UUID

from accounts import sessions, tokens
from accounts.caller import ROLE_SCOPES, Caller
from benchmarks import api_pages, ground
from pipeline.database import transaction

BUSINESSES, SEARCHES = 100_000, 50
# Of each domain an email, a phone and a person.
CONTACT_KINDS = 3

# Numbers multiplied by large primes are as good as drawn by lot, and the same in every run.
ADD = (
    """INSERT INTO domains (tenant_id, name, title, technologies, fetched_at)
    SELECT %(tenant)s, 'site-' || n || '.example', 'Site ' || n, '["WordPress"]', now()
    FROM generate_series(%(sites)s + 1, %(businesses)s) n""",
    """INSERT INTO searches (tenant_id, what, where_text, provider, south, west, north, east, coverage, max_places,
                             searched_at, created_at)
    SELECT %(tenant)s, 'dentists', 'Town ' || n, 'sandbox', 30, -98 + n, 30.5, -97.5 + n, 0.9, 5000, now(),
           now() - n * interval '1 hour' FROM generate_series(1, %(searches)s) n""",
    """INSERT INTO search_areas (tenant_id, search_id, south, west, north, east, found, is_full, searched_at)
    SELECT tenant_id, id, 30 + y * 0.1, west + x * 0.1, 30.1 + y * 0.1, west + 0.1 + x * 0.1, 20, x + y = 4, now()
    FROM searches, generate_series(0, 4) x, generate_series(0, 4) y""",
    """INSERT INTO places (tenant_id, provider, provider_place_id, name, address, latitude, longitude, website, phone,
                           main_category, rating, review_count, curation_status)
    SELECT %(tenant)s, 'sandbox', 'place-' || n, 'Business ' || n * 7919 %% 1000003, n || ' Main Street',
           30 + n * 15485863 %% 500 / 1000.0, -98 + 1 + n %% %(searches)s + n * 7368787 %% 500 / 1000.0,
           'https://site-' || n || '.example/', '+1512555' || lpad((n %% 10000)::text, 4, '0'), 'dentist',
           n * 7919 %% 50 / 10.0, n * 7919 %% 500,
           (ARRAY['New', 'New', 'New', 'Selected', 'Maybe', 'Not a Fit'])[1 + n * 15485863 %% 6]
    FROM generate_series(1, %(businesses)s::bigint) n""",
    """INSERT INTO search_places (tenant_id, search_id, place_id, rank)
    SELECT tenant_id, 1 + (id - 1) %% %(searches)s, id, 1 FROM places""",
    """INSERT INTO local_businesses (tenant_id, place_id, name, formatted_address, city, phone, website, main_category,
                                     rating, review_count, latitude, longitude, scanned_at, curation_status)
    SELECT tenant_id, id, name, address, 'Town ' || id %% %(searches)s, phone, website, main_category, rating,
           review_count, latitude, longitude, now(), curation_status FROM places""",
    """INSERT INTO local_business_domains (tenant_id, local_business_id, domain_id, website)
    SELECT business.tenant_id, business.id, domains.id, business.website
    FROM local_businesses AS business JOIN domains ON domains.name = 'site-' || business.place_id || '.example'""",
    """INSERT INTO sitemap_files (tenant_id, domain_id, url, host, kind, url_count)
    SELECT tenant_id, id, 'https://' || name || '/sitemap.xml', name, 'standard', 50 FROM domains WHERE id <= 20000""",
    """INSERT INTO contacts (tenant_id, domain_id, owner_key, kind, value, label, person_name, confidence, verdict,
                             validated_at, created_at, curation_status)
    SELECT tenant_id, id, 'domain:' || id, kind,
           CASE kind WHEN 'email' THEN 'info@' || name WHEN 'phone' THEN '+1512' || lpad(id::text, 7, '0')
                     ELSE 'Jane Doe ' || id END,
           CASE kind WHEN 'email' THEN 'role' END, CASE kind WHEN 'person' THEN 'Jane Doe ' || id END, 0.9,
           (ARRAY['valid', 'valid', 'risky', 'invalid'])[1 + id * 7919 %% 4], now(),
           now() - id * 7919 %% 10000 * interval '1 minute', (ARRAY['New', 'New', 'Selected'])[1 + id * 7919 %% 3]
    FROM domains, unnest(ARRAY['email', 'phone', 'person']) AS kind""",
    """INSERT INTO sightings (tenant_id, contact_id, url, method, snippet)
    SELECT tenant_id, id, 'https://site-' || domain_id || '.example/contact', 'text', 'Write to ' || value || ' today.'
    FROM contacts""",
)

# Of a hundred pieces of work three have failed and five wait; a parent's work is that of the row it came from.
ADD_WORK = """
INSERT INTO work (tenant_id, stage, entity_id, status, lane, reason, error, token, attempts, started_at, finished_at,
                  parent_id)
SELECT %(tenant)s, %(stage)s, id, status, lane,
       CASE status WHEN 'Filtered' THEN 'no-website' WHEN 'Error' THEN
           (ARRAY['timeout', 'dns', 'server-error', 'tls'])[1 + id * 15485863 %% 4] END,
       CASE status WHEN 'Error' THEN 'the site did not answer within ' || id %% 30 || ' s' END,
       CASE WHEN status = 'Queued' THEN 0 ELSE 1 END, CASE WHEN status = 'Queued' THEN 0 ELSE 1 END,
       CASE WHEN status <> 'Queued' THEN now() - interval '2 seconds' END, CASE WHEN status <> 'Queued' THEN now() END,
       parent_id
FROM (SELECT given.*, CASE WHEN lot < 3 THEN 'Error' WHEN lot < 8 THEN 'Queued' WHEN lot < 15 THEN 'Filtered'
                           ELSE 'Completed' END AS status
      FROM (SELECT row.id, {lane} AS lane, parent.id AS parent_id, row.id * 7368787 %% 100 AS lot
            FROM {source} AS row LEFT JOIN work AS parent
                ON parent.stage = %(parent)s AND parent.entity_id = {parent_entity}) given) decided"""

# Stage, table, its row that the parent's work is about, the parent's stage, lane.
WORK = (
    ("search", "searches", "NULL::bigint", "", "NULL"),
    ("search_area", "search_areas", "row.search_id", "search", "NULL"),
    ("deep_scan", "places", "(row.id - 1) % 50 * 25 + 1 + row.id / 50 % 25", "search_area", "NULL"),
    ("domain_extraction", "local_businesses", "row.place_id", "deep_scan", "NULL"),
    ("domain_metadata", "domains", "row.id", "domain_extraction", "row.name"),
    ("sitemap_analysis", "domains", "row.id", "domain_metadata", "row.name"),
    ("sitemap_import", "sitemap_files", "row.domain_id", "sitemap_analysis", "row.host"),
    ("page_ranking", "domains", "row.id", "sitemap_analysis", "NULL"),
    ("contact_validation", "contacts", "row.domain_id", "page_ranking", "NULL"),
)

LEFT_BEHIND = (
    """INSERT INTO hosts (host) SELECT name FROM domains ON CONFLICT DO NOTHING""",
    """INSERT INTO failures (work_id, attempt, kind, reason, error)
    SELECT id, attempt, 'passing', reason, error FROM work, generate_series(1, 2) attempt WHERE status = 'Error'""",
    """INSERT INTO stage_minutes (stage, minute, tenant_id, completed, filtered, error, seconds)
    SELECT stage, date_trunc('minute', now()) - n * interval '1 minute', %(tenant)s, 100 + n, 5, 1, 40
    FROM (SELECT DISTINCT stage FROM work) stages, generate_series(0, 1439) n""",
    """INSERT INTO batches (tenant_id, kind, name)
    SELECT %(tenant)s, 'domain', 'List ' || n FROM generate_series(1, 60) n""",
    """INSERT INTO batch_items (tenant_id, batch_id, row_number, raw, result, stage, entity_id)
    SELECT tenant_id, id, n, 'site-' || n || '.example', 'added', 'domain_metadata', n
    FROM batches, generate_series(1, 1000) n""",
    """INSERT INTO schedules (tenant_id, name, stage, entity_id, cron)
    SELECT tenant_id, 'Again ' || id, 'search', id, '0 6 * * *' FROM searches""",
    """INSERT INTO schedule_fires (tenant_id, schedule_id, fire_at, result)
    SELECT tenant_id, id, now() - n * interval '1 day', 'queued' FROM schedules, generate_series(1, 100) n""",
    """INSERT INTO audit_entries (tenant_id, action, entity, entity_id, at)
    SELECT %(tenant)s, 'update', 'local_businesses', n, now() - n * interval '1 minute'
    FROM generate_series(1, 100000) n""",
    """INSERT INTO operations (tenant_id, entity, status, updated_count)
    SELECT %(tenant)s, 'places', 'Selected', n FROM generate_series(1, 1000) n""",
    """INSERT INTO workers (id, host, pid, queues, expires_at)
    SELECT gen_random_uuid(), 'worker-' || n, n, ARRAY['page_curation'], now() + interval '1 hour'
    FROM generate_series(1, 8) n""",
    """INSERT INTO users (tenant_id, email, role)
    SELECT %(tenant)s, 'person-' || n || '@example.org', 'curator' FROM generate_series(1, 50) n""",
    """VACUUM ANALYZE""",
)

ADD_ADMIN = "INSERT INTO users (tenant_id, email, role) VALUES (%s, 'admin@bench.example', 'admin') RETURNING id"


def fill(ledger: ground.Ledger) -> UUID:
    """Store all of it, have the database look at it, and give whose it is."""
    tenant_id = api_pages.fill(ledger)
    values = {"tenant": tenant_id, "sites": api_pages.DOMAINS, "businesses": BUSINESSES, "searches": SEARCHES}
    for sql in ADD:
        ledger.connection.execute(sql.encode(), values)
    for stage, source, parent_entity, parent, lane in WORK:
        sql = ADD_WORK.format(source=source, parent_entity=parent_entity.replace("%", "%%"), lane=lane)
        ledger.connection.execute(sql.encode(), {"tenant": tenant_id, "stage": stage, "parent": parent})
        ledger.run("ANALYZE work")
    for sql in LEFT_BEHIND:
        ledger.connection.execute(sql.encode(), values if "%(" in sql else None)
    return tenant_id


def log_in(ledger: ground.Ledger, tenant_id: UUID) -> str:
    """Make an admin, and give the cookie of their log-in."""
    admin = Caller(tenant_id, ledger.one(ADD_ADMIN, tenant_id), "admin", ROLE_SCOPES["admin"])
    with transaction() as (_, connection):
        made = sessions.start(connection, admin, how="bench")
    return tokens.sign_cookie(made.claims)
