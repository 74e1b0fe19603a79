"""Every kind of site: what it does, what a fetch of its homepage gives and how the pipeline ends there."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Outcome:
    """The furthest stage that a business reaches and how its work there ends."""

    stage: str
    status: str
    reason: str | None


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of site. `fetch` is what its homepage gives first; `outcome` is None where contacts are found."""

    name: str
    does: str
    fetch: str = "ok"
    outcome: Outcome | None = None


FOUND = Outcome("page_curation", "Completed", None)


def _fails(name: str, fetch: str, does: str) -> Kind:
    return Kind(name, does, fetch, Outcome("domain_metadata", "Error", fetch))


def _filtered(name: str, stage: str, reason: str, does: str, fetch: str = "ok") -> Kind:
    return Kind(name, does, fetch, Outcome(stage, "Filtered", reason))


GOOD: tuple[Kind, ...] = (
    Kind("plain", "A small hand-made site with a few pages."),
    Kind("wordpress", "A WordPress-like site with its generator, paths and sitemap."),
    Kind("wix", "A Wix-like site with deep markup and a sitemap index."),
    Kind("one-page", "Everything on the homepage, reached by anchors."),
    Kind("multi-language", "The same pages in two languages under two prefixes."),
    Kind("several-locations", "A page for each of several locations, each with its own phone."),
    Kind("blog-heavy", "Thousands of posts in its sitemap around a few useful pages."),
)
_TRANSPORT: tuple[Kind, ...] = (
    Kind("slow", "Waits 1.5 seconds before each answer."),
    _fails("drip", "timeout", "Sends a byte at a time and never gets done."),
    _fails("hang", "timeout", "Accepts the request and never answers."),
    _fails("huge-page", "too-large", "Streams a homepage of more than 50 MiB."),
    _fails("gzip-bomb", "too-large", "Sends a small gzip body that inflates to 1 GiB."),
    _fails("brotli-bomb", "too-large", "Sends a small brotli body that inflates to 1 GiB."),
    _fails("zstd-bomb", "too-large", "Sends a small zstd body that inflates to 1 GiB."),
    _fails("redirect-loop", "too-many-redirects", "Redirects in a circle."),
    _fails("redirect-private", "unsafe-address", "Redirects to a private, link-local or loopback address."),
    Kind("redirect-elsewhere", "Redirects to another domain that carries the contacts."),
    _fails("not-found", "not-found", "Answers 404 for its homepage."),
    Kind("soft-404", "Answers 200 with a 'page not found' page for every unknown URL, sitemap.xml included."),
    _fails("server-error", "server-error", "Answers 500 always."),
    Kind("rate-limited", "Answers 429 with Retry-After once, then works.", "rate-limited"),
    Kind("unavailable", "Answers 503 with Retry-After as a date once, then works.", "server-error"),
    Kind("flaky", "Fails twice, then works.", "server-error"),
    _fails("resets", "connection-lost", "Breaks every connection instead of answering."),
    _fails("blocked", "blocked", "Answers 403 always."),
    _fails("challenge", "blocked", "Answers with a challenge that only a browser can pass."),
    _fails("not-html", "not-html", "Has a PDF as its homepage."),
    _fails("dns", "dns", "Has a host name that does not exist."),
)
_BUSINESS: tuple[Kind, ...] = (
    _filtered("parked", "domain_metadata", "parked", "Shows a registrar's parking page."),
    _filtered("for-sale", "domain_metadata", "for-sale", "Offers the domain itself for sale."),
    _filtered("under-construction", "domain_metadata", "under-construction", "Says that a site is coming soon."),
    _filtered("closed-business", "deep_scan", "closed", "Has a good site, but the business has closed for good."),
    _filtered("no-website", "domain_extraction", "no-website", "Has no website.", "none"),
    _filtered("social-website", "domain_extraction", "shared-host", "Gives a social profile as its website.", "none"),
    _filtered(
        "bad-website", "domain_extraction", "bad-website", "Gives a website that is no public host name.", "none"
    ),
    Kind("shared-domain", "Shares one domain with the other branches of its chain, with a page for each."),
)
_ROBOTS: tuple[Kind, ...] = (
    _fails("robots-deny", "robots-denied", "Has a robots.txt that denies everything to everyone."),
    Kind("robots-deny-contact", "Has a robots.txt that denies only the contact page."),
    _fails("robots-500", "robots-unavailable", "Answers 500 for its robots.txt."),
    Kind("robots-redirect", "Redirects its robots.txt to another host, whose file denies /private."),
    Kind("crawl-delay", "Asks for two seconds between requests."),
)
_SITEMAPS: tuple[Kind, ...] = (
    Kind("no-sitemap", "Has no sitemap; only its homepage links to the other pages."),
    Kind("sitemap-index", "Has a sitemap index."),
    Kind("sitemap-nested", "Has an index of indexes."),
    Kind("sitemap-loop", "Has sitemap indexes that list each other."),
    Kind("sitemap-gz", "Has a gzip-compressed sitemap."),
    Kind("sitemap-text", "Has a text sitemap, one URL a line."),
    Kind("sitemap-feed", "Has only an RSS or Atom feed."),
    Kind("sitemap-50k", "Has 50,000 URLs in one sitemap."),
    Kind("sitemap-broken", "Has a sitemap that is cut off in the middle."),
    Kind("sitemap-entity-bomb", "Has a sitemap with entities that multiply to gigabytes."),
    Kind("sitemap-external-entity", "Has a sitemap with entities that point to files and other hosts."),
    Kind("sitemap-wrong-namespace", "Has a sitemap in a namespace of its own."),
    Kind("sitemap-cdata", "Has a sitemap with its URLs in CDATA sections."),
)
_TEXT: tuple[Kind, ...] = (
    Kind("wrong-charset", "Says UTF-8 and is Latin-1."),
    Kind("latin-1", "Is Latin-1 and says so only in its meta element."),
    Kind("utf-16", "Is UTF-16 with a byte order mark."),
    Kind("invalid-html", "Has unclosed and misnested elements and stray bytes."),
)
_DISGUISES: tuple[Kind, ...] = (
    Kind("cloudflare-email", "Has its email encoded as Cloudflare's email protection does."),
    Kind("at-spelling", "Spells its email with (at) and [dot]."),
    Kind("entities", "Writes its email in character references."),
    Kind("json-ld", "Has its email only in JSON-LD."),
    Kind("microdata", "Has its email only in microdata."),
    Kind("script-email", "Puts its email together in a script."),
    Kind("attribute-email", "Has the two halves of its email in data attributes."),
    Kind("hidden-address", "Has its email in an element that is not displayed."),
    Kind("placeholder-address", "Shows placeholders such as user@domain.com, which are no contacts."),
    Kind("look-alikes", "Is full of things that look like contacts and are none."),
)
SPECIAL: tuple[Kind, ...] = (*_TRANSPORT, *_BUSINESS, *_ROBOTS, *_SITEMAPS, *_TEXT, *_DISGUISES)
KINDS: tuple[Kind, ...] = (*GOOD, *SPECIAL)
BY_NAME: dict[str, Kind] = {kind.name: kind for kind in KINDS}

