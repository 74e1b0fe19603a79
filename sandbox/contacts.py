"""Planted contacts, decoys and empty pages: the parts of a site's plan."""

from __future__ import annotations

from dataclasses import dataclass

# How a value is put into its page.
DISGUISES: dict[str, str] = {
    "mailto": "a mailto: link",
    "text": "readable text",
    "tel": "a tel: link",
    "link": "a link to the profile",
    "card": "a team card: name, title and perhaps an email",
    "hcard": "an h-card (class names of microformats)",
    "json-ld": "JSON-LD in a script element",
    "microdata": "itemprop attributes",
    "cloudflare": "Cloudflare's email protection",
    "at-spelling": "(at) and [dot] spelled out",
    "entities": "HTML character references",
    "script": "concatenation in a script",
    "attribute": "halves in data attributes",
    "hidden": "an element that is not displayed",
    "website": "the website that the provider gives",
}
# What a decoy is. The first three are real contacts in places that must not be read.
DECOYS: dict[str, str] = {
    "robots-denied": "on a page that robots.txt denies",
    "private-page": "on a page that another host's robots.txt denies",
    "closed": "on the site of a business that has closed",
    "placeholder": "an example in a form",
    "image-name": "an image for sharp screens",
    "error-key": "the key of an error tracker",
    "vendor-email": "the support address of a widget's vendor",
    "map-coordinates": "a place in a link to a map",
    "vat-number": "a tax number",
    "order-number": "an order number",
    "date-range": "dates that look like a phone number",
    "share-button": "a link to share the page",
    "pixel": "a tracking pixel",
    "social-post": "a post, not a profile",
    "platform-page": "a page of the platform itself",
}


@dataclass(frozen=True, slots=True)
class Planted:
    """One contact on one page, to be found there."""

    kind: str  # email, phone, social, person
    value: str  # normalised: lower-case domain, E.164, canonical profile URL, full name
    page: str  # path
    disguise: str  # a word of DISGUISES
    label: str = ""  # role, personal, free-mail; fax
    name: str | None = None  # of the person whose email, or who, this is
    title: str | None = None


@dataclass(frozen=True, slots=True)
class Decoy:
    """Something on a page that must not be found."""

    value: str
    page: str
    what: str  # a word of DECOYS


@dataclass(frozen=True, slots=True)
class PagePlan:
    """One page."""

    path: str
    kind: str  # home, about, services, contact, team, blog, legal, location, privacy
    title: str
    language: str
