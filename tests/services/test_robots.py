"""Robots: RFC 9309's rules and its own examples, what webmasters really write, and any rubbish at all."""

from __future__ import annotations

import time
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services import robots
from services.robots import MOST_BYTES, Robots, allows, crawl_delay, cut

US = "ScraperSkyBot"


def may(text: str, path: str, agent: str = US) -> bool:
    return allows(text, url=f"https://foo.example{path}", agent=agent)


def rules(*lines: str) -> str:
    return "\n".join(["User-agent: *", *lines])


def test_the_rfcs_simple_example() -> None:
    text = """User-Agent: *
Disallow: *.gif$
Disallow: /example/
Allow: /publications/

User-Agent: foobot
Disallow:/
Allow:/example/page.html
Allow:/example/allowed.gif

User-Agent: barbot
User-Agent: bazbot
Disallow: /example/page.html

User-Agent: quxbot
"""
    assert not may(text, "/picture.gif")
    assert may(text, "/picture.gif?large")
    assert not may(text, "/example/x")
    assert may(text, "/publications/")
    assert [may(text, path, "foobot") for path in ("/", "/example/page.html", "/example/allowed.gif")] == [
        False,
        True,
        True,
    ]
    for agent in ("barbot", "bazbot"):
        assert not may(text, "/example/page.html", agent)
        assert may(text, "/example/x.gif", agent)
    assert may(text, "/example/x.gif", "quxbot")


def test_the_longest_match_wins_as_in_the_rfcs_example() -> None:
    text = rules("Allow: /example/page/", "Disallow: /example/page/disallowed.gif")
    assert may(text, "/example/page/x")
    assert not may(text, "/example/page/disallowed.gif")


def test_the_order_of_rules_does_not_matter_and_allow_wins_a_tie() -> None:
    assert may(rules("Disallow: /a", "Allow: /a/b"), "/a/b")
    assert may(rules("Allow: /a/b", "Disallow: /a"), "/a/b")
    assert may(rules("Disallow: /same", "Allow: /same"), "/same")


@pytest.mark.parametrize(
    ("rule", "path"),
    [
        ("/foo/bar?baz=quz", "/foo/bar?baz=quz"),
        ("/foo/bar?baz=https://foo.bar", "/foo/bar?baz=https://foo.bar"),
        ("/foo/bar?baz=https%3A%2F%2Ffoo.bar", "/foo/bar?baz=https://foo.bar"),
        ("/foo/bar?baz=https://foo.bar", "/foo/bar?baz=https%3A%2F%2Ffoo.bar"),
        ("/foo/bar/\u30c4", "/foo/bar/%E3%83%84"),
        ("/foo/bar/%E3%83%84", "/foo/bar/\u30c4"),
        ("/foo/bar/%e3%83%84", "/foo/bar/%E3%83%84"),
        ("/foo/bar/%62%61%7A", "/foo/bar/baz"),
        ("/foo/bar/baz", "/foo/bar/%62%61%7A"),
    ],
)
def test_paths_are_compared_in_one_spelling_as_in_the_rfcs_table(rule: str, path: str) -> None:
    assert not may(rules(f"Disallow: {rule}"), path)


def test_an_escaped_slash_in_a_path_is_not_a_slash() -> None:
    assert may(rules("Disallow: /a/b"), "/a%2Fb")
    assert not may(rules("Disallow: /a%2Fb"), "/a%2fb")


@pytest.mark.parametrize(
    ("rule", "denied", "allowed"),
    [
        ("/*.php", "/index.php?x=1", "/index.html"),
        ("/*.php$", "/a/index.php", "/index.php?x=1"),
        ("/fish*", "/fish.html", "/Fish"),
        ("/fish/", "/fish/salmon", "/fish"),
        ("/*/private/", "/a/private/x", "/private/x"),
        ("/$", "/", "/x"),
        ("/this/path/exactly$", "/this/path/exactly", "/this/path/exactly/"),
        ("/file-with-a-%2A.html", "/file-with-a-*.html", "/file-with-a-b.html"),
        ("/foo-%24", "/foo-$", "/foo-"),
        ("*?sort=", "/shop?sort=price", "/shop?page=2"),
        ("/caf\u00e9", "/caf%C3%A9/menu", "/cafe"),
    ],
)
def test_wildcards_ends_and_special_characters(rule: str, denied: str, allowed: str) -> None:
    text = rules(f"Disallow: {rule}")
    assert not may(text, denied)
    assert may(text, allowed)


def test_an_empty_disallow_allows_everything() -> None:
    assert may(rules("Disallow:"), "/anything")
    assert may("", "/anything")


