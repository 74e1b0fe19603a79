"""Lead row: what one business, or one of its contacts, is when it leaves the house; and how both reach a CRM."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from services.lead import Seen
from services.lead_score import Part

_HONORIFICS = ("dr", "dr.", "mr", "mr.", "mrs", "mrs.", "ms", "ms.", "prof", "prof.", "herr", "frau")


@dataclass(frozen=True, slots=True)
class Business:
    """Who it is and where, as its provider, its owner's list or its site says."""

    id: int | None = None
    name: str | None = None
    category: str | None = None
    address: str | None = None
    street: str | None = None
    city: str | None = None
    region: str | None = None
    postal_code: str | None = None
    country: str | None = None
    website: str | None = None
    domain: str | None = None
    attribution: str | None = None


@dataclass(frozen=True, slots=True)
class Site:
    """What a business's homepage is and is made with."""

    title: str | None = None
    language: str | None = None
    technologies: tuple[str, ...] = ()
    is_wordpress: bool | None = None
    booking_tools: tuple[str, ...] = ()
    analytics: tuple[str, ...] = ()
    was_read: bool = False


@dataclass(frozen=True, slots=True)
class Lead:
    """One business with the best of what is known of it."""

    business: Business
    site: Site = field(default_factory=Site)
    email: Seen | None = None
    blank_reason: str | None = None
    further_emails: tuple[str, ...] = ()
    phone: str | None = None
    further_phones: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    socials: Mapping[str, str] = field(default_factory=dict)
    rating: float | None = None
    review_count: int | None = None
    score: int = 0
    score_parts: tuple[Part, ...] = ()
    curation: str = "New"
    first_seen_at: datetime | None = None
    searches: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ContactRow:
    """One contact with its business and the proof of where it was seen."""

    id: int
    contact: Seen
    business: Business
    businesses: int = 0
    method: str | None = None
    snippet: str | None = None
    verdict_reasons: tuple[str, ...] = ()
    curation: str = "New"
    gone_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Reach:
    """Somebody to reach at a business: the common ground of leads, contacts, CRMs and address books."""

    key: str
    business: Business
    person: str | None = None
    title: str | None = None
    email: str | None = None
    phone: str | None = None
    socials: Mapping[str, str] = field(default_factory=dict)
    source_url: str | None = None
    seen_at: datetime | None = None
    score: int | None = None

    @property
    def company(self) -> str | None:
        """Name the business, by its domain when nothing else is known."""
        return self.business.name or self.business.domain

    @property
    def names(self) -> tuple[str, str]:
        """Part a person's name into first and last."""
        words = [word for word in (self.person or "").split() if word.lower() not in _HONORIFICS]
        return " ".join(words[:-1]), words[-1] if words else ""


def reach_of(row: Lead | ContactRow) -> Reach:
    """Tell whom to reach, and how, by a lead or a contact."""
    return _of_lead(row) if isinstance(row, Lead) else _of_contact(row)


def _of_lead(lead: Lead) -> Reach:
    email = lead.email
    return Reach(
        key=f"lead-{lead.business.id}",
        business=lead.business,
        person=email.person_name if email else None,
        title=email.person_title if email else None,
        email=email.value if email else None,
        phone=lead.phone,
        socials=lead.socials,
        source_url=email.source_url if email else None,
        seen_at=email.seen_at if email else None,
        score=lead.score,
    )


def _of_contact(row: ContactRow) -> Reach:
    contact = row.contact
    return Reach(
        key=f"contact-{row.id}",
        business=row.business,
        person=contact.value if contact.kind == "person" else contact.person_name,
        title=contact.person_title,
        email=contact.value if contact.kind == "email" else None,
        phone=contact.value if contact.kind == "phone" and contact.label != "fax" else None,
        socials={contact.label or "other": contact.value} if contact.kind == "social" else {},
        source_url=contact.source_url,
        seen_at=contact.seen_at,
    )
