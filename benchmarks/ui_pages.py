"""The pages of the dashboard as people open them, each beside the plain SQL of its main question."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from urllib.parse import urlencode

from benchmarks import api_pages
from entities import order
from entities.catalog import PAGES
from services import cursor

LIMIT = 50
# Somewhere in the middle of everything.
SEARCH, BUSINESS = 25, 50_000
GROUP = "stage=domain_metadata&reason=timeout"


@dataclass(frozen=True)
class Shown:
    """One page: its address, and what it shows as SQL; a part is what htmx asks for when the page is there."""

    name: str
    path: str
    sql: tuple[str, ...]
    is_part: bool = False
    values: dict[str, object] = field(default_factory=dict)


def listed(table: str, stage: str, *, condition: str = "true", by: str = "id DESC", joins: str = "") -> str:
    """Write the SQL of a list: its rows first, then what is shown of their work."""
    return f"""
    SELECT listed.*, work.status, work.reason, work.error, work.attempts, work.due_at
    FROM (SELECT {table}.* FROM {table} {joins} WHERE {table}.tenant_id = %(tenant)s AND {condition}
          ORDER BY {", ".join(f"{table}.{key}" for key in by.split(", "))} LIMIT {LIMIT}) AS listed
    LEFT JOIN work ON work.stage = '{stage}' AND work.entity_id = listed.id
    ORDER BY {", ".join(f"listed.{key}" for key in by.split(", "))}"""


listed_pages = partial(listed, "pages", "page_curation")


def _deep() -> str:
    mark = cursor.mark_of(PAGES.name, str(order.read(PAGES, "")), [])
    return urlencode({"cursor": cursor.write(mark, [str(api_pages.PAGES // 2)])})


OF_WORK = "JOIN work ON work.stage = '{stage}' AND work.entity_id = {table}.id"
PAGES_OF_WORK = OF_WORK.format(stage="page_curation", table="pages")
OPEN = """
SELECT stage, status, count(*), min(due_at) FROM work
WHERE tenant_id = %(tenant)s AND status IN ('Queued', 'Processing') GROUP BY stage, status"""
OF_STAGE = """
SELECT * FROM work WHERE tenant_id = %(tenant)s AND stage = 'page_curation' ORDER BY id DESC LIMIT 50"""
COUNTS_OF_SEARCH = """
SELECT count(DISTINCT places.id), count(DISTINCT business.id), count(DISTINCT domain_id)
FROM search_places JOIN places ON places.id = place_id LEFT JOIN local_businesses AS business USING (place_id)
LEFT JOIN local_business_domains AS used ON used.local_business_id = business.id WHERE search_id = %(search)s"""
CONTACTS_OF_SEARCH = """
SELECT count(*) FROM contacts WHERE domain_id IN (
    SELECT domain_id FROM search_places JOIN local_businesses AS business USING (place_id)
    JOIN local_business_domains AS used ON used.local_business_id = business.id WHERE search_id = %(search)s)"""
LEAD = (
    "SELECT * FROM local_businesses JOIN places ON places.id = place_id WHERE local_businesses.id = %(business)s",
    """SELECT * FROM domains JOIN local_business_domains ON domain_id = domains.id
    WHERE local_business_id = %(business)s""",
    """SELECT * FROM contacts JOIN sightings ON contact_id = contacts.id WHERE domain_id IN (
        SELECT domain_id FROM local_business_domains WHERE local_business_id = %(business)s)""",
)
CONTACT = ("SELECT * FROM contacts JOIN sightings ON contact_id = contacts.id WHERE contacts.id = %(contact)s",)
JOURNEY = (
    """SELECT * FROM domains JOIN local_business_domains ON domain_id = domains.id
    JOIN local_businesses ON local_businesses.id = local_business_id JOIN places ON places.id = place_id
    WHERE domains.id = %(domain)s""",
    "SELECT * FROM work WHERE stage = 'domain_metadata' AND entity_id = %(domain)s",
    "SELECT * FROM pages WHERE domain_id = %(domain)s ORDER BY score DESC LIMIT 50",
)
GROUPS = """
SELECT stage, reason, count(*), max(finished_at) FROM work
WHERE tenant_id = %(tenant)s AND status = 'Error' GROUP BY stage, reason"""
OF_GROUP = """
SELECT * FROM work WHERE tenant_id = %(tenant)s AND status = 'Error' AND stage = 'domain_metadata'
  AND reason = 'timeout' ORDER BY id DESC LIMIT 50"""

MAP = """
SELECT latitude, longitude FROM places JOIN search_places ON place_id = places.id WHERE search_id = %(search)s"""
COUNT_PAGES = "SELECT count(*) FROM (SELECT 1 FROM pages WHERE tenant_id = %(tenant)s LIMIT 10001) AS counted"
HISTORY = "SELECT * FROM audit_entries WHERE entity = 'local_businesses' AND entity_id = %(business)s"
WAITING = """
SELECT stage, count(*) FROM work WHERE tenant_id = %(tenant)s AND status = 'Queued' GROUP BY stage"""
BATCH_COUNTS = """
SELECT batch_id, count(*), count(*) FILTER (WHERE work.status = 'Completed')
FROM (SELECT id FROM batches WHERE tenant_id = %(tenant)s ORDER BY id DESC LIMIT 20) AS newest
JOIN batch_items ON batch_id = newest.id LEFT JOIN work USING (stage, entity_id) GROUP BY batch_id"""


def newest(table: str, key: str = "id", limit: int = LIMIT) -> tuple[str, ...]:
    """Write the SQL of the newest rows of a table."""
    return (f"SELECT * FROM {table} WHERE tenant_id = %(tenant)s ORDER BY {key} DESC LIMIT {limit}",)


# What htmx asks for when the page is there.
PARTS = (
    Shown("search: now", f"/searches/{SEARCH}/now", (COUNTS_OF_SEARCH,), is_part=True),
    Shown("search: funnel", f"/searches/{SEARCH}/funnel", (COUNTS_OF_SEARCH, CONTACTS_OF_SEARCH), is_part=True),
    Shown("search: endings", f"/searches/{SEARCH}/endings", (COUNTS_OF_SEARCH,), is_part=True),
    Shown("search: map", f"/searches/{SEARCH}/map", (MAP,), is_part=True),
    Shown("searches: a row", f"/searches/{SEARCH}/row", (COUNTS_OF_SEARCH, CONTACTS_OF_SEARCH), is_part=True),
    Shown("pages: count", "/curate/pages/count", (COUNT_PAGES,), is_part=True),
    Shown("lead: history", f"/businesses/{BUSINESS}/history", (HISTORY,), is_part=True),
    Shown("failures: waiting", "/failures/waiting", (WAITING,), is_part=True),
    Shown("batches: counts", "/batches/counts", (BATCH_COUNTS,), is_part=True),
    Shown("system: checks", "/system/checks", ("SELECT * FROM invariant_checks",), is_part=True),
    Shown("system: facts", "/system/facts", ("SELECT pg_database_size(current_database())",), is_part=True),
)
SHOWN = (
    Shown("flow", "/", (OPEN,)),
    Shown("stage", "/stages/page_curation", (OF_STAGE,)),
    Shown("searches", "/searches", newest("searches")),
    Shown("search", f"/searches/{SEARCH}", (COUNTS_OF_SEARCH,)),
    Shown("places", "/curate/places", (listed("places", "deep_scan"),)),
    Shown("businesses", "/curate/local_businesses", (listed("local_businesses", "domain_extraction"),)),
    Shown("domains", "/curate/domains", (listed("domains", "domain_metadata"),)),
    Shown("sitemaps", "/curate/sitemap_files", (listed("sitemap_files", "sitemap_import"),)),
    Shown("pages", "/curate/pages", (listed_pages(),)),
    Shown("pages, deep", f"/curate/pages?{_deep()}", (listed_pages(condition="pages.id < 500000"),)),
    Shown(
        "pages by kind, score", "/curate/pages?where=kind%3Dcontact&where=score%3E%3D95",
        (listed_pages(condition="kind = 'contact' AND score >= 95"),),
    ),
    Shown(
        "pages in error", "/curate/pages?where=page_processing_status%3DError",
        (listed_pages(condition="work.status = 'Error'", joins=PAGES_OF_WORK),),
    ),
    Shown("pages, best first", "/curate/pages?sort=-score", (listed_pages(by="score DESC, id DESC"),)),
    Shown("pages by title", "/curate/pages?sort=title", (listed_pages(by="title, id"),)),
    Shown("contacts", "/curate/contacts", (listed("contacts", "contact_validation"),)),
    Shown("lead", f"/businesses/{BUSINESS}", LEAD),
    Shown("contact", "/contacts/{contact}", CONTACT),
    Shown("journey", "/journey/domain/{domain}", JOURNEY),
    Shown("failures", "/failures", (GROUPS,)),
    Shown("failures of a group", f"/failures/rows?{GROUP}", (OF_GROUP,)),
    Shown("batches", "/batches", newest("batches")),
    Shown("schedules", "/schedules", newest("schedules")),
    Shown("people", "/people", newest("users")),
    Shown("audit", "/audit", newest("audit_entries", "at")),
    Shown("decisions", "/curate/operations", newest("operations")),
    Shown("settings", "/settings", ("SELECT 1",)),
    Shown("system", "/system", ("SELECT * FROM jobs", "SELECT * FROM invariant_checks", "SELECT * FROM workers")),
    Shown("account", "/account", ("SELECT * FROM users WHERE tenant_id = %(tenant)s LIMIT 1",)),
)  # fmt: skip
