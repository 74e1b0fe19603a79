"""Robots files and sitemaps, good and bad, read as a careful reader would."""

from __future__ import annotations

import gzip
import re
import tracemalloc
from collections.abc import Iterator
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit
from xml.etree import ElementTree

import pytest
from protego import Protego

from sandbox.message import Reply, Request
from sandbox.siteplan import SitePlan, site_plan
from sandbox.sites import answer
from sandbox.world import World

WORLD = World(300)
PLANS = {plan.host: plan for plan in (site_plan(WORLD, business) for business in WORLD if business.host)}
COMMON = ("/sitemap.xml", "/sitemap_index.xml", "/wp-sitemap.xml", "/sitemap.xml.gz", "/sitemap.txt")
WELL_FORMED = ("standard", "wordpress", "index", "nested", "loop", "gz", "text", "feed", "wrong-namespace", "cdata")
AGENT = "ScraperSky"


def get(url: str) -> Reply:
    parts = urlsplit(url)
    request = Request("GET", parts.netloc, parts.path, parts.query, visit=1_000)
    replies = [reply for reply in (answer(WORLD, request) for _ in range(3)) if reply]  # some fail twice
    return replies[-1]


def body(reply: Reply) -> bytes:
    return reply.body if isinstance(reply.body, bytes) else b"".join(reply.body)


def robots_of(plan: SitePlan) -> Protego:
    return Protego.parse(body(get(f"http://{plan.host}/robots.txt")).decode())


def starts(plan: SitePlan) -> list[str]:
    """Where a reader begins: what robots.txt names, or else the first usual place that answers."""
    named = list(robots_of(plan).sitemaps)
    tried = (f"http://{plan.host}{path}" for path in COMMON)
    return named or [url for url in tried if get(url).status == 200][:1]


def addresses(plan: SitePlan) -> Iterator[str]:
    """Every page that the sitemaps name, each file read once."""
    ahead, seen = starts(plan), set[str]()
    while ahead:
        url = ahead.pop()
        if url in seen:
            continue
        seen.add(url)
        found, children = read(get(url))
        yield from found
        ahead += children


def read(reply: Reply) -> tuple[list[str], list[str]]:
    data = body(reply)
    data = gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data
    if (reply.content_type or "").startswith("text/plain"):
        return data.decode().split(), []
    root = ElementTree.fromstring(data)
    name = root.tag.rpartition("}")[2]
    tags = {"urlset": "loc", "sitemapindex": "loc", "rss": "link", "feed": "link"}
    nodes = [node for node in root.iter() if node.tag.rpartition("}")[2] == tags[name]]
    urls = [(node.text or "").strip() or node.get("href", "") for node in nodes]
    if name == "rss":
        urls = urls[1:]  # the channel's own
    return ([], urls) if name == "sitemapindex" else (urls, [])


