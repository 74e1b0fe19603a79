"""Our own files: at addresses that change with them, kept for good, and nothing else from our disk."""

from __future__ import annotations

import re
from collections.abc import Iterator

import httpx
import pytest

from dashboard.assets import TYPES
from dashboard.page import STATIC, asset

FILES = sorted(file.name for file in STATIC.iterdir() if file.is_file())


@pytest.fixture
def browser(url: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=url, timeout=60) as client:
        yield client


def test_every_file_is_given_as_what_it_is_and_may_be_kept(browser: httpx.Client) -> None:
    for name in FILES:
        answer = browser.get(asset(name))
        assert (answer.status_code, answer.content) == (200, (STATIC / name).read_bytes())
        assert answer.headers["content-type"] == TYPES[f".{name.rpartition('.')[2]}"]
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    "path",
    ["x/nothing.js", "x/..%2fpage.py", "x/%2e%2e%2fpage.py", "x/licences", "x/%00", "x/", "x", "x/page.py", "x/é"],
)
def test_nothing_else_is_given(browser: httpx.Client, path: str) -> None:
    answer = browser.get(f"/static/{path}")
    assert answer.status_code in (303, 404)
    assert "import" not in answer.text


def test_browsers_find_the_picture_that_they_ask_for(browser: httpx.Client) -> None:
    assert browser.get("/favicon.ico").headers["content-type"] == "image/svg+xml"


@pytest.mark.parametrize("name", FILES)
def test_no_file_asks_anything_of_another_site(name: str) -> None:
    text = (STATIC / name).read_text(encoding="utf-8")
    named = set(re.findall(r"(?:https?:)?//[a-z0-9.-]+\.[a-z]{2,}", text)) - {"http://www.w3.org"}
    assert {each for each in named if "licen" not in each and "htmx.org" not in each} == set()


@pytest.mark.parametrize("name", [name for name in FILES if name.endswith(".js") and ".min." not in name])
def test_our_scripts_are_strict_and_write_no_markup_from_text(name: str) -> None:
    text = (STATIC / name).read_text(encoding="utf-8")
    assert '"use strict"' in text
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", text)


def test_every_vendored_file_has_its_licence() -> None:
    vendored = {name.partition(".")[0] for name in FILES if ".min." in name}
    licences = " ".join(file.name for file in (STATIC / "licences").iterdir())
    assert all(name in licences for name in vendored), licences
