"""Export columns: everything that is known of a lead or a contact, one column each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from services.export_cell import Cell
from services.lead import Seen
from services.lead_row import Business, ContactRow, Lead

Row = TypeVar("Row")

NETWORKS = ("facebook", "instagram", "linkedin", "x", "youtube", "tiktok")


@dataclass(frozen=True, slots=True)
class Column(Generic[Row]):
    """One column: its header, what it says, and where its value comes from."""

    name: str
    says: str
    of: Callable[[Row], Cell]


def _network(name: str) -> Column[Lead]:
    return Column(name, f"its profile on {name}", lambda lead: lead.socials.get(name))


def _email(name: str, says: str, of: Callable[[Seen], Cell]) -> Column[Lead]:
    return Column(name, says, lambda lead: of(lead.email) if lead.email else None)


def _address(of: Callable[[Row], Business]) -> tuple[Column[Row], ...]:
    return (
        Column("category", "what kind of business it is", lambda row: of(row).category),
        Column("street", "street and number", lambda row: of(row).street),
        Column("city", "town", lambda row: of(row).city),
        Column("region", "state or region", lambda row: of(row).region),
        Column("postal_code", "postal code", lambda row: of(row).postal_code),
        Column("country", "country, two capitals", lambda row: of(row).country),
        Column("address", "the whole address as given", lambda row: of(row).address),
    )


LEAD: tuple[Column[Lead], ...] = (
    Column("id", "number of the business", lambda lead: lead.business.id),
    Column("name", "name of the business", lambda lead: lead.business.name),
    *_address(lambda lead: lead.business),
    Column("phone", "number to call, E.164", lambda lead: lead.phone),
    _email("email", "the best address to write to", lambda email: email.value),
    _email("email_label", "role, personal or free-mail", lambda email: email.label),
    _email("email_verdict", "valid, unknown or risky; empty: not checked", lambda email: email.verdict),
    _email("email_person", "whose address it is", lambda email: email.person_name),
    _email("email_person_title", "their title", lambda email: email.person_title),
    _email("email_source_url", "the page that shows it", lambda email: email.source_url),
    _email("email_seen_at", "when it was last seen there", lambda email: email.seen_at),
    Column("email_blank_reason", "why there is no email", lambda lead: lead.blank_reason),
    Column("further_emails", "other addresses, the best first", lambda lead: lead.further_emails),
    Column("further_phones", "other numbers", lambda lead: lead.further_phones),
    Column("people", "who works there, with titles", lambda lead: lead.people),
    Column("website", "address of the site as given", lambda lead: lead.business.website),
    Column("domain", "registrable domain of the site", lambda lead: lead.business.domain),
    Column("site_title", "title of the homepage", lambda lead: lead.site.title),
    Column("site_language", "its language", lambda lead: lead.site.language),
    Column("technologies", "what the site is made with", lambda lead: lead.site.technologies),
    Column("wordpress", "whether it is WordPress", lambda lead: lead.site.is_wordpress),
    Column("booking_tools", "how customers book", lambda lead: lead.site.booking_tools),
    Column("analytics", "how visitors are counted", lambda lead: lead.site.analytics),
    *(_network(name) for name in NETWORKS),
    Column("other_socials", "profiles on other networks", lambda lead: tuple(
        url for name, url in lead.socials.items() if name not in NETWORKS)),
    Column("rating", "stars, 1 to 5", lambda lead: lead.rating),
    Column("review_count", "reviews behind the rating", lambda lead: lead.review_count),
    Column("score", "how much the lead promises, 0 to 100", lambda lead: lead.score),
    Column("curation", "your decision", lambda lead: lead.curation),
    Column("first_seen_at", "when the business was first found", lambda lead: lead.first_seen_at),
    Column("searches", "the searches that found it", lambda lead: lead.searches),
    Column("attribution", "whose data it is; keep it where you show the data", lambda lead: lead.business.attribution),
)  # fmt: skip

CONTACT: tuple[Column[ContactRow], ...] = (
    Column("id", "number of the contact", lambda row: row.id),
    Column("kind", "email, phone, social or person", lambda row: row.contact.kind),
    Column("value", "the address, number, profile or name", lambda row: row.contact.value),
    Column("label", "role, personal, free-mail; fax; the network", lambda row: row.contact.label),
    Column("verdict", "valid, unknown, risky or invalid; empty: not checked", lambda row: row.contact.verdict),
    Column("verdict_reasons", "why", lambda row: row.verdict_reasons),
    Column("person", "whose it is", lambda row: row.contact.person_name),
    Column("person_title", "their title", lambda row: row.contact.person_title),
    Column("confidence", "how sure we are, 0 to 1", lambda row: row.contact.confidence),
    Column("business", "name of the business", lambda row: row.business.name),
    Column("businesses", "how many businesses share the site", lambda row: row.businesses),
    *_address(lambda row: row.business),
    Column("website", "address of the site as given", lambda row: row.business.website),
    Column("domain", "registrable domain of the site", lambda row: row.business.domain),
    Column("source_url", "the page that shows it", lambda row: row.contact.source_url),
    Column("seen_at", "when it was last seen there", lambda row: row.contact.seen_at),
    Column("method", "how it was found", lambda row: row.method),
    Column("snippet", "the text around it", lambda row: row.snippet),
    Column("sightings", "how many pages and ways show it", lambda row: row.contact.sightings),
    Column("first_seen_at", "when it was first seen", lambda row: row.contact.first_seen_at),
    Column("last_seen_at", "when it was last seen anywhere", lambda row: row.contact.last_seen_at),
    Column("gone_at", "since when no page shows it", lambda row: row.gone_at),
    Column("curation", "your decision", lambda row: row.curation),
    Column("attribution", "whose data the business's is", lambda row: row.business.attribution),
)
