"""Posts and catalogue items: thousands of addresses without contacts, each a function of its number."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta

from sandbox.sites.frame import Frame
from sandbox.sites.sitemaps import Entry

FIRST_POST = date(2012, 3, 1)
POST = re.compile(r"/\d{4}/\d\d/\d\d/[a-z-]+-(\d{1,6})/")
ITEM = re.compile(r"/catalog/item-(\d{5})\.html")
WORDS = ("spring", "notes", "opening", "ideas", "guests", "workshop", "season", "questions", "garden", "winter", "news")
ITEMS_IN_A_LIST = 20


def path_of(number: int, *, is_catalogue: bool) -> str:
    """Give the address of a post or an item."""
    if is_catalogue:
        return f"/catalog/item-{number:05d}.html"
    return f"/{day_of(number):%Y/%m/%d}/{words_of(number)}-{number}/"


def number_of(path: str, *, is_catalogue: bool) -> int | None:
    """Read the number back from an address; None when it is no such address, down to the last letter."""
    match = (ITEM if is_catalogue else POST).fullmatch(path)
    number = int(match[1]) if match else None
    return number if number is not None and path_of(number, is_catalogue=is_catalogue) == path else None


def day_of(number: int) -> date:
    """Give the day of a post: a few each week since the first."""
    return FIRST_POST + timedelta(days=number * 5 // 4 % 5_000)


def words_of(number: int) -> str:
    """Give the words of a post's address."""
    return f"{WORDS[number % 11]}-and-{WORDS[number * 7 // 11 % 11]}"


def title_of(number: int) -> str:
    """Give the headline of a post."""
    return f"{words_of(number).replace('-', ' ').capitalize()}, no. {number}"


def entries(base: str, start: int, stop: int, *, is_catalogue: bool) -> Iterator[Entry]:
    """List posts for a sitemap."""
    for number in range(start, stop):
        yield Entry(base + path_of(number, is_catalogue=is_catalogue), day_of(number), title_of(number))


def post_page(frame: Frame, path: str, number: int) -> str:
    """Write a post."""
    title, texts = title_of(number), frame.paragraphs
    start = number % len(texts)
    body = "".join((*texts[start:], *texts[:start]))
    dated = f'<p class="meta"><time datetime="{day_of(number)}">{day_of(number)}</time></p>\n'
    return frame.page(path, title, f"<article><h1>{title}</h1>\n{dated}{body}</article>\n")


def post_list(count: int, place: int, path: str, *, is_catalogue: bool) -> str:
    """List the newest posts, and link to the older ones."""
    newest = count - 1 - place * ITEMS_IN_A_LIST
    numbers = range(newest, max(newest - ITEMS_IN_A_LIST, -1), -1)
    rows = "".join(
        f'<li><a href="{path_of(number, is_catalogue=is_catalogue)}">{title_of(number)}</a></li>\n'
        for number in numbers
    )
    older = f'<p><a rel="next" href="{path}?page={place + 1}">&raquo;</a></p>\n' if numbers and numbers[-1] > 0 else ""
    return f'<ul class="posts">\n{rows}</ul>\n{older}'
