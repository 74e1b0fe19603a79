"""Contacts page: a page as it was read once: its text, its elements with their places in that text, and its scripts."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from urllib.parse import urlsplit


@dataclass(slots=True)
class Element:
    """One element: its attributes, where its text begins and ends, and the element around it."""

    tag: str
    attributes: dict[str, str | None]
    start: int
    end: int
    around: Element | None
    is_hidden: bool
    order: int  # its place among all elements
    last: int  # the place of the last element inside it

    def get(self, name: str) -> str:
        """Give an attribute, empty when it is missing."""
        return self.attributes.get(name) or ""


@dataclass(slots=True)
class ReadPage:
    """A page, read once. In its text a line break ends a block, and a tab ends a cell of a table."""

    html: str
    text: str = ""
    elements: list[Element] = field(default_factory=list)
    scripts: list[tuple[str, str]] = field(default_factory=list)  # type, source
    concealed: list[tuple[int, int]] = field(default_factory=list)  # stretches of the text that are not shown
    links: list[tuple[Element, str]] = field(default_factory=list)  # with their href
    marked: list[Element] = field(default_factory=list)  # those with an itemprop
    forms: list[Element] = field(default_factory=list)
    fields: list[Element] = field(default_factory=list)  # of forms
    frames: list[str] = field(default_factory=list)  # the addresses of what is shown in frames
    title: str = ""

    def is_concealed(self, place: int) -> bool:
        """Tell whether visitors do not see what stands at a place of the text."""
        at = bisect_right(self.concealed, (place, len(self.text) + 1)) - 1
        return at >= 0 and place < self.concealed[at][1]

    def snippet(self, start: int, end: int, around: int = 60) -> str:
        """Quote a place of the text with what stands around it, from the beginning of a word on."""
        begin = max(0, start - around)
        if begin and not self.text[begin - 1].isspace():
            begin = next((at for at in range(begin, start) if self.text[at].isspace()), start)
        return " ".join(self.text[begin : min(end, start + 200) + around].split())


def host_of(url: str) -> str:
    """Give the host of a URL, empty when it has none."""
    try:
        return (urlsplit(url).hostname or "").rstrip(".")
    except ValueError:
        return ""
