"""Sites: finds the site that a request is for and lets it answer, in its own manner."""

from __future__ import annotations

from collections import OrderedDict
from functools import lru_cache, partial

from sandbox.business import Business
from sandbox.message import Reply, Request, page, redirect
from sandbox.siteplan import site_plan
from sandbox.sites import (
    misbehaviour_charset,
    misbehaviour_empty,
    misbehaviour_refusal,
    misbehaviour_size,
    misbehaviour_time,
)
from sandbox.sites.freshness import dated
from sandbox.sites.robots import FILE_HOST, answer_file_host, robots_txt
from sandbox.sites.site import Site
from sandbox.sites.site_sitemaps import announced, sitemap
from sandbox.sites.visit import MISBEHAVIOURS, Visit
from sandbox.world import World

# Their import is what registers the misbehaviours.
REGISTERED = (
    misbehaviour_charset,
    misbehaviour_empty,
    misbehaviour_refusal,
    misbehaviour_size,
    misbehaviour_time,
)
SITES_KEPT = 256
COUNTS_KEPT = 4_096
COUNTED = frozenset(("rate-limited", "unavailable", "flaky"))


class Sites:
    """All sites of a world. It keeps what some sites' pages share and how often the forgetful ones were asked."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._counts: OrderedDict[str, int] = OrderedDict()
        self._site = lru_cache(maxsize=SITES_KEPT)(self._make)

    def answer(self, request: Request) -> Reply | None:
        """Answer as the host would; None when no site of this world has it."""
        host = request.host.removeprefix("www.")
        if host == FILE_HOST:
            return answer_file_host(request.path)
        business = self._world.business_at(host)
        if business is None or business.host is None:
            return None
        if request.visit == 1:  # a server that has just begun
            self._counts.pop(host, None)
        if request.path == "/robots.txt":
            return self._robots(business)
        return self._manner(request, host, business)

    def kept(self) -> int:
        """Tell how many sites and counts are kept: bounded, however big the world."""
        return self._site.cache_info().currsize + len(self._counts)

    def _manner(self, request: Request, host: str, business: Business) -> Reply:
        """Answer normally, or in the way of the site's kind."""
        normal = partial(self._normal, request, business)
        misbehave = MISBEHAVIOURS.get(business.site_kind)
        if misbehave is None:
            return normal()
        return misbehave(Visit(request, business, host, self._count(host, business.site_kind), normal))

    def _robots(self, business: Business) -> Reply:
        site = self._site(business.index)
        return robots_txt(business.site_kind, site.plan.template, announced(site))

    def _normal(self, request: Request, business: Business) -> Reply:
        """Answer as a well-behaved site does."""
        site = self._site(business.index)
        reply = sitemap(site, request.path) or site.answer(request.path, request.query)
        if reply is not None:
            return dated(request, site.host, reply)
        other = request.path.rstrip("/") if request.path.endswith("/") else f"{request.path}/"
        if other in site.pages:
            return redirect(f"http://{request.host}{other}")
        return page(site.missing(), status=200 if business.site_kind == "soft-404" else 404)

    def _make(self, index: int) -> Site:
        business = self._world.business(index)
        return Site(site_plan(self._world, business), self._world.branches(business))

    def _count(self, host: str, kind: str) -> int:
        """Count the requests, robots.txt aside, to a site that behaves differently at first."""
        if kind not in COUNTED:
            return 1
        count = self._counts.pop(host, 0) + 1
        self._counts[host] = count
        if len(self._counts) > COUNTS_KEPT:
            self._counts.popitem(last=False)
        return count


@lru_cache(maxsize=4)
def _sites_of(world: World) -> Sites:
    return Sites(world)


def answer(world: World, request: Request) -> Reply | None:
    """Answer a request to any site of a world; None when the host is not of this world."""
    return _sites_of(world).answer(request)
