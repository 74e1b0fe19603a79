"""Contacts reader: one walk over a parsed page, which writes down its text and where its elements stand in it."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborNode

from services.contacts_page import Element, ReadPage
from services.contacts_parse import parse_page
from services.contacts_words import words

# These do not end a word or a line; every other element does.
INLINE = words(
    "a abbr acronym b bdi bdo big cite code data dfn em font i ins kbd label mark nobr q s samp small span strike "
    "strong sub sup time tt u var wbr"
)
BLOCKS = words(
    "html head body div p ul ol li dl dt dd h1 h2 h3 h4 h5 h6 section article aside header footer main nav form "
    "fieldset legend table thead tbody tfoot tr caption address blockquote br hr center figure figcaption button "
    "textarea select option link meta noscript pre map area picture source svg path"
)
# What an element puts between the words before and behind it; any other one ends a line as blocks do.
BREAKS = {
    **dict.fromkeys(INLINE, ""), **dict.fromkeys(BLOCKS, "\n"), "td": "\t", "th": "\t", "img": " ", "input": " "
}  # fmt: skip
LEFT_OUT = frozenset(("script", "style", "template", "title", "iframe", "object"))
EMPTY = frozenset(("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"))
AROUND_TITLE = frozenset(("html", "head", "body"))
FIELDS = frozenset(("form", "input", "textarea", "select"))
MOST_ELEMENTS = 300_000
BLANK = frozenset(" \n\t")
SPACES = frozenset(" \t\n\r\f\xa0")
# What is written backwards to be shown forwards is never long.
LONGEST_REVERSED = 200
# Soft hyphens and zero-width marks stand inside addresses, seen by nobody; full-width signs are typed for "@".
UNSEEN = {0xAD: None, 0x200B: None, 0x200C: None, 0x200D: None, 0x2060: None, 0xFEFF: None, 0xFF20: "@", 0xFE6B: "@"}
# Digits of wide and Arabic writing, and the signs between wide ones.
UNSEEN |= {zero + digit: str(digit) for zero in (0xFF10, 0x660, 0x6F0) for digit in range(10)}
UNSEEN |= {0xFF08: "(", 0xFF09: ")", 0xFF0B: "+", 0xFF0D: "-", 0xFF0E: "."}

_CONCEALED = re.compile(r"display\s{0,3}:\s{0,3}none|visibility\s{0,3}:\s{0,3}hidden", re.IGNORECASE)


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
        self.elements = page.elements
        self.parts: list[str] = []
        self.asides: list[str] = []  # concealed words inside a line: real perhaps, but no part of the line
        self.length = 0
        self.last = "\n"
        self.inside: Element | None = None
        # Of every open element the one around it, what it puts before and behind itself, and what `style` gave.
        self.open: list[tuple[Element | None, str, int]] = []
        self.aside_depth = 0

    def read(self, root: LexborNode) -> None:
        node: LexborNode | None = root
        while node is not None and len(self.elements) < MOST_ELEMENTS:
            tag = node.tag
            if tag == "-text":
                text = node.text_content or " "
                if self.last not in BLANK or not text.isspace() or self.aside_depth:
                    self.add(text)
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
        """Take note of an element; False when there is nothing inside to be read."""
        mark = BREAKS.get(tag)
        if mark is None:
            if tag in LEFT_OUT or tag[0] in "-!":  # a comment, a doctype
                self.leave_out(node, tag)
                return False
            mark = "\n"
        if mark and self.last != "\n":
            self.separate(mark)
        attributes = node.attributes
        if tag in EMPTY and node.child is None:
            if attributes:
                self.note(tag, attributes)
            return False
        around = self.inside
        self.inside = element = self.note(tag, attributes)
        is_styled = "style" in attributes or "hidden" in attributes
        self.open.append((around, mark, self.style(element, mark) if is_styled else -1))
        return True

    def style(self, element: Element, mark: str) -> int:
        """Conceal an element where its style says so; give its first part where it is to be read backwards, else -1."""
        if not element.is_hidden and _is_concealed(element.attributes):
            element.is_hidden = True
            self.aside_depth += not mark
        return len(self.parts) if "bidi-override" in element.get("style") else -1

    def note(self, tag: str, attributes: dict[str, str | None]) -> Element:
        """Put an element where it will be looked for."""
        inside, place, order = self.inside, self.length, len(self.elements)
        is_hidden = inside is not None and inside.is_hidden
        element = Element(tag, attributes, place, place, inside, is_hidden, order, order)
        self.elements.append(element)
        if attributes:
            if href := attributes.get("href"):
                self.page.links.append((element, href))
            if "itemprop" in attributes:
                self.page.marked.append(element)
        if tag in FIELDS:
            (self.page.forms if tag == "form" else self.page.fields).append(element)
        return element

    def leave_out(self, node: LexborNode, tag: str) -> None:
        """Take what is asked of an element whose inside is no part of the text."""
        if tag == "script":
            self.page.scripts.append(((node.attributes.get("type") or "").lower(), node.text()))
        elif tag[0] not in "-!":
            self.separate("\n")
        # Pictures have titles, too.
        if tag == "title" and not self.page.title and self.inside and self.inside.tag in AROUND_TITLE:
            self.page.title = node.text()
        elif tag == "iframe":
            attributes = node.attributes
            self.page.frames.append(attributes.get("src") or attributes.get("data-src") or "")

    def leave(self) -> None:
        element = self.inside
        self.inside, mark, part = self.open.pop()
        if element is None:
            return
        if part >= 0:
            self.reverse(element, part)
        element.end = self.length
        element.last = len(self.elements) - 1
        if mark and self.last != "\n":
            self.separate(mark)
        if element.is_hidden and not (self.inside and self.inside.is_hidden):
            self.uncover(element, mark)

    def uncover(self, element: Element, mark: str) -> None:
        """End what is concealed: a stretch of the text, or an aside."""
        if mark:
            self.page.concealed.append((element.start, self.length))
        else:
            self.aside_depth -= 1

    def reverse(self, element: Element, part: int) -> None:
        if 0 < self.length - element.start <= LONGEST_REVERSED:
            self.parts[part:] = ["".join(self.parts[part:])[::-1]]
            self.last = self.parts[-1][-1:]

    def add(self, text: str) -> None:
        words = text.split()
        if self.aside_depth:
            self.asides.append(" ".join(words))
            return
        if not words:
            self.separate(" ")
            return
        if text[0] in SPACES:
            self.separate(" ")
        tidy = " ".join(words)
        if self.inside and self.inside.tag == "pre":
            tidy = "\n".join(" ".join(line.split()) for line in text.strip().splitlines())
        if not tidy.isascii():
            tidy = tidy.translate(UNSEEN)
        self.put(tidy + " " if text[-1] in SPACES else tidy)

    def put(self, tidy: str) -> None:
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
