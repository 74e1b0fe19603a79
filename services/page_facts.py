"""Page facts: what a page says about itself: title, address, language, how much it says, whether it takes messages."""

from __future__ import annotations

import re
from dataclasses import dataclass

from services.contacts_page import ReadPage
from services.page_forms import has_contact_form
from services.page_url import normalise

LONGEST_TITLE = 500
LONGEST_URL_BYTES = 2_000
LONGEST_LANGUAGE = 35  # the longest tag that a registry can hold

_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[a-z0-9]{1,8}){0,4}")


@dataclass(frozen=True, slots=True)
class PageFacts:
    """What a page says about itself; what it does not say is empty."""

    title: str | None = None
    canonical_url: str | None = None
    language: str | None = None  # a tag in small letters: en, en-us
    word_count: int = 0
    has_contact_form: bool = False


def facts_of(page: ReadPage, *, url: str) -> PageFacts:
    """Give the facts of a page that was read at an address."""
    return PageFacts(
        title=" ".join(page.title.replace("\x00", "").split())[:LONGEST_TITLE].rstrip() or None,
        canonical_url=_canonical(page, url),
        language=language_of(page),
        word_count=_words_seen(page),
        has_contact_form=has_contact_form(page),
    )


def language_of(page: ReadPage) -> str | None:
    """Give the language tag of a page in small letters, None when it has none or one that cannot be."""
    said = next((element.get("lang") or element.get("xml:lang") for element in page.elements[:1]), "")
    tag = said.strip().lower().replace("_", "-")[: LONGEST_LANGUAGE + 1]
    return tag if len(tag) <= LONGEST_LANGUAGE and _LANGUAGE.fullmatch(tag) else None


def _canonical(page: ReadPage, url: str) -> str | None:
    base = next((href for element, href in page.links if element.tag == "base"), None)
    for element, href in page.links:
        if element.tag == "link" and "canonical" in element.get("rel").lower().split():
            found = normalise(href, (normalise(base, url) if base else None) or url)
            return found if found and len(found.encode()) <= LONGEST_URL_BYTES else None
    return None


def _words_seen(page: ReadPage) -> int:
    """Count the words that visitors see: not those that are concealed, nor those for browsers without scripts."""
    unseen = [*page.concealed, *((each.start, each.end) for each in page.elements if each.tag == "noscript")]
    text, place, count = page.text, 0, 0
    for start, end in sorted(unseen):
        if end > place:
            count += len(text[place : max(place, start)].split())
            place = end
    return count + len(text[place:].split())
