"""robots.txt, as each kind of site has it."""

from __future__ import annotations

from sandbox.business import Business
from sandbox.hosts import companion_host
from sandbox.message import PLAIN, Reply, page, redirect

RULES = {
    "robots-deny": "User-agent: *\nDisallow: /\n",
    "robots-deny-contact": "User-agent: *\nDisallow: /contact\n",
    "crawl-delay": "User-agent: *\nCrawl-delay: 2\nDisallow:\n",
}
WORDPRESS = "User-agent: *\nDisallow: /wp-admin/\nAllow: /wp-admin/admin-ajax.php\n"
WIX = "User-agent: *\nAllow: /\nDisallow: *?lightbox=\n\nUser-agent: PetalBot\nCrawl-delay: 120\n"
USUAL = {"wordpress": WORDPRESS, "blog-heavy": WORDPRESS, "wix": WIX}
ALLOW_ALL = "User-agent: *\nDisallow:\n"


def robots_txt(business: Business, template: str, sitemaps: tuple[str, ...]) -> Reply:
    """Answer for robots.txt, with a line for each sitemap that is announced."""
    kind = business.site_kind
    if kind == "robots-500":
        return page("<h1>Internal Server Error</h1>", status=500)
    if kind == "robots-redirect":
        return redirect(f"http://{companion_host(kind, business.index)}/robots.txt", status=302)
    rules = RULES.get(kind) or USUAL.get(template, ALLOW_ALL)
    lines = "".join(f"\nSitemap: {url}\n" for url in sitemaps)
    return Reply(200, (rules + lines).encode(), PLAIN)


def kept_for_another(path: str) -> Reply:
    """Answer for a host that only keeps another one's robots.txt."""
    if path != "/robots.txt":
        return page("<h1>Not Found</h1>", status=404)
    return Reply(200, b"User-agent: *\nDisallow: /private\n", PLAIN)
