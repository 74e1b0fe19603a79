"""Pages made to take a parser's time: read flat, in a time that grows with their length, with what they say kept."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.domain import read_homepage
from services.markup import flatten, is_modest, parse, tame

SIZE = 1_000_000
GENEROUS_SECONDS = 15  # minutes and hours without the flattening, about half a second with it
HOSTILE: dict[str, Callable[[], str]] = {
    "nested": lambda: "<div>" * (SIZE // 5),
    "nested and closed": lambda: "<div>" * (SIZE // 11) + "</div>" * (SIZE // 11),
    "attributes": lambda: "<div " + " ".join(f"a{number}=1" for number in range(SIZE // 9)) + ">",
    "attributes behind quotes": lambda: "<div " + "".join(f"a{number}='>'" for number in range(SIZE // 9)) + ">",
    "attributes hidden by a script": lambda: (
        '<script>"<a b=\'"</script><svg><style><div ' + " ".join(f"a{number}" for number in range(30_000)) + ">'"
    ),
    "unclosed tags": lambda: "<p <p <p " * (SIZE // 9),
    "unclosed formatting": lambda: "".join(f"<b id={number}><p>" for number in range(SIZE // 14)),
    "misnested formatting": lambda: "<b><div>" * (SIZE // 16) + "</b>" * (SIZE // 8),
    "ends of nothing": lambda: "<div>" * (SIZE // 10) + "</x>" * (SIZE // 8),
    "lists": lambda: "<li><ul>" * (SIZE // 8),
    "bodies": lambda: "".join(f"<body a{number}=1>" for number in range(SIZE // 15)),
    "names in names": lambda: ("<a" + "y" * 60) * 4_800,
    "quotes in quotes": lambda: "<a b=\"<a c='" * (SIZE // 12),
    "false comments": lambda: "<!<a title='>" + "<div>" * (SIZE // 5) + "'>",
    "links": lambda: "".join(f"<a href=p{number}>x</a>" for number in range(SIZE // 19)),
    "links in links": lambda: "<a href=x><table><td>" * 1_500 + "word " * 20_000,
    "metas": lambda: "<meta name=a content=b>" * (SIZE // 23),
    "deep data": lambda: '<script type="application/ld+json">' + "[" * SIZE,
    "spaces": lambda: '<meta http-equiv=refresh content="' + " " * SIZE + '">',
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_page_is_read_in_time(kind: str) -> None:
    html = HOSTILE[kind]()
    started = time.process_time()
    read_homepage(html, url="http://brook.com/")
    assert time.process_time() - started < GENEROUS_SECONDS


def test_a_flat_page_still_says_who_it_is() -> None:
    html = (
        '<html lang="de"><head><title>Brook &amp; Sons</title><meta name="description" content="Teeth"></head>'
        + "<div>" * 10_000
        + '<p>Call <b>us</b><p><a class=x href="/kontakt"><span>Kon</span>takt</a><img src="/logo.png">'
        + '<script src="/wp-includes/js/x.js"></script><script>if (a<b) { fbq("init", 1) } <!-- <script></script>'
        + '<textarea><a href="/typed">x</a></textarea><iframe src="https://calendly.com/brook"></iframe>'
        + "<!-- <a href=/hidden>x</a> --><p>End"
    )
    assert not is_modest(html)
    facts = read_homepage(html, url="http://brook.com/")
    assert (facts.title, facts.description, facts.language) == ("Brook & Sons", "Teeth", "de")
    assert [(link.url, link.text) for link in facts.own_links] == [("http://brook.com/kontakt", "Kontakt")]
    assert facts.logo_url == "http://brook.com/logo.png"
    assert facts.is_wordpress
    assert facts.analytics == ("Meta pixel",)
    assert facts.booking_tools == ("Calendly",)
    tree = parse(html)
    assert tree is not None
    assert tree.body is not None
    tree.strip_tags(["script", "iframe", "title"])
    assert tree.body.text(separator=" ").split() == ["Call", "us", "Kontakt", "End"]


@pytest.mark.parametrize(
    "html",
    [
        "<p>Hello <b>you</b> <a href=/x title='a > b'>there</a><br/><img src=a.png alt=\"<>\">",
        "<div>" * 500,
        "<div " + " ".join(f"a{number}=1" for number in range(50)) + ">",
        "1 < 2 and <3",
        "",
    ],
)
def test_ordinary_pages_are_parsed_as_they_are(html: str) -> None:
    assert tame(html) is html


def test_comments_and_half_tags_end_where_a_parser_ends_them() -> None:
    assert flatten("a<!-->b<!--->c<!-- x --!>d<!doctype html>e<?php x ?>f</>g</ x>h<3 i<p") == "abcdefgh<3 i<br>"


@given(st.text(alphabet="<>/!-ab= '\"\n&;", max_size=300))
def test_flattening_ends_and_keeps_no_element_that_holds_others(html: str) -> None:
    flat = flatten(html)
    tree = parse(flat)
    assert tree is not None
    assert {node.tag for node in tree.css("body *")} <= {"a", "br"}
