"""The homepages of 300 businesses, read as their plans say; and anything at all, read without complaint."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from urllib.parse import urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandbox.message import Request
from sandbox.siteplan import SitePlan, site_plan
from sandbox.sites import answer
from sandbox.sites.frame import MENU, has_yoast
from sandbox.world import World
from services.charset import decode
from services.domain import SiteFacts, read_homepage

WORLD = World(300, 1)
VERDICTS = {"parked": "parked", "for-sale": "for-sale", "under-construction": "under-construction"}
# What the sandbox puts at the end of a page, by the business's number.
ANALYTICS = {0: "Google Analytics", 1: "Meta pixel"}
WIDGETS = {2: "Intercom", 3: "HubSpot"}
WORDPRESS = ("wordpress", "blog-heavy")
HOMES = st.sampled_from(range(WORLD.size))


@cache
def homepage(index: int) -> tuple[SitePlan, str] | None:
    """Give a business's plan and homepage; None when it has no page to show."""
    business = WORLD.business(index)
    if business.host is None:
        return None
    plan = site_plan(WORLD, business)
    reply = answer(WORLD, Request("GET", plan.host, "/", visit=1_000))
    if reply is None or reply.status != 200 or not isinstance(reply.body, bytes) or not reply.body:
        return None
    if not (reply.content_type or "").startswith("text/html"):
        return None
    return plan, decode(reply.body, reply.content_type).text


def homepages() -> Iterator[tuple[SitePlan, SiteFacts]]:
    for index in range(WORLD.size):
        found = homepage(index)
        if found is not None:
            yield found[0], read_homepage(found[1], url=f"http://{found[0].host}/")


def good() -> Iterator[tuple[SitePlan, SiteFacts]]:
    return ((plan, facts) for plan, facts in homepages() if plan.business.site_kind not in VERDICTS)


def test_there_are_homepages_of_every_template() -> None:
    templates = {plan.template for plan, _ in good()}
    assert templates == {
        "plain", "wordpress", "wix", "one-page", "multi-language", "several-locations", "blog-heavy"
    }  # fmt: skip
    assert sum(1 for _ in homepages()) > 230


def test_only_pages_that_are_no_businesses_get_a_verdict() -> None:
    wrong = [
        (plan.host, facts.verdict, facts.evidence)
        for plan, facts in homepages()
        if facts.verdict != VERDICTS.get(plan.business.site_kind)
    ]
    assert wrong == []


def test_title_language_and_icons_are_the_plans() -> None:
    for plan, facts in good():
        home = plan.pages[0]
        assert facts.title == f"{plan.business.name} | {home.title}"
        assert facts.description
        assert facts.language == home.language
        assert facts.canonical_url == f"http://{plan.host}/"
        assert facts.favicon_url == f"http://{plan.host}/favicon.ico"
        assert facts.logo_url == f"http://{plan.host}/images/logo.png"


def test_generator_and_technologies_are_the_templates() -> None:
    for plan, facts in good():
        is_wordpress = plan.template in WORDPRESS
        assert facts.is_wordpress == is_wordpress
        assert ("WordPress" in facts.technologies) == is_wordpress
        assert ("Wix" in facts.technologies) == (plan.template == "wix")
        yoast = has_yoast(plan.template, plan.business.index)
        assert ("Yoast" in facts.technologies) == yoast
        assert ("Elementor" in facts.technologies) == (is_wordpress and not yoast)
        if is_wordpress:
            assert facts.generator == f"WordPress {facts.wordpress_version}"
            assert facts.wordpress_version == f"6.{plan.business.index % 7 + 1}"
            assert facts.feed_links == (f"http://{plan.host}/feed/",)
        elif plan.template == "wix":
            assert facts.generator == "Wix.com Website Builder"
        else:
            assert facts.generator is None
            assert facts.technologies == ()


def test_analytics_and_widgets_are_those_put_there() -> None:
    for plan, facts in good():
        turn = plan.business.index % 6
        has_pixel = any(decoy.what == "pixel" for decoy in plan.decoys_on("/"))
        assert facts.analytics == ((ANALYTICS[turn],) if turn in ANALYTICS else ("Meta pixel",) if has_pixel else ())
        assert facts.widgets == ((WIDGETS[turn],) if turn in WIDGETS else ())
        assert facts.booking_tools == ()


def test_own_links_are_the_plans_pages_linked_there() -> None:
    for plan, facts in good():
        home = plan.pages[0]
        linked = {urlsplit(link.url).path for link in facts.own_links}
        paths = {page.path for page in plan.pages}
        posts = {link for link in linked if link not in paths}
        assert not posts, (plan.host, posts)
        if plan.template == "one-page":
            assert linked == {"/"}
            continue
        firsts = {page.kind: page.path for page in reversed(plan.pages) if page.language == home.language}
        expected = {path for kind, path in firsts.items() if kind in (*MENU, "legal", "privacy")}
        branches = {page.path for page in plan.pages if page.kind == "location" and page.language == home.language}
        assert expected | branches <= linked, plan.host
        assert all(link.url.startswith(f"http://{plan.host}/") for link in facts.own_links)


def test_social_profiles_are_the_planted_ones() -> None:
    for plan, facts in good():
        real = {each.value for each in plan.on("/") if each.kind == "social"}
        # Of a site that must not be read, the real profiles are decoys.
        real |= {each.value for each in plan.decoys_on("/") if each.what in ("closed", "robots-denied")}
        assert set(facts.social_profiles) == {value for value in real if value.startswith("http")}, plan.host


@given(st.text(max_size=2_000), st.text(max_size=60))
def test_any_text_can_be_read(html: str, url: str) -> None:
    facts = read_homepage(html, url=url)
    assert all(link.url.startswith(("http://", "https://")) for link in facts.own_links)


MARKUP = st.lists(
    st.sampled_from((
        "<a href=", "'", '"', ">", "</a>", "<script>", "</script>", "<!--", "-->", "<title>", "<meta content=",
        "name=generator", "<table>", "<td>", "<b>", "<p>", "<svg>", "<style>", "<base href=", "http://[", "\x00",
        "\ud800", "&#x0;", "<frame src=", "<link rel=canonical href=", '<script type="application/ld+json">',
        '{"logo":', "[", "<template>", "<html lang=", "/x ",
    ))
    | st.text(max_size=5),
    max_size=60,
)  # fmt: skip


@given(MARKUP)
def test_any_markup_can_be_read(pieces: list[str]) -> None:
    facts = read_homepage("".join(pieces), url="http://brook.com/")
    assert all(link.url.startswith(("http://", "https://")) for link in facts.own_links)


@settings(max_examples=150, deadline=None)
@given(HOMES, st.lists(st.tuples(st.floats(0, 1), st.integers(0, 40), st.text(max_size=8)), max_size=12))
def test_any_damaged_homepage_can_be_read(index: int, damages: list[tuple[float, int, str]]) -> None:
    found = homepage(index)
    if found is None:
        return
    plan, html = found
    for place, length, text in damages:
        start = int(place * len(html))
        html = html[:start] + text + html[start + length :]
    assert isinstance(read_homepage(html, url=f"http://{plan.host}/"), SiteFacts)


@pytest.mark.parametrize("index", range(0, WORLD.size, 7))
def test_a_homepage_cut_off_in_the_middle_can_be_read(index: int) -> None:
    found = homepage(index)
    if found is not None:
        assert isinstance(read_homepage(found[1][: len(found[1]) // 2], url=f"http://{found[0].host}/"), SiteFacts)
