"""Catalog: the entities that people list, look at and decide about."""

from __future__ import annotations

from difflib import get_close_matches

from entities.column import Column, number, of_model, of_stage
from entities.entity import Entity
from errors import NotFound
from models.base import CURATION_STATUSES
from models.contact import CONTACT_KINDS, VERDICTS, Contact
from models.domain import Domain
from models.local_business import LocalBusiness
from models.page import PAGE_KINDS, Page
from models.place import BUSINESS_STATUSES, Place
from models.search import MODES, PROVIDERS, Search
from models.sitemap_file import SITEMAP_KINDS, SITEMAP_METHODS, SitemapFile
from pipeline.suppressions import NOT_SUPPRESSED

CURATION = {"curation_status": CURATION_STATUSES}
OF_PROVIDER = ("attribution", "field_sources", "expires_at")
OF_FETCH = ("etag", "last_modified", "content_hash")

DOMAIN_JOIN = {"domain": "LEFT JOIN domains AS domain ON domain.id = entity.domain_id"}
DOMAIN_NAME = Column("domain", "text", "domain.name", "the domain's name", join="domain", is_small=True)

# What a search has found, and what belongs to that.
PLACES_OF_SEARCH = "SELECT found.place_id FROM search_places found WHERE {fits}"
BUSINESSES_OF_SEARCH = (
    f"SELECT business.id FROM local_businesses business WHERE business.place_id IN ({PLACES_OF_SEARCH})"
)
DOMAINS_OF_SEARCH = f"""
SELECT link.domain_id FROM local_business_domains link WHERE link.local_business_id IN ({BUSINESSES_OF_SEARCH})"""
DOMAINS_OF_BUSINESS = "SELECT link.domain_id FROM local_business_domains link WHERE {fits}"
OWN_BUSINESS = "EXISTS (SELECT 1 FROM (VALUES (entity.local_business_id)) AS link (local_business_id) WHERE {fits})"
FIRST_BUSINESS = """(
    SELECT business.name FROM local_business_domains link
    JOIN local_businesses business ON business.id = link.local_business_id
    WHERE link.domain_id = {domain} ORDER BY link.id LIMIT 1)"""
ANY_BUSINESS = """{domain} IN (
    SELECT link.domain_id FROM local_business_domains link
    JOIN local_businesses business ON business.id = link.local_business_id WHERE {{fits}})"""


def _asked(name: str, sql: str, among: str, about: str) -> Column:
    """Make a field that can be asked for and is not shown."""
    return number(name, sql, about, among=among, is_shown=False)


def _of_search(among: str) -> Column:
    return _asked("search", "found.search_id", among, "id of a search that led to it")


def _of_business(among: str) -> Column:
    return _asked("business", "link.local_business_id", among, "id of a local business behind it")


def _of_batch(*stages: str) -> Column:
    named = ", ".join(f"'{stage}'" for stage in stages)
    among = f"entity.id IN (SELECT item.entity_id FROM batch_items item WHERE item.stage IN ({named}) AND {{fits}})"
    return _asked("batch", "item.batch_id", among, "id of a batch that brought it")


def _business_name(domain: str) -> Column:
    # Shown is the first; asked for is any of them.
    return Column(
        "business_name", "text", FIRST_BUSINESS.format(domain=domain), "name of the first business behind the domain",
        among=ANY_BUSINESS.format(domain=domain), asked_sql="business.name",
    )  # fmt: skip


SEARCHES = Entity(
    "searches", "search", Search,
    (
        *of_model(
            Search, hidden=("tenant_id", "announced_at"), choices={"provider": PROVIDERS, "mode": MODES},
            about={"coverage": "share of the area searched to the end, 0 to 1"},
        ),
        *of_stage("search", "search"),
    ),
    {"search": "search"},
)  # fmt: skip

PLACES = Entity(
    "places", "place", Place,
    (
        *of_model(
            Place, hidden=("tenant_id",), unlisted=(*OF_PROVIDER, "raw"),
            choices=CURATION | {"provider": PROVIDERS, "business_status": BUSINESS_STATUSES},
        ),
        *of_stage("deep_scan", "deep_scan"),
        _of_search(f"entity.id IN ({PLACES_OF_SEARCH})"),
    ),
    {"deep_scan": "deep_scan"},
)  # fmt: skip

LOCAL_BUSINESSES = Entity(
    "local_businesses", "local business", LocalBusiness,
    (
        *of_model(
            LocalBusiness, hidden=("tenant_id",), unlisted=(*OF_PROVIDER, "opening_hours"),
            choices=CURATION | {"business_status": BUSINESS_STATUSES},
        ),
        Column(
            "domain", "text",
            """(SELECT domain.name FROM local_business_domains link JOIN domains domain ON domain.id = link.domain_id
                WHERE link.local_business_id = entity.id ORDER BY link.id LIMIT 1)""",
            "name of its first domain",
            among="""entity.id IN (SELECT link.local_business_id FROM local_business_domains link
                JOIN domains domain ON domain.id = link.domain_id WHERE {fits})""",
            asked_sql="domain.name", is_small=True,
        ),
        *of_stage("domain_extraction", "domain_extraction"),
        _of_search(f"entity.place_id IN ({PLACES_OF_SEARCH})"),
        _of_batch("domain_extraction"),
    ),
    {"domain_extraction": "domain_extraction"},
)  # fmt: skip

