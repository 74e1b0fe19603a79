"""Contacts: what is found on a page, and the best sighting of each."""

from __future__ import annotations

from dataclasses import dataclass, replace

# How sure each way of finding makes us. A person put a link there on purpose; an attribute may be a leftover.
CONFIDENCE = {
    "mailto": 0.95,
    "tel": 0.95,
    "json-ld": 0.93,
    "microdata": 0.93,
    "hcard": 0.93,
    "cloudflare": 0.95,
    "link": 0.9,
    "text": 0.9,
    "entities": 0.9,
    "card": 0.85,
    "at-spelling": 0.8,
    "script": 0.75,
    "attribute": 0.7,
    "phone-text": 0.8,
    "hidden": 0.5,
}
LONGEST_SNIPPET = 240
MOST_CONTACTS = 5_000


@dataclass(frozen=True, slots=True)
class FoundContact:
    """One contact of a page: its canonical value, and how and where it was found."""

    kind: str  # email, phone, social, person
    value: str
    method: str  # a word of CONFIDENCE
    snippet: str
    confidence: float
    label: str = ""  # role, personal, free-mail; fax; the name of a network
    name: str | None = None  # of the person whose it is
    title: str | None = None
    methods: tuple[str, ...] = ()  # every way it was found on the page, the best first


@dataclass(frozen=True, slots=True)
class Sight:
    """One look at a contact; `place` is where in the page's text, or -1 for somewhere else in its source."""

    kind: str
    value: str
    method: str
    snippet: str
    place: int = -1
    label: str = ""
    name: str | None = None
    title: str | None = None
    doubt: float = 0.0
    element: int = -1  # the place of its element among all, where an attribute holds it


def best_of(sights: list[Sight]) -> list[FoundContact]:
    """Keep each contact once, in the order of the page, by its best sighting."""
    groups: dict[tuple[str, str], list[Sight]] = {}
    for sight in sights:
        key = (sight.kind, sight.value.lower() if sight.kind == "email" else sight.value)
        if key in groups or len(groups) < MOST_CONTACTS:
            groups.setdefault(key, []).append(sight)
    return [_joined(group) for group in groups.values()]


def _joined(group: list[Sight]) -> FoundContact:
    ranked = sorted(group, key=lambda sight: sight.doubt - CONFIDENCE[sight.method])
    best = ranked[0]
    named = next((sight for sight in ranked if sight.name), best)
    return FoundContact(
        kind=best.kind,
        value=best.value,
        method=best.method,
        snippet=best.snippet[:LONGEST_SNIPPET],
        confidence=round(max(0.05, CONFIDENCE[best.method] - best.doubt), 2),
        label=next((sight.label for sight in ranked if sight.label), ""),
        name=named.name,
        title=named.title,
        methods=tuple(dict.fromkeys(sight.method for sight in ranked)),
    )


def of_person(sight: Sight, name: str, title: str | None) -> Sight:
    """Say whose a contact is."""
    return replace(sight, name=name, title=title)
