"""Find contacts: a page to the emails, phones, profiles and people on it, each with how and where it was found."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import unquote, urlsplit

from services.contacts import FoundContact, Sight, best_of, of_person
from services.contacts_json_ld import Told, facts
from services.contacts_page import Element, ReadPage, read_page
from services.email_address import FREE_MAIL, is_somebodys, label_of
from services.email_markup import of_element, of_mailto, of_script
from services.email_text import addresses, spelled_addresses
from services.host import registrable_domain
from services.people import Person, people
from services.phone_number import international, is_region, national
from services.phone_region import likely_regions
from services.phone_text import label_before, phones
from services.socials import profile_of

__all__ = ["FoundContact", "find_contacts"]

LONGEST_JSON_LD = 2_000_000
DIALLED = ("tel:", "callto:", "sms:", "fax:")
MOST_HOSTS = 200


def find_contacts(html: str, *, url: str, region: str = "US") -> list[FoundContact]:
    """Find every contact of a page, each once; never fails.

    `region` is where the business is. A number that is none there is tried where the page itself says it is from.
    """
    return _Finder(html, url, region).found()


def _host_of(url: str) -> str:
    try:
        return (urlsplit(url).hostname or "").rstrip(".")
    except ValueError:
        return ""


@dataclass(frozen=True)
class _Link:
    element: Element
    href: str


class _Finder:
    """Reads one page in all the ways there are, one after the other."""

    def __init__(self, html: str, url: str, region: str) -> None:
        self.page: ReadPage = read_page(html)
        self.host = _host_of(url)
        self.own = registrable_domain(self.host) if self.host else ""
        self.region = region.upper() if is_region(region.upper()) else "US"
        self.links = [
            _Link(element, href)
            for element in self.page.elements
            if (element.attributes and (href := element.attributes.get("href")))
        ]
        self.told: list[Told] = []

    def found(self) -> list[FoundContact]:
        self.told = [
            told
            for kind, source in self.page.scripts
            if "ld+json" in kind and len(source) <= LONGEST_JSON_LD
            for told in facts(source)
        ]
        self.emails = [sight for sight in self._emails() if is_somebodys(sight.value, self.own)]
        persons = people(self.page)
        sights = [*self.emails, *self._phones(), *self._socials()]
        sights = [*_joined(sights, persons), *self._persons(persons)]
        return best_of(sights)

    # Emails

    def _emails(self) -> Iterator[Sight]:
        yield from self._marked_emails()
        yield from self._written_emails()
        for told in self.told:
            if told.what == "email":
                for address in of_mailto(told.value if told.value.lower().startswith("mailto:") else f"mailto:{told.value}"):
                    yield self._email(address, "json-ld", told.value, name=told.name, title=told.title)
        for kind, source in self.page.scripts:
            if "ld+json" not in kind:
                yield from (self._email(address, "script", address) for address in of_script(source, self.own))

    def _marked_emails(self) -> Iterator[Sight]:
        for element in self.page.elements:
            if not element.attributes:
                continue
            for address, method in of_element(element):
                if element.get("itemprop") == "email":
                    method = "microdata"
                snippet = self.page.snippet(element.start, element.end)
                yield self._email(address, method, snippet or address, element.start, element=element.order)

    def _written_emails(self) -> Iterator[Sight]:
        text, html = self.page.text, self.page.html
        marked = {element.start for element in self.page.elements if element.attributes and element.get("itemprop") == "email"}
        for seen in addresses(text):
            method = "hidden" if self.page.is_concealed(seen.start) else "microdata" if seen.start in marked else "text"
            if method == "text" and text[seen.start : seen.end] not in html:
                method = "entities"
            yield self._email(seen.address, method, self.page.snippet(seen.start, seen.end), seen.start)
        for seen in spelled_addresses(text, self.own):
            yield self._email(seen.address, "at-spelling", self.page.snippet(seen.start, seen.end), seen.start)

    def _email(self, address: str, method: str, snippet: str, place: int = -1, **more: Any) -> Sight:
        domain = address.rpartition("@")[2]
        is_near = domain in FREE_MAIL or registrable_domain(domain) == self.own
        return Sight(
            "email", address, method, snippet, place, label_of(address), doubt=0.0 if is_near else 0.1, **more
        )

    # Phones

    @cached_property
    def _regions(self) -> list[str]:
        """Name the regions that the page is likely from; asked only when a number is none where the business is."""
        hosts = {self.host, *(sight.value.rpartition("@")[2] for sight in self.emails)}
        languages = [element.get("lang") for element in self.page.elements[:1]]
        for element in self.page.elements:
            if element.tag == "link" and element.get("rel") == "canonical":
                hosts.add(_host_of(element.get("href")))
            elif element.tag == "meta" and element.get("property") in ("og:url", "og:locale"):
                content = element.get("content")
                (languages.append(content) if "locale" in element.get("property") else hosts.add(_host_of(content)))
        return likely_regions(
            given=self.region,
            hosts=hosts,
            languages=languages,
            countries=[told.value for told in self.told if told.what == "country"],
            text=self.page.text,
        )

    def _number(self, text: str) -> str | None:
        text = text.strip()
        if text.startswith(("+", "00", "(+")):
            return international(text)
        for region in (self.region, *(self._regions if len(text) > 7 else ())):
            number = national(text, region)
            if number:
                return number
        return international("+" + text) if len(text) > 10 else None

    def _phones(self) -> Iterator[Sight]:
        yield from self._dialled()
        for seen in phones(self.page.text, self.region, lambda: self._regions):
            method = "hidden" if self.page.is_concealed(seen.start) else "phone-text"
            label = "fax" if seen.is_fax else ""
            yield Sight("phone", seen.number, method, self.page.snippet(seen.start, seen.end), seen.start, label)
        for told in self.told:
            if told.what in ("phone", "fax") and (number := self._number(told.value)):
                label = "fax" if told.what == "fax" else ""
                yield Sight("phone", number, "json-ld", told.value, -1, label, told.name, told.title)
        for element in self.page.elements:
            prop = element.get("itemprop") if element.attributes else ""
            if prop in ("telephone", "faxNumber"):
                value = element.get("content") or self.page.text[element.start : min(element.end, element.start + 80)]
                number = self._number(value)
                if number:
                    label = "fax" if prop == "faxNumber" else ""
                    yield Sight("phone", number, "microdata", value.strip(), element.start, label)

    def _dialled(self) -> Iterator[Sight]:
        for link in self.links:
            head = link.href[:12].lstrip().lower()
            scheme = next((scheme for scheme in DIALLED if head.startswith(scheme)), None)
            if scheme is None:
                continue
            written = unquote(link.href.strip()[len(scheme) : 100]).lstrip("/").partition(";")[0].partition("?")[0]
            number = self._number(written)
            if number:
                start = link.element.start
                is_fax = scheme == "fax:" or label_before(self.page.text, start) == "fax"
                snippet = self.page.snippet(start, link.element.end)
                yield Sight("phone", number, "tel", snippet or written, start, "fax" if is_fax else "", element=link.element.order)

    # Profiles

    def _socials(self) -> Iterator[Sight]:
        for link in self.links:
            if link.element.tag in ("a", "area") or (link.element.tag == "link" and link.element.get("rel") == "me"):
                yield from self._social(link.href, "link", link.element.start)
        for element in self.page.elements:
            if element.attributes and (href := element.attributes.get("data-href")):
                yield from self._social(href, "link", element.start)
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

    # People

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
