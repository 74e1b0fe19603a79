"""Leads: one for each business, put together from what is known of it, streamed by id."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import chain
from uuid import UUID

from leads import lead_rows, lead_where
from leads.journey_facts import meaning_of
from leads.lead_rows import Row, business_of, ending_of, seen_of
from leads.lead_suppression import Withheld, unnamed
from models.contact import owner_key
from services import where
from services.lead import Prefer, Seen, best_phone, nearness, ranked_emails, socials_by_network
from services.lead_blank import MEANINGS, why_no_email
from services.lead_row import Business, Lead, Site
from services.lead_score import Signals, parts
from services.where import Condition

Endings = Mapping[int, list[Row]]


@dataclass(frozen=True, slots=True)
class Wanted:
    """Whose rows are wanted, on which conditions, and what counts as the best email."""

    tenant_id: UUID
    conditions: Collection[Condition] = ()
    prefer: Prefer = "role"
    with_gone: bool = False


@dataclass(frozen=True, slots=True)
class Chunk:
    """What is known about the businesses of one chunk, by id."""

    domains: Mapping[int, list[Row]]
    by_domain: Mapping[int, list[Row]]
    by_business: Mapping[int, list[Row]]
    searches: Mapping[int, list[Row]]
    held: Mapping[str, set[str]]
    now: datetime


@dataclass(slots=True)
class Ways:
    """The ways to reach a business that may leave the house, and what was held back."""

    by_kind: dict[str, list[Seen]] = field(default_factory=dict)
    held: set[str] = field(default_factory=set)
    has_held_email: bool = False

    def of(self, kind: str) -> list[Seen]:
        return self.by_kind.get(kind, [])


def leads(wanted: Wanted, withheld: Withheld) -> Iterator[Lead]:
    """Give every lead that is wanted, by id of its business."""
    in_sql, in_python = where.split(wanted.conditions, lead_where.LEAD_SQL)
    condition, values = lead_where.sql_of(in_sql, lead_where.LEAD_SQL, "where")
    for rows in lead_rows.businesses(wanted.tenant_id, condition, values):
        for lead in _of_chunk(rows, wanted, withheld):
            if lead_where.lead_holds(lead, in_python):
                yield lead


def one(tenant_id: UUID, business_id: int) -> Lead | None:
    """Give the lead that one business is; None when it may not leave the house, or is no lead."""
    wanted = Wanted(tenant_id, [Condition("id", "=", business_id)])
    return next(leads(wanted, Withheld(tenant_id)), None)


def blank_meaning(reason: str | None) -> str:
    """Say what the word tells a person that stands for a missing email."""
    return MEANINGS.get(reason or "") or meaning_of(reason) or ""


def _of_chunk(rows: list[Row], wanted: Wanted, withheld: Withheld) -> list[Lead]:
    chunk = _read(rows, wanted, withheld)
    made = [(row, _lead(row, chunk, wanted, withheld)) for row in rows]
    kept = [(row, *lead) for row, lead in made if lead is not None]
    return _with_reasons(kept, chunk)


def _read(rows: list[Row], wanted: Wanted, withheld: Withheld) -> Chunk:
    ids = [row["id"] for row in rows]
    domains = lead_rows.domains(ids)
    domain_ids = {each["id"] for of_one in domains.values() for each in of_one if each["is_exported"]}
    return Chunk(
        domains=domains,
        by_domain=lead_rows.contacts("domain_id", domain_ids, with_gone=wanted.with_gone),
        by_business=lead_rows.contacts("local_business_id", ids, with_gone=wanted.with_gone),
        searches=lead_rows.searches([row["place_id"] for row in rows]),
        held=withheld.of_owners(domain_ids),
        now=datetime.now(UTC),
    )


def _lead(row: Row, chunk: Chunk, wanted: Wanted, withheld: Withheld) -> tuple[Lead, Ways] | None:
    """Put one lead together; None when its domain is on the suppression list."""
    domains = chunk.domains.get(row["id"], [])
    names = [domain["name"] for domain in domains]
    if withheld.site(names, row["website"]):
        return None
    main = main_domain(domains)
    ways = _ways(row, domains, chunk, withheld)
    emails = ranked_emails(ways.of("email"), domains=names, prefer=wanted.prefer)
    phones = _phones(row, main, ways, withheld)
    lead = Lead(
        business=_business(row, main),
        site=_site(main, ways, withheld, row["country_code"]),
        email=emails[0] if emails else None,
        further_emails=tuple(email.value for email in emails[1:]),
        phone=phones[0] if phones else None,
        further_phones=tuple(phones[1:]),
        people=_people(ways),
        socials=socials_by_network(ways.of("social")),
        rating=row["rating"],
        review_count=row["review_count"],
        curation=row["curation_status"],
        first_seen_at=row["created_at"],
        searches=tuple(found["search"] for found in chunk.searches.get(row["place_id"], [])),
    )
    return _scored(withheld.cleared(lead, row["country_code"]), names, ways, chunk.now), ways


def main_domain(domains: list[Row]) -> Row | None:
    """Give the site a business is at now: the first it named that does not lead to another."""
    return next((each for each in domains if each["redirects_to_id"] is None), domains[0] if domains else None)


def _business(row: Row, main: Row | None) -> Business:
    website = row["website"] or (main["website"] if main else None)
    return business_of(row, row["id"], website=website, domain=main["name"] if main else None)


def _ways(row: Row, domains: list[Row], chunk: Chunk, withheld: Withheld) -> Ways:
    """Gather a business's contacts, each once, without those that are held back and whose they are."""
    owned = [(contact, each["name"]) for each in domains for contact in chunk.by_domain.get(each["id"], [])]
    owned += [(contact, None) for contact in chunk.by_business.get(row["id"], [])]
    each_once = {(contact["kind"], contact["value"]): (contact, domain) for contact, domain in reversed(owned)}
    known = (chunk.held.get(owner_key(domain_id=each["id"]), ()) for each in domains)
    ways, free = Ways(held=set(chain.from_iterable(known))), []
    for key, (contact, domain) in each_once.items():
        if withheld.contact(*key, domain):
            ways.held.update(filter(None, (contact["value"], contact["person_name"])))
            ways.has_held_email |= contact["kind"] == "email"
        else:
            free.append(contact)
    for contact in reversed(free):
        if not withheld.person(contact, ways.held):
            ways.by_kind.setdefault(contact["kind"], []).append(unnamed(seen_of(contact), ways.held))
    return ways


