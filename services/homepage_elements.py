"""Homepage elements: what one parse of a page holds, sorted by what is asked of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from selectolax.lexbor import LexborHTMLParser, LexborNode

from services.markup import parse

MOST_LINKS = 20_000
MOST_METAS = 2_000  # and as many link elements
MOST_IMAGES = 2_000
MOST_HEADINGS = 6
LONGEST_TEXT = 300
ASKED_FOR = "html, base, title, meta, link, script, a, area, img, iframe, frame, h1, h2"
UNSEEN = ["script", "style", "noscript", "template", "title", "svg", "iframe", "object"]


@dataclass(frozen=True, slots=True)
class Element:
    """One element, with the words in it where they matter."""

    attributes: dict[str, str | None]
    text: str = ""
    around: str = ""  # class and id of the two elements around it

    def get(self, name: str) -> str:
        """Give an attribute without the spaces around it, empty when it is missing."""
        return (self.attributes.get(name) or "").strip()


@dataclass(slots=True)
class Elements:
    """The elements of a page in the order they stand there."""

    html: str
    language: str = ""
    base: str = ""
    title: str = ""
    metas: list[Element] = field(default_factory=list)
    named: dict[str, str] = field(default_factory=dict)  # what the metas say, by their names
    links: list[Element] = field(default_factory=list)
    anchors: list[Element] = field(default_factory=list)  # frames, too: what a frame shows is linked
    images: list[Element] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)  # of scripts, frames, images and styles
    scripts: list[str] = field(default_factory=list)  # what stands inside
    linked_data: list[str] = field(default_factory=list)  # JSON-LD
    headings: list[str] = field(default_factory=list)
    text: str = ""
    words: int = 0

    def meta(self, *names: str) -> str:
        """Give the first content that is not empty under the first of these names that has one."""
        return next((self.named[name] for name in names if name in self.named), "")

    def rel(self, word: str) -> list[Element]:
        """List the link elements with this word in their rel that lead anywhere."""
        return [each for each in self.links if each.get("href") and word in each.get("rel").lower().split()]


def read_elements(html: str) -> Elements:
    """Parse a page and sort what it holds."""
    found = Elements(html)
    tree = parse(html)
    if tree is None:
        return found
    # Links stand inside one another on hostile pages only; together they then hold the page many times.
    reader = _Reader(found, budget=len(html))
    for node in tree.css(ASKED_FOR):
        take = TAKE.get(node.tag or "")
        if take is not None:
            take(reader, node)
    _read_text(tree, found)
    return found


def tidy(text: str, longest: int = 2_000) -> str:
    """Give a text with single spaces, cut to a length."""
    return " ".join(text[: longest * 4].replace("\x00", "").split())[:longest]


def _read_text(tree: LexborHTMLParser, found: Elements) -> None:
    """Read the words that visitors see; last, since what they don't see is taken out of the tree."""
    tree.strip_tags(UNSEEN)
    words = (tree.body.text(separator=" ") if tree.body else "").replace("\x00", "").split()
    found.words = len(words)
    found.text = " ".join(words)


class _Reader:
    """Sorts elements by their tag."""

    def __init__(self, found: Elements, budget: int) -> None:
        self.found, self.budget = found, budget

    def html(self, node: LexborNode) -> None:
        attributes = node.attributes
        self.found.language = self.found.language or attributes.get("lang") or attributes.get("xml:lang") or ""

    def base(self, node: LexborNode) -> None:
        self.found.base = self.found.base or (node.attributes.get("href") or "").strip()

    def title(self, node: LexborNode) -> None:
        # Pictures have titles, too.
        if not self.found.title and node.parent is not None and node.parent.tag in ("head", "body", "html"):
            self.found.title = tidy(node.text())

    def meta(self, node: LexborNode) -> None:
        meta = Element(node.attributes)
        content = tidy(meta.get("content"))
        if not content or len(self.found.metas) >= MOST_METAS:
            return
        self.found.metas.append(meta)
        for kind in ("name", "property", "http-equiv", "itemprop"):
            if name := meta.get(kind).lower():
                self.found.named.setdefault(name, content)

    def link(self, node: LexborNode) -> None:
        if len(self.found.links) < MOST_METAS:
            link = Element(node.attributes)
            self.found.links.append(link)
            self.found.sources.append(link.get("href"))

    def script(self, node: LexborNode) -> None:
        attributes = node.attributes
        if source := attributes.get("src"):
            self.found.sources.append(source.strip())
        elif "ld+json" in (attributes.get("type") or ""):
            self.found.linked_data.append(node.text())
        else:
            self.found.scripts.append(node.text())

    def anchor(self, node: LexborNode) -> None:
        attributes = node.attributes
        if attributes.get("href") and len(self.found.anchors) < MOST_LINKS:
            self.found.anchors.append(Element(attributes, self._text(node)))

    def image(self, node: LexborNode) -> None:
        if len(self.found.images) < MOST_IMAGES:
            image = Element(node.attributes, around=_around(node))
            self.found.images.append(image)
            self.found.sources.append(image.get("src"))

    def frame(self, node: LexborNode) -> None:
        source = (node.attributes.get("src") or node.attributes.get("data-src") or "").strip()
        self.found.sources.append(source)
        if node.tag == "frame":
            self.found.anchors.append(Element({"href": source}, tidy(node.attributes.get("name") or "", LONGEST_TEXT)))

    def heading(self, node: LexborNode) -> None:
        if len(self.found.headings) < MOST_HEADINGS and (text := self._text(node)):
            self.found.headings.append(text)

    def _text(self, node: LexborNode) -> str:
        if self.budget < 0:
            return ""
        text = node.text(separator=" ")
        self.budget -= len(text)
        return tidy(text, LONGEST_TEXT)


def _around(node: LexborNode) -> str:
    """Name the two elements around an image: a logo is often marked by what holds it."""
    names: list[str] = []
    parent = node.parent
    for _ in range(2):
        if parent is None or not parent.is_element_node:
            break
        names += [parent.attributes.get("class") or "", parent.attributes.get("id") or ""]
        parent = parent.parent
    return " ".join(names)


TAKE = {
    "html": _Reader.html,
    "base": _Reader.base,
    "title": _Reader.title,
    "meta": _Reader.meta,
    "link": _Reader.link,
    "script": _Reader.script,
    "a": _Reader.anchor,
    "area": _Reader.anchor,
    "img": _Reader.image,
    "iframe": _Reader.frame,
    "frame": _Reader.frame,
    "h1": _Reader.heading,
    "h2": _Reader.heading,
}
