"""Find contacts: a page to the emails, phones, profiles and people on it, each with how and where it was found."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from services.contacts import FoundContact, Sight, best_of, of_person
from services.contacts_emails import email_sights
from services.contacts_json_ld import Told, facts
from services.contacts_page import ReadPage, host_of
from services.contacts_phones import phone_sights
from services.contacts_reader import read_page
from services.host import registrable_domain
from services.people import Person, people
from services.phone_number import is_region
from services.socials import profile_of

__all__ = ["FoundContact", "contacts_of", "find_contacts"]

LONGEST_JSON_LD = 2_000_000


def find_contacts(html: str, *, url: str, region: str = "US") -> list[FoundContact]:
    """Find every contact of a page, each once; never fails.

    `region` is where the business is. A number that is none there is tried where the page itself says it is from.
    """
    return contacts_of(read_page(html), url=url, region=region)


def contacts_of(page: ReadPage, *, url: str, region: str) -> list[FoundContact]:
    """Find every contact of a page that was read already."""
    return _Finder(page, url, region).found()


class _Finder:
    """Reads one page in all the ways there are, one after the other."""

    def __init__(self, page: ReadPage, url: str, region: str) -> None:
        self.page = page
        self.host = host_of(url)
        self.own = registrable_domain(self.host) if self.host else ""
        self.region = region.upper() if is_region(region.upper()) else "US"
        self.told: list[Told] = []

    def found(self) -> list[FoundContact]:
        self.told = [
            told
            for kind, source in self.page.scripts
            if "ld+json" in kind and len(source) <= LONGEST_JSON_LD
            for told in facts(source)
        ]
        emails, domains = email_sights(self.page, self.told, self.own)
        persons = people(self.page)
        numbers = phone_sights(self.page, self.told, self.region, {self.host, *domains})
        sights = [*emails, *numbers, *self._socials()]
        sights = [*_joined(sights, persons), *self._persons(persons)]
        return best_of(sights)

    def _socials(self) -> Iterator[Sight]:
        for element, href in self.page.links:
            if element.tag in ("a", "area") or (element.tag == "link" and element.get("rel") == "me"):
                yield from self._social(href, "link", element.start)
        for element in self.page.elements:
            if element.attributes and (shown := element.attributes.get("data-href")):
                yield from self._social(shown, "link", element.start)
        for told in self.told:
            if told.what == "social":
                yield from self._social(told.value, "json-ld", -1, told.name, told.title)

    def _social(
        self, href: str, method: str, place: int, name: str | None = None, title: str | None = None
    ) -> Iterator[Sight]:
        found = profile_of(href)
        if found is not None:
            network, profile = found
            yield Sight("social", profile, method, href.strip(), place, network, name, title)

    def _persons(self, persons: list[Person]) -> Iterator[Sight]:
        for person in persons:
            snippet = self.page.snippet(person.start, person.end, around=0)
            yield Sight("person", person.name, person.method, snippet, person.start, "", person.name, person.title)
        for told in self.told:
            if told.what == "person":
                snippet = f"{told.name}, {told.title}" if told.title else told.value
                yield Sight("person", told.value, "json-ld", snippet, -1, "", told.name, told.title)


def _joined(sights: list[Sight], persons: list[Person]) -> Iterator[Sight]:
    """Say of every contact that stands in a person's card whose it is."""
    by_text = sorted(persons, key=lambda person: person.start)
    by_element = sorted(persons, key=lambda person: person.first)
    starts, firsts = [person.start for person in by_text], [person.first for person in by_element]
    for sight in sights:
        owner = None
        if sight.element >= 0:
            at = bisect_right(firsts, sight.element) - 1
            owner = by_element[at] if at >= 0 and sight.element <= by_element[at].last else None
        elif sight.place >= 0:
            at = bisect_right(starts, sight.place) - 1
            owner = by_text[at] if at >= 0 and sight.place < by_text[at].end else None
        yield of_person(sight, owner.name, owner.title) if owner and sight.name is None else sight
