"""People: names and titles in microformats, microdata and team cards, and the stretch of text that is each one's."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from services.contacts_page import Element, ReadPage
from services.contacts_words import words
from services.people_words import (
    CARD,
    DEGREE,
    HEADINGS,
    HONORIFICS,
    NAME,
    NOT_NAMES,
    PARTICLES,
    STRANGER,
    TITLE,
    TITLE_WORDS,
)

LONGEST_NAME = 60
LONGEST_TITLE = 80
LONGEST_CARD = 3_000
AROUND_TITLES = " ,\u2013-|\u00b7:"
HIGHEST = 8  # how many elements a card may stand above its name
MOST_PEOPLE = 500
NAME_TAGS = HEADINGS | {"strong", "b"}
CARD_TAGS = words("div li article section td figure tr dl p")

_WORD = re.compile(r"[^\W\d_](?:[^\W\d_]|['\u2019.-](?=[^\W\d_]))*\.?")


@dataclass(frozen=True, slots=True)
class Person:
    """One person of a page, where the card begins and ends, and how it was found."""

    name: str
    title: str | None
    start: int
    end: int
    first: int  # the elements of the card, by their place among all
    last: int
    method: str  # hcard, microdata, card


def name_in(text: str) -> str | None:
    """Give the person's name that a short text is, without what comes before and behind names, or None."""
    tidy = " ".join(text.split())
    if not 4 <= len(tidy) <= LONGEST_NAME:
        return None
    while (degree := DEGREE.search(tidy)) and "," in tidy:
        tidy = tidy[: degree.start()].rstrip(" ,")
    words = tidy.split(" ")
    while words and words[0].lower() in HONORIFICS:
        words = words[1:]
    if not 2 <= len(words) <= 5 or not all(_WORD.fullmatch(word) for word in words):
        return None
    full = [word for word in words if word.lower() not in PARTICLES or word[0].isupper()]
    if len(full) < 2 or not all(word[0].isupper() for word in full) or any(_is_no_name(word) for word in words):
        return None
    return " ".join(words) if not all(word.isupper() and len(word) > 2 for word in full) else " ".join(words).title()


def _is_no_name(word: str) -> bool:
    return word.lower() in NOT_NAMES or word.lower() in TITLE_WORDS


def people(page: ReadPage) -> list[Person]:
    """Find the people that a page shows, each once."""
    candidates = list(islice(_named(page), MOST_PEOPLE))
    if not candidates:
        return []
    # A name may stand in several elements, one inside the other: the outermost comes first and speaks for all.
    names = list({element.start: element for element, _ in reversed(candidates)}.values())[::-1]
    starts = [name.start for name in names]
    titles = [element for element in page.elements if _is_marked_title(element)]
    found: dict[str, Person] = {}
    for element, method in candidates:
        place = bisect_left(starts, element.start)
        before = names[place - 1] if place else None
        behind = names[place + 1] if place + 1 < len(names) else None
        person = _person(page, element, method, (before, behind), titles)
        if person is not None and (person.name not in found or (person.title and not found[person.name].title)):
            found[person.name] = person
    return list(found.values())


def _is_marked_title(element: Element) -> bool:
    if not element.attributes:
        return False
    return element.get("itemprop") == "jobTitle" or _says_title(element.get("class"))


def _named(page: ReadPage) -> Iterator[tuple[Element, str]]:
    """Find the elements that hold a person's name and nothing else, inside something that is about people."""
    inside = -1  # the last element that is inside a card
    for element in page.elements:
        if element.attributes and _is_about_people(element):
            inside = max(inside, element.last)
        if element.order > inside or not 4 <= element.end - element.start <= LONGEST_NAME + 20:
            continue
        if not element.attributes and element.tag not in NAME_TAGS:
            continue
        if name_in(page.text[element.start : element.end]) and (method := _method(element)):
            yield element, method


def _method(element: Element) -> str | None:
    classes = element.get("class")
    if element.get("itemprop") == "name":
        return "microdata" if _is_person_scope(element) else None
    if not classes and element.tag not in NAME_TAGS:
        return None
    words = classes.split()
    if ("fn" in words or "p-name" in words) and "org" not in words:
        return "hcard" if _around(element, _is_hcard) else None
    is_name = element.tag in NAME_TAGS or NAME.search(classes) is not None
    return "card" if is_name and _around(element, _is_card) else None


