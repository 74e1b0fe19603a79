"""Contacts JSON-LD: what a page tells search engines about its business and its people."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from typing import Any

from services.contacts_words import words

MOST_NODES = 20_000

# Under these a person belongs to the business; elsewhere a person needs a title to count.
THEIR_OWN = words(
    "employee employees founder founders member members contactpoint owner owners owns alumni physician "
    "medicalspecialist department mainentity accountableperson "
)
# Under these stand strangers: who wrote a review or an article, who sings.
STRANGERS = words(
    "review reviews author creator reviewer performer actor director comment contributor editor itemreviewed "
    "publisher provider sponsor brand manufacturer"
)
_TRAILING = re.compile(r",(\s{0,200}+[}\]])")
_CONTROL = re.compile(r"[\x00-\x1f]+")


@dataclass(frozen=True, slots=True)
class Told:
    """One fact: email, phone, fax, social or country; or a person, whose facts carry the name."""

    what: str
    value: str
    name: str | None = None
    title: str | None = None


def facts(source: str) -> Iterator[Told]:
    """Read the facts of one JSON-LD script; a broken one is repaired where a comma too many broke it."""
    document = _loaded(source)
    todo: list[tuple[Any, str, tuple[str | None, str | None]]] = [(document, "", (None, None))]
    nodes = 0
    while todo and nodes < MOST_NODES:
        value, under, person = todo.pop()
        nodes += 1
        if isinstance(value, list):
            todo.extend((inner, under, person) for inner in reversed(value[:MOST_NODES]))
        elif isinstance(value, dict) and under not in STRANGERS:
            person = _person(value, under) or person
            yield from _of_node(value, person, under)
            inner = [(each, key.lower(), person) for key, each in value.items() if isinstance(each, dict | list)]
            todo.extend(reversed(inner))


def _loaded(source: str) -> Any:
    text = _bare(source)
    for attempt in (text, _TRAILING.sub(r"\1", _CONTROL.sub(" ", text))):
        try:
            return json.loads(attempt, strict=False)
        except (ValueError, RecursionError):
            continue
    return None


def _bare(source: str) -> str:
    """Take off what scripts are wrapped in: comments, CDATA, a byte order mark, a semicolon."""
    text = source.replace("<![CDATA[", "", 1).replace("]]>", "")
    starts = [place for bracket in "{[" if (place := text.find(bracket)) >= 0]
    return text[min(starts, default=0) : max(text.rfind("}"), text.rfind("]")) + 1]


def _person(node: dict[str, Any], under: str) -> tuple[str | None, str | None] | None:
    if "Person" not in _types(node) and "Physician" not in _types(node):
        return None
    name, title = _word(node.get("name")), _word(node.get("jobTitle"))
    if name is None:
        name = " ".join(filter(None, (_word(node.get("givenName")), _word(node.get("familyName"))))) or None
    belongs = title or under in THEIR_OWN or _word(node.get("email")) or "worksFor" in node
    return (name, title) if name and belongs else None


def _types(node: dict[str, Any]) -> list[str]:
    kind = node.get("@type")
    return [each.rpartition("/")[2] for each in (kind if isinstance(kind, list) else [kind]) if isinstance(each, str)]


def _of_node(node: dict[str, Any], person: tuple[str | None, str | None], under: str) -> Iterator[Told]:
    name, title = person
    if name and "Person" in _types(node):
        yield Told("person", name, name, title)
    for key, what in (("email", "email"), ("telephone", "phone"), ("faxNumber", "fax"), ("sameAs", "social")):
        for value in _words(node.get(key)):
            yield Told(what, value, name, title)
    if under == "address" or "addressCountry" in node:
        country = node.get("addressCountry")
        country = country.get("name") if isinstance(country, dict) else country
        if isinstance(country, str):
            yield Told("country", country)


def _words(value: Any) -> list[str]:
    values = value if isinstance(value, list) else [value]
    return [word for each in values[:100] if (word := _word(each))]


def _word(value: Any) -> str | None:
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value) if abs(value) < 10**16 else None
    if not isinstance(value, str):
        return None
    return " ".join(unescape(value[:600]).split())[:300] or None
