"""Which pages a site has, where they are and how its sitemap tells of them."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from sandbox.business import Business
from sandbox.chance import chance
from sandbox.contacts import PagePlan
from sandbox.hosts import companion_host
from sandbox.kinds import BY_NAME, GOOD
from sandbox.names import slug
from sandbox.paths import page_path, page_title
from sandbox.world import World

_GOOD_NAMES = frozenset(kind.name for kind in GOOD)
_USUAL = ("home", "about", "services", "team", "contact")
_KINDS = {
    "wordpress": (*_USUAL, "blog", "privacy"),
    "blog-heavy": (*_USUAL, "blog", "privacy"),
    "one-page": ("home",),
    "several-locations": (*_USUAL, "location"),
    "shared-domain": ("home", "about", "contact", "location"),
    "robots-deny-contact": ("home", "about", "services", "contact"),
    "crawl-delay": ("home", "about", "contact"),
}
# Their sitemaps may lead nowhere: everything worth finding is on the homepage, too.
HOMEPAGE_COUNTS = frozenset(
    {"sitemap-loop", "sitemap-feed", "sitemap-broken", "sitemap-entity-bomb", "sitemap-external-entity"}
)
_ENDINGS = {"wordpress": "/", "blog-heavy": "/", "wix": ""}
_SITEMAPS = {"wordpress": "wordpress", "blog-heavy": "wordpress", "wix": "index", "one-page": "none"}
_AREAS = ("north", "south", "downtown", "east", "west")


@dataclass(frozen=True, slots=True)
class Layout:
    """A site with its pages, still empty."""

    business: Business
    host: str
    template: str
    pages: tuple[PagePlan, ...]
    sitemap: str
    extra_urls: int

    def first(self, kind: str) -> PagePlan | None:
        """Find the first page of a kind."""
        return next((page for page in self.pages if page.kind == kind), None)


def layout(world: World, business: Business) -> Layout:
    """Lay out the pages of a business's site."""
    dice = chance(world.seed, business.index, "layout")
    kind = business.site_kind
    template = kind if kind in _GOOD_NAMES else dice.choice(("plain", "wordpress", "wix"))
    ending = _ENDINGS.get(template) if template in _ENDINGS else dice.choice(("", ".html"))
    pages = _pages(world, business, template, ending or "", dice)
    return Layout(
        business=business,
        host=(companion_host(kind, business.index) or business.host or ""),
        template=template,
        pages=pages,
        sitemap=_sitemap(kind, template, dice),
        extra_urls=_extra_urls(kind, len(pages), dice),
    )


def _pages(world: World, business: Business, template: str, ending: str, dice: Random) -> tuple[PagePlan, ...]:
    kind, language = business.site_kind, business.town.language
    outcome = BY_NAME[kind].outcome
    if outcome and outcome.stage == "domain_metadata" and kind != "robots-deny":
        return (_page(language, "home", "/"),)
    kinds = list(_KINDS.get(kind) or (_USUAL if kind in HOMEPAGE_COUNTS else _KINDS.get(template, _USUAL)))
    if language == "de" or (language != "en" and dice.random() < 0.5):
        kinds += ["legal"] if len(kinds) > 1 else []
    pages = [_page(language, each, page_path(language, each, ending, dice)) for each in kinds]
    if kind == "robots-deny-contact":
        pages = [_page(language, "contact", "/contact") if page.kind == "contact" else page for page in pages]
    if kind == "robots-redirect":
        pages.append(_page(language, "team", "/private/staff"))
    if kind == "multi-language":
        pages += _translated(language, kinds, dice)
    return (*pages, *_locations(world, business, pages))


def _page(language: str, kind: str, path: str) -> PagePlan:
    return PagePlan(path, kind, page_title(language, kind), language)


def _translated(language: str, kinds: list[str], dice: Random) -> list[PagePlan]:
    other = "es" if language == "en" else "en"
    return [
        _page(other, kind, f"/{other}" + (page_path(other, kind, "", dice) if kind != "home" else "/"))
        for kind in kinds
        if kind != "legal"
    ]


def _locations(world: World, business: Business, pages: list[PagePlan]) -> list[PagePlan]:
    """Give each branch a page below the list of locations."""
    top = next((page for page in pages if page.kind == "location"), None)
    if top is None:
        return []
    root, language = top.path.removesuffix(".html").rstrip("/"), business.town.language
    ending = top.path[len(root) :]
    if business.site_kind == "shared-domain":
        names = [f"{slug(branch.street)}-{number}" for number, branch in enumerate(world.branches(business), 1)]
    else:
        names = list(_AREAS[: 3 + business.index % 3])
    return [PagePlan(f"{root}/{name}{ending}", "location", name.replace("-", " ").title(), language) for name in names]


def _sitemap(kind: str, template: str, dice: Random) -> str:
    if kind.startswith("sitemap-"):
        return kind.removeprefix("sitemap-")
    if kind in ("no-sitemap", "soft-404"):
        return "none"
    if template == "plain":
        return dice.choice(("standard", "standard", "none"))
    return _SITEMAPS.get(template, "standard")


def _extra_urls(kind: str, pages: int, dice: Random) -> int:
    if kind == "sitemap-50k":
        return 50_000 - pages  # as many as the protocol allows in one file
    return dice.randrange(1500, 4000) if kind == "blog-heavy" else 0