def _is_person_scope(element: Element) -> bool:
    at = element.around
    for _ in range(HIGHEST):
        if at is None:
            return False
        if "itemscope" in at.attributes:
            return at.get("itemtype").rstrip("/").endswith("/Person") and "author" not in at.get("itemprop")
        at = at.around
    return False


def _is_hcard(element: Element) -> bool:
    return _says_hcard(element.attributes.get("class") or "")


def _is_card(element: Element) -> bool:
    classes = element.attributes.get("class") or element.attributes.get("id")
    return bool(classes) and element.tag in CARD_TAGS and _says_card(classes or "")


# The same few classes stand on every page of a site.
@lru_cache(maxsize=4096)
def _says_card(classes: str) -> bool:
    return CARD.search(classes) is not None


@lru_cache(maxsize=4096)
def _says_hcard(classes: str) -> bool:
    words = classes.split()
    return ("vcard" in words or "h-card" in words) and not STRANGER.search(classes)


@lru_cache(maxsize=4096)
def _says_title(classes: str) -> bool:
    return TITLE.search(classes) is not None


def _is_about_people(element: Element) -> bool:
    return _is_card(element) or "itemscope" in element.attributes or _is_hcard(element)


def _around(element: Element, fits: Callable[[Element], bool]) -> Element | None:
    """Give the nearest element around one that fits, unless it is inside a stranger's words."""
    found, at = None, element.around
    for _ in range(HIGHEST):
        if at is None or at.tag == "body":
            break
        if at.attributes and STRANGER.search(at.get("class")):
            return None
        if found is None and at.attributes and fits(at):
            found = at
        at = at.around
    return found


def _person(
    page: ReadPage, element: Element, method: str, names: tuple[Element | None, Element | None], titles: list[Element]
) -> Person | None:
    """Read a card; `names` are the names before and behind this one."""
    name = name_in(page.text[element.start : element.end])
    if name is None:
        return None
    start, end, first, last = _card(element, *names)
    title = _marked_title(page, titles, element.end, end) or _line_behind(page, element.end, end)
    if title is None and method == "card":
        return None
    return Person(name, title, start, end, first, last, method)


def _card(name: Element, before: Element | None, behind: Element | None) -> tuple[int, int, int, int]:
    """Give the card around a name, or in a list without cards what stands before the next name: text and elements."""
    card, at = name, name.around
    for _ in range(HIGHEST):
        if at is None or at.end - at.start > LONGEST_CARD:
            break
        holds_others = (before and before.order >= at.order) or (behind and behind.order <= at.last)
        if holds_others or name.start - at.start > LONGEST_TITLE:
            if card is not name and (_is_card(card) or _is_hcard(card)):
                break
            end = min(at.end, behind.start if behind else at.end)
            last = min(at.last, behind.order - 1 if behind else at.last)
            return card.start, max(card.end, end), card.order, max(card.last, last)
        card = at
        if _is_card(at) or _is_hcard(at):
            break
        at = at.around
    return card.start, card.end, card.order, card.last


def _marked_title(page: ReadPage, titles: list[Element], start: int, end: int) -> str | None:
    """Give the text of the first element of a card that says it is a title."""
    for place in range(bisect_left(titles, start, key=lambda title: title.start), len(titles)):
        title = titles[place]
        if title.end > end:
            return None
        text = " ".join(page.text[title.start : title.end].split()).strip(AROUND_TITLES)
        if _is_title(text):
            return text
    return None


def _line_behind(page: ReadPage, start: int, end: int) -> str | None:
    """Give the first line behind a name, when it is short enough to say what somebody does."""
    for line in re.split(r"[\n\t]", page.text[start : min(end, start + 400)])[:4]:
        tidy = line.strip(AROUND_TITLES)
        if tidy:
            return tidy if _is_title(tidy) else None
    return None


def _is_title(text: str) -> bool:
    has_sentence = text.endswith((".", "!", "?")) or ". " in text
    return (
        2 <= len(text) <= LONGEST_TITLE
        and len(text.split()) <= 9
        and not has_sentence
        and not any(sign in text for sign in "@:©")
        and sum(map(str.isdigit, text)) < 3
        and text[0].isalpha()
    )
