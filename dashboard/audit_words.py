"""Audit words: the detail of an audit entry as lines that people read, and the page of what was changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from dashboard.words import NOTHING, title_of

LONGEST = 300
MOST_LINES = 60
EMPTY: tuple[object, ...] = (None, "", [], {})
# Pages of ours that show an entity by its number.
PAGES = {
    "schedules": "/schedules/{}",
    "searches": "/searches/{}",
    "webhooks": "/people/webhooks/{}",
    "batches": "/batches/{}",
}


def lines_of(detail: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Write what an entry tells, one line for each fact; what was changed from one value to another with an arrow."""
    return list(_lines(detail, ""))[:MOST_LINES]


def page_of(entity: str, entity_id: int | None) -> str | None:
    """Give where the changed thing is shown, if it has a page."""
    return PAGES[entity].format(entity_id) if entity_id is not None and entity in PAGES else None


def _lines(detail: Mapping[str, Any], within: str) -> Iterator[tuple[str, str]]:
    after = detail.get("after")
    for name, value in detail.items():
        if name == "before" and isinstance(value, Mapping) and isinstance(after, Mapping):
            yield from ((title_of(key), _arrow(value.get(key), after.get(key))) for key in {**value, **after})
        elif name == "after" and isinstance(detail.get("before"), Mapping):
            continue
        elif name == "changed" and isinstance(value, Mapping):
            yield from ((title_of(key), _arrow(*pair)) for key, pair in value.items() if _is_pair(pair))
        elif isinstance(value, Mapping) and value:
            yield from _lines(value, f"{within}{title_of(name)}: ")
        elif value not in EMPTY:
            yield f"{within}{title_of(name)}", _text(value)


def _is_pair(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2


def _arrow(before: object, after: object) -> str:
    return f"{_text(before)} → {_text(after)}"


def _text(value: object) -> str:
    if value in EMPTY:
        return NOTHING
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = ", ".join(map(_text, value)) if isinstance(value, list) else str(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
