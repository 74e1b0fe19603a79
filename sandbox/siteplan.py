"""What is on which page of a site: its pages, the contacts planted there in their disguises, and the decoys."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from sandbox.business import Business
from sandbox.contacts import DECOYS, DISGUISES, Decoy, PagePlan, Planted
from sandbox.layout import layout
from sandbox.planting import plant
from sandbox.world import World

__all__ = ["DECOYS", "DISGUISES", "Decoy", "PagePlan", "Planted", "SitePlan", "site_plan"]


@dataclass(frozen=True, slots=True)
class SitePlan:
    """A whole site, before any page of it is made."""

    business: Business  # the first branch of a chain
    host: str  # where the contacts are: the new domain for `redirect-elsewhere`
    template: str  # a name of kinds.GOOD
    pages: tuple[PagePlan, ...]  # the homepage first
    planted: tuple[Planted, ...]
    decoys: tuple[Decoy, ...]
    sitemap: str  # standard, wordpress, none, or the kind's name without "sitemap-": index, nested, loop, gz, …
    extra_urls: int  # further URLs in the sitemap: posts without contacts

    def on(self, path: str) -> tuple[Planted, ...]:
        """List what is planted on a page."""
        return tuple(planted for planted in self.planted if planted.page == path)

    def decoys_on(self, path: str) -> tuple[Decoy, ...]:
        """List the decoys of a page."""
        return tuple(decoy for decoy in self.decoys if decoy.page == path)


def site_plan(world: World, business: Business) -> SitePlan:
    """Plan the site of a business; KeyError when it has none."""
    if business.host is None:
        raise KeyError(f"business {business.index} ({business.site_kind}) has no site of its own")
    return _plan(world, world.branches(business)[0].index)


@lru_cache(maxsize=1024)
def _plan(world: World, index: int) -> SitePlan:
    business = world.business(index)
    site = layout(world, business)
    planted, decoys = plant(world, site)
    return SitePlan(business, site.host, site.template, site.pages, planted, decoys, site.sitemap, site.extra_urls)
