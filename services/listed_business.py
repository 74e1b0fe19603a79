"""A business as a person's own list has it: cells in, facts and the key that tells it from others out."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

from services.phone import e164
from services.plain import text_of, url_of

LONGEST_ID = 200

# For each field the headers it may stand under, besides its own name; the first that is there wins.
BUSINESS_COLUMNS: Mapping[str, tuple[str, ...]] = {
    "name": (
        "business name", "business", "company", "company name", "title", "organization", "organisation", "account name",
        "firma", "nombre", "nom", "naam",
    ),
    "website": ("website url", "web site", "url", "web", "homepage", "domain", "site", "webseite", "sitio web", "link"),
    "phone": ("phone number", "telephone", "tel", "main phone", "telefon", "teléfono", "téléphone", "mobile"),
    "address": ("full address", "formatted address", "location", "adresse", "dirección"),
    "street": ("street address", "address line 1", "address1", "address 1", "strasse", "straße", "calle", "rue"),
    "city": ("town", "locality", "stadt", "ort", "ciudad", "ville"),
    "region": ("state", "province", "county", "state/province", "bundesland"),
    "postal_code": ("zip", "zip code", "postcode", "plz", "código postal", "code postal"),
    "country": ("country code", "land", "país", "pays"),
    "category": ("main category", "industry", "type", "branche", "categoría"),
    "latitude": ("lat",),
    "longitude": ("lng", "lon", "long"),
    "id": ("external id", "record id", "reference", "customer id", "crm id"),
}  # fmt: skip
DOMAIN_COLUMNS: Mapping[str, tuple[str, ...]] = {
    "domain": ("domain name", "website", "website url", "web site", "url", "web", "homepage", "site", "host", "link"),
}
SITEMAP_COLUMNS: Mapping[str, tuple[str, ...]] = {
    "url": ("sitemap", "sitemap url", "sitemap file", "sitemap link", "loc", "address", "link"),
}
PAGE_COLUMNS: Mapping[str, tuple[str, ...]] = {
    "url": ("page", "page url", "page address", "page link", "loc", "address", "website", "link"),
}

# What lists call these countries besides the two letters; any other name is kept as written, without a code.
COUNTRIES = {
    "usa": "US", "unitedstates": "US", "unitedstatesofamerica": "US", "america": "US", "uk": "GB",
    "unitedkingdom": "GB", "greatbritain": "GB", "england": "GB", "scotland": "GB", "wales": "GB", "canada": "CA",
    "australia": "AU", "newzealand": "NZ", "ireland": "IE", "germany": "DE", "deutschland": "DE", "austria": "AT",
    "österreich": "AT", "switzerland": "CH", "schweiz": "CH", "france": "FR", "spain": "ES", "españa": "ES",
    "italy": "IT", "italia": "IT", "netherlands": "NL", "belgium": "BE", "portugal": "PT", "mexico": "MX",
    "brazil": "BR", "india": "IN", "southafrica": "ZA",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ListedBusiness:
    """One business of a list; a cell that cannot be read is None here and stays in the row as written."""

    key: str
    name: str | None
    website: str | None
    phone: str | None
    formatted_address: str | None
    street: str | None
    city: str | None
    region: str | None
    postal_code: str | None
    country_code: str | None
    main_category: str | None
    latitude: float | None
    longitude: float | None


def read_business(cells: Mapping[str, str]) -> ListedBusiness | None:
    """Read a row's cells; None when they hold neither a name nor a website."""
    tidied = {field: url_of(cell) if field == "website" else text_of(cell) for field, cell in cells.items()}
    known = {field: cell for field, cell in tidied.items() if cell}
    if not known.get("name") and not known.get("website"):
        return None
    country = country_of(known.get("country"))
    latitude, longitude = _coordinates(known.get("latitude"), known.get("longitude"))
    split = ("street", "city", "region", "postal_code")
    return ListedBusiness(
        key=_key(known),
        name=known.get("name"),
        website=known.get("website"),
        phone=e164(known.get("phone", ""), country),
        formatted_address=known.get("address") or ", ".join(filter(None, map(known.get, split))) or None,
        **{field: known.get(field) for field in split},
        country_code=country,
        main_category=known.get("category"),
        latitude=latitude,
        longitude=longitude,
    )


def country_of(text: str | None) -> str | None:
    """Give a country's two letters."""
    word = re.sub(r"[\W_]+", "", (text or "").casefold())
    if word in COUNTRIES:
        return COUNTRIES[word]
    return word.upper() if re.fullmatch(r"[a-z]{2}", word) else None


def _coordinates(latitude: str | None, longitude: str | None) -> tuple[float | None, float | None]:
    try:
        north, east = float((latitude or "").replace(",", ".")), float((longitude or "").replace(",", "."))
    except ValueError:
        return None, None
    return (north, east) if -90 <= north <= 90 and -180 <= east <= 180 else (None, None)


def _key(known: Mapping[str, str]) -> str:
    """Name the business: by the list's own id where it has one, else by what tells it from its neighbours.

    A website is compared without scheme, `www.`, case and last slash, a phone number by its digits.
    """
    if known.get("id"):
        return f"id:{known['id'][:LONGEST_ID]}"
    website = re.sub(r"^\w+:/+", "", known.get("website", "").casefold()).removeprefix("www.").rstrip("/")
    words = [known.get(field, "").casefold() for field in ("name", "address", "street", "city", "postal_code")]
    told = [*words, website, re.sub(r"\D", "", known.get("phone", ""))]
    return f"row:{hashlib.sha256(json.dumps(told).encode()).hexdigest()}"
