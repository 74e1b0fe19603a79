"""Contacts emails: every look at an address on a page, in all its disguises."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

from services.contacts import Sight
from services.contacts_json_ld import Told
from services.contacts_page import Element, ReadPage, host_of
from services.email_address import is_somebodys, label_of
from services.email_markup import ASIDE, FITTING, is_promising, of_element, of_mailto, of_script
from services.email_text import addresses, spelled_addresses
from services.email_words import CREDIT, FREE_MAIL
from services.host import registrable_domain

MOST_LINKS = 2_000
MOST_SCRIPTS, MOST_MARKED = 2_000, 20_000  # no page of a business has so many
BEFORE_CREDIT = 70
BESIDE = frozenset((ASIDE, FITTING))
STYLED = frozenset(("class", "id", "style", "title", "aria-label"))


def email_sights(page: ReadPage, told: list[Told], own: str) -> tuple[list[Sight], set[str]]:
    """Find the addresses of a page, and all domains that it has addresses at; `own` is the domain its site is under."""
    emails = _Emails(page, told, own)
    every = [sight for sight in emails.all() if is_somebodys(sight.value, own)]
    return emails.theirs(every), set(map(domain_of, every))


def domain_of(sight: Sight) -> str:
    """Give the domain of a found address."""
    return sight.value.rpartition("@")[2]


def site_of(sight: Sight) -> str:
    """Give the registrable domain of a found address."""
    return registrable_domain(domain_of(sight))


def _is_empty(link: Element) -> bool:
    """Tell whether a link shows nothing to click on, and no style can either: what an editor left behind."""
    holds_nothing = link.tag == "a" and link.start == link.end and link.order == link.last
    return holds_nothing and link.attributes.keys().isdisjoint(STYLED)


class _Emails:
    def __init__(self, page: ReadPage, told: list[Told], own: str) -> None:
        self.page, self.told, self.own = page, told, own

    def all(self) -> Iterator[Sight]:
        yield from self._marked_emails()
        yield from self._written_emails()
        for told in self.told:
            if told.what == "email":
                for address in of_mailto(
                    told.value if told.value.lower().startswith("mailto:") else f"mailto:{told.value}"
                ):
                    yield self._email(address, "json-ld", told.value, name=told.name, title=told.title)
        for kind, source in self.page.scripts[:MOST_SCRIPTS]:
            if "ld+json" not in kind:
                yield from (self._email(address, "script", address) for address in of_script(source, self.own))

    def theirs(self, sights: list[Sight]) -> list[Sight]:
        """Leave out makers of the page, and what stands beside it under a domain that it does not give as its own."""
        makers = {id(sight) for sight in sights if self._is_maker(sight)}
        shown = {site_of(sight) for sight in sights if sight.method not in BESIDE and id(sight) not in makers}
        shown |= {self.own}
        sights = [sight for sight in sights if id(sight) not in makers or site_of(sight) in shown - FREE_MAIL]
        if all(sight.method not in BESIDE for sight in sights):
            return sights
        linked = {registrable_domain(host_of(href)) for _, href in self.page.links[:MOST_LINKS] if "//" in href[:8]}
        known = {FITTING: shown - FREE_MAIL, ASIDE: shown | FREE_MAIL | linked}
        return [
            replace(sight, method="attribute") if sight.method in BESIDE else sight
            for sight in sights
            if sight.method not in BESIDE or site_of(sight) in known[sight.method]
        ]

    def _is_maker(self, sight: Sight) -> bool:
        """Tell whether an address stands where a page says who made it."""
        before = self.page.text[max(0, sight.place - BEFORE_CREDIT) : max(0, sight.place)]
        return CREDIT.search(before.rpartition("\n")[2]) is not None

    def _marked_emails(self) -> Iterator[Sight]:
        marked = (each for each in self.page.elements if each.attributes and is_promising(each.attributes))
        for element in islice(marked, MOST_MARKED):
            for address, method in of_element(element):
                if method == "mailto" and _is_empty(element):
                    continue
                snippet = self.page.snippet(element.start, element.end) or address
                if method == "mailto" and address.lower() not in snippet.lower():  # it stands in the link alone
                    snippet = f"{address}: {snippet}"
                if element.get("itemprop") == "email":
                    method = "microdata"
                yield self._email(address, method, snippet, element.start, element=element.order)

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
