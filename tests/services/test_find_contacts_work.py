"""The work that a page costs grows with its length: counted, not timed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from services import contacts_parse, markup, phone_number
from services.contacts_emails import MOST_SCRIPTS
from services.email_text import addresses, spelled_addresses
from services.find_contacts import find_contacts
from services.page import read
from services.phone_text import MOST_READ, phones

URL = "https://smith.example/"
LENGTH = 30_000

HOSTILE = [
    "@",
    "a@",
    "a@b.com ",
    "a.",
    "<div>",
    "</div>",
    "<b><i>",
    "<p><b><i><u><s>",
    "<a href=mailto:x@y.com>",
    "<table>",
    "1",
    "1-",
    "(1",
    "+1 ",
    "512-343-1234 ",
    "x (at) y (dot) ",
    " at a dot ",
    " @ a",
    "-at-",
    "( ",
    "&#64;",
    "<",
    "<!--",
    '<p title="',
    "<p hidden>a",
    '<p style="unicode-bidi:bidi-override">x',
    '<span style="display:none">x',
    '<p onclick="x" data-email="@">',
    "<a data-cfemail=aaaaaaaaaaaa>",
    "<div class=team><h3>Jane Doe</h3><p>Owner</p></div>",
    "<div class=team><h3>Jane Doe",
    "<b itemprop=telephone>5123431234</b>",
    "1-800-FLOWERS ",
    "Spain 0512 345 678 ",
    "<script>'@'+",
    "<script>'\\'",
    "<script type='application/ld+json'>[",
    '<script type="application/ld+json">{"a":',
    "<form><input name=email><textarea>",
    "<div class=wpcf7><form>",
    "<table><form><tr><td><input name=name>",
    "<svg><title>a</title></svg>",
    "Website by a@b.com ",
    "<input type=hidden name=to value=a@b.com>",
    "<script>for(i=0;i<n.length;i++){" + "a = b; " * 70 + "}</script>",
]


@contextmanager
def counted() -> Iterator[list[int]]:
    """Count the calls of Python functions, which is what our own loops are made of."""
    calls = [0]

    def count(frame: object, event: str, argument: object) -> None:
        calls[0] += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        yield calls
    finally:
        sys.setprofile(None)


def work_of(html: str) -> int:
    phone_number._valid.cache_clear()
    with counted() as calls:
        read(html, url=URL)
    return calls[0]


@pytest.mark.parametrize("unit", HOSTILE)
def test_twice_the_page_is_at_most_about_twice_the_work(unit: str) -> None:
    times = LENGTH // len(unit)
    work_of(unit * 4)
    once, twice = work_of(unit * times), work_of(unit * (2 * times))
    # Longer pages are first looked over tag by tag, so a few calls for every character come on top.
    assert twice < 2.6 * once + 2 * LENGTH


def test_no_more_numbers_are_read_than_the_most() -> None:
    text = " , ".join(f"512-{prefix}-{line:04d}" for prefix in (343, 344, 345) for line in range(2_000))
    assert len(list(phones(text, "US", list))) <= MOST_READ


def test_no_more_links_and_scripts_are_read_than_the_most() -> None:
    dialled = "".join(f'<a href="tel:512-343-{line:04d}">x</a>' for line in range(MOST_READ + 10))
    assert len(find_contacts(dialled, url=URL)) == MOST_READ
    written = "".join(f"<script>'a{number}' + '@' + 'smith.com'</script>" for number in range(MOST_SCRIPTS + 10))
    assert len(find_contacts(written, url=URL)) == MOST_SCRIPTS


def test_a_page_that_nests_for_ever_is_made_flat_and_still_read() -> None:
    html = "<div>" * 20_000 + '<a href="mailto:info@smith.com">x</a>'
    assert not contacts_parse.is_affordable(html)
    assert [each.value for each in find_contacts(html, url=URL)] == ["info@smith.com"]


def test_a_large_page_that_people_built_is_read_whole() -> None:
    html = "<div><p>Words</p></div>" * 20_000 + '<p hidden data-email="info@smith.com"></p>'
    assert not markup.is_modest(html)
    assert contacts_parse.is_affordable(html)
    assert [each.value for each in find_contacts(html, url=URL)] == ["info@smith.com"]


@pytest.mark.parametrize("unit", ["<p>Write to us at 12 Main Street, or call 512-343-1234.</p>\n", "1-"])
def test_five_megabytes_are_read_to_their_end(unit: str) -> None:
    html = unit * (5_000_000 // len(unit)) + '<a href="mailto:info@smith.com">x</a>'
    assert "info@smith.com" in {contact.value for contact in read(html, url=URL).contacts}


def test_long_words_are_looked_at_once() -> None:
    assert list(addresses("a" * 1_000_000)) == []
    assert list(spelled_addresses("a" * 1_000_000)) == []
