"""Page read: the facts and the contacts of a page, from one parse of it."""

from __future__ import annotations

from dataclasses import dataclass

from services.contacts import FoundContact
from services.contacts_reader import read_page
from services.find_contacts import contacts_of
from services.page_facts import PageFacts, facts_of
from services.phone_region import region_of_language


@dataclass(frozen=True, slots=True)
class PageRead:
    """What a page says about itself, and whom it says how to reach."""

    facts: PageFacts
    contacts: list[FoundContact]


def read(html: str, *, url: str, region: str = "US") -> PageRead:
    """Read a page once, for its facts and its contacts; never fails.

    `region` is where the business is; where that is not known it is empty, and the page's language decides.
    """
    page = read_page(html)
    facts = facts_of(page, url=url)
    where = region or region_of_language(facts.language or "") or ""
    return PageRead(facts, contacts_of(page, url=url, region=where))
