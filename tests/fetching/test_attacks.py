"""Attacks: what a hostile site may try beyond breaking the rules, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest

import settings
from fetching.client import Client
from fetching.manners import InMemoryManners
from fetching.web import Web
from tests.fetching.stranger import Script, Stranger, answer, header_of, path_of

Start = Callable[[Script], Stranger]
URL = "http://stranger.example/page"
NONE = answer(b"none", status="404 Not Found")


@pytest.fixture(autouse=True)
def _no_gap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANE_GAP_SECONDS", "0")
    settings.settings.cache_clear()


@pytest.fixture
def web(client: Client) -> Web:
    return Web(InMemoryManners(), through=client)


def site(page: Callable[[bytes], Iterable[bytes]]) -> Script:
    """Answer everything but robots.txt, which is absent."""
    return lambda head: [NONE] if path_of(head) == "/robots.txt" else page(head)


class TestNames:
    @pytest.mark.parametrize("name", ["xn--999999999", "xn--a", "xn--", "xn--ls8h"])
    def test_a_name_in_broken_punycode_is_a_name_like_any_other(self, stranger: Start, web: Web, name: str) -> None:
        server = stranger(site(lambda head: [answer(b"fine")]))
        assert web.get(f"http://{name}.example/").body == b"fine"
        assert header_of(server.heard[-1], "host") == f"{name}.example"

    def test_a_name_is_asked_in_one_lane_however_it_is_written(self, stranger: Start, client: Client) -> None:
        stranger(site(lambda head: [answer()]))
        manners = InMemoryManners()
        asked: list[str] = []
        manners.ask = asked.append  # type: ignore[method-assign,assignment]
        for host in ("münchen.example", "xn--mnchen-3ya.example", "www.xn--mnchen-3ya.example"):
            Web(manners, through=client).get(f"http://{host}/")
        assert set(asked) == {"xn--mnchen-3ya.example"}