def _phones(row: Row, main: Row | None, ways: Ways, withheld: Withheld) -> list[str]:
    """Give the numbers of a business, the one to call first."""
    listed = None if withheld.phone(row["phone"]) else row["phone"]
    best = best_phone(ways.of("phone"), listed=listed, is_shared=bool(main and main["is_shared"]))
    others = [phone.value for phone in ways.of("phone") if phone.label != "fax" and phone.verdict != "invalid"]
    return list(dict.fromkeys(filter(None, (best, *others, listed))))


def _people(ways: Ways) -> tuple[str, ...]:
    """Name who works there, with titles."""
    people = ways.of("person")
    return tuple(f"{each.value} ({each.person_title})" if each.person_title else each.value for each in people)


def _site(main: Row | None, ways: Ways, withheld: Withheld, country: str | None) -> Site:
    if main is None or not main["is_exported"]:
        return Site()
    return Site(
        title=withheld.text(main["title"], ways.held, country),
        language=main["language"],
        technologies=tuple(map(str, main["technologies"])),
        is_wordpress=main["is_wordpress"],
        booking_tools=tuple(map(str, main["booking_tools"])),
        analytics=tuple(map(str, main["analytics"])),
        was_read=main["was_read"],
    )


def _scored(lead: Lead, domains: list[str], ways: Ways, now: datetime) -> Lead:
    seen = [each.last_seen_at for kind in ("email", "phone") for each in ways.of(kind) if each.last_seen_at]
    signals = Signals(
        has_email=lead.email is not None,
        email_verdict=lead.email.verdict if lead.email else None,
        email_nearness=nearness(lead.email, domains) if lead.email else 2,
        has_phone=lead.phone is not None,
        networks=len(lead.socials),
        has_website=bool(lead.business.website or lead.business.domain),
        site_was_read=lead.site.was_read,
        rating=lead.rating,
        review_count=lead.review_count,
        days_since_seen=(now - max(seen)).total_seconds() / 86400 if seen else None,
    )
    made = parts(signals)
    return replace(lead, score=sum(part.points for part in made), score_parts=made)


def _with_reasons(made: list[tuple[Row, Lead, Ways]], chunk: Chunk) -> list[Lead]:
    """Say of each lead that has no email why."""
    blank = {row["id"]: main_domain(chunk.domains.get(row["id"], [])) for row, lead, _ in made if lead.email is None}
    of_business = lead_rows.business_endings(blank) if blank else {}
    domain_ids = {main["id"] for main in blank.values() if main}
    of_domain = lead_rows.domain_endings(domain_ids) if domain_ids else {}
    return [
        lead if lead.email else replace(lead, blank_reason=_reason(row["id"], blank, of_business, of_domain, ways))
        for row, lead, ways in made
    ]


def _reason(
    business_id: int, mains: Mapping[int, Row | None], of_business: Endings, of_domain: Endings, ways: Ways
) -> str:
    main = mains[business_id]
    rows = [*of_business.get(business_id, []), *(of_domain.get(main["id"], []) if main else [])]
    return why_no_email(
        [ending_of(row) for row in rows], has_suppressed=ways.has_held_email, has_invalid=bool(ways.of("email"))
    )
