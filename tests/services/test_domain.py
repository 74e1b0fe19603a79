"""What a homepage says about its site, fact by fact."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.domain import USUAL_PLACES, SiteFacts, read_homepage, sitemap_candidates

URL = "https://www.brook-dental.com/"


def read(html: str, url: str = URL) -> SiteFacts:
    return read_homepage(html, url=url)


@pytest.mark.parametrize(
    ("html", "title", "description"),
    [
        ("<title> Brook &amp; Sons \n Dental </title>", "Brook & Sons Dental", None),
        ("<svg><title>arrow</title></svg><title>Brook</title>", "Brook", None),
        ("<body><svg><title>arrow</title></svg>", None, None),
        (
            '<meta property="og:title" content="Brook"><meta property="og:description" content="Teeth">',
            "Brook",
            "Teeth",
        ),
        ('<meta name="Description" content=" "><meta property="og:description" content="Teeth">', None, "Teeth"),
        ('<meta name="description" content="One"><meta property="og:description" content="Two">', None, "One"),
        ("<p>Nothing said", None, None),
    ],
)
def test_title_and_description(html: str, title: str | None, description: str | None) -> None:
    facts = read(html)
    assert (facts.title, facts.description) == (title, description)


@pytest.mark.parametrize(
    ("html", "language"),
    [
        ("<html lang=de-AT>", "de"),
        ("<html lang='EN_us'>", "en"),
        ('<html xml:lang="fr">', "fr"),
        ('<html lang=""><meta http-equiv="Content-Language" content="es, en">', "es"),
        ('<meta name="language" content="German">', "de"),
        ('<meta property="og:locale" content="pt_BR">', "pt"),
        ('<html lang="{{ lang }}"><meta property="og:locale" content="it_IT">', "it"),
        ("<html lang=iw>", "he"),
        ("<p>Hallo", None),
    ],
)
def test_language(html: str, language: str | None) -> None:
    assert read(html).language == language


@pytest.mark.parametrize(
    ("html", "favicon"),
    [
        ('<link rel="shortcut icon" href="/f.ico">', "https://www.brook-dental.com/f.ico"),
        (
            '<link rel="ICON" href="data:image/png;base64,xx"><link rel=icon href=//cdn.io/i.png>',
            "https://cdn.io/i.png",
        ),
        ('<link rel="apple-touch-icon" href="t.png">', "https://www.brook-dental.com/t.png"),
        ('<link rel="mask-icon" href="m.svg">', None),
        ("", None),
    ],
)
def test_favicon(html: str, favicon: str | None) -> None:
    assert read(html).favicon_url == favicon


@pytest.mark.parametrize(
    ("html", "logo"),
    [
        ('<script type="application/ld+json">{"@type":"Dentist","logo":"/l.png"}</script>', "/l.png"),
        ('<script type="application/ld+json">{"@graph":[{"logo":{"url":"/l.png"}}]}</script>', "/l.png"),
        ('<script type="application/ld+json">{"logo":[{"contentUrl":"/l.png"}]}</script><img src=/logo.png>', "/l.png"),
        ('<script type="application/ld+json">{broken</script><img src="/img/site-logo.svg">', "/img/site-logo.svg"),
        ('<img src="/a.png"><img class="custom-logo" src="/b.png">', "/b.png"),
        ('<img src="/a.png"><img alt="Brook Dental Logo" src="/b.png">', "/b.png"),
        ('<a class="navbar-logo" href="/"><img src="/b.png"></a>', "/b.png"),
        ('<img src="data:image/gif;base64,R0" data-src="/logo.png">', "/logo.png"),
        ('<img itemprop="logo" src="/b.png">', "/b.png"),
        ('<meta property="og:image" content="/front.jpg"><img src="/logout.png">', None),
        ('<div class="client-logos"><img src="/acme-logo.png"></div>', None),
        ('<img src="/blog/logo-partner.png">', None),
    ],
)
def test_logo(html: str, logo: str | None) -> None:
    assert read(html).logo_url == (f"https://www.brook-dental.com{logo}" if logo else None)


def test_canonical_generator_and_refresh() -> None:
    facts = read(
        '<link rel="canonical" href="https://brook-dental.com/?utm_id=x#a"><meta name="generator" content="Hugo 1">'
        '<meta http-equiv="Refresh" content="0; URL=\'/de/\'">'
    )
    assert facts.canonical_url == "https://brook-dental.com/"
    assert facts.generator == "Hugo 1"
    assert facts.refresh_url == "https://www.brook-dental.com/de/"


@pytest.mark.parametrize("content", ["5", "5; url=", "0;url=/", "", "0; url=javascript:alert(1)", "x"])
def test_a_refresh_to_nowhere_is_none(content: str) -> None:
    assert read(f'<meta http-equiv="refresh" content="{content}">').refresh_url is None


def test_feeds_and_sitemaps() -> None:
    facts = read(
        '<link rel="alternate" type="application/rss+xml" href="/feed/"><link rel=alternate hreflang=de href=/de/>'
        '<link rel="sitemap" type="application/xml" href="/map.xml"><a href="/sitemap_index.xml">Sitemap</a>'
        '<a href="/sitemap/">Sitemap</a><a href="/sitemap.xml.gz?v=2">Sitemap</a><a href="/sitemap.xml#x">Sitemap</a>'
    )
    assert facts.feed_links == ("https://www.brook-dental.com/feed/",)
    assert facts.sitemap_links == tuple(
        f"https://www.brook-dental.com/{name}"
        for name in ("map.xml", "sitemap_index.xml", "sitemap.xml.gz?v=2", "sitemap.xml")
    )


def test_own_links_are_the_sites_pages_each_once_and_in_order() -> None:
    facts = read(
        '<a href="/about?utm_source=menu"><b>About</b> us</a><a href="#top">Top</a><a href="/about#team">Team</a>'
        '<a href="//blog.brook-dental.com/">Blog</a><a href="http://brook-dental.com:80/Contact">Contact</a>'
        '<a href="https://other.com/">Other</a><a href="mailto:a@brook-dental.com">Mail</a><a href="tel:1">Call</a>'
        '<a href="javascript:void(0)">Open</a><a href="/menu.pdf">Menu</a><a href="/photo.JPG">Photo</a>'
        '<a href="/cdn-cgi/l/email-protection#ab">Email</a><a href="/wp-login.php">In</a><a href=" team\n/ ">Team</a>'
        '<a href="/hours"><img src=x></a><a href="/hours">Hours</a><a href="/map" aria-label="Map"></a>'
        '<a href="/%zz ü">Odd</a><a>None</a><a href="">Self</a><a href="http://[bad/">Bad</a><area href="/area">'
    )
    assert [(link.url.removeprefix("https://"), link.text) for link in facts.own_links] == [
        ("www.brook-dental.com/about", "About us"),
        ("blog.brook-dental.com/", "Blog"),
        ("http://brook-dental.com/Contact", "Contact"),
        ("www.brook-dental.com/team/", "Team"),
        ("www.brook-dental.com/hours", "Hours"),
        ("www.brook-dental.com/map", "Map"),
        ("www.brook-dental.com/%25zz%20%C3%BC", "Odd"),
        ("www.brook-dental.com/area", ""),
    ]


def test_links_are_relative_to_the_base_and_own_by_the_address() -> None:
    facts = read('<base href="https://cdn.example.net/x/"><a href="a">A</a><a href="https://brook-dental.com/b">B</a>')
    assert [link.url for link in facts.own_links] == ["https://brook-dental.com/b"]
    assert [link.url for link in read('<base href="/de/"><a href="a">A</a>').own_links] == [f"{URL}de/a"]


def test_frames_count_as_links() -> None:
    facts = read('<frameset><frame name="main" src="start.htm"><frame src="//ads.net/x"></frameset>')
    assert [(link.url, link.text) for link in facts.own_links] == [(f"{URL}start.htm", "main")]


def test_own_links_are_bounded() -> None:
    assert len(read("".join(f'<a href="/p{number}">{number}</a>' for number in range(1_500))).own_links) == 1_000


def test_social_profiles_are_profiles_only() -> None:
    facts = read(
        '<a href="https://m.facebook.com/brookdental/?ref=page">F</a><a href="http://facebook.com/brookdental">F</a>'
        '<a href="https://www.facebook.com/sharer/sharer.php?u=x">Share</a><a href="https://x.com/intent/tweet?x">T</a>'
        '<a href="https://www.instagram.com/p/Cabc/">Post</a><img src="https://www.facebook.com/tr?id=1">'
        '<a href="https://www.facebook.com/policies/cookies/">Cookies</a><a href="https://www.instagram.com/">I</a>'
    )
    assert facts.social_profiles == ("https://www.facebook.com/brookdental",)


def test_sitemap_candidates_begin_with_what_robots_txt_names() -> None:
    robots = (
        "User-agent: *\r\nSITEMAP:https://brook-dental.com/a.xml # ours\rsitemap : /b.xml\n  Sitemap: c.xml\n"
        "Sitemap: https://cdn.other.net/d.xml.gz\nSitemap: ftp://brook-dental.com/e.xml\nSitemap:\nDisallow: /x\n"
        "# Sitemap: /commented.xml\nSitemap: https://brook-dental.com/a.xml\nSitemap: https://www.brook-dental.com/sitemap.xml"
    )
    found = sitemap_candidates(robots, base_url=f"{URL}shop/index.html")
    assert found[:5] == [
        "https://brook-dental.com/a.xml",
        f"{URL}b.xml",
        f"{URL}c.xml",
        "https://cdn.other.net/d.xml.gz",
        f"{URL}sitemap.xml",
    ]
    assert found[5:] == [URL + place for place in USUAL_PLACES[1:]]


def test_sitemap_candidates_without_robots_txt_are_the_usual_places_in_order() -> None:
    found = sitemap_candidates("", base_url="http://brook.com")
    assert found[:8] == [
        f"http://brook.com/{place}"
        for place in (
            "sitemap.xml",
            "sitemap_index.xml",
            "sitemap-index.xml",
            "sitemap.xml.gz",
            "wp-sitemap.xml",
            "sitemap.txt",
            "sitemap/sitemap.xml",
            "sitemapindex.xml",
        )
    ]


def test_sitemap_candidates_are_bounded() -> None:
    robots = "".join(f"Sitemap: /s{number}.xml\n" for number in range(100_000))
    assert len(sitemap_candidates(robots, base_url=URL)) <= 100 + len(USUAL_PLACES)


@given(st.text(max_size=500), st.text(max_size=60))
def test_any_robots_txt_gives_web_addresses_only(robots: str, base: str) -> None:
    for url in sitemap_candidates(f"Sitemap: {robots}\n{robots}", base_url=base):
        assert url.startswith(("http://", "https://"))
