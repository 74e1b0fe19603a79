"""Domain: the facts that a homepage gives about its site, and where its sitemaps may be."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from services import homepage_facts as facts
from services.homepage_elements import read_elements, tidy
from services.links import OwnLink, own_links, site_of
from services.page_url import normalise
from services.parked import Word, judge
from services.socials import profile_of
from services.technology import recognise

MOST_SITEMAPS = 100
MOST_PROFILES = 50
MOST_ROBOTS_CHARACTERS = 500 * 1024

# The usual places, the likeliest first.
USUAL_PLACES = (
    "sitemap.xml",
    "sitemap_index.xml",
    "sitemap-index.xml",
    "sitemap.xml.gz",
    "wp-sitemap.xml",
    "sitemap.txt",
    "sitemap/sitemap.xml",
    "sitemapindex.xml",
    "post-sitemap.xml",
    "page-sitemap.xml",
    "sitemap/index.xml",
    "sitemap/",
    "sitemap.php",
    "sitemap1.xml",
    "sitemaps.xml",
    "sitemap_index.xml.gz",
    "sitemap-0.xml",
)
# Nothing is given back once taken (*+), or a run of spaces is split in every possible way.
_SITEMAP_LINE = re.compile(r"^[^\S\n]*+site-?map[^\S\n]*+:[^\S\n]*+(\S++)", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class SiteFacts:
    """What a homepage says. A verdict means that it is no business's page; the evidence is what says so."""

    title: str | None = None
    description: str | None = None
    language: str | None = None
    favicon_url: str | None = None
    logo_url: str | None = None
    generator: str | None = None
    canonical_url: str | None = None
    refresh_url: str | None = None
    is_wordpress: bool = False
    wordpress_version: str | None = None
    technologies: tuple[str, ...] = ()
    analytics: tuple[str, ...] = ()
    widgets: tuple[str, ...] = ()
    booking_tools: tuple[str, ...] = ()
    social_profiles: tuple[str, ...] = ()
    own_links: tuple[OwnLink, ...] = ()
    sitemap_links: tuple[str, ...] = ()
    feed_links: tuple[str, ...] = ()
    word_count: int = 0
    verdict: Word | None = None
    evidence: tuple[str, ...] = ()


def read_homepage(html: str, *, url: str) -> SiteFacts:
    """Read what a homepage says about its site; any text can be read, and what is not there stays empty."""
    page = read_elements(html)
    base = (normalise(page.base, url) if page.base else None) or url
    links = own_links(page.anchors, url=url, base=base)
    made = recognise(page)
    home = normalise(url)
    verdict = judge(page, host=site_of(url), own_pages=sum(link.url != home for link in links))
    return SiteFacts(
        title=page.title or page.meta("og:title") or None,
        description=page.meta("description", "og:description", "twitter:description") or None,
        language=facts.language_of(page),
        favicon_url=facts.favicon_of(page, base),
        logo_url=facts.logo_of(page, base),
        generator=tidy(page.meta("generator"), 200) or None,
        canonical_url=facts.canonical_of(page, base),
        refresh_url=facts.refresh_of(page, base),
        is_wordpress="WordPress" in made.technologies,
        wordpress_version=made.wordpress_version,
        technologies=made.technologies,
        analytics=made.analytics,
        widgets=made.widgets,
        booking_tools=made.booking_tools,
        social_profiles=_profiles(anchor.get("href") for anchor in page.anchors),
        own_links=links,
        sitemap_links=facts.sitemaps_of(page, base),
        feed_links=facts.feeds_of(page, base),
        word_count=page.words,
        verdict=verdict.word if verdict else None,
        evidence=verdict.evidence if verdict else (),
    )


def sitemap_candidates(robots_txt: str, *, base_url: str) -> list[str]:
    """List where a site's sitemaps may be: what robots.txt names, on any host, then the usual places."""
    root = normalise("/", base_url)
    usual = (normalise(place, root) for place in USUAL_PLACES) if root else ()
    announced = announced_sitemaps(robots_txt, base_url=base_url)
    return list(dict.fromkeys((*announced, *(place for place in usual if place))))


def announced_sitemaps(robots_txt: str, *, base_url: str) -> list[str]:
    """List the sitemaps that robots.txt names, on any host."""
    root = normalise("/", base_url) or ""  # where robots.txt stands
    found: dict[str, None] = {}
    for address in _SITEMAP_LINE.findall(robots_txt[:MOST_ROBOTS_CHARACTERS].replace("\r", "\n")):
        if len(found) >= MOST_SITEMAPS:
            break
        if (sitemap := normalise(address, root)) is not None:
            found[sitemap] = None
    return list(found)


def _profiles(addresses: Iterable[str]) -> tuple[str, ...]:
    """List the profiles on social networks that a page links, each once."""
    found: dict[str, None] = {}
    for address in addresses:
        profile = profile_of(address) if len(found) < MOST_PROFILES else None
        if profile is not None:
            found[profile[1]] = None
    return tuple(found)
