"""Every kind of site in the sandbox, fetched over real sockets from a real sandbox: each gives the word it should."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import settings
from errors import Final, Passing
from fetching.client import Client
from fetching.manners import InMemoryManners
from fetching.web import Web
from sandbox import Served, serving
from sandbox.kinds import BY_NAME, KINDS
from sandbox.world import World

WORLD = World(300, 3)
WITH_A_SITE = [kind.name for kind in KINDS if kind.fetch != "none"]
FINAL = {"too-large", "too-many-redirects", "unsafe-address", "not-found", "blocked", "not-html", "robots-denied"}


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with serving(WORLD) as started:
        yield started


@pytest.fixture(autouse=True)
def _in_the_sandbox(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANDBOX_ADDRESS", f"127.0.0.1:{served.address[1]}")
    monkeypatch.setenv("LANE_GAP_SECONDS", "0")
    monkeypatch.setenv("FETCH_READ_SECONDS", "3")
    monkeypatch.setenv("FETCH_TOTAL_SECONDS", "4")
    settings.settings.cache_clear()


@pytest.fixture
def web(client: Client) -> Web:
    return Web(InMemoryManners(), through=client)


def homepage(kind: str) -> str:
    business = WORLD.with_kind(kind)
    return f"http://{business.host}/" if business.host else (business.website or "").strip()


def word(web: Web, url: str) -> str:
    try:
        web.get(url, html=True)
    except (Passing, Final) as trouble:
        return trouble.reason
    return "ok"


@pytest.mark.parametrize("kind", WITH_A_SITE)
def test_every_kind_gives_its_word(web: Web, kind: str) -> None:
    assert word(web, homepage(kind)) == BY_NAME[kind].fetch


@pytest.mark.parametrize("kind", [name for name in WITH_A_SITE if BY_NAME[name].fetch in FINAL])
def test_what_will_not_change_is_final(web: Web, kind: str) -> None:
    with pytest.raises(Final):
        web.get(homepage(kind), html=True)


@pytest.mark.parametrize("kind", ["rate-limited", "unavailable", "flaky"])
def test_what_passes_works_in_the_end(client: Client, kind: str) -> None:
    words = [
        word(Web(InMemoryManners(), through=client), homepage(kind)) for _ in range(6)
    ]  # what is tested is the site
    assert words[-1] == "ok"


@pytest.mark.parametrize("kind", ["wrong-charset", "latin-1", "utf-16"])
def test_pages_in_every_charset_are_read(web: Web, kind: str) -> None:
    response = web.get(homepage(kind), html=True)
    assert "\ufffd" not in response.text
    assert "<html" in response.text.lower()


def test_a_redirect_to_another_domain_is_followed_and_told(web: Web) -> None:
    url = homepage("redirect-elsewhere")
    response = web.get(url, html=True)
    assert response.redirects[0] == url
    assert response.url.startswith("http://moved-to-")


def test_a_page_that_has_not_changed_is_not_sent_again(web: Web) -> None:
    first = web.get(homepage("plain"), html=True)
    again = web.get(homepage("plain"), etag=first.etag, last_modified=first.last_modified)
    assert again.is_not_modified


def test_a_sitemap_of_50000_urls_streams(web: Web) -> None:
    url = homepage("sitemap-50k") + "sitemap.xml"
    with web.stream(url, max_bytes=2**30, total_seconds=60) as body:
        urls = 0
        while piece := body.read(2**16):
            urls += piece.count(b"<loc>")
    assert urls > 49_000  # a tag may be cut in two by the pieces


def test_the_sandbox_saw_robots_txt_first_everywhere(served: Served, web: Web) -> None:
    before = len(served.log())
    web.get(homepage("wordpress"), html=True)
    paths = [entry["path"] for entry in served.log(before) if entry["host"].endswith(".example")]
    assert paths[0] == "/robots.txt"