@pytest.mark.parametrize("style", WELL_FORMED)
def test_a_sitemap_names_every_page_of_its_site_and_only_pages(style: str) -> None:
    plans = [plan for plan in PLANS.values() if plan.sitemap == style and plan.planted and len(plan.pages) > 1]
    assert plans
    for plan in plans:
        found = list(addresses(plan))
        assert {f"http://{plan.host}{page.path}" for page in plan.pages} <= set(found)
        assert len(found) == len(set(found)) == len(plan.pages) + plan.extra_urls
        sample = found[:: max(1, len(found) // 20)]
        assert {reply.status for reply in map(get, sample)} == {200}


def test_a_reader_that_does_not_watch_for_loops_goes_round() -> None:
    host = site_plan(WORLD, WORLD.with_kind("sitemap-loop")).host
    url, way = f"http://{host}/sitemap.xml", []
    while url not in way:
        way.append(url)
        url = read(get(url))[1][0]
    assert len(way) > 1


def test_sitemaps_agree_with_pages_on_the_day_they_changed() -> None:
    plan = next(plan for plan in PLANS.values() if plan.sitemap == "standard" and plan.planted)
    xml = body(get(f"http://{plan.host}/sitemap.xml")).decode()
    days = dict(re.findall(r"<loc>(.*?)</loc><lastmod>(.*?)</lastmod>", xml))
    assert len(days) == len(plan.pages)
    for url, day in days.items():
        assert day == parsedate_to_datetime(dict(get(url).headers)["Last-Modified"]).date().isoformat()


def test_a_site_without_a_sitemap_has_none_anywhere() -> None:
    plans = [plan for plan in PLANS.values() if plan.business.site_kind in ("no-sitemap", "one-page")]
    assert plans
    for plan in plans:
        assert list(robots_of(plan).sitemaps) == []
        assert {get(f"http://{plan.host}{path}").status for path in COMMON} == {404}


def test_some_sites_announce_and_some_leave_it_to_the_reader() -> None:
    plans = [plan for plan in PLANS.values() if plan.sitemap == "standard" and plan.planted]
    assert {bool(list(robots_of(plan).sitemaps)) for plan in plans} == {True, False}


def test_50k_are_50_000_and_are_never_held() -> None:
    plan = site_plan(WORLD, WORLD.with_kind("sitemap-50k"))
    reply = get(f"http://{plan.host}/sitemap.xml")
    assert not isinstance(reply.body, bytes)
    tracemalloc.start()
    try:
        size = sum(map(len, reply.body))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert size > 4_000_000
    assert peak < 1_000_000
    found, _ = read(get(f"http://{plan.host}/sitemap.xml"))
    assert len(found) == len(set(found)) == 50_000
    assert {f"http://{plan.host}{page.path}" for page in plan.pages} <= set(found)
    assert {get(url).status for url in found[::5_000]} == {200}


def sitemap_of(kind: str) -> tuple[SitePlan, bytes]:
    plan = site_plan(WORLD, WORLD.with_kind(kind))
    return plan, body(get(f"http://{plan.host}/sitemap.xml"))


def test_a_broken_sitemap_breaks_after_the_pages() -> None:
    plan, xml = sitemap_of("sitemap-broken")
    with pytest.raises(ElementTree.ParseError):
        ElementTree.fromstring(xml)
    assert [f"http://{plan.host}{page.path}" for page in plan.pages] == re.findall("<loc>(.*?)</loc>", xml.decode())


def test_an_entity_bomb_would_be_a_billion_words() -> None:
    _, xml = sitemap_of("sitemap-entity-bomb")
    factors = [value.count("&") for value in re.findall(r'<!ENTITY lol\d "((?:&lol\d;)+)">', xml.decode())]
    assert factors == [10] * 9
    assert "&lol9;</loc>" in xml.decode()
    assert len(xml) < 10_000


def test_external_entities_point_at_files_and_inside() -> None:
    _, xml = sitemap_of("sitemap-external-entity")
    assert b'SYSTEM "file:///etc/passwd"' in xml
    assert b'SYSTEM "http://169.254.169.254/' in xml
    assert b"&file;" in xml


def test_wrong_namespace_and_cdata_are_what_they_say() -> None:
    _, xml = sitemap_of("sitemap-wrong-namespace")
    assert b"sitemaps.org" not in xml
    _, xml = sitemap_of("sitemap-cdata")
    assert b"<![CDATA[http://" in xml


def test_robots_files_say_what_their_kinds_promise() -> None:
    def allowed(kind: str, path: str) -> bool:
        plan = site_plan(WORLD, WORLD.with_kind(kind))
        return bool(robots_of(plan).can_fetch(f"http://{plan.host}{path}", AGENT))

    assert not allowed("robots-deny", "/")
    assert allowed("robots-deny-contact", "/")
    assert not allowed("robots-deny-contact", "/contact")
    assert robots_of(site_plan(WORLD, WORLD.with_kind("crawl-delay"))).crawl_delay(AGENT) == 2
    assert get("http://" + site_plan(WORLD, WORLD.with_kind("robots-500")).host + "/robots.txt").status == 500


def test_redirected_robots_end_at_a_file_that_denies_private() -> None:
    plan = site_plan(WORLD, WORLD.with_kind("robots-redirect"))
    reply = get(f"http://{plan.host}/robots.txt")
    target = dict(reply.headers)["Location"]
    assert reply.status == 302
    assert urlsplit(target).netloc != plan.host
    rules = Protego.parse(body(get(target)).decode())
    assert not rules.can_fetch(f"http://{plan.host}/private/staff", AGENT)
    assert rules.can_fetch(f"http://{plan.host}/contact", AGENT)


def test_every_page_with_planted_contacts_may_be_fetched() -> None:
    denied = [
        (plan.host, each.page)
        for plan in PLANS.values()
        if plan.business.site_kind != "robots-redirect"
        for robots in [robots_of(plan)]
        for each in plan.planted
        if not robots.can_fetch(f"http://{plan.host}{each.page}", AGENT)
    ]
    assert denied == []
