"""Contacts page: one parse of a page into its text, its elements with their places in that text, and its scripts."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from selectolax.lexbor import LexborNode

from services.contacts_parse import parse_page
from services.contacts_words import words

# These do not end a word or a line; every other element does.
INLINE = words(
    "a abbr acronym b bdi bdo big cite code data dfn em font i ins kbd label mark nobr q s samp small span strike "
    "strong sub sup time tt u var wbr"
)
# What an element puts between the words before and behind it.
BREAKS = {**dict.fromkeys(INLINE, ""), "td": "\t", "th": "\t", "img": " ", "input": " "}
UNREAD = frozenset(("style", "template", "title", "iframe", "object"))
AROUND_TITLE = frozenset(("html", "head", "body"))
FIELDS = frozenset(("input", "textarea", "select"))
MOST_ELEMENTS = 300_000
SPACES = frozenset(" \t\n\r\f\xa0")
# What is written backwards to be shown forwards is never long.
LONGEST_REVERSED = 200
# Soft hyphens and zero-width marks stand inside addresses, seen by nobody; full-width signs are typed for "@".
UNSEEN = {0xAD: None, 0x200B: None, 0x200C: None, 0x200D: None, 0x2060: None, 0xFEFF: None, 0xFF20: "@", 0xFE6B: "@"}

_CONCEALED = re.compile(r"display\s{0,3}:\s{0,3}none|visibility\s{0,3}:\s{0,3}hidden", re.IGNORECASE)


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
        """Quote a place of the text with what stands around it."""
        return " ".join(self.text[max(0, start - around) : min(end, start + 200) + around].split())


def host_of(url: str) -> str:
    """Give the host of a URL, empty when it has none."""
    try:
        return (urlsplit(url).hostname or "").rstrip(".")
    except ValueError:
        return ""


def read_page(html: str) -> ReadPage:
    """Read a page; what cannot be parsed at all is a page with nothing on it."""
    page = ReadPage(html)
    parsed = parse_page(html)
    if parsed is not None and parsed.root is not None:
        _Reader(page).read(parsed.root)
    return page


class _Reader:
    """Walks over the nodes once, without recursion, since strangers nest as deeply as they like."""

    def __init__(self, page: ReadPage) -> None:
        self.page = page
        self.parts: list[str] = []
        self.asides: list[str] = []  # concealed words inside a line: real perhaps, but no part of the line
        self.length = 0
        self.last = "\n"
        self.open: list[tuple[Element, bool, bool, int]] = []  # element, is it a block, an aside, its first part
        self.aside_depth = 0

    def read(self, root: LexborNode) -> None:
        node: LexborNode | None = root
        while node is not None and len(self.page.elements) < MOST_ELEMENTS:
            tag = node.tag
            if tag == "-text":
                self.add(node.text_content or "")
            elif tag and self.enter(node, tag):
                child = node.child
                if child is not None:
                    node = child
                    continue
                self.leave()
            after = node.next
            while after is None and self.open:
                self.leave()
                node = node.parent if node is not None else None
                after = node.next if node is not None else None
            node = after
        while self.open:
            self.leave()
        self.finish()

    def enter(self, node: LexborNode, tag: str) -> bool:
        """Take note of an element; False when its inside is not to be read."""
        if tag[0] in "-!":  # a comment, a doctype
            return False
        attributes = node.attributes
        if tag == "script":
            self.page.scripts.append(((attributes.get("type") or "").lower(), node.text()))
            return False
        if tag in UNREAD:
            self.leave_out(node, tag)
            return False
        mark = BREAKS.get(tag, "\n")
        is_block = mark != ""
        if is_block and self.last != "\n":
            self.separate(mark)
        around = self.open[-1][0] if self.open else None
        was_hidden = around is not None and around.is_hidden
        is_hidden = was_hidden or bool(attributes and _is_concealed(attributes))
        order = len(self.page.elements)
        element = Element(tag, attributes, self.length, self.length, around, is_hidden, order, order)
        self.page.elements.append(element)
        self.note(element)
        is_aside = is_hidden and not was_hidden and not is_block
        self.aside_depth += is_aside
        self.open.append((element, is_block, is_aside, len(self.parts)))
        return True

    def note(self, element: Element) -> None:
        """Put an element where it will be looked for."""
        href = element.attributes.get("href")
        if href:
            self.page.links.append((element, href))
        if "itemprop" in element.attributes:
            self.page.marked.append(element)
        if element.tag in FIELDS:
            self.page.fields.append(element)
        elif element.tag == "form":
            self.page.forms.append(element)

    def leave_out(self, node: LexborNode, tag: str) -> None:
        """Take what is asked of an element whose inside is no part of the text."""
        self.separate("\n")
        # Pictures have titles, too.
        if tag == "title" and not self.page.title and self.open and self.open[-1][0].tag in AROUND_TITLE:
            self.page.title = node.text()
        elif tag == "iframe":
            attributes = node.attributes
            self.page.frames.append(attributes.get("src") or attributes.get("data-src") or "")

    def leave(self) -> None:
        element, is_block, is_aside, part = self.open.pop()
        self.aside_depth -= is_aside
        if element.attributes and "bidi-override" in element.get("style"):
            self.reverse(element, part)
        element.end = self.length
        element.last = len(self.page.elements) - 1
        if is_block:
            if self.last != "\n":
                self.separate(BREAKS.get(element.tag, "\n"))
            if element.is_hidden and not (element.around and element.around.is_hidden):
                self.page.concealed.append((element.start, self.length))

    def reverse(self, element: Element, part: int) -> None:
        if 0 < self.length - element.start <= LONGEST_REVERSED:
            self.parts[part:] = ["".join(self.parts[part:])[::-1]]
            self.last = self.parts[-1][-1:]

    def add(self, text: str) -> None:
        if self.aside_depth:
            self.asides.append(" ".join(text.split()))
            return
        words = text.split()
        if not words:
            self.separate(" ")
            return
        if text[0] in SPACES:
            self.separate(" ")
        tidy = " ".join(words)
        if self.open and self.open[-1][0].tag == "pre":
            tidy = "\n".join(" ".join(line.split()) for line in text.strip().splitlines())
        if not tidy.isascii():
            tidy = tidy.translate(UNSEEN)
        if text[-1] in SPACES:
            tidy += " "
        if tidy:
            self.parts.append(tidy)
            self.length += len(tidy)
            self.last = tidy[-1]

    def separate(self, mark: str) -> None:
        """End a word, a cell or a line, once; a stronger end follows a weaker one."""
        if self.last == "\n" or (self.last == mark) or (mark == " " and self.last == "\t"):
            return
        self.parts.append(mark)
        self.length += 1
        self.last = mark

    def finish(self) -> None:
        if self.asides:
            hidden = "\n" + "\n".join(self.asides)
            self.parts.append(hidden)
            self.page.concealed.append((self.length, self.length + len(hidden)))
        self.page.text = "".join(self.parts)


def _is_concealed(attributes: dict[str, str | None]) -> bool:
    if "hidden" in attributes:
        return True
    style = attributes.get("style")
    return style is not None and _CONCEALED.search(style) is not None
