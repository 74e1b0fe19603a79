"""Statements of an erasure: which contacts go, what is put on the list, and what is left of a site."""

from __future__ import annotations

from pipeline.suppressions import hash_sql

LOCK = b"LOCK TABLE contacts IN SHARE ROW EXCLUSIVE MODE"
READ_ONLY = b"SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"

# What a person has deleted by hand is known to the audit entry of that.
_KNOWN = """(
    SELECT tenant_id, id, kind, value, label, person_name, owner_key, domain_id, local_business_id, true AS is_stored
    FROM contacts
    UNION ALL
    SELECT entry.tenant_id, entry.entity_id, was.kind, was.value, was.label, was.person_name,
           coalesce('domain:' || was.domain_id, 'business:' || was.local_business_id), was.domain_id,
           was.local_business_id, false
    FROM audit_entries entry, jsonb_to_record(entry.detail -> 'before') AS was(
        kind text, value text, label text, person_name text, domain_id bigint, local_business_id bigint)
    WHERE entry.entity = 'contacts' AND entry.action = 'delete' AND entry.detail ? 'before') AS contacts"""
_COLUMNS = """id, kind, value, label, person_name, owner_key, domain_id, local_business_id, is_stored,
       (SELECT name FROM domains WHERE domains.id = contacts.domain_id) AS domain"""
_SELECT = f"SELECT {_COLUMNS} FROM {_KNOWN} WHERE tenant_id = %(tenant)s"

CONTACTS: dict[str, bytes] = {
    "email": f"{_SELECT} AND kind = 'email' AND lower(value) = %(value)s".encode(),
    "phone": f"{_SELECT} AND kind = 'phone' AND value = %(value)s".encode(),
    "domain": f"""
{_SELECT} AND (domain_id = (SELECT id FROM domains WHERE tenant_id = %(tenant)s AND name = %(value)s)
   OR kind = 'email' AND (lower(split_part(value, '@', 2)) = %(value)s
                          OR right(lower(value), length(%(value)s) + 1) = '.' || %(value)s))""".encode(),
}

# A link that opens a chat names the number it opens it with.
SOCIALS_WITH_DIGITS = (
    f"{_SELECT} AND kind = 'social' AND translate(value, '?&=+-/ ', '') LIKE %(digits)s || '%%'".encode()
)

SAME_PERSON = f"""
{_SELECT} AND owner_key = %(owner)s
  AND (lower(person_name) = lower(%(person)s) OR kind = 'person' AND lower(value) = lower(%(person)s))""".encode()

CONTACTS_OF_PERSON = f"""
SELECT {_COLUMNS} FROM {_KNOWN}
WHERE tenant_id = %(tenant)s AND (lower(person_name) = lower(%(person)s)
                                  OR kind = 'person' AND lower(value) = lower(%(person)s))
  AND (domain_id = (SELECT id FROM domains WHERE tenant_id = %(tenant)s AND name = %(value)s)
       OR local_business_id IN (
           SELECT link.local_business_id FROM local_business_domains link JOIN domains ON domains.id = link.domain_id
           WHERE domains.tenant_id = %(tenant)s AND domains.name = %(value)s))""".encode()

LIST = f"""
INSERT INTO suppressions (tenant_id, kind, value_hash, reason, is_erased)
SELECT salted.id, %(kind)s, {hash_sql("%(kind)s::text", "%(value)s::text")}, 'erased', true
FROM tenants AS salted WHERE salted.id = %(tenant)s
ON CONFLICT (tenant_id, kind, value_hash) DO UPDATE SET is_erased = true, updated_at = now()
RETURNING value_hash""".encode()

HASH = f"""
SELECT {hash_sql("%(kind)s::text", "%(value)s::text")} AS value_hash
FROM tenants AS salted WHERE salted.id = %(tenant)s""".encode()

DOMAIN = b"SELECT id FROM domains WHERE tenant_id = %(tenant)s AND name = %(name)s"
BUSINESSES_OF = b"SELECT local_business_id FROM local_business_domains WHERE domain_id = ANY(%(domains)s)"

SEEN_AT = b"SELECT id, url FROM sightings WHERE contact_id = ANY(%(ids)s)"
DELETE = b"DELETE FROM contacts WHERE id = ANY(%(ids)s)"
AUDIT_OF = b"SELECT id FROM audit_entries WHERE entity = 'contacts' AND entity_id = ANY(%(ids)s)"
# What a person changed about them once is in their entries, the names of others' contacts are not.
FORGET_AUDIT = b"""
UPDATE audit_entries SET detail = '{"erased": true}' WHERE entity = 'contacts' AND entity_id = ANY(%(ids)s)"""

_NAMED = """
(domain_id = ANY(%(domains)s) OR local_business_id = ANY(%(businesses)s))
  AND lower(person_name) IN (SELECT lower(name) FROM unnest(%(names)s::text[]) AS name)"""
NAMED = f"SELECT id FROM contacts WHERE {_NAMED}".encode()
FORGET_NAMES = f"""
UPDATE contacts SET person_name = NULL, person_title = NULL, updated_at = now() WHERE {_NAMED}""".encode()

EMPTY_DOMAIN = b"""
UPDATE domains SET final_url = NULL, status_code = NULL, title = NULL, description = NULL, language = NULL,
       favicon_url = NULL, logo_url = NULL, generator = NULL, is_wordpress = NULL, wordpress_version = NULL,
       technologies = '[]', analytics = '[]', widgets = '[]', booking_tools = '[]', social_profiles = '[]',
       links = '[]', sitemap_links = '[]', sitemap_tries = '{}', etag = NULL, last_modified = NULL,
       content_hash = NULL, curation_status = 'Archived', updated_at = now()
WHERE id = %(id)s"""
OF_DOMAIN = "SELECT id FROM {table} WHERE domain_id = %(id)s"
DELETE_OF_DOMAIN = "DELETE FROM {table} WHERE domain_id = %(id)s"

OPEN_WORK = """
SELECT work.id FROM {table} AS entity JOIN work ON work.entity_id = entity.id AND work.stage = ANY(%(stages)s)
WHERE entity.{column} = %(id)s AND work.status IN ('Queued', 'Processing')"""
