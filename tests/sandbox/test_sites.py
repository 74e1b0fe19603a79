"""The sites answer as real ones do: pages, links, 404s, conditional requests, the same bytes every time."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
from collections.abc import Iterator
from html import unescape

import pytest

from sandbox.message import Reply, Request
from sandbox.siteplan import SitePlan, site_plan
from sandbox.sites import Sites, answer
from sandbox.world import World

WORLD = World(300)
GOOD = ("plain", "wordpress", "wix", "one-page", "multi-language", "several-locations", "blog-heavy")
DIGEST = """
import hashlib
from sandbox.world import World
from tests.sandbox.test_sites import digest
print(digest(World(40)))
"""


def ask(host: str, path: str = "/", *, visit: int = 1_000, world: World = WORLD, **headers: str) -> Reply:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    path, _, query = path.partition("?")
    reply = answer(world, Request("GET", host, path, query, named, visit=visit))
    assert reply is not None, host
    return reply


def text(reply: Reply) -> str:
    assert isinstance(reply.body, bytes)
    return reply.body.decode()


def header(reply: Reply, name: str) -> str:
    return dict(reply.headers)[name]


def plan_of(kind: str) -> SitePlan:
    return site_plan(WORLD, WORLD.with_kind(kind))


def site_of(kind: str) -> str:
    return plan_of(kind).host


def good_plans() -> Iterator[SitePlan]:
    for business in WORLD:
        if business.site_kind in GOOD:
            yield site_plan(WORLD, business)


def links_of(plan: SitePlan, html: str) -> set[str]:
    """The addresses on the site itself that a page links to or draws in, without fragments."""
    found = {unescape(href).partition("#")[0] for href in re.findall(r'(?:href|src)="([^"]*)"', html)}
    home = f"http://{plan.host}"
    return {href.removeprefix(home) for href in found if href.startswith(("/", home)) and not href.startswith("//")}


@pytest.mark.parametrize("kind", GOOD)
def test_a_page_has_what_pages_have(kind: str) -> None:
    plan = plan_of(kind)
    for page in plan.pages:
        html = text(ask(plan.host, page.path))
        assert 1_500 < len(html) < 30_000
        assert f'<html lang="{page.language}">' in html
        assert plan.business.name in unescape(re.findall(r"<title>(.*?)</title>", html)[0])
        for part in ('name="description"', 'property="og:title"', 'rel="icon"', 'rel="canonical"', "<footer>"):
            assert html.count(part) == 1, (page.path, part)


@pytest.mark.parametrize("kind", GOOD)
def test_names_are_escaped(kind: str) -> None:
    with_sign = [
        plan for plan in good_plans() if plan.business.site_kind == kind and re.search("[&']", plan.business.name)
    ]
    assert with_sign
    for plan in with_sign:
        html = text(ask(plan.host))
        assert unescape(re.findall(r"<h1>(.*?)</h1>", html)[0]) == plan.business.name
        assert re.search(r"&(?!#?\w+;)", re.sub(r"<(script|style)\b.*?</\1>", "", html, flags=re.S)) is None


def test_templates_carry_their_marks() -> None:
    wordpress, wix = text(ask(site_of("wordpress"))), text(ask(site_of("wix")))
    assert 'content="WordPress 6.' in wordpress
    assert "/wp-content/" in wordpress
    assert "/wp-json/" in wordpress
    assert "Wix.com" in wix
    assert "static.wixstatic.com" in wix
    assert 'href="/#contact"' in text(ask(site_of("one-page")))
    plan = plan_of("multi-language")
    assert {page.language for page in plan.pages} == set(re.findall(r'hreflang="(\w+)"', text(ask(plan.host))))


def test_every_link_of_a_homepage_leads_to_a_page() -> None:
    dead = [
        (plan.host, href)
        for plan in (*good_plans(), plan_of("look-alikes"), plan_of("cloudflare-email"), plan_of("sitemap-feed"))
        for href in links_of(plan, text(ask(plan.host)))
        if ask(plan.host, href).status != 200
    ]
    assert dead == []


def test_every_page_can_be_reached_from_the_homepage() -> None:
    lost = []
    for plan in good_plans():
        known, ahead = {"/"}, ["/"]
        while ahead:
            links = links_of(plan, text(ask(plan.host, ahead.pop()))) & {page.path for page in plan.pages}
            ahead += links - known
            known |= links
        lost += [(plan.host, page.path) for page in plan.pages if page.path not in known]
    assert lost == []


def test_each_branch_of_a_chain_has_its_page_with_its_address() -> None:
    plan = plan_of("shared-domain")
    branches = WORLD.branches(plan.business)
    pages = [page for page in plan.pages if page.kind == "location"][1:]
    assert len(pages) == len(branches) > 1
    for page, branch in zip(pages, branches, strict=True):
        assert branch.address in unescape(text(ask(plan.host, page.path)))


def test_posts_are_pages_and_neighbours_of_posts_are_not() -> None:
    plan = plan_of("blog-heavy")
    blog = next(page.path for page in plan.pages if page.kind == "blog")
    posts = [href for href in links_of(plan, text(ask(plan.host, blog))) if re.match(r"/\d{4}/", href)]
    assert len(posts) == 20
    assert {ask(plan.host, post).status for post in posts} == {200}
    number = plan.extra_urls
    assert {ask(plan.host, re.sub(r"\d+/$", f"{number}/", post)).status for post in posts} == {404}
    older = text(ask(plan.host, f"{blog}?page=1"))
    assert not set(posts) & links_of(plan, older)


def test_www_and_bare_give_the_same() -> None:
    for plan in good_plans():
        assert ask(f"www.{plan.host}") == ask(plan.host)


def test_an_unknown_host_is_not_ours() -> None:
    assert answer(WORLD, Request("GET", "nobody.example", "/")) is None
    assert answer(WORLD, Request("GET", "nobody.example", "/robots.txt")) is None


def test_an_unknown_path_is_a_real_404_but_for_soft_404() -> None:
    assert ask(site_of("plain"), "/no-such-page").status == 404
    soft = ask(site_of("soft-404"), "/sitemap.xml")
    assert soft.status == 200
    assert (soft.content_type or "").startswith("text/html")
    assert ask(site_of("soft-404"), "/robots.txt").content_type == "text/plain; charset=utf-8"


def test_a_forgotten_slash_is_put_right() -> None:
    plan = plan_of("wordpress")
    page = next(page.path for page in plan.pages if page.kind == "contact")
    reply = ask(plan.host, page.rstrip("/"))
    assert (reply.status, header(reply, "Location")) == (301, f"http://{plan.host}{page}")


@pytest.mark.parametrize("path", ["/", "/sitemap.xml", "/favicon.ico"])
def test_who_has_the_page_gets_304(path: str) -> None:
    host = next(plan.host for plan in good_plans() if plan.sitemap == "standard")
    first = ask(host, path)
    assert first.status == 200
    tag, day = header(first, "ETag"), header(first, "Last-Modified")
    again = ask(host, path, if_none_match=f'"other", W/{tag}')
    assert (again.status, again.body, header(again, "ETag")) == (304, b"", tag)
    assert ask(host, path, if_modified_since=day).status == 304
    assert ask(host, path, if_modified_since="Mon, 01 Jan 2001 00:00:00 GMT").status == 200
    assert ask(host, path, if_modified_since="nonsense").status == 200
    assert ask(host, path, if_none_match='"other"', if_modified_since=day).status == 200


def test_different_pages_have_different_tags() -> None:
    tags = [header(ask(plan.host, page.path), "ETag") for plan in good_plans() for page in plan.pages]
    assert len(set(tags)) == len(tags)


def test_the_same_world_gives_the_same_bytes_in_any_process() -> None:
    runs = [
        subprocess.run(
            [sys.executable, "-c", DIGEST],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(filter(None, sys.path))},
            capture_output=True,
            check=True,
            text=True,
        ).stdout.strip()
        for seed in ("1", "2")
    ]
    assert runs[0] == runs[1] == digest(World(40))
    assert digest(World(40, seed=2)) != runs[0]


def digest(world: World) -> str:
    """The sum of all pages, sitemaps and robots files of a world."""
    total = hashlib.sha256()
    for plan in (site_plan(world, business) for business in world if business.host):
        for path in ("/robots.txt", "/sitemap.xml", "/feed/", *(page.path for page in plan.pages)):
            reply = ask(plan.host, path, world=world)
            body = reply.body if isinstance(reply.body, bytes) else b"streamed"
            total.update(f"{plan.host}{path} {reply.status} {reply.content_type}".encode() + body)
    return total.hexdigest()


def test_what_is_kept_stays_small() -> None:
    world = World(1_200)
    sites = Sites(world)
    for business in world:
        if business.host:
            sites.answer(Request("GET", business.host, "/", visit=2))
    assert sites.kept() <= 256 + 4_096
    assert sites.kept() >= 256