def test_a_group_for_us_replaces_the_one_for_all() -> None:
    text = f"User-agent: *\nDisallow: /\n\nUser-agent: {US}\nDisallow: /private"
    assert may(text, "/page")
    assert not may(text, "/private")
    assert not may(text, "/page", "otherbot")


def test_several_groups_for_us_count_as_one() -> None:
    text = f"User-agent: {US}\nDisallow: /a\n\nUser-agent: *\nDisallow: /\n\nUser-agent: {US.upper()}\nDisallow: /b"
    assert [may(text, path) for path in ("/a", "/b", "/c")] == [False, False, True]


@pytest.mark.parametrize("line", ["ScraperSkyBot", "scraperskybot", "ScraperSkyBot/9.9", "ScraperSkyBot (all)"])
def test_our_group_is_found_in_any_case_and_with_a_version(line: str) -> None:
    assert not may(f"User-agent: {line}\nDisallow: /", "/page")


@pytest.mark.parametrize("line", ["Scraper", "Sky", "ScraperSkyBot2", "Bot", "us", "x", "MyScraperSkyBot", "*bot"])
def test_a_group_for_a_name_like_ours_is_not_ours(line: str) -> None:
    assert may(f"User-agent: {line}\nDisallow: /", "/page")
    assert not may(f"User-agent: *\nDisallow: /\n\nUser-agent: {line}\nAllow: /", "/page")


def test_a_whole_user_agent_names_its_product() -> None:
    text = f"User-agent: {US}\nDisallow: /"
    assert not may(text, "/page", f"{US}/0.1.0 (+https://scrapersky.example/bot; mozilla)")
    assert may("User-agent: mozilla\nDisallow: /", "/page", f"{US}/0.1.0 (compatible; mozilla)")


def test_records_of_others_do_not_end_a_group() -> None:
    """RFC 9309, 2.2.4: parsing of other records must not interfere, such as Sitemap."""
    text = (
        f"User-agent: {US}\nSitemap: https://foo.example/s.xml\nNoindex: /x\nUser-agent: otherbot\nDisallow: /private"
    )
    assert not may(text, "/private")
    assert not may(text, "/private", "otherbot")


def test_a_crawl_delay_belongs_to_its_group_and_closes_it() -> None:
    text = "User-agent: *\nCrawl-delay: 10\n\nUser-agent: badbot\nDisallow: /"
    assert may(text, "/page")
    assert crawl_delay(text, agent=US) == timedelta(seconds=10)
    assert crawl_delay(text, agent="badbot") is None


def test_rules_before_any_group_are_nobodys() -> None:
    assert may("Disallow: /\nUser-agent: *\nDisallow: /b", "/a")


def test_the_file_itself_is_always_allowed() -> None:
    assert may(rules("Disallow: /"), "/robots.txt")
    assert not may(rules("Disallow: /"), "/robots.txt.html")
    assert not may(rules("Disallow: /"), "/a/robots.txt")


def test_scheme_host_and_fragment_do_not_count() -> None:
    text = rules("Disallow: /a$", "Disallow: /foo.example")
    assert not allows(text, url="http://[::1]:8080/a#b", agent=US)
    assert allows(text, url="https://foo.example", agent=US)
    assert allows(text, url="https://foo.example?x=1", agent=US)
    assert not allows(rules("Disallow: /?"), url="https://foo.example?x=1", agent=US)
    assert not allows(rules("Disallow: //b"), url="https://foo.example//b/c", agent=US)


@pytest.mark.parametrize(
    "text",
    [
        "\ufeffUser-agent: *\nDisallow: /a",
        "User-agent: *\r\nDisallow: /a\r\n",
        "User-agent: *\rDisallow: /a\r",
        "User-agent: *\n\n\nDisallow: /a",
        "user-AGENT : *   # all\n   disallow\t:\t/a   # not this",
        "User-agent *\nDisallow /a",
        "Useragent: *\nDissallow: /a",
        "U\0s\0e\0r\0-\0a\0g\0e\0n\0t\0:\0 \0*\0\n\0D\0i\0s\0a\0l\0l\0o\0w\0:\0 \0/\0a\0",
        "x" * 100_000 + "\nUser-agent: *\nDisallow: /a",
        "<html>404</html>\nUser-agent: *\nDisallow: /a",
        "User-agent: * \nDisallow: /a\u2028",
    ],
)
def test_what_people_really_write_is_read(text: str) -> None:
    assert not may(text, "/a")
    assert may(text, "/b")


