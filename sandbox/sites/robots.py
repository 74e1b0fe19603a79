"""robots.txt, as each kind of site has it."""

from __future__ import annotations

from sandbox.message import PLAIN, Reply, page, redirect

FILE_HOST = "robots-file.example"  # keeps the robots.txt of the sites that redirect theirs, and nothing else
RULES = {
    "robots-deny": "User-agent: *\nDisallow: /\n",
    "robots-deny-contact": "User-agent: *\nDisallow: /contact\n",
    "crawl-delay": "User-agent: *\nCrawl-delay: 2\nDisallow:\n",
}
WORDPRESS = "User-agent: *\nDisallow: /wp-admin/\nAllow: /wp-admin/admin-ajax.php\n"
WIX = "User-agent: *\nAllow: /\nDisallow: *?lightbox=\n\nUser-agent: PetalBot\nCrawl-delay: 120\n"
USUAL = {"wordpress": WORDPRESS, "blog-heavy": WORDPRESS, "wix": WIX}
ALLOW_ALL = "User-agent: *\nDisallow:\n"


def robots_txt(kind: str, template: str, sitemaps: tuple[str, ...]) -> Reply:
    """Answer for robots.txt, with a line for each sitemap that is announced."""
    if kind == "robots-500":
        return page("<h1>Internal Server Error</h1>", status=500)
    if kind == "robots-redirect":
        return redirect(f"http://{FILE_HOST}/robots.txt", status=302)
    rules = RULES.get(kind) or USUAL.get(template, ALLOW_ALL)
    lines = "".join(f"\nSitemap: {url}\n" for url in sitemaps)
    return Reply(200, (rules + lines).encode(), PLAIN)


def answer_file_host(path: str) -> Reply:
    """Answer for the host that only keeps a robots.txt for others."""
    if path != "/robots.txt":
        return page("<h1>Not Found</h1>", status=404)
    return Reply(200, b"User-agent: *\nDisallow: /private\n", PLAIN)