DOMAINS = Entity(
    "domains", "domain", Domain,
    (
        *of_model(
            Domain, hidden=("tenant_id", "sitemap_tries"), unlisted=(*OF_FETCH, "links", "sitemap_links"),
            choices=CURATION, about={"blank_reason": "why the last visit brought no facts of a business"},
        ),
        number(
            "contact_count",
            "(SELECT count(*) FROM contacts WHERE contacts.domain_id = entity.id AND contacts.gone_at IS NULL)",
            "contacts found there that are not gone", is_nullable=False,
        ),
        _business_name("entity.id"),
        *of_stage("domain_metadata", "domain_metadata"),
        *of_stage("sitemap_analysis", "sitemap_analysis"),
        *of_stage("page_ranking", "page_ranking"),
        _of_search(f"entity.id IN ({DOMAINS_OF_SEARCH})"),
        _of_business(f"entity.id IN ({DOMAINS_OF_BUSINESS})"),
        _of_batch("domain_metadata", "sitemap_analysis", "page_ranking"),
    ),
    {"domain_metadata": "domain_metadata", "sitemap_analysis": "sitemap_analysis", "page_ranking": "page_ranking"},
)  # fmt: skip

SITEMAP_FILES = Entity(
    "sitemap_files", "sitemap file", SitemapFile,
    (
        *of_model(
            SitemapFile, hidden=("tenant_id",), unlisted=(*OF_FETCH, "links", "left_out"),
            choices=CURATION | {"kind": SITEMAP_KINDS, "method": SITEMAP_METHODS},
            about={"left_out": "addresses that did not become pages, counted by reason"},
        ),
        DOMAIN_NAME,
        *of_stage("sitemap_import", "sitemap_import"),
        _of_search(f"entity.domain_id IN ({DOMAINS_OF_SEARCH})"),
        _of_business(f"entity.domain_id IN ({DOMAINS_OF_BUSINESS})"),
        _of_batch("sitemap_import"),
    ),
    {"sitemap_import": "sitemap_import"}, DOMAIN_JOIN,
)  # fmt: skip

PAGES = Entity(
    "pages", "page", Page,
    (
        *of_model(
            Page, hidden=("tenant_id",), unlisted=OF_FETCH, choices=CURATION | {"kind": PAGE_KINDS},
            about={"decision_reason": "why it was or was not chosen to be visited"},
        ),
        DOMAIN_NAME,
        *of_stage("page_curation", "page_processing"),
        _of_search(f"entity.domain_id IN ({DOMAINS_OF_SEARCH})"),
        _of_business(f"entity.domain_id IN ({DOMAINS_OF_BUSINESS})"),
        _of_batch("page_curation"),
    ),
    {"page_curation": "page_processing"}, DOMAIN_JOIN,
)  # fmt: skip

CONTACTS = Entity(
    "contacts", "contact", Contact,
    (
        *of_model(
            Contact, hidden=("tenant_id", "owner_key"),
            choices=CURATION | {"kind": CONTACT_KINDS, "verdict": VERDICTS},
            about={"gone_at": "since when none of the addresses where it was seen shows it any more"},
        ),
        DOMAIN_NAME,
        _business_name("entity.domain_id"),
        Column(
            "is_suppressed", "flag", f"(NOT {NOT_SUPPRESSED.replace('contact.', 'entity.')})",
            "whether the suppression list keeps it out of every export", join="domain", is_nullable=False,
        ),
        *of_stage("contact_validation", "contact_validation"),
        _of_search(
            f"(entity.domain_id IN ({DOMAINS_OF_SEARCH}) OR entity.local_business_id IN ({BUSINESSES_OF_SEARCH}))"
        ),
        _of_business(f"(entity.domain_id IN ({DOMAINS_OF_BUSINESS}) OR {OWN_BUSINESS})"),
    ),
    {"contact_validation": "contact_validation"}, DOMAIN_JOIN,
)  # fmt: skip

ENTITIES = {
    entity.name: entity for entity in (SEARCHES, PLACES, LOCAL_BUSINESSES, DOMAINS, SITEMAP_FILES, PAGES, CONTACTS)
}


def entity_named(name: str) -> Entity:
    """Find an entity, or say which there are."""
    if name in ENTITIES:
        return ENTITIES[name]
    close = get_close_matches(name, ENTITIES, n=1)
    hint = f"Did you mean {close[0]}?" if close else f"There are: {', '.join(ENTITIES)}."
    raise NotFound(f"There is no entity {name[:60]!r}. {hint}")
