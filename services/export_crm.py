"""Export CRM: the columns that HubSpot, Salesforce, Brevo and Pipedrive recognise, and what each requires."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import phonenumbers
from phonenumbers import NumberParseException, PhoneNumberType

from services.export_cell import one_line
from services.export_columns import Column
from services.export_vcard import note_of
from services.lead_row import Reach

LEAD_SOURCE = "ScraperSky"
# What Salesforce takes; it refuses the whole row for a longer one.
SALESFORCE_LONGEST = {"name": 80, "company": 255, "title": 128, "phone": 40}


@dataclass(frozen=True, slots=True)
class Crm:
    """A CRM's columns, which rows it can take, and what becomes of the rest."""

    columns: tuple[Column[Reach], ...]
    takes: Callable[[Reach], bool]
    lacks: str
    rule: str


def _first(reach: Reach) -> str:
    return reach.names[0]


def _last(reach: Reach) -> str:
    return reach.names[1]


def _cut(text: str | None, field: str) -> str | None:
    return one_line(text)[: SALESFORCE_LONGEST[field]] if text else None


def _last_name(reach: Reach) -> str | None:
    return _cut(_last(reach) or reach.company or reach.email, "name")


def _mobile(reach: Reach) -> str | None:
    """Give a number only when it is certainly a mobile one: Brevo refuses to text others."""
    try:
        number = phonenumbers.parse(reach.phone or "")
    except NumberParseException:
        return None
    return reach.phone if phonenumbers.number_type(number) == PhoneNumberType.MOBILE else None


HUBSPOT = Crm(
    columns=(
        Column("Company name", "the business, else its domain", lambda reach: reach.company),
        Column("Company Domain Name", "joins contact and company", lambda reach: reach.business.domain),
        Column("Email", "", lambda reach: reach.email),
        Column("First Name", "of the address's person", _first),
        Column("Last Name", "", _last),
        Column("Job Title", "", lambda reach: reach.title),
        Column("Phone Number", "E.164", lambda reach: reach.phone),
        Column("Website URL", "", lambda reach: reach.business.website),
        Column("Street Address", "", lambda reach: reach.business.street),
        Column("City", "", lambda reach: reach.business.city),
        Column("State/Region", "", lambda reach: reach.business.region),
        Column("Postal Code", "", lambda reach: reach.business.postal_code),
        Column("Country/Region", "two capitals", lambda reach: reach.business.country),
        Column("Industry", "the category", lambda reach: reach.business.category),
        Column("LinkedIn Company Page", "", lambda reach: reach.socials.get("linkedin")),
        Column("Facebook Company Page", "", lambda reach: reach.socials.get("facebook")),
        Column("Twitter Handle", "the profile on x", lambda reach: reach.socials.get("x")),
        Column("Notes", "source, day and attribution", note_of),
    ),
    takes=lambda reach: bool(reach.company or reach.email),
    lacks="a company name, a domain or an email",
    rule="Import it as contacts and companies in one file. Rows without company name, domain and email are left out.",
)

SALESFORCE = Crm(
    columns=(
        Column("FirstName", "", lambda reach: _cut(_first(reach), "name")),
        Column("LastName", "required: of the person, else the company, else the email", _last_name),
        Column("Company", "required: the business, else its domain", lambda reach: _cut(reach.company, "company")),
        Column("Email", "", lambda reach: reach.email),
        Column("Phone", "E.164", lambda reach: _cut(reach.phone, "phone")),
        Column("Website", "", lambda reach: reach.business.website),
        Column("Street", "", lambda reach: reach.business.street),
        Column("City", "", lambda reach: reach.business.city),
        Column("State", "", lambda reach: reach.business.region),
        Column("PostalCode", "", lambda reach: reach.business.postal_code),
        Column("Country", "two capitals", lambda reach: reach.business.country),
        Column("Title", "", lambda reach: _cut(reach.title, "title")),
        Column("Industry", "the category", lambda reach: reach.business.category),
        Column("LeadSource", f"always {LEAD_SOURCE}", lambda _reach: LEAD_SOURCE),
        Column("Description", "source, day and attribution", note_of),
    ),
    takes=lambda reach: bool(reach.company),
    lacks="a company name or a domain",
    rule="Leads of the Data Import Wizard. Without a person, LastName is the company's name. Rows without a company"
    " name and domain are left out.",
)

BREVO = Crm(
    columns=(
        Column("EMAIL", "required", lambda reach: reach.email),
        Column("FIRSTNAME", "", _first),
        Column("LASTNAME", "", _last),
        Column("SMS", "the number, when it is certainly a mobile one", _mobile),
        Column("LANDLINE_NUMBER", "the number otherwise", lambda reach: None if _mobile(reach) else reach.phone),
        Column("COMPANY", "", lambda reach: reach.company),
        Column("JOB_TITLE", "", lambda reach: reach.title),
        Column("WEBSITE", "", lambda reach: reach.business.website),
        Column("CITY", "", lambda reach: reach.business.city),
        Column("COUNTRY", "", lambda reach: reach.business.country),
        Column("CATEGORY", "", lambda reach: reach.business.category),
        Column("SOURCE_URL", "the page that shows the address", lambda reach: reach.source_url),
        Column("ATTRIBUTION", "", lambda reach: reach.business.attribution),
    ),
    takes=lambda reach: bool(reach.email),
    lacks="an email",
    rule="Attributes that your account lacks are created while importing. Rows without an email are left out.",
)

PIPEDRIVE = Crm(
    columns=(
        Column("Person name", "required: the person, else the company", lambda reach: reach.person or reach.company),
        Column("Organization name", "the business, else its domain", lambda reach: reach.company),
        Column("Email", "", lambda reach: reach.email),
        Column("Phone", "E.164", lambda reach: reach.phone),
        Column("Job title", "", lambda reach: reach.title),
        Column("Address", "of the organization, in one line", lambda reach: _one_line_address(reach)),
        Column("Website", "", lambda reach: reach.business.website),
        Column("Industry", "the category", lambda reach: reach.business.category),
        Column("Note", "source, day and attribution", note_of),
    ),
    takes=lambda reach: bool(reach.company or reach.person),
    lacks="a person's or a company's name",
    rule="Import it as people with organizations. Rows without a person, a company name and a domain are left out.",
)  # fmt: skip

CRMS = {"hubspot": HUBSPOT, "salesforce": SALESFORCE, "brevo": BREVO, "pipedrive": PIPEDRIVE}


def _one_line_address(reach: Reach) -> str | None:
    at = reach.business
    parts = (at.street, at.city, " ".join(filter(None, (at.region, at.postal_code))), at.country)
    return at.address or ", ".join(filter(None, parts)) or None
