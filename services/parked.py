"""Parked: tells pages of a business from pages that are parked, for sale, unfinished, missing, broken or empty.

Words alone never decide. A business may have something coming soon, build houses or sell domains: its page then has
more to say and more pages to lead to. So each kind of phrase counts only on a page that is short enough for it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from services import fault_phrases as faults
from services import parked_phrases as parked
from services import unfinished_phrases as unfinished
from services.homepage_elements import Elements

Word = Literal["parked", "for-sale", "under-construction", "error-page", "soft-404", "empty"]

LONGEST_FOLDED = 8_000
# The most words, and the most other pages of the site linked, on a page that these phrases can be about.
PARKED_WORDS, PARKED_PAGES = 300, 15
HINT_WORDS, HINT_PAGES = 60, 4
CONSTRUCTION_WORDS, CONSTRUCTION_PAGES = 110, 6
FAULT_WORDS, FAULT_PAGES = 250, 4
HEADLINE_WORDS, FEW_WORDS = 6, 12
MOST_REPEATS = 3  # who says it of more domains than one deals in them
BARE_WORDS = 40  # a server's own page for a missing one

_NOT_A_WORD = re.compile(r"[^a-z0-9{}]+")
_SPELT_OUT = str.maketrans({"ł": "l", "ß": "ss", "ø": "o", "đ": "d", "æ": "ae", "œ": "oe"})


@dataclass(frozen=True, slots=True)
class Verdict:
    """Why a page is not a business's, in one word, and what says so."""

    word: Word
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Seen:
    """A page as the phrases are compared with it: folded to plain lower-case words, with a space at either end."""

    title: str
    headings: tuple[str, ...]
    text: str
    words: int
    pages: int

    @property
    def leads(self) -> tuple[str, ...]:
        return (self.title, *self.headings)

    @property
    def headline(self) -> tuple[str, ...]:
        """The first heading where it is short: a long one names something else that is coming."""
        return tuple(heading for heading in self.headings[:1] if len(heading.split()) <= HEADLINE_WORDS)

    @property
    def few_words(self) -> tuple[str, ...]:
        return (self.text,) if self.words <= FEW_WORDS else ()

    def is_at_most(self, words: int, pages: int) -> bool:
        return self.words <= words and self.pages <= pages


def judge(page: Elements, *, host: str, own_pages: int) -> Verdict | None:
    """Say what kind of page that is no business's this is; None when it may well be one.

    `host` is the registrable domain, `own_pages` how many other pages of the site it links.
    """
    seen = _Seen(
        title=fold(page.title, host),
        headings=tuple(fold(heading, host) for heading in page.headings),
        text=fold(page.text[:LONGEST_FOLDED], host) if page.words <= PARKED_WORDS else " ",
        words=page.words,
        pages=own_pages,
    )
    return _missing(seen) or _broken(seen) or _empty(page, seen) or _parked(page, seen) or _unfinished(seen)


def fold(text: str, host: str = "") -> str:
    """Give a text in plain lower-case words, each with a space at either side, and {host} for the domain's name."""
    text = text.lower()
    if host:
        text = text.replace(f"www.{host}", "{host}").replace(host, "{host}")
    text = unicodedata.normalize("NFKD", text.translate(_SPELT_OUT)).encode("ascii", "ignore").decode()
    return f" {_NOT_A_WORD.sub(' ', text).strip()} "


def _parked(page: Elements, seen: _Seen) -> Verdict | None:
    if not seen.is_at_most(PARKED_WORDS, PARKED_PAGES):
        return None
    for_sale, is_parked = _said(parked.FOR_SALE, seen), _said(parked.PARKED, seen)
    advertised = _among(parked.PARKED_SOURCES, page.sources) or _among(parked.PARKED_SCRIPTS, page.scripts)
    offered = _among(parked.FOR_SALE_LINKS, (anchor.get("href") for anchor in page.anchors))
    # Most parked pages are for sale as well: which it is first and foremost is said on top.
    if for_sale and (offered or not (is_parked or advertised) or _within(parked.FOR_SALE, *seen.leads)):
        return Verdict("for-sale", (*for_sale, *offered))
    if is_parked or advertised:
        return Verdict("parked", (*is_parked, *advertised))
    if not seen.is_at_most(HINT_WORDS, HINT_PAGES):
        return None
    if hints := offered or _within(parked.FOR_SALE_HINTS, *seen.leads):
        return Verdict("for-sale", hints)
    hints = _within(parked.PARKED_HINTS, *seen.leads)
    return Verdict("parked", hints) if hints else None


def _unfinished(seen: _Seen) -> Verdict | None:
    if not seen.is_at_most(CONSTRUCTION_WORDS, CONSTRUCTION_PAGES):
        return None
    found = _within(unfinished.CONSTRUCTION, seen.text, seen.title)
    if not found and seen.is_at_most(HINT_WORDS, HINT_PAGES):
        found = _within(unfinished.CONSTRUCTION_HINTS, seen.title, *seen.headline, *seen.few_words)
    return Verdict("under-construction", found) if found else None


def _missing(seen: _Seen) -> Verdict | None:
    """Recognise a page for a missing one: the site's own, or a server's, which has nothing else to say."""
    found = _beginning(faults.NOT_FOUND, (seen.title, *seen.headings[:1]))
    if not found:
        return None
    return Verdict("error-page" if seen.is_at_most(BARE_WORDS, 0) else "soft-404", found)


def _broken(seen: _Seen) -> Verdict | None:
    if not seen.is_at_most(FAULT_WORDS, FAULT_PAGES):
        return None
    top = (seen.title, *seen.headings[:1])
    found = _beginning(faults.SERVER_FAULTS, top) or _equal(faults.FAULT_TITLES, top)
    if not found and seen.words <= BARE_WORDS:
        found = _within(faults.SERVER_WORDS, seen.text)
    return Verdict("error-page", found) if found else None


def _empty(page: Elements, seen: _Seen) -> Verdict | None:
    """Recognise a page with nothing on it; one that scripts would fill is not judged."""
    has_more = page.anchors or page.images or any(page.sources) or any(map(str.strip, page.scripts))
    if seen.words or has_more or page.meta("description", "og:description", "refresh"):
        return None
    return Verdict("empty", ("nothing to see",))


def _within(phrases: parked.Phrases, *texts: str) -> tuple[str, ...]:
    return tuple(phrase for _, phrase in phrases if any(f" {phrase} " in text for text in texts))


def _said(phrases: parked.Phrases, seen: _Seen) -> tuple[str, ...]:
    found = _within(phrases, seen.text, seen.title)
    return tuple(phrase for phrase in found if seen.text.count(f" {phrase} ") <= MOST_REPEATS)


def _equal(phrases: parked.Phrases, texts: Iterable[str]) -> tuple[str, ...]:
    texts = tuple(texts)
    return tuple(phrase for _, phrase in phrases if f" {phrase} " in texts)


def _beginning(phrases: parked.Phrases, texts: Iterable[str]) -> tuple[str, ...]:
    texts = tuple(texts)
    return tuple(phrase for _, phrase in phrases if any(text.startswith(f" {phrase} ") for text in texts))


def _among(signs: Iterable[str], places: Iterable[str]) -> tuple[str, ...]:
    whole = "\n".join(places).lower()
    return tuple(sign for sign in signs if sign in whole)
