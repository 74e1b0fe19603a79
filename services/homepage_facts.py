"""Homepage facts: what a page says about its site: language, icons, logo, feeds, sitemaps, where it sends people."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any

from services.homepage_elements import Element, Elements
from services.page_url import normalise

MOST_FOUND = 50
LONGEST_JSON = 512 * 1024
MOST_JSON_NODES = 20_000

# Old tags, and names where a code should be.
LANGUAGE_NAMES = {
    "iw": "he", "in": "id", "ji": "yi", "english": "en", "german": "de", "deutsch": "de", "french": "fr",
    "français": "fr", "francais": "fr", "spanish": "es", "español": "es", "espanol": "es", "italian": "it",
    "italiano": "it", "dutch": "nl", "nederlands": "nl", "portuguese": "pt", "português": "pt",
    "polish": "pl", "polski": "pl",
}  # fmt: skip
_SUBTAG = re.compile(r"[a-z]{2,3}")
_SEPARATOR = re.compile(r"[-_,;\s]")
_REFRESH = re.compile(r"\s*+[\d.]++\s*+[;,]?+\s*+(?:url\s*+=\s*+)?+[\"']?+([^\"']*+)", re.IGNORECASE)
_SITEMAP = re.compile(r"(?i)sitemap[^/]*\.(?:xml|txt)(?:\.gz)?$")
_QUERY = re.compile(r"[?#].*", re.DOTALL)
_FEED_TYPE = re.compile(r"(?i)application/(?:rss|atom|feed)")
_LOGO = re.compile(r"(?<![a-z])logos?(?![a-z])|(?:site|brand|header|main|navbar)[-_]?logo|logo[-_]?(?:img|image|main)")
# Logos of others: customers, partners, cards that are taken.
_NOT_OURS = re.compile(
    r"client|partner|sponsor|customer|payment|visa|paypal|award|certif|member|press|brands|google|footer"
)


def language_of(page: Elements) -> str | None:
    """Give the page's language as a lower-case code without its region."""
    for said in (
        page.language,
        page.meta("content-language"),
        page.meta("language", "dc.language"),
        page.meta("og:locale"),
    ):
        word = _SEPARATOR.split(said.strip().lower(), maxsplit=1)[0]
        word = LANGUAGE_NAMES.get(word, word)
        if _SUBTAG.fullmatch(word):
            return word
    return None


def favicon_of(page: Elements, base: str) -> str | None:
    """Give the address of the small icon, or of the one for telephones; none is made up."""
    icons = (*page.rel("icon"), *page.rel("apple-touch-icon"), *page.rel("apple-touch-icon-precomposed"))
    return _first(base, (icon.get("href") for icon in icons))


def canonical_of(page: Elements, base: str) -> str | None:
    """Give the address that the page says is its own."""
    return _first(base, (link.get("href") for link in page.rel("canonical")))


def refresh_of(page: Elements, base: str) -> str | None:
    """Give where the page sends its visitors after a while, if not to itself."""
    for meta in page.metas:
        found = _REFRESH.match(meta.get("content")) if meta.get("http-equiv").lower() == "refresh" else None
        url = normalise(found[1].strip(), base) if found and found[1].strip() else None
        if url and url != normalise(base):
            return url
    return None


def sitemaps_of(page: Elements, base: str) -> tuple[str, ...]:
    """List the sitemaps that the page links, in its head or as words."""
    anchors = (anchor.get("href") for anchor in page.anchors)
    linked = (href for href in anchors if _SITEMAP.search(_QUERY.sub("", href)[-200:]))
    return _several(base, (*(link.get("href") for link in page.rel("sitemap")), *linked))


def feeds_of(page: Elements, base: str) -> tuple[str, ...]:
    """List the feeds that the page announces."""
    return _several(base, (link.get("href") for link in page.rel("alternate") if _FEED_TYPE.match(link.get("type"))))


def logo_of(page: Elements, base: str) -> str | None:
    """Give the logo that search engines are told of, else the first image that is called one."""
    told = _first(base, (url for text in page.linked_data for url in _logos(text)))
    return (
        told
        or _first(base, (each.get("content") for each in page.metas if each.get("itemprop") == "logo"))
        or (_first(base, (_source(image) for image in page.images if _is_logo(image))))
    )


def _is_logo(image: Element) -> bool:
    if image.get("itemprop") == "logo":
        return True
    says = " ".join(
        (image.get("class"), image.get("id"), image.get("alt"), _source(image)[-200:], image.around)
    ).lower()
    return _LOGO.search(says) is not None and _NOT_OURS.search(says) is None


def _source(image: Element) -> str:
    """Give where an image is: what is loaded late has its address elsewhere, and a picture inside the page none."""
    for name in ("src", "data-src", "data-lazy-src"):
        if (source := image.get(name)) and not source.startswith("data:"):
            return source
    return ""


def _logos(text: str) -> Iterator[str]:
    """Give the logos in JSON-LD, with their addresses directly or in an object of their own."""
    for thing in _things(text):
        logo = thing.get("logo")
        for each in logo if isinstance(logo, list) else (logo,):
            url = (each.get("url") or each.get("contentUrl")) if isinstance(each, dict) else each
            if isinstance(url, str):
                yield url


def _things(text: str) -> Iterator[dict[str, Any]]:
    """Give every object in a JSON text, outer ones first; a text that is broken or endless gives none."""
    try:
        waiting: deque[Any] = deque([json.loads(text)] if len(text) <= LONGEST_JSON else [])
    except (ValueError, RecursionError):
        return
    for _ in range(MOST_JSON_NODES):
        if not waiting:
            return
        thing = waiting.popleft()
        if isinstance(thing, dict):
            yield thing
            waiting += thing.values()
        elif isinstance(thing, list):
            waiting += thing


def _first(base: str, addresses: Iterable[str]) -> str | None:
    return next(iter(_several(base, addresses, most=1)), None)


def _several(base: str, addresses: Iterable[str], most: int = MOST_FOUND) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for address in addresses:
        if len(found) >= most:
            break
        if address and (url := normalise(address, base)):
            found[url] = None
    return tuple(found)
