"""Lead where: the fields that a lead or a contact can be asked for, and the SQL of those that a table holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from errors import BadInput
from models.contact import CONTACT_KINDS, VERDICTS
from models.search import PROVIDERS
from services import where
from services.lead_row import Lead
from services.where import BadCondition, Condition, Field, Fields

NEVER_EXPORTED = ("Not a Fit", "Archived")
CURATION = Field("choice", ("New", "Selected", "Maybe"), "what is Not a Fit or Archived is never exported")
TEXT, NUMBER, DATE = Field(), Field("number"), Field("date")
HAS = ("email", "phone", "social", "website", "person", "rating", "booking")


@dataclass(frozen=True, slots=True)
class Source:
    """Where SQL finds a field: an expression, and for one with many values the question whether one of them fits."""

    expression: str
    among: str = "{fits}"


_DOMAINS = """EXISTS (SELECT 1 FROM local_business_domains link JOIN domains domain ON domain.id = link.domain_id
    WHERE link.local_business_id = business.id AND {fits})"""
_TOOLS = """EXISTS (SELECT 1 FROM local_business_domains link JOIN domains domain ON domain.id = link.domain_id,
    jsonb_array_elements_text(domain.technologies || domain.analytics || domain.widgets || domain.booking_tools) AS tool
    WHERE link.local_business_id = business.id AND {fits})"""
_SEARCHES = """EXISTS (SELECT 1 FROM search_places found WHERE found.place_id = business.place_id AND {fits})"""

# Of `local_businesses business`, for leads and contacts alike.
BUSINESS_SQL: dict[str, tuple[Field, Source]] = {
    "name": (TEXT, Source("business.name")),
    "category": (TEXT, Source("business.main_category")),
    "city": (TEXT, Source("business.city")),
    "region": (TEXT, Source("business.region")),
    "postal_code": (TEXT, Source("business.postal_code")),
    "country": (TEXT, Source("business.country_code")),
    "website": (TEXT, Source("business.website")),
    "rating": (NUMBER, Source("business.rating")),
    "reviews": (NUMBER, Source("business.review_count")),
    "provider": (
        Field("choice", PROVIDERS),
        Source("(SELECT provider FROM places WHERE places.id = business.place_id)"),
    ),
    "search": (NUMBER, Source("found.search_id", _SEARCHES)),
    "language": (TEXT, Source("domain.language", _DOMAINS)),
    "technology": (TEXT, Source("tool", _TOOLS)),
}

LEAD_SQL: dict[str, tuple[Field, Source]] = BUSINESS_SQL | {
    "id": (NUMBER, Source("business.id")),
    "curation": (CURATION, Source("business.curation_status")),
    "first_seen": (DATE, Source("business.created_at")),
    "domain": (TEXT, Source("domain.name", _DOMAINS)),
}

# Of `contacts contact` and its `domains domain`.
CONTACT_SQL: dict[str, tuple[Field, Source]] = {
    "id": (NUMBER, Source("contact.id")),
    "kind": (Field("choice", CONTACT_KINDS), Source("contact.kind")),
    "value": (TEXT, Source("contact.value")),
    "label": (TEXT, Source("contact.label")),
    "verdict": (Field("choice", VERDICTS), Source("coalesce(contact.verdict, 'unknown')")),
    "person": (TEXT, Source("contact.person_name")),
    "title": (TEXT, Source("contact.person_title")),
    "confidence": (NUMBER, Source("contact.confidence")),
    "curation": (CURATION, Source("contact.curation_status")),
    "first_seen": (DATE, Source("contact.first_seen_at")),
    "last_seen": (DATE, Source("contact.last_seen_at")),
    "domain": (TEXT, Source("domain.name")),
    "method": (
        TEXT,
        Source("seen.method", "EXISTS (SELECT 1 FROM sightings seen WHERE seen.contact_id = contact.id AND {fits})"),
    ),
}

# What is known only once a lead is put together.
LEAD_VALUES: dict[str, tuple[Field, Callable[[Lead], Sequence[object]]]] = {
    "score": (NUMBER, lambda lead: (lead.score,)),
    "has": (Field("choice", HAS), lambda lead: having(lead)),
    "email": (TEXT, lambda lead: (*((lead.email.value,) if lead.email else ()), *lead.further_emails)),
    "phone": (TEXT, lambda lead: (lead.phone, *lead.further_phones)),
    "label": (TEXT, lambda lead: (lead.email.label,) if lead.email else ()),
    "verdict": (Field("choice", VERDICTS), lambda lead: (lead.email.verdict or "unknown",) if lead.email else ()),
    "network": (TEXT, lambda lead: tuple(lead.socials)),
    "reason": (TEXT, lambda lead: (lead.blank_reason,)),
}

LEAD_FIELDS: Fields = {name: known[0] for name, known in (LEAD_SQL | LEAD_VALUES).items()}
CONTACT_FIELDS: Fields = {name: known[0] for name, known in (BUSINESS_SQL | CONTACT_SQL).items()}


def having(lead: Lead) -> tuple[str, ...]:
    """Name what a lead has."""
    there = {
        "email": lead.email,
        "phone": lead.phone,
        "social": lead.socials,
        "website": lead.business.website or lead.business.domain,
        "person": lead.people or (lead.email and lead.email.person_name),
        "rating": lead.rating is not None,
        "booking": lead.site.booking_tools,
    }
    return tuple(name for name in HAS if there[name])


def read(written: Iterable[str], fields: Fields) -> list[Condition]:
    """Read what a person asks for, or say what is wrong with it."""
    try:
        return [where.parse(each, fields) for each in written]
    except BadCondition as fault:
        raise BadInput(str(fault)) from None


def lead_holds(lead: Lead, conditions: Iterable[Condition]) -> bool:
    """Tell whether a lead meets the conditions on what is known only now."""
    return all(where.holds(each, LEAD_VALUES[each.field][1](lead)) for each in conditions)


def sql_of(
    conditions: Iterable[Condition], sources: Mapping[str, tuple[Field, Source]], prefix: str
) -> tuple[str, dict[str, Any]]:
    """Write conditions, joined by AND, as SQL with parameters."""
    tests, values = ["true"], {}
    for nth, condition in enumerate(conditions):
        name = f"{prefix}{nth}"
        tests.append(_test(condition, sources[condition.field][1], name))
        values[name] = condition.value
    return " AND ".join(tests), values


def _test(condition: Condition, source: Source, name: str) -> str:
    if condition.operator == "!=":
        same = _test(Condition(condition.field, "=", condition.value), source, name)
        return f"NOT coalesce({same}, false)"
    return source.among.format(fits=_fits(condition, source.expression, name))


def _fits(condition: Condition, expression: str, name: str) -> str:
    if isinstance(condition.value, str):
        if condition.operator == "~":
            return f"position(lower(%({name})s::text) IN lower({expression})) > 0"
        return f"lower({expression}) = lower(%({name})s::text)"
    if isinstance(condition.value, int | float):
        kind = "bigint" if isinstance(condition.value, int) else "numeric"  # of which an index of ids knows nothing
        return f"{expression} {condition.operator} %({name})s::{kind}"
    return f"({expression} AT TIME ZONE 'UTC')::date {condition.operator} %({name})s::date"
