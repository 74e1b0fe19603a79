"""A site's sitemaps: which paths answer in its style, with what, and which of them robots.txt announces."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from sandbox.message import PLAIN, XML, Reply
from sandbox.sites import bad_sitemaps, posts, sitemaps
from sandbox.sites.freshness import changed_on
from sandbox.sites.site import Site
from sandbox.sites.sitemaps import Entry

POSTS_IN_A_SITEMAP = 1_000
GZIP = "application/gzip"
# Where a reader would not look of itself, or where the builder always says it.
ALWAYS_ANNOUNCED = frozenset(("wordpress", "index", "nested", "loop", "feed", "50k"))
ONE_FILE: dict[str, Callable[[Sequence[Entry]], bytes]] = {
    "standard": sitemaps.urlset,
    "broken": bad_sitemaps.broken,
    "entity-bomb": bad_sitemaps.entity_bomb,
    "external-entity": bad_sitemaps.external_entity,
    "wrong-namespace": bad_sitemaps.wrong_namespace,
    "cdata": bad_sitemaps.cdata,
}


def announced(site: Site) -> tuple[str, ...]:
    """List the addresses that robots.txt names: half of the sites leave it to the reader to look."""
    style = site.plan.sitemap
    if style == "none" or (style not in ALWAYS_ANNOUNCED and site.business.index % 2):
        return ()
    return (f"http://{site.host}{top(site)}",)


def top(site: Site) -> str:
    """Give the path of the sitemap to begin with."""
    usual = {"gz": "/sitemap.xml.gz", "text": "/sitemap.txt"}
    if site.plan.sitemap == "wordpress":
        return "/sitemap_index.xml" if site.has_yoast else "/wp-sitemap.xml"
    if site.plan.sitemap == "feed":
        return "/feed/" if site.business.index % 2 else "/atom.xml"
    return usual.get(site.plan.sitemap, "/sitemap.xml")


def sitemap(site: Site, path: str) -> Reply | None:
    """Answer for a sitemap or feed of the site; None when the path is none."""
    style = site.plan.sitemap
    if style in ("wordpress", "index", "nested", "loop"):
        return _of_many(site, path) or _feed(site, path)
    if path != top(site):
        return _feed(site, path)
    if style in ONE_FILE:
        return Reply(200, ONE_FILE[style](_pages(site)), XML)
    return _odd_file(site, style) or _feed(site, path)


def _odd_file(site: Site, style: str) -> Reply | None:
    if style == "gz":
        return Reply(200, sitemaps.zipped(sitemaps.urlset(_pages(site))), GZIP)
    if style == "text":
        return Reply(200, sitemaps.text(_pages(site)), PLAIN)
    if style == "50k":
        return Reply(200, sitemaps.streamed_urlset(_fifty_thousand(site)), XML)
    return None


def _fifty_thousand(site: Site) -> Iterator[Entry]:
    """The useful pages come last, so that who stops early goes without."""
    home, *rest = _pages(site)
    yield home
    yield from posts.entries(_base(site), 0, site.plan.extra_urls, is_catalogue=site.is_catalogue)
    yield from rest


def _feed(site: Site, path: str) -> Reply | None:
    """Every WordPress has a feed; for some sites it is all there is."""
    is_wordpress = site.plan.template in ("wordpress", "blog-heavy")
    if not ((is_wordpress and path == "/feed/") or (site.plan.sitemap == "feed" and path == top(site))):
        return None
    newest = posts.entries(
        _base(site), max(0, site.plan.extra_urls - 10), site.plan.extra_urls, is_catalogue=site.is_catalogue
    )
    entries = [*_pages(site), *newest] if site.plan.sitemap == "feed" else list(newest)
    write, kind = (sitemaps.atom, "atom") if path == "/atom.xml" else (sitemaps.rss, "rss")
    return Reply(200, write(entries, name=site.business.name, home=f"{_base(site)}/"), f"application/{kind}+xml")


def _of_many(site: Site, path: str) -> Reply | None:
    """Answer for one of the files of a sitemap that has several."""
    tree = _tree(site)
    children = tree.get(path)
    if children is not None:
        return Reply(200, sitemaps.index([_entry(site, child) for child in children]), XML)
    leaves = {child for children in tree.values() for child in children}
    if path not in leaves:
        return None
    place = _post_place(path)
    if place is None:
        return Reply(200, sitemaps.urlset(_pages(site)), XML)
    start = place * POSTS_IN_A_SITEMAP
    stop = min(start + POSTS_IN_A_SITEMAP, site.plan.extra_urls)
    return Reply(200, sitemaps.urlset(posts.entries(_base(site), start, stop, is_catalogue=site.is_catalogue)), XML)


def _tree(site: Site) -> dict[str, list[str]]:
    """Give the indexes of a site, each with the files that it lists."""
    style, parts = site.plan.sitemap, -(-site.plan.extra_urls // POSTS_IN_A_SITEMAP)
    if style == "nested":
        return {
            "/sitemap.xml": ["/sitemaps/index-1.xml"],
            "/sitemaps/index-1.xml": ["/sitemaps/index-2.xml"],
            "/sitemaps/index-2.xml": ["/sitemaps/pages.xml"],
        }
    if style == "loop":
        return {
            "/sitemap.xml": ["/sitemap-a.xml", "/sitemap.xml"],
            "/sitemap-a.xml": ["/sitemap-b.xml", "/sitemap-pages.xml"],
            "/sitemap-b.xml": ["/sitemap-a.xml", "/sitemap.xml"],
        }
    if style == "index":
        return {"/sitemap.xml": ["/pages-sitemap.xml"]}
    if site.has_yoast:
        return {"/sitemap_index.xml": ["/page-sitemap.xml", *(f"/post-sitemap{part + 1}.xml" for part in range(parts))]}
    rest = (f"/wp-sitemap-posts-post-{part + 1}.xml" for part in range(parts))
    return {"/wp-sitemap.xml": ["/wp-sitemap-posts-page-1.xml", *rest]}


def _post_place(path: str) -> int | None:
    """Read which part of the posts a file holds; None when it holds the pages."""
    for start in ("/post-sitemap", "/wp-sitemap-posts-post-"):
        if path.startswith(start):
            return int(path.removeprefix(start).removesuffix(".xml")) - 1
    return None


def _base(site: Site) -> str:
    return f"http://{site.host}"


def _entry(site: Site, path: str) -> Entry:
    return Entry(_base(site) + path, changed_on(site.host, path))


def _pages(site: Site) -> list[Entry]:
    return [Entry(_base(site) + each.path, changed_on(site.host, each.path), each.title) for each in site.plan.pages]