# Out of twenty good sites; all seven kinds within the first ten.
_GOOD_TURNS = (
    "plain", "wordpress", "wix", "several-locations", "plain", "wordpress", "one-page", "blog-heavy", "wix",
    "multi-language", "wordpress", "plain", "several-locations", "wordpress", "one-page", "wix", "plain", "wordpress",
    "multi-language", "plain",
)  # fmt: skip
CHAIN = 3  # branches of one shared domain
_SPECIAL_TURNS = tuple(kind.name for kind in SPECIAL for _ in range(CHAIN if kind.name == "shared-domain" else 1))
_STRIDE = 26  # has no common factor with the number of turns: small worlds get a mixture, not the first kinds only


def kind_of(index: int) -> str:
    """Name the kind of site that the business with this index has: every third is a special one, all in turn."""
    turn, place = divmod(index, 3)
    if place != 2:
        return _GOOD_TURNS[(turn * 2 + place) % len(_GOOD_TURNS)]
    return _SPECIAL_TURNS[turn * _STRIDE % len(_SPECIAL_TURNS)]


def chain_of(index: int) -> tuple[int, ...]:
    """List the businesses that share the domain of this `shared-domain` business, itself included, first one first."""
    start = index // (3 * len(_SPECIAL_TURNS)) * len(_SPECIAL_TURNS)
    branches = (turn * 3 + 2 for turn in range(start, start + len(_SPECIAL_TURNS)))
    return tuple(branch for branch in branches if kind_of(branch) == "shared-domain")
