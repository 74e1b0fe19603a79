"""The statements of the contact store: one for a page that was read, one for a page that has not changed."""

from __future__ import annotations

from functools import cache

from pipeline.erased import has_erasures_sql, is_erased_sql

# Where a sighting was made. What a domain's own homepage showed has no page, or that page's address; what a person
# entered has neither.
ON_PAGE = "sightings.page_id = %(page)s"
AT_HOMEPAGE = """sightings.contact_id = ANY(ARRAY(SELECT id FROM contacts WHERE domain_id = %(domain)s))
      AND (sightings.page_id IS NULL OR sightings.url = %(url)s) AND sightings.url LIKE 'http%%'"""
AT_ADDRESS = """sightings.contact_id = ANY(ARRAY(SELECT id FROM contacts WHERE local_business_id = %(business)s))
      AND sightings.url = %(url)s"""

GIVEN = """
given AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset(%(contacts)s::jsonb) AS contact(
        kind text, value text, label text, person_name text, person_title text, confidence float8, snippet text,
        methods jsonb, name_key text))"""

# What may stand for a contact on the list: itself, the number it opens a chat with, its person, every domain above it.
_TENANT = "%(tenant)s::uuid"
_OWNER = "(SELECT name FROM domains WHERE id = %(domain)s)"
_PERSON = (
    f"SELECT 'person', coalesce({_OWNER}, %(owner_key)s) || ':' || given.name_key WHERE given.name_key IS NOT NULL"
)
_CONTACT = f"""
    SELECT given.kind, given.value WHERE given.kind IN ('email', 'phone')
    UNION ALL SELECT 'domain', {_OWNER} WHERE %(domain)s::bigint IS NOT NULL
    UNION ALL SELECT 'phone', '+' || substring(given.value FROM 'wa[.]me/[+]?([0-9]+)') WHERE given.kind = 'social'
    UNION ALL {_PERSON} AND given.kind IN ('person', 'social')
    UNION ALL SELECT 'domain', array_to_string(labels[nth:], '.')
    FROM string_to_array(split_part(given.value, '@', 2), '.') AS labels, generate_subscripts(labels, 1) AS nth
    WHERE given.kind = 'email' AND nth < cardinality(labels)"""

ERASED = f"""
erased AS MATERIALIZED (SELECT kind, value FROM given WHERE {is_erased_sql(_TENANT, _CONTACT)}),
nameless AS MATERIALIZED (
    SELECT person_name FROM given WHERE person_name IS NOT NULL AND {is_erased_sql(_TENANT, _PERSON)})"""

ERASED_AMONG = f"""
WITH {GIVEN}, {ERASED}
SELECT kind, value FROM erased UNION ALL SELECT NULL, person_name FROM nameless""".encode()

# Sorted, so that two pages of one owner, stored at once, lock rows in the same order. What a contact was first known
# as stays; a person's own decision and a verdict are never touched. A sighting belongs to the page that has its
# address, not to those that lead there.
STORE = f"""
WITH {GIVEN},
stored AS (
    INSERT INTO contacts (tenant_id, domain_id, local_business_id, owner_key, kind, value, label, person_name,
                          person_title, confidence)
    SELECT %(tenant)s, %(domain)s::bigint, %(business)s::bigint, %(owner_key)s, kind, value, label, person_name,
           person_title, confidence
    FROM given ORDER BY kind, value
    ON CONFLICT (tenant_id, kind, value, owner_key) DO UPDATE SET
        last_seen_at = now(), gone_at = NULL, updated_at = now(),
        confidence = greatest(contacts.confidence, EXCLUDED.confidence),
        label = coalesce(contacts.label, EXCLUDED.label),
        person_name = coalesce(contacts.person_name, EXCLUDED.person_name),
        person_title = coalesce(contacts.person_title, EXCLUDED.person_title)
    RETURNING id, kind, value),
proof AS MATERIALIZED (
    SELECT stored.id AS contact_id, method, given.snippet
    FROM stored JOIN given USING (kind, value), jsonb_array_elements_text(given.methods) AS method),
seen AS (
    INSERT INTO sightings (tenant_id, contact_id, page_id, url, method, snippet, extractor_version)
    SELECT %(tenant)s, contact_id, %(page)s::bigint, %(url)s, method, snippet, %(version)s FROM proof
    ON CONFLICT (contact_id, url, method) DO UPDATE SET
        seen_at = now(), gone_at = NULL, snippet = EXCLUDED.snippet, extractor_version = EXCLUDED.extractor_version,
        page_id = CASE WHEN %(is_own_url)s THEN EXCLUDED.page_id ELSE sightings.page_id END),
{{page}}
lost AS (
    UPDATE sightings SET gone_at = now()
    WHERE {{here}} AND gone_at IS NULL
      AND NOT (url = %(url)s AND (contact_id, method) IN (SELECT contact_id, method FROM proof))
    RETURNING contact_id)
SELECT DISTINCT contact_id FROM lost UNION ALL SELECT NULL WHERE {has_erasures_sql(_TENANT)}"""

