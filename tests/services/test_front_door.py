"""Front door: where a homepage may be, in order, and the failure that tells most."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.front_door import MAY_DIFFER, TELLING, addresses, most_telling


def test_https_comes_before_http_and_the_bare_name_before_www() -> None:
    assert addresses("foo.example") == [
        "https://foo.example/",
        "http://foo.example/",
        "https://www.foo.example/",
        "http://www.foo.example/",
    ]


@pytest.mark.parametrize(
    ("known", "first"),
    [
        ({"known": "http://www.foo.example/en/"}, "http://www.foo.example/en/"),
        ({"answers": "http"}, "http://foo.example/"),
        ({"answers": "https"}, "https://foo.example/"),
        ({"given": "http://www.foo.example/"}, "https://www.foo.example/"),
        ({"given": "https://foo.example/start"}, "https://foo.example/start"),
        ({"given": "https://shop.foo.example/"}, "https://foo.example/"),
    ],
)
def test_what_is_known_comes_first(known: dict[str, str], first: str) -> None:
    assert addresses("foo.example", **known)[0] == first


def test_a_name_below_the_domain_is_tried_last() -> None:
    assert addresses("foo.example", given="https://shop.foo.example/")[-2:] == [
        "https://shop.foo.example/",
        "http://shop.foo.example/",
    ]


def test_no_address_is_tried_twice() -> None:
    found = addresses("foo.example", known="https://foo.example/", given="https://www.foo.example/", answers="http")
    assert len(found) == len(set(found)) == 4


@pytest.mark.parametrize(
    ("words", "most"),
    [
        (["refused", "timeout", "refused"], "timeout"),
        (["refused", "not-found", "dns"], "not-found"),
        (["tls", "refused"], "tls"),
        (["refused", "server-error", "host-resting"], "server-error"),
        (["not-found", "robots-denied"], "robots-denied"),
        (["never-heard-of", "dns"], "dns"),
        (["never-heard-of"], "never-heard-of"),
    ],
)
def test_the_most_telling_failure_is_the_last_word(words: list[str], most: str) -> None:
    assert words[most_telling(words)] == most


@given(st.lists(st.sampled_from(TELLING), min_size=1))
def test_of_equals_the_first_is_taken(words: list[str]) -> None:
    at = most_telling(words)
    assert words.index(words[at]) == at


def test_who_has_answered_is_not_asked_under_another_name() -> None:
    assert not MAY_DIFFER & {"robots-denied", "blocked", "rate-limited", "too-large", "server-error", "not-html"}
    assert {"dns", "tls", "refused", "timeout", "not-found", "unsafe-address"} <= MAY_DIFFER
