"""A million pages to list and decide on, as sitemaps of thousands of sites leave them; and who may look at them."""

from __future__ import annotations

from uuid import UUID

from accounts.caller import ROLE_SCOPES
from accounts.keys import hash_of, new_key
from benchmarks import ground
from settings import settings

PAGES, DOMAINS = 1_000_000, 2_000
# Each depth has as many pages, spread over all sites: what is decided on at once.
DEPTHS = 10
STAGE = "page_curation"

ADD_DOMAINS = (
    "INSERT INTO domains (tenant_id, name) SELECT %s, 'site-' || n || '.example' FROM generate_series(1, %s) n"
)
ADD_HOSTS = "INSERT INTO hosts (host) SELECT name FROM domains"

# Multiplied by a large prime, a number is as good as drawn by lot, and the same in every run.
ADD_PAGES = """
INSERT INTO pages (tenant_id, domain_id, url, host, kind, score, depth, decision_reason, lastmod, title, status_code,
                   fetched_at)
SELECT domain.tenant_id, domain.id, '/' || kind || '/' || 'a-page-of-the-site-' || n, domain.name, kind,
       CASE kind WHEN 'contact' THEN 90 WHEN 'about' THEN 60 WHEN 'team' THEN 55 WHEN 'legal' THEN 50 ELSE 0 END
           + n * 15485863 / 7 %% 10,
       1 + n / %(domains)s %% %(depths)s, CASE WHEN lot < 20 THEN 'over-budget' ELSE 'low-score' END,
       CASE WHEN lot %% 2 = 0 THEN now() - lot * interval '1 day' END,
       CASE WHEN is_visited THEN 'Page ' || n * 7919 %% 1000003 || ' of a business in town' END,
       CASE WHEN is_visited THEN 200 END, CASE WHEN is_visited THEN now() END
FROM (SELECT n, n * 7368787 %% 100 AS lot, n * 15485863 %% 100 < 30 AS is_visited,
             (ARRAY['contact', 'about', 'team', 'legal', 'services', 'services', 'pricing', 'location', 'blog', 'blog',
                    'blog', 'blog', 'blog', 'product', 'product', 'product', 'product', 'product', 'media', 'other']
             )[1 + n * 7368787 %% 100 %% 20] AS kind
      FROM generate_series(0, %(pages)s::bigint - 1) n) given
JOIN (SELECT id, tenant_id, name, row_number() OVER (ORDER BY id) - 1 AS nth FROM domains) domain
    ON domain.nth = n %% %(domains)s"""

# Of ten pieces of work seven have ended well, and one waits.
ADD_WORK = """
INSERT INTO work (tenant_id, stage, entity_id, status, lane, reason, error, token, attempts, finished_at)
SELECT tenant_id, %s, id, status, host, CASE status WHEN 'Filtered' THEN 'saturated' WHEN 'Error' THEN 'timeout' END,
       CASE status WHEN 'Error' THEN 'the site did not answer within 20 s' END,
       CASE WHEN status <> 'Queued' THEN 1 ELSE 0 END, CASE WHEN status <> 'Queued' THEN 1 ELSE 0 END,
       CASE WHEN status <> 'Queued' THEN now() END
FROM (SELECT *, (ARRAY['Completed', 'Completed', 'Completed', 'Completed', 'Completed', 'Completed', 'Completed',
                       'Filtered', 'Error', 'Queued'])[1 + id * 7919 %% 10] AS status
      FROM pages WHERE fetched_at IS NOT NULL) visited"""

ADD_USER = "INSERT INTO users (tenant_id, email, role) VALUES (%s, 'bench@example.org', 'curator') RETURNING id"
ADD_KEY = """
INSERT INTO api_keys (tenant_id, user_id, name, prefix, secret_hash, scopes)
VALUES (%s, %s, 'bench', %s, %s, to_jsonb(%s::text[]))"""


def fill(ledger: ground.Ledger) -> UUID:
    """Store the pages and their work, have the database look at them, and give whose they are."""
    tenant_id = settings().default_tenant_id
    ledger.run(ADD_DOMAINS, tenant_id, DOMAINS)
    ledger.run(ADD_HOSTS)
    ledger.connection.execute(ADD_PAGES.encode(), {"pages": PAGES, "domains": DOMAINS, "depths": DEPTHS})
    ledger.run(ADD_WORK, STAGE)
    ledger.run("VACUUM ANALYZE")
    return tenant_id


def add_key(ledger: ground.Ledger, tenant_id: UUID) -> str:
    """Make a curator with a key, and give the key."""
    key = new_key()
    user_id = ledger.one(ADD_USER, tenant_id)
    ledger.run(ADD_KEY, tenant_id, user_id, key[:12], hash_of(key), sorted(ROLE_SCOPES["curator"]))
    return key