# What was erased while the page was being read. A statement of its own: in the other it would cost those who have
# erased nothing as much as the rest of it.
FORGET = f"""
WITH {GIVEN}, {ERASED},
unnamed AS (
    UPDATE contacts SET person_name = NULL, person_title = NULL FROM given
    WHERE contacts.tenant_id = %(tenant)s AND contacts.kind = given.kind AND contacts.value = given.value
      AND contacts.owner_key = %(owner_key)s AND contacts.person_name IN (SELECT person_name FROM nameless)
      AND (given.kind, given.value) NOT IN (SELECT kind, value FROM erased))
DELETE FROM contacts USING erased
WHERE contacts.tenant_id = %(tenant)s AND contacts.kind = erased.kind AND contacts.value = erased.value
  AND contacts.owner_key = %(owner_key)s""".encode()

# What is gone since this reader was here last, another reader of the same address has missed: a homepage may be
# among the pages, too.
SEE_AGAIN = """
WITH seen AS (
    UPDATE sightings SET seen_at = now(), gone_at = NULL
    WHERE {here} AND (gone_at IS NULL OR gone_at > %(since)s::timestamptz) RETURNING contact_id){page}
UPDATE contacts SET last_seen_at = now(), gone_at = NULL, updated_at = now()
WHERE id IN (SELECT contact_id FROM seen)"""

LOSE = "UPDATE sightings SET gone_at = now() WHERE {here} AND gone_at IS NULL RETURNING contact_id"

QUEUE_VALIDATION = b"""
INSERT INTO work (tenant_id, stage, entity_id, auto, priority, parent_id)
SELECT parent.tenant_id, 'contact_validation', contacts.id, parent.auto, parent.priority, parent.id
FROM work parent, contacts WHERE parent.id = %(work)s AND contacts.domain_id = %(domain)s AND kind IN ('email', 'phone')
ON CONFLICT (stage, entity_id) DO NOTHING"""

# In place: as children of whoever found them again they would be missing from the pages that had handed them on.
REVALIDATE = b"""
UPDATE work SET status = 'Queued', due_at = clock_timestamp(), queued_at = clock_timestamp(), sent_at = NULL, sends = 0,
       attempts = 0, crashes = 0, started_at = NULL, finished_at = NULL, reason = NULL, error = NULL
WHERE stage = 'contact_validation' AND status IN ('Completed', 'Filtered', 'Error')
  AND finished_at <= clock_timestamp() - %(old)s AND entity_id = ANY(ARRAY(
      SELECT id FROM contacts
      WHERE domain_id = %(domain)s AND kind IN ('email', 'phone') AND value = ANY(%(values)s)))"""

LOCK = b"SELECT id FROM contacts WHERE id = ANY(%(ids)s) AND gone_at IS NULL ORDER BY id FOR UPDATE"
GONE = b"""
UPDATE contacts SET gone_at = now(), updated_at = now()
WHERE id = ANY(%(ids)s) AND gone_at IS NULL
  AND NOT EXISTS (SELECT 1 FROM sightings WHERE contact_id = contacts.id AND gone_at IS NULL)"""


@cache
def store(here: str, page_columns: tuple[str, ...]) -> bytes:
    """Write the statement that stores a reading, and these columns of its page."""
    changes = "".join(f"{column} = %({column})s, " for column in page_columns)
    page = f"page AS (UPDATE pages SET {changes} fetched_at = now(), updated_at = now() WHERE id = %(page)s),"
    return STORE.format(here=here, page=page if page_columns else "").encode()


@cache
def see_again(here: str, is_page: bool) -> bytes:
    """Write the statement that notes a reading which brought nothing new."""
    page = ",\npage AS (UPDATE pages SET status_code = 200, fetched_at = now(), updated_at = now() WHERE id = %(page)s)"
    return SEE_AGAIN.format(here=here, page=page if is_page else "").encode()


@cache
def lose(here: str) -> bytes:
    """Write the statement that notes that nothing is here any more."""
    return LOSE.format(here=here).encode()
