"""Contacts phones: every look at a phone or fax on a page, read where the business is, or where the page is from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from itertools import islice
from urllib.parse import unquote

from services.contacts import Sight
from services.contacts_json_ld import Told
from services.contacts_page import ReadPage, host_of
from services.phone_number import international, national
from services.phone_region import likely_regions
from services.phone_text import MOST_READ, label_before, phones

DIALLED = ("tel:", "callto:", "sms:", "fax:")
# What is dialled after the number, or said about it.
_EXTENSION = re.compile(r"[;?,]|(?<=\d) ?(?:ext|[xpw] ?\d)", re.IGNORECASE)


def _is_dialled(href: str) -> bool:
    return href[:12].lstrip().lower().startswith(DIALLED)


def phone_sights(page: ReadPage, told: list[Told], region: str, hosts: set[str]) -> Iterator[Sight]:
    """Find the phones of a page; `hosts` are its own and those of its addresses."""
    yield from _Phones(page, told, region, hosts).found()


class _Phones:
    def __init__(self, page: ReadPage, told: list[Told], region: str, hosts: set[str]) -> None:
        self.page, self.told, self.region, self.hosts = page, told, region, hosts

    @cached_property
    def _regions(self) -> list[str]:
        """Name the regions that the page is likely from; asked only when a number is none where the business is."""
        hosts = set(self.hosts)
        languages = [element.get("lang") for element in self.page.elements[:1]]
        for element in self.page.elements:
            if element.tag == "link" and element.get("rel") == "canonical":
                hosts.add(host_of(element.get("href")))
            elif element.tag == "meta" and element.get("property") in ("og:url", "og:locale"):
                content = element.get("content")
                (languages.append(content) if "locale" in element.get("property") else hosts.add(host_of(content)))
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
        number = national(text, self.region)
        if number is None and len(text) > 7:
            number = next((found for region in self._regions if (found := national(text, region))), None)
        return number or (international("+" + text) if len(text) > 10 else None)

    def found(self) -> Iterator[Sight]:
        yield from self._dialled()
        for seen in phones(self.page.text, self.region, lambda: self._regions):
            method = "hidden" if self.page.is_concealed(seen.start) else "phone-text"
            label = "fax" if seen.is_fax else ""
            yield Sight("phone", seen.number, method, self.page.snippet(seen.start, seen.end), seen.start, label)
        for told in self.told:
            if told.what in ("phone", "fax") and (number := self._number(told.value)):
                label = "fax" if told.what == "fax" else ""
                yield Sight("phone", number, "json-ld", told.value, -1, label, told.name, told.title)
        for element in self.page.marked:
            prop = element.get("itemprop")
            if prop in ("telephone", "faxNumber"):
                value = element.get("content") or self.page.text[element.start : min(element.end, element.start + 80)]
                number = self._number(value)
                if number:
                    label = "fax" if prop == "faxNumber" else ""
                    yield Sight("phone", number, "microdata", value.strip(), element.start, label)

    def _dialled(self) -> Iterator[Sight]:
        dialled = ((element, href) for element, href in self.page.links if _is_dialled(href))
        for element, href in islice(dialled, MOST_READ):
            head = href[:12].lstrip().lower()
            scheme = head.partition(":")[0] + ":"
            written = _EXTENSION.split(unquote(href.strip()[len(scheme) : 100]).lstrip("/"), maxsplit=1)[0]
            number = self._number(written)
            if number:
                start = element.start
                is_fax = scheme == "fax:" or label_before(self.page.text, start) == "fax"
                snippet = self.page.snippet(start, element.end)
                yield Sight(
                    "phone",
                    number,
                    "tel",
                    snippet or written,
                    start,
                    "fax" if is_fax else "",
                    element=element.order,
                )
