"""Links: the site's own pages that a page leads to, each once, in the order they stand there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from services.homepage_elements import Element
from services.host import registrable_domain
from services.page_url import normalise

MOST_OWN_LINKS = 1_000

# What has such a name is a file, not a page.
_FILE = re.compile(
    r"\.(?:7z|apk|avi|avif|bmp|css|csv|dmg|docx?|eot|epub|exe|gif|gz|ics|ico|iso|jpe?g|js|json|m4[av]|mov|mp[34]|mpe?g|odt|og[gv]|"
    r"otf|pdf|png|pptx?|rar|rtf|svg|swf|tar|tiff?|ttf|vcf|wav|web[mp]|wmv|woff2?|xlsx?|xml|zip)$",
    re.IGNORECASE,
)
_HOST = re.compile(r"(?i)https?://(?:[^/?#@]*@)?(\[[^\]/?#]*\]|[^/?#:@]+)")
_ORIGIN = re.compile(r"(?i)https?://[^/?#\\]+")
# Pages of the machine beneath the site, which no visitor is meant to read.
_MACHINERY = re.compile(r"/(?:cdn-cgi|wp-json|wp-admin|wp-login\.php|xmlrpc\.php)(?:/|$)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class OwnLink:
    """A link to a page of the same site."""

    url: str
    text: str


def own_links(anchors: Iterable[Element], *, url: str, base: str | None = None) -> tuple[OwnLink, ...]:
    """List the pages of the site that `url` is on, each once, with the first words given to it.

    Relative links are relative to `base`, which is the page's own address unless it says otherwise.
    """
    site = site_of(url)
    found: dict[str, str] = {}
    for address, text in _addresses(anchors, base or url):
        if address in found:
            found[address] = found[address] or text
        elif len(found) < MOST_OWN_LINKS and site_of(address) == site and is_page_address(address):
            found[address] = text
    return tuple(OwnLink(address, text) for address, text in found.items())


def site_of(url: str) -> str:
    """Give the registrable domain that an address belongs to, empty when it has none."""
    found = _HOST.match(url)
    return registrable_domain(found[1]) if found else ""


def is_page_address(url: str) -> bool:
    """Tell whether an address may be a page's: neither a file's nor one of the machinery."""
    path = url.partition("?")[0].partition("//")[2].partition("/")[2]
    return not _FILE.search(path) and not _MACHINERY.search(f"/{path}")


def _addresses(anchors: Iterable[Element], base: str) -> Iterator[tuple[str, str]]:
    known: dict[str, str | None] = {}
    origin = _ORIGIN.match(base)
    for anchor in anchors:
        href = anchor.get("href")
        # A jump on this page leads nowhere new; most other schemes than http(s) are refused below.
        if not href or href.startswith("#"):
            continue
        if href not in known:
            # Most links begin at the site's root, and need not be worked out.
            is_rooted = origin is not None and href[0] == "/" and href[1:2] not in ("/", "\\")
            known[href] = normalise(f"{origin[0]}{href}" if origin and is_rooted else href, base)
        url = known[href]
        if url is not None:
            yield url, anchor.text or anchor.get("aria-label") or anchor.get("title")
