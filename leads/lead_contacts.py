"""Lead contacts: one row for each contact with its business and its proof, streamed by id."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any
from uuid import UUID

from psycopg.rows import dict_row

from leads.lead_rows import BEST_SIGHTING, EXPORTED, LEADS_ALONE, ROWS_A_CHUNK, Row, business_of, seen_of
from leads.lead_suppression import Withheld, unnamed
from leads.lead_where import BUSINESS_SQL, CONTACT_SQL, NEVER_EXPORTED, sql_of
from leads.leads import Wanted
from pipeline.database import statement
from services import where
from services.lead import Seen
from services.lead_row import ContactRow

# With a condition on businesses each chunk first finds all of those, so there must be few chunks.
ROWS_A_DEAR_CHUNK = 5_000

# Several businesses may share a site: the row names the first of those that are wanted, and how many there are.
CONTACTS = f"""
SELECT contact.id, contact.domain_id, contact.owner_key, contact.kind, contact.value, contact.label, contact.verdict,
       contact.verdict_reasons, contact.person_name, contact.person_title, contact.confidence, contact.first_seen_at,
       contact.last_seen_at, contact.gone_at, contact.curation_status, domain.name AS domain,
       business.*, proof.*
FROM contacts contact LEFT JOIN domains domain ON domain.id = contact.domain_id
LEFT JOIN LATERAL (
    SELECT business.id AS business_id, business.name, business.main_category, business.formatted_address,
           business.street, business.city, business.region, business.postal_code, business.country_code,
           coalesce(business.website, owner.website) AS website, business.attribution, business.website AS own_website,
           count(*) OVER ()::int AS businesses
    FROM (SELECT link.local_business_id AS id, link.website FROM local_business_domains link
          WHERE link.domain_id = contact.domain_id
          UNION ALL SELECT contact.local_business_id, NULL WHERE contact.local_business_id IS NOT NULL) AS owner
    JOIN local_businesses business ON business.id = owner.id
    WHERE {LEADS_ALONE} AND {{of_business}}
    ORDER BY business.id LIMIT 1) AS business ON true
{BEST_SIGHTING}
WHERE contact.tenant_id = %(tenant)s AND contact.id > %(after)s AND {EXPORTED.format(table="contact")}
  AND (%(with_gone)s OR contact.gone_at IS NULL) AND {{of_contact}} AND {{reached}}
  AND (domain.id IS NULL OR {EXPORTED.format(table="domain")})
  AND (business.business_id IS NOT NULL OR {{without_business}})
ORDER BY contact.id LIMIT %(most)s"""

# A site that nobody's business is at, such as one of an own list, has contacts all the same. OFFSET 0 keeps the planner
# on the index: it would rather read all links for each chunk.
WITHOUT_BUSINESS = """(contact.domain_id IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM local_business_domains link WHERE link.domain_id = contact.domain_id OFFSET 0))"""

# Asked first, so that the rest is done only for contacts of businesses that are wanted.
REACHED = """(
    contact.domain_id IN (SELECT link.domain_id FROM local_businesses business
                          JOIN local_business_domains link ON link.local_business_id = business.id
                          WHERE business.tenant_id = %(tenant)s AND {of_business})
    OR contact.local_business_id IN (SELECT business.id FROM local_businesses business
                                     WHERE business.tenant_id = %(tenant)s AND {of_business}))"""


def contacts(wanted: Wanted, withheld: Withheld) -> Iterator[ContactRow]:
    """Give every contact that is wanted and not held back, by id."""
    of_business, of_contact = where.split(wanted.conditions, BUSINESS_SQL)
    business_sql, business_values = sql_of(of_business, BUSINESS_SQL, "business")
    contact_sql, contact_values = sql_of(of_contact, CONTACT_SQL, "contact")
    sql = CONTACTS.format(
        of_business=business_sql,
        of_contact=contact_sql,
        reached=REACHED.format(of_business=business_sql) if of_business else "true",
        without_business="false" if of_business else WITHOUT_BUSINESS,
    )
    most = ROWS_A_DEAR_CHUNK if of_business else ROWS_A_CHUNK
    for rows in _chunks(sql, wanted, business_values | contact_values, most):
        yield from _of_chunk(rows, withheld)


def contacts_by_id(tenant_id: UUID, ids: Collection[int], withheld: Withheld) -> list[ContactRow]:
    """Give those of some contacts that may leave the house, by id."""
    sql = CONTACTS.format(
        of_business="true", of_contact="contact.id = ANY(%(ids)s)", reached="true", without_business=WITHOUT_BUSINESS
    )
    chunks = _chunks(sql, Wanted(tenant_id), {"ids": list(ids)}, ROWS_A_CHUNK)
    return [contact for rows in chunks for contact in _of_chunk(rows, withheld)]


def _chunks(sql: str, wanted: Wanted, values: Mapping[str, Any], most: int) -> Iterator[list[Row]]:
    given = {**values, "tenant": wanted.tenant_id, "with_gone": wanted.with_gone, "never": list(NEVER_EXPORTED)}
    after = 0
    while True:
        with statement() as connection:
            cursor = connection.cursor(row_factory=dict_row)
            found = cursor.execute(sql.encode(), {**given, "after": after, "most": most}).fetchall()
        if found:
            yield found
        if len(found) < most:
            return
        after = found[-1]["id"]


def _of_chunk(rows: list[Row], withheld: Withheld) -> Iterator[ContactRow]:
    held = withheld.of_owners({row["domain_id"] for row in rows if row["domain_id"]})
    for row in rows:
        known = held.get(row["owner_key"], set())
        if not _is_held(row, known, withheld):
            contact = unnamed(seen_of(row), known)
            made = _contact(row, contact, withheld.text(row["snippet"], known, row["country_code"]))
            yield withheld.cleared(made, row["country_code"])


def _is_held(row: Row, known: set[str], withheld: Withheld) -> bool:
    if withheld.contact(row["kind"], row["value"], row["domain"]) or withheld.site((), row["own_website"]):
        return True
    return withheld.person(row, known)


def _contact(row: Row, contact: Seen, snippet: str | None) -> ContactRow:
    return ContactRow(
        id=row["id"],
        contact=contact,
        business=business_of(row, row["business_id"], website=row["website"], domain=row["domain"]),
        businesses=row["businesses"] or 0,
        method=row["method"],
        snippet=snippet,
        verdict_reasons=tuple(map(str, row["verdict_reasons"])),
        curation=row["curation_status"],
        gone_at=row["gone_at"],
    )
