"""Contacts emails: every look at an address on a page, in all its disguises."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from services.contacts import Sight
from services.contacts_json_ld import Told
from services.contacts_page import ReadPage, host_of
from services.email_address import is_somebodys, label_of
from services.email_markup import ASIDE, is_promising, of_element, of_mailto, of_script
from services.email_text import addresses, spelled_addresses
from services.email_words import FREE_MAIL
from services.host import registrable_domain

MOST_LINKS = 2_000


def email_sights(page: ReadPage, told: list[Told], own: str) -> list[Sight]:
    """Find the addresses of a page; `own` is the domain that its site is under."""
    return _Emails(page, told, own).found()


def domain_of(sight: Sight) -> str:
    """Give the domain of a found address."""
    return sight.value.rpartition("@")[2]


class _Emails:
    def __init__(self, page: ReadPage, told: list[Told], own: str) -> None:
        self.page, self.told, self.own = page, told, own

    def found(self) -> list[Sight]:
        return self._of_theirs([sight for sight in self._all() if is_somebodys(sight.value, self.own)])

    def _all(self) -> Iterator[Sight]:
        yield from self._marked_emails()
        yield from self._written_emails()
        for told in self.told:
            if told.what == "email":
                for address in of_mailto(
                    told.value if told.value.lower().startswith("mailto:") else f"mailto:{told.value}"
                ):
                    yield self._email(address, "json-ld", told.value, name=told.name, title=told.title)
        for kind, source in self.page.scripts:
            if "ld+json" not in kind:
                yield from (self._email(address, "script", address) for address in of_script(source, self.own))

    def _of_theirs(self, sights: list[Sight]) -> list[Sight]:
        """Leave out what attributes say by the way under a domain that the page nowhere else gives as its own."""
        asides = [sight for sight in sights if sight.method == ASIDE]
        if not asides:
            return sights
        shown = {registrable_domain(domain_of(sight)) for sight in sights if sight.method != ASIDE}
        linked = {registrable_domain(host_of(href)) for _, href in self.page.links[:MOST_LINKS] if "//" in href[:8]}
        known = FREE_MAIL | shown | linked | {self.own}
        return [
            replace(sight, method="attribute") if sight.method == ASIDE else sight
            for sight in sights
            if sight.method != ASIDE or registrable_domain(domain_of(sight)) in known
        ]

    def _marked_emails(self) -> Iterator[Sight]:
        for element in self.page.elements:
            if not element.attributes or not is_promising(element.attributes):
                continue
            for address, method in of_element(element):
                if element.get("itemprop") == "email":
                    method = "microdata"
                snippet = self.page.snippet(element.start, element.end)
                yield self._email(address, method, snippet or address, element.start, element=element.order)

    def _written_emails(self) -> Iterator[Sight]:
        text, html = self.page.text, self.page.html
        marked = {element.start for element in self.page.marked if element.get("itemprop") == "email"}
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
        return Sight("email", address, method, snippet, place, label_of(address), doubt=0.0 if is_near else 0.1, **more)