def test_the_first_500_kib_count_and_no_more() -> None:
    filler = "# " + "x" * 97 + "\n"
    within = rules("Disallow: /early\n") + filler * 4000 + "Disallow: /in-time\n"
    text = within + filler * 2000 + "Disallow: /late\n"
    assert len(text) > MOST_BYTES > len(within)
    assert [may(text, path) for path in ("/early", "/in-time", "/late")] == [False, False, True]
    assert len(cut("\u00e9" * MOST_BYTES).encode()) <= MOST_BYTES


def test_a_line_that_was_cut_off_is_not_read_as_a_shorter_rule() -> None:
    head = rules("#")
    text = head + "x" * (MOST_BYTES - len(head) - 14) + "\nDisallow: /private\n" + "#" * 100
    assert cut(text).endswith("x\n")
    assert may(text, "/pr")


@pytest.mark.parametrize(
    ("line", "seconds"),
    [
        ("Crawl-delay: 10", 10),
        ("crawl-delay: 0.5", 0.5),
        ("Crawl-delay: 0", None),
        ("Crawl-delay: -5", None),
        ("Crawl-delay: nan", None),
        ("Crawl-delay: inf", None),
        ("Crawl-delay: 1e300", 3600),
        ("Crawl-delay: ten", None),
        ("Request-rate: 1/5", 5),
        ("Request-rate: 30/1m", 2),
        ("Request-rate: 1/10d", 3600),
        ("Request-rate: 1/" + "9" * 4000, 3600),
        ("Request-rate: " + "9" * 4000 + "/1", None),
        ("Request-rate: 0/5", None),
        ("Request-rate: 1/5\nCrawl-delay: 8", 8),
        ("Request-rate: 1/5\nCrawl-delay: 2", 5),
    ],
)
def test_the_delay_asked_for_is_read_and_bounded(line: str, seconds: float | None) -> None:
    expected = None if seconds is None else timedelta(seconds=seconds)
    assert crawl_delay(rules(line), agent=US) == expected


def test_a_delay_for_others_is_not_ours() -> None:
    assert crawl_delay("User-agent: bingbot\nCrawl-delay: 10", agent=US) is None
    assert crawl_delay(f"{rules('Crawl-delay: 10')}\nUser-agent: {US}\nDisallow: /a", agent=US) is None


@pytest.mark.parametrize(
    ("status", "state"),
    [
        (200, "read"),
        (204, "read"),
        (301, "absent"),
        (400, "absent"),
        (401, "absent"),
        (403, "absent"),
        (404, "absent"),
        (410, "absent"),
        (429, "unreachable"),
        (500, "unreachable"),
        (503, "unreachable"),
        (599, "unreachable"),
    ],
)
def test_what_an_answer_means(status: int, state: str) -> None:
    robots = Robots.answered(status, rules("Disallow: /"))
    assert (robots.state, robots.status) == (state, status)
    assert (robots.text == "") == (state != "read")


def test_pages_of_one_host_parse_its_text_once() -> None:
    robots._parse_small.cache_clear()
    text = rules("Disallow: /a")
    for nth in range(25):
        allows(str(text.encode(), "utf-8"), url=f"https://foo.example/{nth}", agent=f"{US}/1.0")
    assert robots._parse_small.cache_info().misses == 1


def test_a_hostile_text_takes_no_more_than_a_moment() -> None:
    agents = "".join(f"User-agent: bot{nth}\n" for nth in range(10_000))
    text = agents + "User-agent: *\n" + "".join(f"Disallow: /*a*b*{nth}\n" for nth in range(10_000)) + "Disallow: /a"
    assert len(text) < MOST_BYTES
    began = time.monotonic()
    assert not may(text, "/a" + "ab" * 1000)
    assert time.monotonic() - began < 5


texts = st.text() | st.lists(
    st.sampled_from(["User-agent", "Disallow", "Allow", "Crawl-delay", "Request-rate", ":", " ", "\n", "\r", "*", "/"])
    | st.text(max_size=5)
).map("".join)


@given(texts, st.text() | st.from_regex(r"https?://.*", fullmatch=True), st.text())
def test_any_text_url_and_agent_get_an_answer(text: str, url: str, agent: str) -> None:
    assert allows(text, url=url, agent=agent) in (True, False)
    delay = crawl_delay(text, agent=agent)
    assert delay is None or timedelta(0) < delay <= timedelta(hours=1)


@given(st.text(st.characters(codec=None)), st.text(st.characters(codec=None)))
def test_even_half_characters_are_survived(text: str, url: str) -> None:
    assert allows(rules(f"Disallow: {text}"), url=url, agent=US) in (True, False)
