"""Lead: one business with the best way to reach it, chosen by an order that anyone can read up."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Prefer = Literal["role", "personal"]
PREFERENCES: tuple[Prefer, ...] = ("role", "personal")

# An address that nobody has checked is as good as one about which nothing could be learnt.
VERDICTS = {"valid": 0, "unknown": 1, None: 1, "risky": 2}
INVALID = "invalid"
FREE_MAIL, FAX = "free-mail", "fax"
# The nearer a page is to "write to us", the likelier its address is the one that is read.
PAGE_KINDS = ("contact", "legal", "about", "team", "location", "home")
DECIDERS = re.compile(
    r"\b(?:owner|founder|co-?founder|proprietor|principal|president|ceo|chief executive|managing director|partner"
    r"|directora?|inhaber(?:in)?|gründer(?:in)?|geschäftsführer(?:in)?|gesellschafter(?:in)?|gérante?|propriétaire"
    r"|fondat(?:eur|rice)|directeur|directrice|associée?|propietari[oa]|dueñ[oa]|fundadora?|s[oó]ci[oa]|gerente"
    r"|proprietári[oa]|diretora?|titolare|proprietari[oa]|direttore|direttrice|właściciel(?:ka)?|eigenaar)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Seen:
    """One contact of a business as it may be exported, with where it was best seen."""

    kind: str
    value: str
    label: str | None = None
    verdict: str | None = None
    person_name: str | None = None
    person_title: str | None = None
    confidence: float = 0.0
    sightings: int = 0
    page_kind: str | None = None
    source_url: str | None = None
    seen_at: datetime | None = None
    first_seen_at: datetime | None = None
    last_seen_at: datetime | None = None


def best_email(emails: Iterable[Seen], *, domains: Collection[str] = (), prefer: Prefer = "role") -> Seen | None:
    """Choose the address to write to; an invalid one is never chosen. `domains` are the business's own."""
    return next(iter(ranked_emails(emails, domains=domains, prefer=prefer)), None)


def ranked_emails(emails: Iterable[Seen], *, domains: Collection[str] = (), prefer: Prefer = "role") -> list[Seen]:
    """Sort what may be written to, the best first: each line below decides only among equals of those above it.

    1. verdict: valid, then unknown or not checked, then risky; invalid is left out
    2. whose domain: the business's own, then another's, then a free mail service
    3. `prefer`: a shared mailbox (role) or a person's own
    4. of a person: whoever decides there, by title
    5. confidence, then number of sightings, then the kind of page, then the alphabet
    """
    usable = [email for email in emails if email.verdict in VERDICTS]
    return sorted(usable, key=lambda email: _rank(email, domains, prefer))


def _rank(email: Seen, domains: Collection[str], prefer: Prefer) -> tuple[object, ...]:
    return (
        VERDICTS[email.verdict],
        nearness(email, domains),
        email.label != prefer,
        not decides(email),
        -email.confidence,
        -email.sightings,
        page_rank(email.page_kind),
        email.value,
    )


def nearness(email: Seen, domains: Collection[str]) -> int:
    """Tell how near an address is to a business: 0 at its own domain or below, 1 elsewhere, 2 at a free service."""
    host = email.value.rpartition("@")[2].lower()
    if any(host == domain or host.endswith(f".{domain}") for domain in domains):
        return 0
    return 2 if email.label == FREE_MAIL else 1


def decides(email: Seen) -> bool:
    """Tell whether an address belongs to a person whose title says that they decide."""
    return email.person_title is not None and DECIDERS.search(email.person_title) is not None


def page_rank(kind: str | None) -> int:
    """Tell how promising the kind of page is on which something was seen; the least is the best."""
    return PAGE_KINDS.index(kind) if kind in PAGE_KINDS else len(PAGE_KINDS)


def best_phone(phones: Iterable[Seen], *, listed: str | None = None, is_shared: bool = False) -> str | None:
    """Choose the number to call: one that site and provider agree on, then the site's best, then the provider's.

    Where businesses share a site, its numbers may be another branch's, so the provider's goes first.
    """
    usable = [phone for phone in phones if phone.verdict != INVALID and phone.label != FAX]
    if listed is not None and (is_shared or any(phone.value == listed for phone in usable)):
        return listed
    best = min(usable, key=_phone_rank, default=None)
    return best.value if best else listed


def _phone_rank(phone: Seen) -> tuple[object, ...]:
    return (-phone.confidence, -phone.sightings, page_rank(phone.page_kind), phone.value)


def socials_by_network(socials: Sequence[Seen]) -> dict[str, str]:
    """Choose one profile of each network, the surest and most seen first."""
    found: dict[str, str] = {}
    for social in sorted(socials, key=_phone_rank):
        if social.verdict != INVALID:
            found.setdefault(social.label or "other", social.value)
    return dict(sorted(found.items()))
