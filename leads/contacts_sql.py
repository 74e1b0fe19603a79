"""Statements of contacts by hand."""

from __future__ import annotations

SELECT = """
SELECT contact.id, contact.kind, contact.value, contact.label, contact.person_name, contact.person_title,
       contact.confidence, contact.curation_status, contact.verdict, contact.verdict_reasons, contact.note,
       contact.first_seen_at, contact.last_seen_at, contact.gone_at, contact.domain_id, contact.local_business_id,
       domain.name AS domain
FROM contacts contact LEFT JOIN domains domain ON domain.id = contact.domain_id"""
LOCK = " FOR UPDATE OF contact"

SIGHTINGS = """
SELECT url, method, snippet, seen_at, gone_at FROM sightings
WHERE contact_id = %(id)s ORDER BY seen_at DESC, id LIMIT 1000"""

DOMAIN = b"SELECT name FROM domains WHERE tenant_id = %(tenant)s AND id = %(id)s"
DOMAIN_NAMED = b"SELECT id FROM domains WHERE tenant_id = %(tenant)s AND name = %(name)s"

SEE = b"""
INSERT INTO sightings (tenant_id, contact_id, url, method) VALUES (%(tenant)s, %(id)s, 'manual', 'manual')"""

DELETE = b"DELETE FROM contacts WHERE id = %(id)s"
