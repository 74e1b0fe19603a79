"""Sites: finds the site that a request is for and lets it answer, in its own manner."""

from __future__ import annotations

from collections import OrderedDict
from functools import lru_cache, partial

from sandbox.business import Business
from sandbox.hosts import companion_host
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
from sandbox.sites.robots import kept_for_another, robots_txt
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
        business = self._world.business_at(host)
        if business is None or business.host is None:
            return None
        if host != business.host:
            return self._companion(request, host, business)
        if request.path == "/robots.txt":
            return self._robots(business)
        if business.site_kind == "redirect-elsewhere":
            query = f"?{request.query}" if request.query else ""
            return redirect(f"http://{companion_host('redirect-elsewhere', business.index)}{request.path}{query}")
        return self._own(request, host, business)

    def _own(self, request: Request, host: str, business: Business) -> Reply:
        normal = partial(self._normal, request, business)
        misbehave = MISBEHAVIOURS.get(business.site_kind)
        if misbehave is None:
            return normal()
        return misbehave(Visit(request, business, host, self._count(request, host, business.site_kind), normal))

    def _companion(self, request: Request, host: str, business: Business) -> Reply:
        """Answer for a site's second host: where it has moved to, or who keeps its robots.txt."""
        if business.site_kind == "robots-redirect":
            return kept_for_another(request.path)
        return self._robots(business) if request.path == "/robots.txt" else self._normal(request, business)

    def _robots(self, business: Business) -> Reply:
        site = self._site(business.index)
        return robots_txt(business, site.plan.template, announced(site))

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
        plan = site_plan(self._world, business)
        moved = business.site_kind == "redirect-elsewhere"
        return Site(plan, plan.host if moved else business.host or plan.host)

    def _count(self, request: Request, host: str, kind: str) -> int:
        """Count the requests to a site that behaves differently at first; a server's first visit starts afresh."""
        if kind not in COUNTED:
            return 1
        count = 1 if request.visit == 1 else self._counts.pop(host, 0) + 1
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
