"""Facts that a person may correct, each as it is stored, or one sentence that says why it cannot be."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from errors import BadInput
from leads.contacts_value import refuse_erased
from leads.subjects import known_region
from models.page import PAGE_KINDS
from pipeline.children import clean
from pipeline.database import Connection
from services.local_business import DomainName, domain_of
from services.phone import e164
from services.suppression import DEFAULT_REGION, Subject, domains_above

LONGEST = 500
LONGEST_WEBSITE = 2048

Facts = Mapping[str, str | None]
Row = Mapping[str, Any]


def tidy(facts: Facts) -> dict[str, str | None]:
    """Take away what nobody means to write: spaces around a text, and what cannot be stored."""
    return {
        name: " ".join(clean(value).split()) or None if value is not None else None for name, value in facts.items()
    }


def of_business(connection: Connection, row: Row, facts: Facts) -> dict[str, str | None]:
    """Check what somebody corrects of a business, `country_code` first: a phone number is read as dialled there."""
    made = tidy(facts)
    if made.get("country_code"):
        made["country_code"] = known_region(made["country_code"] or "")
    region = (made if "country_code" in made else row)["country_code"] or DEFAULT_REGION
    for name, check in (("phone", _phone), ("website", _website)):
        if made.get(name):
            made[name], subjects = check(made[name] or "", region)
            refuse_erased(connection, row["tenant_id"], name, subjects)
    for name, value in made.items():
        if name != "website" and len(value or "") > LONGEST:
            raise BadInput(f"The {name.replace('_', ' ')} is longer than {LONGEST} characters: write it shorter.")
    return made


def _phone(text: str, region: str) -> tuple[str, list[Subject]]:
    number = e164(text, region)
    if number is None:
        raise BadInput(f"{text[:60]!r} is no phone number: write it like +15125550100.")
    return number, [Subject("phone", number)]


def _website(text: str, _region: str) -> tuple[str, list[Subject]]:
    if len(text) > LONGEST_WEBSITE or " " in text or "." not in text:
        raise BadInput(f"{text[:60]!r} is no website: write it like https://acme.example.")
    found = domain_of(text)
    names = domains_above(found.name) if isinstance(found, DomainName) else ()
    return text, [Subject("domain", name) for name in names]


def of_page(_connection: Connection, _row: Row, facts: Facts) -> dict[str, str | None]:
    """Check what somebody corrects of a page."""
    made = tidy(facts)
    if made.get("kind") not in PAGE_KINDS:
        raise BadInput(f"There is no kind of page {made.get('kind')!r}. Use one of: {', '.join(PAGE_KINDS)}.")
    return made


CORRECTABLE: Mapping[str, tuple[str, ...]] = {
    "local_businesses": (
        "name", "phone", "website", "formatted_address", "street", "city", "region", "postal_code", "country_code",
    ),
    "pages": ("kind",),
}  # fmt: skip
CHECKS: Mapping[str, Callable[[Connection, Row, Facts], dict[str, str | None]]] = {
    "local_businesses": of_business,
    "pages": of_page,
}
